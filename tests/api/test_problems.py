"""Problems as programs write, check and publish them; learners get none of it."""

from typing import Any

import pytest
from celery import current_app
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from exercises.actions.authoring import check_draft, new_problem, rewrite_problem, set_shared
from exercises.actions.courses.making import CourseFields, create_course
from exercises.models import Course, Problem, ProblemDraft, ProblemVersion, User, WithdrawnVariant
from server.api.views.drafts import Draft
from tests.api.conftest import Client, after_the_look
from tests.exercises.world import MASKED
from tests.frontend.authoring.world import BROKEN, with_version

pytestmark = pytest.mark.django_db
ROOT = "/api/v1"
PROBLEMS = f"{ROOT}/problems"
BETTER = "title: Another loss"


@pytest.fixture(autouse=True)
def published(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What was sent to workers; none of it reaches a broker."""
    sent: list[Any] = []
    monkeypatch.setattr(current_app, "send_task", lambda name, **said: sent.append((name, said)))
    return sent


@pytest.fixture
def erin(db: None) -> User:
    """Teaches another course, so that she writes problems too."""
    erin = User.objects.create_user("erin", is_instructor=True)
    create_course(author=erin, fields=CourseFields(title="Elsewhere"))
    return erin


def begun(client: APIClient, **fields: Any) -> dict[str, Any]:
    """A new problem of the client's, as it was answered."""
    made = client.post(PROBLEMS, {"title": "Loss of one word", **fields}, format="json")
    assert made.status_code == 201, made.json()
    return dict(made.json())


def write(client: APIClient, slug: str, source: str, tag: str = "") -> Any:
    """What came of writing a draft over that was read just now."""
    address = f"{PROBLEMS}/{slug}/draft"
    match = tag or client.get(address)["ETag"]
    return client.put(address, {"source": source}, format="json", headers={"If-Match": match})


def test_from_nothing_to_what_learners_meet(alice: User, client_of: Client) -> None:
    client = client_of(alice)
    slug = begun(client)["slug"]
    address = f"{PROBLEMS}/{slug}"
    draft = client.get(f"{address}/draft").json()
    assert (draft["revision"], draft["faults"], draft["based_on"]) == (1, [], None)
    assert client.get(f"{address}/check").json()["state"] == "none"
    asked = client.post(f"{address}/check", {}, format="json")
    assert (asked.status_code, asked.json()["state"], asked["Location"]) == (202, "waiting", f"{address}/check")
    row = ProblemDraft.objects.get()
    assert check_draft(draft=row.pk, digest=row.checked_digest)
    done = client.get(asked["Location"]).json()
    assert (done["state"], done["report"]["seeds"], done["report"]["passed"]) == ("passed", 1000, True)
    out = client.post(f"{address}/publish", {"revision": 1}, format="json")
    assert (out.status_code, out.json()["number"], out.json()["has_passed"]) == (201, 1, True)
    read = client.get(out["Location"]).json()
    assert (read["source"], read["is_current"]) == (draft["source"], True)
    problem = client.get(address).json()
    assert (problem["version"], problem["source"], problem["has_draft"]) == (1, draft["source"], False)


def test_a_draft_is_written_only_as_it_was_read(alice: User, client_of: Client) -> None:
    client = client_of(alice)
    slug = begun(client, source=MASKED)["slug"]
    read = client.get(f"{PROBLEMS}/{slug}/draft")
    assert read.json()["source"] == MASKED
    assert client.get(f"{PROBLEMS}/{slug}/draft", headers={"If-None-Match": read["ETag"]}).status_code == 304
    first = write(client, slug, BROKEN, read["ETag"])
    assert (first.status_code, first.json()["revision"]) == (200, 2)
    assert {fault["line"] for fault in first.json()["faults"]} <= {1, 2}
    assert first.json()["faults"]
    assert write(client, slug, BETTER, read["ETag"]).status_code == 412
    assert write(client, slug, BETTER, first["ETag"]).json()["revision"] == 3
    assert client.put(f"{PROBLEMS}/{slug}/draft", {"source": "x"}, format="json").status_code == 428
    assert write(client, slug, "x: 1", "*").json()["revision"] == 4


@pytest.mark.parametrize(("match", "status", "stands"), [("", 412, "in between"), ("*", 200, "of the program")])
def test_a_draft_that_is_written_at_the_same_moment_is_overwritten_only_by_whoever_said_any(
    alice: User, client_of: Client, monkeypatch: pytest.MonkeyPatch, match: str, status: int, stands: str
) -> None:
    client = client_of(alice)
    problem = Problem.objects.get(slug=begun(client, source=MASKED)["slug"])
    after_the_look(monkeypatch, Draft, lambda: rewrite_problem(author=alice, problem=problem, source="in between"))
    assert write(client, problem.slug, "of the program", match).status_code == status
    assert ProblemDraft.objects.get().source == stands


def test_what_does_not_pass_is_not_published_and_says_why(alice: User, client_of: Client) -> None:
    client = client_of(alice)
    slug = begun(client, source=BROKEN)["slug"]
    refused = client.post(f"{PROBLEMS}/{slug}/publish", {}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (409, "not-published")
    assert refused.json()["errors"]["source"]
    wrong = MASKED.replace('is: "z[t] / sum(z)"', 'is: "powers[t] / total * 1.00001"')
    assert write(client, slug, wrong).status_code == 200
    never = client.post(f"{PROBLEMS}/{slug}/publish", {}, format="json")
    assert (never.status_code, "check" in never.json()["detail"]) == (409, True)
    assert not ProblemVersion.objects.exists()


def test_published_twice_with_its_text_it_is_one_version(alice: User, client_of: Client) -> None:
    client = client_of(alice)
    problem = with_version(alice)
    assert problem.current is not None
    source = problem.current.source.replace("What does the model lose", "What is lost")
    assert write(client, problem.slug, source).status_code == 200
    address = f"{PROBLEMS}/{problem.slug}/publish"
    assert "summary" in client.post(address, {"source": source}, format="json").json()["errors"]
    said = {"source": source, "summary": "Fewer words."}
    first, second = (client.post(address, said, format="json") for _ in range(2))
    assert (first.status_code, second.status_code) == (201, 200)
    assert first.json()["number"] == second.json()["number"] == 2
    versions = client.get(f"{PROBLEMS}/{problem.slug}/versions").json()["results"]
    assert [(row["number"], row["is_current"], row["summary"]) for row in versions] == [
        (2, True, "Fewer words."), (1, False, "The first one."),
    ]  # fmt: skip


def test_by_its_own_name_a_problem_is_made_once_and_then_its_draft_written(
    alice: User, charlie: User, client_of: Client
) -> None:
    client = client_of(alice)
    address = f"{PROBLEMS}/ext:loss 1"
    said = {"title": "Loss", "source": MASKED, "licence": "CC BY 4.0"}
    first = client.put(address, said, format="json")
    second = client.put(address, {**said, "source": f"{MASKED}# more\n"}, format="json")
    assert (first.status_code, second.status_code) == (201, 200)
    assert (second.json()["slug"], second.json()["external_id"]) == (first.json()["slug"], "loss 1")
    assert client.get(f"{address}/draft").json()["source"].endswith("# more\n")
    assert Problem.objects.filter(owner=alice).count() == 1
    assert client_of(charlie).put(address, said, format="json").status_code == 400
    assert client_of(charlie).get(address).status_code == 404


def test_shared_licensed_and_put_away_by_its_author_alone(alice: User, erin: User, client_of: Client) -> None:
    client, other = client_of(alice), client_of(erin)
    address = f"{PROBLEMS}/{with_version(alice).slug}"
    tag = client.get(address)["ETag"]
    assert other.get(address).status_code == 404
    assert client.patch(address, {"is_shared": True}, format="json").status_code == 428
    said = {"is_shared": True, "licence": "CC BY 4.0"}
    shared = client.patch(address, said, format="json", headers={"If-Match": tag})
    assert (shared.json()["is_shared"], shared.json()["licence"]) == (True, "CC BY 4.0")
    assert client.patch(address, said, format="json", headers={"If-Match": tag}).status_code == 412
    seen = other.get(address).json()
    assert (seen["is_own"], seen["has_draft"], "source" in seen) == (False, False, True)
    assert other.patch(address, {"is_shared": False}, format="json", headers={"If-Match": "*"}).status_code == 404
    fork = other.post(f"{address}/fork", {"title": "Mine"}, format="json")
    assert (fork.status_code, fork.json()["licence"]) == (201, "CC BY 4.0")
    assert fork.json()["forked_from"] == {"problem": shared.json()["slug"], "version": 1}
    wrong = other.post(f"{address}/fork", {"licence": "none"}, format="json")
    assert (wrong.status_code, list(wrong.json()["errors"])) == (400, ["licence"])
    away = client.patch(address, {"is_retired": True}, format="json", headers={"If-Match": "*"})
    assert (away.json()["is_retired"], other.get(address).status_code) == (True, 404)
    assert client.get(address).status_code == 200


@pytest.mark.parametrize("path", ["draft", "check", "versions/1/compatibility?text=1"])
def test_what_is_shared_shows_no_draft_to_others(alice: User, erin: User, client_of: Client, path: str) -> None:
    problem = with_version(alice)
    set_shared(author=alice, problem=problem, shared=True)
    assert client_of(alice).get(f"{PROBLEMS}/{problem.slug}/{path}").status_code == 200
    assert client_of(erin).get(f"{PROBLEMS}/{problem.slug}/{path}").status_code == 404
    assert client_of(erin).get(f"{PROBLEMS}/{problem.slug}/preview?text=draft").status_code == 404
    assert client_of(erin).get(f"{PROBLEMS}/{problem.slug}/difference?old=1&new=draft").status_code == 404


def test_the_library_holds_what_may_be_used_and_ones_own(
    problem: Problem, alice: User, erin: User, client_of: Client
) -> None:
    own, foreign = with_version(alice, "Mine"), with_version(erin, "Hers")
    private = new_problem(author=erin, title="Secret")
    set_shared(author=erin, problem=foreign, shared=True)
    client = client_of(alice)
    slugs = {row["slug"] for row in client.get(f"{ROOT}/library").json()["results"]}
    assert slugs == {"masked", own.slug, foreign.slug}
    assert private.slug not in slugs
    assert [row["slug"] for row in client.get(f"{ROOT}/library?mine=true").json()["results"]] == [own.slug]
    assert [row["slug"] for row in client.get(f"{ROOT}/library?q=hers").json()["results"]] == [foreign.slug]
    assert "source" not in str(client.get(f"{ROOT}/library").json())
    assert client.get(f"{ROOT}/library?updated_since=yesterday").status_code == 400


@pytest.mark.parametrize("rows", [1, 30])
def test_a_page_of_the_library_takes_as_many_queries_however_long(alice: User, client_of: Client, rows: int) -> None:
    for number in range(rows):
        new_problem(author=alice, title=f"Problem {number}")
    client = client_of(alice)
    client.get(f"{ROOT}/library")
    with CaptureQueriesContext(connection) as queries:
        assert len(client.get(f"{ROOT}/library?limit=100").json()["results"]) == rows
    assert len(queries) == 3


def test_learners_get_to_no_text_and_to_no_key(problem: Problem, bob: User, client_of: Client) -> None:
    client = client_of(bob)
    paths = ("", "/versions", "/versions/1", "/draft", "/check", "/preview", "/withdrawn", "/difference?old=1&new=1")
    assert {client.get(f"{PROBLEMS}/masked{path}").status_code for path in paths} == {404}
    assert client.get(f"{ROOT}/library").status_code == 404
    refused = client.post(PROBLEMS, {"title": "Mine"}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (400, "authoring-refused")
    assert client.get(PROBLEMS).status_code == 200


def test_seeds_are_looked_at_with_their_keys(problem: Problem, alice: User, client_of: Client) -> None:
    client = client_of(alice)
    shown = client.get(f"{PROBLEMS}/masked/preview?seeds=5,6").json()
    assert [variant["seed"] for variant in shown["variants"]] == [5, 6]
    first = shown["variants"][0]
    assert [box["step"] for box in first["fields"]] == ["powers", "total", "p", "loss"]
    assert {"p.no-exp", "loss.log2"} <= {mistake["note"] for mistake in first["mistakes"]}
    assert first["keys"][-1]["key"]
    assert client.get(f"{PROBLEMS}/masked/preview?seeds=5,6").json() == shown
    for seeds in ("x", "1,2,3,4,5,6,7", "-1", str(2**64), "²"):
        assert client.get(f"{PROBLEMS}/masked/preview", {"seeds": seeds}).status_code == 400, seeds


def test_what_a_change_means_is_said_before_it_is_made(alice: User, client_of: Client) -> None:
    client = client_of(alice)
    problem = with_version(alice)
    assert problem.current is not None
    assert (
        write(client, problem.slug, problem.current.source.replace("is: -ln(p)", "is: -2 * ln(p)")).status_code == 200
    )
    address = f"{PROBLEMS}/{problem.slug}"
    found = client.get(f"{address}/difference?old=1&new=draft").json()
    assert (found["is_same"], [change["name"] for change in found["changes"]]) == (False, ["loss"])
    assert {line["kind"] for line in found["lines"]} >= {"old", "new"}
    switch = client.get(f"{address}/versions/1/compatibility?text=draft").json()
    assert (switch["verdict"], switch["variants"]) == ("marks-may-change", 0)
    same = client.get(f"{address}/versions/1/compatibility?text=1").json()
    assert same["verdict"] == "same-marks"
    assert client.get(f"{address}/difference?old=1&new=9").status_code == 404
    assert client.get(f"{address}/difference?old=1").status_code == 400


def test_variants_are_withdrawn_and_restored(
    problem: Problem, course: Course, alice: User, erin: User, client_of: Client
) -> None:
    own = with_version(alice)
    client = client_of(alice)
    address = f"{PROBLEMS}/{own.slug}/withdrawn"
    made = client.post(address, {"seed": 3, "reason": "Too easy."}, format="json")
    assert (made.status_code, made.json()["seed"], made.json()["course"]) == (201, 3, None)
    assert [row["digest"] for row in client.get(address).json()["results"]] == [made.json()["digest"]]
    assert client.delete(f"{address}/{made.json()['digest']}").status_code == 204
    assert not WithdrawnVariant.objects.exists()
    built_in = f"{PROBLEMS}/masked/withdrawn"
    assert client.post(built_in, {"seed": 3, "reason": "Odd."}, format="json").status_code == 400
    here = {"seed": 3, "reason": "Odd.", "course": str(course.public_id)}
    digest = client.post(built_in, here, format="json").json()["digest"]
    of_course = f"?course={course.public_id}"
    assert client.get(built_in).json()["results"] == []
    assert len(client.get(f"{built_in}{of_course}").json()["results"]) == 1
    assert client_of(erin).get(f"{built_in}{of_course}").status_code == 404
    assert client_of(erin).post(built_in, here, format="json").status_code == 404
    assert client_of(erin).delete(f"{built_in}/{digest}{of_course}").status_code == 404
    assert client.delete(f"{built_in}/{digest}{of_course}").status_code == 204


def test_a_draft_is_given_up_and_what_is_published_stays(alice: User, client_of: Client) -> None:
    client = client_of(alice)
    problem = with_version(alice)
    address = f"{PROBLEMS}/{problem.slug}"
    assert write(client, problem.slug, "x: 1").status_code == 200
    tag = client.get(f"{address}/draft")["ETag"]
    assert client.delete(f"{address}/draft").status_code == 428
    assert client.delete(f"{address}/draft", headers={"If-Match": tag}).status_code == 204
    assert client.get(f"{address}/draft").json()["revision"] == 0
    never = begun(client)["slug"]
    assert client.delete(f"{PROBLEMS}/{never}/draft", headers={"If-Match": "*"}).status_code == 204
    assert client.get(f"{PROBLEMS}/{never}").status_code == 404


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("post", "", {"title": ""}), ("post", "", {"title": "x" * 201}), ("post", "", {"title": "x", "slug": "a b"}),
        ("post", "", {"title": "x", "source": "\x00"}), ("post", "", {"title": "x", "source": "x" * 70_000}),
        ("put", "/own/draft", {}), ("put", "/own/draft", {"source": None}), ("put", "/own/draft", {"source": []}),
        ("post", "/own/withdrawn", {"seed": 1}), ("post", "/own/withdrawn", {"seed": -1, "reason": "x"}),
        ("post", "/own/withdrawn", {"seed": 2**63, "reason": "x"}), ("post", "/own/withdrawn", {"reason": "x"}),
        ("post", "/own/check", {"revision": "x"}), ("patch", "/own", {"is_shared": "perhaps"}),
        ("patch", "/own", {"licence": "x" * 81}), ("post", "/own/publish", {"summary": "x" * 501}),
    ],
)  # fmt: skip
def test_what_cannot_be_kept_is_refused_by_field(
    alice: User, client_of: Client, method: str, path: str, body: dict[str, Any]
) -> None:
    slug = with_version(alice).slug
    client = client_of(alice)
    address = f"{PROBLEMS}{path.replace('/own', f'/{slug}')}"
    answer = getattr(client, method)(address, body, format="json", headers={"If-Match": "*"})
    assert answer.status_code == 400, answer.json()
    assert answer.json()["errors"]


def test_a_key_that_only_reads_writes_nothing(alice: User, client_of: Client, course: Course) -> None:
    slug = with_version(alice).slug
    reads = client_of(alice, "content.read")
    assert reads.get(f"{PROBLEMS}/{slug}").status_code == 200
    for method, path in (("post", ""), ("patch", f"/{slug}"), ("put", f"/{slug}/draft"), ("post", f"/{slug}/publish")):
        refused = getattr(reads, method)(f"{PROBLEMS}{path}", {}, format="json")
        assert (refused.status_code, refused.json()["code"]) == (403, "insufficient-scope")
    limited = client_of(alice, "content.read", course=course)
    assert limited.get(f"{PROBLEMS}/{slug}").json()["code"] == "course-limited"
