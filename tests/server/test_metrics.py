"""What the service tells Prometheus, and the rules that warn of it."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.db import DatabaseError, connection
from django.test import Client
from redis.exceptions import ConnectionError as RedisConnectionError

from exercises import pulse
from exercises.models import User
from exercises.queries.standing import LATE
from server import signs
from tests.authenticator import given_second_step

pytestmark = pytest.mark.django_db
ALERTS = Path(__file__).resolve().parents[2] / "docs" / "alerts.yml"
RULES: list[dict[str, Any]] = yaml.safe_load(ALERTS.read_text())["groups"][0]["rules"]


@pytest.fixture
def token(settings: Any) -> str:
    settings.METRICS_TOKEN = "a-token-of-prometheus"
    return "Bearer a-token-of-prometheus"


def figures(client: Client, token: str) -> dict[str, float]:
    answer = client.get("/metrics", headers={"Authorization": token})
    assert answer.status_code == 200
    lines = [line for line in answer.content.decode().splitlines() if not line.startswith("#")]
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)}


@pytest.mark.parametrize("said", ["", "Bearer", "Bearer ", "Bearer another", "Basic a-token-of-prometheus", "Bearer ü"])
def test_without_the_token_the_page_is_not_there(client: Client, token: str, said: str) -> None:
    assert client.get("/metrics", headers={"Authorization": said} if said else {}).status_code == 404


def test_without_a_token_set_nothing_opens_it(client: Client, settings: Any) -> None:
    settings.METRICS_TOKEN = ""
    assert client.get("/metrics", headers={"Authorization": "Bearer "}).status_code == 404


def test_it_tells_what_was_asked_for_and_never_of_what_address(client: Client, token: str) -> None:
    name = 'gym_requests_total{door="pages",method="GET",status="404"}'
    before = figures(client, token).get(name, 0)
    client.get("/no/such/page-of-ours/")
    told = figures(client, token)
    assert told[name] == before + 1
    assert not [line for line in told if "page-of-ours" in line]


def test_methods_that_nobody_knows_make_no_figure_of_their_own(client: Client, token: str) -> None:
    client.generic("BREW", "/")
    told = figures(client, token)
    assert not [line for line in told if "BREW" in line]
    assert [line for line in told if 'method="other"' in line]


@pytest.mark.usefixtures("servers")
def test_wrong_passwords_and_wrong_codes_are_counted_apart_by_every_door(
    client: Client, token: str, alice: User, caplog: pytest.LogCaptureFixture
) -> None:
    given_second_step(alice)
    passwords, codes = (f'gym_sign_in_refused_total{{step="{step}"}}' for step in ("password", "code"))
    before = figures(client, token)
    client.post("/accounts/login/", {"login": "alice", "password": "guessed"})
    asked = {"username": "alice", "password": "alice teaches here", "label": "x", "scopes": ["practice"]}
    client.post("/api/v1/tokens", asked | {"password": "guessed"}, content_type="application/json")
    client.post("/api/v1/tokens", asked | {"otp": "1"}, content_type="application/json")
    client.post("/accounts/login/", {"login": "alice", "password": "alice teaches here"})
    client.post("/accounts/second-step/authenticate/", {"code": "2"})
    told = figures(client, token)
    assert (told[passwords] - before[passwords], told[codes] - before[codes]) == (2, 2)
    # Whose password somebody may have stands in the log, by number.
    assert caplog.text.count(f"A code of a second step was wrong (user {alice.pk}).") == 2


def test_without_redis_the_rest_is_told(client: Client, token: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise RedisConnectionError("stopped")

    monkeypatch.setattr(pulse, "_redis", refuse)
    told = figures(client, token)
    assert (told["gym_redis_up"], told["gym_database_up"], told['gym_waiting{queue="answers"}']) == (0, 1, 0)


def test_without_the_database_that_is_told(client: Client, token: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise DatabaseError("gone")

    monkeypatch.setattr(connection, "cursor", refuse)
    told = figures(client, token)
    assert (told["gym_database_up"], told["gym_redis_up"]) == (0, 1)


class Sender:
    """Who sends a signal of Celery, as far as it is looked at."""

    def __init__(self, name: str) -> None:
        self.name = self.hostname = name
        self.eventer = self


def test_workers_and_what_they_ended_are_heard_of(client: Client, token: str) -> None:
    assert figures(client, token)["gym_workers"] == 0
    signs._serve_figures(sender=Sender("celery@host-7"))
    signs._note_task(sender=Sender("exercises.tasks.sweep_pending"))
    signs._note_task(sender=Sender("exercises.tasks.grade_pending"))
    told = figures(client, token)
    assert told["gym_workers"] == 1
    assert told['gym_task_seconds{task="sweep_pending"}'] < 60
    assert 'gym_task_seconds{task="grade_pending"}' not in told


def test_a_worker_that_is_late_is_not_counted_and_after_a_day_forgotten(client: Client, token: str) -> None:
    pulse._note(pulse._WORKERS, "late", pulse.LATE + 1)
    pulse._note(pulse._WORKERS, "forgotten", pulse.FORGOTTEN + 1)
    assert figures(client, token)["gym_workers"] == 0
    assert list(pulse.seconds_since_workers()) == ["late"]


def test_every_queue_has_an_alert_at_the_time_at_which_its_page_calls_it_late() -> None:
    found = [re.match(r'max\(gym_waiting_seconds\{queue="(\w+)"\}\) > (\d+)$', rule["expr"]) for rule in RULES]
    assert {match[1]: float(match[2]) for match in found if match} == dict(LATE)


def test_alerts_ask_for_figures_that_are_told(client: Client, token: str) -> None:
    signs._note_task(sender=Sender("exercises.tasks.sweep_pending"))
    told = {re.sub(r"\{.*", "", name) for name in figures(client, token)}
    for rule in RULES:
        asked = set(re.findall(r"\bgym_\w+", rule["expr"]))
        assert asked
        assert asked <= told, rule["alert"]
        assert rule["annotations"]["summary"].endswith((".", "?"))
