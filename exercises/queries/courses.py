"""The courses that somebody is in, with what is due there soon."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field

from django.db.models import Count, F, Q, QuerySet

from exercises import clock
from exercises.course_rules import rules_of_pairs
from exercises.courses.rights import Right, may, roles_with
from exercises.courses.rules import Phase, Rules, phase
from exercises.courses.wording import moment_in_words
from exercises.models import Attempt, Course, Enrolment, ProblemSet, User

#: Courses that one person is shown, and sets of all of them together that are looked at.
MOST_COURSES = 100
MOST_SETS = 500
#: Sets that are named for one course, and how far ahead.
MOST_DUE = 5
AHEAD = dt.timedelta(days=14)


@dataclass(frozen=True)
class DueSet:
    """A set that somebody has to do soon. ``until`` is when it is due for them, else when it closes."""

    problem_set: ProblemSet
    phase: Phase
    until: dt.datetime | None
    is_begun: bool
    words: str


@dataclass(frozen=True)
class CourseRow:
    """A course that somebody is in. ``learners`` counts those who are there, for whoever may see how the class does."""

    enrolment: Enrolment
    learners: int | None
    due: list[DueSet] = field(default_factory=list)

    @property
    def course(self) -> Course:
        """The course."""
        return self.enrolment.course


def courses_of(user: User, *, only: int | None = None) -> QuerySet[Course]:
    """The courses that somebody is in, or the one of that primary key if they are in it. No query yet."""
    rows = Course.objects.filter(enrolments__user=user, enrolments__dropped_at=None).annotate(
        role=F("enrolments__role")
    )
    return rows if only is None else rows.filter(pk=only)


def my_courses(user: User) -> list[CourseRow]:
    """The courses that somebody is in, the latest first and those that are put away at the end, each with the sets that
    are due for them within two weeks. At most six queries, however many courses there are."""
    here = Q(course__enrolments__dropped_at=None, course__enrolments__role__in=roles_with(Right.SIT))
    enrolments = list(
        Enrolment.objects.filter(user=user, dropped_at=None)
        .select_related("course")
        .annotate(learners=Count("course__enrolments", filter=here))
        .order_by("-course_id")[:MOST_COURSES]
    )
    learnt = {row.course_id for row in enrolments if may(row.role, Right.SIT) and row.course.archived_at is None}
    due = _due(user, {row.course_id: row.course for row in enrolments if row.course_id in learnt})
    rows = [
        CourseRow(row, row.learners if may(row.role, Right.STATISTICS) else None, due.get(row.course_id, []))
        for row in enrolments
    ]
    return sorted(rows, key=lambda row: row.course.archived_at is not None)


def _due(user: User, courses: dict[int, Course]) -> dict[int, list[DueSet]]:
    if not courses:
        return {}
    open_to = Q(groups=None) | Q(groups__members__user=user)
    rows = ProblemSet.objects.filter(open_to, course__in=courses, retired=False, published_at__isnull=False)
    sets = list(rows.distinct().order_by("-pk")[:MOST_SETS])
    for one in sets:
        one.course = courses[one.course_id]
    rules = rules_of_pairs((one, user.pk) for one in sets)
    begun, done = _attempts(user, sets)
    now, found = clock.now(), dict[int, list[DueSet]]()
    for one in sets:
        due = _due_set(one, rules[one.pk, user.pk], now=now, is_begun=one.pk in begun)
        if due is not None and (one.pk not in done or one.pk in begun):
            found.setdefault(one.course_id, []).append(due)
    for course, dues in found.items():
        found[course] = sorted(dues, key=lambda due: (due.until or now + AHEAD, due.problem_set.pk))[:MOST_DUE]
    return found


def _attempts(user: User, sets: Sequence[ProblemSet]) -> tuple[set[int], set[int]]:
    """The sets of which an attempt is going on, and those of which one was handed in. One query."""
    rows = Attempt.objects.filter(learner=user, problem_set__in=[one.pk for one in sets], is_preview=False)
    begun, done = set[int](), set[int]()
    for problem_set, handed_in_at in rows.order_by().values_list("problem_set_id", "handed_in_at"):
        (begun if handed_in_at is None else done).add(problem_set)
    return begun, done


def _due_set(problem_set: ProblemSet, rules: Rules, *, now: dt.datetime, is_begun: bool) -> DueSet | None:
    """The set as it is due, None if it is not within two weeks."""
    stands = phase(rules, now)
    if stands == "closed" or (stands == "not-yet" and (rules.opens_at is None or rules.opens_at > now + AHEAD)):
        return None
    if stands == "not-yet" and rules.opens_at is not None:
        return DueSet(
            problem_set, stands, rules.opens_at, False, f"opens {moment_in_words(rules.opens_at, rules.time_zone)}"
        )
    until = rules.closes_at if stands == "late" else rules.due_at or rules.closes_at
    if until is None or until > now + AHEAD:
        # Practice that is always open is due to nobody.
        return None
    word = "closes" if stands == "late" or rules.due_at is None else "due"
    return DueSet(problem_set, stands, until, is_begun, f"{word} {moment_in_words(until, rules.time_zone)}")
