"""Settings that would do harm are refused, each with the way out."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from pytest_django import Settings

from server.celery import app
from server.checks import (
    misspelt_queue_settings,
    refuse_to_serve,
    refuse_to_work,
    unsafe_queue_settings,
    unsafe_settings,
    weakened_settings,
)
from server.processes import COMMANDS

ROOT = Path(__file__).resolve().parents[2]
SAFE = {
    "DEBUG": False,
    "HTTPS": True,
    "SECRET_KEY": "k" * 50,
    "SECRET_KEY_GIVEN": True,
    "ALLOWED_HOSTS": ["gym.example", "localhost"],
    # What server.settings makes of HTTPS.
    "SESSION_COOKIE_SECURE": True,
    "CSRF_COOKIE_SECURE": True,
    "SECURE_SSL_REDIRECT": True,
    "SECURE_HSTS_SECONDS": 31_536_000,
}


def apply(settings: Settings, **changed: Any) -> None:
    for name, value in (SAFE | changed).items():
        setattr(settings, name, value)


def found(settings: Settings, **changed: Any) -> list[str | None]:
    apply(settings, **changed)
    return [problem.id for problem in unsafe_settings()]


def test_production_settings_pass(settings: Settings) -> None:
    assert found(settings) == []
    refuse_to_serve()


def test_plain_http_on_loopback_passes(settings: Settings) -> None:
    assert found(settings, HTTPS=False, ALLOWED_HOSTS=["localhost", "127.0.0.1", "[::1]"]) == []


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"SECRET_KEY": "short"}, "server.E001"),
        ({"DEBUG": True}, "server.E002"),
        ({"HTTPS": False}, "server.E003"),
        ({"ALLOWED_HOSTS": ["*"]}, "server.E004"),
        ({"ALLOWED_HOSTS": [".example"]}, "server.E004"),
        ({"ALLOWED_HOSTS": ["https://gym.example"]}, "server.E014"),
        ({"ALLOWED_HOSTS": ["gym.example:443"]}, "server.E014"),
        ({"ALLOWED_HOSTS": ["[2001:db8::1]:443"]}, "server.E014"),
        ({"ALLOWED_HOSTS": ["gym.example another.example"]}, "server.E014"),
        ({"ALLOWED_HOSTS": ["localhost"], "BEHIND_PROXY": True}, "server.E015"),
    ],
)
def test_each_unsafe_setting_is_named(settings: Settings, changed: dict[str, Any], expected: str) -> None:
    assert found(settings, **changed) == [expected]
    with pytest.raises(ImproperlyConfigured, match=expected):
        refuse_to_serve()


def test_hosts_are_names_or_addresses_and_a_proxy_needs_one(settings: Settings) -> None:
    assert found(settings, ALLOWED_HOSTS=["gym.example", "192.0.2.1", "[2001:db8::1]"], BEHIND_PROXY=True) == []


@pytest.mark.parametrize(
    ("name", "weak", "expected"),
    [
        ("SESSION_COOKIE_SECURE", False, "E009"),
        ("SESSION_COOKIE_HTTPONLY", False, "E009"),
        ("SESSION_COOKIE_SAMESITE", "None", "E009"),
        ("SESSION_COOKIE_SAMESITE", False, "E009"),
        ("SESSION_COOKIE_DOMAIN", ".example", "E009"),
        ("SESSION_SERIALIZER", "django.contrib.sessions.serializers.PickleSerializer", "E009"),
        ("SESSION_ENGINE", "django.contrib.sessions.backends.signed_cookies", "E009"),
        ("CSRF_COOKIE_SECURE", False, "E010"),
        ("CSRF_COOKIE_SAMESITE", None, "E010"),
        ("CSRF_COOKIE_DOMAIN", ".example", "E010"),
        ("CSRF_TRUSTED_ORIGINS", ["https://*.example"], "E010"),
        ("CSRF_TRUSTED_ORIGINS", ["http://gym.example"], "E010"),
        ("SECURE_SSL_REDIRECT", False, "E011"),
        ("SECURE_HSTS_SECONDS", 60, "E011"),
        ("SECURE_CONTENT_TYPE_NOSNIFF", False, "E011"),
        ("SECURE_REFERRER_POLICY", "unsafe-url", "E011"),
        ("SECURE_REFERRER_POLICY", None, "E011"),
        ("SECURE_CROSS_ORIGIN_OPENER_POLICY", None, "E011"),
        ("X_FRAME_OPTIONS", "ALLOWALL", "E011"),
    ],
)
def test_what_guards_sessions_forms_and_pages_cannot_be_weakened(
    settings: Settings, name: str, weak: Any, expected: str
) -> None:
    apply(settings)
    assert weakened_settings() == []
    setattr(settings, name, weak)
    assert [(problem.id, name in problem.msg) for problem in weakened_settings()] == [(f"server.{expected}", True)]
    with pytest.raises(ImproperlyConfigured, match=f"{expected}: {name}"):
        refuse_to_serve()


def test_what_only_tls_can_keep_is_not_asked_of_loopback(settings: Settings) -> None:
    weaker = {"SESSION_COOKIE_SECURE": False, "CSRF_COOKIE_SECURE": False, "SECURE_SSL_REDIRECT": False}
    apply(settings, HTTPS=False, ALLOWED_HOSTS=["localhost"], SECURE_HSTS_SECONDS=0, **weaker)
    assert weakened_settings() == []
    settings.SESSION_COOKIE_HTTPONLY = False
    assert [problem.id for problem in weakened_settings()] == ["server.E009"]


@pytest.mark.parametrize(
    ("directive", "sources"),
    [
        ("script-src", ["'self'", "'unsafe-inline'"]),
        ("script-src", ["'self'", "'unsafe-eval'"]),
        ("script-src", ["https:"]),
        ("script-src-attr", ["'unsafe-hashes'"]),
        ("style-src", ["'self'", "'unsafe-inline'"]),
        ("connect-src", ["*"]),
        ("object-src", ["'self'"]),
        ("object-src", []),
        ("base-uri", ["https://elsewhere.example"]),
        ("form-action", None),
        ("frame-ancestors", ["*"]),
        ("default-src", ["'self'", "data:"]),
    ],
)
def test_no_page_may_run_what_somebody_wrote_into_it(settings: Settings, directive: str, sources: Any) -> None:
    apply(settings)
    policy = settings.CONTENT_SECURITY_POLICY
    settings.CONTENT_SECURITY_POLICY = {"DIRECTIVES": {**policy["DIRECTIVES"], directive: sources}}
    found = weakened_settings()
    assert {problem.id for problem in found} == {"server.E012"}
    assert any(directive in problem.msg for problem in found)


@pytest.mark.parametrize("policy", [None, {}, {"DIRECTIVES": {}}])
def test_a_service_without_a_policy_for_its_pages_is_refused(settings: Settings, policy: Any) -> None:
    apply(settings, CONTENT_SECURITY_POLICY=policy)
    with pytest.raises(ImproperlyConfigured, match=r"server\.E012"):
        refuse_to_serve()


def test_no_page_is_left_out_of_the_policy_and_no_guard_out_of_the_way(settings: Settings) -> None:
    apply(settings)
    policy = settings.CONTENT_SECURITY_POLICY
    settings.CONTENT_SECURITY_POLICY = {**policy, "EXCLUDE_URL_PREFIXES": ["/accounts/"]}
    assert [problem.id for problem in weakened_settings()] == ["server.E012"]
    settings.CONTENT_SECURITY_POLICY = policy
    settings.MIDDLEWARE = [name for name in settings.MIDDLEWARE if not name.endswith("CsrfViewMiddleware")]
    assert [problem.id for problem in weakened_settings()] == ["server.E013"]


def test_web_and_workers_need_a_key_that_stays(settings: Settings) -> None:
    apply(settings, SECRET_KEY_GIVEN=False)
    with pytest.raises(ImproperlyConfigured, match="SECRET_KEY is not set"):
        refuse_to_serve()
    # A worker would make signing keys that nobody else can open, and open none of the others.
    with pytest.raises(SystemExit, match="SECRET_KEY is not set"):
        refuse_to_work()


def test_a_misspelt_celery_setting_is_an_error(settings: Settings) -> None:
    assert misspelt_queue_settings() == []
    settings.CELERY_TASK_ACK_LATE = True
    assert ["TASK_ACK_LATE" in problem.msg for problem in misspelt_queue_settings()] == [True]


@pytest.fixture
def transport(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The options that a worker would really use, to be changed at will."""
    options = dict(app.conf.broker_transport_options)
    monkeypatch.setitem(app.conf, "broker_transport_options", options)
    return options


def test_a_misspelt_transport_option_is_an_error(transport: dict[str, Any]) -> None:
    transport["visiblity_timeout"] = 90
    assert ["visiblity_timeout" in problem.msg for problem in misspelt_queue_settings()] == [True]


def test_a_worker_never_waits_for_acknowledgements_that_an_outage_would_break(
    transport: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert unsafe_queue_settings() == []
    monkeypatch.setitem(app.conf, "task_acks_late", True)
    assert [problem.id for problem in unsafe_queue_settings()] == ["server.E007"]
    monkeypatch.undo()
    del transport["ack_emulation"]
    monkeypatch.setitem(app.conf, "broker_transport_options", transport)
    assert [problem.id for problem in unsafe_queue_settings()] == ["server.E007"]


def test_publishing_never_sleeps_inside_a_request(transport: dict[str, Any]) -> None:
    del transport["max_retries"]
    assert [problem.id for problem in unsafe_queue_settings()] == ["server.E008"]


@pytest.mark.parametrize("role", ["worker", "beat"])
def test_worker_and_beat_refuse_to_start(role: str, tmp_path: Path) -> None:
    environment = os.environ | {"DEBUG": "0", "ALLOWED_HOSTS": "*", "VAR_DIR": str(tmp_path)}
    command = [sys.executable, "-m", *COMMANDS[role]]
    ran = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert ran.returncode == 1
    assert "server.E004: ALLOWED_HOSTS holds a wildcard." in ran.stderr
