"""What those who teach or run the service need to see."""

from exercises.limits import MOST_ROWS
from exercises.loading import loaded
from exercises.models import FaultReport, Problem, Submission
from exercises.refusals import ProblemBroken


def broken_problems() -> list[tuple[Problem, str]]:
    """The problems whose file has a fault, or whose stored text can no longer be read, each with why. One query."""
    rows = Problem.objects.filter(retired=False).select_related("current").order_by("slug")
    return [(row, fault) for row in rows if (fault := row.fault or _fault_of(row))]


def _fault_of(problem: Problem) -> str:
    if problem.current is None:
        return ""
    try:
        loaded(problem.current)
    except ProblemBroken as broken:
        return str(broken.__cause__)
    return ""


def ungradable(*, limit: int = MOST_ROWS) -> list[Submission]:
    """The submissions that were given up, newest first, with the reason in ``failure``. One query."""
    rows = Submission.objects.filter(state=Submission.State.UNGRADABLE)
    return list(rows.select_related("variant__problem", "variant__version", "author").order_by("-pk")[:limit])


def fault_reports(*, limit: int = MOST_ROWS) -> list[FaultReport]:
    """What learners reported, newest first, with all they saw. One query."""
    rows = FaultReport.objects.select_related("variant__problem", "version", "submission", "grading", "learner")
    return list(rows.order_by("-pk")[:limit])
