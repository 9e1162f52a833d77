"""Whether a token is a launch of the platform that it claims to come from: the rules of the 1EdTech Security Framework
5.1.3 and of LTI 1.3, each refused in words.

The signature, the only part that takes cryptography, is PyJWT's; every other rule is told here, on values whose types
were looked at.
"""

import hmac
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

import jwt
from jwt.exceptions import PyJWTError

from exercises.lti.claims import read_launch, return_address
from exercises.lti.key_sets import KeySetRefused, public_key_of
from exercises.lti.launch import Launch
from exercises.lti.reading import Claims
from exercises.lti.refusals import AGAIN, SET_UP, LaunchRefused

#: Seconds by which clocks may differ.
LEEWAY = 60
#: Of a whole token: rosters and the like are never in one.
LONGEST_TOKEN = 100_000
ALGORITHM = "RS256"


@dataclass(frozen=True)
class Expected:
    """What the token of one flow must say. ``begun`` is when the flow was begun, in seconds since 1970.

    ``trusted`` are other clients that may stand in its audience beside us.
    """

    issuer: str
    client_id: str
    nonce: str
    target: str
    begun: float
    trusted: Collection[str] = field(default_factory=frozenset)


def key_named(token: str) -> str:
    """The ``kid`` of a token that is not verified yet. Raises LaunchRefused for what is no token signed by RS256."""
    if not token or len(token) > LONGEST_TOKEN:
        raise LaunchRefused("no-token", "The platform sent no launch, or one that is far too long.", AGAIN)
    try:
        header = jwt.get_unverified_header(token)
    except (PyJWTError, ValueError, RecursionError):
        raise LaunchRefused("no-token", "What the platform sent is no signed LTI 1.3 launch.") from None
    if header.get("alg") != ALGORITHM or "crit" in header:
        raise LaunchRefused(
            "algorithm", f"The launch is not signed by {ALGORITHM}, the one way of signing that LTI 1.3 takes.", SET_UP
        )
    kid = header.get("kid")
    if not isinstance(kid, str) or not kid:
        raise LaunchRefused("no-kid", "The launch does not say by which key it is signed (no “kid”).", SET_UP)
    return kid


def verified(token: str, key: Mapping[str, Any], expected: Expected, now: float) -> Launch:
    """The launch that a token tells, if it is signed by the key and says what is expected; ``now`` is in seconds since
    1970. Raises LaunchRefused."""
    claims = Claims(_signed(token, key))
    try:
        _check_parties(claims, expected)
        _check_times(claims, expected, now)
        _check_nonce(claims, expected)
        launch = read_launch(claims)
        if launch.target != expected.target:
            raise LaunchRefused(
                "target",
                "The launch leads to another address than the one that it was begun with (target_link_uri).",
                SET_UP,
            )
    except LaunchRefused as refused:
        # It comes from the platform, so the way back that it names is the platform's.
        raise RefusedWithReturn(refused, return_address(dict(claims.values))) from None
    return launch


class RefusedWithReturn(LaunchRefused):
    """A refusal of a launch whose signature is good, with its way back to the platform; "" if it names none."""

    def __init__(self, refused: LaunchRefused, return_url: str) -> None:
        super().__init__(refused.reason, refused.message, refused.advice)
        self.return_url = return_url


def _signed(token: str, key: Mapping[str, Any]) -> dict[str, Any]:
    try:
        public = public_key_of(dict(key))
        payload = jwt.PyJWS().decode(token, public, algorithms=[ALGORITHM])
    except KeySetRefused as refused:
        raise LaunchRefused("key", f"The key of the platform will not do: {refused.message}.", SET_UP) from None
    except (PyJWTError, ValueError, RecursionError):
        raise LaunchRefused(
            "signature", "The launch is not signed by the platform: its signature does not fit its key.", SET_UP
        ) from None
    try:
        found = json.loads(payload)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise LaunchRefused("no-token", "What the platform sent is signed, but no object of claims.")
    return found


def _check_parties(claims: Claims, expected: Expected) -> None:
    """Issuer, audience and authorized party."""
    if claims.identifier("iss") != expected.issuer:
        raise LaunchRefused("issuer", "The launch comes from another platform than it was begun with (“iss”).", SET_UP)
    said = claims.must_have("aud")
    audience = claims.words("aud") if isinstance(said, list) else (claims.identifier("aud"),)
    if expected.client_id not in audience:
        raise LaunchRefused("audience", "The launch is meant for another client than this one (“aud”).", SET_UP)
    others = set(audience) - {expected.client_id}
    if others - set(expected.trusted):
        raise LaunchRefused("audience", "The launch is also meant for a client that is not known here (“aud”).", SET_UP)
    if len(audience) > 1 and not claims.has("azp"):
        raise LaunchRefused(
            "authorized-party", "The launch is meant for several clients and does not say for which (no “azp”).", SET_UP
        )
    if claims.has("azp") and claims.identifier("azp") != expected.client_id:
        raise LaunchRefused("authorized-party", "The launch was made for another client than this one (“azp”).", SET_UP)


def _check_times(claims: Claims, expected: Expected, now: float) -> None:
    clocks = "If it happens again, the clock of the platform or of this service is wrong."
    expires, issued = claims.number("exp"), claims.number("iat")
    if expires <= now - LEEWAY:
        raise LaunchRefused("expired", "The launch is too old: it has expired.", f"{AGAIN} {clocks}")
    if issued > now + LEEWAY or (claims.has("nbf") and claims.number("nbf") > now + LEEWAY):
        raise LaunchRefused("not-yet", "The launch was made in the future, by the clock here.", f"{AGAIN} {clocks}")
    if issued < expected.begun - LEEWAY:
        raise LaunchRefused(
            "too-old", "The launch was made before it was begun here: it is an old one.", f"{AGAIN} {clocks}"
        )
    if expires <= issued:
        raise LaunchRefused("expired", "The launch expires before it was made.", clocks)


def _check_nonce(claims: Claims, expected: Expected) -> None:
    if not hmac.compare_digest(claims.identifier("nonce").encode(), expected.nonce.encode()):
        raise LaunchRefused("nonce", "The launch belongs to another visit than the one begun here (“nonce”).", AGAIN)
