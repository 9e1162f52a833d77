"""`make run` as a person meets it: a real launcher in a folder of its own."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from server.embedded.ports import LOOPBACK, free_port
from tests.servers import Servers
from tests.stacks import Prepared

ROOT = Path(__file__).resolve().parents[2]
GIVEN = ("DATABASE_URL", "REDIS_URL", "DEBUG")  # set by the tests for themselves; a person has not set them


class Run:
    """A launcher and everything it said so far."""

    def __init__(self, folder: Path, static: Path, *, port: int) -> None:
        self.port = port
        self.said = folder / f"said-{port}.txt"
        environment = {name: value for name, value in os.environ.items() if name not in GIVEN}
        environment |= {"VAR_DIR": str(folder), "STATIC_ROOT": str(static), "PORT": str(port)}
        with self.said.open("wb") as said:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "server.run"], cwd=ROOT, env=environment, stdout=said, stderr=said
            )

    def text(self) -> str:
        return self.said.read_text(errors="replace")

    def wait_for(self, ready: Callable[[], bool], seconds: float = 600) -> None:
        end = time.monotonic() + seconds
        while not ready():
            assert time.monotonic() < end, f"not within {seconds} s:\n{self.text()}"
            assert self.process.poll() is None, f"ended:\n{self.text()}"
            time.sleep(0.05)

    def wait_until_open(self) -> None:
        self.wait_for(lambda: f"Open http://{LOOPBACK}:{self.port}" in self.text())

    def family(self) -> list[psutil.Process]:
        return psutil.Process(self.process.pid).children(recursive=True)

    def members(self, word: str) -> list[psutil.Process]:
        """Its direct children whose command holds a word."""
        direct = psutil.Process(self.process.pid).children()
        return [child for child in direct if any(word in part for part in child.cmdline())]

    def end(self, number: signal.Signals) -> int:
        self.process.send_signal(number)
        return self.process.wait(60)


@pytest.fixture
def run(tmp_path: Path, servers: Servers) -> Iterator[Callable[[], Run]]:
    started: list[Run] = []

    def start(port: int | None = None) -> Run:
        started.append(Run(tmp_path, servers.folder / "static", port=port or free_port()))
        return started[-1]

    yield start
    for each in started:
        each.process.kill()
        each.process.wait()


@pytest.fixture
def run_again(run: Callable[..., Run], prepared: Prepared, tmp_path: Path) -> Callable[..., Run]:
    """A launcher in a folder that was prepared before, for what does not depend on beginning from nothing."""
    prepared.copy("embedded", tmp_path)
    return run


def works(process: psutil.Process) -> bool:
    """Whether a process is still there. One that only waits for the machine to take note of its end is not: how soon
    that is, is none of our business."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def test_from_nothing_to_pages_and_back_to_nothing(run: Callable[..., Run], tmp_path: Path) -> None:
    first = run()
    first.wait_until_open()
    assert "demo" in first.text().lower()
    with urllib.request.urlopen(f"http://{LOOPBACK}:{first.port}/health/ready") as response:
        assert json.load(response) == {"database": "ok", "redis": "ok"}
    for word, count in (("gunicorn", 1), ("worker", 2), ("outside", 1), ("beat", 1)):
        assert len(first.members(word)) == count, word
    addresses = {
        connection.laddr.ip
        for process in [psutil.Process(first.process.pid), *first.family()]
        for connection in process.net_connections(kind="inet")
        if connection.status == psutil.CONN_LISTEN
    }
    assert addresses == {LOOPBACK}
    family = first.family()
    assert first.end(signal.SIGINT) == 0
    assert "Everything is stopped." in first.text()
    assert [process for process in family if works(process)] == []

    secret = (tmp_path / "secret-key").read_text()
    again = run()
    again.wait_until_open()
    assert (tmp_path / "secret-key").read_text() == secret
    assert "collected" not in again.text()
    assert again.end(signal.SIGTERM) == 0


def test_when_one_process_dies_it_is_named_and_the_rest_is_stopped(run_again: Callable[..., Run]) -> None:
    started = run_again()
    started.wait_until_open()
    family = started.family()
    started.members("beat")[0].kill()
    assert started.process.wait(60) == 1
    assert "beat ended by itself with status -9" in started.text()
    psutil.wait_procs(family, timeout=30)
    assert [process for process in family if works(process)] == []


def test_when_the_launcher_itself_is_killed_nothing_stays(run_again: Callable[..., Run]) -> None:
    started = run_again()
    started.wait_until_open()
    family = started.family()
    started.process.kill()
    _, alive = psutil.wait_procs(family, timeout=30)
    assert [process for process in alive if works(process)] == []


def test_a_second_one_in_the_same_folder_is_refused(run_again: Callable[..., Run]) -> None:
    first = run_again()
    first.wait_until_open()
    second = run_again(first.port)  # as whoever types `make run` twice does
    assert second.process.wait(60) == 1
    assert f"already runs as process {first.process.pid}" in second.text()


def test_a_port_in_use_is_named_with_a_way_out(run: Callable[..., Run]) -> None:
    with socket.socket() as other:
        other.bind((LOOPBACK, 0))
        other.listen()
        port = other.getsockname()[1]
        refused = run(port)
        assert refused.process.wait(60) == 1
    assert f"Port {port} is taken" in refused.text()
    assert f"PORT={port + 1} make run" in refused.text()


@pytest.mark.parametrize("text", ["http", "0", "70000", "-1"])
def test_a_port_that_is_none_is_refused(text: str, tmp_path: Path) -> None:
    environment = os.environ | {"PORT": text, "VAR_DIR": str(tmp_path)}
    command = [sys.executable, "-m", "server.run"]
    ran = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert f"PORT={text} is no port" in ran.stderr
