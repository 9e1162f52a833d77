"""System checks that refuse a configuration before it can do harm.

`manage.py` runs them with every command; web, worker and beat refuse to start when one fails.
"""

import re
from collections.abc import Iterator
from typing import Any

from celery.app.defaults import SETTING_KEYS
from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register  # noqa: A004
from django.core.exceptions import ImproperlyConfigured
from kombu.transport.redis import Channel

from server.celery import app
from server.weakened import weakened

LOOPBACK_HOSTS = {"localhost", "127.0.0.1", "[::1]"}
SHORTEST_SECRET_KEY = 32
#: What stands in an address and in no name of a host. Colons within brackets are of IPv6.
_PORT_OR_PATH = re.compile(r"[/\s]|^[^\[]*:|\]:")
# Understood by Celery or kombu themselves before the transport sees the rest.
CONNECTION_OPTIONS = {"max_retries", "interval_start", "interval_step", "interval_max", "errback", "confirm_publish"}


def refuse_to_serve() -> None:
    """For the web process: ImproperlyConfigured with everything that is wrong, so that no request is served."""
    if found := _all_that_is_wrong():
        raise ImproperlyConfigured(_told(found))


def refuse_to_work(**_: Any) -> None:
    """For worker and beat, which run the checks but go on whatever they find: SystemExit, as Celery eats the rest."""
    if found := _all_that_is_wrong():
        raise SystemExit(_told(found))


def _all_that_is_wrong() -> list[CheckMessage]:
    """Also for a worker, which opens and seals secrets: by a key of its own making it would lose them."""
    found = [*unsafe_settings(), *weakened_settings(), *misspelt_queue_settings(), *unsafe_queue_settings()]
    if not settings.DEBUG and not settings.SECRET_KEY_GIVEN:
        found.append(Error("SECRET_KEY is not set.", hint=_KEY_HINT, id="server.E001"))
    return found


def _told(found: list[CheckMessage]) -> str:
    return "\n".join(f"{problem.id}: {problem.msg} {problem.hint}" for problem in found)


_KEY_HINT = "Set it to 50 random characters; all web and worker processes must share it."


@register()
def unsafe_settings(**_: Any) -> list[CheckMessage]:
    """Refuse what is unsafe as soon as anybody but this machine can reach the pages."""
    return list(_unsafe_settings())


def _unsafe_settings() -> Iterator[CheckMessage]:
    strangers = [host for host in settings.ALLOWED_HOSTS if host not in LOOPBACK_HOSTS]
    if len(settings.SECRET_KEY) < SHORTEST_SECRET_KEY:
        yield Error(f"SECRET_KEY has under {SHORTEST_SECRET_KEY} characters.", hint=_KEY_HINT, id="server.E001")
    if strangers and settings.DEBUG:
        yield Error(
            f"DEBUG is on while {', '.join(strangers)} may be asked for.",
            hint="Set DEBUG=0, or take every host but loopback out of ALLOWED_HOSTS.",
            id="server.E002",
        )
    if strangers and not settings.DEBUG and not settings.HTTPS:
        yield Error(
            f"HTTPS is off while {', '.join(strangers)} may be asked for: passwords would travel in the open.",
            hint="Set HTTPS=1 and put a TLS proxy in front (BEHIND_PROXY=1), or allow loopback hosts only.",
            id="server.E003",
        )
    # For Django a name that begins with a dot is one: everything below it.
    if any("*" in host or host.startswith(".") for host in strangers):
        yield Error(
            "ALLOWED_HOSTS holds a wildcard.",
            hint="Name the hosts: links in mails and redirects are built from what a request claims to be for.",
            id="server.E004",
        )
    yield from _hosts_nobody_asks_for(strangers)


def _hosts_nobody_asks_for(strangers: list[str]) -> Iterator[CheckMessage]:
    """Who writes an address where a name belongs, or nothing, would find out by a 400 for everybody."""
    if addresses := [host for host in strangers if _PORT_OR_PATH.search(host)]:
        yield Error(
            f"ALLOWED_HOSTS holds {', '.join(addresses)}, which is no name of a host.",
            hint="Write the name alone, without https:// and without a port: gym.example.org.",
            id="server.E014",
        )
    if settings.BEHIND_PROXY and not strangers:
        yield Error(
            "A proxy stands in front, and ALLOWED_HOSTS names no host that it may ask for.",
            hint="Set ALLOWED_HOSTS to the names that people type: gym.example.org.",
            id="server.E015",
        )


@register()
def weakened_settings(**_: Any) -> list[CheckMessage]:
    """Refuse sessions, forms and pages that are guarded less than they were built to be, also on this machine alone."""
    return list(weakened())


@register()
def missing_mail(**_: Any) -> list[CheckMessage]:
    """Tell, without refusing to serve, that whoever forgets a password cannot get a new one by mail."""
    if settings.EMAIL_BACKEND != "server.mail.NoBackend":
        return []
    return [
        Warning(
            "No mail server is set, so nobody can get a new password by mail.",
            hint="Set EMAIL_URL and DEFAULT_FROM_EMAIL, or set passwords with manage.py changepassword NAME.",
            id="server.W001",
        )
    ]


@register()
def misspelt_queue_settings(**_: Any) -> list[CheckMessage]:
    """Celery passes over settings it does not know; here a misspelt one is an error."""
    known = {key.upper() for key in SETTING_KEYS}
    found: list[CheckMessage] = [
        Error(
            f"CELERY_{name} is no setting of Celery.",
            hint="Correct its spelling, or remove it: it has no effect.",
            id="server.E005",
        )
        for name in _celery_names()
        if name not in known
    ]
    understood = set(Channel.from_transport_options) | CONNECTION_OPTIONS
    found += [
        Error(
            f"The broker's transport has no option {name!r}.",
            hint="See kombu.transport.redis for the names; a misspelt one is silently left at its default.",
            id="server.E006",
        )
        for name in app.connection_for_write().transport_options
        if name not in understood
    ]
    return found


def _celery_names() -> list[str]:
    return [name.removeprefix("CELERY_") for name in dir(settings) if name.startswith("CELERY_")]


@register()
def unsafe_queue_settings(**_: Any) -> list[CheckMessage]:
    """Read the options the worker will really use, and refuse those by which an outage of Redis would spread."""
    options = app.connection_for_read().transport_options
    found: list[CheckMessage] = []
    if options.get("ack_emulation", True) or app.conf.task_acks_late:
        found.append(
            Error(
                "The worker would end when Redis goes away while a message is unacknowledged.",
                hint="Set ack_emulation and CELERY_TASK_ACKS_LATE to False: a lost wake-up is found by the sweep.",
                id="server.E007",
            )
        )
    if options.get("max_retries") != 0:
        found.append(
            Error(
                "Publishing to a Redis that is down would sleep inside the request.",
                hint="Set max_retries to 0 in CELERY_BROKER_TRANSPORT_OPTIONS: the sweep catches up.",
                id="server.E008",
            )
        )
    return found
