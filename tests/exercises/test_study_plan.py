"""What a learner sets for themselves is kept whole, and what follows from it moves with it."""

import datetime as dt
from typing import Any

import pytest

from exercises import clock, queries
from exercises.actions import rebuild_cards, set_study_plan, sync_decks
from exercises.mastery.retention import Rating
from exercises.models import Card, CardMemory, StudyPlan, User
from exercises.refusals import PlanRefused
from tests.exercises.cards.world import plain_deck, review

pytestmark = pytest.mark.usefixtures("servers")

MONDAY = dt.datetime(2026, 11, 2, 9, tzinfo=dt.UTC)


def planned(learner: User, **changes: Any) -> StudyPlan:
    plan: dict[str, Any] = {"time_zone": "UTC", "exam_on": None, "goal": "", "new_cards_a_day": 10}
    return set_study_plan(learner=learner, **{**plan, **changes})


def test_a_plan_is_kept_and_refused_in_words(bob: User, django_assert_num_queries: Any) -> None:
    assert queries.plan_of(bob).time_zone == "UTC"
    with clock.at(MONDAY):
        plan = set_study_plan(
            learner=bob, time_zone="Europe/Berlin", exam_on=dt.date(2026, 12, 1), goal="softmax", new_cards_a_day=5
        )
    assert queries.plan_of(bob) == plan
    with django_assert_num_queries(1):
        assert queries.plan_of(bob).goal == "softmax"
    with clock.at(dt.datetime(2026, 11, 3, 2, 30, tzinfo=dt.UTC)):
        assert queries.study_day_of(plan) == dt.date(2026, 11, 2)


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"time_zone": "Mars/Olympus"}, "time_zone"),
        ({"time_zone": "../../etc"}, "time_zone"),
        ({"time_zone": "EST"}, "time_zone"),
        ({"goal": "juggling"}, "goal"),
        ({"new_cards_a_day": -1}, "new_cards_a_day"),
        ({"new_cards_a_day": 10_000}, "new_cards_a_day"),
        ({"exam_on": dt.date(2026, 11, 1)}, "exam_on"),
        ({"exam_on": dt.date(2036, 11, 1)}, "exam_on"),
    ],
)
def test_what_a_plan_cannot_be(bob: User, wrong: dict[str, Any], field: str) -> None:
    with clock.at(MONDAY), pytest.raises(PlanRefused) as refused:
        planned(bob, **wrong)
    assert refused.value.field == field
    assert not StudyPlan.objects.exists()


def test_an_exam_that_is_over_does_not_stop_the_plan_from_being_kept(bob: User) -> None:
    exam = dt.date(2026, 11, 1)
    StudyPlan.objects.create(learner=bob, exam_on=exam)
    with clock.at(MONDAY):
        plan = planned(bob, exam_on=exam, new_cards_a_day=3)
    assert (plan.exam_on, plan.new_cards_a_day) == (exam, 3)


@pytest.fixture
def reviewed_cards(bob: User) -> list[Card]:
    """Three cards that Bob knew well on that Monday, twice."""
    assert not sync_decks(["plain"], lambda slug: plain_deck(3)).faults
    for after in (0, 4):
        for _ in range(3):
            review(bob, Rating.GOOD, MONDAY + dt.timedelta(days=after))
    return list(Card.objects.all())


@pytest.mark.usefixtures("reviewed_cards")
def test_an_exam_brings_cards_before_its_day_and_none_lets_them_go_again(bob: User) -> None:
    def due() -> list[dt.date | None]:
        return list(CardMemory.objects.filter(learner=bob).order_by("card").values_list("due_on", flat=True))

    free, exam = due(), dt.date(2026, 11, 14)
    assert all(day is not None and day > exam for day in free)
    with clock.at(MONDAY + dt.timedelta(days=4)):
        planned(bob, exam_on=exam)
        assert all(day is not None and day < exam for day in due())
        assert rebuild_cards(learner=bob, is_check=True) == []
        planned(bob, exam_on=None)
    assert due() == free
    assert rebuild_cards(learner=bob, is_check=True) == []


@pytest.mark.usefixtures("reviewed_cards")
def test_a_plan_that_is_refused_moves_no_card(bob: User) -> None:
    before = list(CardMemory.objects.values_list("due_on"))
    with clock.at(MONDAY + dt.timedelta(days=4)), pytest.raises(PlanRefused):
        planned(bob, exam_on=dt.date(2026, 11, 1))
    assert list(CardMemory.objects.values_list("due_on")) == before
    assert rebuild_cards(learner=bob, is_check=True) == []
