"""The JSON of our own file, as it must be: one model that reads it and names what is wrong by its place."""

import datetime as dt
import json
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, ValidationError

from exercises.courses.item_details import MOST_VARIANTS, read_weight
from exercises.courses.set_details import MOST_INSTRUCTIONS, MOST_TITLE, SetDetails, faults_of, in_mode
from exercises.exchange.own.bundle import FORMAT, MOST_ANCESTORS, VERSION

MOST_PROBLEMS = 200
MOST_SETS = 20
MOST_ITEMS = 60
MOST_POOLS = 20
MOST_JSON = 500_000

Model = TypeVar("Model", bound=BaseModel)


class ShapeRefused(ValueError):
    """JSON that is none, or says something that cannot be; the message names the place."""


def _share(value: Any) -> Fraction:
    # With an exponent a short text is a number that fills the memory.
    if isinstance(value, str) and len(value) <= 40 and "e" not in value.lower():
        try:
            share = Fraction(value)
        except (ValueError, ZeroDivisionError):
            share = Fraction(-1)
        if 0 <= share <= 1:
            return share
    raise ValueError('write a share from 0 to 1 as text, such as "1/2"')


def _weight(value: Any) -> Decimal:
    if not isinstance(value, str):
        raise ValueError('write a weight as text, such as "1.5"')
    return read_weight(value)


def _stored(text: str) -> str:
    if any(ord(sign) < 32 and sign not in "\t\n\r" for sign in text):
        raise ValueError("there is a character that cannot be kept")
    return text


def _zoned(moment: dt.datetime) -> dt.datetime:
    if moment.tzinfo is None or not 1970 <= moment.year <= 9000:
        raise ValueError("write a moment with its time zone, such as 2026-11-30T08:00:00+00:00")
    return moment.astimezone(dt.UTC)


Share = Annotated[Fraction, BeforeValidator(_share)]
Weight = Annotated[Decimal, BeforeValidator(_weight)]
Moment = Annotated[dt.datetime, AfterValidator(_zoned)]
File = Annotated[
    str, StringConstraints(pattern=r"^(?:problems|origins|sets)/[A-Za-z0-9][A-Za-z0-9_-]{0,119}\.(?:yaml|json)$")
]
Licence = Annotated[str, StringConstraints(max_length=80), AfterValidator(_stored)]
Step = Annotated[str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9_]{0,39}$")]


class Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class OriginShape(Part):
    file: File
    licence: Licence = ""


class ProblemShape(Part):
    file: File
    licence: Licence = ""
    from_: list[OriginShape] = Field(default_factory=list, alias="from", max_length=MOST_ANCESTORS)


class Manifest(Part):
    format: Literal["bert-gym"]
    version: int
    problems: list[ProblemShape] = Field(default_factory=list, max_length=MOST_PROBLEMS)
    sets: list[File] = Field(default_factory=list, max_length=MOST_SETS)


class RulesShape(Part):
    title: str = Field(min_length=1, max_length=MOST_TITLE)
    mode: Literal["practice", "quiz", "exam"]
    instructions: str = Field("", max_length=MOST_INSTRUCTIONS)
    opens_at: Moment | None = None
    due_at: Moment | None = None
    closes_at: Moment | None = None
    time_limit: int | None = Field(None, ge=1, le=1_000_000)
    credits: list[Share] = Field(default_factory=list, max_length=30)
    retry: Literal["same", "new"] = "same"
    feedback: Literal["at-once", "handed-in", "released"] = "at-once"
    late: list[Share] = Field(default_factory=list, max_length=40)
    hints: bool = False
    shuffle: bool = False
    pass_mark: Share | None = None

    def details(self) -> SetDetails:
        """The rules as they are kept. Raises ShapeRefused where they do not fit together."""
        said = {name: getattr(self, name) for name in type(self).model_fields}
        details = in_mode(SetDetails(**{**said, "credits": tuple(self.credits), "late": tuple(self.late)}))
        if faults := faults_of(details):
            raise ShapeRefused("; ".join(f"rules.{name}: {words}" for name, words in faults.items()))
        return details


class PoolShape(Part):
    name: Annotated[str, Field(min_length=1, max_length=80), AfterValidator(_stored)]
    choose: int = Field(ge=1, le=MOST_ITEMS)
    weight: Weight = Decimal(1)


class ItemShape(Part):
    problem: File
    pinned: bool = False
    weight: Weight = Decimal(1)
    variants: int = Field(1, ge=1, le=MOST_VARIANTS)
    asked: list[Step] | None = Field(None, min_length=1, max_length=40)
    pool: str | None = Field(None, max_length=80)
    adaptation: dict[str, Any] = Field(default_factory=dict, max_length=2)


class SetShape(Part):
    rules: RulesShape
    pools: list[PoolShape] = Field(default_factory=list, max_length=MOST_POOLS)
    items: list[ItemShape] = Field(default_factory=list, max_length=MOST_ITEMS)


def read_shape(model: type[Model], content: bytes) -> Model:
    """The model of a JSON file. Raises ShapeRefused naming line and column, or the place in it."""
    if len(content) > MOST_JSON:
        raise ShapeRefused(f"it is larger than {MOST_JSON // 1000} kB.")
    try:
        data = json.loads(content.decode("utf-8"), object_pairs_hook=_once)
    except UnicodeDecodeError as error:
        raise ShapeRefused(f"byte {error.start + 1} is not UTF-8: save it again with this encoding.") from error
    except json.JSONDecodeError as error:
        raise ShapeRefused(f"line {error.lineno}, column {error.colno}: this is not JSON ({error.msg}).") from error
    except RecursionError as error:
        raise ShapeRefused("it is nested too deeply.") from error
    except ValueError as error:
        raise ShapeRefused(f"{error}") from error
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise ShapeRefused("; ".join(_said(error))) from error


def of_this_version(manifest: Manifest) -> Manifest:
    """The manifest, if this program knows its version. Raises ShapeRefused."""
    if manifest.version != VERSION:
        raise ShapeRefused(f"it is of version {manifest.version} of the format {FORMAT}; version {VERSION} is read.")
    return manifest


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands in one object twice.")
    return found


def _said(error: ValidationError) -> Iterable[str]:
    for item in error.errors(include_url=False, include_context=False, include_input=False)[:5]:
        place = ".".join(map(str, item["loc"]))
        yield f"{place}: {item['msg'].removeprefix('Value error, ')}"
