"""What the REST door says of mastery is what the pages say: both read the one selector."""

from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from exercises import queries
from exercises.actions import send_answer, sync_catalogue
from exercises.models import User
from exercises.tasks import sweep_pending
from tests.api.conftest import Client

pytestmark = pytest.mark.usefixtures("servers")


@pytest.fixture
def catalogue_synced(db: None) -> None:
    sync_catalogue(["token-slots", "neg-log"])


def skills(client: Any) -> dict[str, Any]:
    return {row["id"]: row for row in client.get("/api/v1/skills").json()["results"]}


def test_a_closed_step_moves_what_is_told_and_nobody_elses(
    bob: User, charlie: User, client_of: Client, catalogue_synced: None
) -> None:
    before = skills(client_of(bob))
    proposed = client_of(bob).get("/api/v1/next").json()["exercise"]
    drawn = client_of(bob).post(
        f"/api/v1/problems/{proposed['problem']}/variants", {"skill": proposed["skill"]}, format="json"
    )
    variant = bob.variants.get(public_id=drawn.json()["id"])
    asked = [step["step"] for step in drawn.json()["steps"]]
    for typed in ("17.5", "18.5", "19.5"):
        send_answer(learner=bob, variant=variant, answers=dict.fromkeys(asked, typed))
    sweep_pending()
    after = skills(client_of(bob))
    held = queries.standings([bob])[bob.pk]
    assert after != before
    for skill, told in after.items():
        assert (told["level"], told["chance"], told["steps"], told["is_due"]) == (
            held[skill].level.value,
            pytest.approx(held[skill].chance, abs=1e-6),
            held[skill].steps,
            held[skill].is_due,
        )
    assert {row["level"] for row in skills(client_of(charlie)).values()} == {"not-started"}


def test_what_comes_next_is_told_with_its_reason(bob: User, client_of: Client, catalogue_synced: None) -> None:
    told = client_of(bob).get("/api/v1/next").json()["exercise"]
    choice = queries.next_choice(bob)
    assert choice is not None
    assert (told["problem"], told["skill"], told["reason"]) == (choice.slug, choice.skill, choice.reason)
    assert "variant" not in told


def test_where_nothing_can_be_proposed_it_is_null(bob: User, client_of: Client) -> None:
    assert client_of(bob).get("/api/v1/next").json() == {"exercise": None}


@pytest.mark.parametrize(("path", "count"), [("skills", 2), ("next", 6)])
def test_each_costs_a_fixed_number_of_queries(
    path: str,
    count: int,
    bob: User,
    client_of: Client,
    catalogue_synced: None,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    client = client_of(bob)
    client.get("/api/v1/problems")  # notes that the token was used, which is written once a minute
    with django_assert_num_queries(count + 1):  # and one for the token
        client.get(f"/api/v1/{path}")
