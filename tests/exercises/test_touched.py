"""When a row was written last, whichever way it was written."""

import datetime as dt

import pytest
from django.utils import timezone

from exercises.models import Course
from exercises.models.touched import Touched

pytestmark = pytest.mark.django_db


def test_an_insert_has_its_time() -> None:
    before = timezone.now()
    assert before <= Course.objects.create(title="New").updated_at <= timezone.now()


@pytest.mark.parametrize("way", ["update", "save", "bulk_update", "save of a stale instance"])
def test_every_kind_of_write_moves_it_on(way: str) -> None:
    course = Course.objects.create(title="Before")
    stale = Course.objects.get(pk=course.pk)
    written = course.updated_at
    course.title = stale.title = "After"
    if way == "update":
        Course.objects.filter(pk=course.pk).update(title="After")
    elif way == "save":
        course.save()
    elif way == "bulk_update":
        Course.objects.bulk_update([course], ["title"])
    else:
        stale.updated_at = written - dt.timedelta(days=1)
        stale.save()
    course.refresh_from_db()
    assert course.updated_at > written
    assert course.updated_at <= timezone.now() + dt.timedelta(seconds=1)


def test_a_time_is_found_again_by_its_own_value() -> None:
    """A cursor compares what it read with what is there: on SQLite both are texts."""
    course = Course.objects.create(title="Before")
    Course.objects.filter(pk=course.pk).update(title="After")
    course.refresh_from_db()
    assert Course.objects.filter(updated_at=course.updated_at).exists()
    assert not Course.objects.filter(updated_at__gt=course.updated_at).exists()


def test_the_column_is_nothing_that_migrations_repeat() -> None:
    assert Touched().deconstruct()[3] == {}
