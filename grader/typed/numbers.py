"""The boxes that take one number: any number, or a count."""

import math
import re
from decimal import Decimal

from grader.typed.characters import MAX_LENGTH, plain
from grader.typed.expressions import Token, evaluate, tokens
from grader.typed.literals import Literal, Unreadable, significant
from grader.typed.locales import DEFAULT_LOCALE, decimal_sign
from grader.typed.result import BLANK, Reading, unreadable

UNDEFINED_WORDS = frozenset({"undefined", "undef", "undef.", "not defined"})
UNDEFINED = Reading("read", math.nan, "undefined")

#: What most people type, per decimal sign: read without going the long way.
_COMMON = {
    ".": re.compile(r"-?\d{1,15}(?:\.\d{1,15})?", re.ASCII),
    ",": re.compile(r"-?\d{1,15}(?:,\d{1,15})?", re.ASCII),
}
_EQUALITY = "=≈~"
_NAMED = re.compile(r"(?:[^\W\d][\w'\u0300-\u036f]* ?)?:?[=≈~]+ ?(?=[^=≈~ ])")
_LONE_E = re.compile(r"([-+]?)[eE]([-+]?)(\d+)", re.ASCII)
_ZERO_BY_ZERO = re.compile(r"[-+(]*0+(?:[.,]0*)?\)*/[-+(]*0+(?:[.,]0*)?\)*")
_NOT_FINITE = re.compile(r"[-+]?(?:inf|infinity|infinite|nan|∞)", re.IGNORECASE)
_DOTS = re.compile(r"(.*\d[.,]\d+)(?:…|\.\.\.)")
_PERCENT_WORDS = re.compile(r"(?<=[\d.,]) ?(?:percent|per cent|pct)\.?$", re.IGNORECASE)
_UNIT_WORD = re.compile(r"(.*[\d)%]) ?(nats?|bits?|tokens?|words?|slots?|dits?|bans?|units?)\.?", re.IGNORECASE)
#: More digits than this are shown only where they were typed; a calculation is cut to four, with dots.
_SHOWN_WHOLE = 10


def read_number(text: object, *, locale: str = DEFAULT_LOCALE, unit: str = "", undefined: bool = False) -> Reading:
    """A number box: plain numbers, percentages and calculations; ``unit="percent"`` where a % stands beside the box.

    ``undefined``: the step may be answered with the word "undefined" or with 0/0. Never raises.
    """
    if isinstance(text, str) and _COMMON[decimal_sign(locale)].fullmatch(text):
        plain = text.replace(",", ".")
        value = float(plain) + 0.0
        return Reading("read", value, show_number(value, locale, whole=True), digits=significant(plain.lstrip("-")))
    return _guarded(text, locale, unit=unit, undefined=undefined, count=False)


def read_count(text: object, *, locale: str = DEFAULT_LOCALE, undefined: bool = False) -> Reading:
    """A count box: a sole separator before three digits groups; a decimal is read as one, never cut. Never raises."""
    return _guarded(text, locale, unit="", undefined=undefined, count=True)


def _guarded(text: object, locale: str, *, unit: str, undefined: bool, count: bool) -> Reading:
    if not isinstance(text, str):
        return unreadable("One answer in text is wanted here.")
    if len(text) > MAX_LENGTH:
        return unreadable(f"This is longer than {MAX_LENGTH} characters: write the number or a shorter calculation.")
    try:
        return _read(plain(text), locale, unit=unit, undefined=undefined, count=count)
    except Unreadable as refusal:
        return unreadable(refusal.message)


def _read(text: str, locale: str, *, unit: str, undefined: bool, count: bool) -> Reading:
    text = _without_name(text)
    if not text:
        return BLANK
    if text.casefold() in UNDEFINED_WORDS or _ZERO_BY_ZERO.fullmatch(text.replace(" ", "")):
        return _undefined(text, offered=undefined)
    if _NOT_FINITE.fullmatch(text.replace(" ", "")):
        raise Unreadable(_not_finite(undefined))
    text = _without_unit(_without_dots(text), count=count)
    _check_lone_e(text)
    found = tokens(text, decimal_sign(locale), count=count)
    single = _single_number(found, unit)
    if single:
        return _from_literal(*single, locale)
    return _from_value(_near_whole(evaluate(found)) if count else evaluate(found), locale, undefined)


def _without_name(text: str) -> str:
    """``p = 0.665`` and ``≈ 0.665`` without what stands before the number; ``2+3 =`` without the sign at the end."""
    if not any(sign in text for sign in _EQUALITY):
        return text
    rest = _NAMED.sub("", text, count=1) if _NAMED.match(text) else text
    rest = rest.rstrip(_EQUALITY + " ")
    parts = re.split(f"[{_EQUALITY}]+", rest)
    if len(parts) > 1:
        raise Unreadable(f"There are {len(parts)} values here: write one, such as only {parts[-1].strip()}.")
    return rest


def _without_dots(text: str) -> str:
    """``0.1353…`` as it is shown under the box, and as calculators cut it, is read with the digits that are there."""
    match = _DOTS.fullmatch(text)
    return match.group(1) if match else text


def _without_unit(text: str, *, count: bool) -> str:
    if match := _UNIT_WORD.fullmatch(text):
        raise Unreadable(f"The unit is part of the question: leave out “{match.group(2)}” and write {match.group(1)}.")
    text = _PERCENT_WORDS.sub("%", text)
    if count and text.endswith("%"):
        raise Unreadable("A count is wanted here, not a percentage: write how many, without the %.")
    return text


def _check_lone_e(text: str) -> None:
    if match := _LONE_E.fullmatch(text):
        sign, e_sign, digits = match.groups()
        other = f"{sign}e {e_sign} {digits}" if e_sign else f"{sign}e^{digits}"
        raise Unreadable(f"“{text}” can be read in two ways: write {sign}1e{e_sign}{digits} or {other}.")


def _undefined(text: str, *, offered: bool) -> Reading:
    if offered:
        return UNDEFINED
    raise Unreadable(f"“{text}” is not a number: this question asks for one.")


def _not_finite(undefined: bool) -> str:
    if undefined:
        return "An answer is a finite number: where there is none, write undefined."
    return "An answer is a finite number: write the number."


def _single_number(found: list[Token], unit: str) -> tuple[str, Literal] | None:
    """Sign and literal of an answer that is one plain number, a percentage, or a number times a power of ten."""
    signs = 1 if found and found[0].plain in ("+", "-") else 0
    sign = "-" if signs and found[0].plain == "-" else ""
    rest = found[signs:]
    if rest and rest[0].plain == "%" and len(rest) > 1:
        rest = [*rest[1:], rest[0]]
    literal = rest[0].literal if rest else None
    if literal is None:
        return None
    if len(rest) == 1:
        return sign, literal
    if len(rest) == 2 and rest[1].plain == "%":
        return sign, literal if unit == "percent" else _scaled(literal, -2)
    exponent = re.fullmatch(r"\*10\*\*\(?([-+]?\d{1,4})\)?", "".join(token.plain for token in rest[1:]))
    return (sign, _scaled(literal, int(exponent.group(1)))) if exponent else None


def _scaled(literal: Literal, places: int) -> Literal:
    """The literal with its decimal sign moved, digit by digit, so that 66.5% is the very number 0.665."""
    mantissa, _, exponent = literal.plain.partition("e")
    power = max(-9999, min(9999, int((exponent or "0")[:6]))) + places
    return Literal(literal.typed, f"{mantissa}e{power}")


def _from_literal(sign: str, literal: Literal, locale: str) -> Reading:
    value = float(sign + literal.plain)
    if not math.isfinite(value):
        raise Unreadable("This number is too large to be an answer.")
    return Reading("read", value + 0.0, show_number(value, locale, whole=True), digits=literal.digits)


def _from_value(value: float, locale: str, undefined: bool) -> Reading:
    if math.isnan(value):
        raise Unreadable(f"This has no value, like 0/0 or the root of a negative number. {_not_finite(undefined)}")
    if math.isinf(value):
        raise Unreadable(f"This grows without bound, like 1/0 or ln(0). {_not_finite(undefined)}")
    return Reading("read", value + 0.0, show_number(value, locale))


def _near_whole(value: float) -> float:
    """Whole numbers that floating point missed by a hair: 0.07*100 is 7."""
    if not math.isfinite(value):
        return value
    whole = float(round(value))
    return whole if abs(value - whole) <= 1e-9 * max(1.0, abs(whole)) and abs(value - whole) < 1e-6 else value


def show_number(value: float, locale: str = DEFAULT_LOCALE, *, whole: bool = False) -> str:
    """The number with the decimal sign of the language: ``0.05``, ``0.1353…``, ``1.2×10⁻⁹``, ``undefined``.

    More than ten digits are cut to four, and never before the decimal sign, unless ``whole``.
    """
    if not math.isfinite(value):
        return "undefined"
    if whole and 1e-4 <= abs(value) < 1e15:
        # Then Python writes it as it is to be shown, which takes a tenth of the time.
        return repr(value).removesuffix(".0").replace(".", decimal_sign(locale))
    # 14 digits hide that 0.1 + 0.2 is not 0.3. Before the decimal sign they would cut what was meant.
    precise = 14 if abs(value) < 1e13 else 16
    sign, digits, power = _digits(repr(value + 0.0) if whole else f"{value + 0.0:.{precise}g}")
    dots = ""
    if len(digits) > _SHOWN_WHOLE and not whole and power < 15:
        digits, dots = digits[: max(4, power + 3)], "…"
    if not -7 < power < 15:
        mantissa = digits[0] + ("." + digits[1:] if len(digits) > 1 else "")
        shown = f"{mantissa}{dots}×10{str(power).translate(_RAISE)}"
    elif power < 0:
        shown = f"0.{'0' * (-power - 1)}{digits}{dots}"
    else:
        head, tail = digits[: power + 1].ljust(power + 1, "0"), digits[power + 1 :]
        shown = f"{head}.{tail}{dots}" if tail else head
    return sign + shown.replace(".", decimal_sign(locale))


_RAISE = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def _digits(number: str) -> tuple[str, str, int]:
    """Sign, digits without zeros at either end, and the power of ten of the first of them."""
    parts = Decimal(number).normalize().as_tuple()
    digits = "".join(map(str, parts.digits))
    return "-" if parts.sign else "", digits, len(digits) - 1 + int(parts.exponent)
