"""Embedded answers read by a scanner of our own: each text is gone through once, whatever stands in it."""

import html
import re
from dataclasses import dataclass
from fractions import Fraction

_START = re.compile(
    r"\{(\d{0,4}):(NUMERICAL|NM|MULTICHOICE(?:_[VHS]|_VS|_HS)?|MC[VHS]?|MCVS|MCHS|SHORTANSWER(?:_C)?|SAC?|MWC?|"
    r"MULTIRESPONSE(?:_[HS]|_HS)?|MR[HS]?|MRHS):"
)
_NUMBER = r"-?(?:[0-9]+[.,]?[0-9]*|[.,][0-9]+)(?:[eE][-+]?[0-9]+)?"
_NUMERICAL = re.compile(rf"({_NUMBER})(?::({_NUMBER}))?")
_SHARE = re.compile(r"%(-?[0-9]{1,9}(?:[.,][0-9]{0,9})?)%")
MOST_BOXES = 200


@dataclass(frozen=True)
class Answer:
    """One answer; for a number its value, else the text (HTML for options)."""

    value: float | str
    credit: Fraction
    says: str


@dataclass(frozen=True)
class Embedded:
    """One embedded question: ``kind`` is number, text, choice or choices."""

    kind: str
    weight: int
    answers: tuple[Answer, ...]


def embedded_answers(text: str) -> tuple[str, list[Embedded]]:
    """The text with ``(1)``, ``(2)`` … in the places of its embedded answers, and these. What is none stays text."""
    parts: list[str] = []
    boxes: list[Embedded] = []
    at = 0
    while len(boxes) < MOST_BOXES and (found := _START.search(text, at)):
        end = _end_of(text, found.end())
        if end is None:
            break
        boxes.append(_box(found[1], found[2], text[found.end() : end]))
        parts += [text[at : found.start()], f"({len(boxes)})"]
        at = end + 1
    return "".join([*parts, text[at:]]), boxes


def _end_of(text: str, at: int) -> int | None:
    """Where the closing brace of an embedded answer stands; a backslash before a sign takes its meaning."""
    while at < len(text):
        if text[at] == "\\":
            at += 1
        elif text[at] == "}":
            return at
        at += 1
    return None


def _box(weight: str, name: str, body: str) -> Embedded:
    kind = "number" if name.startswith("N") else "choices" if name.startswith(("MULTIR", "MR")) else (
        "text" if name.startswith(("S", "MW")) else "choice"
    )  # fmt: skip
    answers = [answer for each in _split(body, "~") if (answer := _answer(each, kind)) is not None]
    return Embedded(kind, int(weight) if weight else 1, tuple(answers))


def _split(body: str, sign: str) -> list[str]:
    """The body cut at a sign that has no backslash before it and is no part of an entity."""
    return re.split(rf"(?<!\\)(?<!&){re.escape(sign)}", body)


def _answer(said: str, kind: str) -> Answer | None:
    credit = Fraction(0)
    if said.startswith("="):
        credit, said = Fraction(1), said[1:]
    elif share := _SHARE.match(said):
        credit, said = Fraction(share[1].replace(",", ".")) / 100, said[share.end() :]
    answer, *rest = _split(said, "#")
    says = _undone("#".join(rest))
    if kind != "number":
        return Answer(_undone(answer), credit, says) if answer.strip() else None
    found = _NUMERICAL.fullmatch(answer.strip())
    if found is None or len(answer) > 80:
        return None
    value = float(found[1].replace(",", "."))
    return Answer(value, credit, says) if abs(value) < 1e300 else None


def _undone(text: str) -> str:
    return re.sub(r"\\([~#}{=\\:%/\"])", r"\1", html.unescape(text))
