"""The forms by which somebody makes a key for a program, or lets a system in."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.html import format_html

from exercises.actions.clients import MOST_NAME
from exercises.actions.tokens import LIFETIME, LONGEST_LIFETIME
from exercises.courses.rights import Right, may
from exercises.models import Course, Enrolment, User
from exercises.scopes import PRACTICE, SCOPES

DAYS = ((7, "a week"), (30, "30 days"), (LIFETIME, "90 days"), (180, "half a year"), (LONGEST_LIFETIME, "a year"))


class KeyForm(forms.Form):
    """What every key is asked: what it is called, what it may be used for, and where."""

    name = forms.CharField(
        max_length=MOST_NAME,
        label="Name",
        help_text="So that you recognise it later.",
        error_messages={"required": "Give it a name, such as what the program does."},
    )
    scopes = forms.MultipleChoiceField(
        label="What it may do",
        widget=forms.CheckboxSelectMultiple,
        help_text="Never more than you may do yourself.",
        error_messages={"required": "Tick at least one thing that it may be used for."},
    )
    course = forms.ChoiceField(
        required=False,
        label="Where",
        help_text="A key for one course cannot see other courses, nor anything outside of courses.",
    )

    def __init__(self, *args: Any, user: User, enrolments: Sequence[Enrolment], **options: Any) -> None:
        super().__init__(*args, **options)
        self.courses = {str(row.course.public_id): row.course for row in enrolments}
        teaches = user.is_instructor or any(may(row.role, Right.STATISTICS) for row in enrolments)
        offered = [(name, words) for name, words in SCOPES.items() if teaches or name == PRACTICE]
        # Guides and refusals call them by these names.
        named = [(name, format_html("{} <code>{}</code>", words, name)) for name, words in offered]
        _choose(self.fields["scopes"], named)
        everywhere = [("", "everywhere you have access")]
        _choose(self.fields["course"], everywhere + [(one, str(course)) for one, course in self.courses.items()])

    @property
    def said(self) -> dict[str, Any]:
        """What was chosen; the form is valid."""
        chosen: Course | None = self.courses.get(self.cleaned_data["course"])
        return {"scopes": self.cleaned_data["scopes"], "course": chosen}


class TokenForm(KeyForm):
    """A token for a program of one's own."""

    days = forms.TypedChoiceField(coerce=int, choices=DAYS, initial=LIFETIME, label="Valid for")

    @property
    def said(self) -> dict[str, Any]:
        """What was chosen; the form is valid."""
        return {**super().said, "label": self.cleaned_data["name"], "days": self.cleaned_data["days"]}


class ClientForm(KeyForm):
    """A system that acts as somebody who teaches."""

    @property
    def said(self) -> dict[str, Any]:
        """What was chosen; the form is valid."""
        return {**super().said, "name": self.cleaned_data["name"]}


def _choose(field: forms.Field, choices: Sequence[tuple[str, str]]) -> None:
    if isinstance(field, forms.ChoiceField):
        field.choices = choices
