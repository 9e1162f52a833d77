"""When something was last written that the grades of learners go by."""

import datetime as dt
from collections.abc import Sequence
from typing import Any

from django.db.models import DateTimeField, F, Max, OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce, Greatest

from exercises import clock
from exercises.course_rules import policy_of, zone_of
from exercises.courses.rules import effective
from exercises.models import Attempt, Enrolment, Extension, Override, ProblemSet


def with_graded_at(rows: QuerySet[Enrolment], sets: Sequence[ProblemSet]) -> QuerySet[Enrolment]:
    """These learners with ``graded_at``: when the last of what their grades in these sets go by was written, or when
    time alone changed them. No query. The sets come with their course, of which the learners are.

    For one learner that is their enrolment, attempts, scores by hand and extensions of their own; for all of them a set
    and the extension of a group in it, and that a set was closed, which turns what was not begun into what is missing.
    """
    within = {"problem_set__in": [one.pk for one in sets]}
    own: dict[str, Any] = {**within, "learner": OuterRef("user")}
    sat = Attempt.objects.filter(**own, is_preview=False)
    given, extended = Override.objects.filter(**own), Extension.objects.filter(**own)
    moments = [
        _last(sat, "updated_at", by="learner"),
        _last(given, "created_at", by="learner"),
        _last(given, "withdrawn_at", by="learner"),
        _last(extended, "created_at", by="learner"),
        _last(extended.filter(closes_at__lte=clock.now()), "closes_at", by="learner"),
        _last(Extension.objects.filter(**within, group__isnull=False).annotate(one=Value(1)), "created_at", by="one"),
        *(Value(moment, output_field=DateTimeField()) for moment in _of_all(sets)),
    ]
    # Whoever was never written of in one of these ways was so with their enrolment.
    known = [Coalesce(moment, F("updated_at")) for moment in moments]
    return rows.annotate(graded_at=Greatest(F("updated_at"), *known, output_field=DateTimeField()))


def _last(rows: QuerySet[Any], field: str, *, by: str) -> Subquery:
    latest = rows.order_by().values(by).annotate(last=Max(field)).values("last")
    return Subquery(latest, output_field=DateTimeField())


def _of_all(sets: Sequence[ProblemSet]) -> list[dt.datetime]:
    """When the sets were written last, and when those that are closed were."""
    now = clock.now()
    ends = [effective(policy_of(one), time_zone=zone_of(one.course)).closes_at for one in sets]
    moments = [*(one.updated_at for one in sets), *(end for end in ends if end is not None and end < now)]
    return [max(moments)] if moments else []
