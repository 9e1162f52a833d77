"""Registrations of platforms: made, changed, switched off; their deployments; and links to register by oneself."""

import datetime as dt
import hashlib
import json
import secrets
import uuid
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from urllib.parse import urlsplit

from django.db import IntegrityError, transaction
from django.utils.crypto import salted_hmac

from exercises import clock, outgoing
from exercises.actions.lms.guards import (
    OFF,
    REFUSED,
    SAME,
    log_change,
    may_decide,
    may_switch,
    refuse_audience,
    refuse_pretence,
    refuse_takeover,
)
from exercises.actions.lms.people import end_teaching, teachers_by
from exercises.actions.lms.refusals import ConnectionRefused
from exercises.actions.lms.tool_keys import forget_key_set, signing_key
from exercises.lti.reading import LONGEST_ID, is_web_address, origin_of
from exercises.lti.refusals import LaunchRefused
from exercises.lti.set_up import Addresses, PlatformSaid, read_platform, read_registered, registration_request
from exercises.models import Deployment, Registration, RegistrationInvite, User

INVITE_LIFETIME = dt.timedelta(days=7)
MOST_ORIGINS = 20
ADDRESSES = {
    "login_url": "the authentication request URL", "keys_url": "the key set URL", "token_url": "the access token URL",
}  # fmt: skip


@dataclass(frozen=True)
class RegistrationFields:
    """What somebody says of a platform. ``frame_origins`` are origins, or addresses of pages."""

    name: str
    issuer: str
    client_id: str
    login_url: str
    keys_url: str
    kind: str = Registration.Kind.OTHER
    token_url: str = ""
    token_audience: str = ""
    frame_origins: Sequence[str] = field(default_factory=tuple)
    lets_teach: bool = False


def next_id(actor: User) -> uuid.UUID:
    """The public id that the next registration by somebody gets: the same however often the page is opened, since the
    address of its keys is pasted at the platform before there is anything to save here. One query for each that is
    taken."""
    number = Registration.objects.filter(made_by=actor).count()
    while True:
        drawn = salted_hmac("exercises.lms.next_id", f"{actor.pk}:{number}", algorithm="sha256").digest()
        found = uuid.UUID(bytes=drawn[:16], version=4)
        if not Registration.objects.filter(public_id=found).exists():
            return found
        number += 1


def register_platform(
    *, actor: User, fields: RegistrationFields, deployment_id: str = "", public_id: uuid.UUID | None = None
) -> Registration:
    """A new registration with keys of its own, and with a deployment that is approved where its id is known already.
    ``public_id`` is what the address of its keys was told with. Raises ConnectionRefused."""
    _refuse_stranger(actor)
    said = _checked(actor, fields)
    if public_id is not None and Registration.objects.filter(public_id=public_id).exists():
        raise ConnectionRefused(
            "Another platform was registered meanwhile with these addresses: open this page anew, and paste those that "
            "it shows then."
        )
    try:
        with transaction.atomic():
            made = Registration.objects.create(
                made_by=actor, public_id=public_id or uuid.uuid4(), has_own_keys=True, **asdict(said)
            )
            if deployment_id.strip():
                approve_new(made, deployment_id.strip(), actor)
    except IntegrityError:
        raise ConnectionRefused(SAME, "client_id") from None
    return made


def edit_platform(*, actor: User, registration: Registration, fields: RegistrationFields) -> None:
    """Change a registration. With another address of the keys, or another platform, the keys that were read are
    forgotten. What a platform is known by is settled once others rely on it. Raises ConnectionRefused."""
    said = _checked(actor, fields, before=registration)
    try:
        with transaction.atomic():
            found = Registration.objects.select_for_update().get(pk=registration.pk)
            has_moved = (found.keys_url, found.issuer) != (said.keys_url, said.issuer)
            changed = [name for name, value in asdict(said).items() if getattr(found, name) != value]
            refuse_takeover(actor, found, changed)
            for name, value in asdict(said).items():
                setattr(found, name, value)
            if has_moved:
                found.keys = found.keys_read_at = found.keys_tried_at = None
                found.keys_failure = ""
            found.save()
            if "lets_teach" in changed and not found.lets_teach:
                end_teaching(teachers_by(found))
            if changed:
                log_change(actor, found, f"changed ({', '.join(changed)})")
    except IntegrityError:
        raise ConnectionRefused(SAME, "client_id") from None


def choose_keys(*, actor: User, registration: Registration, are_own: bool) -> None:
    """Sign for a registration by keys of its own, once its platform reads them at their address; back to the shared
    ones only whoever runs the service leads. Pressed twice, it is done once. Raises ConnectionRefused."""
    if not (are_own or actor.is_staff):
        raise ConnectionRefused("Only whoever runs this service has several platforms read the same keys.")
    with transaction.atomic():
        found = Registration.objects.select_for_update().get(pk=registration.pk)
        if found.has_own_keys != are_own:
            found.has_own_keys = are_own
            found.save(update_fields=["has_own_keys"])
            log_change(actor, found, f"signed for by {'its own' if are_own else 'the shared'} keys")


def switch_platform(*, actor: User, registration: Registration, is_on: bool) -> None:
    """Take launches of a platform, or none for now. Pressed twice, it is done once. Raises ConnectionRefused where
    whoever runs the service has switched it off."""
    state = Registration.State.ACTIVE if is_on else Registration.State.OFF
    with transaction.atomic():
        rows = Registration.objects.select_for_update(of=("self",)).select_related("switched_by")
        found = rows.get(pk=registration.pk)
        if not may_switch(actor, found):
            raise ConnectionRefused(OFF)
        # Who runs the service may also make a “no” of somebody else their own.
        found.state, found.switched_by = state, actor
        found.save(update_fields=["state", "switched_by"])
        log_change(actor, found, f"switched {'on' if is_on else 'off'}")


def decide_deployment(*, actor: User, deployment: Deployment, is_approved: bool) -> None:
    """Let launches of a deployment in, or keep them out. Pressed twice, it is done once. Raises ConnectionRefused where
    whoever runs the service has refused it."""
    state = Deployment.State.APPROVED if is_approved else Deployment.State.REFUSED
    with transaction.atomic():
        rows = Deployment.objects.select_for_update(of=("self",)).select_related("decided_by", "registration")
        found = rows.get(pk=deployment.pk)
        if not may_decide(actor, found):
            raise ConnectionRefused(REFUSED)
        found.state, found.decided_at, found.decided_by = state, clock.now(), actor
        found.save(update_fields=["state", "decided_at", "decided_by"])
        log_change(actor, found.registration, f"deployment {found.deployment_id!r} {state}")


def approve_new(registration: Registration, deployment_id: str, actor: User | None) -> Deployment:
    """A deployment that somebody has named before its first launch. Raises ConnectionRefused."""
    if len(deployment_id) > LONGEST_ID or not deployment_id.isprintable():
        raise ConnectionRefused(f"A deployment id has at most {LONGEST_ID} characters.", "deployment_id")
    found, _ = Deployment.objects.update_or_create(
        registration=registration, deployment_id=deployment_id,
        defaults={"state": Deployment.State.APPROVED, "decided_at": clock.now(), "decided_by": actor},
    )  # fmt: skip
    return found


def invite_platform(
    *, actor: User, issuer_prefix: str = "", lets_teach: bool = False
) -> tuple[str, RegistrationInvite]:
    """A token for a link with which one platform registers itself within a week, told this once, and its row. Raises
    ConnectionRefused."""
    _refuse_stranger(actor)
    prefix = issuer_prefix.strip()
    if prefix and not is_web_address(prefix):
        raise ConnectionRefused("Write the address of the platform, such as https://lms.example.org.", "issuer_prefix")
    token, now = secrets.token_urlsafe(32), clock.now()
    made = RegistrationInvite.objects.create(
        digest=_digest(token), made_by=actor, issuer_prefix=prefix[:500], lets_teach=lets_teach and actor.is_staff,
        created_at=now, expires_at=now + INVITE_LIFETIME,
    )  # fmt: skip
    return token, made


def invite_of(token: str) -> RegistrationInvite:
    """An invitation that is good still. Raises LaunchRefused. One query."""
    rows = RegistrationInvite.objects.select_related("made_by").filter(used_at=None, expires_at__gt=clock.now())
    found = rows.filter(digest=_digest(token), made_by__is_active=True).first()
    if found is None:
        raise LaunchRefused(
            "invite",
            "This invitation was used already, or it is older than a week.",
            "Ask whoever gave it to you for another one.",
        )
    return found


def accept_invite(*, token: str, configuration_url: str, registration_token: str, home: str) -> Registration:
    """Register with the platform whose OpenID configuration stands at an address, once for each invitation. Raises
    LaunchRefused; the invitation is good still then, unless the platform has registered us already."""
    invite = invite_of(token)
    platform = read_platform(
        _read_json("GET", configuration_url), asked_at=configuration_url, prefix=invite.issuer_prefix
    )
    addresses = {place: getattr(platform, place) for place in ADDRESSES}
    try:
        # Before the platform has registered us: it would not know that we do not take it.
        refuse_pretence(invite.made_by, platform.issuer, "", addresses)
    except ConnectionRefused as refused:
        raise LaunchRefused("registration", refused.message) from None
    now = clock.now()
    if not RegistrationInvite.objects.filter(pk=invite.pk, used_at=None).update(used_at=now):
        raise LaunchRefused("invite", "This invitation was used already.")
    public_id = uuid.uuid4()
    try:
        # Published before the platform is told of it, which may look at once.
        signing_key(public_id)
        sent = json.dumps(registration_request(Addresses(home, str(public_id)))).encode()
        client_id, deployment_id = read_registered(
            _read_json("POST", platform.registration_url, body=sent, bearer=registration_token)
        )
        return _keep(invite, platform, client_id, deployment_id, public_id)
    except LaunchRefused:
        forget_key_set(public_id)
        RegistrationInvite.objects.filter(pk=invite.pk).update(used_at=None)
        raise


def _keep(
    invite: RegistrationInvite, platform: PlatformSaid, client_id: str, deployment_id: str, public_id: uuid.UUID
) -> Registration:
    host = urlsplit(platform.issuer).hostname or platform.issuer
    family = platform.name.lower()
    kind = next((kind for kind in Registration.Kind.values if kind in family), Registration.Kind.OTHER)
    fields = RegistrationFields(
        name=host[:100], issuer=platform.issuer, client_id=client_id, login_url=platform.login_url,
        keys_url=platform.keys_url, token_url=platform.token_url, token_audience=platform.token_audience, kind=kind,
        lets_teach=invite.lets_teach,
    )  # fmt: skip
    try:
        made = register_platform(actor=invite.made_by, fields=fields, deployment_id=deployment_id, public_id=public_id)
    except ConnectionRefused as refused:
        raise LaunchRefused("registration", refused.message) from None
    RegistrationInvite.objects.filter(pk=invite.pk).update(registration=made)
    return made


def _read_json(method: str, url: str, *, body: bytes | None = None, bearer: str = "") -> object:
    headers = {"Accept": "application/json"}
    if body is not None:
        headers["Content-Type"] = "application/json"
    if bearer:
        headers["Authorization"] = f"Bearer {bearer}"
    try:
        answer = outgoing.call(method, url, headers=headers, body=body, most_bytes=200_000)
    except outgoing.Unreachable as failure:
        raise LaunchRefused("unreachable", f"The platform cannot be reached: {failure.message.rstrip('.')}.") from None
    if answer.status not in (200, 201):
        raise LaunchRefused("unreachable", f"The platform answered {url[:200]} with the status {answer.status}.")
    try:
        return json.loads(answer.text)
    except (ValueError, RecursionError):
        raise LaunchRefused("configuration", f"What the platform sent from {url[:200]} is no JSON.") from None


def _checked(actor: User, fields: RegistrationFields, before: Registration | None = None) -> RegistrationFields:
    name, client_id, issuer = fields.name.strip(), fields.client_id.strip(), fields.issuer.strip()
    if not name or len(name) > 100:
        raise ConnectionRefused("Give the platform a name of at most 100 characters.", "name")
    if not is_web_address(issuer) or len(issuer) > LONGEST_ID:
        raise ConnectionRefused("The issuer is an address, such as https://lms.example.org.", "issuer")
    if not client_id or len(client_id) > 200 or not client_id.isprintable():
        raise ConnectionRefused("Copy the client id that the platform shows.", "client_id")
    if fields.kind not in Registration.Kind.values:
        raise ConnectionRefused("Choose one of the kinds.", "kind")
    for place, words in ADDRESSES.items():
        address = getattr(fields, place).strip()
        if not address and place == "token_url":
            continue
        if not is_web_address(address):
            raise ConnectionRefused(f"Copy {words} that the platform shows: an address with https://.", place)
        try:
            outgoing.refuse_address(address)
        except outgoing.Unreachable as refused:
            raise ConnectionRefused(refused.message, place) from None
    addresses = {place: getattr(fields, place).strip() for place in ADDRESSES}
    refuse_pretence(actor, issuer, client_id, addresses, before)
    refuse_audience(actor, fields.token_audience.strip(), fields.token_url.strip(), before)
    origins = [origin_of(said.strip()) for said in fields.frame_origins if said.strip()]
    if not all(origins) or len(origins) > MOST_ORIGINS:
        raise ConnectionRefused("Write one address a line, such as https://courses.example.org.", "frame_origins")
    # Only who runs the service makes teachers; who changes something else leaves it as it is.
    lets_teach = fields.lets_teach if actor.is_staff else bool(before and before.lets_teach)
    return RegistrationFields(
        name=name, issuer=issuer, client_id=client_id, kind=fields.kind, lets_teach=lets_teach,
        login_url=fields.login_url.strip(), keys_url=fields.keys_url.strip(), token_url=fields.token_url.strip(),
        token_audience=fields.token_audience.strip()[:1000], frame_origins=list(dict.fromkeys(origins)),
    )  # fmt: skip


def _refuse_stranger(actor: User) -> None:
    if not (actor.is_staff or actor.is_instructor):
        raise ConnectionRefused("Only people who teach, or run this service, connect learning platforms.")


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
