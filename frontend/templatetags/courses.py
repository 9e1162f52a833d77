"""What the templates of courses need: the tabs of a course, by what somebody may do there."""

from dataclasses import dataclass

from django import template
from django.urls import NoReverseMatch, reverse

from exercises.access import has_right
from exercises.courses.rights import Right
from exercises.models import Enrolment

register = template.Library()

#: Key, words, name of the address, and the right that it takes to go there.
TABS = (
    ("sets", "Sets", "course", Right.VIEW),
    ("people", "People", "people", Right.READ_WORK),
    ("gradebook", "Grade book", "gradebook", Right.READ_WORK),
    ("class", "Class", "class", Right.STATISTICS),
    ("regrades", "Regrades", "regrades", Right.MANAGE),
    ("audit", "Audit", "audit", Right.READ_WORK),
)


@dataclass(frozen=True)
class Tab:
    """One way into a course. ``key`` is what a page calls itself by."""

    key: str
    words: str
    address: str


@register.simple_tag
def course_tabs(enrolment: Enrolment) -> list[Tab]:
    """The tabs of the enrolment's course that its person may open. No query."""
    found = []
    for key, words, name, right in TABS:
        if not has_right(enrolment, right):
            continue
        try:
            found.append(Tab(key, words, reverse(f"frontend:{name}", args=[enrolment.course.public_id])))
        except NoReverseMatch:  # a part of the house without pages has no tab
            continue
    return found


@register.filter
def can(enrolment: Enrolment, right: str) -> bool:
    """Whether somebody has a right in the course: ``{% if enrolment|can:"manage" %}``."""
    return has_right(enrolment, Right(right))
