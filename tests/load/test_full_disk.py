"""`make run` on a disk that fills up: what is taken is marked once, the rest is refused in words and kept, and nothing
has to be started anew once there is room again."""

import json
import os
import secrets
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import pytest

from server.embedded.ports import LOOPBACK, free_port
from tests.load.faults import COUNT, Counted
from tests.missing import cannot_run
from tests.service_shell import Shell
from tests.stacks import PATIENCE, ROOT, Prepared

#: Room on the small disk beside what is there at first, in bytes.
ROOM = 16_000_000
#: What a person has not set, but the tests have.
GIVEN = ("DATABASE_URL", "REDIS_URL", "DEBUG")
LEARNER = """
import json
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from exercises.actions import draw_variant, issue_token
user, _ = User.objects.get_or_create(username="on-a-small-disk", defaults={"password": "!"})
session = SessionStore()
session[SESSION_KEY] = str(user.pk)
session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
session[HASH_SESSION_KEY] = user.get_session_auth_hash()
session.save()
variant = draw_variant(learner=user, slug="masked-token-loss")
Submission.objects.all().delete()
print(json.dumps([issue_token(user=user)[0], session.session_key, str(variant.public_id), user.pk]))
"""


@dataclass
class Reply:
    """What came back."""

    status: int
    headers: dict[str, str]
    text: str


@dataclass
class Small:
    """A service on a disk of a few megabytes, and one learner."""

    folder: Path
    port: int
    launcher: "subprocess.Popen[bytes]"
    shell: Shell
    token: str = ""
    session: str = ""
    variant: str = ""
    learner: int = 0
    sent: int = 0
    taken: dict[str, str] = field(default_factory=dict)

    def answer(self) -> Reply:
        """One more answer by REST, noted if it was taken."""
        self.sent += 1
        body = {"answers": {"p": f"0.{self.sent:04d}"}, "check": ["p"]}
        reply = self.ask(
            f"/api/v1/variants/{self.variant}/answers", json.dumps(body).encode(),
            {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"},
        )  # fmt: skip
        if reply.status in (200, 202):
            self.taken[str(self.sent)] = json.loads(reply.text)["submission"]["id"]
        return reply

    def hand_in(self, typed: str, **headers: str) -> Reply:
        """One answer by the page's form."""
        form = {"csrfmiddlewaretoken": "c" * 32, "learner": str(self.learner), "form": "a-form", "answer-p": typed}
        return self.ask(f"/variants/{self.variant}/answers/", urllib.parse.urlencode(form).encode(), headers)

    def ask(self, path: str, body: bytes | None, headers: dict[str, str]) -> Reply:
        url = f"http://{LOOPBACK}:{self.port}"
        cookies = {"Cookie": f"sessionid={self.session}; csrftoken={'c' * 32}", "Origin": url}
        request = urllib.request.Request(url + path, body, headers if "Authorization" in headers else headers | cookies)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return Reply(answer.status, dict(answer.headers), answer.read().decode())
        except urllib.error.HTTPError as error:
            with error:
                return Reply(error.code, dict(error.headers), error.read().decode())

    def counted(self) -> Counted:
        return Counted.of(self.shell.run(COUNT), self.taken)

    def family(self) -> dict[int, psutil.Process]:
        """Everything that runs of it, by process id."""
        return {one.pid: one for one in psutil.Process(self.launcher.pid).children(recursive=True)}

    def is_all_marked(self) -> bool:
        return not any(state == "pending" for state, _ in self.counted().stored.values())


def until(happened: Callable[[], bool], what: str) -> None:
    ends = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < ends, f"not within {PATIENCE} s: {what}"
        time.sleep(0.1)


@contextmanager
def small_disk(folder: Path, size: int) -> Iterator[None]:
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "gym-small", str(folder)]
    try:
        tried = subprocess.run(mount, capture_output=True, text=True, check=False)
        why = tried.stderr.strip()
    except FileNotFoundError:
        why = "there is no mount"
    if why:
        cannot_run("no small disk can be made", why, required="REQUIRE_HOSTS")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


@pytest.fixture
def small(prepared: Prepared, tmp_path: Path) -> Iterator[Small]:
    begun = tmp_path / "begun"
    begun.mkdir()
    prepared.copy("embedded", begun)
    database = begun / "gym.sqlite3"
    folder = tmp_path / "small"
    port = free_port()
    environment = {name: value for name, value in os.environ.items() if name not in GIVEN}
    environment |= {"VAR_DIR": str(folder), "STATIC_ROOT": str(prepared.static), "PORT": str(port)}
    environment["SECRET_KEY"] = secrets.token_urlsafe(50)  # the shell signs sessions with it as well
    with small_disk(folder, database.stat().st_size + ROOM):
        shutil.copy(database, folder)
        said = tmp_path / "said.txt"
        with said.open("wb") as output:
            launcher = subprocess.Popen(
                [sys.executable, "-m", "server.run"], cwd=ROOT, env=environment, stdout=output, stderr=output
            )
        shell = Shell(env=environment, log=tmp_path / "shell.log")
        small = Small(folder, port, launcher, shell)
        try:
            until(lambda: "Open http" in said.read_text() or launcher.poll() is not None, "it is up")
            assert launcher.poll() is None, said.read_text()
            small.token, small.session, small.variant, small.learner = json.loads(shell.run(LEARNER))
            yield small
        finally:
            shell.stop()
            launcher.send_signal(signal.SIGTERM)
            launcher.wait(60)


def fill(folder: Path) -> Path:
    """A file that takes all the room there is."""
    filler = folder / "filler"
    with filler.open("ab", buffering=0) as file:
        for size in (1 << 20, 1 << 12, 1):
            try:
                while file.write(b"\0" * size):
                    pass
            except OSError:
                continue
    return filler


@pytest.fixture
def asleep(small: Small) -> Iterator[list[psutil.Process]]:
    """The workers, which do nothing until they are woken."""
    workers = [one for one in small.family().values() if "worker" in one.cmdline()]
    for one in workers:
        one.suspend()
    yield workers
    for one in workers:
        one.resume()


def test_a_full_disk_costs_nothing_that_was_taken_and_keeps_what_was_typed(
    small: Small, asleep: list[psutil.Process]
) -> None:
    family = small.family()
    assert [small.answer().status for _ in range(3)] == [202] * 3
    filler = fill(small.folder)
    for one in asleep:
        one.resume()
    replies = [small.answer() for _ in range(20)]
    refused = [reply for reply in replies if reply.status != 202]
    assert refused, "there was room after all"
    for reply in refused:
        assert (reply.status, json.loads(reply.text)["code"], reply.headers["Retry-After"]) == (503, "no-room", "30")
    page = small.hand_in("0.31415")
    assert page.status == 503
    assert 'name="answer-p" value="0.31415"' in page.text
    assert small.ask("/", None, {}).status == 200

    filler.unlink()
    until(lambda: small.answer().status in (200, 202), "answers are taken again")
    assert small.hand_in("0.31415").status == 200
    until(small.is_all_marked, "all that was taken is marked")
    assert small.counted().wrong() == []
    assert small.shell.run("print(Submission.objects.filter(answers__p='0.31415').count())").strip() == "1"
    assert set(small.family()) == set(family), small.folder
    with closing(sqlite3.connect(small.folder / "gym.sqlite3")) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
