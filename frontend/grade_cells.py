"""The cells of grade books as HTML, put together by hand: a page has three thousand of them."""

import uuid
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from exercises.courses.scoring import passed, percent
from exercises.queries.gradebook import Cell
from exercises.queries.set_grades import ItemCell

STATES = {
    "not-for": "not for them",
    "not-begun": "not begun",
    "missing": "nothing handed in",
    "going-on": "going on",
    "waiting": "waiting for marks",
    "handed-in": "",
}
_ANY = uuid.UUID(int=0)
#: Scores kept in words: a class has far fewer different ones than learners.
KEPT = 4096


def book_cells(cells: Sequence[Cell], pass_marks: Sequence[Fraction | None]) -> SafeString:
    """The cells of one learner, one a set; each with a score leads to the attempt that it is of."""
    before, after = _address_around("frontend:attempt-grade")
    found = []
    for cell, pass_mark in zip(cells, pass_marks, strict=True):
        shown = score_words(cell.score, pass_mark) if cell.score is not None else "–"
        if cell.attempt is not None:
            shown = f'<a href="{before}{cell.attempt}{after}">{shown}</a>'
        found.append(f'<td class="cell cell-{cell.state}">{shown}{_tags(cell, pass_mark)}</td>')
    # Everything in it is a number, an id or one of the words above.
    return mark_safe("".join(found))  # noqa: S308


def item_cells(cells: Sequence[ItemCell | None], attempt: uuid.UUID | None) -> SafeString:
    """The cells of one learner in the grade book of a set, one an item."""
    before, after = _address_around("frontend:attempt-grade")
    found = []
    for cell in cells:
        if cell is None or attempt is None:
            found.append('<td class="cell cell-none"><span aria-hidden="true">–</span></td>')
            continue
        shown = "–" if cell.score is None else score_words(cell.score, None)
        tries = (
            "" if not cell.tries else f'<span class="tag">{cell.tries} {"try" if cell.tries == 1 else "tries"}</span>'
        )
        hand = '<span class="tag tag-hand">by hand</span>' if cell.is_overridden else ""
        link = f'<a href="{before}{attempt}{after}#item-{cell.position}">{shown}</a>'
        found.append(f'<td class="cell">{link}{tries}{hand}</td>')
    return mark_safe("".join(found))  # noqa: S308


@lru_cache(maxsize=KEPT)
def score_words(score: Fraction, pass_mark: Fraction | None) -> str:
    """A score in percent, never shown as having reached what it has not."""
    return escape(percent(score, threshold=pass_mark).replace(" ", "\u00a0"))


def state_tags(cell: Cell, pass_mark: Fraction | None) -> SafeString:
    """What is to be said of a cell beside its score."""
    return mark_safe(_tags(cell, pass_mark))  # noqa: S308


def _tags(cell: Cell, pass_mark: Fraction | None) -> str:
    found = ""
    if STATES[cell.state]:
        found += f'<span class="tag tag-{cell.state}">{STATES[cell.state]}</span>'
    if cell.late_days:
        found += f'<span class="tag tag-late">{cell.late_days} {"day" if cell.late_days == 1 else "days"} late</span>'
    if cell.is_extended:
        found += '<span class="tag tag-extended">extension</span>'
    if cell.is_overridden:
        found += '<span class="tag tag-hand">by hand</span>'
    if cell.is_withheld:
        found += '<span class="tag">withheld</span>'
    if pass_mark is not None and cell.score is not None and is_final(cell) and not passed(cell.score, pass_mark):
        found += '<span class="tag tag-failed">not passed</span>'
    return found


def is_final(cell: Cell) -> bool:
    """Whether the score is one that stands, and not what somebody has so far."""
    return cell.is_overridden or cell.state in ("handed-in", "missing")


def _address_around(name: str) -> tuple[str, str]:
    """What stands before and after the id in an address: to work out three thousand takes longer than the page may."""
    before, _, after = reverse(name, args=[_ANY]).partition(str(_ANY))
    return before, after
