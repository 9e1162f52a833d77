"""Finding what belongs to a course: for its members only, and each by what their role there may do."""

from collections.abc import Iterable, Sequence
from typing import Any, cast

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import Http404

from exercises.access.found import Id, as_uuid, first_or_404
from exercises.courses.rights import Right, may, roles_with
from exercises.models import (
    Attempt,
    AttemptItem,
    Course,
    Enrolment,
    FaultReport,
    PaperCopy,
    PaperRun,
    ProblemSet,
    RegradeEvent,
    User,
)


def enrolment_with(user: User, course_id: Id, right: Right) -> Enrolment:
    """The user's own enrolment, with its course, where it includes a right; else Http404. One query."""
    return first_or_404(_own(user, right).select_related("course", "user").filter(course__public_id=as_uuid(course_id)))


def enrolment_in(user: User, course: Course, right: Right) -> Enrolment:
    """The same for a course that was found already. One query."""
    return first_or_404(_own(user, right).select_related("course", "user").filter(course=course))


def require_still(user: User, rights: Iterable[Sequence[Any]]) -> None:
    """Http404 unless somebody has these rights, each with the primary key of its course, as they had when they were
    written down. One query each."""
    for course, right in rights:
        if right not in list(Right) or not _own(user, Right(right)).filter(course=course).exists():
            raise Http404("There is nothing of that id.")


def member_of(course: Course, enrolment_pk: int) -> Enrolment:
    """Somebody in a course whose roster the caller may read, also one who left. One query."""
    return first_or_404(Enrolment.objects.select_related("course", "user").filter(course=course, pk=enrolment_pk))


def member_named(course: Course, username: str) -> Enrolment:
    """Somebody in a course whose roster the caller may read, by user name, also one who left. One query."""
    return first_or_404(
        Enrolment.objects.select_related("course", "user").filter(course=course, user__username=username)
    )


def member_numbered(course: Course, number: str) -> Enrolment:
    """The same by the number that the institution knows them by, where one alone has it. One query."""
    rows = Enrolment.objects.select_related("course", "user").filter(course=course, external_id=number)
    found = list(rows[:2]) if number else []
    if len(found) != 1:
        raise Http404("There is nobody of that number, or more than one.")
    return found[0]


def problem_set_with(user: User, set_id: Id, right: Right) -> ProblemSet:
    """A problem set, with its course, in which the user has a right. One query.

    To sit it, or to see it as a learner does, it must be published, and for a group of theirs if it is for groups.
    """
    return first_or_404(_sets(user, right).select_related("course").filter(public_id=as_uuid(set_id)).distinct())


def set_and_enrolment_with(user: User, set_id: Id, right: Right) -> tuple[ProblemSet, Enrolment]:
    """The same set together with the user's enrolment in its course, which says what else they may do there. The two
    share one row of the course. Two queries."""
    problem_set = problem_set_with(user, set_id, right)
    enrolment = enrolment_in(user, problem_set.course, right)
    enrolment.course = problem_set.course
    return problem_set, enrolment


def attempt_of(learner: User, attempt_id: Id) -> Attempt:
    """One's own attempt, with set and course, whatever became of the set; to look at also for whoever left the course.
    One query."""
    own = Attempt.objects.select_related("problem_set__course", "learner").annotate(has_left=has_left())
    return first_or_404(own.filter(learner=learner, public_id=as_uuid(attempt_id)))


def attempt_item_of(learner: User, attempt_id: Id, position: int) -> AttemptItem:
    """One place of one's own attempt, with everything that marking it takes. One query."""
    rows = AttemptItem.objects.select_related("attempt__problem_set__course", "attempt__learner", "item", "version")
    rows = rows.filter(attempt__learner=learner, attempt__public_id=as_uuid(attempt_id), position=position)
    found: Any = first_or_404(rows.annotate(has_left=has_left("attempt__")))
    found.attempt.has_left = found.has_left
    return cast("AttemptItem", found)


def attempt_item_in(attempt: Attempt, position: int) -> AttemptItem:
    """One place of an attempt that was found already. One query."""
    found: AttemptItem = first_or_404(attempt.items.filter(position=position))
    found.attempt = attempt
    return found


def has_left(path: str = "") -> Exists:
    """Whether the learner of an attempt, at ``path`` from a row, was taken out of its course. No query."""
    gone = Enrolment.objects.filter(dropped_at__isnull=False, user=OuterRef(f"{path}learner"))
    return Exists(gone.filter(course=OuterRef(f"{path}problem_set__course")))


def attempt_with(user: User, attempt_id: Id, right: Right) -> Attempt:
    """An attempt of somebody in a course in which the user has a right. One query."""
    rows = Attempt.objects.select_related("problem_set__course", "learner").filter(public_id=as_uuid(attempt_id))
    return first_or_404(rows.filter(problem_set__course__in=_courses(user, right)))


def attempt_by_receipt(user: User, code: str, right: Right) -> Attempt:
    """The attempt of that receipt, in a course in which the user has a right. One query."""
    rows = Attempt.objects.select_related("problem_set__course", "learner").filter(handed_in_at__isnull=False)
    return first_or_404(rows.filter(problem_set__course__in=_courses(user, right), receipt=code).exclude(receipt=""))


def reads_work(user: User) -> User:
    """The user, if they may read learners' work in any course; else Http404. One query."""
    if not _own(user, Right.READ_WORK).exists():
        raise Http404("There is no such page.")
    return user


def regrade_with(user: User, event_id: Id, right: Right) -> RegradeEvent:
    """A regrade in a course in which the user has a right. One query."""
    rows = RegradeEvent.objects.select_related("course", "problem_set", "problem", "version")
    return first_or_404(rows.filter(course__in=_courses(user, right), public_id=as_uuid(event_id)))


def paper_run_with(user: User, run_id: Id, right: Right) -> PaperRun:
    """Printed copies of a set in whose course the user has a right. One query."""
    rows = PaperRun.objects.select_related("problem_set__course")
    return first_or_404(rows.filter(problem_set__course__in=_courses(user, right), public_id=as_uuid(run_id)))


def paper_copy_with(user: User, code: str, right: Right) -> PaperCopy:
    """The printed copy of that code, in a course in which the user has a right. One query."""
    rows = PaperCopy.objects.select_related("run__problem_set__course", "attempt__learner")
    return first_or_404(rows.filter(run__problem_set__course__in=_courses(user, right), code=code))


def fault_report_with(user: User, pk: int) -> FaultReport:
    """A learner's report, for whoever may read that learner's work, and for those who run the service. One query."""
    rows = FaultReport.objects.select_related(
        "learner", "variant__problem", "variant__version", "version", "submission", "grading"
    )
    if not user.is_staff:
        rows = rows.filter(work_read_by(user, "learner", "variant__attempt_item"))
    return first_or_404(rows.filter(pk=pk))


def reports_for(user: User, rows: QuerySet[FaultReport]) -> QuerySet[FaultReport]:
    """Those of the reports that the user may read. One query by itself, none for those who run the service."""
    if user.is_staff:
        return rows
    # Read once: as a query within the query it is run again for every report.
    courses = list(_courses(user, Right.READ_WORK).values_list("course", flat=True))
    known = Enrolment.objects.filter(course__in=courses).values("user")
    return rows.filter(_work_in(courses, "learner", "variant__attempt_item"), learner__in=known)


def work_read_by(reader: User, learner: str, place: str) -> Q:
    """Which rows of learners' work a user may read as somebody who teaches. No query.

    ``learner`` and ``place`` are the paths from a row to whose it is and to its place in an attempt. Work of an attempt
    belongs to the course of its set, and is read there alone. Free practice belongs to no course: it is read in every
    course where its learner is, from the moment they came in.
    """
    return _work_in(_courses(reader, Right.READ_WORK), learner, place)


def _work_in(courses: Any, learner: str, place: str) -> Q:
    """The same for courses, as their keys or as a query for them."""
    since = Enrolment.objects.filter(
        course__in=courses, dropped_at=None, role__in=roles_with(Right.SIT), user=OuterRef(learner),
        created_at__lte=OuterRef("created_at"),
    )  # fmt: skip
    of_attempt = Q(**{f"{place}__attempt__problem_set__course__in": courses})
    return of_attempt | Q(Exists(since), **{f"{place}__isnull": True})


def has_right(enrolment: Enrolment, right: Right) -> bool:
    """Whether somebody in a course may do something there."""
    return enrolment.dropped_at is None and may(enrolment.role, right)


def require_right(enrolment: Enrolment, right: Right) -> None:
    """Http404 unless somebody in a course may do something there: for what a page does beyond being read. No query."""
    if not has_right(enrolment, right):
        raise Http404("There is no such page.")


def _own(user: User, right: Right) -> QuerySet[Enrolment]:
    return Enrolment.objects.filter(user=user, dropped_at=None, role__in=roles_with(right))


def _courses(user: User, right: Right) -> QuerySet[Any]:
    return _own(user, right).values("course")


def _sets(user: User, right: Right) -> QuerySet[ProblemSet]:
    rows = ProblemSet.objects.filter(retired=False, course__in=_courses(user, right))
    if right not in (Right.VIEW, Right.SIT):
        return rows
    open_to = Q(groups=None) | Q(groups__members__in=_own(user, right))
    staff = Q(course__in=_courses(user, Right.READ_WORK))
    return rows.filter(staff | (Q(published_at__isnull=False) & open_to))
