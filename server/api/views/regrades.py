"""Regrades: made as a dry run, read, applied, undone, called off."""

from collections.abc import Callable
from functools import partial
from typing import ClassVar
from uuid import UUID

from django.http import Http404
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from exercises.actions.regrading.deciding import apply_regrade, drop_regrade, make_regrade, undo_regrade
from exercises.courses.rights import Right
from exercises.models import RegradeEvent
from exercises.queries.regrades import moves_of, regradable, regrades_of, sets_with, versions_for
from server.api import paging
from server.api.addresses import Ref
from server.api.base import View
from server.api.described import LOCATION
from server.api.paging import paged
from server.api.shapes import regrades as shapes
from server.api.telling.regrades import moves_told, regrade_told, regrades_told
from server.api.throttles import KeyThrottle, WorkThrottle

WRITE = "grades.write"


class Regrades(View):
    scopes = {"GET": "grades.read", "POST": WRITE}
    of_course = True
    throttle_classes = (KeyThrottle, WorkThrottle)

    @extend_schema(operation_id="list_regrades", responses={200: paged(shapes.Regrade)}, parameters=paging.PARAMETERS)
    def get(self, request: Request, course_id: Ref) -> Response:
        """The regrades of a course, the latest first."""
        rows = regrades_of(self.course(course_id, Right.GRADE))
        return paging.page(request, rows, regrades_told, order=paging.Order.NEWEST)

    @extend_schema(
        operation_id="make_regrade",
        request=shapes.NewRegrade,
        responses={202: shapes.RegradeWithMoves},
        parameters=[LOCATION],
    )
    def post(self, request: Request, course_id: Ref) -> Response:
        """Begin a regrade with its dry run, which changes nothing. 202: ask at `Location` what it would come to."""
        course = self.course(course_id, Right.GRADE)
        asked = self.read(shapes.NewRegrade)
        slug = asked.pop("problem")
        problem = next((one for one in regradable(course) if one.slug == slug), None)
        if problem is None:
            raise ValidationError({"problem": ["No set of this course has such a problem."]})
        number, wanted = asked.pop("version"), asked.pop("problem_set")
        version = next((one for one in versions_for(course, problem) if one.number == number), None)
        if version is None:
            raise ValidationError({"version": ["This problem has no such version to mark by."]})
        where = next((one for one in sets_with(course, problem) if one.public_id == wanted), None)
        if wanted and where is None:
            raise ValidationError({"problem_set": ["No such set of this course has the problem."]})
        event = make_regrade(
            course=course, actor=self.user, problem=problem, version=version, problem_set=where, **asked
        )
        address = reverse("api:regrade", args=[course.public_id, event.public_id])
        return self.answer(regrade_told(event), status=202, location=address)


class OfRegrade(View):
    """What is about one regrade of a course."""

    of_course = True

    def event(self, course_id: Ref, regrade_id: UUID, right: Right) -> RegradeEvent:
        """A regrade of a course in which the user has that right. Raises Http404."""
        course, found = self.course(course_id, right), self.regrade(regrade_id, right)
        if found.course_id != course.pk:
            raise Http404("This course has no such regrade.")
        return found


class ARegrade(OfRegrade):
    scopes = {"GET": "grades.read"}

    @extend_schema(operation_id="read_regrade", responses={200: shapes.RegradeWithMoves})
    def get(self, request: Request, course_id: Ref, regrade_id: UUID) -> Response:
        """How far a regrade is, and how many it moves."""
        return self.answer(regrade_told(self.event(course_id, regrade_id, Right.GRADE)))


class Moves(OfRegrade):
    scopes = {"GET": "grades.read"}

    @extend_schema(
        operation_id="list_regrade_moves",
        responses={200: paged(shapes.RegradeMove)},
        parameters=[
            *paging.PARAMETERS,
            OpenApiParameter("show", {"type": "string", "enum": shapes.SHOWN_MOVES, "default": "all"}),
        ],
    )
    def get(self, request: Request, course_id: Ref, regrade_id: UUID) -> Response:
        """Whom a regrade moves, from what to what, and why: a row an item of an attempt."""
        event = self.event(course_id, regrade_id, Right.GRADE)
        rows = moves_of(event, self.asked(shapes.AskedMoves)["show"])
        return paging.page(request, rows, partial(moves_told, event))


class Deciding(OfRegrade):
    """One decision about a regrade, which goes on in the background: asked twice, it is made once."""

    scopes = {"POST": WRITE}
    decide: ClassVar[Callable[..., RegradeEvent]]

    def decided(self, course_id: Ref, regrade_id: UUID) -> Response:
        """The regrade after it was decided. Raises RegradeRefused where it cannot be."""
        event = self.event(course_id, regrade_id, Right.MANAGE)
        return self.answer(regrade_told(type(self).decide(event=event, actor=self.user)), status=202)


class Apply(Deciding):
    decide = staticmethod(apply_regrade)

    @extend_schema(operation_id="apply_regrade", request=None, responses={202: shapes.RegradeWithMoves})
    def post(self, request: Request, course_id: Ref, regrade_id: UUID) -> Response:
        """Let the new verdicts count."""
        return self.decided(course_id, regrade_id)


class Undo(Deciding):
    decide = staticmethod(undo_regrade)

    @extend_schema(operation_id="undo_regrade", request=None, responses={202: shapes.RegradeWithMoves})
    def post(self, request: Request, course_id: Ref, regrade_id: UUID) -> Response:
        """Let the verdicts before it count again."""
        return self.decided(course_id, regrade_id)


class Drop(Deciding):
    decide = staticmethod(drop_regrade)

    @extend_schema(operation_id="drop_regrade", request=None, responses={202: shapes.RegradeWithMoves})
    def post(self, request: Request, course_id: Ref, regrade_id: UUID) -> Response:
        """Call a regrade off that was never applied."""
        return self.decided(course_id, regrade_id)
