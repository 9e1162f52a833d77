"""Making a regrade, applying it, undoing it, and calling it off: each press once, whoever presses."""

from typing import Any

from django.db import transaction

from exercises import clock
from exercises.actions.audit import noted
from exercises.actions.courses.locks import lock_course
from exercises.actions.leases import FREE
from exercises.actions.regrading.lease import State
from exercises.actions.regrading.scope import overlap
from exercises.actions.regrading.standing import standing_dry_run
from exercises.actions.regrading.work import wake_regrade
from exercises.actions.sets.refusals import SetRefused
from exercises.actions.sets.versions import adapted_version, admit_adaptation
from exercises.actions.typed import clean_words
from exercises.models import Course, Problem, ProblemSet, ProblemVersion, RegradeEvent, User
from exercises.refusals import Refused

MOST_REASON = 500
ANEW: dict[str, Any] = {"reached": 0, "done": 0, "total": 0, "skipped": 0, "failure": ""}
UNCOUNTED: dict[str, Any] = {"raised": 0, "lowered": 0, "failed": 0, "reasons": {}}


class RegradeRefused(Refused):
    """A regrade that cannot be made, applied or undone as it stands; ``field`` names what is wrong with a form."""

    code = "regrade-refused"

    def __init__(self, message: str, field: str = "") -> None:
        super().__init__(message)
        self.field = field


def make_regrade(
    *,
    course: Course,
    actor: User,
    problem: Problem,
    version: ProblemVersion,
    problem_set: ProblemSet | None,
    reason: str,
    never_lower: bool,
    digits: int | None = None,
) -> RegradeEvent:
    """Begin a regrade of a problem by a version, with its dry run in the background: no verdict changes yet.

    ``digits`` is how exact an answer has to be, in significant figures, where it is to be less than the version says:
    that is kept as a version adapted from it. Pressed twice, or in two tabs, it is one: a dry run of just this that
    still says how it is comes back. Raises RegradeRefused for what does not belong together, and TextRefused without a
    reason.
    """
    said = clean_words(reason, MOST_REASON, "Say in a few words why answers are to be marked again.")
    if version.problem_id != problem.pk:
        raise RegradeRefused("This version belongs to another problem: choose one of this problem.", "version")
    if problem_set is not None and problem_set.course_id != course.pk:
        raise RegradeRefused("This set belongs to another course: choose one of this course.", "problem_set")
    if digits is not None:
        _admit_widened(version, digits, actor)
    with transaction.atomic():
        lock_course(course)
        used = version if digits is None else _widened(version, digits, actor)
        about = {"course": course, "problem_set": problem_set, "problem": problem, "version": used}
        if standing := standing_dry_run(**about, never_lower=never_lower, reason=said):
            return standing
        event = RegradeEvent.objects.create(**about, never_lower=never_lower, reason=said, made_by=actor)
        _note(event, actor, "regrade-made")
        transaction.on_commit(lambda: wake_regrade(event.pk), robust=True)
    return event


def apply_regrade(*, event: RegradeEvent, actor: User) -> RegradeEvent:
    """Let the new verdicts count, in the background. Pressed twice, or by two people at once, it is one.

    Raises RegradeRefused before the dry run is done, after it was called off, and while another regrade of the same
    answers goes on.
    """
    with transaction.atomic():
        held = _lock(event)
        if held.state in (State.APPLYING, State.APPLIED):
            return held
        if held.state != State.READY:
            raise RegradeRefused(
                "Only a regrade whose dry run is done can be applied. Make a new one where this one was called off."
            )
        _refuse_beside(held)
        _turn(held, State.APPLYING, applied_at=clock.now(), **ANEW, **UNCOUNTED)
        _note(held, actor, "regrade-applied")
    return held


def undo_regrade(*, event: RegradeEvent, actor: User) -> RegradeEvent:
    """Let the verdicts before it count again, in the background. Pressed twice, it is one.

    Raises RegradeRefused for one that was not applied, and where a later one of the same answers still counts.
    """
    with transaction.atomic():
        held = _lock(event)
        if held.state in (State.UNDOING, State.UNDONE):
            return held
        is_stuck = held.state == State.APPLYING and held.failure
        if held.state != State.APPLIED and not is_stuck:
            raise RegradeRefused("Only a regrade that was applied to the end can be undone.")
        _refuse_beside(held)
        later = RegradeEvent.objects.filter(
            course=held.course_id, problem=held.problem_id, state=State.APPLIED, applied_at__gt=held.applied_at
        )
        if any(overlap(held, other) for other in later):
            raise RegradeRefused("A later regrade of the same answers counts now: undo that one first.")
        _turn(held, State.UNDOING, undone_at=clock.now(), **ANEW)
        _note(held, actor, "regrade-undone")
    return held


def drop_regrade(*, event: RegradeEvent, actor: User) -> RegradeEvent:
    """Call a regrade off that was never applied. Called off twice, it is once. Raises RegradeRefused after that."""
    with transaction.atomic():
        held = _lock(event)
        if held.state == State.DROPPED:
            return held
        if held.state not in (State.COUNTING, State.READY, State.FAILED):
            raise RegradeRefused("This regrade was applied: undo it instead.")
        _set(held, state=State.DROPPED, **FREE)
        _note(held, actor, "regrade-dropped")
    return held


def _admit_widened(version: ProblemVersion, digits: int, actor: User) -> None:
    try:
        admit_adaptation(base=version, adaptation={"digits": digits}, author=actor)
    except SetRefused as refused:
        raise RegradeRefused(refused.message, "digits") from refused


def _widened(version: ProblemVersion, digits: int, actor: User) -> ProblemVersion:
    try:
        return adapted_version(base=version, adaptation={"digits": digits}, author=actor)
    except SetRefused as refused:
        raise RegradeRefused(refused.message, "digits") from refused


def _lock(event: RegradeEvent) -> RegradeEvent:
    """The event as it stands now, for this transaction; the course first, so that no two of it begin at once."""
    lock_course(event.course)
    rows = RegradeEvent.objects.select_for_update(no_key=True, of=("self",))
    return rows.select_related("course", "problem", "problem_set", "version").get(pk=event.pk)


def _refuse_beside(held: RegradeEvent) -> None:
    """Raise RegradeRefused while another regrade of the same answers goes on. One query."""
    going_on = RegradeEvent.objects.filter(
        course=held.course_id, problem=held.problem_id, state__in=(State.APPLYING, State.UNDOING)
    )
    if any(overlap(held, other) for other in going_on.exclude(pk=held.pk)):
        raise RegradeRefused("Another regrade of the same answers is going on: wait until it is done.")


def _turn(held: RegradeEvent, state: str, **values: Any) -> None:
    """Let work of another kind begin on it; whoever worked on it before writes nothing any more."""
    _set(held, state=state, **FREE, **values)
    transaction.on_commit(lambda: wake_regrade(held.pk), robust=True)


def _set(held: RegradeEvent, **values: Any) -> None:
    for name, value in values.items():
        setattr(held, name, value)
    held.save(update_fields=list(values))


def _note(event: RegradeEvent, actor: User, deed: str) -> None:
    noted(
        course=event.course,
        actor=actor,
        deed=deed,
        about=f"{event.problem.title}, by version {event.version.number}",
        problem_set=event.problem_set,
        after={"regrade": str(event.public_id), "never_lower": event.never_lower},
        reason=event.reason,
    )
