"""Handing in: one transaction that makes answers of what is saved, and after which nothing is taken any more."""

import datetime as dt
import logging
import time

from django.core.cache import cache
from django.db import transaction
from redis import RedisError

from exercises import clock
from exercises.actions.events import tell_handed_in
from exercises.actions.lms.outbox import want_attempts
from exercises.actions.scores import keep_scores, keep_shown
from exercises.actions.sitting.receipt import receipt_of
from exercises.actions.sitting.refusals import AttemptOver, NotInThisSet, TimeNotUp
from exercises.actions.sitting.sheet import LEFT, Boxes, Sheet, is_blank, is_time_up, locked_attempt, over
from exercises.actions.sitting.tries import Tries, next_try
from exercises.actions.wake import wake_after_commit
from exercises.course_rules import rules_of, zone_of
from exercises.courses.rules import GRACE, Rules
from exercises.courses.wording import moment_in_words
from exercises.models import Attempt, AttemptItem, ProblemSet, Submission, Variant

log = logging.getLogger(__name__)

#: The most attempts that one sweep looks at, and the seconds after which it leaves the rest to the next one.
MOST_SWEPT = 1000
SWEEP_LONGEST = 4
#: Which attempts failed in a sweep, and for how many seconds that is remembered.
FAILED, FAILED_SECONDS = "sitting:not-handed-in", 600


def hand_in(*, attempt: Attempt, because_time_is_up: bool = False) -> Attempt:
    """Hand an attempt in, with what was saved last; once: whoever does it again gets the same receipt.

    What stands in the boxes becomes an answer, also partly filled; in a quiz the last try, if one is left. Where
    nothing can be read there is none, and the item scores 0. Handed in after time was up, it counts as handed in when
    it was up: by then nothing more was taken. ``because_time_is_up`` is for a page whose countdown ran out: its learner
    pressed nothing, and may have been given more time since.

    Raises AttemptOver for whoever left the course before time was up; TimeNotUp where a page is wrong about the end;
    NotInThisSet in practice, which nobody hands in: it ends with its time, if it has one.
    """
    with transaction.atomic():
        locked, now = locked_attempt(attempt.pk), clock.now()
        if locked.handed_in_at is None:
            if (why := over(locked, now)) == LEFT:
                raise AttemptOver(why)
            _refuse_early(locked, now, because_time_is_up=because_time_is_up)
            _finish(locked, now)
    for name in ("handed_in_at", "handed_in_by", "receipt", "ends_at"):
        setattr(attempt, name, getattr(locked, name))
    return attempt


def hand_in_overdue() -> int:
    """Hand in every attempt whose time is up and whose page did not; how many they were.

    Each in a transaction of its own: one that fails is logged and spoils no other. One that somebody else holds just
    now is left to the next sweep. Those that failed lately come last, so that no number of them keeps others waiting.
    """
    due = Attempt.objects.filter(handed_in_at__isnull=True, ends_at__isnull=False, ends_at__lt=clock.now() - GRACE)
    ends, count = time.monotonic() + SWEEP_LONGEST, 0
    failed = _failed_lately()
    rows = due.order_by("ends_at", "pk").values_list("pk", flat=True)
    first, last = rows.exclude(pk__in=failed)[:MOST_SWEPT], rows.filter(pk__in=failed)
    for pk in [*first, *last]:
        try:
            count += _hand_in_if_overdue(pk)
            failed.discard(pk)
        except Exception:
            log.exception("Attempt %s could not be handed in; the next sweep tries again.", pk)
            failed.add(pk)
        if time.monotonic() > ends:
            break
    _keep_failed(failed)
    return count


def _failed_lately() -> set[int]:
    try:
        return set(cache.get(FAILED) or ())
    except (RedisError, OSError) as error:
        log.warning("Attempts that failed are tried in their turn: the cache says %s", error)
        return set()


def _keep_failed(failed: set[int]) -> None:
    if not failed:
        return
    try:
        cache.set(FAILED, sorted(failed)[-MOST_SWEPT:], timeout=FAILED_SECONDS)
    except (RedisError, OSError) as error:
        log.warning("It is not kept which attempts failed: the cache says %s", error)


def _hand_in_if_overdue(pk: int) -> int:
    with transaction.atomic():
        free = Attempt.objects.select_for_update(no_key=True, skip_locked=True).filter(pk=pk, handed_in_at=None)
        if not free.exists():
            return 0
        locked = locked_attempt(pk)
        if locked.handed_in_at is not None or not is_time_up(locked, clock.now()):
            return 0
        _finish(locked, clock.now())
        return 1


def _refuse_early(attempt: Attempt, now: dt.datetime, *, because_time_is_up: bool) -> None:
    """Refuse what only an end of the time can end, as long as there is time."""
    if attempt.ends_at is not None and now >= attempt.ends_at:
        return
    if because_time_is_up:
        zone = zone_of(attempt.problem_set.course)
        end = f"ends on {moment_in_words(attempt.ends_at, zone)}" if attempt.ends_at else "has no end"
        raise TimeNotUp(f"There is more time: this attempt {end}. Nothing was handed in, so you can go on.")
    if attempt.problem_set.mode == ProblemSet.Mode.PRACTICE:
        raise NotInThisSet("Practice is not handed in: each answer is marked at once.")


def _finish(attempt: Attempt, now: dt.datetime) -> None:
    """Make answers of what is saved and close the attempt, inside the transaction that holds it."""
    is_late = is_time_up(attempt, now)
    attempt.handed_in_at = now if attempt.ends_at is None else min(now, attempt.ends_at)
    attempt.handed_in_by = Attempt.HandedInBy.TIME if is_late else Attempt.HandedInBy.LEARNER
    items = list(attempt.items.select_related("version__problem").order_by("position"))
    rules = rules_of(attempt.problem_set, attempt.learner)
    answers = list(_last_answers(attempt, items, rules))
    for answer in answers:
        answer.save(force_insert=True)
    if answers:
        wake_after_commit(*answers)
    attempt.receipt = receipt_of(attempt)
    attempt.save(update_fields=["handed_in_at", "handed_in_by", "receipt"])
    tell_handed_in(attempt)
    want_attempts([attempt.pk])
    keep_scores([item.pk for item in items])
    # It takes the learner's row, which always comes last.
    keep_shown(Attempt.objects.filter(pk=attempt.pk))


def _last_answers(attempt: Attempt, items: list[AttemptItem], rules: Rules) -> list[Submission]:
    """What is saved and was not sent yet, as answers that are not stored yet. Two queries."""
    if rules.mode == "practice":
        return []
    variants: dict[int, Variant] = {}
    rows = Variant.objects.filter(attempt_item__attempt=attempt).select_related("problem", "version", "marked_by")
    for variant in rows.order_by("number"):
        variants[variant.attempt_item_id or 0] = variant
    sent: dict[int, list[Submission]] = {item.pk: [] for item in items}
    for submission in Submission.objects.filter(variant__attempt_item__attempt=attempt).select_related("variant"):
        sent[submission.variant.attempt_item_id or 0].append(submission)
    answers = []
    for item in items:
        sheet = Sheet(attempt, item, variants[item.pk], Boxes.of(item))
        answer = _last_answer(sheet, Tries(tuple(sorted(sent[item.pk], key=lambda row: row.pk))), rules)
        if answer is not None:
            # Not before a try that was taken in the seconds of grace: they count in the order in which they were sent.
            moments = [row.created_at for row in sent[item.pk]]
            answer.created_at = max([attempt.handed_in_at or clock.now(), *moments])
            answers.append(answer)
    return answers


def _last_answer(sheet: Sheet, tries: Tries, rules: Rules) -> Submission | None:
    """What stands in the boxes of one place as its last answer; None if it is none, or counts already."""
    boxes = sheet.boxes
    if is_blank(boxes.answers) or boxes.variant != str(sheet.variant.public_id):
        return None
    if len(tries.counting) >= len(rules.credits) or (
        rules.retry == "new" and rules.mode == "quiz" and tries.on(sheet.variant)
    ):
        return None
    key = f"hand-in-{sheet.attempt.public_id.hex}"
    answer, readings = next_try(sheet, boxes.answers, locale=boxes.locale, key=key)
    is_readable = not readings or any(reading.status == "read" for reading in readings.values())
    return answer if is_readable and tries.same_as(answer) is None else None
