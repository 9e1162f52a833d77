"""Study days, exams and rebuilding: what neither a clock, nor a zone, nor a lost table may take from a learner."""

import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from exercises import clock
from exercises.actions import (
    open_turn,
    rate_card,
    rebuild_cards,
    reschedule_cards,
    show_answer,
    sync_decks,
    undo_review,
)
from exercises.mastery.retention import Rating
from exercises.models import Card, CardMemory, Review, StudyPlan, User
from exercises.queries import card_days
from tests.exercises.cards.world import MONDAY, days, memory_of, plain_deck, review

pytestmark = pytest.mark.django_db

AGAIN, HARD, GOOD, EASY = Rating


@pytest.mark.parametrize("change", ["2026-03-29", "2026-10-25"])
def test_a_change_of_the_clocks_loses_no_day_and_no_card(bob: User, one_card: Card, change: str) -> None:
    """Reviews at 03:30 local, before and after the clocks change: each belongs to the evening before."""
    StudyPlan.objects.create(learner=bob, time_zone="Europe/Berlin")
    # Wall time: adding a day to it goes by the wall and not by hours.
    night = dt.datetime.fromisoformat(f"{change}T03:30").replace(tzinfo=ZoneInfo("Europe/Berlin"))
    for shift in (-1, 0, 1):
        reviewed = review(bob, AGAIN, night + dt.timedelta(days=shift))
        assert not reviewed.is_early
        assert reviewed.study_day == night.date() + dt.timedelta(days=shift - 1)
    with clock.at(night + dt.timedelta(days=2)):
        assert sum(card_days(bob).values()) == 3


@pytest.mark.parametrize(
    ("here", "there"), [("Pacific/Auckland", "Pacific/Honolulu"), ("Pacific/Honolulu", "Pacific/Auckland")]
)
def test_a_move_to_another_zone_loses_no_card(bob: User, here: str, there: str) -> None:
    sync_decks(["plain"], lambda slug: plain_deck(5))
    plan = StudyPlan.objects.create(learner=bob, time_zone=here)
    for rating in (AGAIN, HARD, GOOD, EASY, GOOD):
        review(bob, rating, MONDAY)
    stored = list(Review.objects.order_by("pk").values_list("study_day", flat=True))
    plan.time_zone = there
    plan.save()
    seen = set()
    for day in range(1, 15):
        with clock.at(days(day)):
            while turn := open_turn(learner=bob):
                show_answer(turn=turn)
                assert not rate_card(turn=turn, rating=GOOD).is_early
                seen.add(turn.card_id)
    assert len(seen) == 5
    assert list(Review.objects.order_by("pk").values_list("study_day", flat=True))[:5] == stored


def test_four_in_the_morning_begins_the_day(bob: User, one_card: Card) -> None:
    night = dt.datetime(2026, 3, 3, 3, 59, tzinfo=dt.UTC)
    assert review(bob, AGAIN, night).study_day == dt.date(2026, 3, 2)
    assert review(bob, AGAIN, night + dt.timedelta(minutes=2)).study_day == dt.date(2026, 3, 3)
    with clock.at(night):
        assert card_days(bob) == {dt.date(2026, 3, 2): 1, dt.date(2026, 3, 3): 1}


def test_an_exam_brings_cards_forward_and_its_removal_lets_them_go(bob: User, one_card: Card) -> None:
    for at in (0, 2, 15, 70):
        review(bob, GOOD, days(at), ahead=True)
    late = memory_of(bob, one_card).due_on
    plan = StudyPlan.objects.create(learner=bob, exam_on=days(150).date())
    assert late is not None
    assert plan.exam_on is not None
    assert reschedule_cards(learner=bob) == 1
    early = memory_of(bob, one_card).due_on
    assert early is not None
    assert early < plan.exam_on < late
    assert rebuild_cards(is_check=True) == []
    StudyPlan.objects.update(exam_on=None)
    reschedule_cards(learner=bob)
    assert memory_of(bob, one_card).due_on == late


# Rebuilding.


def test_a_rebuild_gives_the_same_table(bob: User, charlie: User) -> None:
    sync_decks(["plain"], lambda slug: plain_deck(6))
    moves = (GOOD, AGAIN, EASY, HARD, AGAIN, GOOD, GOOD)
    StudyPlan.objects.create(learner=bob, new_cards_a_day=3)
    for step in range(120):
        learner = bob if step % 3 else charlie
        with clock.at(days(step / 2)):
            turn = open_turn(learner=learner, ahead=step % 4 < 2)
            if turn is None:
                continue
            show_answer(turn=turn)
            reviewed = rate_card(turn=turn, rating=moves[step % 7])
            if step % 11 == 0:
                undo_review(learner=learner, review_id=reviewed.pk)
    stored = list(CardMemory.objects.order_by("pk").values())
    assert len(stored) > 10
    assert {True, False} == set(Review.objects.values_list("is_early", flat=True))
    assert rebuild_cards(is_check=True) == []
    CardMemory.objects.filter(learner=bob).update(stability=1, due_on=None, lapses=3)
    CardMemory.objects.filter(learner=charlie).delete()
    assert rebuild_cards(is_check=True)
    rebuild_cards()
    pk = {"id"}
    again = {(row["learner_id"], row["card_id"]): row for row in CardMemory.objects.values()}
    for row in stored:
        if row["due_on"] is not None:
            found = again[row["learner_id"], row["card_id"]]
            assert {k: v for k, v in found.items() if k not in pk} == {k: v for k, v in row.items() if k not in pk}
    assert rebuild_cards(is_check=True) == []
