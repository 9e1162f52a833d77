"""Sitting a set by REST: begun once, saved by revisions, tried, handed in; and read by those who teach."""

import threading
import uuid
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from exercises import clock
from exercises.actions.sets.publishing import release_results
from exercises.actions.sitting.save import save_answers
from exercises.models import Attempt, Course, ProblemSet, SavedAnswer, SetItem, Submission, User
from exercises.queries import waiting
from exercises.queries.waiting import Turnstile
from server.api.views.items import ItemAnswers
from tests.api.conftest import Client, after_the_look
from tests.api.sat import API, WRONG, attempt_row, attempts, begun, check, item, save
from tests.exercises.courses.world import NOW, person, problem_set
from tests.exercises.sitting.world import HALF_AN_HOUR, graded, synced
from tests.exercises.world import ALL_RIGHT

pytestmark = pytest.mark.usefixtures("servers")


def test_from_the_begin_to_the_receipt(quiz: ProblemSet, api: APIClient) -> None:
    answer = api.post(attempts(quiz))
    assert (answer.status_code, answer["Location"]) == (201, f"{API}/attempts/{answer.json()['id']}")
    told = begun(api, quiz)
    assert [place["problem"] for place in told["places"]] == ["masked", "counts"]
    assert (told["state"], told["score"], told["number"]) == ("going-on", None, 1)

    seen = api.get(item(told)).json()
    assert [step["step"] for step in seen["steps"]] == ["powers", "total", "p", "loss"]
    assert (seen["tries_allowed"], seen["tries"], seen["submissions"]) == (2, 0, [])

    tried = check(api, item(told), WRONG)
    assert (tried.status_code, tried["Location"], tried.json()["kind"]) == (202, item(told), "queued")
    graded()
    seen = api.get(item(told)).json()
    assert (seen["state"], seen["score"], seen["marks"]["loss"]["outcome"]) == ("tried", "1/2", "wrong")
    assert seen["submissions"][0]["verdict"]["score"] == "1/2"
    assert seen["worked"] is None

    done = api.post(f"{API}/attempts/{told['id']}/hand-in").json()
    assert done["receipt"]
    assert api.post(f"{API}/attempts/{told['id']}/hand-in").json() == done
    over = api.get(f"{API}/attempts/{told['id']}").json()
    assert (over["state"], over["score"], over["percent"]) == ("handed-in", "1/4", "25 %")
    assert "handed in" in over["over"]
    assert api.get(f"{API}/attempts/{told['id']}/receipt").json() == {**done, "is_genuine": True}


@pytest.mark.django_db(transaction=True)
def test_twenty_begins_at_once_are_one_attempt_that_began_once(quiz: ProblemSet, bob: User, client_of: Client) -> None:
    clients, answers = [client_of(bob) for _ in range(20)], []

    def begin(client: APIClient) -> None:
        with clock.at(NOW):
            answers.append(client.post(attempts(quiz)))
        connection.close()

    threads = [threading.Thread(target=begin, args=[client]) for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answer.status_code for answer in answers) == [*[200] * 19, 201]
    assert len({answer.json()["id"] for answer in answers}) == 1
    assert Attempt.objects.count() == 1


def test_before_it_opens_and_after_it_is_closed_nothing_begins(quiz: ProblemSet, api: APIClient) -> None:
    for moment in (NOW - 60 * HALF_AN_HOUR, NOW + 60 * HALF_AN_HOUR):
        with clock.at(moment):
            answer = api.post(attempts(quiz))
            assert (answer.status_code, answer.json()["code"]) == (409, "set-not-open")
    assert not Attempt.objects.exists()


def test_what_is_saved_goes_on_from_what_was_read(quiz: ProblemSet, api: APIClient) -> None:
    address = item(begun(api, quiz))
    read = api.get(f"{address}/answers")
    assert (read.json()["revision"], read.json()["answers"]) == (0, {})
    assert api.get(address).json()["saved_tag"] == read["ETag"]
    assert api.put(f"{address}/answers", {"answers": {"p": "0.5"}}, format="json").status_code == 428

    first = save(api, address, {"p": "0.5"}, match=read["ETag"])
    assert (first.status_code, first.json()["revision"], first.json()["answers"]) == (200, 1, {"p": "0.5"})
    stale = save(api, address, {"p": "0.4"}, match=read["ETag"])
    assert (stale.status_code, stale.json()["code"]) == (412, "set-aside")
    assert api.get(f"{address}/answers").json()["answers"] == {"p": "0.5"}
    blank = save(api, address, {"p": ""}, match=read["ETag"])
    assert blank.status_code == 412

    [aside] = api.get(address).json()["asides"]
    assert aside["answers"] == {"p": "0.4"}
    taken = api.post(f"{address}/asides/{aside['id']}", {"take_up": True}, format="json").json()
    assert (taken["saved"]["answers"], taken["asides"]) == ({"p": "0.4"}, [])
    assert api.get(f"{address}/answers", headers={"If-None-Match": taken["saved_tag"]}).status_code == 304


@pytest.mark.parametrize(("match", "status", "stands"), [("", 412, "0.1"), ("*", 200, "0.5")])
def test_what_is_saved_at_the_same_moment_is_overwritten_only_by_whoever_said_any(
    quiz: ProblemSet, api: APIClient, monkeypatch: pytest.MonkeyPatch, match: str, status: int, stands: str
) -> None:
    address = item(begun(api, quiz))
    read = api.get(f"{address}/answers")
    place = attempt_row(begun(api, quiz)).items.get(position=int(address.rpartition("/")[2]))
    between = {"variant_id": read.json()["variant"], "answers": {"p": "0.1"}, "based_on": 0}
    after_the_look(monkeypatch, ItemAnswers, lambda: save_answers(attempt_item=place, **between))
    assert save(api, address, {"p": "0.5"}, match=match or read["ETag"]).status_code == status
    assert api.get(f"{address}/answers").json()["answers"] == {"p": stands}
    assert SavedAnswer.objects.exclude(aside="").exists() == (status == 412)


def test_saved_again_after_a_lost_reply_nothing_is_set_aside(quiz: ProblemSet, api: APIClient) -> None:
    address = item(begun(api, quiz))
    tag = api.get(f"{address}/answers")["ETag"]
    for typed in ("0.1", "0.2", "0.3"):
        assert save(api, address, {"p": typed}, match=tag, client="run-1").status_code == 200
    assert api.get(f"{address}/answers").json()["answers"] == {"p": "0.3"}
    assert not SavedAnswer.objects.exclude(aside="").exists()
    assert save(api, address, {"p": "0.9"}, match=tag, client="run-2").status_code == 412


def test_after_the_end_what_was_typed_is_kept_beside(quiz: ProblemSet, api: APIClient) -> None:
    told = begun(api, quiz)
    api.post(f"{API}/attempts/{told['id']}/hand-in")
    late = save(api, item(told), {"p": "0.5"})
    assert (late.status_code, late.json()["code"]) == (409, "attempt-over")
    assert SavedAnswer.objects.get().aside == "late"
    assert check(api, item(told), ALL_RIGHT).status_code == 409
    assert not Submission.objects.exists()


def test_the_same_try_sent_twice_is_one(quiz: ProblemSet, api: APIClient) -> None:
    address = item(begun(api, quiz))
    kinds = [check(api, address, WRONG, headers={"Idempotency-Key": "k1"}).json()["kind"] for _ in range(2)]
    assert kinds == ["queued", "duplicate"]
    assert check(api, address, WRONG, headers={"Idempotency-Key": "k2"}).json()["kind"] == "already-tried"
    assert Submission.objects.count() == 1


def test_what_cannot_be_read_or_is_blank_uses_no_try(quiz: ProblemSet, api: APIClient) -> None:
    address = item(begun(api, quiz))
    unread = check(api, address, {**ALL_RIGHT, "p": "abc"})
    assert (unread.status_code, unread.json()["kind"]) == (200, "unreadable")
    assert unread.json()["readings"]["p"]["message"]
    assert check(api, address, {"p": "", "loss": ""}).json()["kind"] == "blank"
    assert (
        check(api, address, {"powers": "", "total": "", "p": "0.5", "loss": ""}, sure=False).json()["kind"]
        == "some-blank"
    )
    assert not Submission.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_client_may_wait_for_the_verdict_of_a_try(
    quiz: ProblemSet, api: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting, "turnstile", Turnstile(2))
    address = item(begun(api, quiz))

    def work() -> None:
        while not Submission.objects.exists():
            pass
        graded()
        connection.close()

    worker = threading.Thread(target=work)
    worker.start()
    tried = check(api, address, ALL_RIGHT, headers={"Prefer": "wait=5"})
    worker.join()
    assert (tried.status_code, tried["Preference-Applied"]) == (200, "wait=5")
    assert tried.json()["submission"]["verdict"]["score"] == "1"


def told_of(seen: Any) -> Any:
    """Every value under a name that tells of results, at any depth."""
    if isinstance(seen, dict):
        for name, value in seen.items():
            if name in ("verdict", "marks", "score", "percent", "worked") and value not in (None, {}, []):
                yield name, value
            yield from told_of(value)
    elif isinstance(seen, list):
        for value in seen:
            yield from told_of(value)


def test_nothing_is_told_of_an_exam_before_it_is_released(
    exam: ProblemSet, course: Course, alice: User, api: APIClient, client_of: Client
) -> None:
    told = begun(api, exam)
    assert check(api, item(told), ALL_RIGHT).json()["code"] == "not-in-this-set"
    save(api, item(told), ALL_RIGHT)
    api.post(f"{API}/attempts/{told['id']}/hand-in")
    graded()
    reachable = [f"{API}/attempts/{told['id']}", item(told), attempts(exam), f"{API}/submissions"]
    for address in reachable:
        assert list(told_of(api.get(address).json())) == []
    staff = client_of(alice)
    assert staff.get(f"{API}/attempts/{told['id']}").json()["score"] == "1/2"
    with clock.at(NOW + 60 * HALF_AN_HOUR):
        release_results(actor=alice, problem_set=exam)
        assert api.get(f"{API}/attempts/{told['id']}").json()["score"] == "1/2"
        assert api.get(item(told)).json()["worked"]
        assert api.get(attempts(exam)).json()["results"][0]["score"] == "1/2"


def test_a_quiz_that_tells_at_the_end_tells_no_verdict_with_the_try(course: Course, api: APIClient) -> None:
    held = problem_set(course, "quiz", *synced(), feedback="handed-in")
    address = item(begun(api, held))
    check(api, address, ALL_RIGHT)
    graded()
    again = check(api, address, ALL_RIGHT)
    assert (again.json()["kind"], again.json()["submission"]["verdict"]) == ("already-tried", None)
    assert list(told_of(api.get(address).json())) == []
    assert api.get(address).json()["state"] != "right"


def test_another_variant_comes_after_a_try(course: Course, api: APIClient) -> None:
    new = problem_set(course, "quiz", *synced(), retry="new")
    address = item(begun(api, new))
    first = api.get(address).json()["variant"]
    assert api.post(f"{address}/variants", {"after": first}, format="json").json()["code"] == "no-try-left"
    check(api, address, WRONG)
    graded()
    drawn = api.post(f"{address}/variants", {"after": first}, format="json").json()
    assert drawn["variant"] != first
    assert drawn["variants"] == [first, drawn["variant"]]
    assert api.post(f"{address}/variants", {"after": first}, format="json").json()["variant"] == drawn["variant"]
    assert api.get(f"{address}?variant={first}").json()["marks"]["loss"]["outcome"] == "wrong"
    assert check(api, address, ALL_RIGHT, variant=first).json()["code"] == "page-out-of-date"


def test_hints_are_taken_where_a_set_has_them(course: Course, quiz: ProblemSet, api: APIClient) -> None:
    helped = problem_set(course, "quiz", *quiz_problems(quiz), hints=True)
    address = item(begun(api, helped))
    said = {"variant": api.get(address).json()["variant"], "step": "p"}
    hint = api.post(f"{address}/hints", said, format="json").json()
    assert (hint["number"], bool(hint["text"])) == (1, True)
    assert api.get(address).json()["hints"] == {"p": [hint["text"]]}
    without = item(begun(api, quiz))
    said["variant"] = api.get(without).json()["variant"]
    assert api.post(f"{without}/hints", said, format="json").json()["code"] == "not-in-this-set"


def quiz_problems(quiz: ProblemSet) -> list[Any]:
    return [one.problem for one in quiz.items.select_related("problem")]


def test_a_fault_is_reported_once_and_read_again(quiz: ProblemSet, api: APIClient) -> None:
    address = f"{item(begun(api, quiz))}/reports"
    for _ in range(2):
        assert api.post(address, {"text": "The table has no numbers."}, format="json").status_code == 201
    [row] = api.get(address).json()["results"]
    assert (row["text"], row["reply"], row["settled_at"]) == ("The table has no numbers.", "", None)
    empty = api.post(address, {"text": "  "}, format="json")
    assert (empty.status_code, list(empty.json()["errors"])) == (400, ["text"])


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("check", {"answers": {"p": "1"}}), ("check", {"answers": "p", "variant": str(uuid.uuid4())}),
        ("check", {"answers": {"p": "1"}, "variant": "no"}), ("variants", {}), ("hints", {"step": "p"}),
        ("asides/1", {}), ("reports", {}), ("check", {"answers": {}, "variant": str(uuid.uuid4()), "revision": "x"}),
    ],
)  # fmt: skip
def test_bad_bodies_are_refused_by_field(quiz: ProblemSet, api: APIClient, path: str, body: Any) -> None:
    answer = api.post(f"{item(begun(api, quiz))}/{path}", body, format="json")
    assert answer.status_code == 400
    assert answer.json()["errors"]


@pytest.mark.parametrize(
    "answers", [{"nope": "1"}, {"p": 3}, {"p": None}, {"p": {"a": 1}}, {"p": "1" * 9999}, {"powers": [1, 2]}]
)
def test_answers_that_are_none_are_refused_and_keep_nothing(quiz: ProblemSet, api: APIClient, answers: Any) -> None:
    address = item(begun(api, quiz))
    for answer in (save(api, address, answers), check(api, address, answers)):
        assert answer.status_code == 400, answer.json()
    assert not SavedAnswer.objects.exists()
    assert not Submission.objects.exists()


def test_positions_that_are_none_are_not_found(quiz: ProblemSet, api: APIClient) -> None:
    told = begun(api, quiz)
    for position in (0, 3, 32768, 10**30):
        assert api.get(f"{API}/attempts/{told['id']}/items/{position}").status_code == 404
        assert save(api, f"{API}/attempts/{told['id']}/items/{position}", {}).status_code == 404
    assert api.post(f"{item(told)}/asides/{10**30}", {"take_up": True}, format="json").status_code == 404


@pytest.mark.parametrize("rows", [1, 30])
def test_a_page_of_attempts_takes_as_many_queries_however_many(
    quiz: ProblemSet, course: Course, alice: User, client_of: Client, rows: int
) -> None:
    for number in range(rows):
        Attempt.objects.create(problem_set=quiz, learner=person(course, f"n{number}").user, began_at=NOW)
    client = client_of(alice)
    client.get(attempts(quiz))
    with CaptureQueriesContext(connection) as queries:
        assert len(client.get(f"{attempts(quiz)}?limit=100").json()["results"]) == rows
    assert len(queries) == 4


@pytest.mark.parametrize("rows", [1, 30])
def test_an_attempt_and_an_item_take_as_many_queries_however_many_items(
    quiz: ProblemSet, api: APIClient, rows: int
) -> None:
    problem = quiz_problems(quiz)[0]
    for position in range(rows):
        SetItem.objects.create(problem_set=quiz, problem=problem, position=9 + position)
    told = begun(api, quiz)
    for place in told["places"]:
        if place["problem"] == "masked":
            check(api, f"{API}/attempts/{told['id']}/items/{place['position']}", WRONG)
    graded()
    for address, most in ((f"{API}/attempts/{told['id']}", 8), (item(told), 14)):
        api.get(address)
        with CaptureQueriesContext(connection) as queries:
            assert api.get(address).status_code == 200
        assert len(queries) == most, [query["sql"][:120] for query in queries]
