"""Attempts and what was sent in them, as lists for other systems: of a set, of a course, of one attempt."""

import uuid

from django.db.models import Prefetch, QuerySet

from exercises.models import Attempt, Course, Grading, ProblemSet, Submission, User

_GRADINGS = Prefetch(
    "gradings", queryset=Grading.objects.select_related("version", "event").order_by("pk"), to_attr="judgements"
)


def attempts_at(problem_set: ProblemSet, learner: User | None = None) -> QuerySet[Attempt]:
    """The attempts at a set, or those of one learner, previews aside; with their learners. No query."""
    rows = Attempt.objects.filter(problem_set=problem_set, is_preview=False).select_related("learner", "problem_set")
    return rows if learner is None else rows.filter(learner=learner)


def submissions_in(course: Course) -> QuerySet[Submission]:
    """What was sent in the attempts of a course, previews aside, each with its judgements, the last of which counts;
    to be narrowed and paged. Two queries for a slice of it."""
    rows = Submission.objects.filter(
        variant__attempt_item__attempt__problem_set__course=course, variant__attempt_item__attempt__is_preview=False
    )
    place = "variant__attempt_item__attempt__problem_set"
    return rows.select_related(place, "variant__problem", "author", "entered_by").prefetch_related(_GRADINGS)


def submission_in(course: Course, public_id: uuid.UUID) -> Submission | None:
    """One of these, with the version that its variant was drawn from; None if there is none. Two queries."""
    return submissions_in(course).select_related("variant__version").filter(public_id=public_id).first()


def narrowed(
    rows: QuerySet[Submission],
    *,
    problem_set: uuid.UUID | None = None,
    learner: str = "",
    problem: str = "",
    state: str = "",
) -> QuerySet[Submission]:
    """Those of one set, one learner by user name, one problem by slug, or in one state. No query."""
    said = {
        "variant__attempt_item__attempt__problem_set__public_id": problem_set,
        "author__username": learner,
        "variant__problem__slug": problem,
        "state": state,
    }
    return rows.filter(**{name: value for name, value in said.items() if value})
