"""The LTI consumer of Open edX in an environment of its own, made when it is first asked for and kept in var/."""

import fcntl
import hashlib
import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.missing import cannot_run

HERE = Path(__file__).parent
LOCK = HERE / "requirements-xblock.txt"
VAR = HERE.parents[2] / "var"


@pytest.fixture(scope="session")
def openedx_python() -> Path:
    """The Python of that environment: what is locked, by its hashes, and nothing else."""
    digest = hashlib.sha256(LOCK.read_bytes() + sys.version.encode()).hexdigest()[:12]
    made = VAR / f"openedx-{digest}"
    VAR.mkdir(exist_ok=True)
    with Path(f"{made}.lock").open("w") as lock:
        # One run makes it, another one that began meanwhile waits.
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (made / "ready").exists():
            uv = [sys.executable, "-m", "uv"]
            install = [
                "pip",
                "install",
                "--quiet",
                "--python",
                str(made / "bin" / "python"),
                "--require-hashes",
                "-r",
                str(LOCK),
            ]
            for command in (["venv", "--quiet", "--clear", "--python", sys.executable, str(made)], install):
                done = subprocess.run([*uv, *command], capture_output=True, text=True, timeout=300, check=False)
                if done.returncode:
                    why = (done.stderr.strip().splitlines() or ["no reason was given"])[-1]
                    cannot_run("Open edX's LTI consumer", why, required="REQUIRE_OPENEDX")
            (made / "ready").touch()
    return made / "bin" / "python"


class OpenEdx:
    """A platform that is running. ``said`` is how it is registered, ``tool`` where it finds us."""

    def __init__(self, said: dict[str, str], tool: str) -> None:
        self.said, self.tool = said, tool


@pytest.fixture
def openedx(openedx_python: Path, tmp_path: Path, live_server: Any) -> Iterator[OpenEdx]:
    """The platform as a process of its own on loopback; it fetches our keys from the live server."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [str(openedx_python), str(HERE / "platform_process.py"), str(port), str(tmp_path / "edx.sqlite3")]
    environment = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    with (tmp_path / "log").open("w") as log:
        process = subprocess.Popen(
            [*command, live_server.url, f"{live_server.url}/lti/keys"], stdout=subprocess.PIPE, stderr=log, text=True,
            env=environment, cwd=tmp_path,
        )  # fmt: skip
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        assert line, (tmp_path / "log").read_text()[-3000:]
        yield OpenEdx(json.loads(line), live_server.url)
    finally:
        process.terminate()
        process.wait(timeout=20)
        process.stdout.close()
