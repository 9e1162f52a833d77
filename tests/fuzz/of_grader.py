"""The grader's readers: formulas, answers, problem files, and what is narrowed of one."""

import json
import random
from typing import Any

import numpy as np
import yaml
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from exercises.catalogue.loader import slugs, source
from frontend.typeset import typeset
from grader.adapting import adapted
from grader.errors import FormulaError, GraderError, ProblemError
from grader.formula import compile_formula
from grader.functions import FUNCTIONS, MAX_SIZE
from grader.marking import mark
from grader.picture import figure_data
from grader.problem import Problem, load
from grader.reading import KINDS, read
from grader.sampling import draw
from grader.syntax import AUTHOR, LEARNER
from grader.tex import symbolic
from grader.wording import fields, hints, statement, worked_solution
from tests.fuzz.reader import Reader, ensure
from tests.fuzz.shapes import JSON, NUMBERS, TEXTS, encoded

RANKS = {"a": 0, "t": 0, "x": 1, "y": 1, "W": 2}
ENV = {
    "a": np.array([[2.0]]),
    "t": np.array([[1.0]]),
    "x": np.array([[5.0, 6.0, 7.0]]),
    "y": np.array([[0.0, -1.0]]),
    "W": np.array([[[1.0, 2.0, 3.0], [3.0, 4.0, 5.0]]]),
}


def any_text(data: bytes) -> str:
    """Any bytes as a text; what is no UTF-8 becomes halves of characters, as JSON can bring them."""
    return data.decode("utf-8", "surrogateescape")


# --- Formulas --------------------------------------------------------------------------------------------------------


def read_formula(data: bytes) -> object:
    """A value of bounded size in both vocabularies, or FormulaError."""
    text = any_text(data)
    for vocabulary in (AUTHOR, LEARNER):
        try:
            formula = compile_formula(text, RANKS, vocabulary)
            with np.errstate(all="ignore"):
                value = formula(ENV)
        except FormulaError as refused:
            ensure(refused.message, "a refusal without words")
            continue
        ensure(value.size <= MAX_SIZE * 16 * 9, f"a value of {value.size} numbers")
        ensure(value.ndim == max(formula.rank, 1) + 1, f"rank {formula.rank}, but shape {value.shape}")
        ensure(isinstance(symbolic(formula.node, {}), str), "it cannot be shown")
    return text


_ATOMS = [
    "a",
    "t",
    "x",
    "y",
    "W",
    "e",
    "pi",
    "0",
    "1",
    "2",
    "0.5",
    "1e308",
    "1e-320",
    "9999999999",
    "007",
    "1e9",
    ".5",
    "[]",
]
_OPERATORS = ["+", "-", "*", "/", "^", "**", "<", "<=", "==", "!=", ">", " and ", " or ", " ", "", "//", "%"]


def _formulas() -> SearchStrategy[str]:
    def more(inner: SearchStrategy[str]) -> SearchStrategy[str]:
        return st.one_of(
            st.tuples(inner, st.sampled_from(_OPERATORS), inner).map("".join),
            inner.map(lambda text: f"({text})"),
            inner.map(lambda text: f"-{text}"),
            inner.map(lambda text: f"not {text}"),
            st.tuples(inner, inner).map(lambda pair: f"{pair[0]}[{pair[1]}]"),
            st.lists(inner, max_size=4).map(lambda items: f"[{', '.join(items)}]"),
            st.tuples(st.sampled_from([*sorted(FUNCTIONS), "log", "eval"]), st.lists(inner, max_size=3)).map(
                lambda call: f"{call[0]}({', '.join(call[1])})"
            ),
        )

    return st.recursive(st.sampled_from(_ATOMS), more, max_leaves=14)


# --- Answers ---------------------------------------------------------------------------------------------------------

OPTIONS = (("neg", "negative"), ("pos", "positive"), ("both", "**both**, in a way"))


def _same(one: Any, other: Any) -> bool:
    """Whole numbers to their last digit, others, and those past which a double holds no longer every whole number, but
    for the noise of binary fractions."""
    is_whole = isinstance(other, float) and other.is_integer() and abs(other) < 2**53
    if not isinstance(one, float) or not isinstance(other, float) or np.isnan(other) or is_whole:
        return bool(one == other or (one != one and other != other))
    return abs(one - other) <= 1e-13 * abs(other)


def read_answer(data: bytes) -> object:
    """A reading, never an exception; what is shown of it is read as the same.

    The first line says which box: kind, language, entries, "percent" or "-", "undefined" or "-".
    """
    head, _, rest = data.partition(b"\n")
    words = [*head.decode("latin-1").split(), "", "", "", "", ""]
    kind = words[0] if words[0] in KINDS else sorted(KINDS)[len(head) % len(KINDS)]
    size = int(words[2]) if words[2].isascii() and words[2].isdigit() and len(words[2]) < 3 else 3
    how: dict[str, Any] = {
        "size": size,
        "locale": words[1][:12] or "en",
        "unit": "percent" if words[3] == "percent" else "",
        "undefined": words[4] == "undefined",
        "options": OPTIONS,
    }
    text = any_text(rest)
    for typed in (text, text.split("\n")):
        reading = read(kind, typed, **how)
        ensure((reading.value is not None) == (reading.status == "read"), "a value that was not read")
        ensure(bool(reading.message) == (reading.status == "unreadable"), "unreadable, and not told why")
        values = reading.value if isinstance(reading.value, tuple) else (reading.value,)
        ensure(not any(isinstance(one, float) and np.isinf(one) for one in values), "an infinite answer")
        if reading.status == "read" and kind in {"number", "count"} and "…" not in reading.shown and not how["unit"]:
            again = read(kind, reading.shown, **how)
            ensure(
                _same(again.value, reading.value), f"{reading.shown} is {reading.value!r}, and read as {again.value!r}"
            )
    return text


_TYPED = st.one_of(
    st.text("0123456789.,−-+eE*/^() %'·×٣²½∞ lnogsqrtexpi\u00a0\u202f\u200e", max_size=16),
    st.from_regex(r"\A[-+−]?[0-9]{0,5}[.,]?[0-9]{0,5}( ?[*·x×] ?10\^?[-−]?[0-9]{1,3})? ?%?\Z"),
    st.from_regex(r"\A[\(\[]?([-−]?[0-9][.,]?[0-9]?[;, ] ?){0,4}[-−]?[0-9][\)\]]?\Z"),
    st.sampled_from(
        ["undefined", "0/0", "1/3", "ln(2)", "log(2)", "2 x 768", "2×3×4", "neg", "neg, pos", "1.386", "30,522"]
    ),
    _formulas(),
)


def _answers() -> SearchStrategy[bytes]:
    head = st.tuples(
        st.sampled_from(sorted(KINDS)),
        st.sampled_from(["en", "de", "fr", "de-CH", "xx"]),
        st.sampled_from(["0", "1", "2", "3", "99"]),
        st.sampled_from(["-", "percent"]),
        st.sampled_from(["-", "undefined"]),
    ).map(" ".join)
    return encoded(st.tuples(head, st.lists(_TYPED, min_size=1, max_size=4).map("\n".join)).map("\n".join))


# --- Problem files ---------------------------------------------------------------------------------------------------


def read_problem(data: bytes) -> object:
    """A problem that is drawn, shown, marked and explained, or GraderError where it cannot be."""
    try:
        problem = load.__wrapped__(any_text(data))
    except ProblemError as refused:
        ensure(refused.faults, "refused for nothing")
        return refused
    try:
        parameters = draw(problem, len(data))
        _gone_through(problem, parameters)
    except GraderError as refused:
        return refused
    return problem


def _gone_through(problem: Problem, parameters: dict[str, Any]) -> None:
    """All that a learner meets of a variant."""
    typeset(statement(problem, parameters)[:5000])
    names = [box.step for box in fields(problem, parameters)]
    verdict = mark(problem, parameters, dict.fromkeys(names, "1"))
    ensure({one.step for one in verdict.marks} == set(names), "marks of other steps than are asked")
    ensure(0 <= verdict.score <= 1, f"a score of {verdict.score}")
    worked_solution(problem, parameters)
    for name in names[:3]:
        hints(problem, parameters, name, {})
    figure_data(problem, parameters, names)


def _problems() -> SearchStrategy[bytes]:
    """Files of the catalogue in which some values are others: of the same file, formulas, or anything."""

    @st.composite
    def changed(draw_from: st.DrawFn) -> bytes:
        chance = random.Random(draw_from(st.integers(0, 2**32)))
        data = yaml.safe_load(source(draw_from(st.sampled_from(slugs()))))
        other = draw_from(_formulas() | TEXTS | st.integers(-5, 300) | st.booleans() | st.none())
        for _ in range(chance.choice((1, 1, 2, 4))):
            places = list(_places(data))
            holder, key = chance.choice(places)
            there, place = chance.choice(places)
            value = _untied(there[place])
            holder[key] = chance.choice([other, value, [value], {}])
        return yaml.safe_dump(_untied(data), allow_unicode=True, sort_keys=False).encode("utf-8", "surrogatepass")

    return changed()


def _places(value: Any) -> Any:
    pairs: Any = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in list(pairs):
        yield value, key
        yield from _places(inner)


def _untied(value: Any, depth: int = 0) -> Any:
    """The same without anything that stands in two places, which YAML would write as an alias."""
    if depth > 10:
        return "deep"
    if isinstance(value, dict):
        return {key: _untied(inner, depth + 1) for key, inner in value.items()}
    return [_untied(inner, depth + 1) for inner in value] if isinstance(value, list) else value


# --- What is narrowed of a problem -----------------------------------------------------------------------------------


def read_adaptation(data: bytes) -> object:
    """A problem that is narrower and loads, or ProblemError. The first line names the problem."""
    name, _, rest = data.partition(b"\n")
    known = slugs()
    slug = name.decode("latin-1") if name.decode("latin-1") in known else known[len(data) % len(known)]
    try:
        said = json.loads(rest.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(said, dict):
        return None
    try:
        text = adapted(source(slug), parameters=said.get("parameters"), digits=said.get("digits"))
    except ProblemError as refused:
        ensure(refused.faults, "refused for nothing")
        return refused
    ensure(load.__wrapped__(text).steps, "nothing is asked any more")
    return text


def _adaptations() -> SearchStrategy[bytes]:
    values = st.one_of(
        JSON, NUMBERS, st.lists(NUMBERS | st.none(), min_size=2, max_size=2),
        st.lists(st.sampled_from(["mat", "cat", 1, 2.0]) | JSON, max_size=3),
    )  # fmt: skip
    keys = st.sampled_from(["range", "step", "size", "pick", "choose", "from", "x"])

    @st.composite
    def asked(draw_from: st.DrawFn) -> bytes:
        slug = draw_from(st.sampled_from(slugs()))
        names = [one.name for one in load(source(slug)).parameters] or ["x"]
        parameters = st.dictionaries(
            st.sampled_from([*names, "nothing"]), st.dictionaries(keys, values, max_size=3) | JSON
        )
        said = {"parameters": draw_from(parameters | JSON), "digits": draw_from(st.none() | NUMBERS | JSON)}
        return f"{slug}\n{json.dumps(said)}".encode()

    return asked()


READERS = (
    Reader(
        "adaptation",
        read_adaptation,
        _adaptations(),
        ('"range": [', "1e308", '"size": ', "null", '"step": '),
        4_000_000,
    ),
    Reader("formula", read_formula, encoded(_formulas()), (*sorted(FUNCTIONS), *_ATOMS, *_OPERATORS), 60_000),
    Reader("answer", read_answer, _answers(), (*sorted(KINDS), "undefined", "percent", "ln(", "1,000", "10^"), 60_000),
    Reader(
        "problem",
        read_problem,
        _problems(),
        (
            "is: ",
            "range: [0, 9]",
            "size: ",
            "choose: ",
            "from: nouns",
            "mistakes:",
            "ask: ",
            "kind: vector",
            "digits:",
            "!!timestamp ",
            "!!bool ",
            "!!float ''",
            "1:59:59.5",
            "verify:",
            "options:",
            "labels:",
            "pick:",
            "index: ",
            "also:",
            "undefined: true",
            "unit: percent",
            "figure:",
        ),
        6_000_000,
    ),
)
