"""Scores: exact, never shown as more than they are, and never lower for having tried again."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exercises.courses.scoring import (
    Decisions,
    StepMark,
    compensated_score,
    passed,
    percent,
    set_score,
    tries_score,
    verdict_score,
    weighs,
)

WORTH = (Fraction(1), Fraction(1, 2), Fraction(1, 4))


def steps(*given_marks: tuple[str, str, str]) -> list[StepMark]:
    """(name, weight, credit) each."""
    return [StepMark(name, Fraction(weight), Fraction(credit)) for name, weight, credit in given_marks]


def test_weights_that_no_float_can_add_up_are_exactly_one() -> None:
    weights = [Fraction(told) for told in (".7", ".2", ".1")]
    assert sum(float(weight) for weight in weights) != 1
    score = set_score((weight, Fraction(1)) for weight in weights)
    assert score == 1
    assert percent(score) == "100 %"


def test_39_of_56_is_below_seven_tenths() -> None:
    score = set_score((Fraction(1), Fraction(int(place < 39))) for place in range(56))
    assert score == Fraction(39, 56)
    assert not passed(score, Fraction(7, 10))
    assert percent(score, threshold=Fraction(7, 10)) == "69.6 %"


@pytest.mark.parametrize(
    ("share", "threshold", "shown"),
    [
        ("1", None, "100 %"),
        ("0", None, "0 %"),
        ("7/10", "7/10", "70 %"),
        ("995/1000", None, "99.5 %"),
        ("9995/10000", None, "99.9 %"),
        ("99999/100000", None, "99.9 %"),
        ("5/6", None, "83.3 %"),
        # Half up, where nothing is claimed by it.
        ("0.8335", None, "83.4 %"),
        ("0.83349", None, "83.3 %"),
        ("0.69999", None, "70.0 %"),
        ("0.69999", "7/10", "69.9 %"),
        ("0.70001", "7/10", "70.0 %"),
        ("0.6995", "0.6996", "69.9 %"),
        ("1/3", "1/3", "33.3 %"),
    ],
)
def test_what_was_not_reached_is_not_shown_as_reached(share: str, threshold: str | None, shown: str) -> None:
    assert percent(Fraction(share), threshold=Fraction(threshold) if threshold else None) == shown


@pytest.mark.parametrize(("share", "mark", "is_passed"), [("7/10", "7/10", True), ("39/56", "7/10", False)])
def test_passing_is_exact(share: str, mark: str, is_passed: bool) -> None:
    assert passed(Fraction(share), Fraction(mark)) == is_passed
    assert passed(Fraction(share), None)


@pytest.mark.parametrize(
    ("scores", "worth"),
    [
        ([], "0"),
        (["1"], "1"),
        (["0", "1"], "1/2"),
        (["3/4", "1"], "3/4"),
        (["1/4", "1"], "1/2"),
        (["0", "0", "1"], "1/4"),
        # A fourth try is one too many, and takes nothing away either.
        (["0", "0", "0", "1"], "0"),
        (["3/5", "0", "0", "1"], "3/5"),
    ],
)
def test_each_try_is_worth_less_and_the_best_counts(scores: list[str], worth: str) -> None:
    assert tries_score([Fraction(told) for told in scores], WORTH) == Fraction(worth)


@pytest.mark.parametrize(
    ("marks", "score"),
    [
        (steps(("p", "1", "1"), ("loss", "2", "1/4")), "1/2"),
        (steps(("p", "1", "1"), ("loss", "2", "1"), ("powers", "0", "0")), "1"),
        # Where nothing weighs anything, each counts the same, as in the grader.
        (steps(("a", "0", "1"), ("b", "0", "0")), "1/2"),
        ([], "0"),
    ],
)
def test_steps_by_their_weights(marks: list[StepMark], score: str) -> None:
    assert verdict_score(marks) == Fraction(score)


MARKS = [
    StepMark("p", Fraction(1), Fraction(0), "p.no-exp", "0.6667"),
    StepMark("loss", Fraction(2), Fraction(1, 4), "loss.log2", "0.588"),
]


@pytest.mark.parametrize(
    ("decisions", "score"),
    [
        (Decisions(), "1/6"),
        (Decisions(accepted_notes=frozenset({("p", "p.no-exp")})), "1/2"),
        (Decisions(accepted_notes=frozenset({("p", "p.other"), ("loss", "p.no-exp")})), "1/6"),
        (Decisions(accepted_answers=frozenset({("loss", "0.588")})), "2/3"),
        (Decisions(accepted_answers=frozenset({("loss", "")})), "1/6"),
        (Decisions(discounted=frozenset({"p"})), "1/4"),
        (Decisions(discounted=frozenset({"loss"}), accepted_notes=frozenset({("p", "p.no-exp")})), "1"),
        (Decisions(discounted=frozenset({"p", "loss"})), "0"),
        (Decisions(overridden={"loss": Fraction(1, 2)}), "1/3"),
        # By hand outranks what is accepted, also downwards; what counts for nobody counts for nobody.
        (Decisions(overridden={"p": Fraction(0)}, accepted_notes=frozenset({("p", "p.no-exp")})), "1/6"),
        (Decisions(overridden={"p": Fraction(1)}, discounted=frozenset({"p"})), "1/4"),
    ],
)
def test_decisions_about_steps(decisions: Decisions, score: str) -> None:
    assert verdict_score(MARKS, decisions) == Fraction(score)
    assert weighs(MARKS, decisions) == (decisions.discounted != {"p", "loss"})


@pytest.mark.parametrize(
    ("parts", "score"),
    [
        ([], "0"),
        ([("0", "1"), ("0", "1")], "0"),
        ([("0", "0"), ("1", "1")], "1"),
        ([("1", "1"), ("1", None)], "1/2"),
        ([("1.5", "1"), ("0.5", "0")], "3/4"),
    ],
)
def test_a_set_by_the_weights_of_its_items(parts: list[tuple[str, str | None]], score: str) -> None:
    assert set_score((Fraction(w), None if s is None else Fraction(s)) for w, s in parts) == Fraction(score)


@pytest.mark.parametrize(
    ("parts", "compensated", "score"),
    [
        ([("1", "1/2")], [("1", "1")], "3/4"),
        ([("1", "1/2")], [("1", "1/4")], "1/2"),
        ([("1", "1/2")], [("1", None)], "1/2"),
        ([("1", "1/2")], [("1", "1"), ("1", "0"), ("2", "3/5")], "3/4"),
        ([("1", "0")], [("1", "1"), ("1", "1/2"), ("1", "2/3")], "5/9"),
        # Nobody is left without a score.
        ([], [("1", "1/4")], "1/4"),
        ([("0", "1")], [("1", "1/4")], "1/4"),
        ([], [("1", "1/4"), ("1", "1/2")], "1/2"),
        ([], [("0", "1")], "0"),
    ],
)
def test_what_is_compensated_counts_where_it_raises(
    parts: list[tuple[str, str | None]], compensated: list[tuple[str, str | None]], score: str
) -> None:
    def exact(given_parts: list[tuple[str, str | None]]) -> list[tuple[Fraction, Fraction | None]]:
        return [(Fraction(weight), None if told is None else Fraction(told)) for weight, told in given_parts]

    assert compensated_score(exact(parts), exact(compensated)) == Fraction(score)


shares = st.fractions(0, 1, max_denominator=60)
weights = st.fractions(0, 20, max_denominator=20)
parts_of = st.lists(st.tuples(weights, st.none() | shares), max_size=6)


@given(parts_of)
def test_a_score_is_a_share(parts: list[tuple[Fraction, Fraction | None]]) -> None:
    assert 0 <= set_score(parts) <= 1
    assert set_score([(weight, Fraction(1)) for weight, _ in parts]) == int(any(weight for weight, _ in parts))


@given(st.lists(shares, max_size=6), shares, st.lists(shares, max_size=4))
def test_another_try_never_lowers_the_score(scores: list[Fraction], other: Fraction, worth: list[Fraction]) -> None:
    assert 0 <= tries_score(scores, worth) <= tries_score([*scores, other], worth) <= 1


@given(parts_of, parts_of)
def test_compensating_lowers_nobody(
    parts: list[tuple[Fraction, Fraction | None]], compensated: list[tuple[Fraction, Fraction | None]]
) -> None:
    score = compensated_score(parts, compensated)
    assert set_score([*parts, *compensated]) <= score <= 1
    assert set_score(parts) <= score


@given(shares, shares)
def test_a_share_is_shown_on_its_own_side_of_a_threshold(share: Fraction, threshold: Fraction) -> None:
    shown = Fraction(percent(share, threshold=threshold).removesuffix(" %")) / 100
    assert abs(shown - share) <= Fraction(1, 1000)
    assert share >= threshold or shown < threshold
    assert share == 1 or shown < 1
