"""Scores set by hand: of a set, of an item, or the credit of one step. They outrank the grader until taken back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.db import transaction

from exercises import clock
from exercises.actions.audit import noted
from exercises.actions.grading.moves import Moves, dry_run
from exercises.actions.grading.places import keys_of_places, steps_of
from exercises.actions.grading.refusals import ChangedMeanwhile, GradeRefused, checked_reason
from exercises.actions.lms.outbox import want_pairs
from exercises.actions.scores import keep_scores
from exercises.courses.scoring import percent
from exercises.models import Enrolment, Override, ProblemSet, SetItem, User
from exercises.queries.decided import Supposed

#: Characters of an exact share, as the table holds it.
MOST_DIGITS = 40
CHANGED = (
    "Somebody set this score otherwise since this page was made, so nothing was changed. Look at what stands there "
    "now, then decide again."
)


@dataclass(frozen=True)
class Given:
    """A score to be set by hand: whose, of the set, of one of its items, or of a step of that; an exact share."""

    problem_set: ProblemSet
    enrolment: Enrolment
    score: Fraction
    item: SetItem | None = None
    step: str = ""

    @property
    def place(self) -> dict[str, Any]:
        """The columns by which an override is known."""
        return {
            "problem_set": self.problem_set,
            "learner": self.enrolment.user,
            "item": self.item,
            "step": self.step,
        }


def current_override(place: Mapping[str, Any]) -> Override | None:
    """The override that holds at a place, if there is one. One query."""
    return Override.objects.filter(**place, withdrawn_at=None).first()


def give_override(*, actor: User, given: Given, reason: str, seen: int | None) -> Override:
    """Set a score by hand, in place of one that was set before, and work the learner's scores out with it.

    ``seen`` is the primary key of the override that the page showed, None for none. Sent twice, or from two tabs, it
    is set once. One transaction, with its entry in the audit trail.

    Raises GradeRefused for what is no score or has no reason, ChangedMeanwhile where another one holds than was seen.
    """
    said = checked_reason(reason)
    _check(given)
    with transaction.atomic():
        _take_turns(given.enrolment)
        holds = current_override(given.place)
        if holds is not None and (holds.share, holds.reason) == (given.score, said):
            return holds
        if (holds.pk if holds else None) != seen:
            raise ChangedMeanwhile(CHANGED)
        made = _replaced(holds, given, actor, said)
        _noted(given, actor, before=holds, after=made, reason=said)
        _work_out(given)
    return made


def withdraw_override(*, actor: User, override: Override, reason: str) -> Override:
    """Take back a score that was set by hand: what the grader says counts again. Twice is once. One transaction.

    ``override`` comes with set and course, learner and item. Raises GradeRefused where no reason is given.
    """
    said = checked_reason(reason)
    given = _given_by(override)
    with transaction.atomic():
        _take_turns(given.enrolment)
        row = Override.objects.get(pk=override.pk)
        if row.withdrawn_at is None:
            row.withdrawn_at = clock.now()
            row.save(update_fields=["withdrawn_at"])
            _noted(given, actor, before=row, after=None, reason=said)
            _work_out(given)
    return row


def preview_override(given: Given) -> Moves:
    """What setting this score would come to. Nothing is written or locked. Raises GradeRefused."""
    _check(given)
    return _dry(given, Supposed(overrides=[_fresh(given, None, "")]))


def preview_override_withdrawal(override: Override) -> Moves:
    """What taking this score back would come to. Nothing is written or locked."""
    return _dry(_given_by(override), Supposed(withdrawn=[override]))


def set_overrides(given: Sequence[Given], *, actor: User, reason: str) -> None:
    """Set these scores of one whole set in the open transaction, each with its entry in the audit trail; working the
    scores out is left to the caller. Three queries, and one for each entry."""
    learners = [one.enrolment.user_id for one in given]
    rows = Override.objects.filter(
        problem_set=given[0].problem_set, learner__any_of=learners, item=None, withdrawn_at=None
    )
    held = {row.learner_id: row for row in rows}
    rows.update(withdrawn_at=clock.now())
    made = Override.objects.bulk_create(_fresh(one, actor, reason) for one in given)
    for one, row in zip(given, made, strict=True):
        _noted(one, actor, before=held.get(one.enrolment.user_id), after=row, reason=reason)
    want_pairs((given[0].problem_set.pk, learner) for learner in learners)


def _dry(given: Given, supposed: Supposed) -> Moves:
    own = Enrolment.objects.filter(pk=given.enrolment.pk)
    return dry_run(given.problem_set, own, supposed, given.item, is_whole=True)


def _take_turns(enrolment: Enrolment) -> None:
    """Hold the learner's enrolment, as whoever begins an attempt for them does: before any attempt."""
    list(Enrolment.objects.select_for_update(no_key=True).filter(pk=enrolment.pk).values_list("pk"))


def _replaced(holds: Override | None, given: Given, actor: User | None, reason: str) -> Override:
    if holds is not None:
        holds.withdrawn_at = clock.now()
        holds.save(update_fields=["withdrawn_at"])
    made = _fresh(given, actor, reason)
    made.save(force_insert=True)
    return made


def _fresh(given: Given, actor: User | None, reason: str) -> Override:
    """The row, not yet saved."""
    return Override(**given.place, score=str(given.score), reason=reason, given_by=actor, created_at=clock.now())


def _work_out(given: Given) -> None:
    keep_scores(keys_of_places(given.problem_set, [given.enrolment.user_id], None))
    # Also where there is no attempt that would say so.
    want_pairs([(given.problem_set.pk, given.enrolment.user_id)])


def _noted(given: Given, actor: User, *, before: Override | None, after: Override | None, reason: str) -> None:
    noted(
        course=given.problem_set.course,
        actor=actor,
        deed="override" if after else "override-withdrawn",
        about=f"{given.enrolment.user.get_username()}: {_about(given)}",
        problem_set=given.problem_set,
        learner=given.enrolment.user,
        before={"score": before.score, "percent": percent(before.share)} if before else None,
        after={"score": after.score, "percent": percent(after.share)} if after else None,
        reason=reason,
    )


def _about(given: Given) -> str:
    if given.item is None:
        return f"the score of {given.problem_set.title}"
    item = given.item.problem.title
    return f"step {given.step} of {item}" if given.step else f"the score of {item}"


def _given_by(override: Override) -> Given:
    enrolment = Enrolment.objects.select_related("user").get(
        course=override.problem_set.course_id, user=override.learner_id
    )
    return Given(override.problem_set, enrolment, override.share, override.item, override.step)


def _check(given: Given) -> None:
    if not 0 <= given.score <= 1:
        raise GradeRefused("A score is between 0 and 100 %.", "score")
    if len(str(given.score)) > MOST_DIGITS:
        raise GradeRefused("This score has too many digits: round it.", "score")
    if given.step and given.item is not None and given.step not in steps_of(given.item):
        raise GradeRefused("There is no such step in this item. Go back to the attempt and choose it there.")
    if given.step and given.item is None:
        raise GradeRefused("A step belongs to an item. Go back to the attempt and choose it there.")
