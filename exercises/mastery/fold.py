"""Where a learner stands at a skill as a fold over closed steps: the same rows give the same state, however they came.

One step moves its own skill in full and gives a little credit to the direct prerequisites it was built on. A skill's
state depends only on the rows whose ``effects`` reach it, so skills can be folded one by one.
"""

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from exercises.mastery import ability
from exercises.mastery.constants import CONSTANTS
from exercises.mastery.levels import idle_until
from exercises.mastery.retention import rating_of, reviewed
from exercises.mastery.states import NOTHING, ClosedStep, Level, Memory, SkillState

#: What counts as a whole step: strengths are products of floats.
WHOLE = 1 - 1e-9


def effects(row: ClosedStep, needs: Mapping[str, Sequence[str]]) -> list[tuple[str, bool]]:
    """The skills a row reaches, and whether it is the row's own: the others are the direct hard prerequisites in
    ``needs``, which a strong step shows as well."""
    reached = [(row.skill, True)]
    if row.w > 0 and row.e >= CONSTANTS.implicit_from:
        reached += [(skill, False) for skill in dict.fromkeys(needs.get(row.skill, ())) if skill != row.skill]
    return reached


def advanced(state: SkillState, row: ClosedStep, *, is_own: bool) -> SkillState:
    """The state of one skill after one more row, which is not earlier than any before it. The very same object where
    the row says nothing: w = 0, or credit to what is mastered already.

    Credit (``is_own`` False) moves the estimate alone: no counts, no memory, no level.
    """
    if row.w <= 0 or (not is_own and state.level is Level.MASTERED):
        return state
    mean, variance = idle_until(state, row.closed_at, row.study_day)
    mean, variance, weight = ability.updated(
        mean,
        variance,
        state.weight,
        e=row.e,
        w=row.w if is_own else row.w * CONSTANTS.implicit_weight,
        b=row.b,
        g=row.g,
    )
    if not is_own:
        return replace(state, mean=mean, variance=variance, weight=weight, last_at=row.closed_at)
    is_whole = row.is_unaided and row.e >= WHOLE
    first = state.first_variant
    counted = SkillState(
        mean=mean,
        variance=variance,
        weight=weight,
        last_at=row.closed_at,
        steps=state.steps + 1,
        failures=state.failures + 1 if row.e < CONSTANTS.check_failed else 0,
        unaided_right=state.unaided_right + is_whole,
        first_variant=row.variant if first is None and is_whole else first,
        has_second_variant=state.has_second_variant or (is_whole and first not in {None, row.variant}),
        level=state.level,
        since=state.since,
        highest=state.highest,
        highest_at=state.highest_at,
        memory=_remembered(state.memory, row),
    )
    return _levelled(counted, row)


def counting(rows: Iterable[ClosedStep]) -> list[ClosedStep]:
    """The rows that count, in the order of the fold: of each step of each variant the highest revision."""
    newest: dict[tuple[int, str], ClosedStep] = {}
    for row in rows:
        known = newest.get((row.variant, row.step))
        if known is None or row.revision > known.revision:
            newest[row.variant, row.step] = row
    return sorted(newest.values(), key=lambda row: row.order)


def folded(skill: str, rows: Iterable[ClosedStep], needs: Mapping[str, Sequence[str]]) -> SkillState:
    """Where the learner stands at ``skill`` after all rows, in whatever order and however often they are given."""
    state = NOTHING
    for row, is_own in _reaching(skill, rows, needs):
        state = advanced(state, row, is_own=is_own)
    return state


def trajectory(
    skill: str, rows: Iterable[ClosedStep], needs: Mapping[str, Sequence[str]]
) -> list[tuple[ClosedStep, SkillState]]:
    """Every row that changed the state of ``skill``, with the state after it; the last one is what ``folded`` gives."""
    state, passed = NOTHING, []
    for row, is_own in _reaching(skill, rows, needs):
        after = advanced(state, row, is_own=is_own)
        if after is not state:
            passed.append((row, after))
        state = after
    return passed


def _reaching(
    skill: str, rows: Iterable[ClosedStep], needs: Mapping[str, Sequence[str]]
) -> Iterator[tuple[ClosedStep, bool]]:
    # Revisions are settled before: a regrade may move a row to another skill.
    for row in counting(rows):
        for reached, is_own in effects(row, needs):
            if reached == skill:
                yield row, is_own


def _remembered(memory: Memory | None, row: ClosedStep) -> Memory | None:
    """The memory after the row: at most one review a study day, its first step at full weight without a hint.

    A day before the last review (the learner's zone moved) is no review rather than an error: what is kept must fold.
    """
    if memory is None or row.w < 1 or row.hints or row.study_day <= memory.reviewed_on:
        return memory
    return reviewed(memory, rating_of(row.e), on=row.study_day)


def _levelled(state: SkillState, row: ClosedStep) -> SkillState:
    level = _next_level(state, row)
    if level is state.level:
        return state
    is_higher = level.rank > state.highest.rank
    memory = state.memory
    if memory is None and level is Level.PROFICIENT:
        memory = reviewed(None, rating_of(row.e), on=row.study_day)
    return replace(
        state,
        level=level,
        since=row.closed_at,
        highest=level if is_higher else state.highest,
        highest_at=row.closed_at if is_higher else state.highest_at,
        memory=memory,
    )


def _next_level(state: SkillState, row: ClosedStep) -> Level:
    """The level after the row, whose effect on everything else is in ``state``: one level up or down at most.

    A failed step raises nobody, and a step that went well lowers nobody, even where long absence has worn the estimate.
    Steps that close at the same moment, as those of one answer do, cost one level between them.
    """
    level = Level.LEARNING if state.level is Level.NOT_STARTED else state.level
    surplus = ability.surplus(state.mean, state.variance)
    if level is Level.LEARNING:
        is_proficient = (
            surplus >= CONSTANTS.proficient_from
            and row.e >= CONSTANTS.check_failed
            and state.unaided_right >= CONSTANTS.unaided_steps
            and state.has_second_variant
        )
        return Level.PROFICIENT if is_proficient else level
    is_worn = surplus < CONSTANTS.learning_below and row.e < CONSTANTS.check_passed
    if row.e < CONSTANTS.check_passed and state.since == row.closed_at:
        return level
    if level is Level.PROFICIENT:
        if is_worn:
            return Level.LEARNING
        return Level.MASTERED if _is_check_passed(state, row) else level
    return Level.PROFICIENT if _is_check_failed(row) or is_worn else level


def _is_check_failed(row: ClosedStep) -> bool:
    """A failed step of a mixed check that asked for this very skill, at full weight: what a mistake elsewhere says of a
    prerequisite, or what was done after the steps in between were asked for, is no check of it, passed or failed."""
    return row.is_check and row.w >= 1 and row.e < CONSTANTS.check_failed


def _is_check_passed(state: SkillState, row: ClosedStep) -> bool:
    """An unaided step of a mixed check, well done, long enough after the skill became proficient."""
    if not (row.is_check and row.is_unaided and row.e >= CONSTANTS.check_passed and state.since is not None):
        return False
    return row.closed_at - state.since >= dt.timedelta(hours=CONSTANTS.check_hours)
