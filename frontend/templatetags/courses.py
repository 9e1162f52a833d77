"""What the templates of courses need: the tabs of a course, its clocks, and deeds in words."""

import datetime as dt
import json
from dataclasses import dataclass
from typing import Any

from django import template
from django.template import Context
from django.urls import reverse

from exercises.access import has_right
from exercises.course_rules import zone_of
from exercises.courses.deeds import deed_words
from exercises.courses.rights import Right
from exercises.courses.roster import factor_text
from exercises.courses.roster_plan import Plan
from exercises.courses.wording import day_in_words, moment_in_words
from exercises.models import AuditEntry, Course, Enrolment

register = template.Library()
register.filter("factor", factor_text)
register.filter("deed_words", deed_words)

#: Key, words, name of the address, and the right that it takes to go there.
TABS = (
    ("sets", "Sets", "course", Right.VIEW),
    ("people", "People", "people", Right.READ_WORK),
    ("gradebook", "Grade book", "gradebook", Right.READ_WORK),
    ("class", "Class", "class", Right.STATISTICS),
    ("regrades", "Regrades", "regrades", Right.GRADE),
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
    return [
        Tab(key, words, reverse(f"frontend:{name}", args=[enrolment.course.public_id]))
        for key, words, name, right in TABS
        if has_right(enrolment, right)
    ]


@register.simple_tag(takes_context=True)
def may_read_faults(context: Context) -> bool:
    """Whether the way to the fault reports is shown: to who writes problems, and to who reads work in a course, where
    the page knows that anyway. No query."""
    user, enrolment = context.get("user"), context.get("enrolment")
    if getattr(user, "is_instructor", False) or context.get("reads_work"):
        return True
    return isinstance(enrolment, Enrolment) and has_right(enrolment, Right.READ_WORK)


@register.filter
def can(enrolment: Enrolment, right: str) -> bool:
    """Whether somebody has a right in the course: ``{% if enrolment|can:"manage" %}``."""
    return has_right(enrolment, Right(right))


@register.filter
def course_time(moment: dt.datetime, course: Course) -> str:
    """A moment by the clocks of a course."""
    return moment_in_words(moment, zone_of(course))


@register.filter
def course_day(moment: dt.datetime, course: Course) -> str:
    """The day that a moment is in by the clocks of a course."""
    return day_in_words(moment, zone_of(course))


@register.filter
def plan_counts(plan: Plan) -> list[tuple[str, int]]:
    """How many lines of a roster do what."""
    counts: list[tuple[str, int]] = [
        ("added", len(plan.of_kind("added"))),
        ("changed", len(plan.of_kind("changed"))),
        ("unchanged", len(plan.of_kind("unchanged"))),
        ("kept as they are", len(plan.of_kind("kept"))),
        ("dropped", len(plan.dropped)),
        ("with a fault", len(plan.faults)),
    ]
    return counts


@register.filter
def told_change(entry: AuditEntry) -> list[tuple[str, str, str]]:
    """What a deed changed, as (what, before, after) in words; what is the same is left out."""
    before, after = ({"it": told} if not isinstance(told, dict) else told for told in (entry.before, entry.after))
    names = [*before, *(name for name in after if name not in before)]
    said = [(str(name).replace("_", " "), _words(before.get(name)), _words(after.get(name))) for name in names]
    return [(name, was, becomes) for name, was, becomes in said if was != becomes]


def _words(value: Any) -> str:
    if value in (None, "", [], {}):
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
