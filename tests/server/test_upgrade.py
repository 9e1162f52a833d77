"""An upgrade without a pause: the code from before the newest migration goes on working on the tables of today."""

import io
import json
import subprocess
import tarfile
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from server.embedded.child import Child
from server.processes import COMMANDS
from tests.missing import cannot_run
from tests.stacks import Prepared, Stack

ROOT = Path(__file__).resolve().parents[2]
NEWEST = max((ROOT / "exercises" / "migrations").glob("[0-9]*.py"))
PASSWORD = "learns-by-heart"


def git(*arguments: str) -> bytes:
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, check=True).stdout


@pytest.fixture(scope="session")
def code_before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the code from before the newest migration came: of the commit before, or of the last one while the
    migration is in none."""
    try:
        added = git("log", "--diff-filter=A", "--format=%H", "-1", "--", str(NEWEST)).decode().strip()
        rooms = ("server", "exercises", "grader", "frontend", "manage.py")
        packed = git("archive", f"{added}^" if added else "HEAD", *rooms)
    except (OSError, subprocess.CalledProcessError):
        why = "test in a clone of the repository, with all its commits"
        cannot_run("no history is here", why, required="REQUIRE_HISTORY")
    folder = tmp_path_factory.mktemp("before")
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")
    return folder


@dataclass
class Program:
    """Somebody's program at the REST door of a service."""

    url: str
    token: str = ""

    def post(self, path: str, **body: Any) -> tuple[int, dict[str, Any]]:
        headers = {"Content-Type": "application/json", "Prefer": "wait=10"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        request = urllib.request.Request(f"{self.url}/api/v1/{path}", json.dumps(body).encode(), headers, method="POST")
        with urllib.request.urlopen(request, timeout=30) as response:
            return response.status, json.load(response)


@pytest.fixture
def upgraded(prepared: Prepared, code_before: Path, tmp_path: Path) -> Iterator[Stack]:
    """A service whose tables are of today, and whose processes run the code from before."""
    stack = Stack("postgres", folder=tmp_path, database_url=prepared.copy("postgres", tmp_path), static=prepared.static)
    stack.redis.start()
    try:
        for name in ("web", "worker"):
            log = tmp_path / f"{name}.log"
            stack.parts[name] = Child(name, COMMANDS[name], log=log, env=stack.env, cwd=code_before)
        stack.parts["web"].wait_until(stack.answers, seconds=120)
        worker = stack.parts["worker"]
        worker.wait_until(lambda: worker.has_said("ready."), seconds=120)
        yield stack
    finally:
        stack.stop()


def test_the_code_from_before_marks_on_the_tables_of_today(upgraded: Stack, code_before: Path) -> None:
    assert not (code_before / NEWEST.relative_to(ROOT)).exists()
    upgraded.run(f"User.objects.create_user('stays', password={PASSWORD!r})")
    learner = Program(upgraded.url)
    _, made = learner.post("tokens", username="stays", password=PASSWORD, label="a script")
    learner.token = made["token"]
    status, variant = learner.post("problems/masked-token-loss/variants")
    assert status == 201
    status, told = learner.post(f"variants/{variant['id']}/answers", answers={"p": "0.123"}, check=["p"])
    assert (status, told["submission"]["state"]) == (200, "graded"), told
    # What it wrote, the code of today reads, and the other way round.
    assert "GRADED 1" in upgraded.run("print('GRADED', Grading.objects.count())")
