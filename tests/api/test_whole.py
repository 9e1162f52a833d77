"""A program can ask the steps that a variant left out, as a person can on its page."""

import pytest

from exercises.actions import reveal_solution
from exercises.models import User, Variant
from tests.api.conftest import Client

pytestmark = pytest.mark.usefixtures("servers")
EVERY = ["powers", "total", "p", "loss"]


@pytest.fixture
def narrow(variant: Variant) -> Variant:
    variant.asked = ["p", "loss"]
    variant.save()
    return variant


def test_a_variant_that_leaves_steps_out_says_so_and_asks_them_when_it_is_told_to(
    bob: User, narrow: Variant, client_of: Client
) -> None:
    api, address = client_of(bob), f"/api/v1/variants/{narrow.public_id}"
    told = api.get(address).json()
    assert (told["asked_all"], [step["step"] for step in told["steps"]]) == (False, ["p", "loss"])
    for _ in range(2):
        whole = api.post(f"{address}/whole")
        assert whole.status_code == 200
        assert (whole.json()["asked_all"], [step["step"] for step in whole.json()["steps"]]) == (True, EVERY)
    assert api.get(address).json() == whole.json()
    narrow.refresh_from_db()
    assert narrow.scaffolded_at is not None


def test_where_all_are_asked_already_it_is_no_help_taken(bob: User, variant: Variant, client_of: Client) -> None:
    assert client_of(bob).post(f"/api/v1/variants/{variant.public_id}/whole").json()["asked_all"] is True
    variant.refresh_from_db()
    assert variant.scaffolded_at is None


def test_after_the_solution_nothing_more_is_asked(bob: User, narrow: Variant, client_of: Client) -> None:
    reveal_solution(variant=narrow)
    told = client_of(bob).post(f"/api/v1/variants/{narrow.public_id}/whole").json()
    assert (told["asked_all"], told["closed"]) == (False, True)


def test_nobody_asks_more_of_somebody_else(charlie: User, alice: User, narrow: Variant, client_of: Client) -> None:
    for stranger in (charlie, alice):
        answer = client_of(stranger).post(f"/api/v1/variants/{narrow.public_id}/whole")
        assert (answer.status_code, answer.json()["code"]) == (404, "not-found")
    narrow.refresh_from_db()
    assert narrow.asked == ["p", "loss"]
