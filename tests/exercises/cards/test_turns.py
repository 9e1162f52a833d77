"""A card before its learner: what is shown, how it is marked, and which rating that allows."""

import pytest

from exercises import clock
from exercises.actions import answer_card, rate_card, show_answer, take_card_hint
from exercises.mastery.retention import Rating
from exercises.models import Card, CardTurn, Review, User
from exercises.queries import Ending, turn_view
from exercises.refusals import AnswersRefused, CardRefused, TurnClosed
from tests.exercises.cards.world import MONDAY, RIGHT, answer, days, put, turn_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("key", RIGHT)
def test_what_is_right_at_once_is_shown_and_good(bob: User, cards: dict[str, Card], key: str) -> None:
    turn = put(bob, cards[key]) if key not in ("winner", "either", "learnt") else _drawn(bob, cards[key])
    answer_card(turn=turn, typed=RIGHT[key])
    view = turn_view(turn)
    assert view.mark is not None
    assert (view.mark.outcome, view.is_shown, view.suggested) == ("right", True, Rating.GOOD)
    assert [rating for rating, _ in view.ratings] == list(Rating)
    assert rate_card(turn=turn, rating=Rating.EASY).rating == 4


def _drawn(learner: User, card: Card) -> CardTurn:
    """A turn of a card whose options come in a drawn order."""
    turn = put(learner, card)
    turn.parameters = {"order": 7}
    turn.save()
    return turn


def test_wrong_then_right_is_hard_at_best(bob: User, cards: dict[str, Card]) -> None:
    turn = answer(bob, cards["size"], "the words")
    view = turn_view(turn)
    assert view.mark is not None
    assert (view.mark.note, view.mark.message) == ("answer.words", "That is $V$ itself.")
    assert (view.is_shown, view.tries_left, view.back, view.expected, view.ratings) == (False, 1, "", "", [])
    answer_card(turn=turn, typed="vocabulary size")
    assert [rating for rating, _ in turn_view(turn).ratings] == [Rating.AGAIN, Rating.HARD]
    with pytest.raises(CardRefused, match="Hard at best"):
        rate_card(turn=turn, rating=Rating.GOOD)
    assert not Review.objects.exists()


def test_wrong_twice_turns_it_up_and_is_again(bob: User, cards: dict[str, Card]) -> None:
    turn = answer(bob, cards["two-thirds"], "0.9", "0.8")
    view = turn_view(turn)
    assert (view.is_shown, view.suggested, [rating for rating, _ in view.ratings]) == (
        True,
        Rating.AGAIN,
        [Rating.AGAIN],
    )
    assert "0.4055" in view.expected
    assert view.back == "Logs turn ratios into differences."


def test_giving_up_is_again(bob: User, cards: dict[str, Card]) -> None:
    turn = put(bob, cards["tokens"])
    show_answer(turn=turn)
    show_answer(turn=turn)
    assert turn_view(turn).suggested is Rating.AGAIN


def test_with_a_hint_it_is_hard(bob: User, cards: dict[str, Card]) -> None:
    turn = put(bob, cards["size"])
    assert (turn_view(turn).has_hint, turn_view(turn).hint) == (True, "")
    take_card_hint(turn=turn)
    assert turn_view(turn).hint == "Bars count."
    answer_card(turn=turn, typed="vocabulary size")
    assert turn_view(turn).suggested is Rating.HARD


def test_a_card_without_a_hint_gives_none(bob: User, cards: dict[str, Card]) -> None:
    with pytest.raises(CardRefused, match="no hint"):
        take_card_hint(turn=put(bob, cards["loss"]))


@pytest.mark.parametrize("typed", ["", "  ", "1..2", "log(2)", "0.4", "0.41"])
def test_blank_unreadable_and_too_few_digits_cost_nothing(bob: User, cards: dict[str, Card], typed: str) -> None:
    turn = answer(bob, cards["two-thirds"], typed)
    view = turn_view(turn)
    assert (view.tries, view.is_shown, view.typed) == ((), False, typed)
    assert view.unread
    answer_card(turn=turn, typed="0.405")
    assert turn_view(turn).suggested is Rating.GOOD


def test_the_same_answer_again_costs_nothing(bob: User, cards: dict[str, Card]) -> None:
    turn = answer(bob, cards["two-thirds"], "0.9", "0.90")
    view = turn_view(turn)
    assert (len(view.tries), view.is_shown) == (1, False)
    assert "already" in view.unread


def test_of_two_options_only_the_first_try_counts(bob: User, cards: dict[str, Card]) -> None:
    turn = _drawn(bob, cards["either"])
    answer_card(turn=turn, typed="yes")
    assert (turn_view(turn).is_shown, turn_view(turn).suggested) == (True, Rating.AGAIN)


def test_a_card_that_rates_itself_reads_nothing(bob: User, cards: dict[str, Card]) -> None:
    turn = put(bob, cards["why"])
    with pytest.raises(CardRefused, match="reads no answer"):
        answer_card(turn=turn, typed="because")
    with pytest.raises(CardRefused, match="turn up"):
        rate_card(turn=turn, rating=Rating.GOOD)
    show_answer(turn=turn)
    view = turn_view(turn)
    assert (view.field, view.suggested, [rating for rating, _ in view.ratings]) == (None, None, list(Rating))


def test_an_answer_after_the_back_is_refused_and_a_double_click_is_not(bob: User, cards: dict[str, Card]) -> None:
    turn = answer(bob, cards["tokens"], "5", "5")
    assert len(turn.tries) == 1
    with pytest.raises(CardRefused, match="turned up"):
        answer_card(turn=turn, typed="4")


def test_a_double_click_is_known_by_what_was_kept(bob: User, cards: dict[str, Card]) -> None:
    turn = answer(bob, cards["size"], "some words", "no \x00 words")
    assert turn.is_shown
    answer_card(turn=turn, typed="no \x00 words")
    assert [each["typed"] for each in turn.tries] == ["some words", "no \N{REPLACEMENT CHARACTER} words"]


def test_what_is_no_answer_is_refused(bob: User, cards: dict[str, Card]) -> None:
    with pytest.raises(AnswersRefused):
        answer_card(turn=put(bob, cards["tokens"]), typed="5" * 600)


def test_a_cloze_card_shows_its_gap_and_then_what_belongs_there(bob: User, cards: dict[str, Card]) -> None:
    turn = put(bob, cards["loss"])
    assert turn_view(turn).front == r"The loss is $L = -\boxed{\,?\,} p$."
    answer_card(turn=turn, typed="ln")
    assert turn_view(turn).front == r"The loss is $L = -\boxed{\ln} p$."


def test_a_drawn_card_has_other_numbers_each_time(bob: User, charlie: User, cards: dict[str, Card]) -> None:
    Card.objects.exclude(key="drawn-loss").update(retired=True)
    seen = set()
    for _ in range(8):
        turn = turn_of(bob)
        seen.add(turn.parameters["p"])
        view = turn_view(turn)
        assert f"p = {turn.parameters['p']}" in view.front
        assert view.field is not None
        assert (view.field.step, view.field.ask, view.hint) == ("loss", "Its loss", "")
        turn.delete()
    assert len(seen) > 4


def test_a_figure_waits_for_the_answer(bob: User, cards: dict[str, Card]) -> None:
    turn = _drawn(bob, cards["learnt"])
    figure = turn_view(turn).figure
    assert figure is not None
    assert figure.data["values"] is None
    show_answer(turn=turn)
    figure = turn_view(turn).figure
    assert figure is not None
    assert figure.data["values"] == [0.2, 0.8]


def test_the_snapshot_outlives_an_edit(bob: User, cards: dict[str, Card]) -> None:
    turn = put(bob, cards["tokens"])
    Card.objects.filter(key="tokens").update(source=cards["size"].source)
    assert turn_view(CardTurn.objects.get(pk=turn.pk)).kind == "count"


def test_what_each_rating_would_do_is_said(bob: User, cards: dict[str, Card]) -> None:
    with clock.at(MONDAY):
        turn = answer(bob, cards["tokens"], "5")
        assert turn_view(turn).ratings == [
            (Rating.AGAIN, days(0).date()), (Rating.HARD, days(1).date()), (Rating.GOOD, days(2).date()),
            (Rating.EASY, days(8).date()),
        ]  # fmt: skip


def test_a_turn_that_was_rated_is_over(bob: User, cards: dict[str, Card]) -> None:
    with clock.at(MONDAY):
        turn = answer(bob, cards["tokens"], "5")
        rate_card(turn=turn, rating=Rating.GOOD)
        for act in (show_answer, take_card_hint):
            with pytest.raises(TurnClosed):
                act(turn=turn)
        with pytest.raises(TurnClosed):
            answer_card(turn=turn, typed="4")
        view = turn_view(CardTurn.objects.select_related("review", "learner").get(pk=turn.pk))
        assert view.ratings == []
        assert view.ending == Ending(Rating.GOOD, due_on=days(2).date())
