"""Which named mistakes a learner still makes, and how sure that is."""

import datetime as dt
import random
from math import isfinite

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exercises.mastery.mistakes import Label, Seen, labels, wilson

START = dt.datetime(2026, 11, 1, 12, tzinfo=dt.UTC)


def history(letters: str, *, note: str = "loss.log2", problem: str = "c1") -> list[Seen]:
    """One variant a letter: m the mistake was made, r right, w wrong in another way, f the mistake and then right."""
    return [
        Seen(note, problem, place, START + dt.timedelta(days=place), letter in "mf", letter in "rf")
        for place, letter in enumerate(letters)
    ]


@pytest.mark.parametrize(
    ("letters", "label", "k", "n"),
    [
        ("r", None, 0, 1),
        ("w", None, 0, 1),
        ("m", Label.SUSPECTED, 1, 1),
        ("mr", Label.SUSPECTED, 1, 2),
        ("mm", Label.LIKELY, 2, 2),
        ("mrrm", Label.LIKELY, 2, 4),
        ("mrwrm", Label.SUSPECTED, 2, 5),  # 2 in 5 is less than half
        ("mwmwm", Label.LIKELY, 3, 5),
        ("mmrrr", Label.RESOLVED, 2, 5),
        ("mmrwr", Label.SUSPECTED, 2, 5),  # wrong in another way does not resolve it
        ("mmrfr", Label.LIKELY, 3, 5),  # nor does coming right only after it
        ("mmmmrrr", Label.RESOLVED, 2, 5),
        ("mwwwww", None, 0, 5),  # too long ago to be said
        ("mrrrrrrrr", Label.RESOLVED, 0, 5),
        ("mrrrm", Label.SUSPECTED, 2, 5),
        ("mrrrrm", Label.SUSPECTED, 1, 5),  # overcome, and made once again
        ("rrrrr", None, 0, 5),  # what was never made cannot be overcome
    ],
)
def test_labels_follow_the_latest_five_variants(letters: str, label: Label | None, k: int, n: int) -> None:
    found = labels(history(letters))["loss.log2"]
    assert (found.label, found.k, found.n) == (label, k, n)


def test_it_says_when_and_where_it_was_made_last() -> None:
    found = labels([*history("mr", problem="c1"), *history("rrr", problem="c2")])["loss.log2"]
    assert (found.problem, found.last_at) == ("c1", START)
    never = labels(history("rr", problem="c3"))["loss.log2"]
    assert (never.problem, never.last_at) == ("c3", None)


def test_one_variant_is_no_likelihood_however_often_it_shows_there() -> None:
    row = history("m")[0]
    again = [
        Seen(row.note, row.problem, row.variant, row.closed_at + dt.timedelta(hours=n), True, False) for n in range(4)
    ]
    found = labels([row, *again])["loss.log2"]
    assert (found.label, found.k, found.n) == (Label.SUSPECTED, 1, 1)


ROWS = st.lists(
    st.builds(
        Seen,
        note=st.sampled_from(["a.x", "b.y"]),
        problem=st.sampled_from(["one", "two"]),
        variant=st.integers(1, 8),
        closed_at=st.integers(0, 9).map(lambda day: START + dt.timedelta(days=day)),
        is_match=st.booleans(),
        is_right=st.booleans(),
    ),
    max_size=25,
)


@given(ROWS, st.randoms(use_true_random=False))
def test_labels_do_not_depend_on_the_order_of_rows_or_on_duplicates(rows: list[Seen], chance: random.Random) -> None:
    shuffled = rows + rows[:5]
    chance.shuffle(shuffled)
    assert labels(shuffled) == labels(rows)


@given(ROWS)
def test_counts_hold_together_and_a_likelihood_needs_two_variants(rows: list[Seen]) -> None:
    for note, found in labels(rows).items():
        own = [row for row in rows if row.note == note]
        assert 0 <= found.k <= found.n == min(5, len({row.variant for row in own}))
        assert (found.last_at is None) == (not any(row.is_match for row in own))
        if found.label == Label.LIKELY:
            assert len({row.variant for row in own if row.is_match}) >= 2
        if found.last_at is None:
            assert found.label is None


def test_no_rows_give_no_labels() -> None:
    assert labels([]) == {}


def test_wilson_gives_known_intervals() -> None:
    # Worked out by hand from the formula: z² = 3.841459.
    assert wilson(5, 10) == (pytest.approx(0.236593, abs=1e-6), pytest.approx(0.763407, abs=1e-6))
    assert wilson(0, 10) == (0.0, pytest.approx(3.841459 / 13.841459, abs=1e-6))
    assert wilson(10, 10) == (pytest.approx(10 / 13.841459, abs=1e-6), 1.0)
    assert wilson(0, 0) == (0.0, 1.0)


@given(st.integers(0, 10_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_is_never_nan_and_always_holds_the_share(pair: tuple[int, int]) -> None:
    k, n = pair
    low, high = wilson(k, n)
    assert isfinite(low)
    assert isfinite(high)
    assert 0 <= low <= high <= 1
    if n:
        assert low <= k / n <= high
        assert wilson(n - k, n) == (pytest.approx(1 - high), pytest.approx(1 - low))


@pytest.mark.parametrize(("k", "n"), [(-1, 3), (4, 3), (0, -1)])
def test_more_than_all_is_no_share(k: int, n: int) -> None:
    with pytest.raises(ValueError, match="count k among the n"):
        wilson(k, n)
