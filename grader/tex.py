"""A formula as TeX: with its symbols, or with the numbers put in.

``symbolic`` writes the rule as the paper would. ``numeric`` writes the same rule with values in place of names; vectors
are written out entry by entry, so that a sum reads as a sum of numbers.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from grader.errors import FormulaError
from grader.formula import compile_node
from grader.functions import Array
from grader.syntax import Binary, Call, Index, Listing, Name, Node, Number, Unary, rewritten

_PRECEDENCE = (
    {"or": 1, "and": 2} | dict.fromkeys(("<", "<=", ">", ">=", "==", "!="), 3) | {"+": 4, "-": 4, "*": 5, "/": 8}
)
_RELATIONS = {"<": "<", "<=": r"\le", ">": ">", ">=": r"\ge", "==": "=", "!=": r"\ne", "and": r"\wedge", "or": r"\vee"}
_UNARY, _POWER, _ATOM = 5, 7, 9
#: More terms than this are shortened in the middle.
_TERMS = 8
#: Entries of more characters than this are set beneath each other.
_WIDE = 40
Tex = tuple[str, int]


def symbolic(node: Node, symbols: Mapping[str, str]) -> str:
    """The rule with its symbols; names without one stand as they are."""

    def leaf(name: str, at: Node | None) -> Tex:
        symbol = symbols.get(name, rf"\text{{{name}}}")
        return (symbol if at is None else rf"{symbol}_{{{_write(at, leaf, None)[0]}}}"), _ATOM

    return _write(node, leaf, None)[0]


@dataclass(frozen=True)
class Values:
    """Numbers to put in: arrays (n,) or (r, c) by name, how one is written, and symbols for what stays a letter."""

    arrays: Mapping[str, Array]
    symbols: Mapping[str, str]
    show: Callable[[str, float], str]


def numeric(node: Node, values: Values, size: int) -> str:
    """The rule with numbers put in; ``size`` entries of a vector are set one after the other."""
    if size == 1:
        return _entry(node, values, 0)[0]
    entries = [_entry(node, values, k)[0] for k in range(size)]
    if len(set(entries)) == 1 and not _spelled_out(node, values):
        # Nothing tells the entries apart: the vector still stands there as a letter.
        return entries[0]
    if max(map(len, entries)) > _WIDE:
        return r"\begin{bmatrix}" + r" \\ ".join(_shortened(entries)) + r"\end{bmatrix}"
    return r"\left(" + r",\; ".join(_shortened(entries)) + r"\right)"


def _shortened(parts: list[str]) -> list[str]:
    return parts if len(parts) <= _TERMS else [*parts[: _TERMS - 2], r"\ldots", parts[-1]]


def _terms(count: int, term: Callable[[int], str]) -> list[str]:
    """So many terms, shortened; those that are left out are not written either: a large matrix has thousands."""
    if count <= _TERMS:
        return [term(k) for k in range(count)]
    return [*(term(k) for k in range(_TERMS - 2)), r"\ldots", term(count - 1)]


def _bracketed(tex: Tex, least: int) -> str:
    text, precedence = tex
    return text if precedence >= least else rf"\left({text}\right)"


_Leaf = Callable[[str, Node | None], Tex]


def _write(node: Node, leaf: _Leaf, entry: Callable[[Node], Tex] | None) -> Tex:
    """The tree as TeX; ``leaf`` writes names and indexed names, ``entry`` (if given) calls over whole vectors."""

    def down(child: Node) -> Tex:
        return entry(child) if entry is not None else _write(child, leaf, None)

    match node:
        case Number(text=text):
            return (text, _ATOM)
        case Name(name=name):
            return leaf(name, None)
        case Unary(op=op, of=of):
            return (r"\neg " if op == "not" else op) + _bracketed(down(of), _UNARY + 1), _UNARY - 1
        case Binary(op=op, left=left, right=right):
            return _binary(op, down(left), down(right))
        case Index(of=Name(name=name), at=at):
            return leaf(name, at)
        case Index(of=of, at=at):
            return rf"{_bracketed(down(of), _ATOM)}_{{{down(at)[0]}}}", _ATOM
        case Listing(items=items):
            return r"\left(" + r",\; ".join(down(item)[0] for item in items) + r"\right)", _ATOM
        case Call(name=name, args=args):
            return _call(name, [down(arg) for arg in args])


def _binary(op: str, left: Tex, right: Tex) -> Tex:
    if op == "/":
        return rf"\frac{{{left[0]}}}{{{right[0]}}}", _PRECEDENCE["/"]
    if op == "**":
        return rf"{_bracketed(left, _ATOM)}^{{{right[0]}}}", _POWER
    precedence = _PRECEDENCE[op]
    if op in ("+", "-", "*") and right[0].startswith("-"):
        right = (rf"\left({right[0]}\right)", _ATOM)
    sign = {"*": r"\cdot"}.get(op, _RELATIONS.get(op, op))
    return f"{_bracketed(left, precedence)} {sign} {_bracketed(right, precedence + (op in '-*'))}", precedence


_NAMED = {
    "ln": r"\ln",
    "log2": r"\log_2",
    "log10": r"\log_{10}",
    "sigmoid": r"\sigma",
    "max": r"\max",
    "min": r"\min",
    "argmax": r"\operatorname{argmax}",
    "argmin": r"\operatorname{argmin}",
    "softmax": r"\operatorname{softmax}",
    "log_softmax": r"\ln\operatorname{softmax}",
    "round": r"\operatorname{round}",
    "mean": r"\operatorname{mean}",
    "cross_entropy": r"\operatorname{CE}",
    "binary_cross_entropy": r"\operatorname{BCE}",
}


#: How calls with a notation of their own are set: the argument texts go in, brackets as their precedence needs.
_SPECIAL: dict[str, Callable[[list[Tex]], Tex]] = {
    "exp": lambda args: (rf"e^{{{args[0][0]}}}", _POWER),
    "sqrt": lambda args: (rf"\sqrt{{{args[0][0]}}}", _ATOM),
    "abs": lambda args: (rf"\left|{args[0][0]}\right|", _ATOM),
    # Bars around a bold letter would be the length of an arrow, not how many numbers it has.
    "len": lambda args: (rf"\dim {args[0][0]}" if r"\mathbf" in args[0][0] else rf"\left|{args[0][0]}\right|", _ATOM),
    "floor": lambda args: (rf"\lfloor {args[0][0]} \rfloor", _ATOM),
    "ceil": lambda args: (rf"\lceil {args[0][0]} \rceil", _ATOM),
    "sum": lambda args: (rf"\sum {_bracketed(args[0], 5)}", 5),
    "prod": lambda args: (rf"\prod {_bracketed(args[0], 5)}", 5),
    "dot": lambda args: (rf"{_bracketed(args[0], _ATOM)}^{{\top}} {_bracketed(args[1], _ATOM)}", 6),
    "matvec": lambda args: (rf"{_bracketed(args[0], _ATOM)}\,{_bracketed(args[1], _ATOM)}", 6),
    "transpose": lambda args: (rf"{_bracketed(args[0], _ATOM)}^{{\top}}", _POWER),
    "where": lambda args: (
        rf"\begin{{cases}}{args[1][0]} & \text{{if }} {args[0][0]} \\ {args[2][0]} & \text{{else}}\end{{cases}}",
        _ATOM,
    ),
}


def _call(name: str, args: list[Tex]) -> Tex:
    if name in _SPECIAL:
        return _SPECIAL[name](args)
    inner = ",\\, ".join(text for text, _ in args)
    shown = _NAMED.get(name) or r"\operatorname{" + name.replace("_", r"\_") + "}"
    return rf"{shown}\left({inner}\right)", _ATOM


# Numbers put in


def _entry(node: Node, values: Values, k: int) -> Tex:
    """Entry k of a tree's value, with numbers."""
    match node:
        case Call(name="sum", args=(arg,)):
            return _series(arg, values, "+")
        case Call(name="mean", args=(arg,)):
            return rf"\frac{{{_series(arg, values, '+')[0]}}}{{{_width(arg, values)}}}", _PRECEDENCE["/"]
        case Call(name="dot", args=(a, b)):
            return _series(Binary("*", a, b), values, "+")
        case Call(name="matvec", args=(w, h)):
            return _row_times(w, h, values, k)
        case Call(name="len", args=(arg,)):
            return str(_width(arg, values)), _ATOM
        case Call(name="max" | "min" | "argmax" | "softmax" | "log_softmax" | "prod" as name, args=(arg,)):
            return _call(name, [(_listed(arg, values), _ATOM)])
        case Listing(items=items) if k < len(items):
            return _entry(items[k], values, 0)
    return _write(node, lambda name, at: _leaf(name, at, values, k), lambda child: _entry(child, values, k))


def settled(node: Node, values: Values) -> Node:
    """The tree without the cases that do not hold here; a condition with something unknown in it stays."""

    def branch(at: Node) -> Node | None:
        match at:
            case Call(name="where", args=(condition, a, b)):
                held = _decided(condition, values)
                return None if held is None else (a if held else b)
        return None

    return rewritten(node, branch)


def _decided(condition: Node, values: Values) -> bool | None:
    """Whether a condition holds, where every number in it is known; None where it is not one plain yes or no."""
    if not _spelled_out(condition, values):
        return None
    arrays = {name: array for name, array in values.arrays.items() if array.ndim == 1}
    ranks = {name: 0 if len(array) == 1 else 1 for name, array in arrays.items()}
    try:
        held = compile_node(condition, ranks)({name: array[None] for name, array in arrays.items()})
    except FormulaError:
        return None
    return bool(held.flat[0]) if held.size == 1 else None


def _width(node: Node, values: Values) -> int:
    """How many entries a tree's value has, as far as its names tell."""
    match node:
        case Name(name=name):
            array = values.arrays.get(name)
            return int(array.shape[-1]) if array is not None and array.ndim == 1 else 1
        case Index(of=Name(name=name), at=at):
            array = values.arrays.get(name)
            return int(array.shape[1]) if array is not None and array.ndim == 2 else _width(at, values)
        case Listing(items=items):
            return len(items)
        case Unary(of=of):
            return _width(of, values)
        case Binary(left=a, right=b):
            return max(_width(a, values), _width(b, values))
        case Call(name="sum" | "mean" | "dot" | "len" | "argmax" | "prod"):
            return 1
        case Call(name="matvec", args=(Name(name=name), _)) if name in values.arrays:
            return int(values.arrays[name].shape[0])
        case Call(args=args):
            return max((_width(arg, values) for arg in args), default=1)
    return 1


def _series(node: Node, values: Values, sign: str) -> Tex:
    width = _width(node, values)
    if width == 0:
        return "0", _ATOM
    if width == 1 and not _spelled_out(node, values):
        return rf"\sum {_bracketed(_entry(node, values, 0), 5)}", 5

    def term(k: int) -> str:
        text = _bracketed(_entry(node, values, k), _PRECEDENCE["*"])
        return text if k == 0 or not text.startswith("-") else rf"\left({text}\right)"

    return f" {sign} ".join(_terms(width, term)), _PRECEDENCE["+"]


def _spelled_out(node: Node, values: Values) -> bool:
    """Whether every name of a tree has a number to put in."""
    match node:
        case Name(name=name) | Index(of=Name(name=name)):
            return name in values.arrays
        case Unary(of=of):
            return _spelled_out(of, values)
        case Binary(left=a, right=b):
            return _spelled_out(a, values) and _spelled_out(b, values)
        case Call(args=args):
            return all(_spelled_out(arg, values) for arg in args)
    return True


def _listed(node: Node, values: Values) -> str:
    width = _width(node, values)
    return r",\, ".join(_terms(width, lambda k: _entry(node, values, k)[0]))


def _row_times(w: Node, h: Node, values: Values, k: int) -> Tex:
    name = w.name if isinstance(w, Name) else ""
    matrix = values.arrays.get(name)
    if matrix is None or matrix.ndim != 2 or k >= len(matrix):
        return _call("matvec", [_entry(w, values, k), _entry(h, values, k)])
    weights = matrix[k]

    def term(j: int) -> str:
        return rf"{_signed(_number(name, float(weights[j]), values))} \cdot {_signed(_entry(h, values, j))}"

    return " + ".join(_terms(len(weights), term)), _PRECEDENCE["+"]


def _signed(tex: Tex) -> str:
    """A factor; a negative one in brackets."""
    return rf"\left({tex[0]}\right)" if tex[0].startswith("-") else _bracketed(tex, _PRECEDENCE["*"])


def _number(name: str, value: float, values: Values) -> Tex:
    text = values.show(name, value)
    return text, (_UNARY - 1 if text.startswith("-") else _ATOM)


def _leaf(name: str, at: Node | None, values: Values, k: int) -> Tex:
    """A name, or one entry of it, as a number if it is known; as a letter, with its index as a letter, if not."""
    array = values.arrays.get(name)
    place = None if at is None or array is None else _place(at, values, k)
    if array is not None and place is not None and 0 <= place < len(array):
        found = array[place] if array.ndim == 1 else array[place, min(k, array.shape[1] - 1)]
        return _number(name, float(found), values)
    if array is not None and at is None and array.ndim == 1:
        return _number(name, float(array[min(k, len(array) - 1)]), values)
    symbol = values.symbols.get(name, rf"\text{{{name}}}")
    return (symbol if at is None else rf"{symbol}_{{{symbolic(at, values.symbols)}}}"), _ATOM


def _place(at: Node, values: Values, k: int) -> int | None:
    """A place that can be read off: a number, a named place, or one less than a named slot."""
    match at:
        case Number(value=value):
            return int(value)
        case Name(name=name) if name in values.arrays and values.arrays[name].ndim == 1:
            array = values.arrays[name]
            return int(array[min(k, len(array) - 1)]) if np.isfinite(array).all() and len(array) else None
        case Binary(op="-" | "+" as op, left=left, right=Number(value=value)):
            place = _place(left, values, k)
            return None if place is None else place + (int(value) if op == "+" else -int(value))
    return None
