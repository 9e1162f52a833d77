"""Every page of an attempt makes the same number of queries for 1 item and for 30."""

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from exercises.actions.sitting.begin import begin_attempt
from exercises.actions.sitting.hand_in import hand_in
from exercises.models import Attempt, Course, User
from tests.exercises.courses.world import problem_set
from tests.exercises.sitting.world import WRONG, check, graded, place, synced
from tests.frontend.sitting.world import form, page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("servers")]
#: Session and user.
SIGNED_IN = 2


@pytest.fixture(params=[1, 30])
def attempt(request: pytest.FixtureRequest, course: Course, bob: User) -> Attempt:
    """Bob's attempt at a quiz of one item, or of thirty, each tried once."""
    masked, _ = synced()
    of = problem_set(course, "quiz", *[masked] * request.param)
    begun = begin_attempt(learner=bob, problem_set=of)
    for position in range(1, request.param + 1):
        check(place(begun, position), **WRONG)
    graded()
    return begun


@pytest.mark.parametrize(
    ("name", "count"),
    [("attempt", 9), ("attempt-item", 11), ("attempt-hand-in", 9), ("attempt-clock", 1)],
)
def test_pages(
    name: str, count: int, attempt: Attempt, as_bob: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    address = page(name, attempt, 1 if name == "attempt-item" else None)
    as_bob.get(address)
    with django_assert_num_queries(SIGNED_IN + count):
        assert as_bob.get(address).status_code == 200


def test_the_receipt(attempt: Attempt, as_bob: Client, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    hand_in(attempt=attempt)
    with django_assert_num_queries(SIGNED_IN + 8):
        assert as_bob.get(page("attempt-receipt", attempt)).status_code == 200


def test_saving(attempt: Attempt, as_bob: Client, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    headers = {"HX-Request": "true", "Accept": "application/json"}
    address, fields = page("attempt-save", attempt, 1), form(attempt, p="0.5")
    with django_assert_num_queries(SIGNED_IN + 9):
        assert as_bob.post(address, fields, headers=headers).json()["kind"] == "saved"


def test_verifying(attempt: Attempt, as_alice: Client, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    code = hand_in(attempt=attempt).receipt
    with django_assert_num_queries(SIGNED_IN + 4):
        response = as_alice.get(reverse("frontend:receipt-verify"), {"code": code})
    assert "Genuine." in response.content.decode()
