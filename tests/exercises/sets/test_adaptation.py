"""What an item may change of its problem: no more than the problem allows, and what is kept reads back."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exercises import catalogue
from exercises.courses.adaptation import Adaptation, offers_of, read_adaptation, typed_of
from exercises.courses.item_details import (
    ItemError,
    asked_steps,
    final_steps,
    missing_steps,
    read_count,
    read_weight,
    weight_text,
)
from grader.adapting import adapted
from grader.problem import load

LOSS = catalogue.source("masked-token-loss")
COUNTS = catalogue.source("mask-counts")


def said(source: str, **typed: Any) -> Adaptation:
    texts = {name.replace("__", "-"): [text] if isinstance(text, str) else text for name, text in typed.items()}
    return read_adaptation(offers_of(source), texts)


@pytest.mark.parametrize("slug", catalogue.slugs())
def test_the_form_of_a_problem_as_it_is_changes_nothing(slug: str) -> None:
    offers = offers_of(catalogue.source(slug))
    read = read_adaptation(offers, typed_of(offers, {}))
    assert (read.kept, read.faults) == ({}, {})
    assert read_adaptation(offers, {}).kept == {}


def test_what_is_narrower_is_kept_and_reads_back() -> None:
    read = said(LOSS, z__low="−1", z__high="2,5", words__count="2", digits="4")
    assert read.kept == {"parameters": {"z": {"range": [-1, 2.5]}, "words": {"choose": 2}}, "digits": 4}
    assert read_adaptation(offers_of(LOSS), typed_of(offers_of(LOSS), read.kept)).kept == read.kept
    source = adapted(LOSS, parameters=read.parameters, digits=read.digits)
    assert "choose: 2" in source
    assert load(source).step("loss").digits == 4


def test_values_to_pick_from_can_be_left_out_and_not_all() -> None:
    assert said(COUNTS, rate__pick=["", "0.1", "0.2"]).kept == {"parameters": {"rate": {"pick": [0.1, 0.2]}}}
    assert said(COUNTS, rate__pick=[""]).faults == {"rate-pick": "Leave at least one of them to draw from."}


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"z__low": "-3"}, "z-low"),
        ({"z__high": "4.05"}, "z-high"),
        ({"z__low": "abc"}, "z-low"),
        ({"z__low": "2", "z__high": "1"}, "z-high"),
        ({"words__count": "4"}, "words-count"),
        ({"words__count": "1"}, "words-count"),
        ({"digits": "5"}, "digits"),
        ({"digits": "1"}, "digits"),
        ({"digits": "2.5"}, "digits"),
    ],
)
def test_more_than_the_problem_allows_is_refused_at_its_field(typed: dict[str, str], field: str) -> None:
    read = said(LOSS, **typed)
    assert list(read.faults) == [field]
    assert read.kept == {}


@given(
    st.dictionaries(
        st.sampled_from(["z-low", "z-high", "words-count", "digits"]), st.lists(st.text(max_size=12), max_size=2)
    )
)
def test_whatever_is_typed_is_answered_and_what_is_kept_can_be_drawn(typed: dict[str, list[str]]) -> None:
    read = read_adaptation(offers_of(LOSS), typed)
    if not read.faults and read.kept:
        load(adapted(LOSS, parameters=read.parameters, digits=read.digits))


def test_the_final_steps_are_those_that_nothing_follows_from() -> None:
    assert final_steps(load(LOSS)) == ["loss"]
    assert final_steps(load(COUNTS)) == ["graded"]


def test_steps_are_chosen_from_those_that_are_there_and_count() -> None:
    problem = load(LOSS)
    assert asked_steps(problem, ["loss", "p"]) == ["p", "loss"]
    assert asked_steps(problem, ["powers", "total", "p", "loss"]) is None
    for chosen in (["loss", "gone"], ["powers"], []):
        with pytest.raises(ItemError, match=r"step"):
            asked_steps(problem, chosen)
    assert missing_steps(problem, ["p", "q"]) == ["q"]
    assert missing_steps(problem, None) == []


def test_weights_are_exact() -> None:
    weights = [read_weight(text) for text in ("0.7", "0,2", "0.1")]
    assert sum(weights) == 1
    assert [weight_text(weight) for weight in (*weights, read_weight("10"), read_weight("2.50"))] == [
        "0.7", "0.2", "0.1", "10", "2.5",
    ]  # fmt: skip
    for text in ("", "-1", "1e3", "1.23456", "10000", "1/3", "nan"):
        with pytest.raises(ItemError, match="digits"):
            read_weight(text)


def test_counts_are_whole_and_bounded() -> None:
    assert read_count(" 3 ", least=1, most=20, what="the variants") == 3
    for text in ("0", "21", "1.5", "", "²", "9" * 30):
        with pytest.raises(ItemError, match="the variants as a whole number"):
            read_count(text, least=1, most=20, what="the variants")
