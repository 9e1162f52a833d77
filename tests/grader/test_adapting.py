"""A problem adapted to a place draws only what the original could have drawn, and its file changes nowhere else."""

import difflib
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exercises import catalogue
from grader.adapting import AdaptError, Adjustable, adapted, adjustable, digits_allowed
from grader.errors import DrawError
from grader.graph import Problem
from grader.problem import load
from grader.rewriting import same
from grader.sampling import draw
from tests.grader.tiny import examples, source

NUMBERS = {"x": {"range": [-2, 4], "step": 0.5}, "n": {"range": ["x + 3", 9]}, "k": {"pick": [2, 3, 3]}}
WORDS = {"words": {"choose": 3, "from": "feelings"}, "v": {"range": [1, 5], "size": {"pick": [2, 3, 3]}}}
TEXT = source({"s": "x + 0.25"}, NUMBERS)
WORD_TEXT = source({"s": "len(words) + v[0] + 0.5"}, WORDS)


def _changed_lines(old: str, new: str) -> list[str]:
    lines = difflib.ndiff(old.splitlines(), new.splitlines())
    return [line for line in lines if line[0] in "+-"]


@pytest.mark.parametrize("slug", catalogue.slugs())
def test_saved_without_a_change_a_file_is_the_same_byte_for_byte(slug: str) -> None:
    text = catalogue.source(slug)
    problem = load(text)
    everything: dict[str, dict[str, Any]] = {}
    for offer in adjustable(problem):
        entry = everything.setdefault(offer.name, {})
        if offer.source == "range":
            entry |= {"range": [offer.low, offer.high], "step": offer.step}
        elif offer.source == "pick":
            entry["pick"] = list(offer.values)
        else:
            entry |= {"from": list(offer.words)} | ({"choose": offer.count} if offer.count else {})
    assert adapted(text, parameters=everything) == text
    assert adapted(text) == text


@pytest.mark.parametrize("slug", catalogue.slugs())
@given(data=st.data())
@examples(2)
def test_what_an_adapted_problem_draws_the_original_could_have_drawn(slug: str, data: st.DataObject) -> None:
    text = catalogue.source(slug)
    original = load(text)
    wanted = {offer.name: data.draw(_narrower(offer)) for offer in adjustable(original)}
    digits = data.draw(st.integers(*digits_allowed(original)))
    new = adapted(text, parameters=wanted, digits=digits)
    narrow = load(new)
    assert all(line.startswith(("- ", "+ ")) for line in _changed_lines(text, new))
    assert _comments(new) == _comments(text)
    try:
        drawn = draw(narrow, data.draw(st.integers(0, 2**31)))
    except DrawError:
        return  # a range so narrow that nothing fits is found by the check
    for parameter in original.parameters:
        _could_be_drawn(original, parameter.name, drawn)
        _is_wanted(wanted.get(parameter.name, {}), drawn[parameter.name])


def _narrower(offer: Adjustable) -> st.SearchStrategy[dict[str, Any]]:
    """Something that may be asked for of a parameter."""
    if offer.source == "pick":
        return st.lists(st.sampled_from(offer.values), min_size=1).map(lambda some: {"pick": some})
    if offer.source == "choose":
        least = offer.count or len(offer.words)
        return st.integers(least, len(offer.words)).map(lambda n: {"from": list(offer.words[:n])})
    if offer.low is None:
        return st.lists(st.sampled_from(offer.sizes), min_size=1).map(lambda some: {"size": some})
    last = 40 if offer.high is None else round((offer.high - offer.low) / offer.step)
    low = offer.low

    def ends(pair: tuple[int, int]) -> dict[str, Any]:
        first, final = sorted(pair)
        high = None if offer.high is None else round(low + final * offer.step, 10)
        return {"range": [round(low + min(first, last) * offer.step, 10), high]}

    return st.tuples(st.integers(0, min(2, last)), st.integers(max(0, last - 2), last)).map(ends)


def _comments(text: str) -> list[str]:
    return re.findall(r"(?m)^\s*#.*$", text)


def _could_be_drawn(original: Problem, name: str, drawn: dict[str, Any]) -> None:
    parameter = next(one for one in original.parameters if one.name == name)
    value = drawn[name]
    if parameter.source == "pick":
        assert any(same(value, one) for one in parameter.values)
    elif parameter.source == "choose":
        assert set(value) <= set(parameter.words)
    elif parameter.source == "range" and parameter.low is not None and not parameter.low.names:
        low = float(parameter.low({}).flat[0])
        for number in _flat(value):
            assert abs((number - low) / parameter.grid - round((number - low) / parameter.grid)) < 1e-6
            assert number >= low - 1e-9


def _is_wanted(wanted: dict[str, Any], value: Any) -> None:
    low, high = wanted.get("range", (None, None))
    numbers = _flat(value) if low is not None or high is not None else []
    assert low is None or min(numbers, default=low) >= low - 1e-9
    assert high is None or max(numbers, default=high) <= high + 1e-9
    assert "pick" not in wanted or any(same(value, one) for one in wanted["pick"])
    assert "from" not in wanted or set(value) <= set(wanted["from"])


def _flat(value: Any) -> list[float]:
    return [x for item in value for x in _flat(item)] if isinstance(value, list) else [value]


@pytest.mark.parametrize(
    ("text", "name", "wanted", "says"),
    [
        (TEXT, "x", {"range": [-2.5, 4]}, "stay within -2 to 4"),
        (TEXT, "x", {"range": [-2, 4.5]}, "stay within"),
        (TEXT, "x", {"range": [-1.75, 4]}, "none of its values"),
        (TEXT, "x", {"range": [2, 1]}, "above the highest"),
        (TEXT, "x", {"range": [float("nan"), 1]}, "no number"),
        (TEXT, "x", {"range": ["1", 2]}, "no number"),
        (TEXT, "x", {"range": [1]}, "lowest and a highest"),
        (TEXT, "x", {"step": 0.75}, "multiple"),
        (TEXT, "x", {"step": 0.25}, "multiple"),
        (TEXT, "x", {"step": 1e308}, "multiple"),
        (TEXT, "x", {"step": 10**400}, "no number"),
        (TEXT, "x", {"range": [10**400, None]}, "no number"),
        (TEXT, "x", {"size": 3}, "follows from other parameters"),
        (TEXT, "x", {"pick": [1]}, "pick cannot be narrowed here"),
        (TEXT, "x", {"symbol": "y"}, "symbol cannot be narrowed"),
        (TEXT, "n", {"range": [3, 9]}, "lowest value follows from a formula"),
        (TEXT, "n", {"range": [None, 8]}, "highest value follows from a formula"),
        (TEXT, "k", {"pick": [4]}, "none of its values"),
        (TEXT, "k", {"pick": [True]}, "none of its values"),
        (TEXT, "k", {"pick": []}, "at least one"),
        (TEXT, "y", {"range": [1, 2]}, "no such parameter"),
        (WORD_TEXT, "words", {"choose": 4}, "choose 1 to 3"),
        (WORD_TEXT, "words", {"choose": True}, "choose 1 to 3"),
        (WORD_TEXT, "words", {"from": ["joy", "anger"]}, "at least 3 words"),
        (WORD_TEXT, "words", {"from": ["joy", "anger", "mat"]}, "none of its words"),
        (WORD_TEXT, "v", {"size": 4}, "one of 2, 3"),
    ],
)
def test_what_the_problem_does_not_allow_is_refused_by_name(text: str, name: str, wanted: Any, says: str) -> None:
    with pytest.raises(AdaptError, match=re.escape(says)) as refused:
        adapted(text, parameters={name: wanted})
    assert refused.value.where == name
    assert refused.value.faults[0].key == f"parameters.{name}"


@pytest.mark.parametrize("parameters", [5, "x", ["x"], True])
def test_what_names_no_parameter_is_refused(parameters: Any) -> None:
    with pytest.raises(AdaptError, match="by its name"):
        adapted(TEXT, parameters=parameters)


@pytest.mark.parametrize("digits", [1, 0, -2, 5, 10**9, True, "3", 2.5])
def test_digits_are_between_two_and_those_worked_with(digits: Any) -> None:
    with pytest.raises(AdaptError, match="2 to 4 significant digits"):
        adapted(TEXT, digits=digits)


def test_digits_are_written_where_they_stand_or_at_the_end() -> None:
    text = catalogue.source("masked-token-loss")
    assert adapted(text, digits=3) == text
    assert adapted(text, digits=2) == text + "digits:\n  answer: 2\n"
    assert adapted(adapted(text, digits=2), digits=4) == text + "digits:\n  answer: 4\n"
    assert {step.digits for step in load(adapted(text, digits=2)).asked} == {2}


def test_values_that_stay_keep_how_often_they_are_drawn() -> None:
    assert load(adapted(TEXT, parameters={"k": {"pick": [3]}})).parameters[2].values == (3, 3)
    assert load(adapted(WORD_TEXT, parameters={"v": {"size": 3}})).parameters[1].sizes == (3, 3)


def test_fewer_words_may_be_chosen_from_fewer() -> None:
    problem = load(adapted(WORD_TEXT, parameters={"words": {"choose": 2, "from": ["joy", "hope"]}}))
    assert sorted(draw(problem, 1)["words"]) == ["hope", "joy"]


def test_only_what_is_written_as_a_number_is_offered() -> None:
    offers = {offer.name: offer for offer in adjustable(load(TEXT))}
    assert set(offers) == {"x", "k"}
    assert (offers["x"].low, offers["x"].high, offers["x"].step) == (-2, 4, 0.5)
    assert offers["k"].values == (2, 3)
    words, v = adjustable(load(WORD_TEXT))
    assert (words.count, len(words.words)) == (3, 8)
    assert v.sizes == (2, 3)
