"""What must hold at the door when much comes at once: tries to the last one, and lists whose rows are of one moment."""

import re
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection
from django.db.models import Model
from rest_framework.test import APIClient

from exercises import clock
from exercises.actions import clients, tokens
from exercises.actions.clients import make_client
from exercises.actions.tokens import issue_token
from exercises.models import AccessToken, Attempt, Course, Enrolment, ProblemSet, Submission, User
from exercises.models import Client as System
from exercises.models.touched import install_trigger
from tests.api.conftest import Client
from tests.api.sat import API, attempts, begun, check, item
from tests.exercises.courses.world import NOW, problem_set
from tests.exercises.sitting.world import graded, synced
from tests.exercises.test_at_once import at_once
from tests.exercises.world import ALL_RIGHT

pytestmark = pytest.mark.usefixtures("servers")
AT_ONCE, ROWS = 12, 250


@pytest.fixture
def quiz(course: Course) -> ProblemSet:
    return problem_set(course, "quiz", *synced())


@pytest.mark.django_db(transaction=True)
def test_of_tries_that_are_sent_together_no_more_count_than_there_are(
    quiz: ProblemSet, bob: User, client_of: Client
) -> None:
    """Two tries: one is taken of each dozen, as the next waits until the one before is marked; then none is."""
    with clock.at(NOW):
        told = begun(client_of(bob), quiz)
        variant = client_of(bob).get(item(told)).json()["variant"]
    clients = [client_of(bob) for _ in range(AT_ONCE)]

    def dozen(batch: int) -> Counter[tuple[int, str]]:
        gate = threading.Barrier(AT_ONCE)

        def press(number: int) -> tuple[int, str]:
            try:
                gate.wait(timeout=20)
                with clock.at(NOW):
                    answers = {**ALL_RIGHT, "loss": f"{batch}.{number + 11}"}
                    said = check(clients[number], item(told), answers, variant=variant)
                return said.status_code, said.json().get("kind") or said.json()["code"]
            finally:
                connection.close()

        with ThreadPoolExecutor(AT_ONCE) as pool:
            return Counter(pool.map(press, range(AT_ONCE)))

    for taken in (1, 2):
        counted = dozen(taken)
        assert counted[202, "queued"] == 1
        assert {status for status, _ in counted} == {202, 409}
        assert Submission.objects.count() == taken
        graded()
    assert {status for status, _ in dozen(3)} == {409}
    assert Submission.objects.count() == 2


def written_at_one_moment(model: type[Model]) -> None:
    """Let all rows have been written at once: their table keeps its own time, so it must look away."""
    table, rows = model._meta.db_table, model._default_manager
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(f"DROP TRIGGER {table}_touched")
            rows.update(updated_at=NOW)
            install_trigger(connection, table)
        else:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER touched")
            rows.update(updated_at=NOW)
            cursor.execute(f"ALTER TABLE {table} ENABLE TRIGGER touched")
    assert set(rows.values_list("updated_at", flat=True)) == {NOW}


def walked(client: APIClient, address: str, rel: str) -> list[tuple[str, list[Any]]]:
    """The pages that the Link header leads to, each with its address and what it holds."""
    found: list[tuple[str, list[Any]]] = []
    for _ in range(ROWS):
        answer = client.get(address)
        assert answer.status_code == 200, answer.content
        found.append((address, answer.json()["results"]))
        links = dict(re.findall(r'<([^>]+)>; rel="(\w+)"', answer.get("Link", "")))
        follow = next((link for link, name in links.items() if name == rel), None)
        if follow is None:
            return found
        address = follow
    raise AssertionError("The pages go round in a circle.")


@pytest.mark.parametrize("what", ["people", "attempts"])
@pytest.mark.parametrize("limit", [7, 100])
def test_lists_of_250_rows_of_one_moment_are_told_completely_forward_and_back(
    what: str, limit: int, course: Course, quiz: ProblemSet, alice: User, client_of: Client
) -> None:
    learners = User.objects.bulk_create(User(username=f"learner-{number}") for number in range(ROWS))
    Enrolment.objects.bulk_create(Enrolment(course=course, user=one, role="learner") for one in learners)
    Attempt.objects.bulk_create(Attempt(problem_set=quiz, learner=one, began_at=NOW) for one in learners)
    for model in (Enrolment, Attempt):
        written_at_one_moment(model)
    client = client_of(alice)
    address = f"{API}/courses/{course.public_id}/people" if what == "people" else attempts(quiz)
    forward = walked(client, f"{address}?limit={limit}", "next")
    told = [row["id" if what == "attempts" else "username"] for _, rows in forward for row in rows]
    assert len(set(told)) == len(told) == (ROWS if what == "attempts" else ROWS + 2)
    back = walked(client, forward[-1][0], "prev")
    again = [row["id" if what == "attempts" else "username"] for _, rows in reversed(back) for row in rows]
    assert again == told


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("make", [issue_token, make_client])
def test_keys_that_are_made_at_once_are_counted_one_after_the_other(
    make: Callable[..., Any], alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (tokens, clients):
        monkeypatch.setattr(module, "MOST_KEYS", 2)
    named = {"name": "One"} if make is make_client else {}

    def press(_: int) -> str:
        try:
            make(user=alice, scopes=["practice"], **named)
        except tokens.KeyRefused as refused:
            return refused.field
        return "made"

    said = Counter(at_once(10, press))
    assert said["made"] == 2 == AccessToken.objects.count() + System.objects.count()
