"""A change is refused where somebody else was faster."""

import pytest
from django.db import transaction

from exercises.actions.unchanged import ChangedMeanwhile, still_as_read
from exercises.models import Course


def test_what_was_changed_meanwhile_is_not_overwritten_unless_one_says_so(course: Course) -> None:
    course.refresh_from_db()
    read = course.updated_at
    with transaction.atomic():
        assert still_as_read(course, read).title == "BERT by hand"
    Course.objects.update(title="Changed")
    with transaction.atomic(), pytest.raises(ChangedMeanwhile, match="Read it again"):
        still_as_read(course, read)
    with transaction.atomic():
        assert still_as_read(course, None).title == "Changed"
