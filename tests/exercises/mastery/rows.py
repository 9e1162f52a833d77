"""Closed steps as tests want them: clean and unaided unless told otherwise."""

import datetime as dt
from collections.abc import Iterable
from dataclasses import replace

from exercises.mastery.fold import advanced
from exercises.mastery.states import NOTHING, ClosedStep, SkillState

START = dt.datetime(2026, 11, 2, 12, tzinfo=dt.UTC)

CLEAN = ClosedStep(
    skill="softmax",
    variant=1,
    step="p",
    revision=0,
    submission=1,
    closed_at=START,
    study_day=START.date(),
    e=1.0,
    w=1.0,
    b=0.0,
    g=0.0,
    tries=1,
    hints=0,
    is_check=False,
)


def row(number: int = 0, *, hours: float = 0.0, **changes: object) -> ClosedStep:
    """The ``number``-th step, a minute after the one before and ``hours`` later still, three to a variant."""
    at = START + dt.timedelta(hours=hours, minutes=number)
    plain = {"variant": 1 + number // 3, "step": f"s{number % 3}", "submission": number + 1}
    return replace(CLEAN, **(plain | {"closed_at": at, "study_day": at.date()} | changes))  # type: ignore[arg-type]


def clean_rows(count: int) -> list[ClosedStep]:
    return [row(number) for number in range(count)]


def after(rows: Iterable[ClosedStep], state: SkillState = NOTHING) -> SkillState:
    """The state after rows of the skill's own, one by one."""
    for each in rows:
        state = advanced(state, each, is_own=True)
    return state
