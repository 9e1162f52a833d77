"""Who is asking, by the token in the Authorization header."""

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from exercises.access import token_of
from exercises.models import AccessToken, User


class BearerAuthentication(BaseAuthentication):
    """``Authorization: Bearer gym_…``, with a token that was issued at ``/api/v1/tokens``."""

    keyword = b"bearer"

    def authenticate(self, request: Request) -> tuple[User, AccessToken] | None:
        """The token's user; None if no token was presented. Raises AuthenticationFailed for one that does not open."""
        parts = get_authorization_header(request).split()
        if not parts or parts[0].lower() != self.keyword:
            return None
        presented = parts[1].decode("ascii", "replace") if len(parts) == 2 else ""
        token = token_of(presented)
        if token is None:
            raise AuthenticationFailed("This token is unknown, revoked or expired. Get a new one at /api/v1/tokens.")
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        """Makes a refusal a 401 and not a 403."""
        return 'Bearer realm="api"'


class BearerScheme(OpenApiAuthenticationExtension):
    """How the OpenAPI description names it."""

    target_class = "server.api.authentication.BearerAuthentication"
    name = "bearer"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "description": "A token from POST /api/v1/tokens."}
