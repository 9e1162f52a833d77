"""What guards sessions, forms and pages, and in which forms it still does. `server.checks` refuses all others.

These are set in `server/settings.py` and by no variable, so that they change by an edit alone: one that was made for a
moment, or by a merge, shall not get as far as the first request.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error

HALF_A_YEAR = 15_768_000
STRICT_SITE = ("Lax", "Strict")
#: Says no more to other sites than where somebody comes from, and to plain HTTP nothing.
QUIET_REFERRER = {"no-referrer", "same-origin", "strict-origin", "strict-origin-when-cross-origin"}
#: What runs or loads anything that whoever can write into a page has put there.
LOOSE = {"'unsafe-inline'", "'unsafe-eval'", "'unsafe-hashes'", "*", "http:", "https:", "data:", "blob:"}
#: Directives that must be there, those that fall back on no other among them, with the most that they may let in.
BOUND = {
    "default-src": {"'none'", "'self'"},
    "object-src": {"'none'"},
    "base-uri": {"'none'", "'self'"},
    "form-action": {"'none'", "'self'"},
    "frame-ancestors": {"'none'", "'self'"},
}
#: Directives of code and of styles, where nothing loose may stand.
CODE = ("default-src", "script-src", "script-src-elem", "script-src-attr", "style-src", "style-src-elem",
        "style-src-attr", "worker-src", "connect-src")  # fmt: skip
GUARDS = (
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
)


@dataclass(frozen=True)
class Kept:
    """A setting: what it must be, in words, and whether it is. ``over_tls`` where only HTTPS can keep it."""

    name: str
    wanted: str
    is_so: Callable[[Any], bool]
    over_tls: bool = False


_SESSIONS = (
    Kept("SESSION_COOKIE_SECURE", "True", bool, over_tls=True),
    Kept("SESSION_COOKIE_HTTPONLY", "True", bool),
    Kept("SESSION_COOKIE_SAMESITE", "Lax or Strict", lambda value: value in STRICT_SITE),
    Kept("SESSION_COOKIE_DOMAIN", "None: with a domain its neighbours get the cookie too", lambda value: not value),
    Kept("SESSION_SERIALIZER", "Django's JSONSerializer: another one could run what it reads",
         lambda value: value == "django.contrib.sessions.serializers.JSONSerializer"),
    Kept("SESSION_ENGINE", "one that keeps sessions here, where they can be ended",
         lambda value: not str(value).endswith("signed_cookies")),
)  # fmt: skip
_FORMS = (
    Kept("CSRF_COOKIE_SECURE", "True", bool, over_tls=True),
    Kept("CSRF_COOKIE_SAMESITE", "Lax or Strict", lambda value: value in STRICT_SITE),
    Kept("CSRF_COOKIE_DOMAIN", "None: with a domain its neighbours get the cookie too", lambda value: not value),
    Kept("CSRF_TRUSTED_ORIGINS", "whole origins that begin with https://, none with a *",
         lambda value: all(one.startswith("https://") and "*" not in one for one in value), over_tls=True),
)  # fmt: skip
_HEADERS = (
    Kept("SECURE_SSL_REDIRECT", "True", bool, over_tls=True),
    Kept("SECURE_HSTS_SECONDS", "half a year or more", lambda value: value >= HALF_A_YEAR, over_tls=True),
    Kept("SECURE_CONTENT_TYPE_NOSNIFF", "True", bool),
    Kept("SECURE_REFERRER_POLICY", "one that tells other sites no address",
         lambda value: value in QUIET_REFERRER),
    Kept("SECURE_CROSS_ORIGIN_OPENER_POLICY", "same-origin", lambda value: value == "same-origin"),
    Kept("X_FRAME_OPTIONS", "DENY or SAMEORIGIN", lambda value: str(value).upper() in {"DENY", "SAMEORIGIN"}),
)  # fmt: skip


def weakened() -> Iterator[CheckMessage]:
    """Everything that does not guard any more."""
    for number, which, kept in (
        ("E009", "sessions", _SESSIONS),
        ("E010", "forms", _FORMS),
        ("E011", "pages", _HEADERS),
    ):
        for one in kept:
            if (settings.HTTPS or not one.over_tls) and not one.is_so(getattr(settings, one.name)):
                yield Error(
                    f"{one.name} is {getattr(settings, one.name)!r}, which guards {which} no longer.",
                    hint=f"It must be {one.wanted}.",
                    id=f"server.{number}",
                )
    yield from _loose_policy(getattr(settings, "CONTENT_SECURITY_POLICY", None) or {})
    for name in GUARDS:
        if name not in settings.MIDDLEWARE:
            yield Error(f"{name} is not in MIDDLEWARE.", hint="Put it back: it guards every page.", id="server.E013")


def _loose_policy(policy: Mapping[str, Any]) -> Iterator[CheckMessage]:
    """What the Content-Security-Policy lets in that it should not. One that only reports lets everything in."""
    directives: Mapping[str, Any] = policy.get("DIRECTIVES", {})
    if policy.get("EXCLUDE_URL_PREFIXES"):
        yield _loose("is left out of some pages", "Take EXCLUDE_URL_PREFIXES out.")
    for name, most in BOUND.items():
        if not directives.get(name) or not set(directives[name]) <= most:
            yield _loose(f"has no strict {name}", f"It may hold {' or '.join(sorted(most))} and nothing else.")
    for name in CODE:
        if loose := sorted(LOOSE & {str(source) for source in directives.get(name) or ()}):
            yield _loose(f"has {', '.join(loose)} in {name}", "Put code and styles into files, which come from here.")


def _loose(what: str, hint: str) -> CheckMessage:
    return Error(f"The Content-Security-Policy {what}.", hint=hint, id="server.E012")
