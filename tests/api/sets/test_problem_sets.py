"""Problem sets as programs make and read them: staff what is written, learners what holds for them."""

import io
import zipfile
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from exercises.actions.courses.making import CourseFields, create_course
from exercises.models import AuditEntry, Course, Enrolment, Extension, Problem, ProblemSet, User
from tests.api.conftest import Client
from tests.api.sets.world import QUIZ, ROOT, SETS, changed, of_course
from tests.exercises.courses.world import problem_set
from tests.frontend.authoring.world import with_version

pytestmark = pytest.mark.django_db
#: What no learner may read anywhere about a set.
STAFF_ONLY = ("details", "revision", "position", "published_at", "obstacle", "adaptation", "reason", "groups")


def test_a_set_is_made_filled_published_and_released(
    course: Course, problem: Problem, alice: User, client_of: Client
) -> None:
    client = client_of(alice)
    made = client.post(of_course(course), QUIZ, format="json")
    assert made.status_code == 201, made.json()
    address = made["Location"]
    details = made.json()["details"]
    assert (details["credits"], details["late"], details["pass_mark"]) == (["1", "1/2", "1/3"], ["9/10"], "3/5")
    assert (made.json()["published_at"], made.json()["rules"]["due_at"]) == (None, "2025-12-02T11:00:00Z")
    early = client.post(f"{address}/publish")
    assert (early.status_code, early.json()["code"]) == (409, "set-not-ready")
    added = client.post(f"{address}/items", {"problems": ["masked"]}, format="json")
    assert [(row["problem"], row["weight"], row["asked"]) for row in added.json()["results"]] == [("masked", "1", None)]
    assert client.get(f"{address}/publish").json()["obstacles"] == []
    assert client.post(f"{address}/publish").json()["published_at"]
    assert client.post(f"{address}/release").json()["released_at"]
    assert client.delete(f"{address}/release").json()["released_at"] is None
    assert client.delete(f"{address}/publish").json()["published_at"] is None
    assert list(AuditEntry.objects.order_by("pk").values_list("deed", flat=True)) == [
        "make-set", "add-items", "publish-set", "release-results", "withhold-results", "take-back-set",
    ]  # fmt: skip


def test_a_set_is_changed_only_as_it_was_read(quiz: ProblemSet, alice: User, client_of: Client) -> None:
    client = client_of(alice)
    address = f"{SETS}/{quiz.public_id}"
    read = client.get(address)
    assert client.patch(address, {"title": "New"}, format="json").status_code == 428
    first = changed(client, address, {"title": "New", "credits": ["1"]}, read["ETag"])
    assert (first.status_code, first.json()["details"]["title"], first.json()["details"]["credits"]) == (
        200,
        "New",
        ["1"],
    )
    assert first.json()["details"]["time_limit"] == 40
    assert changed(client, address, {"title": "Newer"}, read["ETag"]).status_code == 412
    assert changed(client, address, {"title": "Newer"}, first["ETag"]).status_code == 200
    assert client.delete(address, headers={"If-Match": read["ETag"]}).status_code == 412
    assert client.delete(address, headers={"If-Match": "*"}).status_code == 204
    assert client.get(address).status_code == 404


def test_what_is_read_can_be_sent_back_and_changes_nothing(quiz: ProblemSet, alice: User, client_of: Client) -> None:
    client = client_of(alice)
    read = client.get(f"{SETS}/{quiz.public_id}").json()
    sent = changed(client, f"{SETS}/{quiz.public_id}", read["details"]).json()
    assert sent["details"] == read["details"]
    assert sent["rules"] == read["rules"]


def test_by_its_own_name_a_set_is_made_once_in_its_course(course: Course, alice: User, client_of: Client) -> None:
    client = client_of(alice)
    address = f"{of_course(course)}/ext:quiz-1"
    first = client.put(address, QUIZ, format="json")
    second = client.put(address, {**QUIZ, "title": "Two"}, format="json")
    assert (first.status_code, second.status_code) == (201, 200)
    assert (first.json()["id"], second.json()["details"]["title"]) == (second.json()["id"], "Two")
    assert client.get(f"{SETS}/ext:quiz-1").json()["external_id"] == "quiz-1"
    other = create_course(author=alice, fields=CourseFields(title="Other"))
    assert client.put(f"{of_course(other)}/ext:quiz-1", QUIZ, format="json").status_code == 404
    assert ProblemSet.objects.count() == 1


@pytest.mark.parametrize(
    "said",
    [
        {"title": ""}, {"mode": "test"}, {"due_at": "2025-12-02T12:00:00"}, {"opens_at": "2026-01-01T00:00:00Z"},
        {"credits": ["2"]}, {"credits": ["1/2", "1"]}, {"credits": "1"}, {"time_limit": 0}, {"late": ["x"]},
        {"groups": [7]}, {"pass_mark": "0"}, {"credits": ["1"] * 31}, {"due_at": "0001-01-01T00:00:00+14:00"},
    ],
)  # fmt: skip
def test_what_no_form_would_keep_is_refused_by_field(
    course: Course, alice: User, client_of: Client, said: dict[str, Any]
) -> None:
    answer = client_of(alice).post(of_course(course), {**QUIZ, **said}, format="json")
    assert answer.status_code == 400, answer.json()
    assert answer.json()["errors"]
    assert not ProblemSet.objects.exists()


@pytest.mark.usefixtures("at_noon")
def test_everybody_is_told_what_they_may_see(
    course: Course, quiz: ProblemSet, everybody: dict[str, User], client_of: Client
) -> None:
    draft = problem_set(course, ProblemSet.Mode.EXAM, published_at=None)
    group = course.groups.create(name="Monday")
    theirs = problem_set(course, ProblemSet.Mode.PRACTICE, title="For Monday")
    theirs.groups.add(group)
    group.members.add(Enrolment.objects.get(user=everybody["other-learner"]))
    seen = {}
    for role, user in everybody.items():
        answer = client_of(user).get(of_course(course))
        seen[role] = {row["title"] for row in answer.json()["results"]} if answer.status_code == 200 else None
    assert seen == {
        "learner": {"A quiz"}, "observer": {"A quiz"}, "other-learner": {"A quiz", "For Monday"},
        "instructor": {"A quiz", "A exam", "For Monday"}, "assistant": {"A quiz", "A exam", "For Monday"},
        "stranger": None, "other-instructor": None,
    }  # fmt: skip
    for role in ("learner", "observer", "stranger", "other-instructor"):
        assert client_of(everybody[role]).get(f"{SETS}/{draft.public_id}").status_code == 404
    assert client_of(everybody["learner"]).get(f"{SETS}/{theirs.public_id}").status_code == 404
    own = client_of(everybody["learner"]).get(f"{SETS}/{quiz.public_id}").json()
    assert (own["phase"], own["own"]["state"], own["own"]["may_begin"]) == ("open", "not-begun", True)
    assert "own" not in client_of(everybody["observer"]).get(f"{SETS}/{quiz.public_id}").json()


@pytest.mark.parametrize("role", ["learner", "observer", "stranger", "other-instructor"])
def test_what_is_for_staff_is_there_for_nobody_else(
    course: Course, quiz: ProblemSet, everybody: dict[str, User], client_of: Client, role: str
) -> None:
    client = client_of(everybody[role])
    address = f"{SETS}/{quiz.public_id}"
    item = quiz.items.get().pk
    pool = quiz.pools.create(name="Pool").pk
    extension = Extension.objects.create(problem_set=quiz, learner=everybody["other-learner"], attempts=1, reason="ill")
    parts = ("items", f"items/{item}", "pools", f"pools/{pool}", "extensions", f"extensions/{extension.pk}", "publish")
    assert {client.get(f"{address}/{part}").status_code for part in (*parts, "rules?learner=frida")} == {404}
    writes = {
        "post": ("copy", "move", "publish", "release", "items", f"items/{item}/move", f"items/{item}/put-back", "pools",
                 "extensions"),
        "patch": ("", f"items/{item}", f"pools/{pool}", f"extensions/{extension.pk}"),
        "delete": ("", "publish", "release", f"items/{item}", f"pools/{pool}", f"extensions/{extension.pk}"),
    }  # fmt: skip
    for method, paths in writes.items():
        for path in paths:
            place = f"{address}/{path}".rstrip("/")
            answer = getattr(client, method)(place, {}, format="json", headers={"If-Match": "*"})
            assert answer.status_code == 404, (method, path)
    assert client.post(of_course(course), QUIZ, format="json").status_code == 404
    assert client.put(f"{of_course(course)}/ext:x", QUIZ, format="json").status_code == 404
    assert (
        client.post(f"{ROOT}/exports/problem-sets/{quiz.public_id}", {"format": "own"}, format="json").status_code
        == 404
    )
    body = client.get(f"{address}/rules").content + client.get(address).content + client.get(of_course(course)).content
    assert not [word for word in STAFF_ONLY if f'"{word}"' in body.decode()]


def test_an_assistant_reads_and_extends_and_makes_nothing(
    course: Course, quiz: ProblemSet, everybody: dict[str, User], client_of: Client
) -> None:
    client = client_of(everybody["assistant"])
    address = f"{SETS}/{quiz.public_id}"
    assert client.get(f"{address}/items").status_code == 200
    assert client.get(address).json()["details"]
    made = client.post(f"{address}/extensions", {"learner": "bob", "attempts": 1, "reason": "ill"}, format="json")
    assert made.status_code == 201
    assert client.post(of_course(course), QUIZ, format="json").status_code == 404
    assert changed(client, address, {"title": "x"}).status_code == 404
    assert client.post(f"{address}/release").status_code == 404


@pytest.mark.usefixtures("at_noon")
def test_the_rules_say_what_holds_for_one_learner_as_they_read_it(
    course: Course, quiz: ProblemSet, everybody: dict[str, User], client_of: Client
) -> None:
    address = f"{SETS}/{quiz.public_id}"
    Enrolment.objects.filter(course=course, user=everybody["learner"]).update(time_factor="1.25", external_id="7")
    client = client_of(everybody["instructor"])
    given = {"learner": "ext:7", "due_at": "2025-12-05T12:00:00+01:00", "attempts": 1, "reason": "ill"}
    made = client.post(f"{address}/extensions", given, format="json")
    assert made.status_code == 201, made.json()
    own = client_of(everybody["learner"]).get(f"{address}/rules").json()
    for who in ("bob", "ext:7"):
        assert client.get(f"{address}/rules", {"learner": who}).json() == own
    assert own["rules"]["due_at"] == own["rules"]["closes_at"] == "2025-12-05T11:00:00Z"
    assert (own["rules"]["time_limit_seconds"], own["rules"]["attempts"], own["rules"]["is_extended"]) == (
        3000.0,
        2,
        True,
    )
    assert (own["learner"], own["places"], "An extension is worked into this." in own["words"]) == ("bob", 1, True)
    other = client_of(everybody["other-learner"]).get(f"{address}/rules").json()
    assert (other["rules"]["due_at"], other["rules"]["time_limit_seconds"]) == ("2025-12-02T11:00:00Z", 2400.0)
    assert {
        client.get(f"{address}/rules?learner={who}").status_code for who in ("dave", "charlie", "ext:9", "%00")
    } == {404}


def test_a_copy_has_items_and_no_times_elsewhere(
    course: Course, quiz: ProblemSet, alice: User, everybody: dict[str, User], client_of: Client
) -> None:
    client = client_of(alice)
    here = client.post(f"{SETS}/{quiz.public_id}/copy", {}, format="json")
    assert (here.status_code, here.json()["problem_set"]["title"]) == (201, "A quiz (copy)")
    other = create_course(author=alice, fields=CourseFields(title="Next term"))
    there = client.post(f"{SETS}/{quiz.public_id}/copy", {"course": str(other.public_id)}, format="json")
    assert there.json()["problem_set"]["details"]["due_at"] is None
    assert len(client.get(f"{there['Location']}/items").json()["results"]) == 1
    foreign = Course.objects.get(title="Elsewhere")
    refused = client.post(f"{SETS}/{quiz.public_id}/copy", {"course": str(foreign.public_id)}, format="json")
    assert refused.status_code == 404
    limited = client_of(alice, course=course)
    refused = limited.post(f"{SETS}/{quiz.public_id}/copy", {"course": str(other.public_id)}, format="json")
    assert refused.status_code == 404


def test_sets_and_items_are_put_in_order(course: Course, quiz: ProblemSet, alice: User, client_of: Client) -> None:
    client = client_of(alice)
    last = client.post(of_course(course), QUIZ, format="json").json()
    assert client.post(f"{SETS}/{last['id']}/move", {"by": -1}, format="json").status_code == 204
    assert [row.title for row in ProblemSet.objects.order_by("position")] == ["Losses", "A quiz"]
    items = f"{SETS}/{quiz.public_id}/items"
    made = client.post(items, {"problems": ["masked"]}, format="json").json()["results"][0]
    assert client.post(f"{items}/{made['id']}/move", {"by": -5}, format="json").status_code == 204
    assert client.get(items).json()["results"][0]["id"] == made["id"]


@pytest.mark.parametrize("role", ["learner", "instructor"])
def test_a_page_of_sets_takes_as_many_queries_however_many(
    course: Course, problem: Problem, everybody: dict[str, User], client_of: Client, role: str
) -> None:
    client = client_of(everybody[role])
    counts = []
    for rows in (1, 29):
        for _ in range(rows):
            problem_set(course, ProblemSet.Mode.QUIZ, problem).groups.set([])
        client.get(of_course(course))
        with CaptureQueriesContext(connection) as queries:
            client.get(f"{of_course(course)}?limit=100")
        counts.append(len(queries))
    assert counts == [{"learner": 6, "instructor": 5}[role]] * 2


def test_a_key_for_one_course_finds_no_set_of_another(
    course: Course, quiz: ProblemSet, alice: User, client_of: Client
) -> None:
    other = create_course(author=alice, fields=CourseFields(title="Other"))
    limited = client_of(alice, course=other)
    for path in ("", "/items", "/pools", "/extensions", "/rules", "/publish"):
        assert limited.get(f"{SETS}/{quiz.public_id}{path}").status_code == 404
    assert limited.get(of_course(course)).status_code == 404
    assert client_of(alice, course=course).get(f"{SETS}/{quiz.public_id}/rules").status_code == 200
    reads = client_of(alice, "content.read")
    assert reads.post(of_course(course), QUIZ, format="json").json()["code"] == "insufficient-scope"
    writes = client_of(alice, "content.write")
    assert writes.post(f"{SETS}/{quiz.public_id}/release").json()["code"] == "insufficient-scope"


def test_problems_and_sets_leave_as_files(
    course: Course, quiz: ProblemSet, alice: User, everybody: dict[str, User], client_of: Client
) -> None:
    client = client_of(alice)
    own, exports = with_version(alice), f"{ROOT}/exports"
    said = {"problems": ["masked", own.slug], "format": "own"}
    file = client.post(f"{exports}/problems", said, format="json", headers={"Accept": "application/zip"})
    assert (file.status_code, file["Content-Type"]) == (200, "application/zip")
    assert file["Content-Disposition"].startswith('attachment; filename="')
    names = zipfile.ZipFile(io.BytesIO(file.content)).namelist()
    assert len([name for name in names if name.startswith("problems/")]) == 2
    assert client.post(f"{exports}/problems", said, format="json").content == file.content
    for form in ("moodle", "canvas", "qti3"):
        some = client.post(f"{exports}/problem-sets/{quiz.public_id}", {"format": form, "variants": 2}, format="json")
        assert (some.status_code, some.content[:2]) == (200, b"PK")
    dry = client.post(
        f"{exports}/problem-sets/{quiz.public_id}", {"format": "own", "dry_run": True}, format="json"
    ).json()
    assert [entry["title"] for entry in dry["entries"]]
    assert AuditEntry.objects.filter(deed="export-set").count() == 3
    wrong = client.post(
        f"{exports}/problems", {**said, "format": "word"}, format="json", headers={"Accept": "application/zip"}
    )
    assert (wrong.status_code, wrong["Content-Type"]) == (400, "application/problem+json")
    assert wrong.json()["errors"]["format"]
    hers = with_version(everybody["other-instructor"], "Hers")
    assert client.post(f"{exports}/problems", {**said, "problems": [hers.slug]}, format="json").status_code == 400
    for role in ("learner", "assistant"):
        kept = client_of(everybody[role])
        assert kept.post(f"{exports}/problems", said, format="json").status_code == 404
        assert (
            kept.post(f"{exports}/problem-sets/{quiz.public_id}", {"format": "own"}, format="json").status_code == 404
        )
