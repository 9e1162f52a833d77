"""One variant as its page shows it: the boxes with what was typed, how that is read, the marks and the hints.

Put together from ``exercises.queries`` and the grader's readings of the problem. Nothing in here may hold a key that
the learner has not earned or asked for.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from exercises import queries
from exercises.actions.typed import Answers
from exercises.loading import problem_of
from exercises.models import HintUse, Variant
from exercises.queries import Standing
from frontend.marks import MarkView, mark_view
from frontend.typed_form import PREFIX
from grader.reading import Reading
from grader.verdict import Mark
from grader.wording import Field, hints


@dataclass(frozen=True)
class Box:
    """One text box: ``id`` in the page, its own label if the step has several, what was typed, whether it was right."""

    id: str
    label: str
    value: str
    right: bool | None


@dataclass(frozen=True)
class Option:
    """One thing to choose."""

    id: str
    key: str
    text: str
    chosen: bool


@dataclass(frozen=True)
class Boxed:
    """The boxes of one step, or what it offers to choose from."""

    field: Field
    boxes: tuple[Box, ...]
    options: tuple[Option, ...]

    @property
    def name(self) -> str:
        """The step's name in the problem, the address of its boxes and of its verdict."""
        return self.field.step

    @property
    def input_name(self) -> str:
        """What its boxes are called in the form."""
        return f"{PREFIX}{self.name}"

    @property
    def takes_several(self) -> bool:
        """Whether it has a box an entry, so that each box needs a label of its own."""
        return len(self.boxes) > 1

    @property
    def width(self) -> str:
        """How wide a box must be: words need more room than numbers."""
        return "wide" if self.field.kind == "text" else "number"


@dataclass(frozen=True)
class StepView(Boxed):
    """One asked step as its learner sees it."""

    place: int
    reading: Reading
    mark: MarkView | None
    hints: tuple[str, ...]
    has_more_hints: bool
    is_older: bool  # the mark is on something else than what stands in the boxes now


def step_views(
    variant: Variant,
    fields: Sequence[Field],
    *,
    standings: Mapping[str, Standing],
    blanks: Mapping[str, Mark],
    typed: Answers,
    judged: Answers,
    hints_taken: Mapping[str, Sequence[HintUse]],
    locale: str,
    is_over: bool,
) -> tuple[StepView, ...]:
    """Every asked step: ``standings`` say how it was marked, ``judged`` what was typed there then, ``blanks`` which the
    last answer left out, ``typed`` what its boxes hold. Once it ``is_over`` no mark asks for more. No query."""
    problem = problem_of(variant)
    roundings = _roundings(variant, fields, standings)

    def view(place: int, field: Field) -> StepView:
        name, rounding = field.step, roundings.get(field.step, "")
        standing = standings.get(name)
        mark = standing.latest if standing else blanks.get(name)
        answer = typed.get(name, "")
        taken = tuple(use.text for use in hints_taken.get(name, ()))
        has_options = field.kind in ("choice", "choices")
        return StepView(
            place=place,
            field=field,
            boxes=() if has_options else boxes_of(field, answer, mark),
            options=options_of(field, answer) if has_options else (),
            reading=queries.reading_of(variant, name, answer, locale),
            mark=mark and mark_view(mark, kind=field.kind, is_first=place == 1, is_over=is_over, rounding=rounding),
            hints=taken,
            is_older=judged.get(name, answer) != answer if standing else any(answer),
            has_more_hints=len(taken) < len(hints(problem, variant.parameters, name, variant.draft, locale)),
        )

    return tuple(view(place, field) for place, field in enumerate(fields, start=1))


def _roundings(variant: Variant, fields: Sequence[Field], standings: Mapping[str, Standing]) -> dict[str, str]:
    """What rounding is expected, by step. Once is enough: the first step that went wrong tells it."""
    found: dict[str, str] = {}
    for field in fields:
        note = queries.rounding_note(variant, field.step, standings)
        if note and note not in found.values():
            found[field.step] = note
    return found


def boxes_of(field: Field, answer: str | list[str], mark: Mark | None) -> tuple[Box, ...]:
    """The text boxes of a field with what was typed; ``mark`` tells which entries of a vector were right."""
    values = answer if isinstance(answer, list) else [answer]
    size = len(field.labels) or field.size
    judged = mark.entries if mark is not None and len(mark.entries) == size > 1 else ()
    return tuple(
        Box(
            id=f"box-{field.step}" if size == 1 else f"box-{field.step}-{place + 1}",
            label=field.labels[place] if field.labels else f"Entry {place + 1}",
            value=values[place] if place < len(values) else "",
            right=judged[place] if judged else None,
        )
        for place in range(size)
    )


def options_of(field: Field, answer: str | list[str]) -> tuple[Option, ...]:
    """What a field offers to choose from, with what was chosen."""
    chosen = answer if isinstance(answer, list) else [answer]
    return tuple(
        Option(id=f"box-{field.step}-{place + 1}", key=key, text=text, chosen=key in chosen)
        for place, (key, text) in enumerate(field.options)
    )
