"""Who finds what of an attempt by REST: its learner, those who teach, and nobody else."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from exercises.models import Attempt, Course, ProblemSet, SavedAnswer, Submission, User
from tests.api.conftest import Client
from tests.api.sat import API, WRONG, attempts, begun, check, item
from tests.exercises.courses.world import NOW, person
from tests.exercises.sitting.world import HALF_AN_HOUR, graded

pytestmark = pytest.mark.usefixtures("servers")


def writes(told: dict[str, Any]) -> list[tuple[str, str, Any]]:
    """Everything that can be asked of an attempt by its learner."""
    here = item(told)
    variant = told["places"][0]["variant"]
    return [
        ("get", f"{API}/attempts/{told['id']}", None),
        ("get", f"{API}/attempts/{told['id']}/receipt", None),
        ("post", f"{API}/attempts/{told['id']}/hand-in", {}),
        ("get", here, None),
        ("get", f"{here}/answers", None),
        ("put", f"{here}/answers", {"answers": {"p": "1"}}),
        ("post", f"{here}/check", {"answers": {"p": "1"}, "variant": variant}),
        ("post", f"{here}/variants", {"after": variant}),
        ("post", f"{here}/hints", {"variant": variant, "step": "p"}),
        ("post", f"{here}/asides/1", {"take_up": True}),
        ("get", f"{here}/reports", None),
        ("post", f"{here}/reports", {"text": "x"}),
    ]


@pytest.mark.parametrize("who", ["charlie", "dora", "eve", "erin"])
def test_nobody_else_finds_anything_of_an_attempt(
    quiz: ProblemSet, course: Course, elsewhere: Course, charlie: User, api: APIClient, client_of: Client, who: str
) -> None:
    """Another learner of the course, an observer of it, and people of another course."""
    person(course, "dora")
    person(course, "eve", "observer")
    told = begun(api, quiz)
    check(api, item(told), WRONG)
    client = client_of(User.objects.get(username=who))
    before = (Submission.objects.count(), SavedAnswer.objects.count())
    for method, address, body in writes(told):
        answer = getattr(client, method)(address, body, format="json", headers={"If-Match": "*"})
        assert answer.status_code == 404, (method, address)
    seen = client.get(attempts(quiz))
    assert seen.status_code == 404 or seen.json()["results"] == []
    assert Attempt.objects.get().handed_in_at is None
    assert (Submission.objects.count(), SavedAnswer.objects.count()) == before


@pytest.mark.parametrize("name", ["alice", "dave"])
def test_staff_read_and_do_nothing_for_a_learner(
    quiz: ProblemSet, course: Course, api: APIClient, client_of: Client, name: str
) -> None:
    person(course, "dave", "assistant")
    told = begun(api, quiz)
    check(api, item(told), WRONG)
    graded()
    staff = client_of(User.objects.get(username=name))
    [row] = staff.get(attempts(quiz)).json()["results"]
    assert (row["learner"], row["id"]) == ("bob", told["id"])
    assert staff.get(item(told)).json()["marks"]["loss"]["outcome"] == "wrong"
    for method, address, body in writes(told):
        if method != "get" or address.endswith(("/answers", "/reports")):
            answer = getattr(staff, method)(address, body, format="json", headers={"If-Match": "*"})
            assert answer.status_code == 404, address


def test_a_preview_is_in_no_list_and_nobody_elses(
    quiz: ProblemSet, course: Course, alice: User, api: APIClient, client_of: Client
) -> None:
    staff = client_of(alice)
    made = staff.post(attempts(quiz), {"is_preview": True}, format="json")
    assert (made.status_code, made.json()["is_preview"]) == (201, True)
    assert staff.get(attempts(quiz)).json()["results"] == []
    dave = person(course, "dave", "assistant").user
    assert client_of(dave).get(made["Location"]).status_code == 404
    assert api.post(attempts(quiz), {"is_preview": True}, format="json").status_code == 404
    assert staff.post(attempts(quiz)).status_code == 404


def test_scopes_and_limits_narrow_what_a_key_opens(
    quiz: ProblemSet, course: Course, bob: User, alice: User, api: APIClient, client_of: Client
) -> None:
    told = begun(api, quiz)
    here = f"{API}/attempts/{told['id']}"
    narrow = client_of(bob, "attempts.read").get(here)
    assert (narrow.status_code, narrow.json()["code"]) == (403, "insufficient-scope")
    assert 'scope="practice"' in narrow["WWW-Authenticate"]
    assert client_of(alice, "practice").get(here).status_code == 403
    assert client_of(alice, "practice").get(attempts(quiz)).status_code == 403
    assert client_of(alice, "attempts.read").get(here).status_code == 200
    other = Course.objects.create(title="Other")
    person(other, "x", "instructor")
    other.enrolments.create(user=alice, role="instructor")
    other.enrolments.create(user=bob)
    for user in (alice, bob):
        limited = client_of(user, course=other)  # type: ignore[call-arg]
        for method, address, body in writes(told):
            assert getattr(limited, method)(address, body, format="json").status_code == 404, address
        assert limited.get(attempts(quiz)).status_code == 404


def test_a_receipt_is_verified_by_its_code(
    quiz: ProblemSet, alice: User, charlie: User, api: APIClient, client_of: Client
) -> None:
    told = begun(api, quiz)
    code = api.post(f"{API}/attempts/{told['id']}/hand-in").json()["receipt"]
    shown = client_of(alice).get(f"{API}/receipts/{code.lower()}").json()
    assert (shown["attempt"], shown["learner"], shown["is_genuine"]) == (told["id"], "bob", True)
    assert api.get(f"{API}/receipts/{code}").status_code == 404
    assert client_of(charlie).get(f"{API}/receipts/{code}").status_code == 404
    for wrong in ("AAAA-BBBB", "%00", "x" * 200):
        assert client_of(alice).get(f"{API}/receipts/{wrong}").status_code == 404
    Attempt.objects.update(handed_in_at=NOW + HALF_AN_HOUR)
    assert client_of(alice).get(f"{API}/receipts/{code}").json()["is_genuine"] is False


def test_changes_are_seen_from_a_moment_on(quiz: ProblemSet, alice: User, api: APIClient, client_of: Client) -> None:
    told, staff = begun(api, quiz), client_of(alice)
    [row] = staff.get(attempts(quiz)).json()["results"]
    api.post(f"{API}/attempts/{told['id']}/hand-in")
    [later] = staff.get(attempts(quiz), {"updated_since": row["updated_at"]}).json()["results"]
    assert (later["state"], later["updated_at"] > row["updated_at"]) == ("handed-in", True)
    assert staff.get(attempts(quiz), {"updated_since": "2026-11-30T08:00:00"}).status_code == 400
