"""Reads the decks of the catalogue, and any one card: what is wrong is named by its line, its card and its key."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from exercises.catalogue.card_model import GAP, CardFile
from exercises.catalogue.card_problem import (
    STEP,
    answer_text,
    filled,
    problem_of,
    problem_of_source,
    problem_source,
    source_of,
    with_gap,
)
from exercises.catalogue.loader import skills
from grader.errors import DrawError, Fault, GraderError, ProblemError
from grader.problem import Problem
from grader.sampling import draw, read_parameters
from grader.separation import unfit_because
from grader.sizes import too_large
from grader.source import read_source

__all__ = [
    "DECKS",
    "GAP",
    "STEP",
    "CardError",
    "CardFile",
    "DeckError",
    "DeckFile",
    "answer_text",
    "deck_source",
    "decks",
    "filled",
    "problem_of",
    "problem_of_source",
    "problem_source",
    "read_card",
    "read_deck",
    "shaped",
    "source_of",
    "try_out",
    "with_gap",
]

DECKS = Path(__file__).parent / "decks"
MOST_BYTES = 1_000_000
MOST_CARDS = 2_000
MOST_TITLE = 200
MOST_SUMMARY = 2_000
#: More faults of one deck than this are not listed.
MOST_FAULTS = 50


class CardError(ValueError):
    """A card that does not hold together; ``faults`` maps the dotted key to what is wrong there, and is not empty."""

    def __init__(self, faults: Mapping[str, str]) -> None:
        super().__init__("; ".join(f"{key}: {words}" if key else words for key, words in faults.items()))
        self.faults = dict(faults)


class DeckError(ValueError):
    """A deck file that does not hold together; every fault names its line, and its card and key."""

    def __init__(self, faults: list[Fault]) -> None:
        super().__init__("; ".join(str(fault) for fault in faults))
        self.faults = faults


@dataclass(frozen=True)
class DeckFile:
    """A deck as its file has it."""

    title: str
    summary: str
    position: int
    cards: tuple[CardFile, ...]


def decks(folder: Path = DECKS) -> list[str]:
    """The slugs of all built-in decks, in alphabetical order."""
    return sorted(path.stem for path in folder.glob("*.yaml"))


def deck_source(slug: str, folder: Path = DECKS) -> str:
    """The YAML text of one built-in deck. Raises KeyError if there is none of that slug."""
    if slug not in decks(folder):
        raise KeyError(f"There is no deck {slug!r} in the catalogue.")
    return (folder / f"{slug}.yaml").read_text(encoding="utf-8")


def read_card(data: Mapping[str, Any], *, needs_skill: bool = False) -> CardFile:
    """The card of plain data as in a deck file. Raises CardError naming everything wrong.

    It is known to load, to be drawn and, if it is marked, to have a key that the grader can tell from every mistake.
    """
    card = shaped(data, needs_skill=needs_skill)
    try_out(card)
    return card


def shaped(data: Mapping[str, Any], *, needs_skill: bool = False) -> CardFile:
    """The card of plain data by its shape alone: nothing is known yet of its formulas. Raises CardError."""
    try:
        card = CardFile.model_validate(data)
    except ValidationError as error:
        raise CardError(_named(error)) from error
    known = {skill.id for skill in skills()}
    if (card.skill or needs_skill) and card.skill not in known:
        raise CardError({"skill": f"there is no skill {card.skill!r}; skills.yaml names them all"})
    return card


def read_deck(text: str) -> DeckFile:
    """The deck of a deck file's text. Raises DeckError naming line, card and key of everything wrong.

    Each card is read by itself, so one that is broken hides no other fault.
    """
    top = _top_level(text)
    faults: list[Fault] = []
    title = _scalar(top, "title", MOST_TITLE, faults, is_needed=True)
    summary = _scalar(top, "summary", MOST_SUMMARY, faults)
    position = _scalar(top, "position", 4, faults)
    if position and not position.isdecimal():
        faults.append(Fault(top["position"].start_mark.line + 1, "position", "this must be a whole number"))
    cards = _cards(text, top.get("cards"), faults)
    if faults:
        raise DeckError(faults[:MOST_FAULTS])
    return DeckFile(title, summary, int(position or 0), tuple(cards))


# One card


def _named(error: ValidationError) -> dict[str, str]:
    faults: dict[str, str] = {}
    for item in error.errors(include_url=False, include_context=False, include_input=False)[:20]:
        key = ".".join(str(part) for part in item["loc"])
        words = "this key is not known here" if item["type"] == "extra_forbidden" else item["msg"]
        faults.setdefault(key, words.removeprefix("Value error, "))
    return faults


def try_out(card: CardFile) -> Problem | None:
    """Load and draw a card: the problem that it is, None if there is nothing to. Raises CardError."""
    if not card.is_read and card.figure is None:
        return None
    try:
        problem = problem_of(card)
    except ProblemError as error:
        raise CardError({_place(card, fault.key): fault.message for fault in error.faults}) from error
    if card.problem is not None:
        _refuse_more_steps(problem)
    try:
        if any(parameter.source != "is" for parameter in problem.parameters):
            draw(problem, 0)
        elif reason := unfit_because(problem, read_parameters(problem, {})):
            # Nothing is drawn, so no other draw would do better.
            raise CardError({"answer": f"this cannot be marked: {reason}"})
    except DrawError as error:
        raise CardError({"problem" if card.problem is not None else "answer": str(error)}) from error
    except GraderError as error:
        raise CardError({"": str(error)}) from error
    return problem


def _refuse_more_steps(problem: Problem) -> None:
    if len(problem.asked) != 1:
        raise CardError({"problem.steps": f"a card asks one step, not {len(problem.asked)}"})


def _place(card: CardFile, key: str) -> str:
    """Where the author finds what the grader calls ``key``."""
    if card.problem is not None:
        return f"problem.{key}" if key else "problem"
    key = key.removeprefix(f"steps.{STEP}.")
    return "answer" if key == "is" else key


# A whole file


def _top_level(text: str) -> dict[str, yaml.Node]:
    size = len(text.encode("utf-8", "replace"))
    if size > MOST_BYTES:
        raise DeckError([Fault(1, "", too_large(size, MOST_BYTES))])
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        words = f"this is not YAML: {error.problem or error.context}"
        raise DeckError([Fault(mark.line + 1 if mark else 1, "", words)]) from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise DeckError([Fault(1, "", f"this is not YAML: {error}")]) from error
    if not isinstance(node, yaml.MappingNode):
        raise DeckError([Fault(1, "", "a deck file is a mapping of title, summary and cards")])
    top: dict[str, yaml.Node] = {}
    for key, value in node.value:
        line = key.start_mark.line + 1
        if key.value not in ("title", "summary", "position", "cards"):
            raise DeckError([Fault(line, str(key.value), "this key is not known here")])
        if key.value in top:
            raise DeckError([Fault(line, key.value, "this key stands here twice")])
        top[key.value] = value
    return top


def _scalar(top: Mapping[str, yaml.Node], key: str, most: int, faults: list[Fault], *, is_needed: bool = False) -> str:
    node = top.get(key)
    if node is None:
        if is_needed:
            faults.append(Fault(1, key, "this is missing"))
        return ""
    text = node.value.strip() if isinstance(node, yaml.ScalarNode) else ""
    if not text or len(text) > most:
        faults.append(Fault(node.start_mark.line + 1, key, f"this must be text of up to {most} characters"))
    return str(text)


def _cards(text: str, node: yaml.Node | None, faults: list[Fault]) -> list[CardFile]:
    if not isinstance(node, yaml.SequenceNode) or not node.value:
        faults.append(Fault(node.start_mark.line + 1 if node else 1, "cards", "a deck is a list of cards"))
        return []
    if len(node.value) > MOST_CARDS:
        faults.append(Fault(node.start_mark.line + 1, "cards", f"a deck has at most {MOST_CARDS} cards"))
        return []
    cards: list[CardFile] = []
    seen: set[str] = set()
    for item in node.value:
        card = _card(text, item, seen, faults)
        if card is not None:
            cards.append(card)
    return cards


def _card(text: str, node: yaml.Node, seen: set[str], faults: list[Fault]) -> CardFile | None:
    """One card, read by the very reader of problem files: the same words mean the same, and its sizes are bounded."""
    first = node.start_mark.line
    segment = " " * node.start_mark.column + text[node.start_mark.index : node.end_mark.index]
    try:
        source = read_source(segment)
    except ProblemError as error:
        faults += [Fault(first + fault.line, fault.key, fault.message) for fault in error.faults]
        return None
    if not isinstance(source.data, dict):
        faults.append(Fault(first + 1, "cards", "a card is a mapping of keys such as id, kind and front"))
        return None
    name = str(source.data.get("id", f"card at line {first + 1}"))
    try:
        card = read_card(source.data, needs_skill=True)
    except CardError as error:
        for key, words in error.faults.items():
            near = source.fault(tuple(_parts(key)), words)
            faults.append(Fault(first + near.line, f"{name}.{key}" if key else name, words))
        return None
    if card.id in seen:
        faults.append(Fault(first + 1, name, "another card of this deck has this id"))
    seen.add(card.id)
    return card


def _parts(key: str) -> list[str | int]:
    return [int(part) if re.fullmatch(r"\d{1,4}", part) else part for part in key.split(".")] if key else []
