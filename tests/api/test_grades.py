"""Grades by REST, what was sent for them, and what people decide about them."""

from fractions import Fraction
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from exercises import clock
from exercises.models import Attempt, AuditEntry, Course, Override, Problem, ProblemSet, Ruling, User
from tests.api.conftest import Client
from tests.exercises.courses.sat import ALL, HALF, LOG2, begun, handed_in, marked
from tests.exercises.courses.world import NOW, person, problem_set

pytestmark = pytest.mark.usefixtures("servers")
API = "/api/v1"


@pytest.fixture(autouse=True)
def _now() -> Any:
    with clock.at(NOW):
        yield


@pytest.fixture
def quiz(course: Course, problem: Problem) -> ProblemSet:
    return problem_set(course, "quiz", problem, problem, weights=("3", "1"))


@pytest.fixture
def attempt(quiz: ProblemSet, bob: User) -> Attempt:
    """Half of the first item, which weighs 3 of 4."""
    return handed_in(marked(begun(quiz, bob), HALF))


@pytest.fixture
def staff(alice: User, client_of: Client) -> APIClient:
    return client_of(alice)


def of_set(quiz: ProblemSet, room: str) -> str:
    return f"{API}/problem-sets/{quiz.public_id}/{room}"


def score(staff: APIClient, quiz: ProblemSet) -> str:
    [row] = staff.get(of_set(quiz, "grades")).json()["results"]
    found: str = row["score"]
    return found


def test_grades_are_exact_and_in_words(course: Course, quiz: ProblemSet, attempt: Attempt, staff: APIClient) -> None:
    dora_there = person(course, "dora")
    dora_there.external_id = "7"
    dora_there.save()
    bob, dora = staff.get(f"{API}/courses/{course.public_id}/grades").json()["results"]
    [grade] = bob["grades"]
    assert (grade["score"], grade["percent"], grade["points"], grade["out_of"]) == ("3/8", "37.5 %", "3/2", "4")
    assert (grade["attempt"], grade["state"]) == (str(attempt.public_id), "handed-in")
    assert (dora["learner"], dora["external_id"], dora["grades"][0]["state"]) == ("dora", "7", "not-begun")
    assert (dora["grades"][0]["score"], dora["grades"][0]["percent"]) == (None, None)

    bob, dora = staff.get(of_set(quiz, "grades")).json()["results"]
    assert (bob["score"], [item["score"] for item in bob["items"]]) == ("3/8", ["1/2", "0"])
    assert dora["items"] == []


def test_grades_of_a_group_and_of_who_left(course: Course, quiz: ProblemSet, staff: APIClient) -> None:
    group = course.groups.create(name="Monday")
    person(course, "dora").groups.add(group)
    person(course, "emil", dropped_at=NOW)
    address = f"{API}/courses/{course.public_id}/grades"

    def names(**query: Any) -> list[str]:
        return [row["learner"] for row in staff.get(address, query).json()["results"]]

    assert names() == ["bob", "dora"]
    assert names(group=group.pk) == ["dora"]
    assert names(dropped=True) == ["bob", "dora", "emil"]
    assert staff.get(address, {"group": "x"}).status_code == 400


@pytest.mark.parametrize("room", ["courses", "problem-sets"])
@pytest.mark.parametrize("rows", [1, 30])
def test_a_page_of_grades_takes_as_many_queries_however_many(
    course: Course, quiz: ProblemSet, attempt: Attempt, staff: APIClient, room: str, rows: int
) -> None:
    for number in range(rows):
        begun(quiz, person(course, f"n{number}").user)
    address = f"{API}/{room}/{(course if room == 'courses' else quiz).public_id}/grades?limit=100"
    staff.get(address)
    with CaptureQueriesContext(connection) as queries:
        assert len(staff.get(address).json()["results"]) == rows + 1
    assert len(queries) == {"courses": 10, "problem-sets": 12}[room], len(queries)


def test_a_score_by_hand_is_tried_set_and_taken_back(quiz: ProblemSet, attempt: Attempt, staff: APIClient) -> None:
    address = of_set(quiz, "overrides")
    said = {"learner": "bob", "score": "75 %", "reason": "A good reason."}
    dry = staff.post(address, {**said, "dry_run": True}, format="json")
    assert (dry.status_code, dry.json()["override"]) == (200, None)
    assert dry.json()["moves"]["listed"] == [
        {"learner": "bob", "name": "bob", "before": "3/8", "after": "3/4", "item_before": None, "item_after": None}
    ]
    assert (score(staff, quiz), Override.objects.count(), AuditEntry.objects.count()) == ("3/8", 0, 0)

    made = staff.post(address, said, format="json")
    assert (made.status_code, made.json()["override"]["score"], score(staff, quiz)) == (201, "3/4", "3/4")
    first = made.json()["override"]["id"]
    assert staff.post(address, {**said, "score": "1"}, format="json").status_code == 412
    second = staff.post(address, {**said, "score": "1", "seen": first}, format="json").json()["override"]
    [row] = staff.get(address).json()["results"]
    assert (row["id"], row["reason"], row["given_by"], row["item"]) == (second["id"], "A good reason.", "alice", None)

    withdraw = f"{address}/{second['id']}/withdraw"
    assert staff.post(withdraw, {"dry_run": True}, format="json").json()["moves"]["lowered"] == 1
    assert list(staff.post(withdraw, {}, format="json").json()["errors"]) == ["reason"]
    back = staff.post(withdraw, {"reason": "No."}, format="json").json()["override"]
    assert (back["withdrawn_at"] is not None, score(staff, quiz)) == (True, "3/8")
    assert staff.get(address).json()["results"] == []
    assert staff.get(f"{address}?learner=nobody").json()["results"] == []


def test_a_step_by_hand(quiz: ProblemSet, attempt: Attempt, staff: APIClient) -> None:
    item = quiz.items.order_by("position").first()
    assert item is not None
    said = {"learner": "bob", "item": item.pk, "step": "loss", "score": "1", "reason": "Shown on paper."}
    assert staff.post(of_set(quiz, "overrides"), said, format="json").status_code == 201
    assert score(staff, quiz) == "3/4"
    for wrong in ({"item": 10**6}, {"item": 2**70}, {"learner": "alice"}, {"learner": "charlie"}):
        assert staff.post(of_set(quiz, "overrides"), {**said, **wrong}, format="json").status_code == 404, wrong


@pytest.mark.parametrize(
    ("wrong", "field"),
    [({"score": "120 %"}, "score"), ({"score": "x"}, "score"), ({"reason": " "}, "reason"),
     ({"learner": "\0"}, "learner"), ({"item": "x"}, "item"), ({"score": None}, "score"),
     ({"reason": "x" * 501}, "reason")],
)  # fmt: skip
def test_what_is_no_score_is_refused_by_field(quiz: ProblemSet, staff: APIClient, wrong: Any, field: str) -> None:
    said = {"learner": "bob", "score": "1", "reason": "x", **wrong}
    answer = staff.post(of_set(quiz, "overrides"), said, format="json")
    assert (answer.status_code, list(answer.json()["errors"])) == (400, [field])
    assert not Override.objects.exists()


def test_a_mistake_is_accepted_for_all_and_that_is_taken_back(quiz: ProblemSet, bob: User, staff: APIClient) -> None:
    handed_in(marked(begun(quiz, bob), LOG2))
    before = score(staff, quiz)
    item = quiz.items.order_by("position").first()
    assert item is not None
    said = {"item": item.pk, "kind": "accept", "step": "loss", "note": "loss.log2", "reason": "It was not said."}
    dry = staff.post(of_set(quiz, "rulings"), {**said, "dry_run": True}, format="json").json()
    assert (dry["moves"]["raised"], dry["ruling"], Ruling.objects.count()) == (1, None, 0)
    made = staff.post(of_set(quiz, "rulings"), said, format="json").json()["ruling"]
    assert made["applied_at"]
    assert "loss.log2" in made["words"]
    assert Fraction(score(staff, quiz)) > Fraction(before)
    withdraw = f"{of_set(quiz, 'rulings')}/{made['id']}/withdraw"
    assert staff.post(withdraw, {"reason": "It was."}, format="json").json()["ruling"]["withdrawn_at"]
    assert score(staff, quiz) == before
    [row] = staff.get(of_set(quiz, "rulings")).json()["results"]
    assert (row["reason"], row["given_by"]) == ("It was not said.", "alice")
    assert staff.post(of_set(quiz, "rulings"), {**said, "kind": "praise"}, format="json").status_code == 400


def test_an_attempt_counts_as_handed_in_at_another_time(
    course: Course, problem: Problem, bob: User, staff: APIClient
) -> None:
    late = problem_set(course, "quiz", problem, due_at=NOW, late=["1/2"], closes_at=None)
    done = handed_in(marked(begun(late, bob), ALL, at=NOW), at=NOW)
    address = f"{API}/attempts/{done.public_id}/count-as"
    with clock.at(NOW.replace(hour=18)):
        said = {"at": NOW.replace(hour=15).isoformat(), "reason": "It came by mail."}
        dry = staff.post(address, {**said, "dry_run": True}, format="json").json()
        assert (dry["attempt"]["count_as_at"], dry["moves"]["looked_at"]) == (None, 1)
        told = staff.post(address, said, format="json").json()
        assert (told["moves"], told["attempt"]["count_as_at"]) == (None, f"{NOW:%Y-%m-%d}T15:00:00Z")
        assert (
            staff.post(address, {"at": None, "reason": "No."}, format="json").json()["attempt"]["count_as_at"] is None
        )
        future = staff.post(address, {"at": "2030-01-01T00:00:00Z", "reason": "x"}, format="json")
        assert (future.status_code, list(future.json()["errors"])) == (400, ["at"])


def test_more_attempts_are_granted_once(quiz: ProblemSet, attempt: Attempt, staff: APIClient) -> None:
    address = of_set(quiz, "granted-attempts")
    said = {"learner": "bob", "granted": 1, "reason": "A power cut."}
    dry = staff.post(address, {**said, "dry_run": True}, format="json").json()
    assert dry == {"learner": "bob", "attempts_before": 1, "attempts": 2}
    assert not quiz.extensions.exists()
    assert staff.post(address, said, format="json").json()["attempts"] == 2
    assert staff.post(address, said, format="json").json() == {"learner": "bob", "attempts_before": 2, "attempts": 2}
    assert staff.post(address, {**said, "learner": "alice"}, format="json").status_code == 404
    assert list(staff.post(address, {**said, "granted": 0}, format="json").json()["errors"]) == ["granted"]
    assert list(staff.post(address, {"learner": "bob", "granted": 2}, format="json").json()["errors"]) == ["reason"]


def test_one_more_attempt_begins_only_where_it_is_meant(
    quiz: ProblemSet, attempt: Attempt, bob: User, staff: APIClient, client_of: Client
) -> None:
    api, address = client_of(bob), of_set(quiz, "attempts")
    assert api.post(address).json()["id"] == str(attempt.public_id)
    granted = {"learner": "bob", "granted": 1, "reason": "A power cut."}
    assert staff.post(of_set(quiz, "granted-attempts"), granted, format="json").status_code == 200
    refused = api.post(address)
    assert (refused.status_code, refused.json()["code"]) == (409, "number-wanted")
    again = api.post(address, {"number": 2}, format="json")
    assert (again.status_code, again.json()["number"]) == (201, 2)
    assert api.post(address).json()["id"] == again.json()["id"]


def test_what_was_sent_is_read_with_every_judgement(
    course: Course, quiz: ProblemSet, attempt: Attempt, staff: APIClient
) -> None:
    address = f"{API}/courses/{course.public_id}/submissions"
    marked(begun(quiz, person(course, "dora").user), ALL, position=2)
    mine, hers = staff.get(address).json()["results"]
    assert (mine["learner"], mine["position"], mine["score"], mine["percent"]) == ("bob", 1, "1/2", "50 %")
    assert (hers["learner"], hers["position"], hers["verdict"]["score"]) == ("dora", 2, "1")
    for query, learners in (
        ({"learner": "dora"}, ["dora"]), ({"problem": "masked"}, ["bob", "dora"]), ({"problem": "x"}, []),
        ({"problem_set": str(quiz.public_id), "state": "graded", "limit": 1}, ["bob"]), ({"state": "pending"}, []),
    ):  # fmt: skip
        assert [row["learner"] for row in staff.get(address, query).json()["results"]] == learners
    assert staff.get(address, {"state": "lost"}).status_code == 400
    whole = staff.get(f"{address}/{mine['id']}").json()
    [first] = whole["gradings"]
    assert (first["reason"], first["problem_version"], first["regrade"], first["score"]) == ("first", 1, None, "1/2")
    [row] = staff.get(f"{API}/attempts/{attempt.public_id}/submissions").json()["results"]
    assert row == mine


@pytest.mark.parametrize("rows", [1, 30])
def test_a_page_of_submissions_takes_as_many_queries_however_many(
    course: Course, quiz: ProblemSet, staff: APIClient, rows: int
) -> None:
    for number in range(rows):
        marked(begun(quiz, person(course, f"n{number}").user), HALF)
    address = f"{API}/courses/{course.public_id}/submissions?limit=100"
    staff.get(address)
    with CaptureQueriesContext(connection) as queries:
        assert len(staff.get(address).json()["results"]) == rows
    assert len(queries) == 4


def reads(course: Course, quiz: ProblemSet, attempt: Attempt) -> list[str]:
    """Every address that tells of learners' grades and work."""
    sent = attempt.items.get(position=1).variants.get().submissions.get()
    return [
        f"{API}/courses/{course.public_id}/grades", of_set(quiz, "grades"), of_set(quiz, "overrides"),
        of_set(quiz, "rulings"), f"{API}/courses/{course.public_id}/submissions",
        f"{API}/courses/{course.public_id}/submissions/{sent.public_id}",
        f"{API}/attempts/{attempt.public_id}/submissions",
    ]  # fmt: skip


@pytest.mark.parametrize("who", ["bob", "charlie", "eve", "erin"])
def test_nobody_but_staff_reads_or_decides(
    course: Course, elsewhere: Course, quiz: ProblemSet, attempt: Attempt, client_of: Client, who: str
) -> None:
    """The learner themselves, people of another course, and who only observes."""
    person(course, "eve", "observer")
    client = client_of(User.objects.get(username=who))
    for address in reads(course, quiz, attempt):
        assert client.get(address).status_code == 404, address
    said = {"learner": "bob", "score": "1", "reason": "x", "granted": 1, "at": None, "item": 1, "kind": "discount"}
    for address in (
        of_set(quiz, "overrides"), of_set(quiz, "rulings"), of_set(quiz, "granted-attempts"),
        f"{API}/attempts/{attempt.public_id}/count-as", f"{of_set(quiz, 'overrides')}/1/withdraw",
    ):  # fmt: skip
        assert client.post(address, said, format="json").status_code == 404, address
    assert not Override.objects.exists()


def test_a_narrow_key_reads_or_decides_no_more_than_it_says(
    course: Course, quiz: ProblemSet, attempt: Attempt, alice: User, client_of: Client
) -> None:
    reader, other = client_of(alice, "grades.read"), Course.objects.create(title="Other")
    other.enrolments.create(user=alice, role="instructor")
    said = {"learner": "bob", "score": "1", "reason": "x"}
    refused = reader.post(of_set(quiz, "overrides"), said, format="json")
    assert (refused.status_code, refused.json()["code"]) == (403, "insufficient-scope")
    assert reader.get(f"{API}/courses/{course.public_id}/submissions").status_code == 403
    limited = client_of(alice, course=other)  # type: ignore[call-arg]
    for address in reads(course, quiz, attempt):
        assert limited.get(address).status_code == 404, address
    assert limited.post(of_set(quiz, "overrides"), said, format="json").status_code == 404


def test_an_assistant_decides(course: Course, quiz: ProblemSet, attempt: Attempt, client_of: Client) -> None:
    dave = client_of(person(course, "dave", "assistant").user)
    said = {"learner": "bob", "score": "1", "reason": "x"}
    assert dave.post(of_set(quiz, "overrides"), said, format="json").status_code == 201
