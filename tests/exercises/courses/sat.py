"""Attempts as they stand in the tables, made without any page: begun, answered, marked, handed in."""

import datetime as dt
import uuid
from typing import Any

from exercises import clock
from exercises.actions.draw import digest_of, fresh_variant
from exercises.actions.scores import keep_scores
from exercises.models import Attempt, AttemptItem, ProblemSet, Submission, User, Variant
from exercises.tasks import grade_pending
from tests.exercises.courses.world import NOW
from tests.exercises.world import ALL_RIGHT, C1

#: Answers to the first worked example, whose steps weigh 0, 1, 1 and 2: all right, half of it, nothing.
ALL: dict[str, Any] = ALL_RIGHT
HALF: dict[str, Any] = {"total": "11.107", "p": "0.665"}
NOTHING: dict[str, Any] = {"total": "1", "p": "0.1", "loss": "9"}
#: A named mistake at p, and one at the loss that earns a quarter of it.
NO_EXP: dict[str, Any] = {"total": "11.107", "p": "0.6667"}
LOG2: dict[str, Any] = {"total": "11.107", "p": "0.665", "loss": "0.588"}
DAY = dt.timedelta(days=1)


def begun(problem_set: ProblemSet, learner: User, **fields: Any) -> Attempt:
    """An attempt at every item, each on the numbers of the first worked example."""
    attempt = Attempt.objects.create(problem_set=problem_set, learner=learner, **{"began_at": NOW, **fields})
    for position, item in enumerate(problem_set.items.select_related("problem__current"), start=1):
        version = item.problem.current
        assert version is not None
        place = AttemptItem.objects.create(
            attempt=attempt, item=item, position=position, weight=item.weight, version=version, asked=item.asked
        )
        drawn(place)
    return attempt


def drawn(place: AttemptItem, parameters: dict[str, Any] | None = None) -> Variant:
    """Another variant of a place."""
    variant = fresh_variant(learner=place.attempt.learner, version=place.version)
    variant.parameters = parameters or C1
    variant.digest = digest_of(variant.parameters)
    variant.asked, variant.attempt_item = place.asked, place
    variant.save()
    return variant


def place_of(attempt: Attempt, position: int = 1) -> AttemptItem:
    return AttemptItem.objects.get(attempt=attempt, position=position)


def variant_of(attempt: Attempt, position: int = 1) -> Variant:
    return Variant.objects.filter(attempt_item=place_of(attempt, position)).latest("number")


def sent(attempt: Attempt, answers: dict[str, Any], position: int = 1, at: dt.datetime = NOW) -> Submission:
    """An answer to one place that waits to be marked."""
    return Submission.objects.create(
        variant=variant_of(attempt, position),
        author=attempt.learner,
        answers=answers,
        locale="en",
        idempotency_key=uuid.uuid4().hex,
        fingerprint=uuid.uuid4().hex,
        created_at=at,
    )


def marked(attempt: Attempt, *tries: dict[str, Any], position: int = 1, at: dt.datetime = NOW) -> Attempt:
    """The attempt after these tries at one place were sent, a minute apart, and marked."""
    for minutes, answers in enumerate(tries):
        sent(attempt, answers, position, at + dt.timedelta(minutes=minutes))
    with clock.at(at):
        grade_pending()
    attempt.refresh_from_db()
    return attempt


def handed_in(attempt: Attempt, at: dt.datetime = NOW, by: str = Attempt.HandedInBy.LEARNER) -> Attempt:
    """The attempt after it was handed in, with what that moves."""
    Attempt.objects.filter(pk=attempt.pk).update(handed_in_at=at, handed_in_by=by)
    return scored(attempt)


def scored(attempt: Attempt) -> Attempt:
    """The attempt after its scores were worked out anew."""
    keep_scores(AttemptItem.objects.filter(attempt=attempt).values_list("pk", flat=True))
    attempt.refresh_from_db()
    return attempt
