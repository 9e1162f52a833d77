"""Who may see and do what with cards: every route, for nobody, two learners, the author and another teacher."""

from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from exercises import access, actions, queries
from exercises.models import Card, CardMemory, CardTurn, Course, Deck, Enrolment, Review, Role, User
from frontend.card_urls import urlpatterns
from tests.frontend.cards.world import NUMBER, deck_of, opened, page

pytestmark = pytest.mark.usefixtures("servers", "deck")
#: name: (method, status for nobody, for Bob whose turn it is, for Charlie, for Alice whose deck it is, for Dora)
ROUTES = {
    "cards": ("get", 302, 200, 200, 200, 200),
    "card-review": ("post", 302, 302, 302, 302, 302),
    "card-finished": ("get", 302, 200, 200, 200, 200),
    "card-turn": ("get", 302, 200, 404, 404, 404),
    "card-reading": ("post", 302, 200, 404, 404, 404),
    "card-undo": ("post", 302, 302, 302, 302, 302),
    "cards-set-aside": ("get", 302, 200, 200, 200, 200),
    "card-bring-back": ("post", 302, 302, 302, 302, 302),
    "deck-new": ("get", 302, 404, 404, 200, 200),
    "deck": ("get", 302, 200, 200, 200, 200),
    "deck-edit": ("get", 302, 404, 404, 200, 404),
    "deck-import": ("get", 302, 404, 404, 200, 404),
    "deck-export": ("get", 302, 404, 404, 200, 200),
    "card-new": ("get", 302, 404, 404, 200, 404),
    "card-edit": ("get", 302, 404, 404, 200, 404),
}
#: Those of them that also take a form.
FORMS = ("card-turn", "deck-new", "deck-edit", "deck-import", "card-new", "card-edit")
OF_A_DECK = ("deck", "deck-edit", "deck-import", "card-new")


@pytest.fixture
def turn(bob: User) -> CardTurn:
    return opened(bob)


@pytest.fixture
def as_dora(course: Course) -> Client:
    """Another teacher, who looks in on the course."""
    dora = User.objects.create_user("dora", is_instructor=True)
    Enrolment.objects.create(course=course, user=dora, role=Role.OBSERVER)
    client = Client()
    client.force_login(dora)
    return client


def where(name: str, deck: Deck, turn: CardTurn) -> str:
    if name in ("card-turn", "card-reading"):
        return reverse(f"frontend:{name}", args=[turn.public_id])
    if name in ("card-bring-back", "card-edit"):
        return reverse(f"frontend:{name}", args=[deck.slug, NUMBER["id"]])
    if name == "deck-export":
        return reverse("frontend:deck-export", args=[deck.slug, "csv"])
    return reverse(f"frontend:{name}", args=[deck.slug] if name in OF_A_DECK else [])


def test_every_route_has_its_row() -> None:
    assert {route.name for route in urlpatterns} == set(ROUTES)


@pytest.mark.parametrize("name", ROUTES)
def test_each_person_sees_what_is_theirs(
    name: str, deck: Deck, turn: CardTurn, as_bob: Client, as_charlie: Client, as_alice: Client, as_dora: Client
) -> None:
    method, *expected = ROUTES[name]
    people = (Client(), as_bob, as_charlie, as_alice, as_dora)
    address = where(name, deck, turn)
    assert [getattr(person, method)(address).status_code for person in people] == expected
    assert getattr(Client(), method)(address)["Location"].startswith("/accounts/login/")


def stored() -> list[list[Any]]:
    """All that stands in the tables of cards."""
    tables: tuple[Any, ...] = (Deck, Card, CardTurn, CardMemory, Review)
    return [list(model.objects.order_by("pk").values()) for model in tables]


def told(answer: Any) -> list[str]:
    """What an answer says of the deck or of what is in it."""
    body = answer.content.decode()
    return [words for words in ("Week 3", "What is counted", NUMBER["front"], NUMBER["back"]) if words in body]


#: What would change a deck or a learner's cards, if it were let in.
DEEDS = ({"do": "retire"}, {"do": "keep", "kind": "self", "id": "x", "front": "Q", "back": "A"}, {"title": "Mine"})


@pytest.mark.parametrize("name", [route.name for route in urlpatterns if "slug:slug" in str(route.pattern)])
def test_a_deck_that_is_not_shared_is_nowhere_for_others(
    name: str, deck: Deck, turn: CardTurn, alice: User, as_bob: Client, as_dora: Client
) -> None:
    actions.edit_deck(author=alice, deck=deck, is_shared=False)
    before = stored()
    address = where(name, deck, turn)
    for person in (as_bob, as_dora):
        answers = [getattr(person, ROUTES[name][0])(address)]
        answers += [person.post(address, deed) for deed in DEEDS] if name in FORMS else []
        assert {answer.status_code for answer in answers} == {404}
        assert [told(answer) for answer in answers] == [[]] * len(answers)
    assert stored() == before


def test_no_review_goes_through_a_deck_that_is_not_shared(
    deck: Deck, turn: CardTurn, alice: User, as_bob: Client, as_dora: Client
) -> None:
    actions.edit_deck(author=alice, deck=deck, is_shared=False)
    before = stored()
    for person in (as_bob, as_dora):
        answer = person.post("/cards/review/", {"deck": deck.slug})
        assert (answer.status_code, told(answer)) == (404, [])
        # Nor is any of its cards put to those who go through all decks.
        assert person.post("/cards/review/")["Location"] == "/cards/finished/"
    assert stored() == before


def test_a_deck_that_is_shared_no_more_since_it_was_found_is_not_there(
    deck: Deck, as_bob: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def rows(learner: User) -> list[queries.DeckRow]:
        Deck.objects.update(is_shared=False)
        return queries.decks_for(learner)

    monkeypatch.setattr("frontend.views.decks.queries", SimpleNamespace(**{**vars(queries), "decks_for": rows}))
    answer = as_bob.get(where_of(deck))
    assert (answer.status_code, told(answer)) == (404, [])


def where_of(deck: Deck) -> str:
    return reverse("frontend:deck", args=[deck.slug])


def test_a_strangers_turn_cannot_be_touched(turn: CardTurn, as_charlie: Client, as_alice: Client) -> None:
    for person in (as_charlie, as_alice):
        for do in ("answer", "show", "hint", "rate", "suspend"):
            form = {"do": do, "answer-answer": "1.10", "rating": "3"}
            assert person.post(page(turn), form).status_code == 404
    turn.refresh_from_db()
    assert not turn.is_shown
    assert not turn.tries
    assert not turn.hinted
    assert turn.closed_at is None
    assert not Review.objects.exists()
    assert not CardMemory.objects.exists()


def test_only_the_author_changes_a_deck(deck: Deck, as_bob: Client, as_dora: Client) -> None:
    before = list(Card.objects.order_by("pk").values())
    for person in (as_bob, as_dora):
        slug = deck.slug
        forms = [
            (reverse("frontend:deck-edit", args=[slug]), {"title": "Mine now"}),
            (
                reverse("frontend:deck-import", args=[slug]),
                {"text": "key,kind\nx,self", "format": "csv", "do": "apply"},
            ),
            (reverse("frontend:card-new", args=[slug]), {"kind": "self", "do": "keep", "id": "x", "front": "a"}),
            (reverse("frontend:card-edit", args=[slug, "uniform"]), {"do": "retire"}),
        ]
        assert [person.post(*form).status_code for form in forms] == [404] * 4
    deck.refresh_from_db()
    assert deck.title == "Week 3"
    assert list(Card.objects.order_by("pk").values()) == before


def test_a_learner_cannot_make_a_deck(as_bob: Client) -> None:
    assert as_bob.post(reverse("frontend:deck-new"), {"title": "Mine"}).status_code == 404
    assert Deck.objects.count() == 1


@pytest.mark.parametrize("name", ROUTES)
def test_other_methods_are_refused(name: str, deck: Deck, turn: CardTurn, as_alice: Client, as_bob: Client) -> None:
    method = ROUTES[name][0]
    address = where(name, deck, turn)
    person = as_bob if name.startswith("card-") and "turn" in address else as_alice
    if name not in FORMS:
        assert getattr(person, "post" if method == "get" else "get")(address).status_code == 405
    assert person.delete(address).status_code == 405


def test_unknown_names_are_not_there(as_alice: Client, deck: Deck) -> None:
    before = stored()
    card = reverse("frontend:card-edit", args=[deck.slug, "nothing"])
    unknown = [
        as_alice.get(where_of(deck).replace(deck.slug, "nothing")),
        as_alice.get(card),
        *(as_alice.post(card, deed) for deed in DEEDS),
        *(as_alice.post(reverse("frontend:deck-edit", args=["nothing"]), deed) for deed in DEEDS),
        as_alice.get(reverse("frontend:deck-export", args=[deck.slug, "pdf"])),
    ]
    assert {answer.status_code for answer in unknown} == {404}
    assert [told(answer) for answer in unknown] == [[]] * len(unknown)
    assert stored() == before


def test_a_form_made_for_somebody_else_is_refused(turn: CardTurn, charlie: User, as_bob: Client) -> None:
    answer = as_bob.post(page(turn), {"do": "show", "learner": charlie.pk})
    assert answer.status_code == 403
    assert not access.turn_for(turn.learner, turn.public_id).is_shown


def test_a_second_deck_of_ones_own_is_ones_own(alice: User, as_alice: Client, as_bob: Client) -> None:
    private = deck_of(alice, NUMBER, title="Drafts", shared=False)
    assert "Drafts" in as_alice.get("/cards/").content.decode()
    assert "Drafts" not in as_bob.get("/cards/").content.decode()
    assert as_bob.post(reverse("frontend:card-review"), {"deck": private.slug}).status_code == 404
