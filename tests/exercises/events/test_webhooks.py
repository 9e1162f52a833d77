"""Deliveries: signed, once where it goes well, again where it does not, and to nobody who is gone."""

import datetime as dt
import json
import threading
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone
from standardwebhooks import Webhook as Verifier
from standardwebhooks import WebhookVerificationError

from exercises import clock
from exercises.actions.delivering import deliver
from exercises.actions.delivering.deliver import LEASE_SECONDS, SLICE_SECONDS, WAITS, deliver_due, fan_out
from exercises.actions.delivering.refusals import WebhookRefused
from exercises.actions.delivering.webhooks import (
    MOST_WEBHOOKS,
    OVERLAP,
    change_webhook,
    make_webhook,
    remove_webhook,
    replay,
    rotate_secret,
)
from exercises.actions.events import tell
from exercises.actions.feed import place_events
from exercises.models import AuditEntry, Course, Delivery, Enrolment, Event, Role, User, Webhook
from exercises.queries.webhooks import delivered_to, webhooks_of
from tests.exercises.courses.world import person
from tests.exercises.events.receiver import Receiver, receiving

pytestmark = pytest.mark.django_db
SECOND = dt.timedelta(seconds=1)


@pytest.fixture(autouse=True)
def _at_home(settings: Any) -> None:
    settings.ALLOW_PRIVATE_ADDRESSES = True


@pytest.fixture
def made(course: Course, alice: User, receiver: Receiver) -> tuple[Webhook, str]:
    return make_webhook(actor=alice, course=course, url=receiver.url, kinds=[])


def happens(course: Course, number: int = 1) -> None:
    for _ in range(number):
        tell("course.changed", course=course.pk, data={"about": "ÄÖÜ – π"})
    place_events()
    fan_out()


def tried(at: dt.datetime) -> int:
    with clock.at(at):
        return deliver_due(5)


def test_an_event_arrives_once_and_its_signature_holds(
    course: Course, made: tuple[Webhook, str], receiver: Receiver
) -> None:
    happens(course)
    assert deliver_due(5) == 1
    assert deliver_due(5) == 0
    (headers, body) = receiver.came[0]
    told = Verifier(made[1]).verify(body, headers)
    event = Event.objects.get(kind="course.changed")
    assert told["id"] == headers["webhook-id"] == str(event.public_id)
    assert (told["type"], told["data"]) == ("course.changed", {"about": "ÄÖÜ – π"})
    row = Delivery.objects.get()
    assert (row.state, row.last_status, row.last_answer, row.tries) == ("delivered", 200, "ok", 1)


def test_a_body_that_was_changed_on_the_way_is_noticed(
    course: Course, made: tuple[Webhook, str], receiver: Receiver
) -> None:
    happens(course)
    deliver_due(5)
    headers, body = receiver.came[0]
    with pytest.raises(WebhookVerificationError):
        Verifier(made[1]).verify(body.replace(b"changed", b"chanced"), headers)


def test_the_secret_is_nowhere_in_the_tables(made: tuple[Webhook, str]) -> None:
    webhook, secret = made
    assert secret.removeprefix("whsec_").encode() not in bytes(webhook.secret)
    assert secret not in json.dumps(list(AuditEntry.objects.values("about", "before", "after")), default=str)


def test_the_trail_that_assistants_read_has_no_address_in_full(course: Course, alice: User) -> None:
    """Whoever knows the whole address of many a receiver may write there."""
    url = "http://127.0.0.1:9/services/T0/B1/hush?key=hush"
    webhook, _ = make_webhook(actor=alice, course=course, url=url, kinds=[])
    rotate_secret(actor=alice, webhook=webhook)
    change_webhook(actor=alice, webhook=webhook, url=url + "2", kinds=[], is_paused=False)
    change_webhook(actor=alice, webhook=webhook, url="http://127.0.0.1:9/in", kinds=[], is_paused=True)
    remove_webhook(actor=alice, webhook=webhook)
    trail = list(AuditEntry.objects.order_by("pk").values("deed", "about", "before", "after"))
    assert not [word for word in ("hush", "T0") if word in json.dumps([trail, list(Event.objects.values("data"))])]
    assert trail[0]["about"] == "http://127.0.0.1:9/service…"
    assert trail[2]["after"]["url"] != trail[2]["before"]["url"]
    assert [one["about"] for one in trail[3:]] == ["http://127.0.0.1:9/in"] * 2


def test_for_a_day_both_secrets_hold_and_then_the_new_one(
    course: Course, made: tuple[Webhook, str], receiver: Receiver, alice: User
) -> None:
    webhook, first = made
    second = rotate_secret(actor=alice, webhook=webhook)
    happens(course)
    deliver_due(5)
    for secret in (first, second):
        Verifier(secret).verify(receiver.came[0][1], receiver.came[0][0])
    happens(course)
    Webhook.objects.update(rotated_at=timezone.now() - OVERLAP)
    deliver_due(5)
    Verifier(second).verify(receiver.came[1][1], receiver.came[1][0])
    with pytest.raises(WebhookVerificationError):
        Verifier(first).verify(receiver.came[1][1], receiver.came[1][0])


def test_what_fails_is_tried_again_later_and_later_and_given_up_after_three_days(
    course: Course, made: tuple[Webhook, str], receiver: Receiver
) -> None:
    receiver.statuses = [500]
    happens(course)
    now = clock.now()
    began, waits = now, []
    while Delivery.objects.filter(state="pending").exists():
        assert tried(now) == 1
        row = Delivery.objects.get()
        if row.due_at:
            waits.append((row.due_at - now).total_seconds())
            now = row.due_at
    assert all(least <= wait <= least * 1.2 for least, wait in zip(WAITS, waits, strict=False))
    assert dt.timedelta(days=3) <= now - began < dt.timedelta(days=4)
    webhook = Webhook.objects.get()
    assert (webhook.state, webhook.why) == ("disabled", "Nothing arrived there for three days.")
    assert Delivery.objects.get().last_status == 500


def test_one_success_in_between_begins_the_three_days_anew(
    course: Course, made: tuple[Webhook, str], receiver: Receiver
) -> None:
    receiver.statuses = [500, 204, 500]
    happens(course)
    tried(clock.now())
    assert Webhook.objects.get().failing_since
    tried(clock.now() + dt.timedelta(hours=1))
    webhook = Webhook.objects.get()
    assert (webhook.failing_since, webhook.state) == (None, "active")


def test_an_address_that_is_gone_is_left_alone_at_once(
    course: Course, made: tuple[Webhook, str], receiver: Receiver
) -> None:
    receiver.statuses = [410]
    happens(course, 3)
    assert deliver_due(5) == 1
    assert set(Delivery.objects.values_list("state", flat=True)) == {"given-up"}
    happens(course)
    assert Delivery.objects.count() == 3


def test_a_redirect_is_no_arrival(course: Course, made: tuple[Webhook, str], receiver: Receiver) -> None:
    receiver.statuses = [302]
    happens(course)
    deliver_due(5)
    assert Delivery.objects.get().state == "pending"


def test_one_address_that_is_down_costs_one_call_and_keeps_nobody_waiting(
    course: Course, made: tuple[Webhook, str], receiver: Receiver, alice: User
) -> None:
    with receiving() as other:
        make_webhook(actor=alice, course=course, url=other.url, kinds=[])
        receiver.statuses = [503]
        happens(course, 20)
        began = clock.now()
        deliver_due(10)
        assert len(receiver.came) == 1
        assert len(other.came) == 20
    pending = Delivery.objects.filter(state="pending")
    assert pending.count() == 20
    assert all(row.due_at and row.due_at > began + 4 * SECOND for row in pending)


def test_one_address_that_takes_its_time_keeps_nobody_waiting_and_is_told_everything(
    course: Course, made: tuple[Webhook, str], receiver: Receiver, alice: User
) -> None:
    receiver.seconds = SLICE_SECONDS + 0.1
    with receiving() as other:
        make_webhook(actor=alice, course=course, url=other.url, kinds=[])
        happens(course, 20)
        deliver_due(60)
        assert len(other.came) == 20
    assert 1 <= len(receiver.came) < 20
    receiver.seconds = 0
    while tried(clock.now() + dt.timedelta(minutes=1)):
        pass
    assert len(receiver.came) == 20


def test_who_waits_alone_is_told_one_after_the_other(
    course: Course, made: tuple[Webhook, str], receiver: Receiver
) -> None:
    receiver.seconds = SLICE_SECONDS + 0.1
    happens(course, 3)
    assert deliver_due(5) == 3


def test_a_worker_that_was_killed_leaves_its_delivery_to_another(
    course: Course, made: tuple[Webhook, str], receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    happens(course)
    with monkeypatch.context() as patched:
        patched.setattr(deliver, "_try", lambda _: None)
        deliver_due(0.05)
    assert deliver_due(1) == 0
    assert tried(clock.now() + dt.timedelta(seconds=LEASE_SECONDS + 1)) == 1
    assert len(receiver.came) == 1


def test_only_the_kinds_that_were_asked_for(course: Course, alice: User, receiver: Receiver) -> None:
    make_webhook(actor=alice, course=course, url=receiver.url, kinds=["results.released"])
    happens(course)
    tell("results.released", course=course.pk, data={})
    place_events()
    fan_out()
    deliver_due(5)
    assert [json.loads(body)["type"] for _, body in receiver.came] == ["results.released"]


def test_what_happened_before_is_not_delivered_and_fanning_twice_delivers_once(
    course: Course, alice: User, receiver: Receiver
) -> None:
    happens(course)
    make_webhook(actor=alice, course=course, url=receiver.url, kinds=[])
    happens(course)
    assert fan_out() == 0
    deliver_due(5)
    assert len(receiver.came) == 1


def test_a_replay_delivers_again_with_the_same_id(
    course: Course, made: tuple[Webhook, str], receiver: Receiver
) -> None:
    happens(course)
    deliver_due(5)
    replay(delivery=Delivery.objects.select_related("webhook").get())
    deliver_due(5)
    ids = [headers["webhook-id"] for headers, _ in receiver.came]
    assert len(ids) == 2
    assert len(set(ids)) == 1


@pytest.fixture
def gone(course: Course, alice: User) -> User:
    """Who makes a webhook, and will leave."""
    return person(course, "gone", Role.INSTRUCTOR).user


@pytest.fixture
def left_behind(course: Course, gone: User, receiver: Receiver) -> Webhook:
    return make_webhook(actor=gone, course=course, url=receiver.url, kinds=[])[0]


LOST: list[dict[str, Any]] = [{"dropped_at": timezone.now()}, {"role": Role.ASSISTANT}]


@pytest.mark.parametrize("lost", LOST)
def test_who_manages_the_course_no_more_is_told_nothing_more(
    course: Course, gone: User, left_behind: Webhook, receiver: Receiver, lost: dict[str, Any]
) -> None:
    happens(course)
    Enrolment.objects.filter(user=gone).update(**lost)
    deliver_due(5)
    left_behind.refresh_from_db()
    assert (receiver.came, left_behind.state) == ([], "disabled")
    assert "does not manage this course" in left_behind.why
    assert set(Delivery.objects.values_list("state", flat=True)) == {"given-up"}


def test_nothing_is_kept_for_an_account_that_was_closed(course: Course, gone: User, left_behind: Webhook) -> None:
    User.objects.filter(pk=gone.pk).update(is_active=False)
    happens(course)
    left_behind.refresh_from_db()
    assert (Delivery.objects.count(), left_behind.state) == (0, "disabled")


def test_nothing_is_repeated_to_who_left_until_somebody_else_lets_it_go_on(
    course: Course, alice: User, gone: User, left_behind: Webhook, receiver: Receiver
) -> None:
    happens(course)
    deliver_due(5)
    Enrolment.objects.filter(user=gone).update(dropped_at=timezone.now())
    again = Delivery.objects.select_related("webhook").get()
    with pytest.raises(WebhookRefused, match="let it go on first"):
        replay(delivery=again)
    assert Webhook.objects.get().state == "disabled"
    change_webhook(actor=alice, webhook=left_behind, url=receiver.url, kinds=[], is_paused=False)
    replay(delivery=again)
    deliver_due(5)
    assert (len(receiver.came), Webhook.objects.get().owner) == (2, alice)


def test_pausing_keeps_what_waits_and_goes_on_with_it(
    course: Course, made: tuple[Webhook, str], receiver: Receiver, alice: User
) -> None:
    happens(course)
    webhook = change_webhook(actor=alice, webhook=made[0], url=receiver.url, kinds=[], is_paused=True)
    assert deliver_due(1) == 0
    change_webhook(actor=alice, webhook=webhook, url=receiver.url, kinds=[], is_paused=False)
    happens(course)
    deliver_due(5)
    assert len(receiver.came) == 2


def test_removed_it_is_gone_with_its_deliveries_and_the_trail_knows(
    course: Course, made: tuple[Webhook, str], alice: User
) -> None:
    happens(course)
    remove_webhook(actor=alice, webhook=made[0])
    remove_webhook(actor=alice, webhook=made[0])
    assert not Delivery.objects.exists()
    deeds = list(AuditEntry.objects.values_list("deed", flat=True))
    assert deeds.count("webhook-removed") == 1


@pytest.mark.parametrize(
    ("url", "kinds"),
    [
        ("https://127.0.0.1/", []), ("http://hooks.example/", []), ("", []),
        ("https://93.184.216.34/" + "x" * 600, []), ("https://93.184.216.34/", ["no.such"]),
    ],
)  # fmt: skip
def test_an_address_that_will_not_do_is_refused_in_words(
    settings: Any, course: Course, alice: User, url: str, kinds: list[str]
) -> None:
    settings.ALLOW_PRIVATE_ADDRESSES = False
    with pytest.raises(WebhookRefused) as refused:
        make_webhook(actor=alice, course=course, url=url, kinds=kinds)
    assert refused.value.message.endswith(".")
    assert refused.value.field in ("url", "kinds")


def test_a_name_that_leads_inside_later_is_not_called(
    settings: Any, course: Course, made: tuple[Webhook, str], receiver: Receiver
) -> None:
    happens(course)
    settings.ALLOW_PRIVATE_ADDRESSES = False
    deliver_due(5)
    assert receiver.came == []
    assert "https" in Delivery.objects.get().last_answer


def test_a_course_has_so_many_webhooks_and_no_more(course: Course, alice: User) -> None:
    for number in range(MOST_WEBHOOKS):
        make_webhook(actor=alice, course=course, url=f"http://127.0.0.1:9/{number}", kinds=[])
    with pytest.raises(WebhookRefused, match="at most 20"):
        make_webhook(actor=alice, course=course, url="http://127.0.0.1:9/", kinds=[])


def test_lists_are_one_query_however_long(
    course: Course, made: tuple[Webhook, str], alice: User, django_assert_num_queries: Any
) -> None:
    for rows in (1, 20):
        happens(course, rows)
        with django_assert_num_queries(1):
            assert webhooks_of(course)[0].pending
        with django_assert_num_queries(1):
            assert [row.event.kind for row in delivered_to(made[0])]


@pytest.mark.django_db(transaction=True)
def test_eight_workers_deliver_each_event_once(course: Course, made: tuple[Webhook, str], receiver: Receiver) -> None:
    happens(course, 40)

    def work() -> None:
        try:
            deliver_due(3)
        finally:
            connection.close()

    workers = [threading.Thread(target=work) for _ in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    while deliver_due(1):
        pass
    ids = [headers["webhook-id"] for headers, _ in receiver.came]
    assert len(ids) == len(set(ids)) == 40
