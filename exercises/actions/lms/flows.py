"""A launch, from its beginning here over the platform back to here: one flow, one browser, one token, once."""

import datetime as dt
import hashlib
import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from django.db import IntegrityError, transaction

from exercises import clock
from exercises.actions.lms.arrivals import Arrival, Keep, Lead, arrive
from exercises.actions.lms.platform_keys import key_of
from exercises.lti.launch import Launch, Message
from exercises.lti.reading import is_web_address
from exercises.lti.refusals import AGAIN, ASK, SET_UP, LaunchRefused
from exercises.lti.verification import LEEWAY, Expected, RefusedWithReturn, key_named, verified
from exercises.models import LaunchFlow, Registration, UsedNonce

LIFETIME = dt.timedelta(minutes=10)
#: What one page of ours takes, by its path: a launch of one kind never opens the page of the other.
TARGETS = {"/lti/launch": Message.RESOURCE_LINK, "/lti/deep-link": Message.DEEP_LINKING}
#: Characters of one parameter of a login.
LONGEST = 8000
#: Of what is kept to begin it again; nobody is known by then, and a stranger may send as much as they like.
MOST_KEPT = 2000
HINTS = ("login_hint", "lti_message_hint")
#: Of what begins a launch, so that it can be begun again in a tab of its own.
REPEATED = ("iss", "client_id", "login_hint", "lti_message_hint", "target_link_uri", "lti_deployment_id")


@dataclass(frozen=True)
class Begun:
    """A flow that was begun. ``secret`` is for this browser to keep, ``address`` is where it goes on."""

    registration: Registration
    state: str
    secret: str
    address: str
    storage_target: str


class AnotherBrowser(LaunchRefused):
    """The flow was begun in another browser, or this one keeps nothing for us. The flow stays as it is."""

    def __init__(self, flow: LaunchFlow) -> None:
        super().__init__(
            "other-browser",
            "This browser did not bring back what it was given when the launch began: it keeps no cookies for pages "
            "inside other pages, or the launch was begun in another browser.",
            "Open it in a tab of its own.",
        )
        self.flow = flow


def begin_launch(*, said: Mapping[str, str], home: str) -> Begun:
    """Begin a launch by what the platform said of it (OpenID Connect Core 4, third-party login). ``home`` is our own
    origin: nothing outside of it is a target, and the launch comes back nowhere else. Raises LaunchRefused."""
    given = {name: value for name, value in said.items() if name in (*REPEATED, "lti_storage_target")}
    _check_parameters(given)
    registration = _registration_of(given["iss"], given.get("client_id", ""))
    _check_target(given["target_link_uri"], home)
    state, nonce, secret = (secrets.token_urlsafe(32) for _ in range(3))
    storage_target = given.get("lti_storage_target", "")[:200]
    now = clock.now()
    LaunchFlow.objects.create(
        state_digest=digest(state), nonce=nonce, registration=registration, target=given["target_link_uri"],
        browser_digest=digest(secret), storage_target=storage_target,
        said=_repeated(given), created_at=now, expires_at=now + LIFETIME,
    )  # fmt: skip
    asked = {
        "scope": "openid", "response_type": "id_token", "response_mode": "form_post", "prompt": "none",
        "client_id": registration.client_id, "redirect_uri": f"{home}/lti/launch", "state": state, "nonce": nonce,
        **{name: given[name] for name in HINTS if name in given},
    }  # fmt: skip
    return Begun(registration, state, secret, _with_query(registration.login_url, asked), storage_target)


def flow_of(state: str) -> LaunchFlow:
    """The flow of a state that came back. Raises LaunchRefused for one that there is not, or not any more."""
    found = LaunchFlow.objects.select_related("registration").filter(state_digest=digest(state)).first()
    if found is None:
        raise LaunchRefused(
            "state",
            "This launch was not begun here, or it was used already: each can be used once (“state”).",
            AGAIN,
        )
    if found.expires_at <= clock.now():
        raise LaunchRefused("state-expired", "The launch took longer than ten minutes, so it is not taken.", AGAIN)
    return found


def end_launch(*, flow: LaunchFlow, token: str, secret: str, lead: Lead, kept: Keep) -> Arrival:
    """Take the launch that came back for a flow: verified, from this browser, and only once. Who and what it brings is
    written down, and a ticket into a session is made. Raises LaunchRefused; AnotherBrowser leaves the flow, every other
    refusal ends it."""
    if not secret or not hmac.compare_digest(digest(secret), flow.browser_digest):
        raise AnotherBrowser(flow)
    deleted, _ = LaunchFlow.objects.filter(pk=flow.pk).delete()
    if not deleted:
        raise LaunchRefused("state", "This launch was used already: each can be used once (“state”).", AGAIN)
    registration = flow.registration
    _check_active(registration)
    launch = _verified(token, flow)
    try:
        _use_nonce(registration, flow.nonce, launch)
        _check_kind(launch)
        return arrive(registration, launch, lead, kept)
    except LaunchRefused as refused:
        if isinstance(refused, RefusedWithReturn):
            raise
        raise RefusedWithReturn(refused, launch.return_url) from None


def clear_launches() -> int:
    """Delete flows, nonces and tickets whose time is over; how many flows. For a task that runs every few minutes."""
    from_now = clock.now()
    deleted, _ = LaunchFlow.objects.filter(expires_at__lte=from_now).delete()
    UsedNonce.objects.filter(expires_at__lte=from_now).delete()
    return deleted


def digest(secret: str) -> str:
    """What is kept of a secret that was random to begin with."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def _check_parameters(given: Mapping[str, str]) -> None:
    for name, value in given.items():
        if len(value) > LONGEST or any(sign < " " or "\ud800" <= sign <= "\udfff" for sign in value):
            raise LaunchRefused("login-parameter", f"The “{name}” that the platform sent is far too long, or no text.")
    for name in ("iss", "login_hint", "target_link_uri"):
        if not given.get(name):
            raise LaunchRefused(
                "login-parameter",
                f"The platform began a launch without “{name}”, which LTI 1.3 requires.",
                "This address is opened by a learning platform, not by itself. " + SET_UP,
            )


def _repeated(given: Mapping[str, str]) -> dict[str, str]:
    """What the launch is begun again with; nothing where that is longer than any platform needs."""
    found = {name: given[name] for name in REPEATED if name in given}
    return found if sum(map(len, found.values())) <= MOST_KEPT else {}


def _registration_of(issuer: str, client_id: str) -> Registration:
    rows = Registration.objects.filter(issuer=issuer)
    found = list((rows.filter(client_id=client_id) if client_id else rows)[:2])
    if not found:
        of_client = f" with the client id {client_id[:100]!r}" if client_id else ""
        raise LaunchRefused(
            "unknown-platform", f"The platform {issuer[:200]}{of_client} is not registered here.", SET_UP
        )
    if len(found) > 1:
        raise LaunchRefused(
            "client-id", f"{issuer[:200]} is registered here several times, and it did not say as which client.", SET_UP
        )
    _check_active(found[0])
    return found[0]


def _check_active(registration: Registration) -> None:
    if registration.state != Registration.State.ACTIVE:
        raise LaunchRefused("platform-off", f"Launches from {registration} are switched off here.", ASK)


def _check_target(target: str, home: str) -> None:
    if not is_web_address(target):
        raise LaunchRefused("target", "The launch leads to no address of the web (target_link_uri).", SET_UP)
    parts = urlsplit(target)
    if f"{parts.scheme}://{parts.netloc}" != home or parts.path.rstrip("/") not in TARGETS:
        raise LaunchRefused(
            "target",
            f"The launch leads to {target[:200]}, which is no address that is launched here (target_link_uri). "
            f"It should be {home}/lti/launch.",
            SET_UP,
        )


def _verified(token: str, flow: LaunchFlow) -> Launch:
    registration = flow.registration
    key = key_of(registration, key_named(token))
    # Other clients of the same platform that are known here may stand in an audience beside us.
    others = Registration.objects.filter(issuer=registration.issuer).exclude(pk=registration.pk)
    expected = Expected(
        issuer=registration.issuer, client_id=registration.client_id, nonce=flow.nonce, target=flow.target,
        begun=flow.created_at.timestamp(), trusted=frozenset(others.values_list("client_id", flat=True)[:100]),
    )  # fmt: skip
    return verified(token, key, expected, clock.now().timestamp())


def _use_nonce(registration: Registration, nonce: str, launch: Launch) -> None:
    """Kept until the token could not be good any more."""
    # No token is believed for longer than a day, whatever it says: the flow ended long before.
    ends = min(launch.expires + LEEWAY, (clock.now() + dt.timedelta(days=1)).timestamp())
    try:
        with transaction.atomic():
            UsedNonce.objects.create(
                registration=registration, digest=digest(nonce), expires_at=dt.datetime.fromtimestamp(ends, dt.UTC)
            )
    except IntegrityError:
        raise LaunchRefused("nonce-used", "This launch was used already (“nonce”).", AGAIN) from None


def _check_kind(launch: Launch) -> None:
    wanted = TARGETS[urlsplit(launch.target).path.rstrip("/")]
    if launch.message is not wanted:
        right = next(path for path, kind in TARGETS.items() if kind is launch.message)
        raise LaunchRefused(
            "message-type",
            f"The platform sent a message of the type {launch.message} to the address of another one; "
            f"that of this type is {right}.",
            SET_UP,
        )


def _with_query(address: str, more: Mapping[str, str]) -> str:
    """The address with more parameters, behind those that it has."""
    parts = urlsplit(address)
    return urlunsplit(parts._replace(query=urlencode([*parse_qsl(parts.query, keep_blank_values=True), *more.items()])))
