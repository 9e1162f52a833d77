"""Flashcards by REST: the day, one card at a time, rated and taken back."""

import uuid
from typing import Any

import pytest
from rest_framework.test import APIClient

from exercises.models import Course, Deck, Review, User
from tests.api.conftest import Client
from tests.frontend.cards.world import NUMBER, SELF, deck_of

pytestmark = pytest.mark.usefixtures("servers", "course")
API = "/api/v1"


@pytest.fixture
def deck(alice: User) -> Deck:
    return deck_of(alice, NUMBER, SELF)


@pytest.fixture
def api(bob: User, client_of: Client) -> APIClient:
    return client_of(bob)


def opened(api: APIClient, **said: Any) -> dict[str, Any]:
    answer = api.post(f"{API}/cards/turns", said, format="json")
    assert answer.status_code == 200
    told: dict[str, Any] = answer.json()
    assert answer["Location"] == here(told)
    return told


def here(turn: dict[str, Any]) -> str:
    return f"{API}/cards/turns/{turn['id']}"


def test_a_card_is_asked_answered_rated_and_taken_back(deck: Deck, api: APIClient) -> None:
    told = api.get(f"{API}/cards").json()
    assert (told["day"]["left"], [row["card"] for row in told["queue"]]) == (2, ["uniform", "why-random"])
    turn = opened(api)
    assert opened(api)["id"] == turn["id"]
    assert (turn["card"], turn["is_shown"], turn["back"], turn["expected"], turn["ratings"]) == (
        "uniform", False, "", "", [],
    )  # fmt: skip
    early = api.post(f"{here(turn)}/rate", {"rating": 3}, format="json")
    assert (early.status_code, early.json()["code"]) == (400, "card-refused")
    assert api.post(f"{here(turn)}/hint").json()["hint"] == NUMBER["hint"]
    unread = api.post(f"{here(turn)}/answer", {"answer": "abc"}, format="json").json()
    assert (bool(unread["unread"]), unread["is_shown"]) == (True, False)
    right = api.post(f"{here(turn)}/answer", {"answer": "1.10"}, format="json").json()
    assert (right["mark"]["outcome"], right["is_shown"], right["back"]) == ("right", True, NUMBER["back"])
    assert max(choice["rating"] for choice in right["ratings"]) == right["suggested"] == 2

    rated = api.post(f"{here(turn)}/rate", {"rating": 2}, format="json")
    assert (rated.status_code, rated.json()["rating"], rated.json()["card"]) == (201, 2, "uniform")
    assert api.post(f"{here(turn)}/rate", {"rating": 2}, format="json").json()["id"] == rated.json()["id"]
    other = api.post(f"{here(turn)}/rate", {"rating": 1}, format="json")
    assert (other.status_code, other.json()["code"]) == (409, "turn-closed")
    assert api.get(here(turn)).json()["rated"] == 2
    assert api.get(f"{API}/cards").json()["day"]["last_review"] == rated.json()["id"]

    undo = f"{API}/cards/reviews/{rated.json()['id']}/undo"
    again = api.post(undo).json()
    assert (again["card"], again["is_shown"], again["is_over"]) == ("uniform", True, False)
    assert api.post(undo).json()["code"] == "turn-closed"
    [row] = api.get(f"{API}/cards/reviews").json()["results"]
    assert (row["rating"], row["undone_at"] is not None) == (2, True)


def test_when_nothing_is_left_there_is_nothing_to_tell(deck: Deck, api: APIClient) -> None:
    for _ in range(2):
        api.post(f"{here(opened(api))}/suspend")
    assert api.post(f"{API}/cards/turns").status_code == 204
    [row] = [row for row in api.get(f"{API}/decks").json()["results"] if row["slug"] == deck.slug]
    assert (row["cards"], row["suspended"], row["owner"]) == (2, 2, "alice")


def test_only_one_deck_is_asked_where_it_is_named(deck: Deck, alice: User, api: APIClient) -> None:
    other = deck_of(alice, {**SELF, "id": "another"}, title="Week 4")
    assert opened(api, deck=other.slug)["card"] == "another"
    assert [row["card"] for row in api.get(f"{API}/cards?deck={other.slug}").json()["queue"]] == ["another"]
    assert api.get(f"{API}/cards?deck=nowhere").status_code == 404
    assert api.post(f"{API}/cards/turns", {"deck": "nowhere"}, format="json").status_code == 404


def test_nobody_finds_a_turn_or_a_review_of_somebody_else(
    deck: Deck, api: APIClient, alice: User, charlie: User, client_of: Client
) -> None:
    turn = opened(api)
    api.post(f"{here(turn)}/show")
    review = api.post(f"{here(turn)}/rate", {"rating": 1}, format="json").json()["id"]
    turn = opened(api)
    for user in (charlie, alice):
        client = client_of(user)
        assert client.get(here(turn)).status_code == 404
        for deed, said in (
            ("answer", {"answer": "1"}), ("show", None), ("hint", None), ("rate", {"rating": 1}), ("suspend", None),
        ):  # fmt: skip
            assert client.post(f"{here(turn)}/{deed}", said, format="json").status_code == 404
        assert client.post(f"{API}/cards/reviews/{review}/undo").status_code == 404
        assert client.get(f"{API}/cards/reviews").json()["results"] == []
    assert client_of(charlie).get(f"{API}/cards?deck={deck.slug}").status_code == 404
    assert Review.objects.get().undone_at is None
    assert api.get(here({"id": uuid.uuid4()})).status_code == 404
    assert api.post(f"{API}/cards/reviews/{10**30}/undo").status_code == 404


def test_who_teaches_makes_a_deck(alice: User, api: APIClient, client_of: Client) -> None:
    made = client_of(alice).post(f"{API}/decks", {"title": "Week 5"}, format="json")
    assert (made.status_code, made.json()["slug"], made.json()["is_shared"]) == (201, "week-5", False)
    assert api.post(f"{API}/decks", {"title": "Mine"}, format="json").json()["code"] == "card-refused"
    assert client_of(alice, "practice").post(f"{API}/decks", {"title": "x"}, format="json").status_code == 403


@pytest.mark.parametrize(
    ("deed", "said"),
    [("answer", {}), ("answer", {"answer": 3}), ("answer", {"answer": [1]}), ("answer", {"answer": {}}), ("rate", {}),
     ("rate", {"rating": 5}), ("rate", {"rating": "x"})],
)  # fmt: skip
def test_bad_bodies_are_refused_by_field(deck: Deck, api: APIClient, deed: str, said: Any) -> None:
    answer = api.post(f"{here(opened(api))}/{deed}", said, format="json")
    assert answer.status_code == 400
    assert answer.json()["errors"]


def test_a_key_for_one_course_has_no_business_with_cards(
    deck: Deck, bob: User, course: Course, client_of: Client
) -> None:
    limited = client_of(bob, course=course)  # type: ignore[call-arg]
    assert limited.get(f"{API}/cards").json()["code"] == "course-limited"
