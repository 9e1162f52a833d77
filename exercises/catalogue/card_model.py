"""The shape of a flashcard, in a deck file and wherever else a card is written down. Names what is wrong with one."""

import json
import re
from collections.abc import Mapping
from math import isfinite
from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, model_validator

from grader.file_model import Formula, Tag, Words

Kind = Literal["text", "cloze", "number", "count", "shape", "choice", "choices", "self", "drawn"]
KINDS: tuple[Kind, ...] = get_args(Kind)
#: Where the answer of a cloze card was taken out.
GAP = "[[gap]]"
#: Characters of one card in all.
MOST_CARD = 20_000
MOST_DEPTH = 12
#: What stands in the place of a card's id in an address.
RESERVED = ("new",)

_UNSTORABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")


def _plain_lines(text: Any) -> Any:
    """One way of ending a line, and no character that a database or a spreadsheet would lose."""
    if not isinstance(text, str):
        return text
    if found := _UNSTORABLE.search(text):
        raise ValueError(f"take out the character U+{ord(found[0]):04X}, which cannot be kept")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _plain_data(data: Any, depth: int = 0) -> Any:
    """Mappings, lists, texts, numbers, true and false, as JSON can hold them."""
    if depth > MOST_DEPTH:
        raise ValueError("this is nested too deeply")
    if isinstance(data, Mapping):
        return {str(_plain_lines(str(key))): _plain_data(value, depth + 1) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_plain_data(value, depth + 1) for value in data]
    if isinstance(data, str):
        return _plain_lines(data)
    if isinstance(data, float) and not isfinite(data):
        raise ValueError("a number must be finite")
    if data is None or isinstance(data, bool | int | float):
        return data
    raise ValueError(f"a {type(data).__name__} cannot stand here")


def _plain_words(data: Any) -> Any:
    return [_plain_lines(word) for word in data] if isinstance(data, list) else data


def _without_slots(text: str) -> str:
    if "{{" in text:
        raise ValueError("write { { with a space: two braces together begin a drawn value")
    return text


def _not_reserved(key: str) -> str:
    if key in RESERVED:
        raise ValueError(f"{key!r} is the address of the form for a new card: give this card another id")
    return key


Text = Annotated[str, BeforeValidator(_plain_lines), StringConstraints(max_length=4000)]
Line = Annotated[
    str,
    BeforeValidator(_plain_lines),
    StringConstraints(min_length=1, max_length=500),
    AfterValidator(_without_slots),
]
Says = Annotated[
    str,
    BeforeValidator(_plain_lines),
    StringConstraints(min_length=1, max_length=4000),
    AfterValidator(_without_slots),
]
Answer = Annotated[Formula, BeforeValidator(_plain_data)]
Forms = Annotated[Words, BeforeValidator(_plain_words)]
Data = Annotated[dict[str, Any], BeforeValidator(_plain_data)]
TagWord = Annotated[str, BeforeValidator(_plain_lines), StringConstraints(pattern=r"^\S{1,60}$")]
Key = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]{0,59}$"), AfterValidator(_not_reserved)]


class Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class CardMistake(Part):
    """A named mistake of a card: the wrong answer, and what to say about it."""

    is_: Answer | None = Field(None, alias="is", description="a formula; of a choice the key, of choices their keys")
    accept: Forms | None = Field(None, description="of text and cloze: the forms that show this mistake")
    says: Says


class CardFile(Part):
    """One card. Every kind but ``self`` is read and marked; ``drawn`` has other numbers each time."""

    id: Key
    skill: Annotated[str, StringConstraints(max_length=80)] = ""
    kind: Kind
    front: Text = ""
    back: Text = ""
    hint: Text = ""
    answer: Answer | None = None
    digits: int | None = Field(None, ge=2, le=8)
    accept: Forms | None = None
    options: dict[Tag, Line] | None = Field(None, min_length=2, max_length=12)
    shuffle: bool = Field(True, description="whether the options come in another order each time")
    mistakes: dict[Tag, CardMistake] = Field(default_factory=dict, max_length=20)
    parameters: Data = Field(default_factory=dict, description="what a figure is drawn from, as in a problem file")
    figure: Data | None = None
    tags: list[TagWord] = Field(default_factory=list, max_length=20)
    problem: Data | None = Field(None, description="of a drawn card: parameters, statement and one step")

    @property
    def is_read(self) -> bool:
        """Whether an answer is typed or chosen, and marked."""
        return self.kind != "self"

    @property
    def answer_keys(self) -> list[str]:
        """The keys of a choice or of choices that are right."""
        return keys_in(self.answer or "")

    @model_validator(mode="after")
    def _holds_together(self) -> "CardFile":
        faults = [*_missing(self), *_superfluous(self), *_options_at_fault(self)]
        if self.kind == "cloze" and self.front.count(GAP) != 1:
            faults.append(f"a cloze card has {GAP} once in its front, where the answer was taken out")
        if len(json.dumps(self.content(), ensure_ascii=False)) > MOST_CARD:
            faults.append(f"a card has at most {MOST_CARD} characters in all")
        if faults:
            raise ValueError("; ".join(faults))
        return self

    def content(self) -> dict[str, Any]:
        """The card as plain data as in a deck file, without what is left out there. Equal cards give equal data."""
        return self.model_dump(mode="json", by_alias=True, exclude_defaults=True)


def keys_in(answer: str) -> list[str]:
    """The option keys of a choice, or of choices written ``[one, other]``."""
    return [key.strip() for key in answer.strip().removeprefix("[").removesuffix("]").split(",") if key.strip()]


_NEEDED: dict[Kind, tuple[str, ...]] = {
    "text": ("front", "accept"),
    "cloze": ("front", "accept"),
    "number": ("front", "answer"),
    "count": ("front", "answer"),
    "shape": ("front", "answer"),
    "choice": ("front", "options", "answer"),
    "choices": ("front", "options", "answer"),
    "self": ("front", "back"),
    "drawn": ("problem",),
}
_OF_SOME: dict[str, tuple[Kind, ...]] = {
    "answer": ("number", "count", "shape", "choice", "choices"),
    "digits": ("number",),
    "accept": ("text", "cloze"),
    "options": ("choice", "choices"),
    "mistakes": ("text", "cloze", "number", "count", "shape", "choice", "choices"),
    "parameters": tuple(kind for kind in KINDS if kind != "drawn"),
    "figure": tuple(kind for kind in KINDS if kind != "drawn"),
    "problem": ("drawn",),
}


def _missing(card: CardFile) -> list[str]:
    needed = [name for name in _NEEDED[card.kind] if not getattr(card, name)]
    return [f"a {card.kind} card needs {name}" for name in needed]


def _superfluous(card: CardFile) -> list[str]:
    return [
        f"a {card.kind} card has no {name}; in a drawn card it stands in the problem"
        if card.kind == "drawn"
        else f"a {card.kind} card has no {name}"
        for name, kinds in _OF_SOME.items()
        if card.kind not in kinds and getattr(card, name)
    ]


def _options_at_fault(card: CardFile) -> list[str]:
    if card.options is None or card.answer is None:
        return []
    faults = []
    if card.kind == "choice" and len(card.answer_keys) != 1:
        faults.append("a choice has one key as its answer; several right options make it choices")
    given = {"answer": card.answer_keys} | {
        f"mistakes.{tag}": keys_in(mistake.is_ or "") for tag, mistake in card.mistakes.items()
    }
    for name, keys in given.items():
        if unknown := [key for key in keys if key not in card.options]:
            faults.append(f"{name}: there is no option {unknown[0]}; there are {', '.join(card.options)}")
    return faults
