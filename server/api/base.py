"""What every view of the REST door is: it knows by which key it is asked, and finds things for that key only."""

import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar

from django.http import Http404, HttpRequest
from rest_framework.exceptions import MethodNotAllowed
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from exercises import access
from exercises.courses.rights import Right
from exercises.models import (
    Attempt,
    AttemptItem,
    Course,
    Enrolment,
    ExternalId,
    Problem,
    ProblemSet,
    RegradeEvent,
    User,
)
from server.api import bodies, conditional, idempotency
from server.api.addresses import External, Named, Ref, named
from server.api.errors import CourseLimited, InsufficientScope, told
from server.api.keys import Key
from server.api.throttles import KeyThrottle, headers_of


class View(APIView):
    """A view says by ``scopes`` what a key must be good for, and finds everything of a course by the helpers below.

    scopes         the scope that each method takes; None takes any key
    of_course      whether it belongs to a course: the others are closed to a key that is for one course only
    keeps_answers  whether a POST that is sent again with its ``Idempotency-Key`` gets the answer that it got. Not where
                   an answer holds a secret, waits for somebody else's transaction, or is no document.
    """

    request: Request
    scopes: ClassVar[Mapping[str, str | None]]
    of_course: ClassVar[bool] = False
    keeps_answers: ClassVar[bool] = True
    throttle_classes: Sequence[type[BaseThrottle]] = (KeyThrottle,)
    metadata_class = None
    #: Whether something was held against the course of a limited key.
    is_held = False

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        #: The rights in courses by which things were found, for whoever is told the same again.
        self.took: list[tuple[int, Right]] = []

    def get_exception_handler(self) -> Callable[[Exception, dict[str, Any]], Response | None]:
        return told

    @property
    def allowed_methods(self) -> list[str]:
        """Those that ``scopes`` names, so that one that is only inherited can be reached by no key."""
        there = sorted(method for method in self.scopes if hasattr(self, method.lower()))
        return [*there, *(["HEAD"] if "GET" in there else []), "OPTIONS"]

    @property
    def user(self) -> User:
        """Who is asking."""
        return self.request.user  # type: ignore[return-value]  # authenticated by the default permission

    @property
    def key(self) -> Key:
        """By which key."""
        return self.request.auth  # type: ignore[return-value]  # what our two ways of signing in bring along

    # --- What was sent -----------------------------------------------------------------------------------------------

    def read(self, shape: type[Serializer[Any]], *, partial: bool = False) -> dict[str, Any]:
        """The body, checked. Raises ValidationError."""
        reader = shape(data=self.request.data, partial=partial)
        reader.is_valid(raise_exception=True)
        return dict(reader.validated_data)

    def asked(self, shape: type[Serializer[Any]]) -> dict[str, Any]:
        """The query of the address, checked. Raises ValidationError."""
        reader = shape(data=self.request.query_params)
        reader.is_valid(raise_exception=True)
        return dict(reader.validated_data)

    # --- What is found, for this key ---------------------------------------------------------------------------------

    def enrolment(self, course_id: Ref, right: Right) -> Enrolment:
        """The user's enrolment in a course, with the course. Raises Http404 without that right."""
        found = access.enrolment_with(self.user, self.uuid_of(course_id, ExternalId.Kind.COURSE), right)
        return self._held(found, found.course_id, right)

    def course(self, course_id: Ref, right: Right) -> Course:
        """The same course, where nothing else of the enrolment is wanted."""
        return self.enrolment(course_id, right).course

    def problem_set(self, set_id: Ref, right: Right) -> ProblemSet:
        """A problem set in whose course the user has that right, with the course. Raises Http404."""
        found = access.problem_set_with(self.user, self.uuid_of(set_id, ExternalId.Kind.PROBLEM_SET), right)
        return self._held(found, found.course_id, right)

    def set_and_enrolment(self, set_id: Ref, right: Right) -> tuple[ProblemSet, Enrolment]:
        """The same together with the user's enrolment there. Raises Http404."""
        set_uuid = self.uuid_of(set_id, ExternalId.Kind.PROBLEM_SET)
        found, enrolment = access.set_and_enrolment_with(self.user, set_uuid, right)
        return self._held(found, found.course_id, right), enrolment

    def attempt(self, attempt_id: uuid.UUID, right: Right) -> Attempt:
        """Somebody's attempt in a course in which the user has that right. Raises Http404."""
        found = access.attempt_with(self.user, attempt_id, right)
        return self._held(found, found.problem_set.course_id, right)

    def own_attempt(self, attempt_id: uuid.UUID) -> Attempt:
        """The user's own attempt. Raises Http404."""
        found = access.attempt_of(self.user, attempt_id)
        return self._held(found, found.problem_set.course_id)

    def own_attempt_item(self, attempt_id: uuid.UUID, position: int) -> AttemptItem:
        """One place of the user's own attempt. Raises Http404."""
        found = access.attempt_item_of(self.user, attempt_id, position)
        return self._held(found, found.attempt.problem_set.course_id)

    def regrade(self, event_id: uuid.UUID, right: Right) -> RegradeEvent:
        """A regrade in a course in which the user has that right. Raises Http404."""
        found = access.regrade_with(self.user, event_id, right)
        return self._held(found, found.course_id, right)

    def own_problem(self, said: Named) -> Problem:
        """A problem of the user's own, who teaches. Raises Http404."""
        return access.authored_problem(access.instructor(self.user), self.slug_of(said))

    def readable_problem(self, said: Named) -> Problem:
        """A problem whose text the user may read: of their own, shared, or built in. Raises Http404."""
        return access.readable_problem(access.instructor(self.user), self.slug_of(said))

    def slug_of(self, said: Named) -> str:
        """The slug of a problem for what stands in an address. One query for an external id. Raises Http404."""
        return access.slug_of(self.user, said.id) if isinstance(said, External) else said

    def slugs_of(self, said: Iterable[str]) -> list[str]:
        """The slugs of problems that a body names. One query for each external id. Raises Http404."""
        return [self.slug_of(named(one)) for one in said]

    def only_course(self) -> int | None:
        """The primary key of the one course to which a list must be narrowed; None is no limit."""
        self.is_held = True
        return self.key.course_id

    def hold(self, course_pk: int | None) -> None:
        """Http404 where a key is for another course than that of something that was found by other means."""
        self.is_held = True
        if self.key.course_id is not None and self.key.course_id != course_pk:
            raise Http404("There is nothing of that id.")

    def require_scope(self, scope: str) -> None:
        """InsufficientScope unless the key has it: where it depends on what was found which one it takes."""
        if scope not in self.key.scopes:
            raise InsufficientScope(scope)

    def uuid_of(self, said: Ref, kind: ExternalId.Kind) -> uuid.UUID:
        """The id of ours for one in an address. One query for an external one. Raises Http404."""
        return access.public_id_of(self.user, kind, said.id) if isinstance(said, External) else said

    def _held(self, found: Any, course_pk: int, right: Right | None = None) -> Any:
        """What was found, by a right of the user in that course; by none where it is their own."""
        self.hold(course_pk)
        if right is not None:
            self.took.append((course_pk, right))
        return found

    # --- What is answered --------------------------------------------------------------------------------------------

    def answer(
        self,
        body: Any,
        *,
        tag: str | None = None,
        status: int = 200,
        location: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Response:
        """A document; with a ``tag`` from ``conditional.tag`` it says so, and says 304 to whoever has it already."""
        named = {"ETag": tag, "Location": location}
        told_too = {**(headers or {}), **{name: value for name, value in named.items() if value is not None}}
        if tag and self.request.method in ("GET", "HEAD") and conditional.is_known(self.request, tag):
            return Response(status=304, headers={"ETag": tag})
        return Response(body, status=status, headers=told_too)

    def require_match(self, tag: str) -> bool:
        """``conditional.require_match`` for this request."""
        return conditional.require_match(self.request, tag)

    # --- The way through ---------------------------------------------------------------------------------------------

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        bodies.take_in(request._request)  # noqa: SLF001  # the framework's own name for what it wraps
        super().initial(request, *args, **kwargs)
        method = "GET" if request.method == "HEAD" else str(request.method)
        if method not in self.allowed_methods:
            raise MethodNotAllowed(method)
        self._require_scope(method)
        if method == "POST" and self.keeps_answers and idempotency.HEADER in request.headers:
            # The framework calls whatever stands here next.
            self.post: Any = partial(idempotency.once, getattr(self, "post", self.http_method_not_allowed), self.took)

    def _require_scope(self, method: str) -> None:
        if not isinstance(self.request.auth, Key) or method == "OPTIONS":
            return  # nobody, where nobody may ask too
        scope = self.scopes[method]
        if scope is not None and scope not in self.key.scopes:
            raise InsufficientScope(scope)
        if self.key.course_id is not None and not self.of_course:
            raise CourseLimited

    def options(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Response:
        """Which methods there are: in ``Allow``, as with every answer."""
        return Response(status=204)

    def handle_exception(self, exc: Exception) -> Response:
        answer = super().handle_exception(exc)
        idempotency.keep_refusal(exc, answer, self.took)
        return answer

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        if isinstance(getattr(request, "_auth", None), Key):
            self._require_held(response)
        for name, value in headers_of(request).items():
            response[name] = value
        return super().finalize_response(request, response, *args, **kwargs)

    def _require_held(self, response: Response) -> None:
        """A view that looks past the limit of a key is a fault of ours, and tells nothing."""
        if self.key.course_id is None or self.is_held or self.request.method == "OPTIONS":
            return
        if response.status_code < 400 and idempotency.REPLAYED not in response:
            raise RuntimeError(f"{type(self).__name__} found something by none of the helpers of View.")
