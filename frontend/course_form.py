"""The forms of a course and of the people in it."""

import datetime as dt
from decimal import Decimal
from typing import Any

from django import forms

from exercises.actions.courses import CourseFields
from exercises.courses.roster import LONGEST_GROUP, factor_text, read_factor
from exercises.models import Course, Enrolment, Group, Role
from frontend.plan_form import zone_groups
from frontend.table_form import TableForm

#: What each role is called in a form, with what it may do.
ROLES = (
    (Role.LEARNER.value, "Learner: sits the sets"),
    (Role.OBSERVER.value, "Observer: sees how the class does, without names"),
    (Role.ASSISTANT.value, "Assistant: reads work, decides about scores, gives extensions"),
    (Role.INSTRUCTOR.value, "Instructor: everything"),
)


def _day(label: str, help_text: str = "") -> forms.DateField:
    return forms.DateField(
        required=False,
        label=label,
        help_text=help_text,
        input_formats=["%Y-%m-%d"],
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={"invalid": "Write the day as year-month-day, such as 2027-02-14, or leave it empty."},
    )


class CourseForm(forms.Form):
    """What a course is called, when it is, and by which clocks."""

    title = forms.CharField(max_length=200, label="Title")
    term = forms.CharField(required=False, max_length=80, label="Term", help_text="Such as Winter 2026.")
    time_zone = forms.ChoiceField(
        label="Time zone",
        help_text="All days and times of the course are in this zone.",
        error_messages={"invalid_choice": "Choose a time zone from the list, such as Europe/Berlin."},
    )
    starts_on = _day("First day", "Copied to another term, the times of its sets move with it.")
    ends_on = _day("Last day")
    exam_on = _day("Day of the exam", "The reviews of its learners lead up to it, unless they set a day of their own.")

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        zones = self.fields["time_zone"]
        kept = str((options.get("initial") or {}).get("time_zone") or "")
        if isinstance(zones, forms.ChoiceField):
            zones.choices = zone_groups(kept)

    @property
    def said(self) -> CourseFields:
        """What was typed; the form is valid."""
        return CourseFields(**self.cleaned_data)

    @staticmethod
    def initial_of(course: Course) -> dict[str, str | dt.date | None]:
        """What a course is now."""
        return {
            "title": course.title, "term": course.term, "time_zone": course.time_zone, "starts_on": course.starts_on,
            "ends_on": course.ends_on, "exam_on": course.exam_on,
        }  # fmt: skip


class JoinForm(forms.Form):
    """A join code."""

    code = forms.CharField(
        max_length=40,
        label="Join code",
        help_text="Eight letters and digits; capitals, blanks and hyphens do not matter.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "characters", "spellcheck": "false"}),
        error_messages={"required": "Type the code that you were given."},
    )


class RoleForm(forms.Form):
    """What somebody is in a course."""

    role = forms.ChoiceField(choices=ROLES, label="Role")


class FactorForm(forms.Form):
    """How much more time somebody has."""

    time_factor = forms.CharField(
        max_length=20,
        label="Time factor",
        help_text="1 is the normal time, 1.25 a quarter more. It applies at once, also to attempts going on.",
        widget=forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"}),
    )
    reason = forms.CharField(required=False, max_length=500, label="Reason", help_text="For the audit trail.")

    def clean_time_factor(self) -> Decimal:
        """The factor as a number."""
        try:
            return read_factor(self.cleaned_data["time_factor"])
        except ValueError as error:
            raise forms.ValidationError(str(error)) from None

    @staticmethod
    def initial_of(enrolment: Enrolment) -> dict[str, str]:
        """The factor now."""
        return {"time_factor": factor_text(enrolment.time_factor)}


class GroupsForm(forms.Form):
    """The groups that somebody is in."""

    groups = forms.TypedMultipleChoiceField(
        required=False, coerce=int, label="Groups", widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, *args: Any, among: list[Group], **options: Any) -> None:
        super().__init__(*args, **options)
        field = self.fields["groups"]
        if isinstance(field, forms.ChoiceField):
            field.choices = [(group.pk, group.name) for group in among]


class DropForm(forms.Form):
    """Why somebody leaves."""

    reason = forms.CharField(required=False, max_length=500, label="Reason", help_text="For the audit trail.")


class GroupForm(forms.Form):
    """What a group is called."""

    name = forms.CharField(max_length=LONGEST_GROUP, label="Name", help_text="Such as Tutorial 3.")


class RosterForm(TableForm):
    """A roster, and what is to become of those who are not in it."""

    drops_missing = forms.BooleanField(
        required=False,
        label="Drop learners who are not in this roster",
        help_text="Their work stays, and they find it again when they come back.",
    )
    is_whole = forms.BooleanField(
        required=False,
        label="All or nothing: do nothing while any line has a fault",
        help_text="Otherwise lines with a fault are left out, and the rest is imported.",
    )
    seal = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)
    typed = forms.CharField(required=False, max_length=10, label="How many are to be dropped")
