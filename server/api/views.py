"""The REST door: each view finds its object, calls one action or query, and answers."""

import re
from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

from django.contrib.auth import authenticate
from django.http import Http404
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.views import APIView

from exercises import access, actions, queries
from exercises.models import Submission, User
from server.api import shapes
from server.api.errors import WrongPassword, told
from server.api.telling import past_told, sent_told, skills_told, submission_told, variant_told
from server.api.throttles import PasswordThrottle, WorkThrottle

DOCUMENT = OpenApiResponse(shapes.ProblemDocument, description="Told as a problem document.")
ERRORS = {401: DOCUMENT, 404: DOCUMENT}
LOCATION = OpenApiParameter(
    "Location", OpenApiTypes.URI, OpenApiParameter.HEADER, response=[200, 201, 202], description="Where it is found."
)


class View(APIView):
    """The user is one of ours: `rest_framework` only knows that there may be none."""

    request: Request

    def get_exception_handler(self) -> Callable[[Exception, dict[str, Any]], Response | None]:
        return told

    @property
    def user(self) -> User:
        """Who is asking."""
        return self.request.user  # type: ignore[return-value]  # authenticated by the default permission


class Tokens(View):
    """Keys for programs."""

    def get_permissions(self) -> Sequence[Any]:
        return [AllowAny()] if self.request.method == "POST" else super().get_permissions()

    def get_authenticators(self) -> list[Any]:
        is_post = self.request is not None and self.request.method == "POST"
        return [] if is_post else super().get_authenticators()

    def get_throttles(self) -> list[Any]:
        return [PasswordThrottle()] if self.request.method == "POST" else []

    @extend_schema(
        operation_id="issue_token",
        request=shapes.NewToken,
        responses={201: shapes.IssuedToken, 400: DOCUMENT, 401: DOCUMENT, 429: DOCUMENT, 503: DOCUMENT},
        auth=[],
    )
    def post(self, request: Request) -> Response:
        """Get a token for a user name and password. It is shown this once, and holds for 90 days."""
        asked = _read(shapes.NewToken, request)
        user = authenticate(username=asked["username"], password=asked["password"])
        if not isinstance(user, User):
            raise WrongPassword
        token, row = actions.issue_token(user=user, label=asked["label"])
        told = {**shapes.Token(row).data, "token": token}
        return Response(told, status=201, headers={"Cache-Control": "no-store"})

    @extend_schema(operation_id="list_tokens", responses={200: shapes.Token(many=True), 401: DOCUMENT})
    def get(self, request: Request) -> Response:
        """Your tokens that still open, newest first. The tokens themselves are not told again."""
        return Response(shapes.Token(queries.open_tokens(self.user), many=True).data)


class Token(View):
    @extend_schema(operation_id="revoke_token", responses={204: None, **ERRORS})
    def delete(self, request: Request, public_id: UUID) -> Response:
        """Make one of your tokens worthless."""
        if not actions.revoke_token(user=self.user, public_id=public_id):
            raise Http404("You have no such token.")
        return Response(status=204)


class Problems(View):
    @extend_schema(operation_id="list_problems", responses={200: shapes.Problems, 401: DOCUMENT})
    def get(self, request: Request) -> Response:
        """All problems in the order of the skill map, and how far you are with each."""
        return Response(shapes.Problems({"results": queries.problem_list(self.user)}).data)


class Variants(View):
    throttle_classes = (WorkThrottle,)

    @extend_schema(
        operation_id="draw_variant",
        request=shapes.Draw,
        responses={200: shapes.Variant, 201: shapes.Variant, 400: DOCUMENT, **ERRORS, 429: DOCUMENT, 503: DOCUMENT},
        parameters=[LOCATION],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Draw a variant: 201, or 200 with one that you drew before and have not begun."""
        wanted = _read(shapes.Draw, request)
        after = access.variant_for(self.user, wanted["after"]) if wanted["after"] else None
        variant, is_new = actions.draw_or_find(
            learner=self.user,
            slug=slug,
            after=after,
            way=actions.Way.RECOMMENDED if wanted["skill"] else actions.Way.PRACTICE,
            skill=wanted["skill"],
        )
        headers = {"Location": reverse("api:variant", args=[variant.public_id])}
        return Response(variant_told(variant), status=201 if is_new else 200, headers=headers)


class Variant(View):
    @extend_schema(operation_id="read_variant", responses={200: shapes.Variant, **ERRORS, 503: DOCUMENT})
    def get(self, request: Request, public_id: UUID) -> Response:
        """A variant: statement, what is asked, and how its steps stand."""
        return Response(variant_told(access.readable_variant(self.user, public_id)))


class Whole(View):
    throttle_classes = (WorkThrottle,)

    @extend_schema(
        operation_id="ask_whole_variant",
        request=None,
        responses={200: shapes.Variant, **ERRORS, 429: DOCUMENT, 503: DOCUMENT},
    )
    def post(self, request: Request, public_id: UUID) -> Response:
        """Ask every step of your own variant, also those it left out. What you show from then on counts as done with
        help. Where all are asked already, or the solution was shown, nothing changes."""
        return Response(variant_told(actions.ask_whole(variant=access.variant_for(self.user, public_id))))


class Skills(View):
    @extend_schema(operation_id="list_skills", responses={200: shapes.Skills, 401: DOCUMENT})
    def get(self, request: Request) -> Response:
        """Where you stand at every skill, in the order of the map: the same that the pages show."""
        return Response(skills_told(queries.standings([self.user])[self.user.pk]))


class Next(View):
    @extend_schema(operation_id="next_exercise", responses={200: shapes.Next, 401: DOCUMENT})
    def get(self, request: Request) -> Response:
        """The exercise that is best for you now, and why. Draw it by its `problem`, sending its `skill` along."""
        return Response(shapes.Next({"exercise": queries.next_choice(self.user)}).data)


class Answers(View):
    throttle_classes = (WorkThrottle,)

    @extend_schema(
        operation_id="send_answer",
        request=shapes.Answers,
        responses={
            200: shapes.Sent,
            202: shapes.Sent,
            **ERRORS,
            **dict.fromkeys((400, 409, 413, 429, 503), DOCUMENT),
        },
        parameters=[
            OpenApiParameter(
                "Idempotency-Key",
                str,
                OpenApiParameter.HEADER,
                description="Up to 64 characters. The same answer with the same key is taken once.",
            ),
            OpenApiParameter(
                "Prefer",
                str,
                OpenApiParameter.HEADER,
                description="`wait=2`: wait up to 2 s (5 at most) for the verdict.",
            ),
            LOCATION,
        ],
    )
    def post(self, request: Request, public_id: UUID) -> Response:
        """Send typed answers to your own variant.

        202 when the verdict is still to come, at the address in `Location`. 200 when it is there, or when nothing to
        mark could be read. 409 once the solution was shown.
        """
        variant = access.variant_for(self.user, public_id)
        asked = _read(shapes.Answers, request)
        sent = actions.send_answer(
            learner=self.user,
            variant=variant,
            answers=asked["answers"],
            checked=asked["check"],
            locale=asked["locale"],
            idempotency_key=request.headers.get("Idempotency-Key", ""),
        )
        if sent.submission is None:
            return Response(sent_told(sent, None))
        sent.submission.variant = variant
        wait = _wait(request)
        verdict = queries.verdict_within(sent.submission, wait) if wait else queries.verdict_of(sent.submission)
        headers = {"Location": reverse("api:submission", args=[sent.submission.public_id])}
        if wait:
            headers["Preference-Applied"] = f"wait={wait}"
        is_pending = sent.submission.state == Submission.State.PENDING
        return Response(sent_told(sent, verdict), status=202 if is_pending else 200, headers=headers)


class ReadSubmission(View):
    @extend_schema(operation_id="read_submission", responses={200: shapes.Submission, **ERRORS})
    def get(self, request: Request, public_id: UUID) -> Response:
        """A submission, with its verdict once there is one."""
        submission = access.readable_submission(self.user, public_id)
        return Response(submission_told(submission, queries.verdict_of(submission)))


class History(View):
    @extend_schema(
        operation_id="list_submissions",
        responses={200: shapes.Submissions, 400: DOCUMENT, 401: DOCUMENT},
        parameters=[
            OpenApiParameter("before", UUID, description="The last submission of the page before."),
            OpenApiParameter("limit", int, description=f"Rows a page, 1 to {queries.MOST_ROWS}; 20 if left out."),
        ],
    )
    def get(self, request: Request) -> Response:
        """Your own submissions, newest first."""
        page = _read_page(request)
        rows = queries.own_history(self.user, before=page.get("before"), limit=page["limit"])
        is_last = len(rows) < page["limit"]
        following = None if is_last else f"{request.path}?before={rows[-1].submission.public_id}&limit={page['limit']}"
        return Response({"results": past_told(rows), "next": following})


class Nowhere(View):
    """Keeps wrong addresses in the one shape of errors."""

    permission_classes = (AllowAny,)
    schema = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        raise Http404("There is no such address. See docs/openapi.yaml for those that are.")


def _read(shape: type[Serializer[Any]], request: Request) -> dict[str, Any]:
    """What was sent, checked. Raises ValidationError."""
    reader = shape(data=request.data)
    reader.is_valid(raise_exception=True)
    return dict(reader.validated_data)


def _read_page(request: Request) -> dict[str, Any]:
    reader = shapes.Page(data=request.query_params)
    reader.is_valid(raise_exception=True)
    return dict(reader.validated_data)


def _wait(request: Request) -> int:
    """The seconds that `Prefer: wait=…` asks for (RFC 7240), 0 without it."""
    found = re.search(r"(?:^|[,;\s])wait\s*=\s*(\d{1,3})", request.headers.get("Prefer", ""))
    return min(int(found[1]), int(queries.LONGEST_WAIT)) if found else 0
