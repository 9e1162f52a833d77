"""Who is asking, and by which key: the token in the Authorization header, or the session of a page."""

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework import authentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from exercises import access, actions
from exercises.models import User
from exercises.scopes import SCOPES
from server.api.keys import CLIENT_PREFIX, Key


class BearerAuthentication(authentication.BaseAuthentication):
    """``Authorization: Bearer …``, with a personal token or with one that a system got at ``/oauth/token``."""

    keyword = b"bearer"

    def authenticate(self, request: Request) -> tuple[User, Key] | None:
        """The token's user; None if no token was presented. Raises AuthenticationFailed for one that does not open."""
        parts = authentication.get_authorization_header(request).split()
        if not parts or parts[0].lower() != self.keyword:
            return None
        presented = parts[1].decode("ascii", "replace") if len(parts) == 2 else ""
        found = _of_client(presented) if presented.startswith(CLIENT_PREFIX) else _of_person(presented)
        if found is None:
            raise AuthenticationFailed(
                "This token is unknown, revoked or expired. Get a new one at /api/v1/tokens, on the page of your keys, "
                "or, for a system, at /oauth/token."
            )
        return found

    def authenticate_header(self, request: Request) -> str:
        """Makes a refusal a 401 and not a 403."""
        return 'Bearer realm="api"'


def _of_person(presented: str) -> tuple[User, Key] | None:
    token = access.token_of(presented)
    if token is None:
        return None
    actions.note_use(token)
    return token.user, Key.of_token(token)


def _of_client(presented: str) -> tuple[User, Key] | None:
    token = access.client_token_of(presented)
    if token is None or token.client.user is None:
        return None
    actions.note_client_use(token.client)
    return token.client.user, Key.of_client(token)


class SessionAuthentication(authentication.SessionAuthentication):
    """Somebody who is signed in by a page; what changes something needs the page's CSRF token."""

    def authenticate(self, request: Request) -> tuple[User, Key] | None:
        """The session's user. Raises PermissionDenied without the CSRF token."""
        found = super().authenticate(request)
        if found is None or not isinstance(found[0], User):
            return None
        return found[0], Key.of_session(found[0].pk)


class BearerScheme(OpenApiAuthenticationExtension):
    """How the OpenAPI description names it: both kinds come in the same header."""

    target_class = "server.api.authentication.BearerAuthentication"
    name = ["personal", "system"]

    def get_security_definition(self, auto_schema: object) -> list[dict[str, object]]:
        """A personal token, and the one grant that systems have."""
        flow = {"tokenUrl": "/oauth/token", "scopes": dict(SCOPES)}
        return [
            {
                "type": "http",
                "scheme": "bearer",
                "description": "A personal token, made on the page of keys or by POST /api/v1/tokens.",
            },
            {"type": "oauth2", "flows": {"clientCredentials": flow}},
        ]

    def get_security_requirement(self, auto_schema: object) -> list[dict[str, list[str]]]:
        """One or the other; the scopes are filled in by ``server.api.described``."""
        return [{"personal": []}, {"system": []}]


class SessionScheme(OpenApiAuthenticationExtension):
    """How the OpenAPI description names it."""

    target_class = "server.api.authentication.SessionAuthentication"
    name = "session"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {
            "type": "apiKey",
            "in": "cookie",
            "name": "sessionid",
            "description": "Signed in by a page; whatever changes something also needs `X-CSRFToken`.",
        }
