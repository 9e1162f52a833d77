"""The form of an extension: only what means something in the set's mode."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import QueryDict

from exercises.actions.sets.extensions import MOST_ATTEMPTS, Given
from exercises.models import Extension, ProblemSet
from frontend.sets.fields import CountField, LocalTimeField


class ExtensionForm(forms.Form):
    """Other times, another limit, more attempts, and why. Empty fields change nothing."""

    def __init__(self, posted: QueryDict | None, *, problem_set: ProblemSet, kept: Extension, zone: str) -> None:
        super().__init__(posted, label_suffix="")
        self.now: dict[str, str] = {}
        for name, label in (("opens_at", "Opens"), ("due_at", "Due"), ("closes_at", "Closes")):
            self.fields[name] = LocalTimeField(zone=zone, kept=getattr(kept, name), label=label)
        if problem_set.time_limit and problem_set.mode != ProblemSet.Mode.PRACTICE:
            self.fields["time_limit"] = CountField(
                kept=kept.time_limit, what="the minutes", label="Time limit in minutes",
                help_text="Before the time factor of the learner.",
            )  # fmt: skip
        if problem_set.mode != ProblemSet.Mode.PRACTICE:
            more = [(number, f"{number} more" if number else "none") for number in range(MOST_ATTEMPTS + 1)]
            self.fields["attempts"] = forms.TypedChoiceField(
                choices=more, coerce=int, label="More attempts", initial=kept.attempts,
                help_text="The best attempt counts.",
            )  # fmt: skip
        self.fields["reason"] = forms.CharField(
            max_length=500, label="Reason", initial=kept.reason,
            help_text="For those who teach; learners do not see it.",
        )  # fmt: skip

    def given(self) -> Given:
        """What a valid form says."""
        said: dict[str, Any] = dict(self.cleaned_data)
        return Given(**said)

    def take(self, faults: Mapping[str, str]) -> None:
        """Put what the domain finds wrong beside its field, or at the top where there is none."""
        for name, words in faults.items():
            self.add_error(name if name in self.fields else None, words)
