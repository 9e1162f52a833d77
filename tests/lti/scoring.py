"""Sets sat by learners of a platform, and a clock that tests turn."""

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager

from exercises import clock
from exercises.actions.lms.columns import tend_columns
from exercises.actions.lms.sending import send_due
from exercises.actions.sitting.begin import begin_attempt
from exercises.actions.sitting.hand_in import hand_in
from exercises.models import Attempt, Context, LineItem, LmsScore, ProblemSet, User
from tests.exercises.sitting.world import check, fixed, graded, place
from tests.exercises.world import ALL_RIGHT
from tests.lti.services import Services

WRONG = {**ALL_RIGHT, "loss": "9.99"}


@contextmanager
def later(**by: float) -> Iterator[None]:
    """So much later than now."""
    with clock.at(clock.now() + dt.timedelta(**by)):
        yield


def sent(seconds: float = 10, **by: float) -> int:
    """Let the workers send what is due a while later; how many scores they looked at."""
    with later(**(by or {"seconds": 5})):
        tend_columns(seconds)
        return send_due(seconds)


def column(context: Context, problem_set: ProblemSet, services: Services, name: str = "1") -> LineItem:
    """The column of the platform for a set, which was looked at already."""
    return LineItem.objects.create(
        context=context, problem_set=problem_set, url=services.columns[name]["id"], is_coupled=True,
        maximum=services.columns[name]["scoreMaximum"], due_at=None,
    )  # fmt: skip


def sat(
    learner: User, problem_set: ProblemSet, *, answers: dict[str, object] | None = None, is_over: bool = True
) -> Attempt:
    """An attempt with the first item answered, handed in and marked."""
    attempt = fixed(begin_attempt(learner=learner, problem_set=problem_set))
    check(place(attempt), **(ALL_RIGHT if answers is None else answers))
    graded()
    if is_over:
        hand_in(attempt=attempt)
        graded()
    return attempt


def only_score() -> LmsScore:
    """The one row of the outbox."""
    return LmsScore.objects.get()
