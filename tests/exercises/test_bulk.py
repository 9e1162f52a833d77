"""Rows that are written and read in bulk hold what they would hold if each were saved and read by itself."""

import datetime as dt
import math
from typing import Any
from uuid import UUID

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import Model
from django.test.utils import CaptureQueriesContext

from exercises.bulk import analyze, read, write
from exercises.models import Course, Event, Mastery, User

AT = dt.datetime(2026, 11, 30, 8, 15, 59, 123457, tzinfo=dt.UTC)
#: What means something in a line of text that is copied, and what means something in JSON.
ODD = 'tab\t, line\n, return\r, \\N, \\t, \\\\, \\., “quoted”, "quoted", it\'s, {}, $1, %s, 𝒱'


def event(course: Course, place: int, **more: Any) -> dict[str, Any]:
    plain = {"public_id": UUID(int=place), "course_id": course.pk, "kind": "x", "at": AT, "actor_id": None, "data": {}}
    return plain | more


def values(row: Model) -> dict[str, Any]:
    return {name: value for name, value in vars(row).items() if name not in ("id", "_state")}


@pytest.mark.parametrize("over", [(), ("public_id",)], ids=["copied", "over what stands there"])
def test_every_value_is_what_it_was(over: tuple[str, ...], course: Course, alice: User) -> None:
    rows = [
        event(course, 1, kind=ODD[:40], data={"said": ODD, ODD: [1, 2.5, None, True]}),
        event(course, 2, actor_id=alice.pk, data=[]),
        event(course, 3, kind="\\.", data={"n": 0.1 + 0.2, "big": 2**60}),
        event(course, 4, kind="", data="\\N"),
    ]
    write(Event, rows, over=over)
    assert [values(row) for row in Event.objects.order_by("public_id")] == [values(Event(**row)) for row in rows]


def test_numbers_keep_every_bit(alice: User) -> None:
    fields: dict[str, Any] = {"learner_id": alice.pk, "skill": "softmax", "mean": 0.1 + 0.2, "variance": 5e-324}
    counts = {
        "steps": 0,
        "failures": 0,
        "unaided_right": 2**31 - 1,
        "has_second_variant": True,
        "level": "new",
        "highest": "",
    }
    write(
        Mastery,
        [fields | counts | {"weight": 1e22, "last_at": AT, "reviewed_on": AT.date(), "reviews": 0, "lapses": 0}],
    )
    found = Mastery.objects.get()
    assert (found.mean, found.variance, found.weight, found.stability) == (0.1 + 0.2, 5e-324, 1e22, None)
    assert (found.unaided_right, found.has_second_variant, found.reviewed_on) == (2**31 - 1, True, AT.date())


@pytest.mark.parametrize("odd", [math.nan, math.inf])
def test_what_is_no_number_is_not_written(odd: float, course: Course) -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        write(Event, [event(course, 1, data={"n": odd})])


def test_what_the_database_refuses_is_told_as_it_always_is(course: Course) -> None:
    write(Event, [event(course, 1)])
    with pytest.raises(IntegrityError), transaction.atomic():
        write(Event, [event(course, 1)])
    assert Event.objects.count() == 1


def test_what_is_read_with_few_columns_is_a_row_like_any_other(course: Course, alice: User) -> None:
    write(Event, [event(course, 1, actor_id=alice.pk, data={"a": 1}), event(course, 2)])
    with CaptureQueriesContext(
        connection,
    ) as asked:
        first, second = read(Event.objects.order_by("public_id"), ("id", "data", "actor_id"))
        assert (first.data, first.actor_id, second.actor_id) == ({"a": 1}, alice.pk, None)
    assert len(asked) == 1
    assert first == Event.objects.get(pk=first.pk)
    assert (first.kind, first.at, first.actor) == ("x", AT, alice)
    first.kind = "changed"
    first.save()
    assert Event.objects.get(pk=first.pk).kind == "changed"


def test_looking_at_a_table_changes_nothing_in_it(course: Course) -> None:
    write(Event, [event(course, 1)])
    analyze(Event, "course_id", "at")
    assert Event.objects.count() == 1
