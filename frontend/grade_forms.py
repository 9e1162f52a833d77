"""The forms of decisions about scores: a score, a moment, a reason, a file of grades."""

import datetime as dt
from fractions import Fraction
from typing import Any

from django import forms

from exercises.courses.local_time import local_text, read_local
from exercises.courses.shares import read_share
from frontend.table_form import TableForm

MOST_REASON = 500


class ReasonForm(forms.Form):
    """Why something is decided. Every decision has a reason; it stands in the audit trail."""

    reason = forms.CharField(
        max_length=MOST_REASON,
        label="Reason",
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="Kept in the audit trail, for whoever asks later.",
        error_messages={"required": "Say why."},
    )


class ScoreForm(ReasonForm):
    """A score to be set by hand."""

    score = forms.CharField(
        max_length=40,
        label="Score",
        help_text="A share such as 85 %, 3/4 or 0.75.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "text"}),
        error_messages={"required": "Type a score such as 85 % or 3/4."},
    )
    field_order = ("score", "reason")

    def clean_score(self) -> Fraction:
        """Exactly."""
        try:
            return read_share(self.cleaned_data["score"])
        except ValueError as error:
            raise forms.ValidationError(str(error)) from None


class CountAsForm(ReasonForm):
    """A moment by the clocks of the course."""

    at = forms.CharField(
        required=False,
        max_length=30,
        label="Counts as handed in at",
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}),
        help_text="Leave it empty to let the real time count again.",
    )
    field_order = ("at", "reason")

    def __init__(self, data: Any, *, time_zone: str, kept: dt.datetime | None) -> None:
        super().__init__(data, label_suffix="", initial={"at": local_text(kept, time_zone)})
        self.time_zone, self.kept = time_zone, kept
        self.fields["at"].label = f"Counts as handed in at ({time_zone})"

    def clean_at(self) -> Any:
        """The moment in UTC, None for none."""
        try:
            return read_local(self.cleaned_data["at"], self.time_zone, kept=self.kept)
        except ValueError as error:
            raise forms.ValidationError(str(error)) from None


class GradesForm(TableForm):
    """A file of grades or its text; the reason is asked for where it is applied."""

    reason = forms.CharField(
        required=False,
        max_length=MOST_REASON,
        label="Reason",
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="One for all of them, for the audit trail. Needed before anything is kept.",
    )
    field_order = ("upload", "text", "reason")
