"""Saving what stands in the boxes, without ever putting something older or a blank over something newer."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from django.db import transaction
from django.http import Http404

from exercises import clock
from exercises.actions.sitting.refusals import AttemptOver
from exercises.actions.sitting.sheet import Boxes, Sheet, is_blank, locked_sheet
from exercises.actions.typed import Answers, clean_answers, clean_locale
from exercises.loading import problem_of
from exercises.models import AttemptItem, SavedAnswer

#: Versions that are kept of one place, one row each; from then on the latest row is written over.
MOST_SAVES = 500
#: What is kept aside of one place; from then on the latest row is written over.
MOST_ASIDE = 50
MOST_PAGE = 64
KEPT = "What you typed is kept beside it as a late draft, which you and those who teach can see."

Kind = Literal["saved", "unchanged", "aside"]


@dataclass(frozen=True)
class Saved:
    """What became of a saving.

    saved      it stands in the boxes now, as ``version``
    unchanged  it stood there already
    aside      something newer stands there: what was sent was put aside as the row ``aside``, to be taken up or left
    """

    kind: Kind
    version: int
    at: dt.datetime | None
    answers: Answers
    aside: int | None = None


def save_answers(
    *,
    attempt_item: AttemptItem,
    variant_id: str,
    answers: Mapping[str, Any],
    based_on: int | None,
    locale: str = "en",
    page: str = "",
) -> Saved:
    """Save what stands in the boxes of a page that was made when version ``based_on`` was the latest; None writes over
    whatever stands there.

    ``page`` names the rendered page: one that saves several times, or again after a reply that was lost, only ever
    writes over what it wrote itself. Something older or blank never replaces what is newer: it is set aside.
    ``variant_id`` is the public id of the variant on the page.

    Raises AnswersRefused for what is no answer to this problem, PageOutOfDate where another variant was drawn since,
    and AttemptOver, with what was typed kept beside it, once the attempt takes nothing more.
    """
    with transaction.atomic():
        sheet = locked_sheet(attempt_item)
        typed = typed_on(sheet, variant_id, answers)
        based_on = sheet.item.saved_version if based_on is None else based_on
        late = kept_if_over(sheet, typed, based_on)
        if late is None:
            return kept_boxes(sheet, typed, based_on=based_on, locale=clean_locale(locale), page=page[:MOST_PAGE])
    # Only now: what was typed is kept all the same.
    raise late


def typed_on(sheet: Sheet, variant_id: str, answers: Mapping[str, Any]) -> Answers:
    """What a form of that variant says, if it is that of the sheet. Raises AnswersRefused, PageOutOfDate."""
    typed = clean_answers(problem_of(sheet.variant), answers)
    sheet.refuse_other_variant(variant_id)
    return typed


def kept_if_over(sheet: Sheet, typed: Answers, based_on: int) -> AttemptOver | None:
    """What to refuse with, after the commit, where the attempt takes nothing more: what was typed is put aside then, if
    there is anything in it that is not in the boxes. None while it goes on."""
    over = sheet.over
    if not over:
        return None
    if is_blank(typed) or {**sheet.boxes.answers, **typed} == sheet.boxes.answers:
        return AttemptOver(over)
    _set_aside(sheet, typed, based_on, SavedAnswer.Aside.LATE)
    return AttemptOver(f"{over} {KEPT}", is_kept=True)


def kept_boxes(sheet: Sheet, typed: Answers, *, based_on: int, locale: str, page: str) -> Saved:
    """Let what was typed stand in the boxes, or set it aside; inside the transaction that holds the sheet."""
    boxes, version = sheet.boxes, sheet.item.saved_version
    stands = {**boxes.answers, **typed}
    is_known, follows = stands == boxes.answers, boxes.follows(page, based_on, version)
    # By another decimal sign the same text is another number; an older page does not change it back.
    is_read_alike = locale == boxes.locale or not follows
    if (is_known and is_read_alike) or (is_blank(stands) and is_blank(boxes.answers)):
        return Saved("unchanged", version, sheet.item.saved_at, boxes.answers)
    if not follows:
        why = SavedAnswer.Aside.BLANK if is_blank(typed) else SavedAnswer.Aside.STALE
        aside = _set_aside(sheet, typed, based_on, why)
        return Saved("aside", version, sheet.item.saved_at, boxes.answers, aside)
    since = boxes.since if page and page == boxes.page else version
    _next_version(sheet, replace(boxes, answers=stands, locale=locale, page=page, since=since), based_on)
    return Saved("saved", sheet.item.saved_version, sheet.item.saved_at, stands)


def take_up(*, attempt_item: AttemptItem, aside: int) -> Saved:
    """Let something that was set aside stand in the boxes after all; what stood there stays in the history.

    Raises Http404 for what is not there, AttemptOver once the attempt takes nothing more.
    """
    with transaction.atomic():
        sheet, row = _with_aside(attempt_item, aside)
        dealt = [*sheet.boxes.dealt, row.pk]
        answers = {**sheet.boxes.answers, **row.answers}
        version = sheet.item.saved_version
        _next_version(sheet, replace(sheet.boxes, answers=answers, page="", since=version, dealt=dealt), version)
        return Saved("saved", sheet.item.saved_version, sheet.item.saved_at, answers)


def leave_aside(*, attempt_item: AttemptItem, aside: int) -> None:
    """Offer something that was set aside no more, and only that; it stays in the history. Raises as ``take_up``."""
    with transaction.atomic():
        sheet, row = _with_aside(attempt_item, aside)
        sheet.boxes = replace(sheet.boxes, dealt=[*sheet.boxes.dealt, row.pk])
        sheet.item.saved = vars(sheet.boxes)
        sheet.item.save(update_fields=["saved"])


def _with_aside(attempt_item: AttemptItem, aside: int) -> tuple[Sheet, SavedAnswer]:
    sheet = locked_sheet(attempt_item)
    if sheet.over:
        raise AttemptOver(sheet.over)
    offered = sheet.item.saves.filter(aside=SavedAnswer.Aside.STALE, pk__gt=sheet.boxes.seen)
    row = offered.exclude(pk__in=sheet.boxes.dealt).filter(pk=aside).first()
    if row is None:
        raise Http404("Nothing is set aside here any more.")
    return sheet, row


def _next_version(sheet: Sheet, boxes: Boxes, based_on: int) -> None:
    """Write the next version, and its row of the history."""
    before = sheet.item.saved_version
    sheet.keep(boxes)
    values = {"version": sheet.item.saved_version, "based_on": based_on, "answers": boxes.answers, "at": clock.now()}
    if before < MOST_SAVES:
        SavedAnswer.objects.create(attempt_item=sheet.item, **values)
    else:
        sheet.item.saves.filter(version=before).update(**values)


def _set_aside(sheet: Sheet, typed: Answers, based_on: int, why: SavedAnswer.Aside) -> int:
    """Keep what was typed beside the boxes; the primary key of its row. The same twice in a row is kept once."""
    rows = sheet.item.saves.exclude(aside="")
    last = rows.order_by("-pk").first()
    is_new = last is not None and last.pk > sheet.boxes.seen and last.pk not in sheet.boxes.dealt
    if last is not None and is_new and (last.aside, last.answers) == (why, typed):
        return last.pk
    if last is not None and rows.count() >= MOST_ASIDE:
        # A row of its own: the last one may have been dealt with, and is offered no more.
        rows.filter(pk=last.pk).delete()
    row = SavedAnswer(attempt_item=sheet.item, based_on=max(based_on, 0), answers=typed, aside=why)
    row.save(force_insert=True)
    return row.pk
