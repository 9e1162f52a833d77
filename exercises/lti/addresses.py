"""Whose the addresses of a platform are: what may be believed of them from people who do not run this service.

All registrations are signed for by the same keys of ours, and whoever keeps a registration names the addresses of it.
"""

from urllib.parse import urlsplit

from exercises.lti.reading import is_web_address, origin_of

#: Where the companies behind platforms answer for all their customers.
VENDORS = frozenset(
    {"https://auth.brightspace.com", "https://developer.blackboard.com", "https://sso.canvaslms.com"}
)  # fmt: skip
#: Audiences at another origin than that of the token URL, by that origin, as D2L documents it.
AUDIENCES = {"https://auth.brightspace.com": "https://api.brightspace.com/auth/token"}


def belongs(address: str, issuer: str) -> bool:
    """Whether an address is of the same host as an issuer and speaks alike, or of a host below it, as Blackboard has
    it."""
    if not is_web_address(address) or not is_web_address(issuer):
        return False
    if origin_of(address) == origin_of(issuer):
        return True
    there, here = urlsplit(address), urlsplit(issuer)
    below = (there.hostname or "").endswith(f".{here.hostname}") and "." in (here.hostname or "")
    return below and there.scheme == here.scheme == "https"


def is_at_home(address: str, issuer: str) -> bool:
    """Whether an address is at the very origin of an issuer, or at one where a company answers for its platforms."""
    origin = origin_of(address)
    return bool(origin) and (origin == origin_of(issuer) or origin in VENDORS)


def is_own_audience(audience: str, token_url: str) -> bool:
    """Whether what we sign for an audience can be used only where it is sent to: at the origin of the token URL.

    With any other audience, whoever reads what comes in at the token URL could go on with it to another platform and be
    taken for us there. An empty audience is the token URL itself.
    """
    if not audience or audience == token_url:
        return True
    origin = origin_of(token_url)
    return bool(origin) and (origin_of(audience) == origin or AUDIENCES.get(origin) == audience)


def same_issuer(issuer: str) -> tuple[str, ...]:
    """The ways in which an issuer may be written that people, and some platforms, take for the same."""
    bare = issuer.rstrip("/")
    return bare, f"{bare}/"
