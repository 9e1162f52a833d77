"""Where a command writes what is about people: a new file of one's own, or the standard output."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


def is_output(file: Path) -> bool:
    """Whether ``-`` was asked for, which is the standard output: out of a container that can write no file."""
    return str(file) == "-"


@contextmanager
def opened(file: Path) -> Iterator[IO[bytes]]:
    """A file that was not there yet, for nobody but who writes it; or the standard output. Raises OSError."""
    if is_output(file):
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    with open(file, "xb", opener=_for_its_owner) as target:
        yield target


def _for_its_owner(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
