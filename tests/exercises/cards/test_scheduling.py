"""Which card comes when: what is due, what is new, what comes back, and what only a rated turn may move."""

import datetime as dt

import pytest

from exercises import clock
from exercises.actions import (
    open_turn,
    rate_card,
    show_answer,
    suspend_card,
    sync_decks,
    undo_review,
    unsuspend_card,
)
from exercises.actions.cards import rating as rating_module
from exercises.mastery.retention import SCHEDULER_VERSION, Rating
from exercises.models import Card, CardMemory, CardTurn, Deck, Review, StudyPlan, User
from exercises.queries import card_day, decks_for, suspended
from exercises.refusals import TurnClosed
from tests.exercises.cards.world import MONDAY, days, memory_of, plain_deck, review, turn_of

pytestmark = pytest.mark.django_db

AGAIN, HARD, GOOD, EASY = Rating


def stable(learner: User, card: Card) -> float:
    """The stability of a memory in days."""
    stability = memory_of(learner, card).stability
    assert stability is not None
    return stability


def due_at(memory: CardMemory) -> dt.datetime:
    """Noon of the day it is due."""
    assert memory.due_on is not None
    return dt.datetime.combine(memory.due_on, dt.time(12), dt.UTC)


# The golden vectors of the reference, through the actions.


def test_good_six_times_when_due(bob: User, one_card: Card) -> None:
    at = MONDAY
    for wanted in (2.3065, 10.9643, 46.2802, 162.8622, 497.4472, 1345.5288):
        memory = CardMemory.objects.filter(learner=bob).first()
        # The vectors are of reviews exactly when R is 0.9: a spread of 5 % would move them.
        at = at if memory is None else _exactly(memory)
        CardMemory.objects.update(due_on=at.date())
        review(bob, GOOD, at)
        assert stable(bob, one_card) == pytest.approx(wanted, abs=1e-4)


def test_good_good_again_good(bob: User, one_card: Card) -> None:
    at = MONDAY
    for rating, wanted in ((GOOD, 2.3065), (GOOD, 10.9643), (AGAIN, 1.5383), (GOOD, 4.8763)):
        memory = CardMemory.objects.filter(learner=bob).first()
        at = at if memory is None else _exactly(memory)
        CardMemory.objects.update(due_on=at.date())
        review(bob, rating, at)
        assert stable(bob, one_card) == pytest.approx(wanted, abs=1e-4)
    assert memory_of(bob, one_card).lapses == 1


def _exactly(memory: CardMemory) -> dt.datetime:
    """Noon of the day that FSRS itself would have chosen."""
    assert memory.stability is not None
    assert memory.reviewed_on is not None
    day = memory.reviewed_on + dt.timedelta(days=max(1, round(memory.stability)))
    return dt.datetime.combine(day, dt.time(12), dt.UTC)


# One review for one due event.


def test_a_review_keeps_what_was_before_and_after(bob: User, one_card: Card) -> None:
    first = review(bob, GOOD, MONDAY)
    assert first.before is None
    second = review(bob, GOOD, days(2))
    second.refresh_from_db()
    assert second.before == first.after
    memory = memory_of(bob, one_card)
    assert second.after == {
        "stability": memory.stability, "difficulty": memory.difficulty, "reviewed_on": "2026-03-04", "reviews": 2,
        "lapses": 0, "due_on": str(memory.due_on),
    }  # fmt: skip
    assert second.scheduler_version == SCHEDULER_VERSION
    assert second.study_day == dt.date(2026, 3, 4)


def test_a_double_click_is_one_review(bob: User, one_card: Card) -> None:
    with clock.at(MONDAY):
        turn = turn_of(bob)
        show_answer(turn=turn)
        first = rate_card(turn=turn, rating=GOOD)
        before = memory_of(bob, one_card).stability
        assert rate_card(turn=CardTurn.objects.get(pk=turn.pk), rating=GOOD) == first
        with pytest.raises(TurnClosed, match="rated already, as Good"):
            rate_card(turn=turn, rating=EASY)
    assert Review.objects.count() == 1
    assert memory_of(bob, one_card).stability == before


def test_two_devices_get_the_same_turn(bob: User, deck: Deck) -> None:
    with clock.at(MONDAY):
        assert turn_of(bob) == turn_of(bob)
        assert turn_of(bob, deck) == turn_of(bob)


def test_nothing_is_left_after_the_last(bob: User, one_card: Card) -> None:
    review(bob, GOOD, MONDAY)
    with clock.at(MONDAY):
        assert open_turn(learner=bob) is None
        day = card_day(bob)
    assert (day.left, day.done, day.next_on, day.next_count) == (0, 1, dt.date(2026, 3, 4), 1)


def test_a_review_ahead_of_its_day_is_logged_and_moves_nothing(bob: User, one_card: Card) -> None:
    review(bob, GOOD, MONDAY)
    before = CardMemory.objects.values().get()
    for _ in range(3):
        early = review(bob, GOOD, days(1), ahead=True)
        assert early.is_early
        assert early.before == early.after
    assert CardMemory.objects.values().get() == before
    assert Review.objects.count() == 4
    assert not review(bob, GOOD, days(2)).is_early


def test_ahead_brings_each_card_before_it_repeats_one(bob: User) -> None:
    sync_decks(["plain"], lambda slug: plain_deck(3))
    for _ in range(3):
        review(bob, GOOD, MONDAY)
    seen = [review(bob, GOOD, days(1), ahead=True).card_id for _ in range(6)]
    assert sorted(seen[:3]) == sorted(seen[3:])
    assert len(set(seen[:3])) == 3


def test_a_turn_opened_early_and_rated_late_still_moves_nothing(bob: User, one_card: Card) -> None:
    review(bob, GOOD, MONDAY)
    with clock.at(days(1)):
        turn = turn_of(bob, ahead=True)
        show_answer(turn=turn)
    with clock.at(days(2)):
        assert rate_card(turn=turn, rating=GOOD).is_early
    assert not review(bob, GOOD, days(2)).is_early


def test_an_early_turn_makes_way_when_its_day_has_come(bob: User, one_card: Card) -> None:
    review(bob, GOOD, MONDAY)
    with clock.at(days(1)):
        early = turn_of(bob, ahead=True)
        assert open_turn(learner=bob) is None
    with clock.at(days(2)):
        due = turn_of(bob)
        assert due != early
        assert not due.is_early
        with pytest.raises(TurnClosed, match="without a rating"):
            rate_card(turn=early, rating=GOOD)


def test_a_turn_left_open_since_its_day_still_counts(bob: User, one_card: Card) -> None:
    with clock.at(MONDAY):
        turn = turn_of(bob)
        show_answer(turn=turn)
    with clock.at(days(9)):
        assert turn_of(bob) == turn
        assert not rate_card(turn=turn, rating=GOOD).is_early
    assert memory_of(bob, one_card).reviewed_on == dt.date(2026, 3, 11)


def test_a_clock_that_went_back_is_logged_and_moves_nothing(bob: User, one_card: Card) -> None:
    review(bob, GOOD, MONDAY)
    with clock.at(days(2)):
        turn = turn_of(bob)
        show_answer(turn=turn)
    before = CardMemory.objects.values().get()
    with clock.at(days(-3)):
        back = rate_card(turn=turn, rating=GOOD)
    assert (back.is_early, back.study_day) == (True, dt.date(2026, 2, 27))
    assert CardMemory.objects.values().get() == before
    assert not review(bob, GOOD, days(2)).is_early


def test_a_crash_in_between_leaves_nothing_half_done(
    bob: User, one_card: Card, monkeypatch: pytest.MonkeyPatch
) -> None:
    with clock.at(MONDAY):
        turn = turn_of(bob)
        show_answer(turn=turn)

        def fall_over(*_: object, **__: object) -> None:
            raise RuntimeError("the power went")

        with monkeypatch.context() as patched:
            patched.setattr(rating_module, "keep_state", fall_over)
            with pytest.raises(RuntimeError):
                rate_card(turn=turn, rating=GOOD)
        assert not Review.objects.exists()
        assert CardTurn.objects.get().closed_at is None
        rate_card(turn=CardTurn.objects.get(), rating=GOOD)
    assert memory_of(bob, one_card).reviews == 1


# The order of the queue.


def test_wrong_cards_come_back_at_the_end_of_the_day(bob: User) -> None:
    sync_decks(["plain"], lambda slug: plain_deck(3))
    wrong = review(bob, AGAIN, MONDAY).card_id
    others = [review(bob, GOOD, MONDAY).card_id for _ in range(2)]
    assert wrong not in others
    again = review(bob, GOOD, MONDAY)
    assert again.card_id == wrong
    assert not again.is_early
    with clock.at(MONDAY):
        assert open_turn(learner=bob) is None


def test_the_longest_overdue_comes_first_and_new_ones_after_what_is_due(bob: User) -> None:
    sync_decks(["plain"], lambda slug: plain_deck(4))
    cards = list(Card.objects.order_by("position"))
    for rating in (EASY, GOOD, HARD):
        review(bob, rating, MONDAY)
    order = [review(bob, GOOD, days(30)).card_id for _ in range(4)]
    assert order == [cards[2].pk, cards[1].pk, cards[0].pk, cards[3].pk]


def test_new_cards_keep_to_the_number_of_the_plan(bob: User) -> None:
    sync_decks(["plain"], lambda slug: plain_deck(9))
    StudyPlan.objects.create(learner=bob, new_cards_a_day=2)
    with clock.at(MONDAY):
        assert (card_day(bob).new, card_day(bob).left, decks_for(bob)[0].new) == (2, 2, 9)
    for _ in range(2):
        review(bob, GOOD, MONDAY)
    with clock.at(MONDAY):
        assert open_turn(learner=bob) is None
        assert card_day(bob).left == 0
    assert review(bob, GOOD, days(1)).before is None


# Undo.


def test_undo_puts_the_memory_back_and_the_card_before_the_learner(bob: User, one_card: Card) -> None:
    review(bob, GOOD, MONDAY)
    before = CardMemory.objects.values().get()
    wrong = review(bob, EASY, days(2))
    with clock.at(days(2)):
        again = undo_review(learner=bob, review_id=wrong.pk)
        assert (again.is_shown, again.card_id) == (True, one_card.pk)
        assert CardMemory.objects.values().get() == before
        assert turn_of(bob) == again
        with pytest.raises(TurnClosed, match="taken back"):
            rate_card(turn=wrong.turn, rating=EASY)
        rate_card(turn=again, rating=GOOD)
    assert memory_of(bob, one_card).reviews == 2
    assert Review.objects.filter(undone_at=None).count() == 2


def test_undo_of_the_very_first_leaves_a_new_card(bob: User, one_card: Card) -> None:
    first = review(bob, GOOD, MONDAY)
    with clock.at(MONDAY):
        assert card_day(bob).undoable == first.pk
        undo_review(learner=bob, review_id=first.pk)
        assert (card_day(bob).new, card_day(bob).undoable) == (1, None)
        assert memory_of(bob, one_card).due_on is None


def test_undo_reaches_only_reviews_of_today(bob: User, one_card: Card) -> None:
    first = review(bob, GOOD, MONDAY)
    with clock.at(days(1)), pytest.raises(TurnClosed, match="nothing to take back today"):
        undo_review(learner=bob, review_id=first.pk)
    assert memory_of(bob, one_card).reviews == 1


def test_undo_sent_again_takes_back_nothing_more(bob: User) -> None:
    sync_decks(["plain"], lambda slug: plain_deck(3))
    first, second = (review(bob, GOOD, MONDAY) for _ in range(2))
    with clock.at(MONDAY):
        undo_review(learner=bob, review_id=second.pk)
        with pytest.raises(TurnClosed, match="taken back already"):
            undo_review(learner=bob, review_id=second.pk)
        assert list(Review.objects.filter(undone_at=None)) == [first]


def test_undo_names_the_last_review_and_leaves_others_alone(bob: User, charlie: User) -> None:
    sync_decks(["plain"], lambda slug: plain_deck(3))
    first = review(bob, GOOD, MONDAY)
    review(bob, GOOD, MONDAY)
    of_another = review(charlie, GOOD, MONDAY)
    with clock.at(MONDAY):
        for named in (first.pk, of_another.pk, 0):
            with pytest.raises(TurnClosed, match="not the last"):
                undo_review(learner=bob, review_id=named)
    assert not Review.objects.filter(undone_at__isnull=False).exists()
    assert not CardTurn.objects.filter(closed_at=None).exists()


# Setting aside.


def test_a_suspended_card_never_comes(bob: User, one_card: Card) -> None:
    with clock.at(MONDAY):
        turn = turn_of(bob)
        suspend_card(learner=bob, card=one_card)
        assert open_turn(learner=bob, ahead=True) is None
        with pytest.raises(TurnClosed):
            show_answer(turn=turn)
        row = suspended(bob)[0]
        assert (row.card, row.front, row.is_leech, decks_for(bob)[0].suspended) == (one_card, "Question 0?", False, 1)
        unsuspend_card(learner=bob, card=one_card)
        assert turn_of(bob).card == one_card


def test_eight_lapses_make_a_leech_and_four_more_again(bob: User, one_card: Card) -> None:
    at = MONDAY
    leeches = []
    for _ in range(14):
        reviewed = review(bob, AGAIN, at)
        if reviewed.made_leech:
            leeches.append(memory_of(bob, one_card).lapses)
            with clock.at(at):
                assert open_turn(learner=bob, ahead=True) is None
                assert suspended(bob)[0].is_leech
                unsuspend_card(learner=bob, card=one_card)
        review(bob, GOOD, at)
        at = due_at(memory_of(bob, one_card))
    assert leeches == [8, 12]


def test_undo_takes_a_leech_back_too(bob: User, one_card: Card) -> None:
    at = MONDAY
    while not (wrong := review(bob, AGAIN, at)).made_leech:
        review(bob, GOOD, at)
        at = due_at(memory_of(bob, one_card))
    with clock.at(at):
        undo_review(learner=bob, review_id=wrong.pk)
    memory = memory_of(bob, one_card)
    assert (memory.suspended_at, memory.leech_since, memory.lapses) == (None, None, 7)


def test_retired_cards_and_decks_never_come_and_keep_what_was_learnt(bob: User, one_card: Card) -> None:
    review(bob, GOOD, MONDAY)
    sync_decks([])
    with clock.at(days(2)):
        assert open_turn(learner=bob, ahead=True) is None
    sync_decks(["plain"], lambda slug: plain_deck(1))
    assert not review(bob, GOOD, days(2)).is_early
    assert memory_of(bob, one_card).reviews == 2
