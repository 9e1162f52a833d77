"""Compiling a formula: from its tree to a function over named arrays.

Values carry leading batch axes (see ``grader.functions``); ranks are known before anything is evaluated.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from grader import functions
from grader.errors import FormulaError
from grader.functions import FUNCTIONS, Array, Rank
from grader.syntax import AUTHOR, Binary, Call, Index, Listing, Name, Node, Number, Unary, Vocabulary, names_in, parse

Env = Mapping[str, Array]
_Run = Callable[[Env], Array]


@dataclass(frozen=True)
class Formula:
    """A compiled formula. ``rank`` is 0 for a scalar (…, 1), 1 for a vector (…, n), 2 for a matrix (…, r, c)."""

    text: str
    node: Node
    rank: Rank
    names: frozenset[str]
    _run: _Run = field(repr=False, compare=False)

    def __call__(self, env: Env) -> Array:
        """The value over the arrays of ``env``, with their leading axes; NaN or inf where it is not defined.

        Callers hold ``np.errstate(all="ignore")``. Raises FormulaError if the sizes do not fit.
        """
        try:
            return self._run(env)
        except FormulaError:
            raise
        except (ValueError, IndexError, TypeError) as error:
            raise FormulaError(f"the sizes in {self.text!r} do not fit together") from error


def compile_formula(text: str, ranks: Mapping[str, Rank], vocabulary: Vocabulary = AUTHOR) -> Formula:
    """A formula over the names of ``ranks`` (0 scalar, 1 vector, 2 matrix). Raises FormulaError.

    A name hides a constant: a step may be called ``e``.
    """
    return compile_node(parse(text, vocabulary), ranks, vocabulary, text)


def compile_node(node: Node, ranks: Mapping[str, Rank], vocabulary: Vocabulary = AUTHOR, text: str = "") -> Formula:
    """A tree, or part of one, as a formula of its own. Raises FormulaError."""
    run, rank = _compile(node, ranks, vocabulary)
    return Formula(text, node, rank, frozenset(names_in(node)) & frozenset(ranks), run)


def _compile(node: Node, ranks: Mapping[str, Rank], vocabulary: Vocabulary) -> tuple[_Run, Rank]:
    match node:
        case Number(value=value):
            return _constant(value), 0
        case Name(name=name):
            if name in ranks:
                return (lambda env: env[name]), ranks[name]
            if name in vocabulary.constants:
                return _constant(vocabulary.constants[name]), 0
            raise FormulaError(_unknown(name, vocabulary))
        case Unary(op=op, of=of):
            run, rank = _compile(of, ranks, vocabulary)
            return _unary(op, run), rank
        case Binary():
            return _binary(node, ranks, vocabulary)
        case Index(of=of, at=at):
            return _index(_compile(of, ranks, vocabulary), _compile(at, ranks, vocabulary))
        case Listing(items=items):
            return _listing([_compile(item, ranks, vocabulary) for item in items])
        case Call(name=name, args=args):
            return _called(name, [_compile(arg, ranks, vocabulary) for arg in args])


def _unknown(name: str, vocabulary: Vocabulary) -> str:
    if name in vocabulary.functions:
        return f"{name} needs brackets: {name}(…)"
    return vocabulary.wrong.get(name, f"{name} is not known here")


def _constant(value: float) -> _Run:
    array = np.array([[value]])
    array.flags.writeable = False
    return lambda _env: array


def _unary(op: str, run: _Run) -> _Run:
    if op == "-":
        return lambda env: np.negative(run(env), dtype=float)
    if op == "not":
        return lambda env: np.logical_not(run(env))
    return run


_OPERATORS: dict[str, Callable[[Array, Array], Array]] = {
    "+": lambda a, b: np.add(a, b, dtype=float),
    "-": lambda a, b: np.subtract(a, b, dtype=float),
    "*": lambda a, b: np.multiply(a, b, dtype=float),
    "/": lambda a, b: np.divide(a, b, dtype=float),
    "**": lambda a, b: np.power(a, b, dtype=float),
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
    "==": np.equal,
    "!=": np.not_equal,
    "and": np.logical_and,
    "or": np.logical_or,
}


def _binary(node: Binary, ranks: Mapping[str, Rank], vocabulary: Vocabulary) -> tuple[_Run, Rank]:
    left, right = _compile(node.left, ranks, vocabulary), _compile(node.right, ranks, vocabulary)
    (a, b), rank = _aligned([left, right])
    combine = _OPERATORS[node.op]
    return (lambda env: combine(a(env), b(env))), rank


def _aligned(parts: list[tuple[_Run, Rank]]) -> tuple[list[_Run], Rank]:
    """Runs whose results broadcast with each other entry by entry, and the rank of the outcome."""
    rank = max(rank for _, rank in parts)
    if rank < 2:
        return [run for run, _ in parts], rank
    if any(rank == 1 for _, rank in parts):
        raise FormulaError("a vector and a matrix cannot be combined entry by entry: use matvec or a row")
    return [run if part_rank == 2 else _raised(run) for run, part_rank in parts], 2


def _raised(run: _Run) -> _Run:
    return lambda env: run(env)[..., None]


def _index(of: tuple[_Run, Rank], at: tuple[_Run, Rank]) -> tuple[_Run, Rank]:
    (run, rank), (place, place_rank) = of, at
    if rank == 0 or place_rank == 2 or (rank == 2 and place_rank):
        raise FormulaError("only a vector can be indexed by a number or a vector, and a matrix by a number")
    if rank == 2:
        return (lambda env: functions.row(run(env), place(env))), 1
    return (lambda env: functions.entry(run(env), place(env))), place_rank


def _listing(parts: list[tuple[_Run, Rank]]) -> tuple[_Run, Rank]:
    if not parts:
        return _empty, 1
    if any(rank != parts[0][1] for _, rank in parts) or parts[0][1] == 2:
        raise FormulaError("a list holds numbers only, or vectors only")
    runs = [run for run, _ in parts]

    def numbers(env: Env) -> Array:
        return np.concatenate(np.broadcast_arrays(*[run(env) for run in runs]), axis=-1)

    def rows(env: Env) -> Array:
        return np.stack(np.broadcast_arrays(*[run(env) for run in runs]), axis=-2)

    return (rows, 2) if parts[0][1] else (numbers, 1)


def _empty(_env: Env) -> Array:
    return np.zeros((1, 0))


def _called(name: str, parts: list[tuple[_Run, Rank]]) -> tuple[_Run, Rank]:
    function = FUNCTIONS[name]
    runs, rank = [run for run, _ in parts], _rank_of_call(name, [rank for _, rank in parts])
    if function.rule == "same" or (function.rule == "first" and len(parts) > 1):
        runs, rank = _aligned(parts)
    call = function.call
    if len(runs) == 1:
        only = runs[0]
        return (lambda env: call(only(env))), rank
    return (lambda env: call(*[run(env) for run in runs])), rank


#: What a function takes, as ranks, where these are fixed: with the rank that comes out, and how to say it.
_SIGNATURES: dict[str, tuple[list[Rank], Rank, str]] = {
    "matvec": ([2, 1], 1, "a matrix and a vector"),
    "matrix": ([2], 2, "a matrix"),
}


def _rank_of_call(name: str, ranks: list[Rank]) -> Rank:
    """The rank of what a call gives. Raises FormulaError if the arguments are of the wrong ranks."""
    rule = FUNCTIONS[name].rule
    if rule in _SIGNATURES:
        wanted, rank, words = _SIGNATURES[rule]
        if ranks != wanted:
            raise FormulaError(f"{name} takes {words}")
        return rank
    if rule == "vector":
        if 2 in ranks:
            raise FormulaError(f"{name} does not take a matrix")
        return 1
    if rule == "vector-to-vector":
        return _vectors_only(name, ranks) + 1
    if rule == "scalar" or (rule == "first" and len(ranks) == 1):
        return _vectors_only(name, ranks[:1])
    return max(ranks)


def _vectors_only(name: str, ranks: list[Rank]) -> Rank:
    """0, the rank of what a reduction gives; raises FormulaError unless every argument is a vector."""
    if any(rank != 1 for rank in ranks):
        raise FormulaError(f"{name} takes a vector")
    return 0
