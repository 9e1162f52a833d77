"""The other ways of typing a value: a problem's check types the right answer in each, and each must be right."""

import math
from decimal import Decimal
from itertools import zip_longest

from grader.typed.choices import Options, fold
from grader.typed.locales import DEFAULT_LOCALE, decimal_sign
from grader.typed.numbers import show_number
from grader.typed.result import Typed
from grader.typed.shapes import show_shape

_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_FULL_WIDTH = str.maketrans("-.,0123456789", "－．，０１２３４５６７８９")
_ARABIC = str.maketrans("0123456789.", "٠١٢٣٤٥٦٧٨٩٫")
_GROUP_SIGNS = (",", ".", " ", "\u00a0", "\u202f", "\u2009", "'", "’", "_")


def number_notations(value: float, *, locale: str = DEFAULT_LOCALE, unit: str = "") -> list[Typed]:
    """Texts that ``read_number`` must read as the value, to within 1e-12 of it."""
    if not math.isfinite(value):
        return ["undefined", "Undefined", "not defined", "0/0", "0 / 0"]
    decimal = decimal_sign(locale)
    point, mantissa, power = _forms(value)
    percent = f"{point} %" if unit == "percent" else f"{_moved(value, 2)}%"
    texts = [
        point,
        point.replace("-", "\u2212"),
        point.replace("-", "\u2013"),
        point if point.startswith("-") else f"+{point}",
        percent,
        f"{mantissa}e{power}",
        f"{mantissa}E{power}",
        f"{mantissa}×10^{power}",
        f"{mantissa} × 10^{power}",
        f"{mantissa}x10^({power})",
        f"{mantissa}*10**{power}",
        f"{mantissa}·10{str(power).translate(_SUPERSCRIPT)}",
        f"x = {point}",
        f"≈ {point}",
        f"({point})",
        f"{point} + 0",
        f"{point}/1",
        f"\u200e{point}\u202c",
        f"\u00a0{point}\ufeff",
    ]
    local = [text.replace(".", decimal) for text in texts]
    return [*local, local[0].translate(_FULL_WIDTH), point.translate(_ARABIC), show_number(value, locale, whole=True)]


def count_notations(value: float, *, locale: str = DEFAULT_LOCALE) -> list[Typed]:
    """Texts that ``read_count`` must read as the value: grouped in every way, and as a number."""
    if not math.isfinite(value) or not value.is_integer() or abs(value) >= 1e15:
        return number_notations(value, locale=locale)
    whole = f"{value:.0f}"
    grouped: list[Typed] = [f"{int(value):,}".replace(",", sign) for sign in _GROUP_SIGNS] if abs(value) > 999 else []
    texts: list[Typed] = [whole, whole.translate(_FULL_WIDTH), f"{whole}{decimal_sign(locale)}0", f"{whole}*1"]
    return [*texts, *grouped, f"n = {whole}", f"\u200e{whole}", f"{whole}/1"]


def vector_notations(values: tuple[float, ...], *, locale: str = DEFAULT_LOCALE, unit: str = "") -> list[Typed]:
    """One text a box in every notation of a number, and the whole vector as one text."""
    columns = [number_notations(value, locale=locale, unit=unit) for value in values]
    boxes: list[Typed] = [[str(text) for text in row] for row in zip_longest(*columns)]
    plain = [str(column[0]) for column in columns]
    whole: list[Typed] = [f"[{'; '.join(plain)}]", "; ".join(plain), f"({', '.join(plain)})", " ".join(plain)]
    return [*boxes, *(whole if len(values) > 1 else [])]


def choice_notations(value: float, options: Options) -> list[Typed]:
    """Key and text of the option, in other case and spacing."""
    key, text = options[int(value)]
    others = {fold(part) for place, option in enumerate(options) if place != int(value) for part in option}
    return [key, *(other for other in (key.upper(), f" {key} ", text, f"\u00a0{text}") if fold(other) not in others)]


def choices_notations(values: tuple[float, ...], options: Options) -> list[Typed]:
    """The chosen keys in either order, and their texts; none where nothing is to be chosen, which reads as blank."""
    chosen = [option for value, option in zip(values, options, strict=True) if value]
    keys, texts = [key for key, _ in chosen], [text for _, text in chosen]
    return [keys, keys[::-1], texts, keys + keys] if chosen else []


def shape_notations(sizes: tuple[float, ...]) -> list[Typed]:
    """``2 x 768`` in every accepted form."""
    axes = [f"{size:.0f}" for size in sizes]
    signs = (" x ", "x", "×", " X ", " by ", "*", " · ")
    if len(axes) == 1:
        return [axes[0], f"({axes[0]},)", f"[{axes[0]}]"]
    return [show_shape(sizes), *(sign.join(axes) for sign in signs), f"({', '.join(axes)})", f"[{','.join(axes)}]"]


def text_notations(value: str) -> list[Typed]:
    """The text in other case and spacing, where folding leads back to it."""
    others = (value.upper(), value.title(), f"  {value}\u200b ", value.replace(" ", "\u00a0"), value.replace("-", "‐"))
    return [value, *(other for other in others if fold(other) == value)]


def _forms(value: float) -> tuple[str, str, int]:
    """The value positionally (as far as that is short), and as a mantissa with a power of ten."""
    exact = Decimal(repr(value + 0.0))
    power = exact.adjusted() if exact else 0
    mantissa = format(exact.scaleb(-power), "f")
    return (_positional(exact) if abs(power) < 30 else f"{mantissa}e{power}"), mantissa, power


def _moved(value: float, places: int) -> str:
    exact = Decimal(repr(value + 0.0)).scaleb(places)
    return _positional(exact) if not exact or abs(exact.adjusted()) < 30 else format(exact, "e")


def _positional(exact: Decimal) -> str:
    return format(exact, "f")
