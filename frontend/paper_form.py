"""The forms of printed copies: how many, whose, and a table of what came back."""

import datetime as dt
from typing import Any

from django import forms

from exercises import clock
from exercises.actions.paper.copies import MOST_COPIES
from exercises.course_rules import zone_of
from exercises.courses.local_time import LocalTimeError, read_local
from exercises.models import Course, User
from exercises.queries.people import NotOne, learner_meant
from frontend.table_form import TableForm


class PrintForm(forms.Form):
    """How many copies to draw."""

    copies = forms.IntegerField(
        min_value=1,
        max_value=MOST_COPIES,
        label="Copies",
        help_text="Each has numbers of its own, a key of its own and a code.",
        widget=forms.TextInput(attrs={"inputmode": "numeric", "size": 5}),
    )
    title = forms.CharField(
        required=False, max_length=200, label="What this print is for", help_text="Such as: tutorial group 2."
    )


class CodeForm(forms.Form):
    """The code of a copy, as it stands on top of each of its pages."""

    code = forms.CharField(max_length=20, label="Code of the copy", help_text="Such as 7KQM-2XWD.")


class AnswersForm(TableForm):
    """A filled-in table of answers."""

    def with_text(self) -> "AnswersForm":
        """The same form with the text in its box, to be sent again; what is wrong with it stays beside it."""
        again = AnswersForm({"text": self.cleaned_data.get("text", "")}, label_suffix="")
        again.is_valid()
        for name, errors in self.errors.items():
            again.add_error(None if name == "__all__" else name, list(errors))
        return again


class WriterForm(forms.Form):
    """Who wrote on a copy, and when."""

    written_by = forms.CharField(max_length=254, label="Written by", help_text="User name, e-mail address or number.")
    written_at = forms.CharField(
        required=False,
        max_length=30,
        label="Written on",
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}),
    )

    def __init__(self, *args: Any, course: Course, is_entered: bool, **options: Any) -> None:
        super().__init__(*args, **options)
        self.course = course
        left_empty = (
            "it stays as it was entered"
            if is_entered
            else "it counts as of now, or as of when the set was due if that is past"
        )
        self.fields[
            "written_at"
        ].help_text = (
            f"{zone_of(course).replace('_', ' ')} time. It counts as handed in then; left empty, {left_empty}."
        )

    def clean_written_by(self) -> User:
        """The one learner of the course that is meant."""
        try:
            return learner_meant(self.course, self.cleaned_data["written_by"]).user
        except NotOne as error:
            raise forms.ValidationError(str(error)) from None

    def clean_written_at(self) -> dt.datetime | None:
        """The moment by the clocks of the course."""
        try:
            moment = read_local(self.cleaned_data["written_at"], zone_of(self.course))
        except LocalTimeError as error:
            raise forms.ValidationError(str(error)) from None
        if moment is not None and moment > clock.now():
            raise forms.ValidationError("That is in the future: look at the date again.")
        return moment


class VoidForm(forms.Form):
    """Why a copy is taken back."""

    reason = forms.CharField(
        max_length=500,
        label="Why it is taken back",
        help_text="Such as: entered for the wrong learner. It stands in the audit trail.",
    )
