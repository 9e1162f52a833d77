"""Moodle's embedded answers: ``{weight:TYPE:=right#feedback~%50%other#feedback}`` in the text of a question.

Everything that is not a letter or a digit in an answer or in feedback is written as a numeric entity, which the
importer undoes: so no sign of the text can be taken for one of the grammar (``{ } ~ = # : / % \\ &``).
"""

import math
import re
from collections.abc import Sequence
from fractions import Fraction

from exercises.exchange.exercise import Box, Form, Option, Part
from exercises.exchange.markup import inline

#: What may be typed where there is nothing to divide by.
UNDEFINED = ("undefined", "undef", "not defined", "0/0")
_PLAIN = re.compile(r"[^A-Za-z0-9 .,()\-]")
_LOOKS_EMBEDDED = re.compile(r"\{(?=[0-9]*:)|\{(?=#)")
FULL = Fraction(1)


def escaped(text: str) -> str:
    """A text so that the importer reads it back exactly, whatever stands in it."""
    return _PLAIN.sub(lambda sign: f"&#{ord(sign[0])};", text)


def outside(html: str) -> str:
    """The text between the boxes, in which nothing may look like a box."""
    return _LOOKS_EMBEDDED.sub("&#123;", html)


def weights_of(parts: Sequence[Part]) -> dict[str, int]:
    """Whole weights for one box of each part, in proportion: an entry of a vector has its share of the whole."""
    each = {part.step: part.weight / max(1, len(part.boxes)) for part in parts}
    scale = math.lcm(*(weight.denominator for weight in each.values()))
    whole = {step: int(weight * scale) for step, weight in each.items()}
    common = math.gcd(*whole.values()) or 1
    return {step: weight // common for step, weight in whole.items()}


def embedded(part: Part, weight: int) -> list[str]:
    """The boxes of one part, as they stand in the text."""
    if part.boxes:
        return [_box(box, weight, takes_undefined=part.undefined) for box in part.boxes]
    if part.kind == "choices":
        return [_several(part.options, weight)]
    if part.options:
        return [_one(part.options, weight)]
    return [_typed(part.forms, weight)]


def number(value: float) -> str:
    """A number as the importer reads it: a plain decimal or one with an exponent, to ten digits; whole ones exactly."""
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return f"{value:.10g}"


def tolerance(room: float) -> str:
    """A tolerance, rounded up at its eighth digit: far less than anybody rounds by."""
    if room <= 0:
        return "0"
    unit = 10.0 ** (math.floor(math.log10(room)) - 7)
    return f"{math.ceil(room / unit - 1e-6) * unit:.8g}"


def share(credit: Fraction) -> str:
    """A share of the credit: ``=`` for all of it, else in percent."""
    if credit == FULL:
        return "="
    return f"%{_percent(credit)}%"


def _percent(credit: Fraction) -> str:
    return f"{float(credit * 100):.5f}".rstrip("0").rstrip(".") or "0"


def _box(box: Box, weight: int, *, takes_undefined: bool) -> str:
    if box.key is None:
        return _answers(weight, "SHORTANSWER", [f"={escaped(text)}" for text in UNDEFINED])
    answers = [f"={number(box.key)}:{tolerance(box.room)}"]
    answers += [
        f"{share(wrong.credit)}{number(wrong.value)}:{tolerance(wrong.room)}{_feedback(wrong.says)}"
        for wrong in box.wrongs
    ]
    return _answers(weight, "NUMERICAL", answers)


def _one(options: Sequence[Option], weight: int) -> str:
    answers = [
        f"{share(FULL if option.is_right else option.credit)}{escaped(inline(option.text))}{_feedback(option.says)}"
        for option in options
    ]
    return _answers(weight, "MULTICHOICE_V", answers)


def _several(options: Sequence[Option], weight: int) -> str:
    """Hits less false picks, as here; an option that is right in no variant would be no question."""
    right = sum(option.is_right for option in options)
    each = Fraction(1, right or 1)
    answers = [f"%{_percent(each if option.is_right else -each)}%{escaped(inline(option.text))}" for option in options]
    return _answers(weight, "MULTIRESPONSE", answers)


def _typed(forms: Sequence[Form], weight: int) -> str:
    # A star would stand for any text.
    answers = [share(form.credit) + escaped(form.text.replace("*", r"\*")) + _feedback(form.says) for form in forms]
    return _answers(weight, "SHORTANSWER", answers)


def _feedback(says: str) -> str:
    return f"#{escaped(inline(says))}" if says else ""


def _answers(weight: int, kind: str, answers: Sequence[str]) -> str:
    return f"{{{weight}:{kind}:{'~'.join(answers)}}}"
