"""The cells of grade books as HTML, put together by hand: a page has three thousand of them."""

import uuid
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from django.urls import get_script_prefix, reverse
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from exercises.courses.scoring import passed, percent
from exercises.models import Enrolment, ProblemSet
from exercises.queries.grade_roster import name_of
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
#: Scores, and what is said beside them, kept in words: a class has far fewer different ones than learners.
KEPT = 8192


def name_cell(enrolment: Enrolment) -> SafeString:
    """The head of a learner's row. The user must be loaded."""
    user = enrolment.user.get_username()
    known = " · ".join(part for part in (user if enrolment.name else "", enrolment.external_id) if part)
    left = ' <span class="tag">left</span>' if enrolment.dropped_at else ""
    more = f'<span class="book-more">{escape(known)}</span>' if known else ""
    head = f'<th scope="row" class="book-name">{escape(name_of(enrolment))}{left}{more}</th>'
    return mark_safe(head)  # noqa: S308 - what people wrote is escaped


def book_cells(cells: Sequence[Cell], pass_marks: Sequence[Fraction | None]) -> SafeString:
    """The cells of one learner, one a set; each with a score leads to the attempt that it is of."""
    before, after = _address_around("frontend:attempt-grade")
    found = []
    for cell, pass_mark in zip(cells, pass_marks, strict=True):
        shown, is_passed = _worded_score(cell.score, pass_mark)
        if cell.attempt is not None:
            shown = f'<a href="{before}{cell.attempt}{after}">{shown}</a>'
        is_failed = not is_passed and is_final(cell)
        tags = _tagged(cell.state, cell.late_days, cell.is_extended, cell.is_overridden, cell.is_withheld, is_failed)
        found.append(f'<td class="cell cell-{cell.state}">{shown}{tags}</td>')
    # Everything in it is a number, an id or one of the words above.
    return mark_safe("".join(found))  # noqa: S308


def item_cells(cells: Sequence[ItemCell | None], attempt: uuid.UUID | None) -> SafeString:
    """The cells of one learner in the grade book of a set, one an item."""
    before, after = _address_around("frontend:attempt-grade")
    address = f"{before}{attempt}{after}"
    found = []
    for cell in cells:
        if cell is None or attempt is None:
            found.append('<td class="cell cell-none"><span aria-hidden="true">–</span></td>')
            continue
        tries = (
            "" if not cell.tries else f'<span class="tag">{cell.tries} {"try" if cell.tries == 1 else "tries"}</span>'
        )
        hand = '<span class="tag tag-hand">by hand</span>' if cell.is_overridden else ""
        shown = _worded_score(cell.score, None)[0]
        link = f'<a href="{address}#item-{cell.position}">{shown}</a>'
        found.append(f'<td class="cell">{link}{tries}{hand}</td>')
    return mark_safe("".join(found))  # noqa: S308


def score_words(score: Fraction | None, pass_mark: Fraction | None) -> str:
    """A score in percent, never shown as having reached what it has not; a dash for none."""
    return _worded_score(score, pass_mark)[0]


def set_addresses(sets: Sequence[ProblemSet]) -> list[str]:
    """Where the grade book of each set is."""
    before, after = _address_around("frontend:set-grades")
    return [f"{before}{one.public_id}{after}" for one in sets]


def is_final(cell: Cell) -> bool:
    """Whether the score is one that stands, and not what somebody has so far."""
    return cell.is_overridden or cell.state in ("handed-in", "missing")


def _worded_score(score: Fraction | None, pass_mark: Fraction | None) -> tuple[str, bool]:
    if score is None:
        return "–", True
    # By whole numbers, which are looked up in a tenth of the time that fractions take.
    if pass_mark is None:
        return _worded(score.numerator, score.denominator, 0, 0)
    return _worded(score.numerator, score.denominator, pass_mark.numerator, pass_mark.denominator)


@lru_cache(maxsize=KEPT)
def _worded(numerator: int, denominator: int, threshold: int, under: int) -> tuple[str, bool]:
    """The words of a score, and whether it passes; a threshold of 0 under 0 is none."""
    score, pass_mark = Fraction(numerator, denominator), Fraction(threshold, under) if under else None
    return escape(percent(score, threshold=pass_mark).replace(" ", "\u00a0")), passed(score, pass_mark)


@lru_cache(maxsize=KEPT)
def _tagged(
    state: str, late_days: int, is_extended: bool, is_overridden: bool, is_withheld: bool, is_failed: bool
) -> str:
    """What is to be said of a cell beside its score."""
    said = {
        f"tag-{state}": STATES[state],
        "tag-late": f"{late_days} {'day' if late_days == 1 else 'days'} late" if late_days else "",
        "tag-extended": "extension" if is_extended else "",
        "tag-hand": "by hand" if is_overridden else "",
        "tag-withheld": "withheld" if is_withheld else "",
        "tag-failed": "not passed" if is_failed else "",
    }
    return "".join(f'<span class="tag {style}">{words}</span>' for style, words in said.items() if words)


def _address_around(name: str) -> tuple[str, str]:
    """What stands before and after the id in an address: each of thousands worked out takes too long."""
    return _around(name, get_script_prefix())


@lru_cache(maxsize=16)
def _around(name: str, prefix: str) -> tuple[str, str]:
    """Kept for each ``prefix``, under which the service may be mounted."""
    before, _, after = reverse(name, args=[_ANY]).partition(str(_ANY))
    return before, after
