"""Regrades by REST: a dry run first, then applied and undone; each once, and for whoever may."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from exercises.models import Course, Grading, Problem, ProblemSet, RegradeEvent, SetItem, User
from tests.api.conftest import Client
from tests.exercises.conftest import published
from tests.exercises.courses.world import person
from tests.exercises.regrading.conftest import quiz, wrong
from tests.exercises.regrading.world import MISLED, RIGHT, answered, done, made, place, publish
from tests.exercises.world import MASKED

__all__ = ["published", "quiz", "wrong"]
pytestmark = pytest.mark.usefixtures("servers", "published")
API = "/api/v1"
SAID = {"problem": "masked", "version": 2, "reason": "The key was wrong.", "never_lower": False}


@pytest.fixture
def staff(alice: User, client_of: Client) -> APIClient:
    return client_of(alice)


@pytest.fixture
def sent(course: Course, quiz: ProblemSet, bob: User) -> None:
    """Bob is right and was marked wrong; Dora was led astray by the wrong key. The key is right now."""
    answered(place(bob, quiz), RIGHT)
    answered(place(person(course, "dora").user, quiz), MISLED)
    publish(MASKED)


def regrades(course: Course) -> str:
    return f"{API}/courses/{course.public_id}/regrades"


def work() -> None:
    for event in RegradeEvent.objects.all():
        done(event)


@pytest.mark.usefixtures("sent")
def test_from_the_dry_run_to_the_undoing(course: Course, staff: APIClient) -> None:
    made = staff.post(regrades(course), SAID, format="json")
    assert (made.status_code, made.json()["state"]) == (202, "counting")
    again = staff.post(regrades(course), SAID, format="json")
    assert again["Location"] == made["Location"]
    work()
    ready = staff.get(made["Location"]).json()
    assert (ready["state"], ready["moves"]) == ("ready", {"raised": 1, "lowered": 1, "same": 0, "kept": 0})
    assert Grading.objects.count() == 2

    moves = {row["learner"]: row for row in staff.get(f"{made['Location']}/moves").json()["results"]}
    assert (moves["bob"]["is_raised"], moves["bob"]["item_after"]) == (True, "1")
    [why] = moves["bob"]["why"]
    assert {step["step"] for step in why["steps"]} >= {"total"}
    [raised] = staff.get(f"{made['Location']}/moves?show=raised").json()["results"]
    assert raised == moves["bob"]

    for deed, state in (("apply", "applied"), ("undo", "undone")):
        for _ in range(2):
            assert staff.post(f"{made['Location']}/{deed}").status_code == 202
        work()
        assert staff.get(made["Location"]).json()["state"] == state
    sent = staff.get(f"{API}/courses/{course.public_id}/submissions").json()["results"][0]
    told = staff.get(f"{API}/courses/{course.public_id}/submissions/{sent['id']}").json()["gradings"]
    assert [(one["reason"], one["problem_version"]) for one in told] == [("first", 1), ("regrade", 2), ("undo", 1)]
    assert told[1]["regrade"] == ready["id"]


@pytest.mark.usefixtures("sent")
def test_one_is_called_off_and_then_not_applied(course: Course, staff: APIClient) -> None:
    here = staff.post(regrades(course), SAID, format="json")["Location"]
    assert staff.post(f"{here}/drop").json()["state"] == "dropped"
    refused = staff.post(f"{here}/apply")
    assert (refused.status_code, refused.json()["code"]) == (409, "regrade-refused")
    [row] = staff.get(regrades(course)).json()["results"]
    assert (row["state"], row["problem"], row["version"], row["made_by"]) == ("dropped", "masked", 2, "alice")


@pytest.mark.usefixtures("sent")
@pytest.mark.parametrize(
    ("said", "field"),
    [({"problem": "x"}, "problem"), ({"version": 9}, "version"), ({"reason": " "}, "reason"), ({"digits": 9}, "digits"),
     ({"problem_set": "00000000-0000-4000-8000-000000000000"}, "problem_set"), ({"version": "x"}, "version")],
)  # fmt: skip
def test_what_cannot_be_regraded_is_refused_by_field(
    course: Course, staff: APIClient, said: dict[str, Any], field: str
) -> None:
    answer = staff.post(regrades(course), {**SAID, **said}, format="json")
    assert (answer.status_code, list(answer.json()["errors"])) == (400, [field])
    assert not RegradeEvent.objects.exists()


@pytest.mark.usefixtures("sent")
def test_a_problem_is_found_among_all_that_a_course_has(course: Course, quiz: ProblemSet, staff: APIClient) -> None:
    for title in ("A first one", "Zz"):
        other = Problem.objects.create(slug=title.lower().replace(" ", "-"), title=title)
        SetItem.objects.create(problem_set=quiz, problem=other, position=9)
    answer = staff.post(regrades(course), SAID, format="json")
    assert (answer.status_code, answer.json()["problem"]) == (202, "masked")


@pytest.mark.usefixtures("sent")
def test_rougher_answers_are_accepted_by_a_version_of_its_own(
    course: Course, quiz: ProblemSet, staff: APIClient
) -> None:
    said = {**SAID, "digits": 2, "problem_set": str(quiz.public_id)}
    told = staff.post(regrades(course), said, format="json").json()
    assert (told["version"], told["problem_set"]) == (3, str(quiz.public_id))


@pytest.mark.usefixtures("sent")
@pytest.mark.parametrize("who", ["bob", "charlie", "eve", "erin"])
def test_regrades_are_the_business_of_who_grades(
    course: Course, elsewhere: Course, alice: User, client_of: Client, who: str
) -> None:
    person(course, "eve", "observer")
    here = f"{regrades(course)}/{made(course, alice, publish(MASKED)).public_id}"
    client = client_of(User.objects.get(username=who))
    for address in (regrades(course), here, f"{here}/moves"):
        assert client.get(address).status_code == 404
    assert client.post(regrades(course), SAID, format="json").status_code == 404
    for deed in ("apply", "undo", "drop"):
        assert client.post(f"{here}/{deed}").status_code == 404
    assert RegradeEvent.objects.get().state == "ready"


@pytest.mark.usefixtures("sent")
def test_an_assistant_makes_a_dry_run_and_applies_nothing(
    course: Course, elsewhere: Course, staff: APIClient, client_of: Client
) -> None:
    dave = client_of(person(course, "dave", "assistant").user)
    here = dave.post(regrades(course), SAID, format="json")["Location"]
    work()
    assert dave.get(here).json()["state"] == "ready"
    assert dave.post(f"{here}/apply").status_code == 404
    foreign = here.replace(str(course.public_id), str(elsewhere.public_id))
    assert staff.get(foreign).status_code == 404


@pytest.mark.parametrize("rows", [1, 30])
def test_a_page_of_moves_takes_as_many_queries_however_many(
    course: Course, quiz: ProblemSet, alice: User, staff: APIClient, rows: int
) -> None:
    for number in range(rows):
        answered(place(person(course, f"n{number}").user, quiz), RIGHT)
    here = f"{regrades(course)}/{made(course, alice, publish(MASKED)).public_id}/moves?limit=100"
    staff.get(here)
    with CaptureQueriesContext(connection) as queries:
        assert len(staff.get(here).json()["results"]) == rows
    assert len(queries) == 5
