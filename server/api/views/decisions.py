"""Decisions about scores: by hand for one learner, and rulings for all; each with a dry run and a way back."""

from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from exercises.access import item_in, override_in, ruling_in
from exercises.actions.grading import (
    Decision,
    Given,
    give_override,
    give_ruling,
    preview_override,
    preview_override_withdrawal,
    preview_ruling,
    preview_ruling_withdrawal,
    withdraw_override,
    withdraw_ruling,
)
from exercises.courses.rights import Right
from exercises.courses.shares import ShareError, read_share
from exercises.models import Ruling
from exercises.queries.decisions import overrides_at, rulings_at
from server.api import paging
from server.api.addresses import Ref
from server.api.paging import paged
from server.api.shapes import grades as shapes
from server.api.telling.grades import override_decided, overrides_told, ruling_decided, rulings_told
from server.api.views.grades import OfGrades


class Overrides(OfGrades):
    scopes = {"GET": "grades.read", "POST": "grades.write"}

    @extend_schema(
        operation_id="list_overrides",
        responses={200: paged(shapes.Override)},
        parameters=[*paging.PARAMETERS, OpenApiParameter("learner", str, description="Only those of this learner.")],
    )
    def get(self, request: Request, set_id: Ref) -> Response:
        """The scores that were set by hand in a set and hold."""
        found = self.problem_set(set_id, Right.READ_WORK)
        return paging.page(request, overrides_at(found, self.asked(shapes.AskedOverrides)["learner"]), overrides_told)

    @extend_schema(
        operation_id="give_override",
        request=shapes.GiveOverride,
        responses={200: shapes.OverrideDecision, 201: shapes.OverrideDecision},
    )
    def post(self, request: Request, set_id: Ref) -> Response:
        """Set a score by hand: of a set, an item, or a step of it. It outranks the grader until it is taken back.
        200 for a dry run, which changes nothing."""
        found = self.problem_set(set_id, Right.GRADE)
        asked = self.read(shapes.GiveOverride)
        item = None if asked["item"] is None else item_in(found, asked["item"])
        try:
            score = read_share(asked["score"])
        except ShareError as error:
            raise ValidationError({"score": [str(error)]}) from error
        given = Given(found, self.learner(found.course, asked["learner"]), score, item, asked["step"])
        if asked["dry_run"]:
            return self.answer(override_decided(None, preview_override(given)))
        made = give_override(actor=self.user, given=given, reason=asked["reason"], seen=asked["seen"])
        return self.answer(override_decided(made), status=201, location=reverse("api:overrides", args=[set_id]))


class WithdrawOverride(OfGrades):
    scopes = {"POST": "grades.write"}

    @extend_schema(operation_id="withdraw_override", request=shapes.Decided, responses={200: shapes.OverrideDecision})
    def post(self, request: Request, set_id: Ref, override_id: int) -> Response:
        """Take back a score that was set by hand: what the grader says counts again."""
        row = override_in(self.problem_set(set_id, Right.GRADE), override_id)
        asked = self.read(shapes.Decided)
        if asked["dry_run"]:
            return self.answer(override_decided(None, preview_override_withdrawal(row)))
        return self.answer(override_decided(withdraw_override(actor=self.user, override=row, reason=asked["reason"])))


class Rulings(OfGrades):
    scopes = {"GET": "grades.read", "POST": "grades.write"}

    @extend_schema(operation_id="list_rulings", responses={200: paged(shapes.Ruling)}, parameters=paging.PARAMETERS)
    def get(self, request: Request, set_id: Ref) -> Response:
        """What was decided for all about the items of a set, also what was taken back; the latest first."""
        rows = rulings_at(self.problem_set(set_id, Right.READ_WORK))
        return paging.page(request, rows, rulings_told, order=paging.Order.NEWEST)

    @extend_schema(
        operation_id="give_ruling",
        request=shapes.GiveRuling,
        responses={200: shapes.RulingDecision, 201: shapes.RulingDecision},
    )
    def post(self, request: Request, set_id: Ref) -> Response:
        """Decide about an item for all: accept an answer or a mistake, discount a step, compensate a variant. 200 for a
        dry run, which changes nothing."""
        found = self.problem_set(set_id, Right.GRADE)
        asked = self.read(shapes.GiveRuling)
        what = {name: asked[name] for name in ("step", "note", "read_as", "digest")}
        decision = Decision(item_in(found, asked["item"]), Ruling.Kind(asked["kind"]), **what)
        if asked["dry_run"]:
            return self.answer(ruling_decided(None, preview_ruling(decision)))
        made = give_ruling(actor=self.user, decision=decision, reason=asked["reason"])
        return self.answer(ruling_decided(made), status=201, location=reverse("api:rulings", args=[set_id]))


class WithdrawRuling(OfGrades):
    scopes = {"POST": "grades.write"}

    @extend_schema(operation_id="withdraw_ruling", request=shapes.Decided, responses={200: shapes.RulingDecision})
    def post(self, request: Request, set_id: Ref, ruling_id: int) -> Response:
        """Take a decision for all back: every score is as if it had never been decided."""
        row = ruling_in(self.problem_set(set_id, Right.GRADE), ruling_id)
        asked = self.read(shapes.Decided)
        if asked["dry_run"]:
            return self.answer(ruling_decided(None, preview_ruling_withdrawal(row)))
        return self.answer(ruling_decided(withdraw_ruling(actor=self.user, ruling=row, reason=asked["reason"])))
