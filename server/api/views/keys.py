"""Keys for programs: got, listed and taken away by programs themselves."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.contrib.auth import authenticate
from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import Throttled
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from exercises import access, actions, queries
from exercises.actions.second_step import check_code
from exercises.courses.rights import Right
from exercises.models import User
from exercises.refusals import TooMuchAtOnce
from exercises.scopes import PRACTICE
from server.api.base import View
from server.api.described import DOCUMENT
from server.api.errors import WrongPassword
from server.api.shapes import keys as shapes
from server.api.throttles import PasswordThrottle


class Tokens(View):
    """Keys for programs."""

    scopes = {"GET": PRACTICE, "POST": None}
    keeps_answers = False

    def get_permissions(self) -> Sequence[Any]:
        return [AllowAny()] if self.request.method == "POST" else super().get_permissions()

    def get_authenticators(self) -> list[Any]:
        is_post = self.request is not None and self.request.method == "POST"
        return [] if is_post else super().get_authenticators()

    def get_throttles(self) -> list[Any]:
        return [PasswordThrottle()] if self.request.method == "POST" else super().get_throttles()

    @extend_schema(
        operation_id="issue_token",
        request=shapes.NewToken,
        responses={201: shapes.IssuedToken, 401: DOCUMENT, 404: DOCUMENT},
        auth=[],
    )
    def post(self, request: Request) -> Response:
        """Get a token for a user name and password. It is shown this once."""
        asked = self.read(shapes.NewToken)
        user = authenticate(username=asked["username"], password=asked["password"])
        if not isinstance(user, User):
            raise WrongPassword
        _check_code(user, asked["otp"])
        course = access.enrolment_with(user, asked["course"], Right.VIEW).course if asked["course"] else None
        token, row = actions.issue_token(
            user=user, label=asked["label"], scopes=asked["scopes"], course=course, days=asked["days"]
        )
        told = {**shapes.Token(row).data, "token": token}
        return self.answer(told, status=201, headers={"Cache-Control": "no-store"})

    @extend_schema(operation_id="list_tokens", responses={200: shapes.Token(many=True)})
    def get(self, request: Request) -> Response:
        """Your tokens that still open, newest first. The tokens themselves are not told again."""
        return Response(shapes.Token(queries.open_tokens(self.user), many=True).data)


def _check_code(user: User, code: str) -> None:
    try:
        check_code(user=user, code=code, field="otp")
    except TooMuchAtOnce as refused:
        raise Throttled(detail=refused.message) from refused


class Token(View):
    scopes = {"DELETE": PRACTICE}

    @extend_schema(operation_id="revoke_token", responses={204: None})
    def delete(self, request: Request, public_id: UUID) -> Response:
        """Make one of your tokens worthless."""
        if not actions.revoke_token(user=self.user, public_id=public_id):
            raise Http404("You have no such token.")
        return Response(status=204)
