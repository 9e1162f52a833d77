"""What a reader under fuzz is, and how much work one input may make it do."""

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any

from hypothesis.strategies import SearchStrategy

#: CPU seconds of one input in a long run. Counted in CPU, so that a busy machine finds nothing.
SECONDS = 1.0


class Escaped(AssertionError):
    """A reader promised something of this input and did not keep it."""


class TooMuchWork(BaseException):
    """An input made a reader work without a bound. No Exception: a reader that refuses everything shall not eat it."""


@dataclass(frozen=True)
class Reader:
    """One reader of untrusted input.

    read        takes the bytes of one input; returns whatever is said of them, raises for what is no refusal
    shaped      inputs that look as they should, mostly
    tokens      pieces that mean something to it, for those that change inputs at random
    most_calls  calls of functions that one input of a few kilobytes may cost
    """

    name: str
    read: Callable[[bytes], object]
    shaped: SearchStrategy[bytes]
    tokens: tuple[str, ...] = ()
    most_calls: int = 400_000


def ensure(holds: object, words: str) -> None:
    """Raise Escaped unless it holds."""
    if not holds:
        raise Escaped(words)


@contextmanager
def counted(most: int) -> Iterator[None]:
    """Let no more than so many functions be called within: work that is the same on every machine."""
    left = most

    def on_call(_frame: FrameType, event: str, _of: Any) -> None:
        nonlocal left
        if event in {"call", "c_call"}:
            left -= 1
            if left < 0:
                sys.setprofile(None)
                raise TooMuchWork(f"more than {most:,} calls")

    before = sys.getprofile()
    sys.setprofile(on_call)
    try:
        yield
    finally:
        sys.setprofile(before)


@contextmanager
def alarmed(seconds: float = SECONDS) -> Iterator[None]:
    """Let nothing within take more CPU than that, also where it calls nothing, as an expression that backtracks."""

    def ring(_signal: int, _frame: FrameType | None) -> None:
        raise TooMuchWork(f"more than {seconds} s of CPU")

    before = signal.signal(signal.SIGVTALRM, ring)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
