"""Addresses and forms of the pages of sets."""

from typing import Any

from django.test import Client
from django.urls import reverse

from exercises.models import Course, ProblemSet, SetItem
from exercises.set_rows import state_of

People = dict[str, Client]

#: A form of a quiz that can be kept.
QUIZ = {
    "do": "keep", "mode": "quiz", "title": "Losses", "instructions": "", "opens_at": "2026-11-29T12:00",
    "due_at": "2026-12-01T12:00", "closes_at": "", "late": "1, 80 %", "time_limit": "60", "credits": "1, 1/2",
    "retry": "same", "feedback": "at-once", "pass_mark": "70 %",
}  # fmt: skip


def where(name: str, problem_set: ProblemSet, course: Course) -> str:
    """The address of a page of a set; of an item, its first."""
    if name == "set-new":
        return reverse("frontend:set-new", args=[course.public_id])
    if name in ("set-item", "set-practise"):
        item = problem_set.items.order_by("position")[0]
        return reverse(f"frontend:{name}", args=[problem_set.public_id, item.pk])
    if name == "set-pool":
        pool = problem_set.pools.get_or_create(name="Easy")[0]
        return reverse("frontend:set-pool", args=[problem_set.public_id, pool.pk])
    address = reverse(f"frontend:{name}", args=[problem_set.public_id])
    if name == "set-extension":
        bob = course.enrolments.get(user__username="bob")
        return f"{address}?learner={bob.pk}"
    return address


def item_form(item: SetItem, **more: Any) -> dict[str, Any]:
    """The form of an item as its page sends it when nothing was typed."""
    known: dict[str, Any] = {"do": "keep", "seen": state_of(item), "weight": "1", "variants": "1", "version": "current"}
    return {**known, "asked-kind": "all", **more}
