"""The solution graph of a problem: its parameters, its named steps and their mistakes, all formulas compiled.

``grader.problem.load`` makes these from a problem file; everything else in the grader is a reading of them.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal

from grader.file_model import Kind
from grader.formula import Formula
from grader.functions import Rank
from grader.syntax import adds
from grader.template import Template, Words

ParameterType = Literal["number", "integer", "vector", "matrix", "text", "texts"]
ParameterSource = Literal["choose", "range", "index", "pick", "is"]


@dataclass(frozen=True)
class Parameter:
    """One drawn parameter. ``decimals`` are those of its grid; texts stand in formulas by their places."""

    name: str
    source: ParameterSource
    type: ParameterType
    decimals: int = 0
    low: Formula | None = None
    high: Formula | None = None
    grid: float = 1.0
    size: tuple[Formula, ...] | None = None
    sizes: tuple[int, ...] = ()
    distinct: bool = False
    ascending: bool = False
    count: Formula | None = None
    words: tuple[str, ...] = ()
    of: str = ""
    values: tuple[Any, ...] = ()
    formula: Formula | None = None
    symbol: str = ""

    @property
    def rank(self) -> Rank | None:
        """The rank by which it stands in formulas; None for a single text, which has no number."""
        return {"number": 0, "integer": 0, "vector": 1, "texts": 1, "matrix": 2, "text": None}[self.type]


@dataclass(frozen=True)
class Mistake:
    """A named mistake: the wrong rules that replace the formula of its step, and perhaps of later steps."""

    step: str
    tag: str
    says: Template
    credit: Fraction
    seldom: bool
    formulas: Mapping[str, Formula] = field(default_factory=dict)
    accept: tuple[str, ...] = ()
    skill: str | None = None

    @property
    def note(self) -> str:
        """The stable tag counted over all variants of a class."""
        return f"{self.step}.{self.tag}"


@dataclass(frozen=True)
class Interval:
    """What a learner's value must satisfy to be carried on."""

    low: float
    high: float
    low_in: bool
    high_in: bool

    def holds(self, value: float) -> bool:
        """Whether one value lies inside."""
        above = value >= self.low if self.low_in else value > self.low
        below = value <= self.high if self.high_in else value < self.high
        return above and below


@dataclass(frozen=True)
class Step:
    """One node of the solution graph. A step without ``ask`` is an intermediate value that is never asked."""

    name: str
    kind: Kind
    formula: Formula | None
    ask: Template | None
    weight: Fraction
    digits: int
    accept: tuple[str, ...] = ()
    labels: tuple[Template, ...] | Words | None = None
    options: tuple[tuple[str, Template], ...] | Words | None = None
    shuffle: bool = False
    optional: bool = False
    skill: str | None = None
    interval: Interval | None = None
    carry: bool = True
    undefined: bool = False
    unit: str = ""
    symbol: str = ""
    hint: Template | None = None
    mistakes: tuple[Mistake, ...] = ()

    @property
    def must_be_answered(self) -> bool:
        """Whether it has a weight and may not be left out: the others are only there to lean on."""
        return bool(self.weight) and not self.optional

    @property
    def rounded(self) -> bool:
        """Whether a hand calculation rounds this value, so that it carries an allowance."""
        return self.kind in ("number", "vector")

    @property
    def needs(self) -> frozenset[str]:
        """The parameters and earlier steps its formula refers to."""
        return self.formula.names if self.formula else frozenset()

    @cached_property
    def may_cancel(self) -> bool:
        """Whether its rule adds or subtracts, so that a small value may be what is left of large ones."""
        return self.formula is not None and adds(self.formula.node)


@dataclass(frozen=True)
class Figure:
    """A figure's kind and the compiled formulas it is drawn from."""

    kind: str
    formulas: Mapping[str, Formula]
    labels: tuple[Template, ...] | Words | None = None
    tokens: Words | None = None
    activation: str = ""
    matrix_name: str = ""
    reveal: str = ""


@dataclass(frozen=True)
class Problem:
    """A loaded problem. Equal sources give equal digests."""

    title: str
    summary: str
    skills: tuple[str, ...]
    level: str
    working: int
    parameters: tuple[Parameter, ...]
    require: tuple[Formula, ...]
    statement: Template
    steps: tuple[Step, ...]
    verify: tuple[tuple[Formula, Template], ...]
    forecast: Template | None
    figure: Figure | None
    digest: str

    def step(self, name: str) -> Step:
        """The step of that name. Raises KeyError."""
        return self._by_name[name]

    # Looked up for every answer that is marked: worked out once.

    @cached_property
    def _by_name(self) -> dict[str, Step]:
        return {step.name: step for step in self.steps}

    @cached_property
    def asked(self) -> tuple[Step, ...]:
        """The steps that can be asked, in order."""
        return tuple(step for step in self.steps if step.ask is not None)

    @cached_property
    def asked_by_name(self) -> Mapping[str, Step]:
        """The same by name."""
        return {step.name: step for step in self.asked}

    @cached_property
    def known(self) -> frozenset[str]:
        """The names of its parameters."""
        return frozenset(parameter.name for parameter in self.parameters)

    @cached_property
    def mistakes(self) -> tuple[Mistake, ...]:
        """Every named mistake in the order of the steps; its place is its lane, less one."""
        return tuple(mistake for step in self.steps for mistake in step.mistakes)

    @cached_property
    def rounded(self) -> tuple[Step, ...]:
        """The steps that a hand calculation rounds."""
        return tuple(step for step in self.steps if step.rounded)

    @cached_property
    def differences(self) -> tuple[tuple[int | None, str, tuple[str, ...]], ...]:
        """The rules that add or subtract: lane (None for the right rule), step, and the steps they refer to."""
        rules: list[tuple[int | None, str, Formula | None]] = [(None, step.name, step.formula) for step in self.steps]
        for lane, mistake in enumerate(self.mistakes, start=1):
            rules += [(lane, name, formula) for name, formula in mistake.formulas.items()]
        return tuple(
            (lane, name, tuple(sorted(rule.names & self._by_name.keys())))
            for lane, name, rule in rules
            if rule is not None and adds(rule.node) and rule.names & self._by_name.keys()
        )

    @cached_property
    def upstream(self) -> Mapping[str, frozenset[str]]:
        """For each step the earlier ones that its value may follow from, by right rules and by wrong ones."""
        found: dict[str, frozenset[str]] = {}
        for step in self.steps:
            wrong = [mistake.formulas[step.name].names for mistake in self.mistakes if step.name in mistake.formulas]
            direct = step.needs.union(*wrong) & found.keys()
            found[step.name] = direct.union(*(found[name] for name in direct))
        return found

    @cached_property
    def replaced(self) -> Mapping[str, tuple[tuple[int, Formula], ...]]:
        """For each step, the lanes whose mistake replaces its rule, and by what."""
        return lanes_by_step(self.mistakes)

    @cached_property
    def passed_on(self) -> tuple[Step, ...]:
        """The rounded steps whose value some later rule, right or wrong, refers to."""
        rules = [step.needs for step in self.steps]
        rules += [formula.names for mistake in self.mistakes for formula in mistake.formulas.values()]
        used = frozenset().union(*rules)
        return tuple(step for step in self.steps if step.rounded and step.name in used)


def narrowed(problem: Problem, names: Collection[str]) -> Problem:
    """The same problem asking only the steps named: the others stay in the graph, and so do their mistakes.

    Raises ValueError for a name that is not asked, and where none would be left.
    """
    unknown = set(names) - {step.name for step in problem.asked}
    if unknown or not names:
        raise ValueError(f"{sorted(unknown)[0]} is not asked" if unknown else "a problem asks at least one step")
    return replace(
        problem,
        steps=tuple(step if step.name in names else replace(step, ask=None) for step in problem.steps),
    )


def lanes_by_step(lanes: Sequence[Mistake]) -> dict[str, tuple[tuple[int, Formula], ...]]:
    """For each step that any of these mistakes replaces, their lanes, from 1, and the rules they put there."""
    found: dict[str, tuple[tuple[int, Formula], ...]] = {}
    for lane, mistake in enumerate(lanes, start=1):
        for name, formula in mistake.formulas.items():
            found[name] = (*found.get(name, ()), (lane, formula))
    return found
