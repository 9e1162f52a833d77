"""Asking for statistics, and going on with them in turns of a few seconds, so that answers are marked in between."""

import datetime as dt
import logging
import time
from collections.abc import Callable, Mapping
from typing import Any

from billiard.exceptions import SoftTimeLimitExceeded
from django.db import IntegrityError, OperationalError, transaction
from django.db.models import F, Max, QuerySet

from exercises import clock
from exercises.actions.figures.class_batch import class_batch
from exercises.actions.figures.item_batch import item_batch
from exercises.actions.figures.shown_batch import shown_batch
from exercises.actions.leases import FREE, is_free, let_go, take
from exercises.actions.sending import is_sent
from exercises.models import Course, Evidence, Figures, ProblemSet, Submission

log = logging.getLogger(__name__)

TASK = "exercises.tasks.work_on_figures"
#: Seconds of one turn, which is much shorter than a lease.
TURN = 4.0
#: How long figures rest after an error that was not foreseen: what was wrong may be mended.
REST = dt.timedelta(minutes=15)
#: The values of figures of which nothing more is to be done.
FINISHED: dict[str, Any] = {"computed_at": F("wanted_at"), "wanted_at": None, "work": None, **FREE}
ITEMS, CLASS, SHOWN = Figures.Kind.ITEMS, Figures.Kind.CLASS, Figures.Kind.SHOWN


#: One batch of a kind: from the work so far to the work after it, with the figures once it is the last.
BatchOf = Callable[[Figures, dict[str, Any]], tuple[dict[str, Any], dict[str, Any] | None]]
BATCHES: Mapping[str, BatchOf] = {
    ITEMS: item_batch,
    CLASS: class_batch,
    SHOWN: shown_batch,
}


def want_figures(*, course: Course, problem_set: ProblemSet | None = None) -> Figures:
    """Let the figures of a set, or without one of a whole course, be worked out anew; asked twice, it is done once.

    Whoever shows them shows the ones before meanwhile.
    """
    kind = ITEMS if problem_set else CLASS
    with transaction.atomic():
        row = _row(course, problem_set, kind)
        if row.wanted_at is None:
            _want(row)
        transaction.on_commit(lambda: tell_worker(row.pk), robust=True)
    return row


def want_shown(problem_set: ProblemSet) -> Figures:
    """Let what learners may know of by now in a set, which comes with its course, count for their skills. Asked again
    it is done again from the start: what is shown may be more by now. Inside the caller's transaction, with which it
    stands or falls: then ``tell_worker``, or the sweep finds it; or do it, and say so to ``shown_is_kept``."""
    row = _row(problem_set.course, problem_set, SHOWN)
    _want(row)
    return row


def shown_is_kept(row: Figures) -> None:
    """Call ``want_shown`` off, as done, unless it was asked for again meanwhile."""
    asked = Figures.objects.filter(pk=row.pk, wanted_at=row.wanted_at)
    asked.update(**FINISHED)


def _want(row: Figures) -> None:
    wanted = {"wanted_at": clock.now(), "work": None, **FREE}
    for name, value in wanted.items():
        setattr(row, name, value)
    row.save(update_fields=list(wanted))


def want_stale_figures() -> int:
    """Let everything be worked out anew in which something was marked since; how much that is. Sent every night."""
    sets = ProblemSet.objects.filter(retired=False, course__archived_at=None, published_at__isnull=False)
    of_set = "variant__attempt_item__attempt__problem_set"
    marked = Submission.objects.filter(graded_at__isnull=False, variant__attempt_item__isnull=False)
    last_marked = _last(marked, of_set, "graded_at")
    last_shown = _last(Evidence.objects.all(), "learner__enrolments__course", "created_at")
    sets = sets.filter(pk__in=_stale(last_marked, Figures.objects.filter(kind=ITEMS), "problem_set"))
    courses = Course.objects.filter(archived_at=None)
    courses = courses.filter(pk__in=_stale(last_shown, Figures.objects.filter(kind=CLASS), "course"))
    for problem_set in (stale_sets := list(sets.select_related("course"))):
        want_figures(course=problem_set.course, problem_set=problem_set)
    for course in (stale_courses := list(courses)):
        want_figures(course=course)
    return len(stale_sets) + len(stale_courses)


def work_on_figures(pk: int, *, seconds: float = TURN) -> bool:
    """Go on with these figures for so long, and tell the next worker if there is more; whether there is.

    Where they meet an error, the ones before are shown on, and they rest for a while.
    """
    row = take(_wanted().select_related("course", "problem_set"), pk)
    if row is None:
        return False
    try:
        work = _turn(row, time.monotonic() + seconds)
    except OperationalError:
        # What was wrong is soon over: the lease runs out, and the sweep goes on from there.
        raise
    except Exception as error:
        log.exception("Figures %s met an error: they are worked out again in %s.", pk, REST)
        let_go(row, rest=REST)
        if isinstance(error, SoftTimeLimitExceeded):
            raise
        return False
    if work is None:
        return False
    if let_go(row, work=work):
        tell_worker(pk)
        return True
    return False


def _turn(row: Figures, ends: float) -> dict[str, Any] | None:
    """The work after one turn; None once it is finished."""
    work: dict[str, Any] = row.work or {}
    while True:
        work, figures = BATCHES[row.kind](row, work)
        if figures is not None:
            let_go(row, figures=figures, **FINISHED)
            return None
        if time.monotonic() > ends:
            return work


def sweep_figures() -> int:
    """Tell workers of the figures that were left lying, by a lost message or a killed worker; how many there are."""
    lying = _wanted().filter(is_free()).values_list("pk", flat=True)
    return sum(tell_worker(pk) for pk in lying)


def _wanted() -> QuerySet[Figures]:
    return Figures.objects.filter(wanted_at__isnull=False)


def _last(work: QuerySet[Any], of: str, at: str) -> dict[int, dt.datetime]:
    """When something happened last, by what it belongs to. One query, which passes over the whole table once: looked up
    one by one, it did so for every set."""
    rows = work.filter(**{f"{of}__isnull": False}).order_by().values(of).annotate(last=Max(at))
    return dict(rows.values_list(of, "last"))


def _stale(last: Mapping[int, dt.datetime], known: QuerySet[Figures], of: str) -> list[int]:
    """Those in which something happened after their figures were worked out, or without any. One query."""
    computed: dict[int, dt.datetime | None] = dict(known.values_list(of, "computed_at"))
    return [pk for pk, at in last.items() if (before := computed.get(pk)) is None or at > before]


def _row(course: Course, problem_set: ProblemSet | None, kind: str) -> Figures:
    """The row, made if need be, and held. Two requests at once make one."""
    rows = Figures.objects.select_for_update(no_key=True)
    there = rows.filter(course=course, problem_set=problem_set, kind=kind).first()
    if there is not None:
        return there
    try:
        with transaction.atomic():
            return Figures.objects.create(course=course, problem_set=problem_set, kind=kind)
    except IntegrityError:
        return rows.get(course=course, problem_set=problem_set, kind=kind)


def tell_worker(pk: int) -> bool:
    """Tell a worker; whether it was told. It never raises: the sweep finds the rest."""
    return is_sent(TASK, pk, otherwise=f"No worker was told of figures {pk}, the sweep will find them")
