"""Work that a program asked for and that takes longer than a request: the row is the queue, a worker does it."""

import datetime as dt
import logging
from collections.abc import Callable, Mapping
from typing import Any

from django.db import OperationalError, transaction
from django.db.models import F
from django.http import Http404

from exercises import clock
from exercises.access import enrolment_in
from exercises.actions.courses.roster_import import Choices, import_roster, plan_roster, seal_of
from exercises.actions.grading.grade_import import import_grades
from exercises.actions.leases import is_free, let_go, take
from exercises.actions.sending import is_sent
from exercises.courses.cells import TableRefused
from exercises.courses.rights import Right
from exercises.courses.roster_lines import csv_of_ndjson
from exercises.courses.roster_plan import Plan
from exercises.models import Course, Job, User
from exercises.queries.gradebook import sets_of
from exercises.refusals import Refused

log = logging.getLogger(__name__)

#: A whole job, and not a batch of one.
LEASE = dt.timedelta(minutes=2)
#: A job whose worker died so often is over.
MOST_TRIES = 3
#: Waiting or running, of one course.
MOST_OPEN = 10
#: Lines that a report names.
MOST_TOLD = 200


class JobRefused(Refused):
    """A job that is not begun; ``field`` names what is wrong with it."""

    code = "job-refused"

    def __init__(self, message: str, field: str = "") -> None:
        super().__init__(message)
        self.field = field


def make_job(
    *,
    actor: User,
    course: Course,
    kind: Job.Kind,
    text: str,
    is_ndjson: bool = False,
    is_dry_run: bool = False,
    options: Mapping[str, Any],
) -> Job:
    """Take a table in, to be worked through by a worker. Raises JobRefused for NDJSON that cannot be read, and where a
    course has too many jobs open."""
    try:
        table = csv_of_ndjson(text) if is_ndjson else text
    except TableRefused as error:
        raise JobRefused(str(error), "text") from None
    with transaction.atomic():
        Course.objects.select_for_update(no_key=True).get(pk=course.pk)
        if Job.objects.filter(course=course, finished_at=None).count() >= MOST_OPEN:
            raise JobRefused(f"{MOST_OPEN} jobs of this course are not done yet: wait for one of them.")
        job = Job.objects.create(
            course=course, made_by=actor, kind=kind, text=table, is_dry_run=is_dry_run, options=dict(options)
        )
        transaction.on_commit(_send, robust=True)
    return job


def work_on_jobs() -> bool:
    """Do one job that waits, or that a killed worker left; whether there was one. What it refuses is its result, and so
    is a fault of ours, which is logged: no job is tried for ever. A database that is away is nobody's fault: it is
    tried again when the lease has run out."""
    job = _claimed()
    if job is None:
        return False
    try:
        report = _done(job)
    except Refused as refused:
        _finish(job, failure=refused.message)
    except TableRefused as refused:
        _finish(job, failure=str(refused))
    except Http404:
        _finish(job, failure="You may not do this in this course any more. Nothing was done.")
    except OperationalError:
        raise
    except Exception:
        log.exception("Job %s failed.", job.public_id)
        _finish(job, failure="Something went wrong here, and was reported. Nothing was done.")
    else:
        # Not above: what is done by now is not to be told as undone where this cannot be written.
        _finish(job, report=report)
    return True


def _done(job: Job) -> dict[str, Any]:
    """What came of a job, once it is done. Raises Refused, TableRefused and Http404 where nothing was."""
    if job.tries > MOST_TRIES:
        raise JobRefused("It ended a worker each time it was tried. Send it in smaller parts.")
    way, right = _WAYS[Job.Kind(job.kind)]
    # Asked again: whoever began it may have lost the right since.
    enrolment_in(job.made_by, job.course, right)
    return way(job)


def _send() -> None:
    is_sent("exercises.tasks.work_on_jobs", otherwise="The job waits for the sweep")


def _claimed() -> Job | None:
    """The job that has waited longest, held for this worker; None if none waits that nobody holds."""
    waiting = Job.objects.filter(finished_at=None).select_related("course", "made_by")
    free = waiting.filter(is_free()).order_by("pk").values_list("pk", flat=True)
    taken = (take(waiting, pk, lease=LEASE, state=Job.State.RUNNING, tries=F("tries") + 1) for pk in free[:MOST_OPEN])
    return next((job for job in taken if job is not None), None)


def _finish(job: Job, *, report: Mapping[str, Any] | None = None, failure: str = "") -> None:
    # Names and addresses are kept no longer than they are needed.
    state = Job.State.FAILED if failure else Job.State.DONE
    let_go(job, state=state, report=report, failure=failure, finished_at=clock.now(), text="")


def _roster(job: Job) -> dict[str, Any]:
    choices = Choices(drops_missing=bool(job.options.get("drops_missing")), is_whole=bool(job.options.get("is_whole")))
    plan = plan_roster(course=job.course, text=job.text, choices=choices)
    if not job.is_dry_run:
        seal = seal_of(plan, text=job.text, choices=choices)
        plan = import_roster(
            actor=job.made_by, course=job.course, text=job.text, choices=choices, seal=seal,
            typed=job.options.get("drops"),
        )  # fmt: skip
    return _roster_told(plan)


def _roster_told(plan: Plan) -> dict[str, Any]:
    return {
        **{kind: len(plan.of_kind(kind)) for kind in ("added", "changed", "unchanged", "kept")},
        "dropped": [name for _, name in plan.dropped],
        "withheld": plan.withheld,
        "new_groups": list(plan.new_groups),
        "ignored_columns": list(plan.ignored),
        "faults": [{"line": line, "message": words} for line, words in plan.faults[:MOST_TOLD]],
        "moves": [
            {
                "line": move.line, "kind": move.kind, "username": move.shown[0], "email": move.shown[1],
                "is_new_account": move.account is None, "words": move.words,
                "changes": [{"what": what, "before": before, "after": after} for what, before, after in move.changes],
            }
            for move in plan.of_kind("added", "changed")[:MOST_TOLD]
        ],
    }  # fmt: skip


def _grades(job: Job) -> dict[str, Any]:
    sets = sets_of(job.course)
    reason = str(job.options.get("reason", ""))
    found = import_grades(actor=job.made_by, course=job.course, sets=sets, text=job.text)
    if not job.is_dry_run and not found.faults:
        found = import_grades(
            actor=job.made_by, course=job.course, sets=sets, text=job.text, reason=reason, is_preview=False,
            seen=found.digest,
        )  # fmt: skip
    return {
        "changed": found.changed, "lowered": found.lowered, "unchanged": found.unchanged,
        "is_applied": found.is_applied, "ignored_columns": list(found.ignored),
        "faults": [{"line": line, "message": words} for line, words in found.faults[:MOST_TOLD]],
        "moves": [
            {
                "line": one.line, "username": one.enrolment.user.username,
                "problem_set": str(one.problem_set.public_id),
                "before": None if one.before is None else str(one.before), "after": str(one.after),
            }
            for one in found.listed
        ],
    }  # fmt: skip


_WAYS: Mapping[Job.Kind, tuple[Callable[[Job], dict[str, Any]], Right]] = {
    Job.Kind.ROSTER: (_roster, Right.MANAGE),
    Job.Kind.GRADES: (_grades, Right.GRADE),
}
