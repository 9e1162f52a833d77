"""Grades of a course and of a set, and what counts as the time of an attempt, and how many there may be."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from exercises import access
from exercises.actions.grading import count_attempt_as, grant_attempt, preview_count_as
from exercises.course_rules import rules_of
from exercises.courses.rights import Right, may
from exercises.models import Course, Enrolment, ProblemSet
from exercises.queries.grade_roster import Wanted, learners_of
from exercises.queries.gradebook import sets_of
from exercises.queries.grades_touched import with_graded_at
from exercises.queries.set_items import items_with_columns
from server.api import paging
from server.api.addresses import Ref
from server.api.base import View
from server.api.paging import paged
from server.api.shapes import grades as shapes
from server.api.telling.grades import count_as_decided, course_grades_told, set_grades_told
from server.api.throttles import KeyThrottle, WorkThrottle
from server.api.views.attempts import OfAttempts

ASKED = [
    *paging.PARAMETERS_SINCE,
    OpenApiParameter("group", int, description="Only the members of this group."),
    OpenApiParameter("dropped", bool, description="Also those who left."),
]


class OfGrades(View):
    """What is about the grades of learners."""

    of_course = True
    throttle_classes = (KeyThrottle, WorkThrottle)

    def learners(self, course: Course) -> QuerySet[Enrolment]:
        """Those that the query asks for."""
        asked = self.asked(shapes.AskedGrades)
        return learners_of(course, Wanted(group=asked["group"], with_dropped=asked["dropped"]))

    def grades(self, sets: Sequence[ProblemSet], course: Course, tell: Callable[[list[Enrolment]], Any]) -> Response:
        """A page of learners with their grades in these sets: those whose grades were touched since then, as they were
        touched, or all of them in their order."""
        rows = with_graded_at(self.learners(course), sets)
        is_since = "updated_since" in self.request.query_params
        order = paging.Order.TOUCHED if is_since else paging.Order.OLDEST
        return paging.page(self.request, rows, tell, order=order, touched="graded_at")

    def learner(self, course: Course, name: str) -> Enrolment:
        """Somebody who learns in a course, by user name. Raises Http404."""
        found = access.member_named(course, name)
        if not may(found.role, Right.SIT):
            raise Http404("There is no such learner.")
        return found


class CourseGrades(OfGrades):
    scopes = {"GET": "grades.read"}

    @extend_schema(operation_id="list_course_grades", responses={200: paged(shapes.LearnerGrades)}, parameters=ASKED)
    def get(self, request: Request, course_id: Ref) -> Response:
        """The grade book of a course: a row a learner, with a grade for each published set. With `updated_since` only
        those whose grades were touched since, in that order; a row that is `waiting` is to be asked for again."""
        course = self.course(course_id, Right.READ_WORK)
        sets = sets_of(course)
        return self.grades(sets, course, partial(course_grades_told, sets))


class SetGrades(OfGrades):
    scopes = {"GET": "grades.read"}

    @extend_schema(operation_id="list_set_grades", responses={200: paged(shapes.LearnerSetGrades)}, parameters=ASKED)
    def get(self, request: Request, set_id: Ref) -> Response:
        """The grade book of a set: a row a learner, with a grade for each item that was put to them. `updated_since` as
        for a course."""
        found = self.problem_set(set_id, Right.READ_WORK)
        return self.grades([found], found.course, partial(set_grades_told, found, items_with_columns(found)))


class CountAs(OfAttempts):
    scopes = {"POST": "grades.write"}

    @extend_schema(operation_id="count_attempt_as", request=shapes.CountAs, responses={200: shapes.CountAsDecision})
    def post(self, request: Request, attempt_id: UUID) -> Response:
        """Let an attempt count as handed in at another moment: late days and score follow, the real time stays."""
        found = self.work(attempt_id, Right.GRADE)
        asked = self.read(shapes.CountAs)
        if asked["dry_run"]:
            return self.answer(count_as_decided(found, preview_count_as(found, asked["at"])))
        count_attempt_as(actor=self.user, attempt=found, at=asked["at"], reason=asked["reason"])
        return self.answer(count_as_decided(self.attempt(attempt_id, Right.GRADE)))


class GrantAttempts(OfGrades):
    scopes = {"POST": "grades.write"}

    @extend_schema(operation_id="grant_attempts", request=shapes.GrantAttempts, responses={200: shapes.GrantedAttempts})
    def post(self, request: Request, set_id: Ref) -> Response:
        """Let a learner sit a set more often than everybody; the best attempt counts. None is ever taken away."""
        found = self.problem_set(set_id, Right.GRADE)
        asked = self.read(shapes.GrantAttempts)
        whose = self.learner(found.course, asked["learner"])
        before = rules_of(found, whose).attempts
        if asked["dry_run"]:
            after = max(before, 1 + asked["granted"])
        else:
            grant_attempt(
                actor=self.user, problem_set=found, enrolment=whose, granted=asked["granted"], reason=asked["reason"]
            )
            after = rules_of(found, whose).attempts
        told = {"learner": whose.user.get_username(), "attempts_before": before, "attempts": after}
        return self.answer(shapes.GrantedAttempts(told).data)
