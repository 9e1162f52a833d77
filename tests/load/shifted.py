"""A program on a host whose clock is off, in one process: `python -m tests.load.shifted SECONDS celery --app server …`.

What it forks has the same clock. Time that only passes (`time.monotonic`) is left alone, as by a real clock that is
wrong.
"""

import datetime as dt
import runpy
import shutil
import sys

import time_machine


def command(seconds: int, words: list[str]) -> list[str]:
    """How that command is started with a clock that is so many seconds ahead, or behind if it is less than 0."""
    return [sys.executable, "-m", "tests.load.shifted", str(seconds), *words]


def main(arguments: list[str]) -> None:
    """Put the clock forward or back, and be that program."""
    seconds, *words = arguments
    program = shutil.which(words[0])
    if program is None:
        raise SystemExit(f"{words[0]} is not on PATH.")
    time_machine.travel(dt.datetime.now(dt.UTC) + dt.timedelta(seconds=int(seconds)), tick=True).start()
    sys.argv = [program, *words[1:]]
    runpy.run_path(program, run_name="__main__")


if __name__ == "__main__":
    main(sys.argv[1:])
