"""The cells of grade books as HTML, put together by hand: a page has three thousand of them."""

import uuid
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from django.urls import get_script_prefix, reverse
from django.utils.html import escape, format_html
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
        state, score, attempt, _, late_days, is_extended, is_overridden, is_withheld = cell
        head, shown, tail = _book_cell(
            state, _pair(score), _pair(pass_mark), late_days, is_extended, is_overridden, is_withheld
        )
        if attempt is None:
            found.append(f"{head}{shown}{tail}")
        else:
            found.append(f'{head}<a href="{before}{attempt}{after}">{shown}</a>{tail}')
    # Everything in it is a number, an id or one of the words above.
    return mark_safe("".join(found))  # noqa: S308


def item_cells(cells: Sequence[ItemCell | None], attempt: uuid.UUID | None) -> SafeString:
    """The cells of one learner in the grade book of a set, one an item."""
    before, after = _address_around("frontend:attempt-grade")
    head = f'<td class="cell"><a href="{before}{attempt}{after}#item-'
    found = []
    for cell in cells:
        if cell is None or attempt is None:
            found.append('<td class="cell cell-none"><span aria-hidden="true">–</span></td>')
            continue
        score, position, tries, is_overridden = cell
        found.append(f"{head}{position}{_item_cell(_pair(score), tries, is_overridden)}")
    return mark_safe("".join(found))  # noqa: S308


def override_cells(problem_set: ProblemSet, enrolments: Sequence[Enrolment]) -> list[SafeString]:
    """The cells that lead to where somebody's score in a set is set by hand, one a learner. Users must be loaded."""
    # As with other addresses, worked out once.
    before, _, after = reverse("frontend:grade-override", args=[problem_set.public_id, 0]).rpartition("0")
    return [
        format_html(
            '<td class="cell"><a href="{}">Set<span class="visually-hidden"> the score of {} by hand</span></a></td>',
            f"{before}{one.pk}{after}",
            name_of(one),
        )
        for one in enrolments
    ]


def score_words(score: Fraction | None, pass_mark: Fraction | None) -> str:
    """A score in percent, never shown as having reached what it has not; a dash for none."""
    return _worded(_pair(score), _pair(pass_mark))[0]


def set_addresses(sets: Sequence[ProblemSet]) -> list[str]:
    """Where the grade book of each set is."""
    before, after = _address_around("frontend:set-grades")
    return [f"{before}{one.public_id}{after}" for one in sets]


def _pair(share: Fraction | None) -> tuple[int, int] | None:
    """A share as whole numbers, which are looked up in a tenth of the time that fractions take."""
    return None if share is None else share.as_integer_ratio()


@lru_cache(maxsize=KEPT)
def _worded(score: tuple[int, int] | None, pass_mark: tuple[int, int] | None) -> tuple[str, bool]:
    """The words of a score, and whether it passes."""
    if score is None:
        return "–", True
    share, threshold = Fraction(*score), Fraction(*pass_mark) if pass_mark else None
    return escape(percent(share, threshold=threshold).replace(" ", "\u00a0")), passed(share, threshold)


@lru_cache(maxsize=KEPT)
def _book_cell(
    state: str,
    score: tuple[int, int] | None,
    pass_mark: tuple[int, int] | None,
    late_days: int,
    is_extended: bool,
    is_overridden: bool,
    is_withheld: bool,
) -> tuple[str, str, str]:
    """A cell in three: its score in the middle, with what is to be said beside it."""
    shown, is_passed = _worded(score, pass_mark)
    # What somebody has so far is not failed.
    is_final = is_overridden or state in ("handed-in", "missing")
    said = {
        f"tag-{state}": STATES[state],
        "tag-late": f"{late_days} {'day' if late_days == 1 else 'days'} late" if late_days else "",
        "tag-extended": "extension" if is_extended else "",
        "tag-hand": "by hand" if is_overridden else "",
        "tag-withheld": "withheld" if is_withheld else "",
        "tag-failed": "not passed" if is_final and not is_passed else "",
    }
    tags = "".join(f'<span class="tag {style}">{words}</span>' for style, words in said.items() if words)
    return f'<td class="cell cell-{state}">', shown, f"{tags}</td>"


@lru_cache(maxsize=KEPT)
def _item_cell(score: tuple[int, int] | None, tries: int, is_overridden: bool) -> str:
    """The rest of a cell, after the place in the attempt that it leads to."""
    tried = f'<span class="tag">{tries} {"try" if tries == 1 else "tries"}</span>' if tries else ""
    hand = '<span class="tag tag-hand">by hand</span>' if is_overridden else ""
    return f'">{_worded(score, None)[0]}</a>{tried}{hand}</td>'


def _address_around(name: str) -> tuple[str, str]:
    """What stands before and after the id in an address: each of thousands worked out takes too long."""
    return _around(name, get_script_prefix())


@lru_cache(maxsize=16)
def _around(name: str, prefix: str) -> tuple[str, str]:
    """Kept for each ``prefix``, under which the service may be mounted."""
    before, _, after = reverse(name, args=[_ANY]).partition(str(_ANY))
    return before, after
