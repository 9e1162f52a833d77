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
from server.checks import misspelt_queue_settings, refuse_to_serve, unsafe_queue_settings, unsafe_settings
from server.processes import COMMANDS

ROOT = Path(__file__).resolve().parents[2]
SAFE = {
    "DEBUG": False,
    "HTTPS": True,
    "SECRET_KEY": "k" * 50,
    "SECRET_KEY_GIVEN": True,
    "ALLOWED_HOSTS": ["gym.example", "localhost"],
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
        ({"ALLOWED_HOSTS": [".example"], "HTTPS": False}, "server.E003"),
    ],
)
def test_each_unsafe_setting_is_named(settings: Settings, changed: dict[str, Any], expected: str) -> None:
    assert found(settings, **changed) == [expected]
    with pytest.raises(ImproperlyConfigured, match=expected):
        refuse_to_serve()


def test_the_web_process_needs_a_key_that_stays(settings: Settings) -> None:
    apply(settings, SECRET_KEY_GIVEN=False)
    with pytest.raises(ImproperlyConfigured, match="SECRET_KEY is not set"):
        refuse_to_serve()


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
