"""Whatever comes in is read or refused, within bounded work; and whoever reads what they wrote finds the same."""

import random
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz.mutating import mutated
from tests.fuzz.reader import Escaped, Reader, TooMuchWork, alarmed, counted, ensure
from tests.fuzz.readers import CORPUS, READERS, corpus

#: A few of each here, for as long as one likes by ``make fuzz``.
FEW = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
each_reader = pytest.mark.parametrize("reader", READERS.values(), ids=list(READERS))


@each_reader
def test_what_is_kept_is_read_or_refused(reader: Reader) -> None:
    kept = corpus(reader.name)
    assert kept
    for data in kept:
        with counted(reader.most_calls):
            reader.read(data)


@each_reader
def test_what_looks_as_it_should_is_read_or_refused(reader: Reader) -> None:
    @FEW
    @given(reader.shaped)
    def read(data: bytes) -> None:
        with counted(reader.most_calls):
            reader.read(data)

    read()


@each_reader
def test_what_was_spoilt_is_read_or_refused(reader: Reader) -> None:
    kept, tokens = corpus(reader.name), [token.encode() for token in reader.tokens]

    @FEW
    @given(st.sampled_from(kept), st.integers(0, 2**32))
    def read(data: bytes, seed: int) -> None:
        with counted(reader.most_calls):
            reader.read(mutated(data, kept, tokens, random.Random(seed)))

    read()


def test_every_folder_of_inputs_belongs_to_a_reader() -> None:
    assert {path.name for path in CORPUS.iterdir()} == set(READERS)


def test_the_same_change_is_made_again_from_the_same_seed() -> None:
    made = [mutated(b"a = b", [b"x\ny"], [b"tok"], random.Random(seed)) for seed in (1, 1, 2, 3, 4)]
    assert made[0] == made[1]
    assert len(set(made)) > 2


def _calling(times: int) -> int:
    return sum(map(abs, (len("a") for _ in range(times))))


def test_work_without_a_bound_is_noticed_whatever_a_reader_catches() -> None:
    def stubborn(times: int) -> None:
        try:
            _calling(times)
        except Exception:  # as a reader that refuses everything
            return

    with counted(10_000):
        stubborn(100)
    with pytest.raises(TooMuchWork), counted(10_000):
        stubborn(100_000)


def test_work_that_calls_nothing_is_noticed_by_the_cpu_that_it_takes() -> None:
    def busy() -> None:
        while True:
            pass

    with pytest.raises(TooMuchWork), alarmed(0.05):
        busy()


def test_a_promise_that_is_not_kept_is_said() -> None:
    promise: Callable[[], None] = lambda: ensure(1 + 1 == 3, "arithmetic")  # noqa: E731
    with pytest.raises(Escaped, match="arithmetic"):
        promise()
