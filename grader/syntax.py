"""The formula language: a small part of Python's expression syntax, read with ``ast`` and never evaluated by Python.

``parse`` turns text into a tree of our own nodes. Length, depth, number of nodes and the vocabulary are bounded, so
that any text gets a tree or a ``FormulaError`` at once.
"""

import ast
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from grader.errors import FormulaError
from grader.functions import FUNCTIONS


@dataclass(frozen=True)
class Vocabulary:
    """What a text may use. ``wrong`` maps a name people write to what they should write instead."""

    functions: frozenset[str]
    constants: Mapping[str, float]
    conditions: bool
    max_length: int = 400
    max_depth: int = 24
    max_nodes: int = 160
    wrong: Mapping[str, str] = field(default_factory=lambda: {"log": "write ln, log2 or log10"})


CONSTANTS = {"e": float(np.e), "pi": float(np.pi)}
AUTHOR = Vocabulary(frozenset(FUNCTIONS), CONSTANTS, conditions=True)
LEARNER = Vocabulary(
    frozenset({"exp", "ln", "log2", "log10", "sqrt", "sigmoid"}), CONSTANTS, conditions=False, max_length=200
)


@dataclass(frozen=True)
class Number:
    value: float
    text: str


@dataclass(frozen=True)
class Name:
    name: str


@dataclass(frozen=True)
class Unary:
    op: str  # "-", "+", "not"
    of: "Node"


@dataclass(frozen=True)
class Binary:
    op: str  # + - * / ** < <= > >= == != and or
    left: "Node"
    right: "Node"


@dataclass(frozen=True)
class Index:
    of: "Node"
    at: "Node"


@dataclass(frozen=True)
class Listing:
    items: tuple["Node", ...]


@dataclass(frozen=True)
class Call:
    name: str
    args: tuple["Node", ...]


Node = Number | Name | Unary | Binary | Index | Listing | Call


_TOKEN = re.compile(
    r"(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?P<name>[A-Za-z_]\w*)|(?P<op>\*\*|<=|>=|==|!=|[-+*/^()\[\],<>])"
    r"|(?P<space>[ \t\n]+)",
    re.ASCII,
)


def parse(text: str, vocabulary: Vocabulary = AUTHOR) -> Node:
    """The tree of a text. Raises FormulaError, with the column where there is one."""
    if not isinstance(text, str) or not text.strip():
        raise FormulaError("there is no formula here")
    if len(text) > vocabulary.max_length:
        raise FormulaError(f"this is longer than {vocabulary.max_length} characters")
    source = _tokens(text)
    try:
        tree = ast.parse(source, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise FormulaError("this cannot be read as a formula: check brackets and operators") from error
    return _Reader(vocabulary).node(tree, 0)


def _tokens(text: str) -> str:
    """The text as ``ast`` may see it: known tokens, ``^`` as power, no leading zeros, no number glued to a name."""
    out: list[str] = []
    at, previous = 0, ""
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise FormulaError(f"the character {text[at]!r} has no meaning here", at)
        kind, piece = match.lastgroup or "", match.group()
        if kind == "name" and previous == "number":
            raise FormulaError(f"write a * between {out[-1]} and {piece}", at)
        if kind == "number":
            if previous in ("number", "name"):
                raise FormulaError(f"{out[-1]}{piece} cannot be read", at)
            piece = re.sub(r"^0+(?=\d)", "", piece)
        out.append("**" if piece == "^" else piece)
        at, previous = match.end(), kind
    return "".join(" " if piece.isspace() else piece for piece in out).strip()


_BINARY = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**"}
_COMPARE = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}
_UNARY = {ast.USub: "-", ast.UAdd: "+", ast.Not: "not"}


class _Reader:
    """Turns Python's tree into ours, refusing whatever is not in the language."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.count = 0

    def node(self, tree: ast.AST, depth: int) -> Node:
        self.count += 1
        if depth > self.vocabulary.max_depth or self.count > self.vocabulary.max_nodes:
            raise FormulaError("this is too long or too deeply nested")
        found = self._leaf(tree) or self._operation(tree, depth + 1) or self._structure(tree, depth + 1)
        if found is None:
            raise FormulaError("this is not part of the formula language")
        return found

    def _leaf(self, tree: ast.AST) -> Node | None:
        match tree:
            case ast.Constant(value=bool() | str() | bytes() | None):
                raise FormulaError("only numbers can stand here")
            case ast.Constant(value=int() | float() as value):
                return _number(value)
            case ast.Name(id=name):
                return Name(name)
        return None

    def _operation(self, tree: ast.AST, depth: int) -> Node | None:
        match tree:
            case ast.UnaryOp(op=op, operand=of) if type(op) in _UNARY:
                self._conditions_allowed(isinstance(op, ast.Not))
                return Unary(_UNARY[type(op)], self.node(of, depth))
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
                return Binary(_BINARY[type(op)], self.node(left, depth), self.node(right, depth))
            case ast.Compare(left=left, ops=ops, comparators=rights):
                return self._compare(left, ops, rights, depth)
            case ast.BoolOp(op=op, values=values):
                self._conditions_allowed(True)
                name = "and" if isinstance(op, ast.And) else "or"
                return _chain(name, [self.node(value, depth) for value in values])
        return None

    def _structure(self, tree: ast.AST, depth: int) -> Node | None:
        match tree:
            case ast.Subscript(value=of, slice=at) if not isinstance(at, ast.Slice | ast.Tuple):
                self._conditions_allowed(True)
                return Index(self.node(of, depth), self.node(at, depth))
            case ast.List(elts=items):
                self._conditions_allowed(True)
                return Listing(tuple(self.node(item, depth) for item in items))
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
                return self._call(name, args, depth)
        return None

    def _conditions_allowed(self, needed: bool) -> None:
        if needed and not self.vocabulary.conditions:
            raise FormulaError("only numbers, + - * / ^, brackets and the named functions can be used here")

    def _compare(self, left: ast.AST, ops: list[ast.cmpop], rights: list[ast.expr], depth: int) -> Node:
        self._conditions_allowed(True)
        sides = [self.node(side, depth) for side in (left, *rights)]
        pairs: list[Node] = []
        for op, a, b in zip(ops, sides, sides[1:], strict=False):
            if type(op) not in _COMPARE:
                raise FormulaError("this comparison is not part of the formula language")
            pairs.append(Binary(_COMPARE[type(op)], a, b))
        return _chain("and", pairs)

    def _call(self, name: str, args: list[ast.expr], depth: int) -> Node:
        if name not in self.vocabulary.functions:
            if name in self.vocabulary.wrong:
                raise FormulaError(self.vocabulary.wrong[name])
            if name in self.vocabulary.constants:
                raise FormulaError(f"write a * between {name} and the bracket")
            known = ", ".join(sorted(self.vocabulary.functions))
            raise FormulaError(f"there is no function {name}; there are {known}")
        function = FUNCTIONS[name]
        if not function.least <= len(args) <= function.most:
            wanted = function.least if function.least == function.most else f"{function.least} to {function.most}"
            raise FormulaError(f"{name} takes {wanted} argument{'' if wanted == 1 else 's'}")
        return Call(name, tuple(self.node(arg, depth) for arg in args))


def _number(value: float) -> Number:
    try:
        return Number(float(value), repr(value))
    except OverflowError as error:
        raise FormulaError("this number is too large") from error


def _chain(op: str, nodes: list[Node]) -> Node:
    result = nodes[0]
    for node in nodes[1:]:
        result = Binary(op, result, node)
    return result


def names_in(node: Node) -> Iterable[str]:
    """The names a tree refers to, constants included."""
    match node:
        case Name(name=name):
            yield name
        case Unary(of=of):
            yield from names_in(of)
        case Binary(left=a, right=b) | Index(of=a, at=b):
            yield from names_in(a)
            yield from names_in(b)
        case Listing(items=items) | Call(args=items):
            for item in items:
                yield from names_in(item)


def adds(node: Node) -> bool:
    """Whether a tree adds or subtracts anywhere."""
    match node:
        case Binary(op="+" | "-"):
            return True
        case Call(name="sum" | "mean" | "dot" | "matvec"):
            return True
        case Unary(of=of):
            return adds(of)
        case Binary(left=a, right=b) | Index(of=a, at=b):
            return adds(a) or adds(b)
        case Listing(items=items) | Call(args=items):
            return any(adds(item) for item in items)
    return False


def rewritten(node: Node, change: Callable[[Node], Node | None]) -> Node:
    """The tree with every node for which ``change`` gives another replaced by that one, which is looked at again."""
    other = change(node)
    if other is not None:
        return rewritten(other, change)
    match node:
        case Unary(op=op, of=of):
            return Unary(op, rewritten(of, change))
        case Binary(op=op, left=a, right=b):
            return Binary(op, rewritten(a, change), rewritten(b, change))
        case Index(of=of, at=at):
            return Index(rewritten(of, change), rewritten(at, change))
        case Listing(items=items):
            return Listing(tuple(rewritten(item, change) for item in items))
        case Call(name=name, args=args):
            return Call(name, tuple(rewritten(arg, change) for arg in args))
    return node


def inlined(node: Node, rules: Mapping[str, Node], most: int = 200) -> Node | None:
    """The tree with each name of ``rules`` replaced by its own tree, through and through; rules may not be circular.

    None if that takes more than ``most`` nodes: rules that double what they refer to would grow without bound.
    """
    left = most

    def rule_of(at: Node) -> Node | None:
        nonlocal left
        left -= 1
        if left < 0:
            raise FormulaError("this is too long to be written out")
        return rules.get(at.name) if isinstance(at, Name) else None

    try:
        return rewritten(node, rule_of)
    except FormulaError:
        return None
