"""Going through cards: one at a time, sent once, safe twice, and told kindly when another tab was faster."""

import datetime as dt
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from exercises import actions, limits
from exercises.mastery.retention import Rating
from exercises.models import CardMemory, CardTurn, Deck, Review, StudyPlan, User
from exercises.queries import Ending
from frontend.card_page import coming_words, ending_words
from tests.frontend.cards.world import CHOICE, CLOZE, DRAWN, NUMBER, SELF, deck_of, opened, page, press
from tests.frontend.world import part, value_of, words

pytestmark = pytest.mark.usefixtures("servers")


def html_of(client: Client, turn: CardTurn) -> str:
    return str(client.get(page(turn)).content.decode())


def only(alice: User, bob: User, *cards: dict[str, Any]) -> CardTurn:
    deck_of(alice, *cards)
    return opened(bob)


def test_the_decks_say_how_much_there_is_to_do(as_bob: Client, deck: Deck) -> None:
    html = as_bob.get("/cards/").content.decode()
    assert "5 cards to review today" in part(html, "today-title")
    assert "Review 5 cards" in part(html, "review")
    assert "0 due" not in words(html)
    listed = part(html, f"deck-{deck.slug}")
    assert "Week 3" in listed
    assert "by alice" in listed


def test_one_button_leads_to_the_first_card_and_again_to_the_same(as_bob: Client, deck: Deck) -> None:
    first = as_bob.post("/cards/review/")
    assert first["Location"].startswith("/cards/turns/")
    assert as_bob.post("/cards/review/")["Location"] == first["Location"]
    html = as_bob.get(first["Location"]).content.decode()
    assert "Three candidates" in part(html, "card-ask")
    assert "5 left today" in part(html, "card-left")


def test_a_right_answer_turns_the_card_and_suggests_a_rating(alice: User, bob: User, as_bob: Client) -> None:
    turn = only(alice, bob, NUMBER)
    answer = press(as_bob, turn, "answer", answer="1.10")
    assert answer.status_code == 302
    html = html_of(as_bob, turn)
    assert "Right" in part(html, "feedback-answer")
    assert "A third each" in part(html, "card-back")
    assert "in " in part(html, "rate-3")
    assert 'id="rate-3"' in html
    assert html.count(" autofocus") == 1


def test_a_named_mistake_is_told_and_there_is_a_second_try(alice: User, bob: User, as_bob: Client) -> None:
    turn = only(alice, bob, NUMBER)
    html = press(as_bob, turn, "answer", script=True, answer="1.585").content.decode()
    assert "That is the loss in bits." in part(html, "feedback-answer")
    assert value_of(html, "box-answer") == "1.585"
    assert "Try again, or show the answer." in part(html, "announcer")
    press(as_bob, turn, "answer", answer="1.10")
    html = html_of(as_bob, turn)
    assert "rating-suggested" in html
    assert 'rating-suggested" id="rate-2"' in html


def test_what_cannot_be_read_costs_nothing(alice: User, bob: User, as_bob: Client) -> None:
    turn = only(alice, bob, NUMBER)
    press(as_bob, turn, "answer", answer="log(3)")
    html = html_of(as_bob, turn)
    assert "log2" in part(html, "reading-answer")
    assert value_of(html, "box-answer") == "log(3)"
    turn.refresh_from_db()
    assert turn.tries == []
    assert "Type or choose an answer first" in words(press(as_bob, turn, "answer", script=True).content.decode())


@pytest.mark.parametrize(("card", "right"), [(CHOICE, "special"), (CLOZE, "total"), (NUMBER, "ln(3)")])
def test_each_kind_is_read(alice: User, bob: User, as_bob: Client, card: dict[str, object], right: str) -> None:
    turn = only(alice, bob, card)
    press(as_bob, turn, "answer", answer=right)
    html = html_of(as_bob, turn)
    assert "Right" in part(html, "feedback-answer")
    assert str(card["back"]) in html


def test_a_drawn_card_has_other_numbers_and_its_own_question(alice: User, bob: User, as_bob: Client) -> None:
    turn = only(alice, bob, DRAWN)
    html = html_of(as_bob, turn)
    assert "How many are chosen?" in part(html, "ask-chosen")
    press(as_bob, turn, "answer", answer=str(15 * int(turn.parameters["n"])))
    assert "Right" in part(html_of(as_bob, turn), "feedback-chosen")


def test_a_card_that_is_not_read_is_turned_and_judged(alice: User, bob: User, as_bob: Client) -> None:
    turn = only(alice, bob, SELF)
    html = html_of(as_bob, turn)
    assert "answer-box" not in html
    press(as_bob, turn, "show")
    html = html_of(as_bob, turn)
    assert "trusted blindly" in part(html, "card-back")
    assert [f'id="rate-{rating}"' in html for rating in (1, 2, 3, 4)] == [True] * 4
    assert "rating-suggested" not in html


def test_rating_leads_to_the_next_card_and_at_the_end_to_what_was_done(alice: User, bob: User, as_bob: Client) -> None:
    first = only(alice, bob, SELF, NUMBER)
    press(as_bob, first, "show")
    second = press(as_bob, first, "rate", rating="3")
    assert second["Location"].startswith("/cards/turns/")
    turn = opened(bob)
    press(as_bob, turn, "answer", answer="1.10")
    assert press(as_bob, turn, "rate", rating="3")["Location"] == "/cards/finished/"
    html = as_bob.get("/cards/finished/").content.decode()
    assert "Done for today" in part(html, "card")
    assert "You reviewed 2 cards today." in part(html, "card")
    assert "in 2 days" in part(html, "card")
    decks = as_bob.get("/cards/").content.decode()
    assert "Nothing more today" in decks
    assert "Practise early" in decks


def test_a_rating_pressed_twice_is_one_review(alice: User, bob: User, as_bob: Client) -> None:
    turn = only(alice, bob, SELF, NUMBER)
    press(as_bob, turn, "show")
    places = [press(as_bob, turn, "rate", rating="3")["Location"] for _ in range(2)]
    assert len(set(places)) == 1
    assert Review.objects.count() == 1
    assert CardMemory.objects.get().reviews == 1


def test_another_rating_in_an_old_tab_is_told_and_changes_nothing(alice: User, bob: User, as_bob: Client) -> None:
    turn = only(alice, bob, SELF, NUMBER)
    press(as_bob, turn, "show")
    press(as_bob, turn, "rate", rating="3")
    kept = CardMemory.objects.values().get()
    for script in (False, True):
        late = press(as_bob, turn, "rate", rating="1", script=script)
        assert late.status_code == 409
        assert "rated already" in words(late.content.decode())
        assert "You rated it Good" in words(late.content.decode())
    assert CardMemory.objects.values().get() == kept
    assert "You rated it Good" in html_of(as_bob, turn), "also for whoever comes by the back button"


@pytest.mark.parametrize("do", ["answer", "show", "hint"])
def test_a_closed_turn_takes_nothing_more(alice: User, bob: User, as_bob: Client, do: str) -> None:
    turn = only(alice, bob, NUMBER)
    press(as_bob, turn, "show")
    press(as_bob, turn, "rate", rating="1")
    late = press(as_bob, turn, do, answer="1.10")
    assert late.status_code == 409
    assert "Go on" in words(late.content.decode())


@pytest.mark.parametrize("rating", ["", "0", "5", "-1", "three", "99999999999999999999"])
def test_no_other_rating_is_taken(alice: User, bob: User, as_bob: Client, rating: str) -> None:
    turn = only(alice, bob, SELF)
    press(as_bob, turn, "show")
    assert press(as_bob, turn, "rate", rating=rating).status_code == 409
    assert not Review.objects.exists()


def test_no_rating_before_the_back_is_up(alice: User, bob: User, as_bob: Client) -> None:
    turn = only(alice, bob, SELF)
    assert press(as_bob, turn, "rate", rating="4").status_code == 409
    assert not Review.objects.exists()
    assert press(as_bob, turn, "nonsense").status_code == 404


def test_the_last_rating_can_be_taken_back(alice: User, bob: User, as_bob: Client) -> None:
    turn = only(alice, bob, SELF, NUMBER)
    assert "Undo" not in words(html_of(as_bob, turn))
    press(as_bob, turn, "show")
    following = press(as_bob, turn, "rate", rating="1")["Location"]
    html = as_bob.get(following).content.decode()
    assert "Undo" in words(html)
    named = {"review": Review.objects.get().pk}
    assert f'name="review" value="{named["review"]}"' in html
    again = as_bob.post("/cards/undo/", named, follow=True)
    html = again.content.decode()
    assert "Taken back" in words(html)
    assert "trusted blindly" in part(html, "card-back")
    assert not CardMemory.objects.filter(reviews__gt=0).exists()
    assert "rated again" not in words(html)
    # The same from another tab: the card lies open, and nothing more is taken back.
    html = as_bob.post("/cards/undo/", named, follow=True).content.decode()
    assert "taken back already" in words(html)
    assert "trusted blindly" in part(html, "card-back")


@pytest.mark.parametrize("named", ["", "x", "7", "²", "9" * 40])
def test_nothing_to_take_back_is_told(as_bob: Client, deck: Deck, named: str) -> None:
    html = as_bob.post("/cards/undo/", {"review": named}, follow=True).content.decode()
    assert "nothing to take back" in words(html)


def test_a_hint_is_shown_and_what_was_typed_stays(alice: User, bob: User, as_bob: Client) -> None:
    turn = only(alice, bob, NUMBER)
    assert "same claim" not in html_of(as_bob, turn)
    press(as_bob, turn, "hint", answer="0.9")
    html = html_of(as_bob, turn)
    assert "Every candidate has the same claim." in html
    assert value_of(html, "box-answer") == "0.9"
    assert 'id="hint"' not in html


def test_what_was_typed_waits_for_its_author_to_sign_in(alice: User, bob: User, as_bob: Client) -> None:
    turn = only(alice, bob, NUMBER)
    as_bob.logout()
    away = press(as_bob, turn, "answer", answer="1.0987")
    assert away["Location"].endswith(f"next={page(turn)}")
    told = press(as_bob, turn, "answer", answer="1.0987", script=True)
    assert told.status_code == 401
    assert told["HX-Retarget"] == "#notice"
    session = as_bob.session
    as_bob.force_login(bob)
    # What allauth does by itself: a session goes on when somebody signs in.
    kept = as_bob.session
    kept.update({key: value for key, value in session.items() if key.startswith("typed")})
    kept.save()
    html = html_of(as_bob, turn)
    assert value_of(html, "box-answer") == "1.0987"
    assert "has not been marked yet" in part(html, "notice")
    turn.refresh_from_db()
    assert turn.tries == []


def test_a_card_set_aside_comes_back_when_it_is_brought_back(alice: User, bob: User, as_bob: Client) -> None:
    turn = only(alice, bob, SELF)
    assert press(as_bob, turn, "suspend")["Location"] == "/cards/finished/"
    assert "1 card set aside" in words(as_bob.get("/cards/").content.decode())
    listed = as_bob.get("/cards/set-aside/").content.decode()
    assert "Why are some tokens replaced" in words(listed)
    assert "set aside by you" in words(listed)
    assert actions.open_turn(learner=bob) is None
    back = reverse("frontend:card-bring-back", args=[turn.card.deck.slug, turn.card.key])
    assert "It is back" in words(as_bob.post(back, follow=True).content.decode())
    assert opened(bob).card == turn.card


def test_one_deck_can_be_gone_through_by_itself(alice: User, bob: User, as_bob: Client) -> None:
    deck_of(alice, NUMBER, title="Other")
    wanted = deck_of(alice, SELF, CHOICE, title="Wanted")
    place = as_bob.post("/cards/review/", {"deck": wanted.slug})["Location"]
    assert place.endswith(f"?deck={wanted.slug}")
    html = as_bob.get(place).content.decode()
    assert "Why are some tokens" in part(html, "card-ask")
    assert "2 left today" in part(html, "card-left")
    assert f'name="deck" value="{wanted.slug}"' in html
    turn = opened(bob)
    press(as_bob, turn, "show", deck=wanted.slug)
    following = press(as_bob, turn, "rate", rating="3", deck=wanted.slug)["Location"]
    assert following.endswith(f"?deck={wanted.slug}")


def test_new_cards_are_used_up_for_the_day_and_it_is_said(alice: User, bob: User, as_bob: Client) -> None:
    StudyPlan.objects.create(learner=bob, new_cards_a_day=1)
    deck = deck_of(alice, SELF, NUMBER)
    turn = opened(bob)
    press(as_bob, turn, "show")
    assert press(as_bob, turn, "rate", rating="3")["Location"] == "/cards/finished/"
    assert "Today's new cards are used up" in words(as_bob.get("/cards/finished/").content.decode())
    listed = part(as_bob.get("/cards/").content.decode(), f"deck-{deck.slug}")
    assert "new ones tomorrow" in listed
    assert "Review" not in listed


@pytest.mark.parametrize(
    ("ahead", "said"), [(None, "as planned before"), (0, "again today"), (1, "tomorrow"), (9, "in 9 days")]
)
def test_it_is_said_when_a_card_comes_back(ahead: int | None, said: str) -> None:
    today = dt.date(2026, 3, 2)
    day = None if ahead is None else today + dt.timedelta(days=ahead)
    assert coming_words(day, today=today) == said


def test_it_is_said_what_became_of_a_turn() -> None:
    today = dt.date(2026, 3, 2)
    tomorrow = today + dt.timedelta(days=1)
    assert "elsewhere" in ending_words(Ending(), today=today)
    assert "taken back" in ending_words(Ending(Rating.HARD, is_undone=True, due_on=tomorrow), today=today)
    assert ending_words(Ending(Rating.HARD), today=today) == "You rated it Hard. It is set aside."
    said = ending_words(Ending(Rating.AGAIN, due_on=tomorrow), today=today)
    assert said == "You rated it Again. It comes back tomorrow."


def test_practice_before_its_day_says_so_and_moves_nothing(alice: User, bob: User, as_bob: Client) -> None:
    turn = only(alice, bob, SELF)
    press(as_bob, turn, "show")
    press(as_bob, turn, "rate", rating="3")
    kept = CardMemory.objects.values().get()
    place = as_bob.post("/cards/review/", {"ahead": "1"})["Location"]
    assert place.endswith("?ahead=1")
    assert "early practice" in words(as_bob.get(place).content.decode())
    early = CardTurn.objects.get(closed_at=None)
    press(as_bob, early, "show", ahead="1")
    html = as_bob.get(f"{page(early)}?ahead=1").content.decode()
    assert "Early practice: how did it go?" in words(html)
    assert "as planned before" in part(html, "rate-3")
    press(as_bob, early, "rate", rating="1", ahead="1")
    assert CardMemory.objects.values().get() == kept


def test_a_script_gets_the_next_card_in_place_with_its_address(alice: User, bob: User, as_bob: Client) -> None:
    turn = only(alice, bob, SELF, NUMBER)
    press(as_bob, turn, "show", script=True)
    html = press(as_bob, turn, "rate", rating="3", script=True).content.decode()
    following = opened(bob)
    assert f'data-address="{page(following)}"' in html
    assert "<html" not in html
    assert "autofocus" not in html
    assert "Three candidates" in part(html, "announcer")
    press(as_bob, following, "answer", answer="1.10")
    html = press(as_bob, following, "rate", rating="3", script=True).content.decode()
    assert 'data-address="/cards/finished/"' in html
    assert "Done for today" in part(html, "announcer")


def test_a_page_has_no_inline_style_or_script(alice: User, bob: User, as_bob: Client) -> None:
    turn = only(alice, bob, NUMBER)
    for do in ("", "show"):
        if do:
            press(as_bob, turn, do)
        html = html_of(as_bob, turn)
        assert " style=" not in html
        assert "onclick" not in html


def test_too_much_at_once_keeps_what_was_typed(
    alice: User, bob: User, as_bob: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn = only(alice, bob, NUMBER)
    monkeypatch.setattr(limits, "MOST_WORK", 0)
    told = press(as_bob, turn, "answer", answer="1.10")
    assert told.status_code == 429
    assert f'href="{page(turn)}"' in told.content.decode()
    assert press(as_bob, turn, "answer", answer="1.10", script=True).status_code == 429
    assert value_of(html_of(as_bob, turn), "box-answer") == "1.10"
    turn.refresh_from_db()
    assert turn.tries == []


def test_a_card_that_can_no_longer_be_read_is_told(alice: User, bob: User, as_bob: Client) -> None:
    turn = only(alice, bob, NUMBER)
    CardTurn.objects.update(source="{}")
    told = as_bob.get(page(turn))
    assert told.status_code == 503
    assert "it has a fault" in words(told.content.decode())
    assert as_bob.post("/cards/review/").status_code == 302, "the next one is put instead"
