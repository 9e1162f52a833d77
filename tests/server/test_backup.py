"""The drill of docs/operations.md: dump, destroy, restore; then everything is there again, and learning goes on."""

import os
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from server.embedded.postgres_server import find_postgres
from tests.servers import Servers
from tests.stacks import Prepared, Stack

ROOT = Path(__file__).resolve().parents[2]
DOCS = (ROOT / "docs/operations.md").read_text()

#: Three learners who answer, one of them twice, and one who is to be marked after the restore.
LIVES = """
from exercises.actions import draw_variant, send_answer
from exercises.tasks import sweep_pending
for name in ("first", "second", "third"):
    learner = User.objects.create_user(name, password="learns-by-heart")
    for slug in ("masked-token-loss", "mask-counts"):
        variant = draw_variant(learner=learner, slug=slug, seed=7)
        for typed in ("0.5", "½"):
            steps = [step.name for step in __import__("exercises.loading").loading.problem_of(variant).steps]
            send_answer(learner=learner, variant=variant, answers={steps[-1]: typed})
print("MARKED", sweep_pending())
"""
GOES_ON = """
from exercises.actions import draw_variant, send_answer
from exercises.tasks import sweep_pending
learner = User.objects.create_user("newcomer", password="learns-by-heart")
variant = draw_variant(learner=learner, slug="masked-token-loss", seed=8)
send_answer(learner=learner, variant=variant, answers={"p": "0.5"})
print("MARKED", sweep_pending())
"""


@pytest.fixture
def at_rest(prepared: Prepared, tmp_path: Path) -> Iterator[Callable[[str], Stack]]:
    """A function for a service on a database whose processes do not run: there is only a shell in it."""
    made: list[Stack] = []

    def service(database_url: str) -> Stack:
        folder = tmp_path / f"service-{len(made)}"
        folder.mkdir()
        made.append(Stack("postgres", folder=folder, database_url=database_url, static=prepared.static))
        made[-1].redis.start()
        return made[-1]

    yield service
    for stack in made:
        stack.stop()


def written(name: str) -> str:
    """The command of that program as the docs write it, in one line."""
    found = re.search(rf"^    ({name} .*)$", DOCS, re.MULTILINE)
    assert found, f"docs/operations.md has no {name}"
    return found[1]


def test_a_backup_brings_everything_back(
    at_rest: Callable[[str], Stack], prepared: Prepared, servers: Servers, tmp_path: Path
) -> None:
    lost = at_rest(prepared.copy("postgres", tmp_path))
    assert "MARKED" in lost.run(LIVES)
    before = lost.manage("tally")
    assert re.search(r"^exercises_submission +[1-9]\d* +\w{64}$", before, re.MULTILINE)
    # Programs of the server's own version: an older pg_dump refuses a newer server.
    programs = find_postgres(tmp_path / "programs").folder
    shell = {**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
    _run("pg_dump", shell | {"DATABASE_URL": lost.env["DATABASE_URL"]}, tmp_path)
    with psycopg.connect(lost.env["DATABASE_URL"], autocommit=True) as connection:
        connection.execute("DROP SCHEMA public CASCADE")

    restored = at_rest(servers.new_database())
    _run("pg_restore", shell | {"DATABASE_URL": restored.env["DATABASE_URL"]}, tmp_path)
    assert restored.manage("tally") == before
    restored.manage("migrate", "--check")
    # Sequences, triggers and constraints came along as well: life goes on.
    assert "MARKED 1" in restored.run(GOES_ON)


@pytest.mark.parametrize("program", ["pg_dump", "pg_restore"])
def test_in_containers_it_is_done_alike(program: str) -> None:
    line = re.search(rf"^    docker compose exec --no-TTY postgres {program} (.*)$", DOCS, re.MULTILINE)
    assert line
    kept = {word for word in written(program).split() if word.startswith("--")} - {"--file", "--dbname"}
    assert kept <= set(line[1].split())


def _run(program: str, environment: dict[str, str], folder: Path) -> None:
    ran = subprocess.run(
        written(program), shell=True, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
