"""The integrator's guide does what it says: its script is run against a live service, from token to grade."""

import importlib.util
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from exercises import clock
from exercises.actions.delivering.signing import body_of, fresh_secret, headers_of
from exercises.models import Course, Event
from exercises.scopes import SCOPES
from tests.stacks import Prepared, Stack

DOCS = Path(__file__).resolve().parents[2] / "docs"
SCRIPT = DOCS / "examples/integrate.py"
PASSWORD = "somebody who learns"
SEED = f"""
from exercises.actions import make_client
from exercises.models import User
teacher = User.objects.create_user("sis", is_instructor=True)
User.objects.create_user("ada", password={PASSWORD!r})
secret, client = make_client(user=teacher, name="Campus", scopes={[*SCOPES]!r})
print("SEEDED", client.client_id, secret)
"""
COUNT = """
from exercises.models import Attempt, Course, Enrolment, ProblemSet, SetItem, Webhook
print("COUNT", [one.objects.count() for one in (Course, Enrolment, ProblemSet, SetItem, Attempt, Webhook)])
"""


@pytest.fixture(scope="module")
def script() -> ModuleType:
    """The script as a module."""
    spec = importlib.util.spec_from_file_location("integrate", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


@pytest.fixture
def home(prepared: Prepared, tmp_path: Path) -> Iterator[Stack]:
    """A live service of its own, which may call receivers on this machine."""
    stack = Stack("embedded", folder=tmp_path, database_url=prepared.copy("embedded", tmp_path), static=prepared.static)
    stack.env["ALLOW_PRIVATE_ADDRESSES"] = "1"
    try:
        stack.redis.start()
        stack.start()
        yield stack
    finally:
        stack.stop()


def known(stack: Stack, client: str, secret: str) -> dict[str, str]:
    """What the guide wants in the environment."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    return {
        "PATH": os.environ["PATH"], "NO_PROXY": "*", "GYM": stack.url, "GYM_CLIENT_ID": client,
        "GYM_CLIENT_SECRET": secret, "GYM_LEARNER": "ada", "GYM_LEARNER_PASSWORD": PASSWORD,
        "GYM_HOOK": f"http://127.0.0.1:{port}/hook", "GYM_PORT": str(port),
    }  # fmt: skip


def ran(command: list[str], environment: dict[str, str]) -> str:
    """What a command prints; it must go through."""
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_script_goes_from_a_token_to_a_grade_and_makes_nothing_twice(home: Stack) -> None:
    printed = next(line for line in home.run(SEED).splitlines() if line.startswith("SEEDED"))
    environment = known(home, *printed.split()[1:])
    # -S: with nothing that is installed here but Python itself.
    script = [sys.executable, "-I", "-S", str(SCRIPT)]
    said = ran(script, environment)
    for line in (
        "in the course: ['sis', 'ada']",
        "'loss': 'right'",
        "grade of ada (4711): 1 100 %",
        "event: score.changed ada 1",
        "delivered: score.changed ada 1",
    ):
        assert line in said
    before = home.run(COUNT)
    assert "grade of ada (4711): 1 100 %" in ran(script, environment)
    assert home.run(COUNT) == before
    # The same by hand, in a course of its own.
    assert shutil.which("curl"), "the guide is written for curl"
    lines = "\n".join(re.findall(r"```sh\n(.*?)```", (DOCS / "integrating.md").read_text(), re.DOTALL))
    by_hand = ran(["sh", "-euc", lines.replace("CS-101", "CS-102")], environment)
    assert re.search(r'"score":"\d/?\d*".*"learner":"ada"', by_hand)
    assert '"secret":"whsec_' in by_hand


def test_the_script_takes_what_we_sign_and_nothing_else(script: ModuleType, course: Course) -> None:
    event = Event.objects.create(course=course, kind="score.changed", data={"score": "2/3"})
    body, secret, old, now = body_of(event), fresh_secret(), fresh_secret(), clock.now()
    for secrets in ([secret], [fresh_secret(), secret], [secret, old]):
        headers = headers_of(event, body, secrets_=secrets, at=now)
        assert script.is_genuine(secret, headers, body, now.timestamp())
        assert not script.is_genuine(secret, headers, body + b" ", now.timestamp())
        assert not script.is_genuine(fresh_secret(), headers, body, now.timestamp())
        assert not script.is_genuine(secret, {**headers, "webhook-id": "another"}, body, now.timestamp())
        assert not script.is_genuine(secret, headers, body, now.timestamp() + script.OLDEST + 2)
    for headers in ({}, {"webhook-timestamp": "x"}, {"webhook-timestamp": str(int(time.time()))}):
        assert not script.is_genuine(secret, headers, body, time.time())
