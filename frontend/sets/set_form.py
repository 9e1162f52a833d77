"""The form of a set: its mode decides which fields there are."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from django import forms
from django.http import QueryDict

from exercises.courses.rules import Mode
from exercises.courses.set_details import FEEDBACK_OF, FIELDS_OF, SetDetails
from exercises.models import Group
from frontend.sets.fields import CountField, LocalTimeField, ShareField, SharesField

MODE_WORDS: dict[Mode, str] = {
    "practice": "Practice: endless variants, feedback at once",
    "quiz": "Quiz: a number of tries an item",
    "exam": "Exam: handed in once, as a whole",
}
FEEDBACK_WORDS = {
    "at-once": "after each try",
    "handed-in": "once the attempt is handed in",
    "released": "when I release the results",
}
RETRY_WORDS = (("same", "the same variant again"), ("new", "a new variant for each try"))
#: In the order in which they stand on the page.
ORDER = (
    "title", "instructions", "opens_at", "due_at", "closes_at", "late", "time_limit", "credits", "retry", "feedback",
    "hints", "shuffle", "pass_mark", "groups",
)  # fmt: skip
ALWAYS = ("title", "instructions", "opens_at", "due_at", "closes_at", "groups")
TIMES = ("opens_at", "due_at", "closes_at", "late", "time_limit")


class SetForm(forms.Form):
    """What is written on a set in one mode. ``now`` says by field what stands there by now, where somebody else changed
    it meanwhile."""

    def __init__(
        self,
        posted: QueryDict | None,
        *,
        kept: SetDetails,
        zone: str,
        groups: Sequence[Group] = (),
        chosen: Sequence[int] = (),
        initial: Mapping[str, Any] | None = None,
    ) -> None:
        self.mode, self.now = kept.mode, dict[str, str]()
        made = {**_plain_fields(kept), **_time_fields(kept, zone), **_score_fields(kept)}
        super().__init__(
            None if posted is None else self._whole(posted, made), initial=dict(initial or {}), label_suffix="",
            prefix=None,
        )  # fmt: skip
        if groups:
            made["groups"] = forms.TypedMultipleChoiceField(
                choices=[(group.pk, group.name) for group in groups], coerce=int, required=False, label="Only for",
                initial=list(chosen), widget=forms.CheckboxSelectMultiple,
                help_text="Tick none to give it to everybody in the course.",
            )  # fmt: skip
        wanted = FIELDS_OF[kept.mode].union(ALWAYS)
        for name in ORDER:
            if name in made and name in wanted:
                self.fields[name] = made[name]

    @property
    def sections(self) -> list[tuple[str, list[forms.BoundField]]]:
        """The fields under their headings, those of the times together."""
        names = list(self.fields)
        first = [name for name in ("title", "instructions") if name in names]
        rest = [name for name in names if name not in (*first, *TIMES)]
        times = [name for name in names if name in TIMES]
        return [("", self._bound(first)), ("Times", self._bound(times)), ("Rules", self._bound(rest))]

    def details(self) -> SetDetails:
        """What a valid form says."""
        known = {each.name for each in fields(SetDetails)}
        said = {name: value for name, value in self.cleaned_data.items() if name in known}
        return SetDetails(**{**said, "mode": self.mode})

    def groups(self) -> list[int]:
        """The groups that a valid form is for."""
        return list(self.cleaned_data.get("groups", []))

    def take(self, faults: Mapping[str, str]) -> None:
        """Put what the domain finds wrong beside its field, or at the top where there is none."""
        for name, words in faults.items():
            self.add_error(name if name in self.fields else None, words)

    def tell_now(self, mine: Mapping[str, str], theirs: Mapping[str, str]) -> None:
        """Show what stands there by now beside every field that says something else."""
        self.now = {name: theirs[name] for name in self.fields if mine.get(name) != theirs.get(name) and name in theirs}

    def _whole(self, posted: QueryDict, made: Mapping[str, forms.Field]) -> QueryDict:
        """What was sent; where the page was that of another mode, with the defaults of this one for the fields that
        were not on it, so that nobody is told of fields they have not seen."""
        shown = posted.get("shown-mode", self.mode)
        if shown not in MODE_WORDS or shown == self.mode:
            return posted
        whole = posted.copy()
        for name in FIELDS_OF[self.mode] - FIELDS_OF[mode_of(shown)]:
            told = made[name].initial
            if isinstance(told, bool):
                whole.setlist(name, ["on"] if told else [])
            else:
                whole[name] = str(told or "")
        if whole.get("feedback") not in FEEDBACK_OF[self.mode]:
            whole["feedback"] = FEEDBACK_OF[self.mode][0]
        return whole

    def _bound(self, names: Sequence[str]) -> list[forms.BoundField]:
        return [self[name] for name in names]


def mode_of(said: str | None, otherwise: Mode = "practice") -> Mode:
    """The mode of that name, or another where there is none."""
    return said if said in MODE_WORDS else otherwise


def _plain_fields(kept: SetDetails) -> dict[str, forms.Field]:
    return {
        "title": forms.CharField(max_length=200, label="Title", initial=kept.title),
        "instructions": forms.CharField(
            required=False, label="Instructions", initial=kept.instructions,
            widget=forms.Textarea(attrs={"rows": 5}), help_text="Markdown with $TeX$, shown above the rules.",
        ),
        "hints": forms.BooleanField(required=False, label="Hints may be taken", initial=kept.hints),
        "shuffle": forms.BooleanField(
            required=False, label="Shuffle the items for each learner", initial=kept.shuffle
        ),
    }  # fmt: skip


def _time_fields(kept: SetDetails, zone: str) -> dict[str, forms.Field]:
    return {
        "opens_at": LocalTimeField(
            zone=zone, kept=kept.opens_at, label="Opens", help_text="Empty: as soon as it is published."
        ),
        "due_at": LocalTimeField(
            zone=zone, kept=kept.due_at, label="Due",
            help_text="Where it closes later, or has late days, what comes after this is late.",
        ),
        "closes_at": LocalTimeField(
            zone=zone, kept=kept.closes_at, label="Closes",
            help_text="Nothing is accepted after it. Empty: when it is due, or after the last late day.",
        ),
        "late": SharesField(
            kept=kept.late, label="Credit kept on late days",
            help_text="For the first calendar day after due, the second and so on, such as 1, 80 %, 60 %. 1 is a day "
            "of grace. Empty: late work counts in full.",
        ),
        "time_limit": CountField(
            kept=kept.time_limit, what="the minutes", label="Time limit in minutes",
            help_text="From the moment somebody begins, counted here. Empty: none.",
        ),
    }  # fmt: skip


def _score_fields(kept: SetDetails) -> dict[str, forms.Field]:
    return {
        "credits": SharesField(
            kept=kept.credits, label="What each try is worth",
            help_text="One share for each try, in order, such as 1, 1, 1/2, 25 %. The best one counts.",
        ),
        "retry": forms.ChoiceField(choices=RETRY_WORDS, label="Another try has", initial=kept.retry),
        "feedback": forms.ChoiceField(
            choices=[(value, FEEDBACK_WORDS[value]) for value in FEEDBACK_OF[kept.mode]], label="Feedback comes",
            initial=kept.feedback,
        ),
        "pass_mark": ShareField(
            kept=kept.pass_mark, label="Pass mark", help_text="A share such as 70 % or 2/3. Empty: none."
        ),
    }  # fmt: skip
