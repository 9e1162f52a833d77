"""Statistics, mastery and fault reports by REST."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from exercises import clock
from exercises.actions import report_fault
from exercises.models import Course, FaultReport, Figures, Problem, ProblemSet, User, Variant
from exercises.tasks import work_on_figures
from tests.api.conftest import Client
from tests.exercises.courses.sat import ALL, NO_EXP, begun, handed_in, marked
from tests.exercises.courses.world import NOW, person, problem_set

pytestmark = pytest.mark.usefixtures("servers")
API = "/api/v1"


@pytest.fixture
def quiz(course: Course, problem: Problem) -> ProblemSet:
    return problem_set(course, "quiz", problem)


@pytest.fixture
def staff(alice: User, client_of: Client) -> APIClient:
    return client_of(alice)


def of_course(course: Course, room: str) -> str:
    return f"{API}/courses/{course.public_id}/{room}"


def sit(course: Course, quiz: ProblemSet, *tries: dict[str, Any]) -> None:
    for number, answers in enumerate(tries):
        handed_in(marked(begun(quiz, person(course, f"n{number}").user), answers))


def figured() -> None:
    for row in Figures.objects.exclude(wanted_at=None):
        work_on_figures(row.pk)


def test_figures_are_asked_for_worked_out_and_read(course: Course, quiz: ProblemSet, staff: APIClient) -> None:
    with clock.at(NOW):
        sit(course, quiz, ALL, NO_EXP, NO_EXP)
        address = f"{API}/problem-sets/{quiz.public_id}/statistics"
        [item] = staff.get(address).json()["items"]
        assert (item["problem"], item["learners"], item["facility"]) == ("masked", 0, None)
        wanted = staff.post(address)
        assert (wanted.status_code, wanted.json()["is_going_on"]) == (202, True)
        staff.post(of_course(course, "statistics"))
        figured()
        told = staff.get(address).json()
        [item] = told["items"]
        assert (told["is_going_on"], told["computed_at"] is not None, item["learners"]) == (False, True, 3)
        assert [(note["note"], note["made"], note["possible"]) for note in item["notes"]] == [("p.no-exp", 2, 3)]
        whole = staff.get(of_course(course, "statistics")).json()
        assert whole["learners"] == 4
        assert sum(whole["skills"][0]["levels"].values()) == 4


def test_small_counts_are_told_to_nobody_who_may_not_read_work(
    course: Course, quiz: ProblemSet, staff: APIClient, client_of: Client
) -> None:
    eve = client_of(person(course, "eve", "observer").user)
    with clock.at(NOW):
        sit(course, quiz, ALL, NO_EXP, NO_EXP)
        address = f"{API}/problem-sets/{quiz.public_id}/statistics"
        for asked in (address, of_course(course, "statistics")):
            staff.post(asked)
        figured()
        [item] = eve.get(address).json()["items"]
        assert (item["learners"], item["facility"], item["notes"], item["steps"]) == (None, None, [], [])
        whole = eve.get(of_course(course, "statistics")).json()
        assert whole["mistakes"] == []
        counts = [count for skill in whole["skills"] for count in (*skill["levels"].values(), skill["due"])]
        assert None in counts
        assert not {1, 2, 3, 4} & set(counts)
        assert eve.post(address).status_code == 404
        assert eve.get(of_course(course, "mastery")).status_code == 404


@pytest.mark.parametrize("rows", [1, 30])
def test_mastery_takes_as_many_queries_however_many_learners(course: Course, staff: APIClient, rows: int) -> None:
    for number in range(rows):
        person(course, f"n{number}")
    address = of_course(course, "mastery?limit=100")
    staff.get(address)
    with CaptureQueriesContext(connection) as queries:
        found = staff.get(address).json()["results"]
    assert (len(found), found[0]["learner"], found[0]["skills"][0]["level"]) == (rows + 1, "bob", "not-started")
    assert len(queries) == 5


@pytest.mark.parametrize("who", ["bob", "charlie", "erin"])
def test_statistics_are_the_business_of_staff(
    course: Course, elsewhere: Course, quiz: ProblemSet, client_of: Client, who: str
) -> None:
    client = client_of(User.objects.get(username=who))
    for address in (
        of_course(course, "statistics"), of_course(course, "mastery"), f"{API}/problem-sets/{quiz.public_id}/statistics"
    ):  # fmt: skip
        assert client.get(address).status_code == 404
        assert client.post(address).status_code in (404, 405)
    assert not Figures.objects.exists()


def test_a_report_is_read_and_settled(
    course: Course, variant: Variant, bob: User, charlie: User, staff: APIClient, client_of: Client
) -> None:
    report = report_fault(learner=bob, variant=variant, text="The sky is no word.")
    [row] = staff.get(f"{API}/fault-reports").json()["results"]
    assert (row["learner"], row["problem"], row["text"]) == ("bob", "masked", "The sky is no word.")
    address = f"{API}/fault-reports/{report.pk}"
    read = staff.get(address)
    said = {"reply": "It is one now."}
    assert staff.put(address, said, format="json").status_code == 428
    first = staff.put(address, said, format="json", headers={"If-Match": read["ETag"]})
    assert (first.status_code, first.json()["reply"]) == (200, "It is one now.")
    stale = staff.put(address, {"reply": "No."}, format="json", headers={"If-Match": read["ETag"]})
    assert stale.status_code == 412
    assert staff.put(address, {"reply": "No."}, format="json", headers={"If-Match": first["ETag"]}).status_code == 200
    for user in (bob, charlie):
        client = client_of(user)
        assert client.get(f"{API}/fault-reports").json()["results"] == []
        assert client.get(address).status_code == 404
        assert client.put(address, said, format="json", headers={"If-Match": "*"}).status_code == 404
    assert FaultReport.objects.get().reply == "No."
    assert staff.get(f"{API}/fault-reports/{10**30}").status_code == 404
