"""A request that is sent twice with one key is done once."""

import datetime as dt
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from django.utils import timezone
from rest_framework.test import APIClient

from exercises.actions import kept_answers
from exercises.models import Course, Enrolment, KeptAnswer, Problem, User, Variant
from exercises.refusals import NothingToDraw
from exercises.tasks import clear_kept_answers
from tests.api.conftest import Client
from tests.exercises.courses.world import person

pytestmark = pytest.mark.usefixtures("servers")
DRAW = "/api/v1/problems/masked/variants"


@pytest.fixture
def api(bob: User, client_of: Client, problem: Problem) -> APIClient:
    return client_of(bob)


def draw(api: APIClient, key: str, body: object = None) -> object:
    return api.post(DRAW, body or {"skill": ""}, format="json", headers={"Idempotency-Key": key})


def test_the_same_request_gets_the_same_answer_and_does_nothing_more(api: APIClient, bob: User) -> None:
    first, again = draw(api, "one"), draw(api, "one")
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json() == again.json()
    assert first["Location"] == again["Location"]
    assert "Idempotency-Replayed" not in first
    assert again["Idempotency-Replayed"] == "true"
    assert Variant.objects.count() == 1
    assert draw(api, "two").status_code == 200  # another request, which finds that variant


def test_another_request_with_the_same_key_is_refused(api: APIClient, bob: User, client_of: Client) -> None:
    draw(api, "one")
    other_body = draw(api, "one", {"skill": "softmax"})
    other_address = api.post("/api/v1/problems/nowhere/variants", {}, format="json", headers={"Idempotency-Key": "one"})
    other_token = draw(client_of(bob), "one")
    for refused in (other_body, other_address, other_token):
        assert (refused.status_code, refused.json()["code"]) == (422, "key-used-otherwise")
    assert Variant.objects.count() == 1


def test_the_keys_of_two_people_never_meet(api: APIClient, charlie: User, client_of: Client) -> None:
    assert draw(api, "one").json()["id"] != draw(client_of(charlie), "one").json()["id"]


def test_a_refusal_is_kept_too(api: APIClient) -> None:
    address, key = "/api/v1/problems/later/variants", {"Idempotency-Key": "one"}
    first = api.post(address, {}, format="json", headers=key)
    assert first.status_code == 404
    Problem.objects.update(slug="later")
    again = api.post(address, {}, format="json", headers=key)
    assert (again.status_code, again.json(), again["Content-Type"]) == (404, first.json(), "application/problem+json")


@pytest.mark.parametrize("lost", [{"dropped_at": timezone.now()}, {"role": "assistant"}])
@pytest.mark.parametrize("said", [{"email": "dora@example.org"}, {"role": "king"}])
def test_who_has_lost_the_right_since_is_not_told_again(
    course: Course, client_of: Client, said: dict[str, str], lost: dict[str, object]
) -> None:
    dave = person(course, "dave", "instructor").user
    dave_s, key = client_of(dave), {"Idempotency-Key": "one"}
    address = f"/api/v1/courses/{course.public_id}/people"
    first = dave_s.post(address, said, format="json", headers=key)
    again = dave_s.post(address, said, format="json", headers=key)
    assert (first.json(), again["Idempotency-Replayed"]) == (again.json(), "true")
    was = Enrolment.objects.filter(user=dave).values("dropped_at", "role").get()
    Enrolment.objects.filter(user=dave).update(**lost)
    refused = dave_s.post(address, said, format="json", headers=key)
    assert (refused.status_code, refused.json()["code"], "dora" in refused.text) == (404, "not-found", False)
    Enrolment.objects.filter(user=dave).update(**was)
    assert dave_s.post(address, said, format="json", headers=key).json() == first.json()


def test_a_fault_of_ours_is_not_kept_and_can_be_tried_again(api: APIClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(**_: object) -> None:
        raise NothingToDraw("Not now.")

    with monkeypatch.context() as patched:
        patched.setattr("exercises.actions.draw_or_find", fail)
        assert draw(api, "one").status_code == 503
    assert draw(api, "one").status_code == 201


def test_while_the_first_is_being_answered_the_second_is_told_to_wait(api: APIClient, bob: User) -> None:
    draw(api, "one")
    KeptAnswer.objects.update(status=None)
    waiting = draw(api, "one")
    assert (waiting.status_code, waiting.json()["code"]) == (409, "key-in-use")
    KeptAnswer.objects.update(created_at=timezone.now() - kept_answers.IN_FLIGHT_FOR - dt.timedelta(seconds=1))
    assert draw(api, "one").status_code == 200  # whoever took the key was killed, and has done nothing


def test_an_answer_is_kept_for_a_day(api: APIClient) -> None:
    draw(api, "one")
    draw(api, "two")
    KeptAnswer.objects.filter(key="one").update(created_at=timezone.now() - dt.timedelta(hours=24, seconds=1))
    assert "Idempotency-Replayed" not in draw(api, "one")
    KeptAnswer.objects.filter(key="two").update(created_at=timezone.now() - dt.timedelta(hours=24, seconds=1))
    assert clear_kept_answers() == 1
    assert KeptAnswer.objects.get().key == "one"


@pytest.mark.parametrize("key", ["", " ", "a b", "x" * 65, "é"])
def test_what_is_no_key_is_refused(api: APIClient, key: str) -> None:
    assert draw(api, key).status_code == 400
    assert not Variant.objects.exists()


def test_a_process_that_is_killed_before_it_could_keep_its_answer_has_done_nothing(
    api: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object) -> bool:
        raise SystemExit

    with monkeypatch.context() as patched:
        patched.setattr(kept_answers, "keep_answer", killed)
        with pytest.raises(SystemExit):
            draw(api, "one")
    assert not Variant.objects.exists()
    assert draw(api, "one").status_code == 409
    KeptAnswer.objects.update(created_at=timezone.now() - kept_answers.IN_FLIGHT_FOR - dt.timedelta(seconds=1))
    assert draw(api, "one").status_code == 201


def test_who_took_so_long_that_the_key_was_given_away_has_done_nothing(
    api: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_answers, "keep_answer", lambda *_: False)
    late = draw(api, "one")
    assert (late.status_code, late.json()["code"]) == (409, "key-in-use")
    assert not Variant.objects.exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("problem")
def test_of_many_at_once_one_is_done(bob: User, client_of: Client) -> None:
    api, gate = client_of(bob), threading.Barrier(8)
    sign = api._credentials

    def send(_: int) -> int:
        client = APIClient()
        client.credentials(**sign)
        try:
            gate.wait(timeout=10)
            return draw(client, "one").status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        statuses = list(pool.map(send, range(8)))
    assert set(statuses) <= {201, 409}
    assert 201 in statuses
    assert Variant.objects.count() == 1
    assert draw(api, "one").status_code == 201
