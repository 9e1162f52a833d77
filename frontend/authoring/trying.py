"""The playground: the boxes of one seed, and what the grader says to what an author types into them."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import cast

from django.http import HttpRequest, QueryDict

from exercises.actions.typed import Answers
from exercises.limits import cut
from exercises.queries import authoring as queries
from frontend.marks import MarkView, mark_view, share_words
from frontend.typed_form import typed_of
from frontend.variant_page import locale_of
from frontend.workbench import Boxed, boxes_of, options_of
from grader.verdict import Mark, Outcome
from grader.wording import Field

CHOSEN = ("choice", "choices")


@dataclass(frozen=True)
class Tried(Boxed):
    """One step of the playground: its boxes, and the mark once something was typed there."""

    row: queries.TriedRow | None
    mark: MarkView | None

    @property
    def credit(self) -> str:
        """The exact share, as it is counted."""
        return str(self.row.credit) if self.row else ""


@dataclass(frozen=True)
class Trial:
    """The boxes of a seed. ``fault`` says why there are none; ``score`` is in words, empty before anything is typed."""

    steps: tuple[Tried, ...]
    fault: str
    score: str
    has_typed: bool
    locale: str


def trial_of(request: HttpRequest, text: str, seed: int) -> Trial:
    """The playground of a text and a seed with what the form holds. Nothing is stored. No query."""
    shown = queries.preview(text, [seed])
    pane = shown.panes[0] if shown.panes else None
    locale = locale_of(request)
    if pane is None or pane.fault:
        fault = pane.fault if pane else "The file has a fault: mend it first."
        return Trial((), fault, "", has_typed=False, locale=locale)
    typed = _typed(request.POST, pane.fields)
    has_typed = any(any(each) if isinstance(each, list) else each for each in typed.values())
    marked = queries.tried(text, seed=seed, answers=typed, locale=locale) if has_typed else None
    rows = {row.step: row for row in marked.rows} if marked else {}
    steps = tuple(_tried(field, typed.get(field.step, ""), rows.get(field.step)) for field in pane.fields)
    return Trial(steps, marked.fault if marked else "", _score(marked), has_typed=has_typed, locale=locale)


def _typed(form: QueryDict, fields: Sequence[Field]) -> Answers:
    """What stands in the boxes, cut where no answer is longer: that much comes back."""
    return {field.step: cut(typed_of(form, field.step, field.kind)) for field in fields}


def _score(marked: queries.Tried | None) -> str:
    return share_words(marked.score) if marked and isinstance(marked.score, Fraction) else ""


def _tried(field: Field, typed: str | list[str], row: queries.TriedRow | None) -> Tried:
    mark = _mark(row) if row and row.outcome != "blank" else None
    is_chosen = field.kind in CHOSEN
    return Tried(
        field=field,
        boxes=() if is_chosen else boxes_of(field, typed, mark),
        options=options_of(field, typed) if is_chosen else (),
        row=row,
        mark=mark_view(mark, kind=field.kind) if mark else None,
    )


def _mark(row: queries.TriedRow) -> Mark:
    return Mark(
        step=row.step,
        outcome=cast("Outcome", row.outcome),
        note=row.note,
        credit=row.credit,
        message=row.message,
        read_as=row.read_as,
        entries=tuple(row.entries),
    )
