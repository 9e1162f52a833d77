"""Items become as hard as first meetings show, however many there are in a night."""

import datetime as dt

import pytest

from exercises.actions.difficulty import fold_difficulties
from exercises.models import Evidence, ItemDifficulty, Problem, User, Variant

pytestmark = pytest.mark.usefixtures("servers", "published")

MONDAY = dt.datetime(2026, 11, 2, 9, tzinfo=dt.UTC)


def first_meetings(problem: Problem, step: str, outcomes: list[float]) -> None:
    """As many learners, each on the first variant of the problem, foreseen at 0.415 and b = 0."""
    made = User.objects.bulk_create(User(username=f"{step}-{number}") for number in range(len(outcomes)))
    assert problem.current is not None
    variants = Variant.objects.bulk_create(
        Variant(learner=user, problem=problem, version=problem.current, number=1, seed=1, parameters={})
        for user in made
    )
    Evidence.objects.bulk_create(
        Evidence(
            learner=variant.learner, problem=problem, variant=variant, step=step, reason="right", skill="softmax",
            closed_at=MONDAY, study_day=MONDAY.date(), correctness=e, tries=1, hints=0, e=e, w=1, b=0.0, g=0.0,
            predicted=0.415, is_first=True, is_check=False, model_version="1",
        )
        for variant, e in zip(variants, outcomes, strict=True)
    )  # fmt: skip


def difficulties() -> dict[str, float]:
    return dict(ItemDifficulty.objects.values_list("step", "b"))


def test_a_busy_day_does_not_carry_difficulties_away(problem: Problem) -> None:
    # A second step of the same skill, so that the mean of the skill has somebody to be measured against.
    assert problem.current is not None
    problem.current.source = problem.current.source.replace("    skill: cross-entropy", "    skill: softmax")
    problem.current.save()
    first_meetings(problem, "p", [1.0, 0.0, 1.0, 0.0, 1.0] * 80)
    fold_difficulties()
    found = difficulties()
    # 60 % where 41.5 % was foreseen: 0.85 easier for this learner, and half of it is the mean of the two.
    assert found["p"] == pytest.approx(-0.43, abs=0.1)
    assert found["loss"] == -found["p"]
    Evidence.objects.filter(pk__gt=Evidence.objects.earliest("pk").pk + 199).delete()
    fold_difficulties()
    assert difficulties()["p"] == pytest.approx(found["p"], abs=0.1)
