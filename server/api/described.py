"""What the OpenAPI description says of every operation alike, so that no view has to repeat it."""

from typing import Any

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse

from server.api.shapes.errors import ProblemDocument

DOCUMENT = OpenApiResponse(ProblemDocument, description="Told as a problem document.")
#: The one answer that all errors refer to: `APPEND_COMPONENTS` of the settings.
PROBLEM = {"$ref": "#/components/responses/Problem"}
LOCATION = OpenApiParameter(
    "Location", OpenApiTypes.URI, OpenApiParameter.HEADER, response=[200, 201, 202], description="Where it is found."
)
#: For views whose things carry an ``ETag``: what reads them, and what changes them.
ETAG = OpenApiParameter(
    "ETag", str, OpenApiParameter.HEADER, response=[200, 201], description="Of the state that is told; strong."
)
IF_NONE_MATCH = OpenApiParameter(
    "If-None-Match", str, OpenApiParameter.HEADER, description="An `ETag` you have: 304 while nothing has changed."
)
IF_MATCH = OpenApiParameter(
    "If-Match",
    str,
    OpenApiParameter.HEADER,
    description="The `ETag` that you read, or `*`: 412 if it has changed meanwhile, 428 if this is left out.",
)
KEY = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "minLength": 1, "maxLength": 64},
    OpenApiParameter.HEADER,
    description="Sent again within a day with the same key, a request gets the same answer and does nothing: "
    "`Idempotency-Replayed: true`. 422 with another body, 409 while the first is being answered.",
)


class Schema(AutoSchema):
    """Adds the scope that an operation takes, the parameters and the errors that follow from what it is."""

    def get_auth(self) -> list[Any]:
        """The ways of signing in, each with the scope that it needs."""
        scope = getattr(self.view, "scopes", {}).get(self.method)
        return [{name: [scope] if scope and name != "session" else [] for name in way} for way in super().get_auth()]

    def get_override_parameters(self) -> list[Any]:
        """Those of the view, and ``Idempotency-Key`` where answers are kept."""
        given = list(super().get_override_parameters())
        return [*given, KEY] if self._keeps_answers() else given

    def _get_response_bodies(self, direction: Any = "response") -> Any:
        bodies = super()._get_response_bodies(direction)
        self.resolve_serializer(ProblemDocument, direction)
        for code in sorted(self._errors(bodies)):
            bodies[str(code)] = dict(PROBLEM)
        if IF_NONE_MATCH in self.get_override_parameters():
            bodies["304"] = {"description": "It is as you have it."}
        return dict(sorted(bodies.items()))

    def _errors(self, bodies: Any) -> set[int]:
        """The errors that the view names, and those that any operation of its kind may end in."""
        named = {int(code) for code in bodies if int(code) >= 400}
        sent = {one.name for one in self.get_override_parameters() if isinstance(one, OpenApiParameter)}
        may_be = {401, 403, 406, 429, 503}
        if self.method != "GET":
            may_be |= {400, 409}  # whatever the domain may refuse
        if "{" in self.path:
            may_be |= {404}
        if self.method in ("POST", "PUT", "PATCH") and self.get_request_serializer() is not None:
            may_be |= {400, 413, 415}
        if sent & {"limit", "cursor"} or any(one.location == OpenApiParameter.QUERY for one in self._plain()):
            may_be |= {400}
        if "If-Match" in sent:
            may_be |= {412, 428}
        if self._keeps_answers():
            may_be |= {400, 409, 413, 422}
        return named | may_be

    def _plain(self) -> list[OpenApiParameter]:
        return [one for one in self.get_override_parameters() if isinstance(one, OpenApiParameter) and not one.response]

    def _keeps_answers(self) -> bool:
        return self.method == "POST" and bool(getattr(self.view, "keeps_answers", False))
