"""From the model of a problem file to the compiled solution graph; a formula that fails is a fault with its line."""

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

from grader.errors import Fault, FormulaError, ProblemError
from grader.file_model import FigureFile, Kind, MistakeFile, ParameterFile, PickedSize, ProblemFile, StepFile
from grader.formula import Formula, compile_formula
from grader.functions import Rank
from grader.graph import Figure, Interval, Mistake, Parameter, ParameterType, Problem, Step
from grader.source import Path, Source
from grader.template import Names, Template, Words, compile_template, compile_words
from grader.words import WORDS

_RANK_OF_KIND: dict[Kind, Rank] = {
    "number": 0,
    "vector": 1,
    "count": 0,
    "choice": 0,
    "choices": 1,
    "shape": 1,
    "text": 0,
}


def compile_problem(model: ProblemFile, source: Source, digest: str) -> Problem:
    """The compiled problem. Raises ProblemError with every fault found."""
    compiler = _Compiler(source)
    parameters = tuple(compiler.parameter(name, entry) for name, entry in model.parameters.items())
    require = tuple(compiler.formula(text, ("require", k), 0) for k, text in enumerate(model.require))
    steps = tuple(compiler.step(name, entry, model) for name, entry in model.steps.items())
    if not any(entry.ask for entry in model.steps.values()):
        compiler.fault(("steps",), "no step is asked: give at least one step an ask")
    problem = Problem(
        title=model.title,
        summary=model.summary,
        skills=tuple(model.skills),
        level=model.level,
        working=model.digits.working,
        parameters=parameters,
        require=require,
        statement=compiler.template(model.statement, ("statement",), before_steps=True),
        steps=steps,
        verify=tuple(
            (
                compiler.formula(line.holds, ("verify", k, "holds"), 0),
                compiler.template(line.says, ("verify", k, "says")),
            )
            for k, line in enumerate(model.verify)
        ),
        forecast=compiler.template(model.forecast, ("forecast",), before_steps=True) if model.forecast else None,
        figure=compiler.figure(model.figure, model) if model.figure else None,
        digest=digest,
    )
    if compiler.faults:
        raise ProblemError(compiler.faults)
    return problem


class _Compiler:
    """Collects names and faults while the file is compiled from top to bottom."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.faults: list[Fault] = []
        self.ranks: dict[str, Rank] = {}
        self.texts: set[str] = set()
        self.decimals: dict[str, int] = {}
        self.symbols: dict[str, str] = {}
        self.parameter_names: set[str] = set()

    def fault(self, path: Path, message: str) -> None:
        self.faults.append(self.source.fault(path, message))

    def formula(
        self, text: str, path: Path, rank: Rank | None = None, ranks: Mapping[str, Rank] | None = None
    ) -> Formula:
        """The compiled formula, or a harmless one after a fault was noted."""
        try:
            formula = compile_formula(text, self.ranks if ranks is None else ranks)
            if rank is None or formula.rank == rank:
                return formula
            names = {0: "a number", 1: "a vector", 2: "a matrix"}
            self.fault(path, f"{text!r} gives {names[formula.rank]}, but {names[rank]} is needed here")
        except FormulaError as error:
            column = "" if error.position is None else f" (column {error.position + 1})"
            self.fault(path, f"{text!r}: {error.message}{column}")
        return compile_formula("[0]" if rank == 1 else "0", {})

    def template(self, text: str, path: Path, *, before_steps: bool = False) -> Template:
        """The compiled text; ``before_steps`` lets only parameters in, since no step may be told before its time."""
        ranks = {k: r for k, r in self.ranks.items() if k in self.parameter_names} if before_steps else self.ranks
        try:
            names = Names(dict(ranks), frozenset(self.texts), dict(self.decimals), dict(self.symbols))
            return compile_template(text, names)
        except FormulaError as error:
            self.fault(path, error.message)
            return Template(text, (text,), (False,))

    def _texts_or_words(self, value: list[str] | str | None, path: Path) -> tuple[Template, ...] | Words | None:
        """A list of texts, or an expression that names words."""
        if isinstance(value, list):
            return tuple(self.template(t, (*path, k), before_steps=True) for k, t in enumerate(value))
        return None if value is None else self._words_named(value, path)

    def _words_named(self, text: str, path: Path) -> Words | None:
        ranks = {name: rank for name, rank in self.ranks.items() if name in self.parameter_names}
        try:
            return compile_words(text, Names(ranks, frozenset(self.texts)))
        except FormulaError as error:
            self.fault(path, error.message)
            return None

    # Parameters

    def parameter(self, name: str, entry: ParameterFile) -> Parameter:
        path: Path = ("parameters", name)
        made = self._parameter(name, entry, path)
        rank = made.rank
        if rank is not None:
            self.ranks[name] = rank
        if made.type in ("text", "texts"):
            self.texts.add(name)
        self.parameter_names.add(name)
        self.decimals[name] = made.decimals
        self.symbols[name] = entry.symbol or _letter(name)
        return made

    def _parameter(self, name: str, entry: ParameterFile, path: Path) -> Parameter:
        symbol = entry.symbol or ""
        if entry.choose is not None and entry.from_ is not None:
            words = self._words(entry.from_, (*path, "from"))
            count = self.formula(entry.choose, (*path, "choose"), 0)
            return Parameter(name, "choose", "texts", words=words, count=count, symbol=symbol)
        if entry.index is not None:
            if self.ranks.get(entry.index) not in (1, 2):
                self.fault((*path, "index"), f"{entry.index} is no earlier parameter with entries")
            return Parameter(name, "index", "integer", of=entry.index, symbol=symbol)
        if entry.pick is not None:
            return self._picked(name, entry.pick, path, symbol)
        if entry.range is not None:
            return self._ranged(name, entry, entry.range, path)
        formula = self.formula(entry.is_ or "0", (*path, "is"))
        kind: ParameterType = {0: "number", 1: "vector", 2: "matrix"}[formula.rank]  # type: ignore[assignment]
        decimals = 10 if entry.round is None else entry.round
        return Parameter(name, "is", kind, decimals=decimals if entry.round is not None else 0, formula=formula,
                         grid=10.0**-decimals, symbol=symbol)  # fmt: skip

    def _words(self, source: str | list[str], path: Path) -> tuple[str, ...]:
        if isinstance(source, list):
            if len(set(source)) < len(source):
                self.fault(path, "a word stands here twice")
            return tuple(source)
        if source not in WORDS:
            self.fault(path, f"there is no word list {source}; there are {', '.join(WORDS)}")
        return WORDS.get(source, ("word",))

    def _picked(self, name: str, values: list[Any], path: Path, symbol: str) -> Parameter:
        types = {type_of(value) for value in values}
        if types == {"number", "integer"}:
            types = {"number"}
        kind = types.pop() if len(types) == 1 else None
        if kind is None:
            self.fault((*path, "pick"), "the values must all be numbers, all texts, all vectors or all lists of texts")
            kind = "number"
        decimals = max(decimals_of(value) for value in values)
        return Parameter(name, "pick", kind, values=tuple(values), decimals=decimals, symbol=symbol)

    def _ranged(self, name: str, entry: ParameterFile, ends: tuple[str, str], path: Path) -> Parameter:
        low, high = (self.formula(text, (*path, "range", k), 0) for k, text in enumerate(ends))
        sizes: tuple[int, ...] = ()
        size: tuple[Formula, ...] | None = None
        if isinstance(entry.size, PickedSize):
            sizes = tuple(entry.size.pick)
            if min(sizes) < 0 or max(sizes) > 64:
                self.fault((*path, "size"), "a size is between 0 and 64")
        elif entry.size is not None:
            listed = isinstance(entry.size, list) or entry.size.startswith("[")
            texts = entry.size if isinstance(entry.size, list) else entry.size.strip("[]").split(",")
            if not listed:
                texts = [str(entry.size)]
            size = tuple(self.formula(self._as_length(t), (*path, "size"), 0) for t in texts)
        whole = entry.step == int(entry.step)
        kind: ParameterType = "integer" if whole and all(_whole(text) for text in ends) else "number"
        if size is not None or sizes:
            kind = "matrix" if size is not None and len(size) == 2 else "vector"
        return Parameter(
            name, "range", kind, low=low, high=high, grid=entry.step, size=size, sizes=sizes, distinct=entry.distinct,
            ascending=entry.sorted, symbol=entry.symbol or "",
            decimals=max(decimals_of(entry.step), *(decimals_of(_number(text)) for text in ends)),
        )  # fmt: skip

    def _as_length(self, text: str) -> str:
        return f"len({text})" if self.ranks.get(text.strip()) == 1 else text

    # Steps

    def step(self, name: str, entry: StepFile, model: ProblemFile) -> Step:
        path: Path = ("steps", name)
        formula, kind = self._rule(entry, path)
        options = self._options(entry, kind, path)
        mistakes = tuple(
            self._mistake(name, tag, mistake, kind, model, (*path, "mistakes", tag))
            for tag, mistake in entry.mistakes.items()
        )
        weight = entry.weight if entry.weight is not None else Fraction(0 if entry.optional else 1)
        if entry.skill and entry.skill not in model.skills:
            self.fault((*path, "skill"), f"{entry.skill} is not among the skills of this problem")
        step = Step(
            name=name,
            kind=kind,
            formula=formula,
            ask=self.template(entry.ask, (*path, "ask"), before_steps=True) if entry.ask else None,
            weight=weight,
            digits=entry.digits or model.digits.answer,
            accept=tuple(entry.accept or ()),
            labels=self._texts_or_words(entry.labels, (*path, "labels")),
            options=options,
            shuffle=self._shuffled(entry),
            optional=entry.optional,
            skill=entry.skill,
            interval=self._interval(entry.range, (*path, "range")) if entry.range else None,
            carry=entry.carry,
            undefined=entry.undefined,
            unit=entry.unit or "",
            symbol=entry.symbol or _letter(name),
            hint=self.template(entry.hint, (*path, "hint"), before_steps=True) if entry.hint else None,
            mistakes=mistakes,
        )
        self.ranks[name] = _RANK_OF_KIND[kind]
        self.symbols[name] = step.symbol
        return step

    def _interval(self, text: str, path: Path) -> Interval:
        low, high = (float(end) for end in text[1:-1].split(","))
        if not low < high:
            self.fault(path, f"{text} holds no number: the lower end comes first")
        return Interval(low, high, text.startswith("["), text.endswith("]"))

    def _shuffled(self, entry: StepFile) -> bool:
        """Options that the author lists are shown in a drawn order unless they say otherwise."""
        return entry.shuffle if entry.shuffle is not None else not isinstance(entry.options, str)

    def _rule(self, entry: StepFile, path: Path) -> tuple[Formula | None, Kind]:
        if entry.kind == "text":
            if not entry.accept or entry.is_ is not None:
                self.fault(path, "a text step has accept, the accepted forms, and no is")
            return None, "text"
        if entry.is_ is None:
            self.fault(path, "this step needs is, the formula of its value")
            return compile_formula("0", {}), entry.kind or "number"
        rank = _RANK_OF_KIND[entry.kind] if entry.kind else None
        formula = self.formula(entry.is_, (*path, "is"), rank)
        if formula.rank == 2:
            self.fault((*path, "is"), "a step is a number or a vector, not a matrix")
            return compile_formula("0", {}), "number"
        return formula, entry.kind or ("vector" if formula.rank else "number")

    def _options(self, entry: StepFile, kind: Kind, path: Path) -> tuple[tuple[str, Template], ...] | Words | None:
        at: Path = (*path, "options")
        if (entry.options is not None) != (kind in ("choice", "choices")):
            self.fault(at, "a choice has options" if entry.options is None else "only a choice has options")
        if isinstance(entry.options, dict):
            return tuple((key, self.template(t, (*at, key), before_steps=True)) for key, t in entry.options.items())
        found = self._texts_or_words(entry.options, at)
        return found if found is None or isinstance(found, Words) else tuple((t.source, t) for t in found)

    def _mistake(self, step: str, tag: str, entry: MistakeFile, kind: Kind, model: ProblemFile, path: Path) -> Mistake:
        formulas: dict[str, Formula] = {}
        if kind == "text":
            if not entry.accept:
                self.fault(path, "a mistake at a text step has accept, the forms that show it")
        elif entry.is_ is None:
            self.fault(path, "a mistake needs is, the wrong formula")
        else:
            formulas[step] = self.formula(entry.is_, (*path, "is"), _RANK_OF_KIND[kind])
        later = list(model.steps)[list(model.steps).index(step) + 1 :]
        for other, text in entry.also.items():
            if other not in later:
                self.fault((*path, "also", other), f"{other} is no later step")
                continue
            # Later steps are not compiled yet: their names count as what a formula before them may not use.
            known = dict(self.ranks) | {step: _RANK_OF_KIND[kind]} | self._ranks_between(later, other, model)
            formulas[other] = self.formula(text, (*path, "also", other), ranks=known)
        return Mistake(step, tag, self.template(entry.says, (*path, "says"), before_steps=True), entry.credit,
                       entry.seldom, formulas, tuple(entry.accept or ()), entry.skill)  # fmt: skip

    def _ranks_between(self, later: list[str], other: str, model: ProblemFile) -> dict[str, Rank]:
        """Ranks of the steps before ``other``, read off their kinds (number unless a kind says otherwise)."""
        ranks: dict[str, Rank] = {}
        for name in later[: later.index(other)]:
            kind = model.steps[name].kind
            if kind:
                ranks[name] = _RANK_OF_KIND[kind]
                continue
            try:
                ranks[name] = compile_formula(model.steps[name].is_ or "0", self.ranks | ranks).rank
            except FormulaError:
                ranks[name] = 0
        return ranks

    def figure(self, entry: FigureFile, model: ProblemFile) -> Figure:
        path: Path = ("figure",)
        texts: dict[str, str] = {}
        kind = next(
            k for k in ("tokens", "bars", "embeddings", "vectors", "funnel", "curve") if getattr(entry, k) is not None
        )
        for role in ("mask", "random", "kept", "special", "bars", "highlight", "curve"):
            if getattr(entry, role) is not None:
                texts[role] = getattr(entry, role)
        for group in ("embeddings", "vectors"):
            for name, text in (getattr(entry, group) or {}).items():
                texts[f"{group}.{name}"] = text
        if entry.funnel:
            texts["inputs"], texts["outputs"] = entry.funnel
        if entry.matrix:
            texts["matrix"] = entry.matrix.is_
        formulas = {role: self.formula(text, path, _rank_of_role(role)) for role, text in texts.items()}
        if kind == "bars" and entry.labels is None:
            self.fault((*path, "bars"), "bars need labels, one for each")
        reveal = entry.reveal or ""
        if reveal and reveal not in model.steps:
            self.fault((*path, "reveal"), f"{reveal} is no step")
        return Figure(
            kind="loss-curve" if kind == "curve" else kind,
            formulas=formulas,
            labels=self._texts_or_words(entry.labels, (*path, "labels")),
            tokens=self._words_named(entry.tokens, (*path, "tokens")) if entry.tokens else None,
            activation=entry.activation,
            matrix_name=entry.matrix.name if entry.matrix else "",
            reveal=reveal,
        )


def decimals_of(value: Any) -> int:
    """How many decimals a number, or the longest of a list of numbers, is written with (at most 10)."""
    if isinstance(value, list | tuple):
        return max((decimals_of(item) for item in value), default=0)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0
    exponent = Decimal(repr(value)).normalize().as_tuple().exponent
    return min(10, max(0, -exponent)) if isinstance(exponent, int) else 0


def type_of(value: Any) -> ParameterType | None:
    """The parameter type of a plain value; None if it is of no type a parameter may have."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return "integer"
    if isinstance(value, float):
        return "number"
    if isinstance(value, str):
        return "text"
    if not isinstance(value, list):
        return None
    if value and all(isinstance(item, str) for item in value):
        return "texts"
    if all(isinstance(item, int | float) and not isinstance(item, bool) for item in value):
        return "vector"
    rows = [item for item in value if type_of(item) == "vector"]
    return "matrix" if len(rows) == len(value) and len({len(row) for row in rows}) == 1 else None


def _whole(text: str) -> bool:
    number = _number(text)
    return number is None or number == int(number)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _rank_of_role(role: str) -> Rank:
    """What a figure's formula must give: a matrix, one number, or a vector."""
    if role == "matrix":
        return 2
    return 0 if role in ("highlight", "curve", "inputs", "outputs") else 1


def _letter(name: str) -> str:
    """The TeX of a name that its author gave no symbol."""
    return name if len(name) == 1 else rf"\text{{{name}}}"
