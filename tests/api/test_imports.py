"""Files that come in by REST: all of it or nothing, after a dry run that says of each entry what is lost."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client as Plain
from rest_framework.test import APIClient

from exercises.actions import give_external_id
from exercises.actions.exchange import export_problems, export_set
from exercises.exchange.archive import MOST_BYTES
from exercises.models import Course, ExternalId, Problem, ProblemSet, User
from tests.api.conftest import Client
from tests.exercises.courses.world import problem_set
from tests.frontend.authoring.world import draft, with_version

pytestmark = pytest.mark.usefixtures("servers", "elsewhere")
API = "/api/v1"
GIFT = b"::One:: How many slots? {#=7}\n\n::Two:: Say what you think. {}\n"


@pytest.fixture
def erin(elsewhere: Course) -> User:
    return User.objects.get(username="erin")


@pytest.fixture
def quiz(course: Course, problem: Problem) -> ProblemSet:
    return problem_set(course, ProblemSet.Mode.QUIZ, problem)


def sent(client: APIClient, content: bytes, name: str = "file.zip", *, key: str = "", **said: Any) -> Any:
    headers = {"Idempotency-Key": key} if key else {}
    body = {"file": SimpleUploadedFile(name, content), **said}
    return client.post(f"{API}/imports", body, format="multipart", headers=headers)


def test_a_dry_run_says_what_would_happen_and_then_just_that_is_done(
    alice: User, erin: User, client_of: Client
) -> None:
    client, own = client_of(erin), draft(alice)
    content = export_problems(actor=alice, problems=[own], form="own").content
    dry = sent(client, content, dry_run=True)
    assert dry.status_code == 200
    said = dry.json()
    assert (said["is_applied"], said["is_sound"], said["problems"]) == (False, True, [])
    assert [(entry["title"], entry["fault"]) for entry in said["entries"]] == [(own.title, "")]
    assert not Problem.objects.filter(owner=erin).exists()
    done = sent(client, content).json()
    made = Problem.objects.get(owner=erin)
    assert (done["is_applied"], done["problems"]) == (True, [made.slug])
    assert client.get(f"{API}/problems/{made.slug}/draft").json()["source"] == own.draft.source
    assert sent(client, content).json()["problems"] == []
    assert Problem.objects.filter(owner=erin).count() == 1


def test_a_set_comes_into_a_course_by_either_id_and_without_one_stays_out(
    alice: User, erin: User, quiz: ProblemSet, elsewhere: Course, client_of: Client
) -> None:
    client, content = client_of(erin), export_set(actor=alice, problem_set=quiz, form="own").content
    without = sent(client, content).json()
    assert ("choose one" in without["entries"][-1]["left"], without["problem_sets"]) == (True, [])
    give_external_id(owner=erin, kind=ExternalId.Kind.COURSE, external_id="E 1", target=elsewhere.pk)
    for course in (str(elsewhere.public_id), "ext:E 1"):
        [told] = sent(client, content, course=course).json()["problem_sets"]
        made = ProblemSet.objects.get(public_id=told)
        assert (made.course, made.title, made.published_at) == (elsewhere, quiz.title, None)


@pytest.mark.parametrize("named", ["foreign", "ext:nothing", "no-id", "00000000-0000-4000-8000-000000000000"])
def test_no_set_comes_into_a_course_that_one_does_not_manage(
    alice: User, erin: User, quiz: ProblemSet, named: str, client_of: Client
) -> None:
    content = export_set(actor=alice, problem_set=quiz, form="own").content
    said = str(quiz.course.public_id) if named == "foreign" else named
    assert sent(client_of(erin), content, course=said).status_code == 404
    assert ProblemSet.objects.count() == 1


def test_questions_of_other_systems_come_in_and_what_is_left_out_is_told(erin: User, client_of: Client) -> None:
    said = sent(client_of(erin), GIFT, "questions.gift", skill="masked-set").json()
    one, two = said["entries"]
    assert (said["is_sound"], one["fault"], bool(two["left"])) == (True, "", True)
    [slug] = said["problems"]
    assert "skill: masked-set" in Problem.objects.get(slug=slug).draft.source


def test_one_fault_keeps_all_of_it_out_and_is_told_with_its_entry(alice: User, erin: User, client_of: Client) -> None:
    whole = export_problems(actor=alice, problems=[draft(alice)], form="own").content
    client, broken = client_of(erin), b"title: Broken\nsteps: 3\n"
    dry = sent(client, broken, "broken.yaml", dry_run=True).json()
    assert (dry["is_sound"], bool(dry["entries"][0]["fault"])) == (False, True)
    answer = sent(client, broken, "broken.yaml")
    assert (answer.status_code, answer.json()["code"]) == (400, "exchange-refused")
    assert dry["entries"][0]["fault"] in answer.json()["errors"]["file"][0]
    for content in (b"", b"\x00\x01", whole[: len(whole) // 2]):
        assert sent(client, content).status_code == 400
    assert not Problem.objects.filter(owner=erin).exists()


def test_a_file_that_is_too_large_is_not_read(erin: User, client_of: Client) -> None:
    client = client_of(erin)
    slightly = sent(client, b"x" * (MOST_BYTES + 1))
    assert (slightly.status_code, list(slightly.json()["errors"])) == (400, ["file"])
    assert sent(client, b"x" * (MOST_BYTES + 200_000)).status_code == 413


@pytest.mark.parametrize(
    "said", [{"skill": "nothing"}, {"dry_run": "perhaps"}, {"course": "x" * 300}, {"course": "ext:a\x00b"}]
)
def test_what_it_is_sent_with_is_checked(erin: User, client_of: Client, said: dict[str, str]) -> None:
    answer = sent(client_of(erin), GIFT, **said)
    assert (answer.status_code, list(answer.json()["errors"])) == (400, list(said))
    assert not Problem.objects.filter(owner=erin).exists()


def test_it_takes_a_form_with_a_file(erin: User, client_of: Client) -> None:
    client = client_of(erin)
    assert client.post(f"{API}/imports", {"file": "x"}, format="json").status_code == 415
    assert client.post(f"{API}/imports", {"dry_run": True}, format="multipart").json()["errors"]["file"]


def test_the_same_file_with_the_same_key_comes_in_once(
    alice: User, erin: User, quiz: ProblemSet, elsewhere: Course, client_of: Client
) -> None:
    """Its parts are divided by another sign each time that a program sends it."""
    client, content = client_of(erin), export_set(actor=alice, problem_set=quiz, form="own").content
    said = {"course": str(elsewhere.public_id)}
    first = sent(client, content, key="once", **said)
    head, tail = b"Content-Disposition: form-data; name=", b"\r\n"
    parts = [head + b'"course"' + tail * 2 + said["course"].encode(),
             head + b'"file"; filename="file.zip"' + tail * 2 + content]  # fmt: skip
    body = b"".join(b"--other" + tail + part + tail for part in parts) + b"--other--" + tail
    again = client.generic(
        "POST", f"{API}/imports", body, "multipart/form-data; boundary=other", headers={"Idempotency-Key": "once"}
    )
    assert (again.status_code, again["Idempotency-Replayed"], again.json()) == (200, "true", first.json())
    assert ProblemSet.objects.filter(course=elsewhere).count() == 1
    assert sent(client, GIFT, key="once", **said).status_code == 422
    assert sent(client, content, "other.zip", key="once", **said).status_code == 422


def test_files_come_in_for_who_teaches_by_a_key_for_content(
    alice: User, bob: User, charlie: User, course: Course, client_of: Client
) -> None:
    content = export_problems(actor=alice, problems=[with_version(alice)], form="own").content
    for learner in (bob, charlie):
        assert sent(client_of(learner), content).status_code == 404
    assert "content.write" in sent(client_of(alice, "content.read"), content).json()["detail"]
    assert sent(client_of(alice, course=course), content).json()["code"] == "course-limited"
    assert Plain().post(f"{API}/imports", {"file": SimpleUploadedFile("x", content)}).status_code == 401
    assert sent(client_of(alice), content).json()["problems"] == []
