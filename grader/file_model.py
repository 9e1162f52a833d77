"""The shape of a problem file. This one model reads the file, names what is wrong, and publishes the JSON Schema."""

import re
from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, model_validator


def _formula_text(value: Any) -> Any:
    """A formula may be written as a bare number or as a YAML list; both become text."""
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list):
        return "[" + ", ".join(str(_formula_text(item)) for item in value) + "]"
    return value


def _words(value: Any) -> Any:
    """A list of words may hold bare numbers, which YAML reads as numbers."""
    if isinstance(value, list):
        return [str(item) if isinstance(item, int | float) and not isinstance(item, bool) else item for item in value]
    return value


def _fraction(value: Any) -> Any:
    if isinstance(value, Fraction):
        return value
    if isinstance(value, int | float | str) and re.fullmatch(r"\d{1,4}(/[1-9]\d{0,3}|\.\d{1,4})?", str(value)):
        return Fraction(str(value))
    raise ValueError('write a number or a fraction such as "1/4"')


Formula = Annotated[
    str,
    BeforeValidator(_formula_text, json_schema_input_type=str | float | list[str | float]),
    StringConstraints(min_length=1, max_length=400),
]
Share = Annotated[
    Fraction,
    BeforeValidator(_fraction, json_schema_input_type=float | str),
    Field(ge=0, le=1000),
]
Ident = Annotated[str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9_]{0,39}$")]
Tag = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$")]
Text = Annotated[str, StringConstraints(min_length=1, max_length=4000)]
Line = Annotated[str, StringConstraints(min_length=1, max_length=500)]
Words = Annotated[list[Line], BeforeValidator(_words), Field(min_length=1, max_length=64)]
Kind = Literal["number", "vector", "count", "choice", "choices", "shape", "text"]
_END = r"(?:\d{1,12}(?:\.\d{1,12})?)"
Interval = Annotated[str, StringConstraints(pattern=rf"^[\[(]\s*-?(?:inf|{_END})\s*,\s*-?(?:inf|{_END})\s*[\])]$")]


class Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class PickedSize(Part):
    """A size drawn from a list; repeat a size to draw it more often."""

    pick: list[int] = Field(min_length=1, max_length=32)


Size = PickedSize | list[Formula] | Formula


class ParameterFile(Part):
    """One drawn parameter. Exactly one of choose, range, index, pick, is."""

    choose: Formula | None = Field(None, description="how many different words to choose")
    from_: str | Words | None = Field(None, alias="from", description="a word list by name, or the words themselves")
    range: tuple[Formula, Formula] | None = Field(None, description="lowest and highest value, both included")
    step: float = Field(1, gt=0, description="distance of the grid that numbers are drawn from")
    size: Size | None = Field(None, description="length of a vector, or [rows, columns]; a name stands for its length")
    distinct: bool = False
    sorted: bool = False
    index: Ident | None = Field(None, description="a 0-based place in another parameter")
    pick: list[Any] | None = Field(None, min_length=1, max_length=64, description="one of these values")
    is_: Formula | None = Field(None, alias="is", description="computed from earlier parameters, then rounded")
    round: int | None = Field(None, ge=0, le=10, description="decimals that a computed parameter is rounded to")
    symbol: Line | None = Field(None, description="TeX by which it is shown")

    @model_validator(mode="after")
    def _one_source(self) -> "ParameterFile":
        given = [name for name in ("choose", "range", "index", "pick", "is_") if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError("give exactly one of choose, range, index, pick, is")
        if (self.choose is None) != (self.from_ is None):
            raise ValueError("choose and from belong together")
        return self


class MistakeFile(Part):
    """A named mistake: the wrong rule that replaces the step's own, and what to say about it."""

    is_: Formula | None = Field(None, alias="is")
    accept: Words | None = Field(None, description="for a text step: the typed forms that show this mistake")
    says: Text
    credit: Share = Fraction(0)
    seldom: bool = Field(False, description="this mistake may be active in few variants")
    skill: Tag | None = Field(None, description="the skill it shows a lack of, where that is not the step's own")
    also: dict[Ident, Formula] = Field(default_factory=dict, description="later steps it replaces at the same time")


class StepFile(Part):
    """One named step. Without ``ask`` it is an intermediate value that is never asked."""

    ask: Text | None = None
    is_: Formula | None = Field(None, alias="is")
    kind: Kind | None = Field(None, description="number or vector if left out, by what the formula gives")
    accept: Words | None = Field(None, description="for a text step: the accepted forms, the first one is shown")
    labels: Words | Line | None = None
    options: Words | dict[Tag, Line] | Line | None = None
    shuffle: bool | None = None
    optional: bool = False
    weight: Share | None = None
    skill: Tag | None = None
    range: Interval | None = None
    carry: bool = Field(True, description="whether a wrong value here may be carried on to later steps")
    undefined: bool = Field(False, description="the learner may answer 'undefined'")
    unit: Literal["percent"] | None = None
    symbol: Line | None = None
    hint: Text | None = None
    digits: int | None = Field(None, ge=2, le=8, description="significant digits asked of this answer")
    mistakes: dict[Tag, MistakeFile] = Field(default_factory=dict)


class DigitsFile(Part):
    working: Annotated[int, Field(ge=3, le=10)] = 4
    answer: Annotated[int, Field(ge=2, le=8)] = 3


class CheckLine(Part):
    holds: Formula
    says: Text


class MatrixFigure(Part):
    name: Line
    is_: Formula = Field(alias="is")


class FigureFile(Part):
    """A figure drawn from the numbers; the first key names its kind."""

    tokens: Line | None = Field(None, description="a parameter that holds words, or some of its words")
    mask: Formula | None = None
    random: Formula | None = None
    kept: Formula | None = None
    special: Formula | None = None
    bars: Formula | None = None
    labels: Words | Line | None = None
    highlight: Formula | None = None
    embeddings: dict[Line, Formula] | None = None
    vectors: dict[Line, Formula] | None = None
    matrix: MatrixFigure | None = None
    funnel: tuple[Formula, Formula] | None = Field(None, description="inputs and outputs of a head")
    activation: Literal["softmax", "sigmoid", ""] = ""
    curve: Formula | None = Field(None, description="the probability whose −ln is shown")
    reveal: Ident | None = Field(None, description="the step that must be right before the values are shown")

    @model_validator(mode="after")
    def _one_kind(self) -> "FigureFile":
        kinds = ("tokens", "bars", "embeddings", "vectors", "funnel", "curve")
        if sum(getattr(self, kind) is not None for kind in kinds) != 1:
            raise ValueError(f"give exactly one of {', '.join(kinds)}")
        return self


class ProblemFile(Part):
    """A problem: parameters that are drawn, and named steps that form one solution graph."""

    title: Line
    summary: Line
    skills: list[Tag] = Field(min_length=1, max_length=8)
    level: Literal["easy", "medium", "hard"] = "medium"
    digits: DigitsFile = DigitsFile()
    parameters: dict[Ident, ParameterFile] = Field(default_factory=dict, max_length=32)
    require: list[Formula] = Field(default_factory=list, max_length=32)
    statement: Text
    figure: FigureFile | None = None
    forecast: Text | None = None
    steps: dict[Ident, StepFile] = Field(min_length=1, max_length=40)
    verify: list[CheckLine] = Field(default_factory=list, max_length=16)
