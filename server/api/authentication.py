"""Who is asking, and by which key: the token in the Authorization header, or the session of a page."""

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework import authentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from exercises import actions
from exercises.access import token_of
from exercises.models import User
from server.api.keys import Key


class BearerAuthentication(authentication.BaseAuthentication):
    """``Authorization: Bearer gym_…``, with a token that was issued at ``/api/v1/tokens`` or on the page of keys."""

    keyword = b"bearer"

    def authenticate(self, request: Request) -> tuple[User, Key] | None:
        """The token's user; None if no token was presented. Raises AuthenticationFailed for one that does not open."""
        parts = authentication.get_authorization_header(request).split()
        if not parts or parts[0].lower() != self.keyword:
            return None
        presented = parts[1].decode("ascii", "replace") if len(parts) == 2 else ""
        token = token_of(presented)
        if token is None:
            raise AuthenticationFailed("This token is unknown, revoked or expired. Get a new one at /api/v1/tokens.")
        actions.note_use(token)
        return token.user, Key.of_token(token)

    def authenticate_header(self, request: Request) -> str:
        """Makes a refusal a 401 and not a 403."""
        return 'Bearer realm="api"'


class SessionAuthentication(authentication.SessionAuthentication):
    """Somebody who is signed in by a page; what changes something needs the page's CSRF token."""

    def authenticate(self, request: Request) -> tuple[User, Key] | None:
        """The session's user. Raises PermissionDenied without the CSRF token."""
        found = super().authenticate(request)
        if found is None or not isinstance(found[0], User):
            return None
        return found[0], Key.of_session(found[0].pk)


class BearerScheme(OpenApiAuthenticationExtension):
    """How the OpenAPI description names it."""

    target_class = "server.api.authentication.BearerAuthentication"
    name = "bearer"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "A personal token, made on the page of keys or by POST /api/v1/tokens.",
        }


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
