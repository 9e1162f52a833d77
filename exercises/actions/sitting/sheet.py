"""One place of an attempt, taken for the open transaction: what stands in its boxes, and whether anything is taken."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from exercises import clock
from exercises.access import has_left
from exercises.actions.sitting.refusals import PageOutOfDate
from exercises.actions.typed import Answers
from exercises.course_rules import zone_of
from exercises.courses.rules import GRACE
from exercises.courses.wording import moment_in_words
from exercises.models import Attempt, AttemptItem, Variant

OUT_OF_DATE = (
    "This page is out of date: another variant was drawn since, with other numbers. Nothing was marked or saved. "
    "What you typed still stands here; open the item again to go on with its present variant."
)

LEFT = (
    "You are not in this course any more, so nothing more is taken. What you did stays to be read: ask who teaches the "
    "course if this is a mistake."
)


@dataclass(frozen=True)
class Boxes:
    """What stands in the boxes of a place, as ``AttemptItem.saved`` holds it.

    answers  by step, as typed
    variant  the public id of the variant that they answer
    locale   by which numbers are read
    page     the rendered page that saved them; it may go on from any version since ``since``, all of which are its own
    seen     everything that was set aside up to it is offered no more, by primary key
    dealt    what was set aside since then and was taken up or left
    """

    answers: Answers = field(default_factory=dict)
    variant: str = ""
    locale: str = "en"
    page: str = ""
    since: int = 0
    seen: int = 0
    dealt: list[int] = field(default_factory=list)

    @classmethod
    def of(cls, item: AttemptItem) -> "Boxes":
        """Those of a row; empty ones where nothing was saved yet."""
        known: Mapping[str, Any] = item.saved or {}
        return cls(**{name: known[name] for name in cls.__dataclass_fields__ if name in known})

    def follows(self, page: str, based_on: int, version: int) -> bool:
        """Whether a page that showed version ``based_on`` knows all that was saved since: nothing, or its own."""
        is_own = bool(page) and page == self.page and self.since <= based_on <= version
        return based_on == version or is_own


@dataclass
class Sheet:
    """A place of an attempt with the variant that is open there. The attempt's row is held until the commit."""

    attempt: Attempt
    item: AttemptItem
    variant: Variant
    boxes: Boxes

    @property
    def over(self) -> str:
        """Why nothing more is taken; empty as long as the attempt goes on."""
        return over(self.attempt, clock.now())

    def keep(self, boxes: Boxes) -> None:
        """Let these stand in the boxes, as the next version. One query."""
        self.boxes = replace(boxes, variant=str(self.variant.public_id))
        self.item.saved = vars(self.boxes)
        self.item.saved_version += 1
        self.item.saved_at = clock.now()
        self.item.save(update_fields=["saved", "saved_version", "saved_at"])

    def refuse_other_variant(self, variant_id: str) -> None:
        """Raise PageOutOfDate for a page of another variant than the one that is open."""
        if variant_id != str(self.variant.public_id):
            raise PageOutOfDate(OUT_OF_DATE)


def locked_sheet(attempt_item: AttemptItem) -> Sheet:
    """Take the attempt of a place for the transaction that is open. Three queries.

    Whoever writes anything of an attempt takes it first, so that handing in comes before a write, or after it, and
    never in between.
    """
    attempt = locked_attempt(attempt_item.attempt_id)
    item = AttemptItem.objects.select_related("version__problem", "item").get(pk=attempt_item.pk)
    variant = _variants().filter(attempt_item=item).latest("number")
    item.attempt = attempt
    return Sheet(attempt, item, variant, Boxes.of(item))


def locked_attempt(pk: int) -> Attempt:
    """The row of an attempt with its set and course, held until the commit, and whether its learner left. One query."""
    # Not for the key: what only refers to it, such as a variant, can be added meanwhile.
    rows = Attempt.objects.select_for_update(no_key=True, of=("self",)).select_related("problem_set__course", "learner")
    return rows.annotate(has_left=has_left()).get(pk=pk)


def over(attempt: Attempt, now: dt.datetime) -> str:
    """Why an attempt takes nothing more, in words with the moment in the course's zone; empty while it goes on.

    ``attempt`` comes from ``access.attempt_of``, ``attempt_item_of`` or ``locked_attempt``.
    """
    zone = zone_of(attempt.problem_set.course)
    if is_time_up(attempt, now):
        ends_at = attempt.ends_at or now
        return f"Time was up on {moment_in_words(ends_at, zone)}, so nothing more is taken."
    if attempt.handed_in_at is not None:
        return f"This attempt was handed in on {moment_in_words(attempt.handed_in_at, zone)}, so nothing more is taken."
    if attempt.problem_set.course.archived_at is not None:
        return "This course was put away, so nothing more is taken. Ask who taught it."
    if getattr(attempt, "has_left", False):
        return LEFT
    return ""


def is_time_up(attempt: Attempt, now: dt.datetime) -> bool:
    """Whether its time is up, the grace for what was sent in time included, or was when it was handed in."""
    if attempt.handed_in_at is not None:
        return attempt.handed_in_by == Attempt.HandedInBy.TIME
    return attempt.ends_at is not None and now > attempt.ends_at + GRACE


def is_blank(answers: Mapping[str, Any]) -> bool:
    """Whether nothing is typed in any box."""
    return not any(
        any(text.strip() for text in typed) if isinstance(typed, list) else typed.strip() for typed in answers.values()
    )


def _variants() -> Any:
    return Variant.objects.select_related("problem", "version", "marked_by")
