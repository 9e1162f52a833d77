"""Reading again only what changed, and changing only what was read (RFC 9110, sections 13 and 15.5)."""

import hashlib

from rest_framework.request import Request

from server.api.errors import MatchWanted, Stale


def tag(*parts: object) -> str:
    """A strong ``ETag`` of whatever a thing and all that is shown of it depend on, such as its ``updated_at``."""
    said = "\x1f".join(str(part) for part in parts)
    return f'"{hashlib.sha256(said.encode()).hexdigest()[:20]}"'


def is_known(request: Request, current: str) -> bool:
    """Whether a reader says, by ``If-None-Match``, that they have it as it is."""
    said = request.headers.get("If-None-Match", "")
    return said.strip() == "*" or current in {one.removeprefix("W/") for one in _tags(said)}


def require_match(request: Request, current: str) -> bool:
    """Refuse to change what was not read as it is. Returns False for ``If-Match: *``, which overwrites anything.

    Raises MatchWanted (428) without ``If-Match``, Stale (412) with that of another state. Between this look and the
    write somebody may still write: actions that can lose something by it look again, under their lock.
    """
    said = request.headers.get("If-Match", "").strip()
    if not said:
        raise MatchWanted
    if said == "*":
        return False
    # Weak tags never match here: they do not say that nothing changed.
    if current not in _tags(said):
        raise Stale
    return True


def _tags(said: str) -> set[str]:
    return {one.strip() for one in said.split(",")}
