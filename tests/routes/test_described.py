"""An outside client that knows the description only: whatever it sends, for whomever, nothing breaks, and every answer
is one that was described."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, transaction
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from exercises.models import Course, User
from server.api.throttles import KeyThrottle, PasswordThrottle, WorkThrottle
from server.wsgi import application
from tests.exercises.conftest import published
from tests.routes.world import ROLES, World

__all__ = ["published"]
pytestmark = pytest.mark.usefixtures("servers", "published", "elsewhere")
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
#: What is described, from everybody; what is not, from nobody and from who may do the most.
ASKING = {GenerationMode.POSITIVE: "".join(ROLES), GenerationMode.NEGATIVE: "NA"}
#: On the embedded default only from who may do the most: who may do what no database changes.
ASKING_EMBEDDED = "A"
#: Requests to each operation, the same ones for each role; `EXPLORE=1` looks for new ones.
EXAMPLES = 4


@pytest.fixture
def world(course: Course, bob: User, alice: User) -> World:
    return World(course, bob, alice)


@pytest.fixture(autouse=True)
def _no_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is refused for its number tells nothing."""
    monkeypatch.setattr(KeyThrottle, "per_key", {"reads": 10**6, "writes": 10**6})
    monkeypatch.setattr(WorkThrottle, "per_user", 10**6)
    monkeypatch.setattr(PasswordThrottle, "per_name", 10**6)
    monkeypatch.setattr(PasswordThrottle, "per_address", 10**6)


@pytest.fixture(autouse=True)
def _one_connection() -> Iterator[None]:
    """Requests leave the connection of the test open, as those of Django's own client do."""
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield
    for signal in signals:
        signal.connect(close_old_connections)


def operations() -> Iterator[Any]:
    """Every operation of the description."""
    described = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", application)
    for found in described.get_all_operations():
        yield found.ok()


def _tried_by_all(case: Any, world: World, asking: str) -> None:
    """One request, sent by one after the other as if none before had sent it: making it up takes longer."""
    for who in asking:
        key = {"Authorization": f"Bearer {world.tokens[who]}"} if who in world.tokens else {}
        try:
            with transaction.atomic():
                answer = case.call(headers=key)
                transaction.set_rollback(True)
            case.validate_response(answer, checks=CHECKS)
        except BaseException as fault:
            fault.add_note(f"asked by {ROLES[who] or 'nobody'}")
            raise


@pytest.mark.parametrize("mode", list(ASKING), ids=[mode.value for mode in ASKING])
def test_nothing_breaks_and_every_answer_was_described(
    mode: GenerationMode, world: World, request: pytest.FixtureRequest
) -> None:
    asking = ASKING_EMBEDDED if request.config.getoption("embedded") else ASKING[mode]
    for operation in operations():
        room = operation.path.split("/")[3]
        real = world.arguments(
            {"submissions": "api:submission", "tokens": "api:token"}.get(room, ""),
            re.findall(r"{(\w+)}", operation.path),
        )
        there = {name: str(value) for name, value in real.items()}
        cases = operation.as_strategy(mode) | operation.as_strategy(mode, path_parameters=there)

        @settings(
            max_examples=EXAMPLES, deadline=None, phases=[Phase.explicit, Phase.generate], database=None,
            derandomize=True, suppress_health_check=list(HealthCheck),
        )  # fmt: skip
        @given(case=cases)
        def tried(case: Any) -> None:
            _tried_by_all(case, world, asking)

        tried()
