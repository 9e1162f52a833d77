"""What programs asked for that takes longer than a request."""

import uuid
from collections.abc import Collection

from django.db.models import QuerySet

from exercises.models import Course, Job


def jobs_of(course: Course, kinds: Collection[Job.Kind] = tuple(Job.Kind)) -> QuerySet[Job]:
    """The jobs of a course, or those of some kinds, with whoever asked for them. No query yet."""
    return Job.objects.filter(course=course, kind__in=kinds).select_related("made_by").defer("text")


def job_in(course: Course, public_id: uuid.UUID) -> Job | None:
    """That job of the course, None if it has none of that id. One query."""
    return jobs_of(course).filter(public_id=public_id).first()
