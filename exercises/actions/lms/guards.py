"""What people who keep a registration may do with it, and what only who runs this service may.

Whoever names the keys of a platform can be everybody who ever came from it, so that is settled once others rely on it.
"""

import logging
from collections.abc import Mapping

from exercises.actions.lms.refusals import ConnectionRefused
from exercises.lti.addresses import is_at_home, is_own_audience, same_issuer
from exercises.models import Deployment, PlatformUser, Registration, User

log = logging.getLogger(__name__)
#: By what a platform is known, and where it is called: whoever changes one of these puts another in its place.
SETTLED = ("issuer", "client_id", "keys_url", "login_url", "token_url", "token_audience")
SAME = "A platform of this issuer and client id is registered already."
SECOND = (
    "A platform of this issuer is registered already. Only whoever runs this service registers another client of it: "
    "ask there."
)
OFF = "Whoever runs this service has switched it off: ask there."
REFUSED = "Whoever runs this service has refused this deployment: ask there."


def refuse_audience(actor: User, audience: str, token_url: str, before: Registration | None) -> None:
    """Nobody but who runs the service has us sign for one place and send it to another. Raises ConnectionRefused."""
    is_known = before is not None and (before.token_audience, before.token_url) == (audience, token_url)
    if not (actor.is_staff or is_known or is_own_audience(audience, token_url)):
        raise ConnectionRefused(
            "This audience is at another host than the access token URL. Leave it empty, or ask whoever runs this "
            "service to put it in.",
            "token_audience",
        )


def refuse_pretence(
    actor: User, issuer: str, client_id: str, addresses: Mapping[str, str], before: Registration | None = None
) -> None:
    """Nobody but who runs the service registers a platform that is here already, or one whose addresses lie elsewhere:
    whoever names other keys for an issuer can pretend to be it. What was there ``before`` stays. Raises
    ConnectionRefused with the field that is wrong."""
    if actor.is_staff:
        return
    known = Registration.objects.filter(issuer__in=same_issuer(issuer))
    if before is not None:
        known = known.exclude(pk=before.pk)
    is_moved = before is None or before.issuer != issuer
    if is_moved and known.exists():
        is_twice = known.filter(client_id=client_id).exists()
        raise ConnectionRefused(SAME if is_twice else SECOND, "client_id" if is_twice else "issuer")
    for name, address in addresses.items():
        is_kept = before is not None and not is_moved and getattr(before, name) == address
        if address and not is_kept and not is_at_home(address, issuer):
            raise ConnectionRefused(
                f"This address is at another host than the issuer, {issuer[:200]}. If that is right, ask whoever runs "
                "this service to register the platform.",
                name,
            )


def refuse_takeover(actor: User, registration: Registration, changed: list[str]) -> None:
    """Nobody but who runs the service puts another platform in the place of one that others rely on; a token URL that
    is missing may be put in. Inside the transaction that changes it, with its row held. Raises ConnectionRefused."""
    settled = [name for name in changed if name in SETTLED and not (name == "token_url" and not registration.token_url)]
    if settled and not actor.is_staff and is_relied_on(registration):
        raise ConnectionRefused(
            "People have come from this platform, or its teachers may teach here: only whoever runs this service "
            "changes this now, for who names its keys and addresses could come in as any of them.",
            settled[0],
        )


def is_relied_on(registration: Registration) -> bool:
    """Whether people other than who made a registration have come from it, or its teachers become teachers here."""
    return registration.lets_teach or has_people(registration)


def has_people(registration: Registration) -> bool:
    """Whether people other than who made a registration have come from it. One query."""
    return PlatformUser.objects.filter(registration=registration).exclude(user=registration.made_by_id).exists()


def may_switch(actor: User, registration: Registration) -> bool:
    """Whether somebody who keeps a registration may let launches in, or keep them out: what whoever runs the service
    has switched off stays off."""
    is_off = registration.state != Registration.State.ACTIVE
    return actor.is_staff or not is_off or _is_by_keeper(registration.switched_by)


def may_decide(actor: User, deployment: Deployment) -> bool:
    """Whether somebody who keeps a registration may decide on a deployment: what whoever runs the service has refused
    stays refused."""
    is_refused = deployment.state == Deployment.State.REFUSED
    return actor.is_staff or not is_refused or _is_by_keeper(deployment.decided_by)


def log_change(actor: User, registration: Registration, words: str) -> None:
    """A line in the log, of which platform and by whom: there is no course with an audit trail that it belongs to."""
    log.warning("The registration %s of %s: %s by %s", registration.public_id, registration.issuer, words, actor.pk)


def _is_by_keeper(decided_by: User | None) -> bool:
    # Nobody is left for whoever's account was deleted; that may have been somebody who ran the service.
    return decided_by is not None and not decided_by.is_staff
