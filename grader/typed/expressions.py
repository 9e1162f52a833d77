"""A typed calculation made into text for the formula parser, or refused with the correction written out.

Two rules are documented on the help page: a multiplication is always written (``2*ln(2)``), and a function always has
brackets (``ln(0.5)``). Powers bind tighter than a leading minus, so ``-2^2`` is -4; ``e^1/2`` is e/2.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal as OneOf

import numpy as np

from grader.errors import FormulaError
from grader.formula import compile_formula
from grader.syntax import LEARNER
from grader.typed.characters import SUBSCRIPTS, SUPERSCRIPTS, fraction_of, name_of
from grader.typed.literals import LITERAL, Literal, Unreadable, read_literal

#: Brackets within brackets, at most.
MAX_DEPTH = 20
#: Numbers, names and signs in one answer, at most.
MAX_TOKENS = 100
WHICH_LOG = "“log” can mean several logarithms: write ln, log2 or log10."

_NAME = re.compile(r"[^\W\d_]+")
_OPERATOR = re.compile(r"\*\*|[-+*/^()%]")
_RAISED = re.compile(f"[{re.escape(''.join(SUPERSCRIPTS))}]+")
_LOWERED = re.compile(f"(?<=[A-Za-z])[{''.join(SUBSCRIPTS)}]+")
_UNDERSCORED = re.compile(r"\blog_(2|10)(?!\d)", re.IGNORECASE)
_TIMES = re.compile(r"(?<=[\d.,)])\s*[xX]\s*(?=[\d.,(])|(?<=\s)[xX](?=\s)|×")
_ROOT_OF = re.compile(r"√\s*((?:\d[\d.,]*|[.,]\d+)(?![eE]?\d)|pi\b|π|e\b)")
_RAISED_POINT = re.compile(r"(?<![\d.,])(\d+)·(\d+)(?!\d)(?!\s*(?:\^|\*\*))")
_LOST_EXPONENT = re.compile(r"[-+]?[\d.,]+ ?[xX×·] ?10 ?[-+] ?\d{1,3}")
_ALIASES = {"π": "pi", "σ": "sigmoid"}
_OTHER_LOGS = frozenset({"lg", "lb", "ld", "log", "loge", "logarithm"})
_INSTEAD = {
    **dict.fromkeys("[]{}", "use round brackets ( )"),
    **dict.fromkeys("<>±", "write one number, not a range"),
    **dict.fromkeys(";,", "write one number in a box"),
    **dict.fromkeys("=≈", "write one number"),
    "|": "use round brackets ( ), and no bars",
    ":": "write / for a division",
    "√": "write sqrt(…) with brackets",
    "…": "write the digits, without dots",
    "\\": "write it without TeX, such as 1/3 for a fraction",
}

Kind = OneOf["number", "name", "function", "operator"]


@dataclass(frozen=True)
class Token:
    """``typed`` is shown when a correction is proposed, ``plain`` goes to the parser."""

    kind: Kind
    typed: str
    plain: str
    literal: Literal | None = None

    @property
    def ends_operand(self) -> bool:
        return self.kind in ("number", "name") or self.plain == ")"

    @property
    def starts_operand(self) -> bool:
        return self.kind in ("number", "name", "function") or self.plain == "("


def tokens(text: str, decimal: str, *, count: bool = False) -> list[Token]:
    """The tokens of a normalised text (``grader.typed.characters.plain``). Raises Unreadable."""
    text = _written_out(text, decimal)
    found: list[Token] = []
    at = 0
    while at < len(text):
        if len(found) == MAX_TOKENS:
            raise Unreadable("This calculation is too long: work out a part of it first.")
        if text[at] == " ":
            at += 1
        elif match := LITERAL.match(text, at):
            literal = read_literal(match.group(), decimal, count=count)
            found.append(Token("number", literal.typed, literal.plain, literal))
            at = match.end()
        elif match := _NAME.match(text, at):
            token, length = _name(text, at, match.group())
            found.append(token)
            at += length
        elif match := _OPERATOR.match(text, at):
            found.append(Token("operator", match.group(), match.group().replace("^", "**")))
            at = match.end()
        else:
            raise Unreadable(f"{name_of(text[at])} has no meaning here: {_INSTEAD.get(text[at], 'leave it out')}.")
    return found


def evaluate(found: list[Token]) -> float:
    """The value of an expression, maybe NaN or infinite. Raises Unreadable with the correction."""
    checked = _without_plus_signs(found)
    if not checked:
        raise Unreadable("There is no number here: write one.")
    _check_signs(checked)
    _check_neighbours(checked)
    _check_brackets(checked)
    return _value("".join(token.plain for token in checked))


@lru_cache(maxsize=2048)
def _value(plain: str) -> float:
    try:
        with np.errstate(all="ignore"):
            return float(compile_formula(plain, {}, LEARNER)({}).reshape(-1)[0])
    except FormulaError as error:
        raise Unreadable(f"This cannot be worked out: {error.message}.") from error


def _written_out(text: str, decimal: str) -> str:
    """Superscripts, roots, ``½``, ``×`` and their like as the language writes them."""
    if text.isascii() and "x" not in text.lower() and "_" not in text:
        return text
    if _LOST_EXPONENT.fullmatch(text):
        raise Unreadable(f"“{text}” may have lost a raised exponent: write 10^-5 for a power of ten, * for a product.")
    text = _RAISED.sub(lambda run: f"^({''.join(SUPERSCRIPTS[sign] for sign in run.group())})", text)
    text = _LOWERED.sub(lambda run: "".join(SUBSCRIPTS[sign] for sign in run.group()), text)
    text = _UNDERSCORED.sub(r"log\1", text)
    text = _fractions(text)
    if match := _RAISED_POINT.search(text):
        left, right = match.groups()
        raise Unreadable(f"“{match.group()}” can be read in two ways: write {left}{decimal}{right} or {left}*{right}.")
    if re.match(r"[-+]?0[xX]\d", text):
        raise Unreadable(f"“{text}” can be read in two ways: write * for a product.")
    text = _TIMES.sub("*", text).replace("·", "*")
    return _ROOT_OF.sub(r"sqrt(\1)", text).replace("√(", "sqrt(").replace("√ (", "sqrt(")


def _fractions(text: str) -> str:
    """``½`` as (1/2) and ``1½`` as (1+1/2)."""
    for character in sorted({character for character in text if fraction_of(character)}):
        fraction = fraction_of(character)
        text = re.sub(rf"(?<![\d.,'_ ])(\d+) ?{character}", rf"(\1+{fraction})", text)
        text = text.replace(character, f"({fraction})")
    return text


def _name(text: str, at: int, word: str) -> tuple[Token, int]:
    """The token of a word and how many characters it takes: ``log2`` and ``log10`` end in digits."""
    digits = re.compile(r"\d*", re.ASCII).match(text, at + len(word))
    with_digits = word + (digits.group() if digits else "")
    for typed in (with_digits, word):
        plain = _ALIASES.get(typed, typed.lower())
        if plain in LEARNER.functions:
            return Token("function", plain, plain), len(typed)
        if plain in LEARNER.constants:
            return Token("name", plain, plain), len(typed)
    if word.lower() in _OTHER_LOGS:
        raise Unreadable(WHICH_LOG)
    known = ", ".join(sorted(LEARNER.functions))
    raise Unreadable(f"“{word}” is not known here: an answer is a number or uses e, pi, {known}.")


def _without_plus_signs(found: list[Token]) -> list[Token]:
    """Leading plus signs say nothing and are dropped: ``+.5``, ``10^+5``, ``(+2)``."""
    kept: list[Token] = []
    for token in found:
        if token.plain == "+" and (not kept or kept[-1].plain in ("(", "**", "*", "/")):
            continue
        kept.append(token)
    return kept


def _check_signs(found: list[Token]) -> None:
    for before, after in zip([None, *found], [*found, None], strict=True):
        if after is not None and after.plain == "%":
            raise Unreadable("A % can only follow a single number: write 0.5 for 50%.")
        if before is not None and after is not None and before.plain in "+-" and after.plain in "+-":
            raise Unreadable("Two signs stand in a row: write one, or put the negative number in brackets, 2 - (-3).")
        opens = before is None or (before.kind == "operator" and before.plain != ")")
        if opens and after is not None and after.plain in ("*", "/", "**"):
            where = "at the beginning" if before is None else f"after {before.typed}"
            raise Unreadable(f"A number is missing {where}, before {after.typed}.")
        if before is not None and opens and before.plain != "(" and (after is None or after.plain == ")"):
            raise Unreadable(f"A number is missing after {before.typed}.")


def _check_neighbours(found: list[Token]) -> None:
    """Refuses implicit products and functions without brackets, with the correction shown."""
    missing = ""
    for k, (before, after) in enumerate(zip(found, [*found[1:], None], strict=True)):
        following = "".join(token.plain for token in found[k + 2 : k + 6])
        if before.kind == "function" and (after is None or after.plain != "("):
            if after is None or after.kind not in ("number", "name") or following[:1] not in ("", ")", "+", "-"):
                raise Unreadable(f"{before.typed} needs brackets round what it is taken of: {before.typed}(…).")
            missing = "a function needs brackets"
        elif before.ends_operand and after is not None and after.starts_operand:
            _check_glued_numbers(before, after, following)
            missing = missing or "a multiplication needs its sign"
    if missing:
        raise Unreadable(f"Here {missing}: write {_corrected(found)}.")


def _check_glued_numbers(before: Token, after: Token, following: str) -> None:
    a, b = before.typed, after.typed
    if before.kind == after.kind == "number":
        if following.startswith("/"):
            raise Unreadable(f"“{a} {b}/…” is a mixed number: write {a} + {b}/….")
        raise Unreadable(f"“{a} {b}” is two numbers: write one, or put + - * or / between them.")
    if before.kind == "name" and after.kind == "number":
        raise Unreadable(f"“{a}{b}” can be read in two ways: write {a}^{b} or {a}*{b}.")
    if before.kind == "number" and after.plain == "e":
        _check_exponent(before, following)


def _check_exponent(number: Token, following: str) -> None:
    """A number and an e: the exponent may be missing, or may have been raised."""
    typed = number.typed
    if "e" in number.plain:
        raise Unreadable(f"“{typed}e” has one exponent too many: write {typed}.")
    raised = re.match(r"\*\*\(?([-+]?\d+)\)?", following)
    if raised:
        power = raised.group(1)
        raise Unreadable(f"“{typed}e^{power}” can be read in two ways: write {typed}*e^{power} or {typed}e{power}.")
    if not following.startswith("**"):
        raise Unreadable(
            f"“{typed}e” is not complete: write {typed}e-3 for a power of ten, without spaces, or {typed}*e."
        )


def _corrected(found: list[Token]) -> str:
    """The typed text with the missing ``*`` and brackets put in."""
    out: list[str] = []
    for before, token in zip([None, *found], found, strict=False):
        if before is not None and before.kind == "function" and token.plain != "(":
            out.append(f"({token.typed})")
        elif before is not None and before.ends_operand and token.starts_operand:
            out.append(f"*{token.typed}")
        else:
            out.append(token.typed)
    return "".join(out)


def _check_brackets(found: list[Token]) -> None:
    depth = 0
    for before, token in zip([None, *found], found, strict=False):
        depth += {"(": 1, ")": -1}.get(token.plain, 0)
        if depth < 0:
            raise Unreadable("A closing bracket has no opening one: add ( before it or leave it out.")
        if depth > MAX_DEPTH:
            raise Unreadable(f"More than {MAX_DEPTH} brackets stand within each other: write it more simply.")
        if before is not None and before.plain == "(" and token.plain == ")":
            raise Unreadable("Nothing stands between the brackets.")
    if depth:
        raise Unreadable("A closing bracket is missing: add ) at the end.")
