"""Decks by REST: read by who learns from them; changed, filled and taken away by their owner and nobody else."""

import pytest
from rest_framework.test import APIClient

from exercises import actions
from exercises.actions.unchanged import ChangedMeanwhile
from exercises.models import Card, Course, Deck, User
from tests.api.conftest import Client
from tests.frontend.cards.world import NUMBER, SELF, deck_of

pytestmark = pytest.mark.usefixtures("servers", "course", "elsewhere")
DECKS = "/api/v1/decks"


@pytest.fixture
def deck(alice: User) -> Deck:
    return deck_of(alice, NUMBER, SELF)


@pytest.fixture
def api(alice: User, client_of: Client) -> APIClient:
    return client_of(alice)


@pytest.fixture
def here(deck: Deck) -> str:
    return f"{DECKS}/{deck.slug}"


def test_a_deck_is_changed_as_it_was_read_and_not_otherwise(deck: Deck, here: str, api: APIClient) -> None:
    read = api.get(here)
    assert (read.json()["title"], read.json()["cards"]) == ("Week 3", 2)
    assert api.get(here, headers={"If-None-Match": read["ETag"]}).status_code == 304
    assert api.patch(here, {"title": "Week 4"}, format="json").status_code == 428
    tag = {"If-Match": read["ETag"]}
    done = api.patch(here, {"title": "Week 4"}, format="json", headers=tag)
    assert (done.status_code, done.json()["title"], done.json()["is_shared"]) == (200, "Week 4", True)
    assert done["ETag"] == api.get(here)["ETag"] != read["ETag"]
    late = api.patch(here, {"summary": "Older"}, format="json", headers=tag)
    assert (late.status_code, late.json()["code"]) == (412, "changed-meanwhile")
    assert api.delete(here, headers=tag).status_code == 412
    assert api.patch(here, {"is_shared": False}, format="json", headers={"If-Match": "*"}).json()["title"] == "Week 4"


def test_between_the_look_and_the_lock_nothing_is_lost(alice: User, deck: Deck) -> None:
    """Two programs that both read the deck as it was: what the first wrote stays."""
    read = Deck.objects.get(pk=deck.pk)
    actions.edit_deck(author=alice, deck=deck, summary="By the first")
    with pytest.raises(ChangedMeanwhile):
        actions.edit_deck(author=alice, deck=read, title="By the second", is_guarded=True)
    read = Deck(pk=deck.pk, title="Stale", summary="Stale")
    actions.edit_deck(author=alice, deck=read, title="By the third")
    deck.refresh_from_db()
    assert (deck.title, deck.summary) == ("By the third", "By the first")


def test_a_deck_that_is_taken_away_is_nowhere(
    deck: Deck, here: str, api: APIClient, bob: User, client_of: Client
) -> None:
    learner = client_of(bob)
    assert learner.get(here).json()["new"] == 2
    assert api.delete(here, headers={"If-Match": "*"}).status_code == 204
    for client in (api, learner):
        assert client.get(here).status_code == 404
        assert deck.slug not in [row["slug"] for row in client.get(DECKS).json()["results"]]
    assert api.delete(here, headers={"If-Match": "*"}).status_code == 404
    assert Card.objects.filter(deck=deck, retired=False).count() == 2


def test_cards_go_out_and_come_in_by_their_keys(deck: Deck, here: str, api: APIClient) -> None:
    said = api.get(f"{here}/cards").json()
    assert (said["form"], "A third each" in said["text"]) == ("csv", True)
    changed = said["text"].replace("A third each", "One third each")
    dry = api.post(f"{here}/cards", {"text": changed, "dry_run": True}, format="json").json()
    assert (dry["is_applied"], dry["changed"], dry["unchanged"], dry["added"]) == (
        False, ["uniform"], ["why-random"], [],
    )  # fmt: skip
    assert api.get(f"{here}/cards").json() == said
    done = api.post(f"{here}/cards", {"text": changed}, format="json").json()
    assert (done["is_applied"], done["changed"]) == (True, ["uniform"])
    assert api.get(f"{here}/cards").json()["text"] == changed

    other = api.post(DECKS, {"title": "Week 5"}, format="json").json()["slug"]
    filled = api.post(f"{DECKS}/{other}/cards", {"text": changed}, format="json").json()
    assert filled["added"] == ["uniform", "why-random"]
    assert api.delete(f"{DECKS}/{other}/cards/uniform").status_code == 204
    assert api.get(f"{DECKS}/{other}").json()["cards"] == 1
    assert api.delete(f"{DECKS}/{other}/cards/no-such").status_code == 404
    assert api.get(f"{here}/cards?form=anki").json()["text"].startswith("#")
    assert api.get(f"{here}/cards?form=pdf").status_code == 400


def test_one_fault_keeps_every_card_out(here: str, api: APIClient) -> None:
    text = api.get(f"{here}/cards").json()["text"].replace("ln(3)", "ln(", 1).replace("trusted", "believed")
    said = api.post(f"{here}/cards", {"text": text}, format="json").json()
    assert (said["is_applied"], [fault["line"] for fault in said["faults"]]) == (False, [2])
    assert "believed" not in api.get(f"{here}/cards").json()["text"]
    refused = api.post(f"{here}/cards", {"text": "x", "form": "pdf"}, format="json")
    assert (refused.status_code, list(refused.json()["errors"])) == (400, ["form"])


@pytest.mark.parametrize("who", ["bob", "charlie", "erin"])
def test_nobody_else_changes_a_deck_or_reads_its_backs(deck: Deck, here: str, client_of: Client, who: str) -> None:
    client, sent = client_of(User.objects.get(username=who)), {"headers": {"If-Match": "*"}}
    assert client.get(here).status_code == (200 if who == "bob" else 404)
    assert client.get(f"{here}/cards").status_code == 404
    assert client.patch(here, {"title": "Mine"}, format="json", **sent).status_code == 404
    assert client.delete(here, **sent).status_code == 404
    assert client.post(f"{here}/cards", {"text": "x"}, format="json").status_code == 404
    assert client.delete(f"{here}/cards/uniform").status_code == 404
    deck.refresh_from_db()
    assert (deck.title, deck.retired, deck.cards.filter(retired=True).exists()) == ("Week 3", False, False)


def test_each_deed_takes_the_scope_that_it_is_said_to(
    here: str, alice: User, course: Course, client_of: Client
) -> None:
    assert client_of(alice, "content.read").get(here).status_code == 200
    assert client_of(alice, "practice").get(here).status_code == 200
    assert "content.read" in client_of(alice, "roster.read").get(here).json()["detail"]
    assert "content.read" in client_of(alice, "practice").get(f"{here}/cards").json()["detail"]
    reader = client_of(alice, "content.read", "practice")
    for answer in (reader.patch(here, {}), reader.delete(here), reader.post(f"{here}/cards", {})):
        assert "content.write" in answer.json()["detail"]
    assert client_of(alice, course=course).get(here).json()["code"] == "course-limited"
