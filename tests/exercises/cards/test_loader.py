"""Deck files: what a card is to the grader, and what is said of a file that does not hold together."""

from dataclasses import replace

import pytest

from exercises.card_sides import card_preview
from exercises.catalogue.card_check import check_card
from exercises.catalogue.card_model import KINDS
from exercises.catalogue.cards import (
    CardError,
    DeckError,
    deck_source,
    decks,
    filled,
    problem_of,
    problem_source,
    read_card,
    read_deck,
    with_gap,
)
from grader.marking import mark
from grader.picture import figure_data
from grader.problem import load
from grader.sampling import draw
from grader.solution import solve
from grader.template import MISSING
from grader.wording import fields, statement, worked_solution
from tests.exercises.cards.world import DECK


def test_every_kind_is_in_the_small_deck_and_passes_its_check() -> None:
    deck = read_deck(DECK)
    assert {card.kind for card in deck.cards} == set(KINDS)
    for card in deck.cards:
        assert check_card(card, drawn_seeds=30) == [], card.id


@pytest.mark.parametrize("slug", decks())
def test_the_decks_of_the_catalogue_pass_their_check(slug: str) -> None:
    for card in read_deck(deck_source(slug)).cards:
        assert check_card(card, drawn_seeds=20) == [], card.id


def test_a_missing_deck_is_a_key_error() -> None:
    with pytest.raises(KeyError, match="no deck"):
        deck_source("no-such-deck")


def test_options_come_in_another_order_each_time_unless_told() -> None:
    data = {"id": "x", "kind": "choice", "front": "Q?", "options": {"a": "1st", "b": "2nd", "c": "3rd"}, "answer": "b"}
    problem = load(problem_source(read_card(data)))
    orders = {tuple(key for key, _ in fields(problem, draw(problem, seed))[0].options) for seed in range(40)}
    assert len(orders) == 6
    for seed in range(10):
        assert mark(problem, draw(problem, seed), {"answer": "b"}).score == 1
    fixed = load(problem_source(read_card(data | {"shuffle": False})))
    assert [key for key, _ in fields(fixed, draw(fixed, 1))[0].options] == ["a", "b", "c"]


def test_words_that_yaml_would_turn_stay_words() -> None:
    card = read_card({"id": "x", "kind": "text", "front": "Q?", "accept": ["no", "1e5", "0x10", "2026-01-01", "null"]})
    problem = load(problem_source(card))
    for form in card.accept or ():
        assert mark(problem, {}, {"answer": form}).score == 1


@pytest.mark.parametrize("slug", decks())
def test_a_card_is_the_problem_of_its_text_without_being_read_from_it(slug: str) -> None:
    for card in read_deck(deck_source(slug)).cards:
        made, from_text = problem_of(card), load(problem_source(card))
        parameters = draw(made, 3)
        assert draw(replace(from_text, digest=made.digest), 3) == parameters, card.id
        for told in (fields, statement, worked_solution):
            assert told(made, parameters) == told(from_text, parameters), card.id
        assert figure_data(made, parameters, []) == figure_data(from_text, parameters, []), card.id


@pytest.mark.parametrize("names", [("p", "p"), ("lambda", "loss"), ("p", "in")])
def test_a_drawn_card_names_each_thing_once_and_by_no_word_of_the_language(names: tuple[str, str]) -> None:
    parameter, step = names
    problem = {
        "parameters": {parameter: {"range": [1, 9]}},
        "statement": "Numbers.",
        "steps": {step: {"ask": "Which?", "is": "7"}},
    }
    with pytest.raises(CardError, match=r"parameter already|meaning of its own"):
        read_card({"id": "x", "kind": "drawn", "problem": problem})


def test_a_front_may_hold_two_braces() -> None:
    card = read_card({"id": "x", "kind": "number", "front": r"$\frac{{a}}{b}$ and {{ z }}?", "answer": "0.5"})
    assert mark(load(problem_source(card)), {}, {"answer": "0.5"}).score == 1


@pytest.mark.parametrize(
    ("front", "answer", "gap", "full"),
    [
        ("$a [[gap]] b$", "ln", r"$a \boxed{\,?\,} b$", r"$a \boxed{\ln} b$"),
        ("$a$ [[gap]] $b$", "is", r"$a$ $\boxed{\,?\,}$ $b$", "$a$ **is** $b$"),
        (r"costs \$5 [[gap]]", "x", r"costs \$5 $\boxed{\,?\,}$", r"costs \$5 **x**"),
        ("$$[[gap]]$$", "p/2", r"$$\boxed{\,?\,}$$", r"$$\boxed{p/2}$$"),
        ("$[[gap]]$", "one word", r"$\boxed{\,?\,}$", r"$\boxed{\text{one word}}$"),
    ],
)
def test_the_gap_of_a_cloze_card(front: str, answer: str, gap: str, full: str) -> None:
    assert (with_gap(front), filled(front, answer)) == (gap, full)


@pytest.mark.parametrize(
    ("old", "new", "at", "words"),
    [
        ("  - id: loss", "  - id: size  # 2nd", "# 2nd", "size: another card of this deck has this id"),
        ("kind: shape", "kind: shap", "kind: shap", "head.kind: Input should be"),
        ("skill: shapes", "skill: shapen", "shapen", "head.skill: there is no skill 'shapen'"),
        ('answer: "5"', 'answer: "log(5)"', "log(5)", "tokens.answer: 'log(5)': write ln, log2 or log10"),
        ("answer: probabilities", "answer: all", "id: winner", "winner: answer: there is no option all"),
        ("{is: logits,", "{is: none,", "id: winner", "winner: mistakes.logits: there is no option none"),
        ("accept: [ln, log_e]", "answer: ln", "id: loss", "a cloze card needs accept; a cloze card has no answer"),
        ("= -[[gap]] p", "= - p", "id: loss", "loss: a cloze card has [[gap]] once"),
        ("    tags: [c5, trap]", "    tag: [c5, trap]", "tag: [", "why.tag: this key is not known here"),
        ("is: -ln(p)", "is: -ln(q)", "-ln(q)", "drawn-loss.problem.steps.loss.is: '-ln(q)'"),
        ("hint: Bars count.", "hint: &a Bars count.", "&a", "anchors and aliases are not allowed"),
        ("title: Small deck", "titel: Small deck", "titel", "titel: this key is not known here"),
        ("title: Small deck", "", "", "title: this is missing"),
        ("    back: So that the model cannot trust what it sees.\n", "", "id: why", "why: a self card needs back"),
    ],
)
def test_what_is_wrong_is_named_by_line_and_card(old: str, new: str, at: str, words: str) -> None:
    text = DECK.replace(old, new, 1)
    assert text != DECK
    with pytest.raises(DeckError) as caught:
        read_deck(text)
    found = [(fault.line, str(fault)) for fault in caught.value.faults]
    line = text[: text.index(at)].count("\n") + 1
    assert any(at_line == line and words in said for at_line, said in found), found


@pytest.mark.parametrize(
    "text", ["", "[]", "cards: 3", "title: x\ncards: []", "title: x\ncards: [1]", "a: &a [*a]", "{", "\t"]
)
def test_what_is_no_deck_is_refused(text: str) -> None:
    with pytest.raises(DeckError):
        read_deck(text)


def test_every_broken_card_is_named_in_one_go() -> None:
    text = DECK.replace("kind: shape", "kind: x").replace("kind: count", "kind: y")
    with pytest.raises(DeckError) as caught:
        read_deck(text)
    assert len(caught.value.faults) == 2


@pytest.mark.parametrize(
    ("data", "key", "words"),
    [
        ({"kind": "self", "front": "a\x00b", "back": "c"}, "front", "U+0000"),
        ({"kind": "text", "front": "Q", "accept": ["a"], "mistakes": {"x": {"accept": ["b"], "says": "{{ a }}"}}},
         "mistakes.x.says", "two braces"),
        ({"kind": "self", "front": "x" * 4001, "back": "c"}, "front", "4000"),
        ({"kind": "choice", "front": "Q", "options": {"a": "1"}, "answer": "a"}, "options", "at least 2"),
        ({"kind": "number", "front": "Q", "answer": "1/0"}, "answer", "cannot be marked"),
        ({"kind": "drawn", "problem": {"statement": "x", "steps": {
            "a": {"ask": "?", "is": "1"}, "b": {"ask": "?", "is": "2"}}}}, "problem.steps", "one step"),
        ({"kind": "self", "front": "a", "back": "b", "skill": "nothing"}, "skill", "no skill"),
        ({"kind": "self", "front": "a", "back": "b", "tags": ["two words"]}, "tags.0", "match"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_one_card_is_named_by_its_key(data: dict[str, object], key: str, words: str) -> None:
    with pytest.raises(CardError) as caught:
        read_card({"id": "x"} | data)
    assert words in caught.value.faults[key]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"kind": "text", "front": "Is it softmax?", "accept": ["softmax"]}, "the front holds the answer"),
        ({"kind": "number", "front": "What is 0.405?", "answer": "0.405"}, "the front holds the answer"),
        ({"kind": "text", "front": "Q?", "accept": ["a b", "A  b"]}, "are one form"),
        ({"kind": "number", "front": "Q?", "answer": "2", "mistakes": {
            "m": {"is": "4/2", "says": "no"}}}, "never active"),
        ({"kind": "number", "front": "Q?", "answer": "2", "mistakes": {
            "m": {"is": "5", "says": "no"}, "n": {"is": "5", "says": "no"}}}, "never earns its own note"),
    ],
)  # fmt: skip
def test_a_card_that_tells_or_cannot_tell_fails_its_check(data: dict[str, object], words: str) -> None:
    assert words in "; ".join(check_card(read_card({"id": "x"} | data)))


@pytest.mark.parametrize("slug", decks())
def test_every_card_of_the_catalogue_can_be_put_and_turned_up(slug: str) -> None:
    for card in read_deck(deck_source(slug)).cards:
        view = card_preview(card.content(), seed=3)
        assert not any(sign in view.front for sign in ("{{", "[[", MISSING)), card.id
        if not card.is_read:
            assert view.back
            continue
        assert (view.is_shown, view.back, view.expected) == (False, "", ""), card.id
        problem = problem_of(card)
        parameters = draw(problem, 3)
        step = problem.asked[0]
        value = solve(problem, parameters).values[step.name]
        right = card.answer_keys if card.kind == "choices" else _typed(step.kind, value)
        shown = card_preview(card.content(), typed=right, seed=3)
        assert shown.mark is not None
        assert (shown.mark.outcome, shown.is_shown) == ("right", True), card.id
        assert shown.expected, card.id


def _typed(kind: str, value: object) -> str | list[str]:
    if kind == "shape" and isinstance(value, list):
        return " x ".join(str(size) for size in value)
    return [str(entry) for entry in value] if isinstance(value, list) else str(value)
