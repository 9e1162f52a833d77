"""Events and webhooks, as programs meet them."""

import json
import uuid
from typing import Any
from urllib.parse import urlsplit

import pytest

from exercises.actions.delivering.deliver import deliver_due, fan_out
from exercises.actions.events import tell
from exercises.actions.feed import place_events
from exercises.courses.xapi import VERBS
from exercises.models import Course, User
from tests.api.conftest import Client
from tests.exercises.events.receiver import Receiver

pytestmark = pytest.mark.django_db
ATTEMPT, SET = str(uuid.uuid4()), str(uuid.uuid4())


@pytest.fixture(autouse=True)
def _at_home(settings: Any) -> None:
    settings.ALLOW_PRIVATE_ADDRESSES = True


def happens(course: Course, bob: User, kind: str = "score.changed", score: str | None = "2/3") -> None:
    tell(
        kind, course=course.pk, learner=bob.pk, data={"attempt": ATTEMPT, "problem_set": SET, "score": score, "item": 1}
    )
    place_events()


def feed(course: Course) -> str:
    return f"/api/v1/courses/{course.public_id}/events"


def test_a_program_follows_the_feed_page_by_page(course: Course, alice: User, bob: User, client_of: Client) -> None:
    client = client_of(alice)
    for _ in range(5):
        happens(course, bob)
    seen, address = [], f"{feed(course)}?limit=2"
    while address:
        page = client.get(address).json()
        seen += [event["id"] for event in page["results"]]
        cursor, address = page["cursor"], page["next"]
    assert len(set(seen)) == len(seen) == 5
    assert client.get(f"{feed(course)}?after={cursor}").json()["results"] == []
    happens(course, bob, "attempt.begun")
    new = client.get(f"{feed(course)}?after={cursor}").json()["results"]
    assert [(event["type"], event["data"]["learner"]) for event in new] == [("attempt.begun", "bob")]


def test_only_the_kinds_that_are_asked_for(course: Course, alice: User, bob: User, client_of: Client) -> None:
    client = client_of(alice)
    happens(course, bob)
    happens(course, bob, "attempt.begun")
    found = client.get(f"{feed(course)}?type=attempt.begun,attempt.handed-in").json()["results"]
    assert [event["type"] for event in found] == ["attempt.begun"]


@pytest.mark.parametrize("query", ["after=-1", "after=x", "after=9" * 20, "limit=0", "limit=101", "type=no.such"])
def test_what_cannot_be_asked_is_told(course: Course, alice: User, client_of: Client, query: str) -> None:
    answer = client_of(alice).get(f"{feed(course)}?{query}")
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")


@pytest.mark.parametrize("name", ["bob", "charlie"])
def test_the_feed_is_for_whoever_reads_the_work_of_learners(
    course: Course, request: pytest.FixtureRequest, client_of: Client, name: str
) -> None:
    client = client_of(request.getfixturevalue(name))
    assert client.get(feed(course)).status_code == 404
    assert client.get(f"/api/v1/courses/{course.public_id}/webhooks").status_code == 404


def test_statements_are_what_a_learning_record_store_takes(
    course: Course, alice: User, bob: User, client_of: Client
) -> None:
    for kind in VERBS:
        happens(course, bob, kind)
    happens(course, bob, score=None)
    happens(course, bob, "results.released")
    found = client_of(alice).get(f"/api/v1/courses/{course.public_id}/statements").json()["statements"]
    assert [one["verb"]["id"].rsplit("/", 1)[1] for one in found] == [
        "initialized", "completed", "answered", "scored", "scored",
    ]  # fmt: skip
    for one in found:
        assert one["actor"] == {
            "objectType": "Agent", "account": {"homePage": "http://testserver", "name": "bob"},
        }  # fmt: skip
        assert urlsplit(one["object"]["id"]).scheme == "http"
        assert uuid.UUID(one["id"])
        assert uuid.UUID(one["context"]["registration"])
    assert found[3]["result"]["score"]["scaled"] == pytest.approx(2 / 3)
    assert list(found[3]["result"]["extensions"].values()) == ["2/3"]
    assert "result" not in found[4]


def test_a_webhook_from_its_making_to_its_removal(
    course: Course, alice: User, bob: User, client_of: Client, receiver: Receiver
) -> None:
    client = client_of(alice)
    hooks = f"/api/v1/courses/{course.public_id}/webhooks"
    made = client.post(hooks, {"url": receiver.url, "types": ["score.changed"]}, format="json")
    assert made.status_code == 201
    assert made.json()["secret"].startswith("whsec_")
    address = f"{hooks}/{made.json()['id']}"
    assert "secret" not in client.get(address).json()
    assert "secret" not in json.dumps(client.get(hooks).json())
    happens(course, bob)
    happens(course, bob, "attempt.begun")
    fan_out()
    deliver_due(5)
    log = client.get(f"{address}/deliveries").json()["results"]
    assert [(row["type"], row["state"], row["last_status"]) for row in log] == [("score.changed", "delivered", 200)]
    again = client.post(f"{address}/deliveries/{log[0]['id']}/replay")
    assert (again.status_code, again.json()["event"]) == (202, log[0]["event"])
    deliver_due(5)
    assert len(receiver.came) == 2
    assert client.post(f"{address}/secret").json()["secret"] != made.json()["secret"]
    paused = client.put(address, {"url": receiver.url, "is_paused": True}, format="json").json()
    assert (paused["state"], paused["types"]) == ("paused", [])
    refused = client.post(f"{address}/deliveries/{log[0]['id']}/replay")
    assert (refused.status_code, refused.json()["code"]) == (400, "webhook-refused")
    assert client.delete(address).status_code == 204
    assert client.get(address).status_code == 404


def test_an_address_inside_is_refused(settings: Any, course: Course, alice: User, client_of: Client) -> None:
    settings.ALLOW_PRIVATE_ADDRESSES = False
    hooks = f"/api/v1/courses/{course.public_id}/webhooks"
    answer = client_of(alice).post(hooks, {"url": "https://127.0.0.1/"}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (400, "webhook-refused")
    assert "private network" in answer.json()["detail"]


def test_a_webhook_of_another_course_is_not_there(
    course: Course, alice: User, client_of: Client, receiver: Receiver
) -> None:
    client = client_of(alice)
    made = client.post(f"/api/v1/courses/{course.public_id}/webhooks", {"url": receiver.url}, format="json").json()
    other = Course.objects.create(title="Another")
    other.enrolments.create(user=alice, role="instructor")
    for way in ("get", "delete"):
        assert getattr(client, way)(f"/api/v1/courses/{other.public_id}/webhooks/{made['id']}").status_code == 404
