"""A course with people in every role, and problem sets in it."""

import datetime as dt
from decimal import Decimal
from typing import Any

from exercises.models import Course, Enrolment, Problem, ProblemSet, Role, SetItem, User

#: Every set of the small world is open around this moment, a Monday noon in Berlin, and long past,
#: so that a test which goes by the real clock fails today and not one day.
NOW = dt.datetime(2025, 12, 1, 11, 0, tzinfo=dt.UTC)


def person(course: Course, name: str, role: str = Role.LEARNER, **fields: Any) -> Enrolment:
    """Somebody new in a course."""
    user = User.objects.create_user(name, password=f"{name} is here", email=f"{name}@example.org")
    return Enrolment.objects.create(course=course, user=user, role=role, **fields)


def problem_set(
    course: Course, mode: str, *problems: Problem, weights: tuple[str, ...] = (), **fields: Any
) -> ProblemSet:
    """A published set of these problems, each with its weight, open for a day around ``NOW``."""
    day = dt.timedelta(days=1)
    given = {"title": f"A {mode}", "published_at": NOW - day, "opens_at": NOW - day, "closes_at": NOW + day}
    if mode == ProblemSet.Mode.QUIZ:
        given["credits"] = ["1", "1/2"]
    if mode == ProblemSet.Mode.EXAM:
        given["feedback"] = ProblemSet.Feedback.RELEASED
    made = ProblemSet.objects.create(course=course, mode=mode, **{**given, **fields})
    for place, problem in enumerate(problems):
        weight = Decimal(weights[place]) if weights else Decimal(1)
        SetItem.objects.create(problem_set=made, problem=problem, position=place, weight=weight)
    return made
