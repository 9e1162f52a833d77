"""A quiz whose problem had a wrong key at first, and learners who answered it."""

from collections.abc import Mapping
from typing import Any

from exercises.actions import send_answer
from exercises.actions.draw import fresh_variant
from exercises.actions.regrading.deciding import make_regrade
from exercises.actions.regrading.work import work_on
from exercises.models import (
    Attempt,
    AttemptItem,
    Course,
    Grading,
    ProblemSet,
    ProblemVersion,
    RegradeEvent,
    Submission,
    User,
    Variant,
)
from exercises.tasks import grade_pending
from tests.exercises.catalogued import catalogued
from tests.exercises.world import C1, MASKED

#: As it was published first: one too many in the total, so that whoever is right there is marked wrong.
WRONG = MASKED.replace("is: sum(powers)\n", "is: sum(powers) + 1\n")
#: Right by the corrected key, and right by the wrong one.
RIGHT = {"total": "11.107", "p": "0.665", "loss": "0.408"}
MISLED = {"total": "12.107", "p": "0.6103", "loss": "0.4938"}


def publish(source: str) -> ProblemVersion:
    """A version of `masked` as its current one."""
    current = catalogued({"masked": source})[0].current
    assert current is not None
    return current


def place(learner: User, found: ProblemSet, *, is_preview: bool = False) -> Variant:
    """A variant with the numbers of the first worked example, at the first place of a new attempt at a set."""
    item = found.items.select_related("problem__current").first()
    assert item is not None
    version = item.version or item.problem.current
    assert version is not None
    number = found.attempts.filter(learner=learner).count() + 1
    attempt = Attempt.objects.create(problem_set=found, learner=learner, number=number, is_preview=is_preview)
    spot = AttemptItem.objects.create(attempt=attempt, item=item, position=1, weight=item.weight, version=version)
    variant = fresh_variant(learner=learner, version=version)
    variant.attempt_item, variant.parameters = spot, C1
    variant.save()
    return variant


def answered(variant: Variant, answers: Mapping[str, Any]) -> Submission:
    """What the learner of a variant sent, marked."""
    variant.refresh_from_db()
    submission = send_answer(learner=variant.learner, variant=variant, answers=answers).submission
    assert submission is not None
    grade_pending()
    return Submission.objects.get(pk=submission.pk)


def made(course: Course, actor: User, version: ProblemVersion, **more: Any) -> RegradeEvent:
    """A regrade whose dry run is done."""
    options = {"problem_set": None, "reason": "The key was wrong.", "never_lower": False, **more}
    event = make_regrade(course=course, actor=actor, problem=version.problem, version=version, **options)
    return done(event)


def done(event: RegradeEvent) -> RegradeEvent:
    """The event once nothing is left to do for the workers."""
    while work_on(event.pk):
        pass
    return RegradeEvent.objects.get(pk=event.pk)


def verdicts(submission: Submission) -> list[tuple[str, int, str]]:
    """Every verdict on a submission, the first first: reason, version, score."""
    rows = Grading.objects.filter(submission=submission).select_related("version")
    return [(row.reason, row.version.number, str(row.score)) for row in rows]


def score_of(variant: Variant) -> tuple[Any, Any]:
    """The scores that are kept of a variant's place and of its attempt."""
    spot = AttemptItem.objects.select_related("attempt").get(variants=variant)
    return spot.score, spot.attempt.score
