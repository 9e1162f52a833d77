"""What a request comes with: a key, and what that key is good for."""

from collections.abc import Iterable
from dataclasses import dataclass

from exercises.access import ClientToken
from exercises.models import AccessToken
from exercises.scopes import SCOPES, known

#: By which a token of a system is told from a personal one.
CLIENT_PREFIX = "gymo_"


@dataclass(frozen=True)
class Key:
    """What a request may be used for, whatever its user may do.

    name       under which its requests are counted
    scopes     names from ``exercises.scopes``
    course_id  primary key of the only course it is good in; None is wherever its user may go
    """

    name: str
    scopes: frozenset[str]
    course_id: int | None = None

    @classmethod
    def of_token(cls, token: AccessToken) -> "Key":
        """The key that a personal token is."""
        return cls(f"token:{token.pk}", _known(token.scopes), token.course_id)

    @classmethod
    def of_client(cls, token: ClientToken) -> "Key":
        """The key that a token of a system is; all tokens of one system are counted together."""
        return cls(f"client:{token.client.pk}", _known(token.scopes), token.client.course_id)

    @classmethod
    def of_session(cls, user_pk: int) -> "Key":
        """Somebody signed in by a page: as good as they are themselves."""
        return cls(f"session:{user_pk}", frozenset(SCOPES))


def _known(scopes: Iterable[str]) -> frozenset[str]:
    """A scope that there no longer is opens nothing."""
    return frozenset(known(scopes))
