"""Keeping evidence of closed steps, and with it where learners stand: in the transaction of whatever closed them."""

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import OuterRef, Subquery
from django.utils import timezone

from exercises.actions.closed import Closed, Judged, closed_steps
from exercises.actions.withheld import withheld
from exercises.bulk import write
from exercises.mastery.ability import predicted
from exercises.mastery.closing import Closing, Reason
from exercises.mastery.constants import CONSTANTS
from exercises.mastery.difficulty import author_difficulty
from exercises.mastery.fold import advanced, counting, effects, folded
from exercises.mastery.graph import needs, speaking_about
from exercises.mastery.levels import idle_until
from exercises.mastery.states import NOTHING, ClosedStep, SkillState
from exercises.mastery.study_day import study_day
from exercises.models import Evidence, ItemDifficulty, Mastery, StudyPlan, User, Variant
from exercises.stored import (
    CLOSED_COLUMNS,
    STATE_COLUMNS,
    closed_step,
    closed_step_of,
    mastery_values,
    state_of,
    that_count,
)

#: (learner, skill)
Place = tuple[int, str]
_DEFAULT_ZONE = "UTC"
_LONG_AGO = dt.datetime.min.replace(tzinfo=dt.UTC)


@dataclass(frozen=True)
class _News:
    """One step of which something else is to be said than stands in the table, if anything does."""

    closed: Closed
    closing: Closing
    known: Evidence | None

    @property
    def order(self) -> tuple[dt.datetime, int, int, str]:
        """That of ClosedStep."""
        return self.closing.closed_at, self.closing.submission or 0, self.closed.variant.pk, self.closing.step


def keep_evidence(variants: Iterable[Variant], *, judged: Collection[Judged] = ()) -> int:
    """Write down what the steps of these variants show now, and move mastery by it; how many rows were added.

    Call it inside the transaction that changed something about them, after the change. Of what is ``withheld`` from its
    learner nothing is written. Verdicts that come in ``judged``, written by now or not, are not read back. It
    takes the learners' rows for that transaction, always last: whatever else is locked is locked before. What is known
    already is not written again; where something turned out otherwise, as by a late verdict or a regrade, the next
    revision is added and the skills it reaches are folded anew. A constant number of queries, however many variants: 5
    where nothing is new, 9 where it only goes on, and up to 13 where something is folded anew, taken back, or of a
    version not loaded yet; up to 6 more where some are of attempts.
    """
    by_pk = {variant.pk: variant for variant in variants}
    for hidden in withheld(by_pk.values()):
        del by_pk[hidden]
    if not by_pk:
        return 0
    zones = _lock({variant.learner_id for variant in by_pk.values()})
    return _keep(closed_steps(by_pk.values(), judged), zones)


def take_back_evidence(variants: Iterable[Variant]) -> int:
    """Take back what these variants showed, as if nothing had been answered there; how many rows were added.

    Call it inside the transaction that made them count nowhere, after the change. It takes the learners' rows, as
    ``keep_evidence`` does, and as many queries.
    """
    by_pk = {variant.pk: variant for variant in variants}
    if not by_pk:
        return 0
    zones = _lock({variant.learner_id for variant in by_pk.values()})
    return _keep({pk: replace(one, closings=()) for pk, one in closed_steps(by_pk.values()).items()}, zones)


def _keep(closed: Mapping[int, Closed], zones: Mapping[int, str]) -> int:
    known = _known(closed)
    news = sorted(
        (change for pk, one in closed.items() for change in _news_of(one, known[pk])), key=lambda change: change.order
    )
    if not news:
        return 0
    moved = _Moved({(one.closed.variant.learner_id, skill) for one in news for skill in _reached_by(one)})
    write(Evidence, _written(news, moved, zones))
    moved.fold_anew()
    moved.store()
    return len(news)


def refold(learners: Collection[int], *, is_check: bool = False) -> list[Place]:
    """Make the mastery of these learners anew from their evidence; where it stood otherwise than it should.

    With ``is_check`` nothing is written. Holds the evidence of one learner at a time. Call it in a transaction: it
    takes the learners' rows.
    """
    _lock(learners)
    stored = _states(learners, None)
    wrong: dict[Place, SkillState] = {}
    for learner in sorted(learners):
        rows = that_count(Evidence.objects.filter(learner=learner)).order_by().values_list(*CLOSED_COLUMNS)
        states = _folded(map(closed_step, rows.iterator(chunk_size=2000)))
        for skill in sorted({skill for owner, skill in stored if owner == learner} | states.keys()):
            state = states.get(skill, NOTHING)
            # A row that holds nothing is one too many.
            if stored.get((learner, skill)) != (None if state == NOTHING else state):
                wrong[learner, skill] = state
    if not is_check:
        _store(wrong)
    return list(wrong)


def _folded(rows: Iterable[ClosedStep]) -> dict[str, SkillState]:
    """Every skill that the rows of one learner reach: ``folded`` for all of them in one pass."""
    states: dict[str, SkillState] = {}
    for row in counting(rows):
        for skill, is_own in effects(row, needs()):
            states[skill] = advanced(states.get(skill, NOTHING), row, is_own=is_own)
    return states


class _Moved:
    """The states that new rows move, as they stand in the table and after each row."""

    def __init__(self, places: Collection[Place]) -> None:
        learners = {learner for learner, _ in places}
        self.before = _states(learners, speaking_about(skill for _, skill in places))
        self.now = dict(self.before)
        self.stale: set[Place] = set()
        self._until: dict[Place, dt.datetime] = {}

    def state(self, place: Place) -> SkillState:
        return self.now.get(place, NOTHING)

    def take(self, learner: int, row: ClosedStep) -> None:
        """One more row, not before the ones taken so far. Where something later is folded in already, it will be folded
        anew."""
        for skill, is_own in effects(row, needs()):
            place = learner, skill
            if self._reached_until(place) >= row.closed_at:
                self.stale.add(place)
            else:
                self.now[place] = advanced(self.state(place), row, is_own=is_own)

    def take_back(self, learner: int, row: ClosedStep) -> None:
        """A row that a later revision stands for."""
        self.stale.update((learner, skill) for skill, _ in effects(row, needs()))

    def fold_anew(self) -> None:
        """Fold what is stale from the evidence, which must be written by now. One query, if anything is."""
        if not self.stale:
            return
        skills = speaking_about(skill for _, skill in self.stale)
        rows = that_count(Evidence.objects.filter(learner__in={learner for learner, _ in self.stale}, skill__in=skills))
        by_learner: dict[int, list[ClosedStep]] = defaultdict(list)
        for learner, *values in rows.order_by().values_list("learner_id", *CLOSED_COLUMNS):
            by_learner[learner].append(closed_step(values))
        for learner, skill in self.stale:
            self.now[learner, skill] = folded(skill, by_learner[learner], needs())

    def store(self) -> None:
        """Write what has changed."""
        _store({place: state for place, state in self.now.items() if self.before.get(place, NOTHING) != state})

    def _reached_until(self, place: Place) -> dt.datetime:
        """No row that was folded before and could reach the skill is later. The skill's own ``last_at`` does not know
        of credit that came while it was mastered."""
        if place not in self._until:
            learner, skill = place
            times = (self.before.get((learner, name), NOTHING).last_at for name in speaking_about((skill,)))
            self._until[place] = max((at for at in times if at is not None), default=_LONG_AGO)
        return self._until[place]


def _lock(learners: Collection[int]) -> dict[int, str]:
    """Take the learners' rows until the end of the transaction; the time zone of each. One query."""
    zone = StudyPlan.objects.filter(learner=OuterRef("pk")).values("time_zone")
    # Not for the key: rows that only refer to a learner can still be added meanwhile.
    rows = User.objects.select_for_update(no_key=True).filter(pk__any_of=learners).order_by("pk")
    return {pk: found or _DEFAULT_ZONE for pk, found in rows.values_list("pk", Subquery(zone))}


def _states(learners: Collection[int], skills: Collection[str] | None) -> dict[Place, SkillState]:
    """The states in the table, for these skills or all. One query."""
    rows = Mastery.objects.filter(learner__any_of=learners)
    if skills is not None:
        rows = rows.filter(skill__in=skills)
    found = rows.values_list("learner_id", "skill", *STATE_COLUMNS)
    return {(learner, skill): state_of(values) for learner, skill, *values in found}


def _store(states: Mapping[Place, SkillState]) -> None:
    """Write states over those in the table; one that holds nothing leaves no row. Up to three queries."""
    held = [mastery_values(*place, state) for place, state in sorted(states.items()) if state != NOTHING]
    write(Mastery, held, over=("learner_id", "skill"))
    if nothing := [place for place, state in states.items() if state == NOTHING]:
        rows_of = Mastery.objects.filter(learner__in={learner for learner, _ in nothing})
        gone = [pk for pk, *place in rows_of.values_list("pk", "learner_id", "skill") if tuple(place) in nothing]
        Mastery.objects.filter(pk__in=gone).delete()


def _known(variants: Iterable[int]) -> Mapping[int, dict[str, Evidence]]:
    """What stands in the table of each step: its latest revision. One query."""
    found: dict[int, dict[str, Evidence]] = defaultdict(dict)
    for row in Evidence.objects.filter(variant__any_of=list(variants)).order_by("revision"):
        found[row.variant_id][row.step] = row
    return found


def _news_of(closed: Closed, known: Mapping[str, Evidence]) -> Iterable[_News]:
    """The steps of one variant that show something else than stands in the table."""
    closed_now = {closing.step: closing for closing in closed.closings}
    for step, closing in closed_now.items():
        before = known.get(step)
        if before is None or _says(before) != _said_by(closing):
            yield _News(closed, closing, before)
    for step, before in known.items():
        if step not in closed_now and before.reason != Evidence.Reason.VOID:
            yield _News(closed, _void(before), before)


def _void(row: Evidence) -> Closing:
    """What stands in a row, taken back: this was no evidence after all."""
    return Closing(
        step=row.step,
        skill=row.skill,
        reason=Reason.VOID,
        submission=row.submission_id,
        closed_at=row.closed_at,
        correctness=row.correctness,
        tries=row.tries,
        hints=row.hints,
        e=row.e,
        w=0.0,
        notes=tuple(row.notes),
    )


def _says(row: Evidence) -> tuple[object, ...]:
    return (
        row.reason, row.submission_id, row.skill, row.closed_at, row.correctness, row.tries, row.hints, row.e, row.w,
        row.notes,
    )  # fmt: skip


def _said_by(closing: Closing) -> tuple[object, ...]:
    return (
        closing.reason.value, closing.submission, closing.skill, closing.closed_at, closing.correctness, closing.tries,
        closing.hints, closing.e, closing.w, list(closing.notes),
    )  # fmt: skip


def _reached_by(change: _News) -> set[str]:
    """The skills that a piece of news may move."""
    spoken_of = {change.closing.skill} | ({change.known.skill} if change.known else set())
    return spoken_of.union(*(needs().get(skill, ()) for skill in spoken_of))


def _written(news: Sequence[_News], moved: _Moved, zones: Mapping[int, str]) -> list[dict[str, Any]]:
    """The rows to add, in the order of the fold, each with what was foreseen before it. One query."""
    problems = {one.closed.variant.problem_id for one in news}
    found = ItemDifficulty.objects.filter(problem__in=problems).values_list("problem_id", "step", "b")
    difficulties = {(problem, step): b for problem, step, b in found}
    written_at = timezone.now()
    rows = []
    for one in news:
        learner = one.closed.variant.learner_id
        step = _closed_step(one, difficulties, zones[learner])
        if one.known is not None:
            foreseen = one.known.predicted
            moved.take_back(learner, closed_step_of(one.known))
        else:
            state = moved.state((learner, step.skill))
            mean, variance = idle_until(state, step.closed_at, step.study_day)
            foreseen = predicted(mean, variance, b=step.b, g=step.g)
        moved.take(learner, step)
        rows.append(_row(one, step, foreseen, written_at))
    return rows


def _closed_step(one: _News, difficulties: Mapping[tuple[int, str], float], zone: str) -> ClosedStep:
    """What the fold reads of it. What was true of the item and of the day when it was first written stays as it was."""
    variant, closing, known = one.closed.variant, one.closing, one.known
    if known is None:
        b = difficulties.get((variant.problem_id, closing.step), author_difficulty(one.closed.problem.level))
        g = one.closed.guess_floor(closing.step)
    else:
        b, g = known.b, known.g
    is_same_moment = known is not None and known.closed_at == closing.closed_at
    return ClosedStep(
        skill=closing.skill,
        variant=variant.pk,
        step=closing.step,
        revision=known.revision + 1 if known else 0,
        submission=closing.submission or 0,
        closed_at=closing.closed_at,
        study_day=known.study_day if known and is_same_moment else study_day(closing.closed_at, zone),
        e=closing.e,
        w=closing.w,
        b=b,
        g=g,
        tries=closing.tries,
        hints=closing.hints,
        is_check=variant.is_check,
    )


def _row(one: _News, step: ClosedStep, foreseen: float, written_at: dt.datetime) -> dict[str, Any]:
    variant, closing = one.closed.variant, one.closing
    return {
        "learner_id": variant.learner_id,
        "problem_id": variant.problem_id,
        "variant_id": variant.pk,
        "step": step.step,
        "revision": step.revision,
        "submission_id": closing.submission,
        "reason": closing.reason.value,
        "skill": step.skill,
        "closed_at": step.closed_at,
        "study_day": step.study_day,
        "correctness": closing.correctness,
        "tries": step.tries,
        "hints": step.hints,
        "e": step.e,
        "w": step.w,
        "b": step.b,
        "g": step.g,
        "predicted": foreseen,
        "is_first": variant.number == 1,
        "is_check": step.is_check,
        "notes": list(closing.notes),
        "model_version": CONSTANTS.version,
        "created_at": written_at,
    }
