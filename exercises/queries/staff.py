"""What those who teach or run the service need to see."""

from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q, QuerySet

from exercises.courses.rights import Right, roles_with
from exercises.limits import MOST_ROWS
from exercises.loading import loaded
from exercises.models import (
    Course,
    FaultReport,
    Grading,
    Problem,
    ProblemVersion,
    SetItem,
    Submission,
    User,
    Variant,
)
from exercises.refusals import ProblemBroken
from grader.errors import AnswerError, ParameterError
from grader.marking import mark
from grader.verdict import Verdict


@dataclass(frozen=True)
class Replayed:
    """One answer marked again by a version and the grader of today; where that cannot be, ``fault`` says why."""

    version: ProblemVersion
    verdict: Verdict | None
    fault: str = ""


def broken_problems(among: Q) -> list[tuple[Problem, str]]:
    """The problems whose file has a fault, or whose stored text can no longer be read, each with why; those ``among``,
    as ``access.problems_whose_faults`` says it. One query."""
    rows = Problem.objects.filter(among, retired=False).select_related("current").order_by("slug")
    return [(row, fault) for row in rows if (fault := row.fault or _fault_of(row))]


def _fault_of(problem: Problem) -> str:
    if problem.current is None:
        return ""
    try:
        loaded(problem.current)
    except ProblemBroken as broken:
        return str(broken.__cause__)
    return ""


def ungradable(*, among: Q | None = None, limit: int = MOST_ROWS) -> list[Submission]:
    """The submissions that were given up, newest first, with the reason in ``failure``: those ``among``, as
    ``access.submissions_read_by`` says it, or all. One query."""
    rows = Submission.objects.filter(state=Submission.State.UNGRADABLE)
    if among is not None:
        rows = rows.filter(among)
    return list(rows.select_related("variant__problem", "variant__version", "author").order_by("-pk")[:limit])


def fault_reports() -> QuerySet[FaultReport]:
    """What learners reported: what is open first, then the newest, to be narrowed and paged. No query."""
    rows = FaultReport.objects.annotate(is_settled=Q(settled_at__isnull=False))
    return rows.select_related("variant__problem", "version", "learner").order_by("is_settled", "-pk")


def all_reports() -> QuerySet[FaultReport]:
    """The same for other systems, with all that is told there, in no order. No query."""
    rows = FaultReport.objects.select_related("variant__problem", "version", "learner", "submission")
    return rows.order_by()


def own_reports(learner: User, variant: Variant) -> list[FaultReport]:
    """What a learner reported about a variant, the latest first, with the replies. One query."""
    return list(FaultReport.objects.filter(learner=learner, variant=variant).order_by("-pk")[:MOST_ROWS])


def counts_now(report: FaultReport) -> Grading | None:
    """The verdict on the reported answer that counts now; None without one. One query."""
    if report.submission_id is None:
        return None
    return Grading.objects.select_related("version").filter(submission=report.submission_id).last()


def replayed(submission: Submission, variant: Variant, version: ProblemVersion) -> Replayed:
    """Mark an answer again by a version, with the grader of today. Keeps nothing. No query."""
    try:
        problem = loaded(version)
    except ProblemBroken:
        return Replayed(version, None, "This version can no longer be read.")
    try:
        verdict = mark(
            problem, variant.parameters, submission.answers, locale=submission.locale, only=submission.checked
        )
    except ParameterError:
        return Replayed(version, None, "What was drawn does not fit this version.")
    except AnswerError:
        return Replayed(version, None, "The answer is to steps that this version does not ask.")
    return Replayed(version, verdict)


def courses_with(problem: Problem, teacher: User) -> list[Course]:
    """The courses in which somebody grades and that have a problem in a set, the newest first. One query."""
    used = SetItem.objects.filter(problem_set__course=OuterRef("pk"), problem=problem)
    graded = Course.objects.filter(
        enrolments__user=teacher, enrolments__dropped_at=None, enrolments__role__in=roles_with(Right.GRADE)
    )
    return list(graded.filter(Exists(used)).order_by("-pk"))
