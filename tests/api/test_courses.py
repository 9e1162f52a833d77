"""Courses, their people, groups and jobs, as programs meet them."""

import json
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext

from exercises.actions import jobs
from exercises.actions.jobs import MOST_OPEN, MOST_TRIES
from exercises.models import AuditEntry, Course, Enrolment, Job, User
from exercises.tasks import work_on_jobs
from tests.api.conftest import Client

pytestmark = pytest.mark.django_db
COURSES = "/api/v1/courses"


def people(course: Course) -> str:
    return f"{COURSES}/{course.public_id}/people"


def roster_job(client: Any, course: Course, text: str, **options: Any) -> dict[str, Any]:
    """What came of a roster that was sent."""
    made = client.post(f"{COURSES}/{course.public_id}/jobs", {"kind": "roster", "text": text, **options}, format="json")
    assert made.status_code == 202, made.json()
    assert made.json()["state"] == "waiting"
    work_on_jobs()
    return dict(client.get(made["Location"]).json())


def test_a_course_is_made_changed_and_put_away(alice: User, client_of: Client) -> None:
    client = client_of(alice)
    made = client.post(COURSES, {"title": "BERT again", "time_zone": "Europe/Berlin"}, format="json")
    assert (made.status_code, made.json()["role"], made.json()["external_id"]) == (201, "instructor", None)
    address, tag = made["Location"], made["ETag"]
    assert client.patch(address, {"term": "Summer"}, format="json").status_code == 428
    changed = client.patch(address, {"term": "Summer"}, format="json", headers={"If-Match": tag})
    assert (changed.json()["term"], changed.json()["title"]) == ("Summer", "BERT again")
    stale = client.patch(address, {"term": "Winter"}, format="json", headers={"If-Match": tag})
    assert stale.status_code == 412
    assert client.get(address, headers={"If-None-Match": changed["ETag"]}).status_code == 304
    away = client.patch(address, {"is_archived": True}, format="json", headers={"If-Match": "*"})
    assert away.json()["archived_at"]
    assert list(AuditEntry.objects.order_by("pk").values_list("deed", flat=True)) == [
        "course-made", "course-edited", "archived",
    ]  # fmt: skip


def test_a_course_by_its_own_name_is_made_once_and_then_changed(alice: User, charlie: User, client_of: Client) -> None:
    client = client_of(alice)
    address = f"{COURSES}/ext:CS-101 (a)"
    first = client.put(address, {"title": "One"}, format="json")
    second = client.put(address, {"title": "Two"}, format="json")
    assert (first.status_code, second.status_code) == (201, 200)
    assert first.json()["id"] == second.json()["id"]
    assert (second.json()["title"], second.json()["external_id"]) == ("Two", "CS-101 (a)")
    assert client.get(address).json()["title"] == "Two"
    assert client_of(charlie).get(address).status_code == 404


def test_who_does_not_teach_makes_no_course(bob: User, client_of: Client) -> None:
    answer = client_of(bob).post(COURSES, {"title": "Mine"}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (400, "course-refused")


@pytest.mark.parametrize("fields", [{"title": ""}, {"title": "x", "time_zone": "CET"}, {"title": "x" * 201}, {}])
def test_a_course_that_will_not_do_is_refused_in_words(alice: User, client_of: Client, fields: dict[str, str]) -> None:
    answer = client_of(alice).post(COURSES, fields, format="json")
    assert answer.status_code == 400
    assert answer.json()["detail"]


def test_only_own_courses_are_listed(course: Course, bob: User, charlie: User, client_of: Client) -> None:
    assert [(row["title"], row["role"]) for row in client_of(bob).get(COURSES).json()["results"]] == [
        ("BERT by hand", "learner")
    ]
    assert client_of(charlie).get(COURSES).json()["results"] == []
    assert client_of(charlie).get(f"{COURSES}/{course.public_id}").status_code == 404


def test_a_key_for_one_course_sees_that_one(course: Course, alice: User, client_of: Client) -> None:
    other = Course.objects.create(title="Other")
    Enrolment.objects.create(course=other, user=alice, role="instructor")
    client = client_of(alice, course=course)  # type: ignore[call-arg]
    assert [row["title"] for row in client.get(COURSES).json()["results"]] == ["BERT by hand"]
    assert client.get(f"{COURSES}/{other.public_id}").status_code == 404
    assert client.post(COURSES, {"title": "New"}, format="json").status_code == 403


def test_somebody_comes_in_is_changed_and_goes(course: Course, alice: User, client_of: Client) -> None:
    client = client_of(alice)
    new = {"email": "dora@example.org", "name": "Dora", "external_id": "7", "groups": ["Monday"]}
    made = client.post(people(course), new, format="json")
    assert (made.status_code, made.json()["role"], made.json()["groups"]) == (201, "learner", ["Monday"])
    assert not User.objects.get(email="dora@example.org").has_usable_password()
    address = f"{people(course)}/ext:7"
    changed = client.put(address, {"role": "assistant", "time_factor": "1.50"}, format="json").json()
    assert (changed["role"], changed["time_factor"], changed["name"], changed["groups"]) == (
        "assistant", "1.50", "Dora", ["Monday"],
    )  # fmt: skip
    assert client.put(address, {"groups": []}, format="json").json()["groups"] == []
    assert client.delete(address).status_code == 204
    assert client.get(made["Location"]).json()["dropped_at"]
    back = client.put(made["Location"], {}, format="json").json()
    # As by a roster: who comes back is a learner unless something else is said.
    assert (back["dropped_at"], back["role"]) == (None, "learner")


def test_sent_twice_somebody_is_there_once(course: Course, alice: User, client_of: Client) -> None:
    client = client_of(alice)
    for _ in range(2):
        answer = client.put(f"{people(course)}/ext:42", {"email": "emil@example.org"}, format="json")
        assert answer.status_code == 200
    assert Enrolment.objects.filter(course=course, external_id="42").count() == 1
    assert AuditEntry.objects.filter(deed="roster-added").count() == 1


@pytest.mark.parametrize(
    ("who", "said"),
    [
        ("ext:9", {"name": "Nobody knows who"}), ("dora", {"role": "king"}), ("dora", {"email": "no address"}),
        ("dora smith", {}), ("dora", {"time_factor": "20"}), ("dora", {"groups": ["a|b"]}), ("dora", {"name": "\0"}),
    ],
)  # fmt: skip
def test_what_no_roster_would_take_is_refused(
    course: Course, alice: User, client_of: Client, who: str, said: dict[str, Any]
) -> None:
    answer = client_of(alice).put(f"{people(course)}/{who}", said, format="json")
    assert answer.status_code in (400, 404)
    assert answer.json()["detail"]
    assert Enrolment.objects.filter(course=course).count() == 2


@pytest.mark.parametrize("name", ["bob", "charlie"])
def test_people_are_the_business_of_staff(
    course: Course, request: pytest.FixtureRequest, client_of: Client, name: str
) -> None:
    client = client_of(request.getfixturevalue(name))
    assert client.get(people(course)).status_code == 404
    assert client.put(f"{people(course)}/charlie", {"role": "instructor"}, format="json").status_code == 404
    assert client.delete(f"{people(course)}/bob").status_code == 404
    assert client.get(f"{COURSES}/{course.public_id}/groups").status_code == 404
    assert client.get(f"{COURSES}/{course.public_id}/jobs").status_code == 404


def test_an_email_that_nobody_has_proven_opens_no_role(
    course: Course, alice: User, client_of: Client, client: Any
) -> None:
    said = {
        "username": "mallory",
        "email": "ta@example.org",
        "password1": "long pass 8812x",
        "password2": "long pass 8812x",
    }
    assert client.post("/accounts/signup/", said).status_code == 302
    answer = client_of(alice).post(people(course), {"email": "ta@example.org", "role": "assistant"}, format="json")
    assert (answer.status_code, "write the username" in answer.json()["detail"]) == (400, True)
    job = roster_job(client_of(alice), course, "email,role\nta@example.org,instructor\n", dry_run=True)
    assert "write the username" in job["report"]["faults"][0]["message"]
    assert not Enrolment.objects.filter(user__username="mallory").exists()
    named = client_of(alice).put(f"{people(course)}/mallory", {"role": "assistant"}, format="json")
    assert named.json()["role"] == "assistant"


def test_the_last_instructor_stays(course: Course, alice: User, client_of: Client) -> None:
    answer = client_of(alice).delete(f"{people(course)}/alice")
    assert (answer.status_code, answer.json()["code"]) == (400, "course-refused")


def test_a_role_is_changed_where_one_person_is_named_and_by_no_list(
    course: Course, alice: User, client_of: Client
) -> None:
    client = client_of(alice)
    assert client.put(f"{people(course)}/bob", {"role": "assistant"}, format="json").json()["role"] == "assistant"
    again = client.post(people(course), {"username": "bob", "role": "learner"}, format="json")
    assert again.json()["role"] == "assistant"
    roster_job(client, course, "username,role\nbob,learner\n")
    assert client.get(f"{people(course)}/bob").json()["role"] == "assistant"
    # What is not said stays, and what is said holds.
    assert client.put(f"{people(course)}/bob", {"name": "Bob"}, format="json").json()["role"] == "assistant"
    assert client.put(f"{people(course)}/bob", {"role": "learner"}, format="json").json()["role"] == "learner"
    last = client.put(f"{people(course)}/alice", {"role": "learner", "name": "Not kept"}, format="json")
    assert (last.status_code, last.json()["code"]) == (400, "course-refused")
    assert Enrolment.objects.get(course=course, user=alice).name == ""


def test_a_number_of_nothing_names_nobody(course: Course, alice: User, client_of: Client) -> None:
    answer = client_of(alice).put(f"{people(course)}/ext:", {"username": "bob", "name": "Robert"}, format="json")
    assert answer.status_code == 404
    assert not Enrolment.objects.filter(course=course, name="Robert").exists()


def test_groups_are_made_renamed_and_deleted(course: Course, alice: User, client_of: Client) -> None:
    client = client_of(alice)
    groups = f"{COURSES}/{course.public_id}/groups"
    made = client.post(groups, {"name": "Monday"}, format="json").json()
    assert client.patch(f"{groups}/{made['id']}", {"name": "Tuesday"}, format="json").status_code == 204
    assert client.get(groups).json()["results"] == [{"id": made["id"], "name": "Tuesday", "present": 0}]
    assert client.delete(f"{groups}/{made['id']}").status_code == 204
    assert client.get(groups).json()["results"] == []


@pytest.mark.parametrize("rows", [1, 30])
def test_a_page_of_people_takes_as_many_queries_however_many(
    course: Course, alice: User, client_of: Client, rows: int
) -> None:
    client = client_of(alice)
    for number in range(rows):
        Enrolment.objects.create(course=course, user=User.objects.create_user(f"n{number}"))
    client.get(people(course))
    with CaptureQueriesContext(connection) as queries:
        assert len(client.get(f"{people(course)}?limit=100").json()["results"]) == rows + 2
    assert len(queries) == 4


def test_a_roster_as_a_job(course: Course, alice: User, client_of: Client) -> None:
    client = client_of(alice)
    text = "email,name,group\ndora@example.org,Dora,Monday\nno address,X,\nemil@example.org,Emil,\n"
    dry = roster_job(client, course, text, dry_run=True)
    assert (dry["state"], dry["report"]["added"], dry["dry_run"]) == ("done", 2, True)
    assert [fault["line"] for fault in dry["report"]["faults"]] == [3]
    assert Enrolment.objects.filter(course=course).count() == 2
    done = roster_job(client, course, text)
    assert (done["report"]["added"], done["report"]["new_groups"]) == (2, ["Monday"])
    assert Enrolment.objects.filter(course=course).count() == 4
    assert Job.objects.exclude(text="").count() == 0
    again = roster_job(client, course, text)
    assert (again["report"]["added"], again["report"]["unchanged"]) == (0, 2)


def test_a_roster_as_lines_of_json(course: Course, alice: User, client_of: Client) -> None:
    lines = [
        {"email": "dora@example.org", "groups": ["Monday", "Late"], "external_id": 7},
        {"email": "emil@example.org"},
    ]
    text = "\n".join(json.dumps(line) for line in lines)
    done = roster_job(client_of(alice), course, text, format="ndjson")
    assert done["report"]["added"] == 2
    dora = Enrolment.objects.get(course=course, user__email="dora@example.org")
    assert (dora.external_id, sorted(dora.groups.values_list("name", flat=True))) == ("7", ["Late", "Monday"])


@pytest.mark.parametrize(
    "text",
    [
        "[1]", "{", '{"username": {}}', '{"user": "dora"}', '{"groups": "Monday"}', "[" * 3000,
        '{"username": NaN}', r'{"username": "\ud800"}', r'{"username": "dora", "groups": ["\udfff"]}',
    ],
)  # fmt: skip
def test_lines_that_are_no_roster_are_refused_with_their_number(
    course: Course, alice: User, client_of: Client, text: str
) -> None:
    said = {"kind": "roster", "format": "ndjson", "text": f'{{"username": "emil"}}\n{text}'}
    answer = client_of(alice).post(f"{COURSES}/{course.public_id}/jobs", said, format="json")
    assert (answer.status_code, answer.json()["code"]) == (400, "job-refused")
    assert "Line 2" in answer.json()["detail"]


def test_many_are_dropped_only_where_their_number_is_said(course: Course, alice: User, client_of: Client) -> None:
    client = client_of(alice)
    for number in range(8):
        Enrolment.objects.create(course=course, user=User.objects.create_user(f"n{number}"))
    text = "username\nbob\n"
    refused = roster_job(client, course, text, drops_missing=True)
    assert (refused["state"], refused["report"]) == ("failed", None)
    assert "8 people would be dropped" in refused["failure"]
    done = roster_job(client, course, text, drops_missing=True, drops=8)
    assert len(done["report"]["dropped"]) == 8


def test_grades_take_a_key_for_grades_and_a_roster_one_for_rosters(
    course: Course, alice: User, client_of: Client
) -> None:
    jobs = f"{COURSES}/{course.public_id}/jobs"
    rosters, grades = client_of(alice, "roster.read", "roster.write"), client_of(alice, "grades.read", "grades.write")
    texts = {"roster": "username\nbob\n", "grades": "username\nbob\n"}
    made = {}
    for kind, may, may_not in (("roster", rosters, grades), ("grades", grades, rosters)):
        said = {"kind": kind, "text": texts[kind], "reason": "because"}
        refused = may_not.post(jobs, said, format="json")
        assert (refused.status_code, refused.json()["code"]) == (403, "insufficient-scope")
        assert f"{kind}.write" in refused.json()["detail"]
        made[kind] = may.post(jobs, said, format="json")
        assert made[kind].status_code == 202
    assert Job.objects.count() == 2
    for kind, may, may_not in (("roster", rosters, grades), ("grades", grades, rosters)):
        assert may.get(made[kind]["Location"]).status_code == 200
        assert f"{kind}.read" in may_not.get(made[kind]["Location"]).json()["detail"]
        assert [one["kind"] for one in may.get(jobs).json()["results"]] == [kind]
    assert len(client_of(alice, "roster.read", "grades.read").get(jobs).json()["results"]) == 2
    assert client_of(alice, "events.read").get(jobs).status_code == 403


def test_who_lost_the_right_meanwhile_changes_nothing(course: Course, alice: User, client_of: Client) -> None:
    dave = User.objects.create_user("dave")
    Enrolment.objects.create(course=course, user=dave, role="instructor")
    made = client_of(dave).post(
        f"{COURSES}/{course.public_id}/jobs", {"kind": "roster", "text": "email\ndora@example.org\n"}, format="json"
    )
    Enrolment.objects.filter(user=dave).update(role="learner")
    work_on_jobs()
    job = client_of(alice).get(made["Location"]).json()
    assert (job["state"], "may not" in job["failure"]) == ("failed", True)
    assert not User.objects.filter(email="dora@example.org").exists()


def test_a_job_whose_worker_dies_is_tried_again_and_not_for_ever(
    course: Course, alice: User, client_of: Client
) -> None:
    client = client_of(alice)
    made = client.post(
        f"{COURSES}/{course.public_id}/jobs", {"kind": "roster", "text": "email\ndora@example.org\n"}, format="json"
    )
    # As a worker leaves it that was killed: its lease runs out.
    Job.objects.update(state="running", tries=1, leased_until=Job.objects.get().created_at)
    work_on_jobs()
    assert client.get(made["Location"]).json()["state"] == "done"
    Job.objects.update(state="running", tries=MOST_TRIES, finished_at=None)
    work_on_jobs()
    assert client.get(made["Location"]).json()["state"] == "failed"


@pytest.mark.parametrize("away", ["import_roster", "let_go"])
def test_a_job_during_which_the_database_goes_away_is_done_later_and_not_told_as_failed(
    course: Course, alice: User, client_of: Client, monkeypatch: pytest.MonkeyPatch, away: str
) -> None:
    usual, calls = getattr(jobs, away), iter(range(9))

    def lost_once(*args: Any, **more: Any) -> Any:
        if next(calls) == 0:
            raise OperationalError("the connection was lost")
        return usual(*args, **more)

    client = client_of(alice)
    said = {"kind": "roster", "text": "email\ndora@example.org\n"}
    made = client.post(f"{COURSES}/{course.public_id}/jobs", said, format="json")
    monkeypatch.setattr(jobs, away, lost_once)
    with pytest.raises(OperationalError):
        jobs.work_on_jobs()
    assert client.get(made["Location"]).json()["state"] == "running"
    Job.objects.update(leased_until=Job.objects.get().created_at)
    work_on_jobs()
    assert client.get(made["Location"]).json()["state"] == "done"
    assert User.objects.filter(email="dora@example.org").count() == 1


def test_a_course_has_so_many_jobs_open_and_no_more(course: Course, alice: User, client_of: Client) -> None:
    client = client_of(alice)
    said = {"kind": "roster", "text": "email\ndora@example.org\n"}
    answers = [
        client.post(f"{COURSES}/{course.public_id}/jobs", said, format="json").status_code for _ in range(MOST_OPEN + 1)
    ]
    assert answers == [202] * MOST_OPEN + [400]
