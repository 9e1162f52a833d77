"""`make run`: the whole service on this machine, on loopback only, until Ctrl-C.

Whatever is not given is brought along: SQLite without DATABASE_URL, a Redis of our own without REDIS_URL. Web, worker
and beat are the processes that production runs (server.processes). When one dies, it is named and the rest is stopped.
"""

import fcntl
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import FrameType

from server.embedded.child import Child, ChildError
from server.embedded.ports import LOOPBACK, is_taken
from server.embedded.redis_server import RedisServer
from server.processes import COMMANDS

ROOT = Path(__file__).resolve().parent.parent
DEFAULT_PORT = 8000
SLOWEST_START = 120  # seconds, on a machine that is busy with other things


class CannotRun(Exception):
    """Why the service does not start, and what to do about it."""


class Ended(Exception):
    """Somebody asked for the end: Ctrl-C, a closed terminal or a SIGTERM."""


def main() -> int:
    """Run until it is ended (status 0); 1 with a reason when something is missing or a process dies."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _end)
    try:
        with ExitStack() as stack:
            _run(stack)
    except Ended:
        print("Everything is stopped.", flush=True)
        return 0
    except (CannotRun, ChildError) as error:
        print(f"\n{error}", file=sys.stderr, flush=True)
        return 1
    return 0


def _end(number: int, frame: FrameType | None) -> None:
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, signal.SIG_IGN)  # asking twice must not break off the tidying up
    raise Ended


def _run(stack: ExitStack) -> None:
    var = Path(os.environ.get("VAR_DIR") or ROOT / "var")
    var.mkdir(parents=True, exist_ok=True)
    stack.enter_context(_only_one(var / "run.lock"))  # before the port, which this very checkout may have taken
    port = _port()
    redis = None
    if not os.environ.get("REDIS_URL"):
        redis = stack.enter_context(RedisServer())
    environment = _environment(var=var, port=port, redis_url=redis.url if redis else os.environ["REDIS_URL"])
    print("Preparing the database, the catalogue and the demo world …", flush=True)
    told = _prepare(environment)
    environment["PROMETHEUS_MULTIPROC_DIR"] = stack.enter_context(_counters(var))
    children: dict[str, Child] = {}
    stack.callback(_stop, children)
    for name, command in COMMANDS.items():
        log = var / "log" / f"{name}.log"
        log.parent.mkdir(exist_ok=True)
        log.write_bytes(b"")
        children[name] = Child(name, command, log=log, env=environment, cwd=ROOT)
    address = f"http://{LOOPBACK}:{port}"
    children["web"].wait_until(lambda: _answers(address), seconds=SLOWEST_START)
    children["worker"].wait_until(lambda: children["worker"].has_said("ready."), seconds=SLOWEST_START)
    print(
        f"\n{told}\n\nOpen {address}\nWhat the processes log is in {var / 'log'}; Ctrl-C ends everything.", flush=True
    )
    _watch([*children.values(), redis.child] if redis else list(children.values()))


def _port() -> int:
    text = os.environ.get("PORT") or str(DEFAULT_PORT)
    if not (text.isdecimal() and 1 <= int(text) <= 65535):
        raise CannotRun(f"PORT={text} is no port: give a number from 1 to 65535.")
    port = int(text)
    try:
        taken = is_taken(port)
    except PermissionError as error:
        raise CannotRun(f"Port {port} may only be used by root: choose one above 1023, PORT=8080 make run.") from error
    if taken:
        raise CannotRun(f"Port {port} is taken by another program. Choose another one: PORT={port + 1} make run")
    return port


@contextmanager
def _only_one(lock: Path) -> Iterator[None]:
    """Two services on one SQLite file and one secret would look like one that forgets: refuse the second."""
    with lock.open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            file.seek(0)
            raise CannotRun(
                f"This checkout already runs as process {file.read().strip() or 'unknown'}. End it with Ctrl-C where "
                "it was started, or give this one a folder of its own: VAR_DIR=/tmp/gym make run"
            ) from error
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield


def _environment(*, var: Path, port: int, redis_url: str) -> dict[str, str]:
    """What web, worker and beat share; what was given wins, except that nothing but loopback is served."""
    own_key = {} if os.environ.get("SECRET_KEY_FILE") else {"SECRET_KEY": _secret_key(var / "secret-key")}
    return {
        **own_key,
        "DEBUG": "0",
        "HTTPS": "0",
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
        "VAR_DIR": str(var),
        "HOST": LOOPBACK,
        "PORT": str(port),
        "REDIS_URL": redis_url,
    }


def _secret_key(file: Path) -> str:
    """Kept, so that nobody is signed out by a restart; readable by its owner alone."""
    if not file.exists():
        file.touch(mode=0o600)
        file.write_text(secrets.token_urlsafe(50))
    return file.read_text().strip()


def _prepare(environment: dict[str, str]) -> str:
    """Bring database and static files up to date; what the demo world has to say is returned for the end."""
    command = [sys.executable, "manage.py", "prepare", "--demo"]
    ran = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, check=False)
    if ran.returncode != 0:
        raise CannotRun(f"{ran.stdout}The database could not be prepared: the reason is above. Nothing was started.")
    return ran.stdout.strip()


def _counters(var: Path) -> tempfile.TemporaryDirectory[str]:
    """Where processes count, for this run alone. In memory: they write there as if it were theirs, and a disk without
    room would end them in the middle of a request (SIGBUS)."""
    shutil.rmtree(var / "metrics", ignore_errors=True)  # of earlier versions
    memory = Path("/dev/shm")  # noqa: S108 - a private folder is made in it
    return tempfile.TemporaryDirectory(prefix="gym-metrics-", dir=memory if memory.is_dir() else var)


def _answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/health/ready", timeout=2) as response:  # noqa: S310  (our own address)
            return bool(response.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def _watch(children: list[Child]) -> None:
    """Return never: ends by Ended, or by CannotRun naming the process that died."""
    while True:
        for child in children:
            if child.exit_code() is not None:
                raise CannotRun(
                    f"{child.name} ended by itself with status {child.exit_code()}; the rest is stopped."
                    f"{child.last_words()}"
                )
        time.sleep(0.2)


def _stop(children: dict[str, Child]) -> None:
    """Ask all to end, then see to it; the web process first, so that nothing new comes in."""
    for child in children.values():
        child.send(signal.SIGTERM)
    for child in children.values():
        child.stop(seconds=15)


if __name__ == "__main__":
    sys.exit(main())
