"""GIFT as starting points: numbers, choices, true or false, and short answers."""

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from exercises.exchange.html_text import escaped, markdown_of
from exercises.exchange.markup import plain
from exercises.exchange.report import Entry
from exercises.exchange.starting import (
    MOST_ANSWERS,
    MOST_OF_ONE,
    SECONDS,
    TOO_LONG,
    Asked,
    NotTaken,
    Question,
    Start,
    Told,
    start_of,
)

HEADING = "Questions in GIFT"
MOST_QUESTIONS = 300
_FORMAT = re.compile(r"\s*\[(html|moodle|plain|markdown)\]\s*", re.IGNORECASE)
_NUMBER = re.compile(r"[-+]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][-+]?\d+)?")
_SHARE = re.compile(r"%(-?\d{1,5}(?:\.\d{0,9})?)%")
_TRUE = re.compile(r"(T|TRUE|F|FALSE)", re.IGNORECASE)
RANGE = "Its range of right answers is not kept: here the tolerance follows from rounding to the digits asked for."


class GiftRefused(ValueError):
    """A text that is no GIFT at all; the message says why."""


@dataclass(frozen=True)
class _Alternative:
    sign: str
    credit: Fraction | None
    text: str
    says: str


def read_gift(text: str, skill: str) -> list[Start | Entry]:
    """Every question in order: a problem to go on from, or why not. Raises GiftRefused where there is none."""
    blocks = list(_blocks(text))
    if _find(text, "{", 0) is None:
        raise GiftRefused("There is no GIFT question in it: one has its answers between { and }.")
    if len(blocks) > MOST_QUESTIONS:
        raise GiftRefused(f"It holds {len(blocks)} questions; {MOST_QUESTIONS} are the most. Divide it.")
    ends = time.monotonic() + SECONDS
    return [_one(line, block, skill, ends) for line, block in blocks]


def _blocks(text: str) -> Iterator[tuple[int, str]]:
    """The questions, which empty lines part, with the line that each begins in."""
    lines: list[str] = []
    first = 1
    for number, line in enumerate([*text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), ""], start=1):
        if line.strip().startswith("//") or line.strip().startswith("$CATEGORY:"):
            continue
        if line.strip():
            first = number if not lines else first
            lines.append(line)
        elif lines:
            yield first, "\n".join(lines)
            lines = []


def _one(line: int, block: str, skill: str, ends: float) -> Start | Entry:
    title = f"Question in line {line}"
    try:
        if time.monotonic() > ends:
            raise NotTaken(TOO_LONG)
        if len(block) > MOST_OF_ONE:
            raise NotTaken(f"it is longer than {MOST_OF_ONE:,} characters.")
        found = re.match(r"\s*::(.*?)(?<!\\)::", block, re.DOTALL)
        if found is not None:
            title, block = " ".join(_undone(found[1]).split())[:200] or title, block[found.end() :]
        before, inside, after = _parts(block)
        words = _text(before, after)
        if found is None:
            title = " ".join(plain(words).split()[:12])[:80] or title
        question = Question(title, words, [])
        _read(inside, question)
        return start_of(question, skill)
    except NotTaken as refused:
        return Entry(title, left=f"line {line}: {refused}")


def _parts(block: str) -> tuple[str, str, str]:
    """What stands before, within and after the braces. Raises NotTaken."""
    opening = _find(block, "{", 0)
    if opening is None:
        raise NotTaken("it has no answers between { and }: a description asks for nothing.")
    closing = _find(block, "}", opening + 1)
    if closing is None:
        raise NotTaken("the brace of its answers is not closed.")
    if _find(block, "{", closing + 1) is not None:
        raise NotTaken("it has answers in several places.")
    return block[:opening], block[opening + 1 : closing], block[closing + 1 :]


def _find(text: str, sign: str, at: int) -> int | None:
    found = re.compile(rf"(?<!\\){re.escape(sign)}").search(text, at)
    return found.start() if found else None


def _text(before: str, after: str) -> str:
    form = _FORMAT.match(before)
    words = before[form.end() :] if form else before
    if after.strip():
        words = f"{words} _____ {after}"
    words = _undone(words).strip()
    kind = form[1].lower() if form else "moodle"
    if kind == "markdown":
        return words
    return markdown_of(words).words if kind in ("html", "moodle") else escaped(words)


def _read(inside: str, question: Question) -> None:
    inside, general, _ = inside.partition("####")
    if general.strip():
        question.lost.append("The general feedback is not kept: here the worked solution follows from the formulas.")
    body = inside.strip()
    if not body:
        raise NotTaken("an essay is not marked here.")
    if body.startswith("#"):
        _numerical(body[1:], question)
        return
    head = re.split(r"(?<!\\)#", body)[0].strip()
    if _TRUE.fullmatch(head):
        _true_or_false(body, head, question)
        return
    alternatives = list(_alternatives(body))
    if any("->" in one.text for one in alternatives if one.sign == "="):
        raise NotTaken("matching has no counterpart here.")
    if any(one.sign == "~" for one in alternatives):
        _choice(alternatives, question)
    else:
        _short(alternatives, question)


def _alternatives(body: str) -> Iterator[_Alternative]:
    """The answers, each behind its ``=`` or ``~``. Raises NotTaken."""
    pieces = re.split(r"(?<!\\)([=~])", body)
    if len(pieces) // 2 > MOST_ANSWERS:
        raise NotTaken(f"it has more than {MOST_ANSWERS} answers.")
    if pieces[0].strip():
        raise NotTaken(f"“{pieces[0].strip()[:40]}” stands where = or ~ should.")
    for sign, piece in zip(pieces[1::2], pieces[2::2], strict=True):
        share = _SHARE.match(piece.strip())
        credit = Fraction(share[1]) / 100 if share else None
        text, _, says = _cut(piece.strip()[share.end() if share else 0 :])
        yield _Alternative(sign, credit, text, markdown_of(_undone(says)).words)


def _cut(said: str) -> tuple[str, str, str]:
    at = _find(said, "#", 0)
    return (said, "", "") if at is None else (said[:at].strip(), "#", said[at + 1 :].strip())


def _numerical(body: str, question: Question) -> None:
    body = body.strip()
    alternatives = list(_alternatives(body)) if body.startswith(("=", "~")) else None
    if alternatives is None:
        text, _, says = _cut(body)
        alternatives = [_Alternative("=", None, text, says)]
    right: float | None = None
    wrongs: list[Told] = []
    for one in alternatives:
        value, has_room = _value(one.text)
        credit = one.credit if one.credit is not None else Fraction(one.sign == "=")
        if has_room and RANGE not in question.lost:
            question.lost.append(RANGE)
        if value is None:
            if one.text.strip():
                raise NotTaken(f"“{one.text[:40]}” is no number.")
        elif credit == 1 and right is None:
            right = value
        elif right is None or abs(value - right) > 0.02 * abs(right):
            wrongs.append(Told(value, max(credit, Fraction(0)), one.says))
        else:
            question.lost.append(f"The answer {value:g} lies too near to the right one to be told apart.")
    if right is None:
        raise NotTaken("it has no answer that is wholly right.")
    question.asked.append(
        Asked("number", "Your answer", right, wrongs=[one for one in wrongs if one.says or one.credit])
    )


def _value(text: str) -> tuple[float | None, bool]:
    """A number, and whether it stood with a tolerance or as a range, whose middle it then is."""
    if ".." in text:
        ends = [_plain_number(part) for part in text.split("..", 1)]
        low, high = ends[0], ends[1]
        return (None if low is None or high is None else float(f"{(low + high) / 2:.12g}")), True
    value, _, room = text.partition(":")
    return _plain_number(value), bool(room.strip())


def _plain_number(text: str) -> float | None:
    words = text.strip()
    if not _NUMBER.fullmatch(words) or len(words) > 40:
        return None
    value = float(words.replace(",", "."))
    return value if abs(value) < 1e300 else None


def _true_or_false(body: str, head: str, question: Question) -> None:
    is_true = head.upper().startswith("T")
    said = [markdown_of(_undone(part)).words.strip() for part in re.split(r"(?<!\\)#", body)[1:]]
    wrongs = [Told(1 if is_true else 0, Fraction(0), said[0])] if said and said[0] else []
    if len(said) > 1 and said[1]:
        question.lost.append("What was said to a right answer is not kept.")
    question.asked.append(
        Asked("choice", "True or false?", 0 if is_true else 1, options=["True", "False"], wrongs=wrongs)
    )


def _choice(alternatives: list[_Alternative], question: Question) -> None:
    texts = [markdown_of(_undone(_without_format(one.text))).words or "(empty)" for one in alternatives]
    if len(texts) < 2:
        raise NotTaken("it has fewer than two options.")
    rights = [place for place, one in enumerate(alternatives) if one.sign == "=" or one.credit == 1]
    if rights:
        wrongs = [
            Told(place, max(one.credit or Fraction(0), Fraction(0)), one.says)
            for place, one in enumerate(alternatives)
            if place not in rights and (one.says or one.credit)
        ]
        if len(rights) > 1:
            question.lost.append("Of several options that are wholly right the first is kept.")
        if any(alternatives[place].says for place in rights):
            question.lost.append("What was said to a right answer is not kept.")
        question.asked.append(Asked("choice", "Choose one", rights[0], options=texts, wrongs=wrongs))
        return
    key = [int((one.credit or Fraction(0)) > 0) for one in alternatives]
    if not any(key):
        raise NotTaken("none of its options is right.")
    if any(one.says for one in alternatives):
        question.lost.append("What was said of single options is not kept where several are to be chosen.")
    question.asked.append(Asked("choices", "Choose all that are right", key, options=texts))


def _short(alternatives: list[_Alternative], question: Question) -> None:
    forms = [_undone(one.text) for one in alternatives if one.text and one.credit in (None, Fraction(1))]
    if any("*" in form for form in forms):
        question.lost.append("A star does not stand for any text here.")
    wrongs = [
        Told(_undone(one.text), max(one.credit, Fraction(0)), one.says)
        for one in alternatives
        if one.text and one.credit is not None and one.credit < 1
    ]
    if not forms:
        raise NotTaken("it has no answer that is wholly right.")
    if any(one.says for one in alternatives if one.credit in (None, Fraction(1))):
        question.lost.append("What was said to a right answer is not kept.")
    question.asked.append(Asked("text", "Your answer", forms, wrongs=wrongs))


def _without_format(text: str) -> str:
    found = _FORMAT.match(text)
    return text[found.end() :] if found else text


def _undone(text: str) -> str:
    """Without the backslashes before signs of GIFT; ``\\n`` is a new line. Those of TeX stay."""
    text = re.sub(r"\\n(?![a-zA-Z])", "\n", text)
    return re.sub(r"\\([~=#{}:])", r"\1", text)
