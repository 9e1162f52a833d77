"""Text with ``{{ … }}`` in it: where a drawn number, word or table is put into a statement, a question or a message.

Inside the braces stands an expression of the formula language, a word (``words[t]``), or one of the displays
``table(names, row, …)``, ``matrix(W)``, ``vector(h)``, ``listing(words)`` and ``percent(rate)``.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from grader.errors import FormulaError
from grader.formula import Env, compile_formula
from grader.functions import Array, Rank
from grader.syntax import Index, Name, parse

DISPLAYS = ("table", "matrix", "vector", "listing", "percent")
#: Stands where an expression points at a word that is not there; ``check`` looks for it.
MISSING = "\N{REPLACEMENT CHARACTER}"
_DISPLAY = re.compile(rf"^\s*({'|'.join(DISPLAYS)})\s*\((.*)\)\s*$", re.DOTALL)


@dataclass(frozen=True)
class Names:
    """What a template may refer to: ranks for formulas, which names are texts, decimals and symbols for showing."""

    ranks: Mapping[str, Rank]
    texts: frozenset[str] = frozenset()
    decimals: Mapping[str, int] = field(default_factory=dict)
    symbols: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Drawn:
    """One variant's parameters: as plain data, as arrays with a batch axis of one, and its words."""

    values: Mapping[str, object]
    env: Env
    texts: Mapping[str, str | tuple[str, ...]]


def number_text(value: float, decimals: int = 0, *, math: bool = False) -> str:
    """A number as it stands on the page: the decimals of its grid, or more if it has more; U+2212 outside formulas."""
    if not np.isfinite(value):
        return "undefined"
    value = float(value) + 0.0
    text = f"{value:.{decimals}f}"
    if abs(float(text) - value) > 1e-12 * max(1.0, abs(value)):
        text = np.format_float_positional(float(f"{value:.12g}"), trim="-")
    if float(text) == 0:
        text = text.lstrip("-")
    return text if math else text.replace("-", "\u2212")


_Show = Callable[[Drawn, bool], str]


@dataclass(frozen=True)
class Template:
    """A text compiled once and filled for each variant; ``parts`` alternate between plain text and slots."""

    source: str
    parts: tuple[str | _Show, ...] = ()
    in_math: tuple[bool, ...] = ()

    def fill(self, drawn: Drawn) -> str:
        """The text with every slot filled."""
        if len(self.parts) == 1 and isinstance(self.parts[0], str):
            return self.parts[0]
        with np.errstate(all="ignore"):
            return "".join(
                part if isinstance(part, str) else part(drawn, math)
                for part, math in zip(self.parts, self.in_math, strict=True)
            )

    @property
    def unfilled(self) -> str:
        """The text as it holds for every variant, with … in the place of each slot."""
        ends = [0, *(end for _, end, _ in _slots(self.source))]
        starts = [*(start for start, _, _ in _slots(self.source)), len(self.source)]
        return "…".join(self.source[end:start] for end, start in zip(ends, starts, strict=True))

    @property
    def names(self) -> frozenset[str]:
        """Every word inside the braces that could be a name."""
        return frozenset(word for _, _, slot in _slots(self.source) for word in re.findall(r"[A-Za-z_]\w*", slot))


def compile_template(text: str, names: Names) -> Template:
    """The template of a text. Raises FormulaError quoting the slot that cannot be read."""
    parts: list[str | _Show] = []
    in_math: list[bool] = []
    at = 0
    for start, end, inside in _slots(text):
        parts += [text[at:start], _slot(inside.strip(), names)]
        in_math += [False, _inside_math(text[:start])]
        at = end
    parts.append(text[at:])
    in_math.append(False)
    return Template(text, tuple(parts), tuple(in_math))


def _slots(text: str) -> Iterator[tuple[int, int, str]]:
    """Where each slot begins and ends, and what is inside.

    What closes braces that nothing closes is looked for once, where an expression would look again from each of them.
    """
    end = 0
    while (start := text.find("{{", end)) >= 0 and (close := text.find("}}", start + 2)) >= 0:
        end = close + 2
        yield start, end, text[start + 2 : close]


def _inside_math(before: str) -> bool:
    displays = len(re.findall(r"(?<!\\)\$\$", before))
    singles = len(re.findall(r"(?<!\\)\$", before)) - 2 * displays
    return displays % 2 == 1 or singles % 2 == 1


def _slot(text: str, names: Names) -> _Show:
    try:
        display = _DISPLAY.match(text)
        if display is None:
            return _cell(text, names)
        args = _split(display.group(2))
        return _DISPLAY_MAKERS[display.group(1)](args, names)
    except FormulaError as error:
        raise FormulaError(f"{{{{ {text} }}}}: {error.message}") from error


def _split(args: str) -> list[str]:
    """Arguments at the outermost commas."""
    parts, depth, current = [], 0, ""
    for char in args:
        depth += (char in "([") - (char in ")]")
        if char == "," and depth == 0:
            parts.append(current)
            current = ""
        else:
            current += char
    return [part.strip() for part in [*parts, current]]


@dataclass(frozen=True)
class Words:
    """An expression that names words: a parameter that holds words, or some of them, ``pool[places]``."""

    source: str
    _cells: Callable[[Drawn], list[str]] = field(repr=False, compare=False)

    def of(self, drawn: Drawn) -> tuple[str, ...]:
        """The words in one variant."""
        with np.errstate(all="ignore"):
            return tuple(self._cells(drawn))


def compile_words(text: str, names: Names) -> Words:
    """The words that an expression names. Raises FormulaError if it names none."""
    cells = _text_cells(text, names)
    if cells is None:
        raise FormulaError(f"{text} names no words")
    return Words(text, cells)


def _text_cells(text: str, names: Names) -> Callable[[Drawn], list[str]] | None:
    """For an expression that names words, the words; None for one that is a number."""
    node = parse(text)
    if isinstance(node, Name) and node.name in names.texts:
        name = node.name

        def whole(drawn: Drawn) -> list[str]:
            words = drawn.texts[name]
            return [words] if isinstance(words, str) else list(words)

        return whole
    if isinstance(node, Index) and isinstance(node.of, Name) and node.of.name in names.texts:
        name, place = node.of.name, compile_formula(text[text.index("[") + 1 : text.rindex("]")], names.ranks)

        def picked(drawn: Drawn) -> list[str]:
            words = drawn.texts[name]
            places = [float(k) for k in place(drawn.env).flat]
            return [words[int(k)] if 0 <= k < len(words) else MISSING for k in places]

        return picked
    return None


def _number_cells(text: str, names: Names, wanted: Sequence[Rank] = (0, 1)) -> Callable[[Drawn, bool], list[str]]:
    node = parse(text)
    formula = compile_formula(text, names.ranks)
    if formula.rank not in wanted:
        raise FormulaError("a matrix is shown with matrix(…)" if formula.rank == 2 else "this is no matrix")
    base = node.of if isinstance(node, Index) else node
    decimals = names.decimals.get(base.name, 0) if isinstance(base, Name) else 0
    return lambda drawn, math: [number_text(float(x), decimals, math=math) for x in formula(drawn.env).flat]


def _cells(text: str, names: Names) -> Callable[[Drawn, bool], list[str]]:
    words = _text_cells(text, names)
    if words is not None:
        return lambda drawn, _math: words(drawn)
    return _number_cells(text, names)


def _cell(text: str, names: Names) -> _Show:
    cells = _cells(text, names)
    return lambda drawn, math: ", ".join(cells(drawn, math))


def _table(args: list[str], names: Names) -> _Show:
    if len(args) < 2:
        raise FormulaError("table takes the heading and at least one row")
    rows = [_cells(arg, names) for arg in args]
    symbols = [_symbol(arg, names) for arg in args[1:]]

    def show(drawn: Drawn, _math: bool) -> str:
        head, *body = [row(drawn, False) for row in rows]
        width = len(head)
        lines = ["| |" + "".join(f" {cell} |" for cell in head), "|---|" + "---|" * width]
        for symbol, cells in zip(symbols, body, strict=True):
            lines.append(f"| {symbol} |" + "".join(f" {cell} |" for cell in cells))
        return "\n".join(lines)

    return show


def _symbol(arg: str, names: Names) -> str:
    symbol = names.symbols.get(arg, "")
    return f"${symbol}$" if symbol else ""


def _matrix(args: list[str], names: Names) -> _Show:
    formula = compile_formula(args[0], names.ranks)
    if formula.rank != 2 or len(args) != 1:
        raise FormulaError("matrix takes one matrix")
    decimals = names.decimals.get(args[0], 0)

    def show(drawn: Drawn, _math: bool) -> str:
        value: Array = formula(drawn.env)
        rows = [" & ".join(number_text(float(x), decimals, math=True) for x in row) for row in value[0]]
        return r"\begin{bmatrix}" + r" \\ ".join(rows) + r"\end{bmatrix}"

    return show


def _vector(args: list[str], names: Names) -> _Show:
    if len(args) != 1:
        raise FormulaError("vector takes one vector")
    cells = _number_cells(args[0], names)
    return lambda drawn, _math: r"\begin{bmatrix}" + r" \\ ".join(cells(drawn, True)) + r"\end{bmatrix}"


def _listing(args: list[str], names: Names) -> _Show:
    if len(args) != 1:
        raise FormulaError("listing takes one list")
    cells = _cells(args[0], names)

    def show(drawn: Drawn, math: bool) -> str:
        shown = cells(drawn, math)
        if not shown:
            return "none"
        return shown[0] if len(shown) == 1 else ", ".join(shown[:-1]) + " and " + shown[-1]

    return show


def _percent(args: list[str], names: Names) -> _Show:
    if len(args) != 1:
        raise FormulaError("percent takes one number")
    formula = compile_formula(args[0], names.ranks)

    def show(drawn: Drawn, math: bool) -> str:
        shown = ", ".join(number_text(round(float(x) * 100, 9), math=math) for x in formula(drawn.env).flat)
        return shown + (r"\,\%" if math else "\u202f%")

    return show


_DISPLAY_MAKERS: dict[str, Callable[[list[str], Names], _Show]] = {
    "table": _table,
    "matrix": _matrix,
    "vector": _vector,
    "listing": _listing,
    "percent": _percent,
}
