"""One child process that never outlives its parent."""

import contextlib
import ctypes
import os
import pwd
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

PR_SET_PDEATHSIG = 1


class ChildError(RuntimeError):
    """A child could not be started, or died; the message says which, and ends with the last lines it wrote."""


class Child:
    """A process with a name, its own session (so that Ctrl-C reaches only the parent, which stops it in order)."""

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        *,
        log: Path | None = None,
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
        user: str | None = None,
    ) -> None:
        """Start `command`; its output goes to `log`, or where the parent's goes. `user` needs root."""
        self.name = name
        self.log = log
        output: IO[bytes] | None = log.open("ab") if log else None
        try:
            self.process = subprocess.Popen(
                list(command),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT if output else None,
                env=dict(env) if env is not None else None,
                cwd=cwd,
                start_new_session=True,
                preexec_fn=_ends_with_parent(),  # noqa: PLW1509  (whoever starts children here has no threads)
                **identity(user),
            )
        except OSError as error:
            raise ChildError(f"{name} could not be started: {error}") from error
        finally:
            if output:
                output.close()

    @property
    def pid(self) -> int:
        return self.process.pid

    def exit_code(self) -> int | None:
        """None while it runs."""
        return self.process.poll()

    def wait_until(self, ready: Callable[[], bool], *, seconds: float) -> None:
        """Return once `ready()` holds; ChildError if the child dies or the time is over before."""
        end = time.monotonic() + seconds
        while not ready():
            if self.exit_code() is not None:
                raise ChildError(f"{self.name} ended at its start with status {self.exit_code()}.{self.last_words()}")
            if time.monotonic() > end:
                raise ChildError(f"{self.name} was not ready within {seconds:g} s.{self.last_words()}")
            time.sleep(0.02)

    def has_said(self, text: str) -> bool:
        """Whether a text stands in its log by now."""
        return self.log is not None and text in self.log.read_text(errors="replace")

    def last_words(self, lines: int = 12) -> str:
        """The end of its log, for an error message; empty if it writes to the parent's output."""
        if self.log is None or not self.log.exists():
            return ""
        return "\n  " + "\n  ".join(self.log.read_text(errors="replace").splitlines()[-lines:])

    def send(self, number: signal.Signals) -> None:
        """Pass a signal on; nothing happens if the child is gone."""
        if self.exit_code() is None:
            self.process.send_signal(number)

    def stop(self, *, number: signal.Signals = signal.SIGTERM, seconds: float = 10) -> None:
        """Ask it to end, then make it: after this neither it nor a process of its session is left."""
        self.send(number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(seconds)
        self.kill()

    def kill(self) -> None:
        """End the child and its own children at once."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        self.process.wait()


def identity(user: str | None) -> dict[str, Any]:
    """The subprocess arguments that run a command as `user` and nobody else; none if it stays who it is."""
    if user is None:
        return {}
    record = pwd.getpwnam(user)
    return {"user": record.pw_uid, "group": record.pw_gid, "extra_groups": []}


def _ends_with_parent() -> Callable[[], None] | None:
    """What the new process does first: ask Linux for a SIGTERM should its parent vanish without stopping it."""
    if sys.platform != "linux":
        return None
    libc = ctypes.CDLL(None, use_errno=True)
    parent = os.getpid()

    def ask() -> None:
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:  # it vanished in between
            os._exit(1)

    return ask
