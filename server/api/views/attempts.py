"""Attempts: begun, read and handed in by who sits a set, and read by who teaches; receipts."""

from functools import partial
from uuid import UUID

from django.http import Http404
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from exercises import access
from exercises.actions.sitting.begin import begin_or_go_on
from exercises.actions.sitting.hand_in import hand_in
from exercises.actions.sitting.receipt import plain_code, verify_receipt
from exercises.actions.sitting.standing import standing_of
from exercises.courses.rights import Right
from exercises.models import Attempt
from exercises.queries.attempt import asks_for_another
from exercises.queries.attempts import attempts_at
from exercises.scopes import PRACTICE
from server.api import paging
from server.api.addresses import Ref
from server.api.base import View
from server.api.described import DOCUMENT, LOCATION
from server.api.errors import NumberWanted
from server.api.paging import paged
from server.api.shapes import attempts as shapes
from server.api.telling.attempts import attempt_told, attempts_told, receipt_told
from server.api.throttles import KeyThrottle, WorkThrottle

READ = "attempts.read"


class OfAttempts(View):
    """What is about attempts: one's own takes the scope of practice, those of others that of reading them."""

    of_course = True
    throttle_classes = (KeyThrottle, WorkThrottle)

    def seen_attempt(self, attempt_id: UUID) -> tuple[Attempt, bool]:
        """An attempt, and whether it is somebody else's whose work the user may read. Raises Http404."""
        try:
            found = self.own_attempt(attempt_id)
        except Http404:
            return self.work(attempt_id, Right.READ_WORK), True
        self.require_scope(PRACTICE)
        return found, False

    def work(self, attempt_id: UUID, right: Right) -> Attempt:
        """Somebody's attempt that counts, where the user has that right. Raises Http404."""
        found = self.attempt(attempt_id, right)
        if found.is_preview:
            raise Http404("There is nothing of that id.")
        self.require_scope(READ if right == Right.READ_WORK else "grades.write")
        return found

    def told(self, attempt: Attempt, *, is_staff: bool = False, status: int = 200) -> Response:
        """An attempt as it is now, with its address."""
        standing = standing_of(attempt)
        location = reverse("api:attempt", args=[attempt.public_id]) if status == 201 else None
        body = attempt_told(attempt, standing, tells=is_staff or standing.tells)
        return self.answer(body, status=status, location=location)


class Attempts(OfAttempts):
    scopes = {"GET": None, "POST": PRACTICE}

    @extend_schema(
        operation_id="list_attempts", responses={200: paged(shapes.Attempt)}, parameters=paging.PARAMETERS_SINCE
    )
    def get(self, request: Request, set_id: Ref) -> Response:
        """The attempts at a set. With `practice` your own; if you may read work there, with `attempts.read`, all."""
        found, enrolment = self.set_and_enrolment(set_id, Right.VIEW)
        is_staff = access.has_right(enrolment, Right.READ_WORK)
        self.require_scope(READ if is_staff else PRACTICE)
        rows = attempts_at(found, None if is_staff else self.user)
        if is_staff:
            return paging.page(request, rows, partial(attempts_told, tells=True), order=paging.Order.TOUCHED)
        return paging.page(request, rows, self._own, order=paging.Order.TOUCHED)

    @extend_schema(
        operation_id="begin_attempt",
        request=shapes.BeginAttempt,
        responses={200: shapes.AttemptWithPlaces, 201: shapes.AttemptWithPlaces, 409: DOCUMENT},
        parameters=[LOCATION],
    )
    def post(self, request: Request, set_id: Ref) -> Response:
        """Begin to sit a set, or go on: 201 with a new attempt, 200 with the one that is going on or was the last.

        However often it is sent, one is drawn. 409 before the set opens and after it is closed.
        """
        asked = self.read(shapes.BeginAttempt)
        is_preview = asked["is_preview"]
        found = self.problem_set(set_id, Right.READ_WORK if is_preview else Right.SIT)
        number = 0 if is_preview else asks_for_another(found, self.user)
        if number and asked["number"] != number:
            raise NumberWanted(number)
        begun, is_new = begin_or_go_on(learner=self.user, problem_set=found, is_preview=is_preview)
        return self.told(self.own_attempt(begun.public_id), status=201 if is_new else 200)

    def _own(self, rows: list[Attempt]) -> list[dict[str, object]]:
        """One's own, each with its score once its rules tell it. Two queries for each: there are as many as sittings
        of one set by one person."""
        return [attempts_told([row], tells=standing_of(row).tells)[0] for row in rows]


class AnAttempt(OfAttempts):
    scopes = {"GET": None}

    @extend_schema(operation_id="read_attempt", responses={200: shapes.AttemptWithPlaces})
    def get(self, request: Request, attempt_id: UUID) -> Response:
        """An attempt with its items. Your own with `practice`, without results until the set tells them; those of
        others, if you may read their work, with `attempts.read`."""
        found, is_staff = self.seen_attempt(attempt_id)
        return self.told(found, is_staff=is_staff)


class HandIn(OfAttempts):
    scopes = {"POST": PRACTICE}

    @extend_schema(
        operation_id="hand_in_attempt", request=shapes.HandIn, responses={200: shapes.Receipt, 409: DOCUMENT}
    )
    def post(self, request: Request, attempt_id: UUID) -> Response:
        """Hand your attempt in, with what was saved last. Sent again, it gives the same receipt."""
        found = self.own_attempt(attempt_id)
        asked = self.read(shapes.HandIn)
        return self.answer(receipt_told(hand_in(attempt=found, **asked)))


class Receipt(OfAttempts):
    scopes = {"GET": None}

    @extend_schema(operation_id="read_receipt", responses={200: shapes.VerifiedReceipt})
    def get(self, request: Request, attempt_id: UUID) -> Response:
        """The receipt of an attempt that is handed in, and whether what is stored is what was handed in."""
        found, _ = self.seen_attempt(attempt_id)
        if found.handed_in_at is None:
            raise Http404("This attempt is not handed in, so there is no receipt yet.")
        return self.answer(receipt_told(found, is_genuine=verify_receipt(attempt=found).is_genuine))


class VerifyReceipt(OfAttempts):
    scopes = {"GET": READ}

    @extend_schema(operation_id="verify_receipt", responses={200: shapes.VerifiedReceipt})
    def get(self, request: Request, code: str) -> Response:
        """Whether a receipt that somebody shows is genuine, by its code; for who may read their work."""
        if not code.isprintable():
            raise Http404("There is no such receipt.")
        found = access.attempt_by_receipt(self.user, plain_code(code[:60]), Right.READ_WORK)
        self.hold(found.problem_set.course_id)
        return self.answer(receipt_told(found, is_genuine=verify_receipt(attempt=found).is_genuine))
