"""A try at an item of a quiz, a hint, and another variant of an item."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from django.db import transaction

from exercises import clock
from exercises.actions.answer import MOST_KEY_CHARACTERS
from exercises.actions.evidence import keep_evidence
from exercises.actions.hint import take_hint
from exercises.actions.sitting.begin import draw_for
from exercises.actions.sitting.refusals import AttemptOver, NotInThisSet, NoTryLeft
from exercises.actions.sitting.save import kept_boxes, kept_if_over, typed_on
from exercises.actions.sitting.sheet import Boxes, Sheet, locked_sheet
from exercises.actions.sitting.tries import Tries, is_all_right, is_begun, next_try, tries_of
from exercises.actions.typed import Answers, clean_locale
from exercises.actions.wake import wake_after_commit
from exercises.course_rules import rules_of
from exercises.courses.rules import Rules, may_show_feedback
from exercises.loading import problem_of
from exercises.models import AttemptItem, HintUse, Submission, Variant
from exercises.refusals import AnswersRefused, Refused
from grader.reading import Reading

Kind = Literal["queued", "unreadable", "blank", "some-blank", "already-tried", "duplicate"]


@dataclass(frozen=True)
class Checked:
    """What became of a try.

    queued         stored as a try, and a worker will mark it
    unreadable     something could not be read: ``readings`` say what to mend; no try was used
    blank          nothing was typed; no try was used
    some-blank     a step that counts was left blank, and nobody said that this is meant; no try was used
    already-tried  the same was tried before on this variant: ``submission`` is that try, and no other was used
    duplicate      this very form was sent before: ``submission`` is what came of it
    """

    kind: Kind
    submission: Submission | None
    readings: Mapping[str, Reading]


def check_item(
    *,
    attempt_item: AttemptItem,
    variant_id: str,
    answers: Mapping[str, Any],
    based_on: int | None,
    locale: str = "en",
    page: str = "",
    idempotency_key: str = "",
    is_sure: bool = False,
) -> Checked:
    """Take what stands in the boxes as a try at an item of a quiz.

    Read first: what cannot be read, or was tried before, costs no try; nor does one with a step left blank, unless
    ``is_sure`` says that it is meant. Whatever was typed is saved as by ``save_answers``.

    Raises as ``save_answers``; NotInThisSet outside a quiz; NoTryLeft where none can be taken now, with what was typed
    saved.
    """
    if len(idempotency_key) > MOST_KEY_CHARACTERS or not idempotency_key.isprintable():
        raise AnswersRefused(f"An idempotency key has at most {MOST_KEY_CHARACTERS} characters, all of them printable.")
    with transaction.atomic():
        sheet = locked_sheet(attempt_item)
        typed = typed_on(sheet, variant_id, answers)
        based_on = sheet.item.saved_version if based_on is None else based_on
        refused: Refused | None = kept_if_over(sheet, typed, based_on)
        if refused is None:
            spoken = clean_locale(locale)
            kept_boxes(sheet, typed, based_on=based_on, locale=spoken, page=page)
            checked, why = _try(sheet, typed, spoken, idempotency_key or uuid.uuid4().hex, is_sure=is_sure)
            refused = NoTryLeft(why) if why else None
    # Only now: what was typed is kept all the same.
    if refused is not None:
        raise refused
    return checked


def another_variant(*, attempt_item: AttemptItem, after: str) -> Variant:
    """The variant of an item that comes after the one with the public id ``after``, drawn now unless it was before.

    In practice there is another as soon as this one was begun; in a quiz with a new variant for each try, once a try
    was marked and not all right, as long as tries are left. What comes before it stays as it was.

    Raises AttemptOver, NoTryLeft, NotInThisSet.
    """
    with transaction.atomic():
        sheet = locked_sheet(attempt_item)
        if sheet.over:
            raise AttemptOver(sheet.over)
        if after != str(sheet.variant.public_id):
            return sheet.variant
        rules = rules_of(sheet.attempt.problem_set, sheet.attempt.learner)
        if rules.mode == "practice":
            if not is_begun(sheet.variant):
                return sheet.variant
        else:
            _refuse_another(rules, tries_of(sheet), sheet.variant)
        drawn = draw_for(sheet.item, sheet.attempt.learner, is_check=sheet.variant.is_check)
        before, sheet.variant = sheet.variant, drawn
        last = sheet.item.saves.order_by("-pk").values_list("pk", flat=True).first()
        sheet.keep(Boxes(locale=sheet.boxes.locale, since=sheet.item.saved_version + 1, seen=last or 0))
        # What was tried there and left is closed now.
        keep_evidence([before])
        return drawn


def take_attempt_hint(
    *, attempt_item: AttemptItem, variant_id: str, step: str, answers: Mapping[str, Any], locale: str = "en"
) -> HintUse:
    """The next hint at a step, where the rules of the set have hints. Raises as ``take_hint``; AttemptOver,
    PageOutOfDate, NotInThisSet."""
    with transaction.atomic():
        sheet = locked_sheet(attempt_item)
        sheet.refuse_other_variant(variant_id)
        if sheet.over:
            raise AttemptOver(sheet.over)
        if not rules_of(sheet.attempt.problem_set, sheet.attempt.learner).hints:
            raise NotInThisSet("There are no hints in this set.")
        return take_hint(variant=sheet.variant, step=step, answers=answers, locale=locale)


def _try(sheet: Sheet, typed: Answers, locale: str, key: str, *, is_sure: bool) -> tuple[Checked, str]:
    """Store a try, if it is one; or why none can be taken."""
    rules = rules_of(sheet.attempt.problem_set, sheet.attempt.learner)
    if rules.mode != "quiz":
        raise NotInThisSet("Nothing is checked in this set before it is handed in as a whole.")
    tries = tries_of(sheet)
    answer, readings = next_try(sheet, typed, locale=locale, key=key)
    earlier = tries.same_as(answer)
    if earlier is not None:
        kind: Kind = "duplicate" if earlier.idempotency_key == key else "already-tried"
        return Checked(kind, earlier, readings), ""
    unread = _unread(sheet, readings, is_sure=is_sure)
    if unread is not None:
        return Checked(unread, None, readings), ""
    why = _no_try(rules, tries, sheet.variant)
    if not why:
        answer.save(force_insert=True)
        wake_after_commit(answer)
    return Checked("queued", answer, readings), why


def _unread(sheet: Sheet, readings: Mapping[str, Reading], *, is_sure: bool) -> Kind | None:
    """Why this is no try yet, by how it is read."""
    statuses = {reading.status for reading in readings.values()}
    if "unreadable" in statuses:
        return "unreadable"
    if "read" not in statuses:
        return "blank"
    counting = {step.name for step in problem_of(sheet.variant).asked if step.weight}
    blank = {name for name, reading in readings.items() if reading.status == "blank"}
    return "some-blank" if blank & counting and not is_sure else None


def _no_try(rules: Rules, tries: Tries, variant: Variant) -> str:
    """Why no try can be taken now; empty if one can."""
    if len(tries.counting) >= len(rules.credits):
        return "Every try at this item is used. What you typed is saved; it is not marked any more."
    if tries.pending is not None:
        return "Your last try is still being marked. What you typed is saved: look at that verdict first."
    if rules.retry == "new" and tries.on(variant):
        return "Each try at this item has numbers of its own: take another variant first."
    if tries.counting and _tells(rules) and is_all_right(tries.counting[-1]):
        return "Everything is right already: another try could not earn more."
    return ""


def _refuse_another(rules: Rules, tries: Tries, variant: Variant) -> None:
    if rules.mode != "quiz" or rules.retry != "new":
        raise NotInThisSet("There is one variant of each item in this set.")
    if len(tries.counting) >= len(rules.credits):
        raise NoTryLeft("Every try at this item is used, so there is no other variant of it.")
    if tries.pending is not None:
        raise NoTryLeft("Your last try is still being marked. Look at its verdict first.")
    if not tries.on(variant):
        raise NoTryLeft("Try this variant first: the next one comes after it.")
    if _tells(rules) and is_all_right(tries.counting[-1]):
        raise NoTryLeft("Everything is right already: another try could not earn more.")


def _tells(rules: Rules) -> bool:
    """Whether the learner knows by now how tries were marked; what they are refused must not tell before."""
    return may_show_feedback(rules, handed_in=False, now=clock.now())
