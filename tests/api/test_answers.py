"""Drawing, answering and reading verdicts by REST."""

import threading
import time
import uuid

import pytest
from django.db import connection
from rest_framework.test import APIClient

from exercises.actions import reveal_solution
from exercises.models import Problem, ProblemVersion, Submission, User, Variant
from exercises.queries import waiting
from exercises.queries.waiting import Turnstile
from exercises.tasks import grade_pending
from tests.api.conftest import Client
from tests.exercises.world import ALL_RIGHT, c1

pytestmark = pytest.mark.usefixtures("servers")


@pytest.fixture
def api(bob: User, client_of: Client) -> APIClient:
    return client_of(bob)


def test_from_the_list_to_the_verdict(problem: Problem, api: APIClient) -> None:
    [row] = api.get("/api/v1/problems").json()["results"]
    assert (row["slug"], row["state"], row["score"], row["variant"]) == ("masked", "new", "0", None)

    drawn = api.post("/api/v1/problems/masked/variants")
    assert drawn.status_code == 201
    told = drawn.json()
    assert drawn["Location"] == f"/api/v1/variants/{told['id']}"
    assert [step["step"] for step in told["steps"]] == ["powers", "total", "p", "loss"]
    assert api.post("/api/v1/problems/masked/variants").status_code == 200
    assert api.post("/api/v1/problems/masked/variants", {"after": told["id"]}, format="json").status_code == 201

    sent = api.post(f"{drawn['Location']}/answers", {"answers": {"p": "0.5"}, "check": ["p"]}, format="json")
    assert sent.status_code == 202
    assert sent.json()["kind"] == "queued"
    assert sent.json()["submission"]["verdict"] is None
    assert api.get(sent["Location"]).json()["state"] == "pending"
    grade_pending()
    judged = api.get(sent["Location"]).json()
    assert judged["state"] == "graded"
    assert set(judged["verdict"]["marks"]) == {"p"}
    assert judged["verdict"]["marks"]["p"]["read_as"] == "0.5"


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("problem")
def test_a_client_may_wait_for_the_verdict(bob: User, api: APIClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "turnstile", Turnstile(2))
    variant = c1(bob)

    def work() -> None:
        while not Submission.objects.exists():
            time.sleep(0.02)
        grade_pending()
        connection.close()

    worker = threading.Thread(target=work)
    worker.start()
    sent = api.post(
        f"/api/v1/variants/{variant.public_id}/answers",
        {"answers": ALL_RIGHT},
        format="json",
        headers={"Prefer": "respond-async, wait=5"},
    )
    worker.join()
    assert (sent.status_code, sent["Preference-Applied"]) == (200, "wait=5")
    assert sent.json()["submission"]["verdict"]["score"] == "1"


def test_a_wait_without_a_worker_ends_with_202(
    api: APIClient, variant: Variant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting, "turnstile", Turnstile(2))
    sent = api.post(
        f"/api/v1/variants/{variant.public_id}/answers",
        {"answers": ALL_RIGHT},
        format="json",
        headers={"Prefer": "wait=1"},
    )
    assert sent.status_code == 202
    assert sent["Location"] == f"/api/v1/submissions/{sent.json()['submission']['id']}"


def test_the_same_key_and_answer_is_taken_once(api: APIClient, variant: Variant) -> None:
    url = f"/api/v1/variants/{variant.public_id}/answers"
    keys = ["k1", "k1", "k2"]
    sent = [
        api.post(url, {"answers": ALL_RIGHT}, format="json", headers={"Idempotency-Key": key}).json() for key in keys
    ]
    assert [one["kind"] for one in sent] == ["queued", "duplicate", "already-tried"]
    assert len({one["submission"]["id"] for one in sent}) == 1


def test_what_cannot_be_read_is_told_and_not_stored(api: APIClient, variant: Variant) -> None:
    url = f"/api/v1/variants/{variant.public_id}"
    sent = api.post(f"{url}/answers", {"answers": {"p": "log(2)"}}, format="json")
    assert sent.status_code == 200
    told = sent.json()
    assert (told["kind"], told["submission"]) == ("answered-now", None)
    assert "ln" in told["readings"]["p"]["message"]
    assert not Submission.objects.exists()
    assert api.get(url).json()["draft"] == {"p": "log(2)"}


def test_a_closed_variant_takes_no_more_answers(api: APIClient, variant: Variant) -> None:
    reveal_solution(variant=variant)
    sent = api.post(f"/api/v1/variants/{variant.public_id}/answers", {"answers": ALL_RIGHT}, format="json")
    assert (sent.status_code, sent.json()["code"]) == (409, "variant-closed")
    assert not Submission.objects.exists()


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "invalid"),
        ({"answers": []}, "invalid"),
        ({"answers": {"q": "1"}}, "answers-refused"),
        ({"answers": {"p": 0.5}}, "answers-refused"),
        ({"answers": {"p": None}}, "answers-refused"),
        ({"answers": {"p": "1" * 501}}, "answers-refused"),
        ({"answers": {"p": "1"}, "check": []}, "answers-refused"),
        ({"answers": {"p": "1"}, "check": ["q"]}, "answers-refused"),
        ({"answers": {"p": "1"}, "locale": "x" * 17}, "invalid"),
    ],
)
def test_what_is_no_answer_is_a_problem_document(
    api: APIClient, variant: Variant, body: dict[str, object], code: str
) -> None:
    sent = api.post(f"/api/v1/variants/{variant.public_id}/answers", body, format="json")
    assert (sent.status_code, sent["Content-Type"]) == (400, "application/problem+json")
    told = sent.json()
    assert (told["status"], told["code"]) == (400, code)
    assert told["detail"]


@pytest.mark.parametrize(
    "body", ["{", "[1]", '"p"', '{"answers": {"p": NaN}}', "\x00", "[" * 100_000], ids=lambda body: body[:9]
)
def test_what_is_no_json_is_refused(api: APIClient, variant: Variant, body: str) -> None:
    sent = api.post(f"/api/v1/variants/{variant.public_id}/answers", body, content_type="application/json")
    assert sent.status_code == 400
    assert sent["Content-Type"] == "application/problem+json"


def test_what_is_far_too_large_is_a_problem_document_too(api: APIClient, variant: Variant) -> None:
    body = {"answers": {"p": "1" * 3_000_000}}
    sent = api.post(f"/api/v1/variants/{variant.public_id}/answers", body, format="json")
    assert (sent.status_code, sent["Content-Type"]) == (413, "application/problem+json")


def test_a_problem_that_can_no_longer_be_read_is_told(api: APIClient, variant: Variant) -> None:
    ProblemVersion.objects.update(source="title: [")
    url = f"/api/v1/variants/{variant.public_id}"
    for told in (api.get(url), api.post(f"{url}/answers", {"answers": {"p": "1"}}, format="json")):
        assert (told.status_code, told.json()["code"]) == (503, "problem-broken")
    assert api.get("/api/v1/problems").status_code == 200


def test_the_own_history_is_paged(api: APIClient, bob: User, charlie: User, variant: Variant) -> None:
    url = f"/api/v1/variants/{variant.public_id}/answers"
    for value in range(5):
        api.post(url, {"answers": {"p": f"0.{value + 1}"}}, format="json")
    grade_pending()
    typed, address = [], "/api/v1/submissions?limit=2"
    while address:
        page = api.get(address).json()
        typed += [row["answers"]["p"] for row in page["results"]]
        address = page["next"]
    assert typed == ["0.5", "0.4", "0.3", "0.2", "0.1"]


@pytest.mark.parametrize("query", ["limit=0", "limit=101", "limit=x", "cursor=x"])
def test_pages_have_bounds(api: APIClient, query: str) -> None:
    assert api.get(f"/api/v1/submissions?{query}").status_code == 400


def test_unknown_query_parameters_change_nothing(api: APIClient, variant: Variant) -> None:
    url = f"/api/v1/variants/{variant.public_id}"
    plain = api.get(url).json()
    assert api.get(f"{url}?debug=1&seed=5&variant={uuid.uuid4()}").json() == plain


@pytest.mark.parametrize("address", ["", "nowhere", "problems/", "variants/1", "submissions/x/y"])
def test_wrong_addresses_are_problem_documents(api: APIClient, address: str) -> None:
    found = api.get(f"/api/v1/{address}")
    assert (found.status_code, found.json()["code"]) == (404, "not-found")


def test_a_session_of_the_pages_opens_the_door_too_but_only_with_its_csrf_token(bob: User, variant: Variant) -> None:
    browser = APIClient(enforce_csrf_checks=True)
    browser.force_login(bob)
    url = f"/api/v1/variants/{variant.public_id}"
    assert browser.get(url).status_code == 200
    assert browser.post(f"{url}/answers", {"answers": ALL_RIGHT}, format="json").status_code == 403
    assert not Submission.objects.exists()
