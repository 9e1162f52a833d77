"""Printed copies as their pages show them: sheets, keys, and the boxes to enter what was written."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.http import QueryDict

from exercises.courses.codes import shown_code
from exercises.figures import Drawing, draw, has_content
from exercises.models import PaperCopy
from exercises.queries.paper import PrintedCopy, PrintedItem, printed
from frontend.solution import Solution, solution_for
from frontend.typed_form import typed_of
from frontend.workbench import Box, Boxed, Option, boxes_of, options_of
from grader.answers import read_answer
from grader.reading import Reading
from grader.solution import solve
from grader.wording import Field, rounded_text, worked_solution

Typed = Mapping[int, Mapping[str, Any]]


@dataclass(frozen=True)
class SheetItem:
    """One exercise on paper, with its figure drawn."""

    item: PrintedItem
    figure: Drawing | None


@dataclass(frozen=True)
class Sheet:
    """One copy on paper."""

    copy: PaperCopy
    code: str
    items: tuple[SheetItem, ...]


@dataclass(frozen=True)
class KeyLine:
    """The key of one step: TeX where it is a number, Markdown where it is words."""

    ask: str
    tex: str
    text: str


@dataclass(frozen=True)
class KeyItem:
    """The keys of one exercise, and how they come about."""

    item: PrintedItem
    lines: tuple[KeyLine, ...]
    solution: Solution


@dataclass(frozen=True)
class KeySheet:
    """The keys of one copy."""

    copy: PaperCopy
    code: str
    items: tuple[KeyItem, ...]


@dataclass(frozen=True)
class EntryStep(Boxed):
    """The boxes of one step to enter, at which place of the copy, what stands in them, and how it is read."""

    place: int
    reading: Reading

    @property
    def name(self) -> str:
        """The place and the step, since two problems of a copy may have steps of one name."""
        return f"{self.place}-{self.field.step}"


@dataclass(frozen=True)
class EntryItem:
    """One exercise of a copy that is entered."""

    item: PrintedItem
    steps: tuple[EntryStep, ...]


def sheets(copies: Iterable[PaperCopy]) -> list[Sheet]:
    """Copies as they are printed. One query."""
    return [Sheet(one.copy, shown_code(one.copy.code), tuple(map(_sheet_item, one.items))) for one in printed(copies)]


def key_sheets(copies: Iterable[PaperCopy]) -> list[KeySheet]:
    """The keys of copies. One query."""
    return [KeySheet(one.copy, shown_code(one.copy.code), tuple(map(_key_item, one.items))) for one in printed(copies)]


def entry_steps(shown: PrintedCopy, typed: Typed, locale: str) -> list[EntryItem]:
    """The boxes of a copy with what was typed, place by place. No query."""
    return [
        EntryItem(item, tuple(_entry(item, field, typed.get(item.place, {}), locale) for field in item.fields))
        for item in shown.items
    ]


def written_in(form: QueryDict, shown: PrintedCopy) -> dict[int, dict[str, str | list[str]]]:
    """What was typed into the boxes of ``entry_steps``, by place and step."""
    return {
        item.place: {field.step: typed_of(form, f"{item.place}-{field.step}", field.kind) for field in item.fields}
        for item in shown.items
    }


def _sheet_item(item: PrintedItem) -> SheetItem:
    figure = item.figure
    is_drawn = figure is not None and has_content(figure.kind, figure.data)
    return SheetItem(item, draw(figure.kind, figure.data) if figure is not None and is_drawn else None)


def _key_item(item: PrintedItem) -> KeyItem:
    worked = {step.step: step for step in worked_solution(item.problem, item.parameters).steps}
    values = solve(item.problem, item.parameters).values
    lines = []
    for field in item.fields:
        step = worked.get(field.step)
        value = values.get(field.step)
        # The last line of the worked solution says it as the learner would write it; a bare number stands for it else.
        tex = step.value if step is not None else ""
        text = step.text if step is not None else ""
        if not tex and not text:
            text = rounded_text(value, field.digits) if isinstance(value, float) else str(value)
        lines.append(KeyLine(field.ask, tex, text))
    return KeyItem(item, tuple(lines), solution_for(item.problem, item.parameters))


def _entry(item: PrintedItem, field: Field, typed: Mapping[str, Any], locale: str) -> EntryStep:
    answer = typed.get(field.step, "")
    boxes: Sequence[Box] = () if field.kind in ("choice", "choices") else boxes_of(field, answer, None)
    options: Sequence[Option] = options_of(field, answer) if field.kind in ("choice", "choices") else ()
    return EntryStep(
        field=field,
        place=item.place,
        boxes=tuple(replace(box, id=f"{box.id}-at-{item.place}") for box in boxes),
        options=tuple(replace(option, id=f"{option.id}-at-{item.place}") for option in options),
        reading=read_answer(item.problem, item.parameters, field.step, answer, locale),
    )
