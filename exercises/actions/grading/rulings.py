"""Deciding something about an item for everybody: an answer is accepted, a part discounted, a variant compensated."""

from dataclasses import dataclass
from typing import Any

from django.db import transaction

from exercises import clock
from exercises.actions.audit import noted
from exercises.actions.grading.moves import Moves, dry_run
from exercises.actions.grading.places import reached_by, steps_of
from exercises.actions.grading.refusals import GradeRefused, checked_reason
from exercises.actions.grading.settle import settle_batch, wake_settler
from exercises.actions.scores import hold_all
from exercises.models import Attempt, AttemptItem, ProblemSet, Ruling, SetItem, User
from exercises.queries.decided import Supposed

#: Learners whose scores are worked out in the transaction of the ruling itself; more are left to a worker.
MOST_AT_ONCE = 500
LOST = "Go back to the attempt and choose it there."


@dataclass(frozen=True)
class Decision:
    """What is decided, as the columns of Ruling say it. ``item`` comes with its set and problem."""

    item: SetItem
    kind: Ruling.Kind
    step: str = ""
    note: str = ""
    read_as: str = ""
    digest: str = ""

    @property
    def place(self) -> dict[str, Any]:
        """The columns by which a ruling is known."""
        return {
            "problem_set": self.item.problem_set,
            "item": self.item,
            "kind": self.kind,
            "step": self.step,
            "note": self.note,
            "read_as": self.read_as,
            "digest": self.digest,
        }


def give_ruling(*, actor: User, decision: Decision, reason: str) -> Ruling:
    """Decide, with an entry in the audit trail, and let the scores follow. The same decision twice is one.

    Up to ``MOST_AT_ONCE`` learners it is one transaction. Beyond that the ruling is there first, marked as one that
    scores have not followed yet, and a worker works them out in batches: see ``settle``.

    Raises GradeRefused for what cannot be decided, or has no reason.
    """
    said = checked_reason(reason)
    _check(decision)
    with transaction.atomic():
        _take_turns(decision.item.problem_set)
        holds = Ruling.objects.filter(**decision.place, withdrawn_at=None).first()
        if holds is not None:
            return holds
        ruling = Ruling.objects.create(**decision.place, reason=said, given_by=actor, created_at=clock.now())
        _noted(ruling, actor, deed="ruling", reason=said)
        _follow(ruling)
    return ruling


def withdraw_ruling(*, actor: User, ruling: Ruling, reason: str) -> Ruling:
    """Take a decision back, as ``give_ruling`` gives it; twice is once. Raises GradeRefused without a reason."""
    said = checked_reason(reason)
    with transaction.atomic():
        _take_turns(ruling.problem_set)
        row = (
            Ruling.objects.select_for_update(no_key=True, of=("self",))
            .select_related("item__problem")
            .get(pk=ruling.pk)
        )
        if row.withdrawn_at is None:
            row.problem_set = ruling.problem_set
            row.withdrawn_at, row.applied_at, row.reached = clock.now(), None, 0
            row.save(update_fields=["withdrawn_at", "applied_at", "reached"])
            _noted(row, actor, deed="ruling-withdrawn", reason=said)
            _follow(row)
    return row


def preview_ruling(decision: Decision) -> Moves:
    """Whom it would move, and from what to what. Nothing is written or locked. Raises GradeRefused."""
    _check(decision)
    supposed = Supposed(rulings=[Ruling(**decision.place)])
    reached = reached_by(decision.item, decision.digest)
    return dry_run(decision.item.problem_set, reached, supposed, decision.item)


def preview_ruling_withdrawal(ruling: Ruling) -> Moves:
    """Whom taking it back would move. Nothing is written or locked."""
    reached = reached_by(ruling.item, ruling.digest)
    return dry_run(ruling.problem_set, reached, Supposed(withdrawn=[ruling]), ruling.item)


def words_of(decided: Decision | Ruling) -> str:
    """What is decided, in a few words. The item must be loaded with its problem."""
    item = decided.item.problem.title
    if decided.kind == Ruling.Kind.DISCOUNT:
        return f"step {decided.step} of {item} counts for nobody"
    if decided.kind == Ruling.Kind.COMPENSATE:
        return f"variant {decided.digest[:8]} of {item} counts only for whom it raises"
    if decided.note:
        return f"the mistake {decided.note} is accepted at step {decided.step} of {item}"
    return f"“{decided.read_as}” is accepted at step {decided.step} of {item}, variant {decided.digest[:8]}"


def _follow(ruling: Ruling) -> None:
    """Let the scores follow: here and now where they are few, else by a worker once this is committed."""
    count = reached_by(ruling.item, ruling.digest)[: MOST_AT_ONCE + 1].count()
    if count > MOST_AT_ONCE:
        transaction.on_commit(wake_settler, robust=True)
        return
    # All of them before the first batch: batch by batch they would be taken in the order of the learners.
    places = AttemptItem.objects.filter(item=ruling.item, attempt__is_preview=False)
    hold_all(Attempt.objects.filter(pk__in=places.values("attempt")))
    while settle_batch(ruling.pk):
        pass
    ruling.refresh_from_db(fields=["applied_at", "reached"])


def _take_turns(problem_set: ProblemSet) -> None:
    """Hold the set's row, so that decisions about it take turns."""
    list(ProblemSet.objects.select_for_update(no_key=True).filter(pk=problem_set.pk).values_list("pk"))


def _noted(ruling: Ruling, actor: User, *, deed: str, reason: str) -> None:
    said = {
        name: getattr(ruling, name) for name in ("kind", "step", "note", "read_as", "digest") if getattr(ruling, name)
    }
    noted(
        course=ruling.problem_set.course,
        actor=actor,
        deed=deed,
        about=words_of(ruling),
        problem_set=ruling.problem_set,
        before=said if deed == "ruling-withdrawn" else None,
        after=said if deed == "ruling" else None,
        reason=reason,
    )


def _check(decision: Decision) -> None:
    kinds = Ruling.Kind
    if decision.kind == kinds.COMPENSATE:
        if not decision.digest or decision.step or decision.note or decision.read_as:
            raise GradeRefused(f"It does not say which variant is to be compensated. {LOST}")
        return
    if decision.step not in steps_of(decision.item):
        raise GradeRefused(f"There is no such step in this item. {LOST}")
    if decision.kind == kinds.ACCEPT:
        by_answer = bool(decision.read_as and decision.digest)
        if by_answer == bool(decision.note) or (decision.note and (decision.digest or decision.read_as)):
            raise GradeRefused(f"It does not say which answer is to be accepted: one mistake, or one answer. {LOST}")
    elif decision.note or decision.read_as or decision.digest:
        raise GradeRefused(f"A part is discounted for everybody, whatever was answered. {LOST}")
