"""Trying inputs for as long as one likes, and keeping those that a reader neither reads nor refuses."""

import hashlib
import os
import random
import sys
import time
import traceback
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded

from tests.fuzz.mutating import LONGEST, mutated
from tests.fuzz.reader import alarmed
from tests.fuzz.readers import READERS, corpus

ROOT = Path(__file__).resolve().parents[2]
MOST_MEGABYTES = 1500
SHAPED_AT_ONCE = 200
#: Kinds of faults after which a way is given up on.
MOST_FOUND = 10


class Finder:
    """Tries inputs, and keeps those that a reader neither reads nor refuses, one for each place where it fails."""

    def __init__(self, name: str) -> None:
        self.reader = READERS[name]
        self.folder = ROOT / "var" / "fuzz" / name
        self.places: set[str] = set()
        self.tried = 0
        self.ends = float("inf")

    def attempt(self, data: bytes) -> None:
        """Try one input."""
        self.tried += 1
        try:
            with alarmed():
                self.reader.read(data)
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt | SystemExit):
                raise
            self._keep(data, error)
        if time.monotonic() > self.ends:
            # libFuzzer never returns, and leaves with a status of its own.
            os._exit(self.report())

    def report(self) -> int:
        """Tell how it went; 1 if anything was found."""
        print(f"   {self.tried:,} inputs, {len(self.places)} found", flush=True)
        return 1 if self.places else 0

    def _keep(self, data: bytes, error: BaseException) -> None:
        last = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{type(error).__name__} at {Path(last.filename).name}:{last.lineno}"
        if place in self.places or len(self.places) >= MOST_FOUND:
            return
        self.places.add(place)
        there = self.folder / "found"
        there.mkdir(parents=True, exist_ok=True)
        path = there / hashlib.sha256(data).hexdigest()[:16]
        path.write_bytes(data)
        print(f"FOUND {place}: {str(error)[:300]}\n  {path.relative_to(ROOT)}: {data[:300]!r}", flush=True)
        traceback.print_exception(error, limit=-6)


def shaped(finder: Finder, seconds: float, seed: int) -> None:
    """Inputs of the reader's grammar."""
    ends, turn = time.monotonic() + seconds, 0
    while time.monotonic() < ends and len(finder.places) < MOST_FOUND:

        @seeded(seed * 1_000_003 + turn)
        @settings(max_examples=SHAPED_AT_ONCE, deadline=None, database=None, phases=[Phase.generate],
                  suppress_health_check=list(HealthCheck))  # fmt: skip
        @given(finder.reader.shaped)
        def attempts(data: bytes) -> None:
            if time.monotonic() < ends:
                finder.attempt(data)

        attempts()
        turn += 1


def spoilt(finder: Finder, seconds: float, seed: int) -> None:
    """Inputs that are kept, changed at random."""
    kept, tokens, source, ends = _known(finder), _tokens(finder), random.Random(seed), time.monotonic() + seconds
    while time.monotonic() < ends and len(finder.places) < MOST_FOUND:
        finder.attempt(mutated(source.choice(kept), kept, tokens, source))


def guided(finder: Finder, seconds: float, seed: int, atheris: Any) -> None:
    """The same, going on from whatever reached a new line. Never returns."""
    kept, tokens = _known(finder), _tokens(finder)
    grown = finder.folder / "grown"
    grown.mkdir(parents=True, exist_ok=True)

    def changed(data: bytes, most: int, number: int) -> bytes:
        source = random.Random(number)
        if source.random() < 0.5:
            return mutated(data, kept, tokens, source)[:most]
        return bytes(atheris.Mutate(data, most))

    seeds = ROOT / "tests" / "fuzz" / "corpus" / finder.reader.name
    flags = [
        f"-max_len={LONGEST}", f"-seed={seed + 1}", "-timeout=60",
        f"-rss_limit_mb={MOST_MEGABYTES}", f"-artifact_prefix={finder.folder}/", "-verbosity=0",
    ]  # fmt: skip
    atheris.Setup([sys.argv[0], *flags, str(grown), str(seeds)], finder.attempt, custom_mutator=changed)
    finder.ends = time.monotonic() + seconds
    atheris.Fuzz()


def _known(finder: Finder) -> list[bytes]:
    return corpus(finder.reader.name)


def _tokens(finder: Finder) -> list[bytes]:
    return [token.encode("utf-8", "surrogatepass") for token in finder.reader.tokens]
