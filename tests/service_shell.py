"""A Python beside the live service that stays, for what a test wants done in the service's database.

A process of its own for every wish would import everything each time; this one is asked by lines of JSON instead.
"""

import contextlib
import io
import json
import os
import subprocess
import sys
import traceback
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


class Shell:
    """Starts with the first wish; ends with `stop`, or when the tests do."""

    def __init__(self, *, env: Mapping[str, str], log: Path) -> None:
        self._env = {**env, "DJANGO_SETTINGS_MODULE": "server.settings"}
        self._log = log
        self._process: subprocess.Popen[str] | None = None

    def run(self, code: str) -> str:
        """Run ``code``, in which every model has its name, and return what it printed; AssertionError if it fails."""
        process = self._running()
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(code) + "\n")
        process.stdin.flush()
        answer = process.stdout.readline()
        assert answer, f"The shell of the service ended:\n{self._log.read_text(errors='replace')[-4000:]}"
        printed, failed = json.loads(answer)
        assert not failed, f"{code}\nfailed in the service:\n{printed}{failed}"
        return str(printed)

    def _running(self) -> "subprocess.Popen[str]":
        if self._process is None:
            with self._log.open("ab") as log:
                self._process = subprocess.Popen(
                    [sys.executable, "-m", "tests.service_shell"],
                    cwd=ROOT,
                    env=self._env,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=log,
                    text=True,
                )
        return self._process

    def stop(self) -> None:
        """Let it end: it does so when nobody can ask any more."""
        if self._process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.communicate(timeout=10)
            self._process.kill()
            self._process.wait()
            self._process = None


def main() -> None:
    """Do what the lines on standard input ask for, each among fresh names and on fresh connections."""
    import django  # noqa: PLC0415  (who only starts the process need not have the settings)

    django.setup()
    from django.apps import apps  # noqa: PLC0415
    from django.db import connections  # noqa: PLC0415

    for line in sys.stdin:
        printed, failed = io.StringIO(), ""
        names = {model.__name__: model for model in apps.get_models()}
        try:
            with contextlib.redirect_stdout(printed):
                exec(compile(json.loads(line), "<wish of a test>", "exec"), names)
        except Exception:
            failed = traceback.format_exc()
        finally:
            connections.close_all()
        print(json.dumps([printed.getvalue(), failed]), flush=True)
    # Nothing is left to tidy up, and Python takes seconds to take all apart that was imported.
    os._exit(0)


if __name__ == "__main__":
    main()
