"""BR-109: one launch, taken once, however it is sent again."""

import datetime as dt
import threading
import time
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from exercises import clock
from exercises.actions.lms.flows import clear_launches
from exercises.models import LaunchFlow, LaunchTicket, Registration, UsedNonce
from tests.lti.platform import begin, claims_of, launch, post, signed

AWAY = {"1 s": 1, "11 s": 11, "59 min": 59 * 60}


@pytest.mark.parametrize("row", AWAY)
def test_a_launch_that_is_sent_again_later_is_refused(row: str, client: Client, registration: Registration) -> None:
    begun = begin(client, registration)
    token = signed(claims_of(begun, registration, exp=int(time.time()) + 3600))
    kept = dict(client.cookies)
    assert post(begun, token).status_code == 303
    again = Client()
    again.cookies.update(kept)
    with clock.at(timezone.now() + dt.timedelta(seconds=AWAY[row])):
        clear_launches()
        response = post(begun, token, client=again)
        assert UsedNonce.objects.count() == 1
    assert response.status_code == 400
    assert "<code>state</code>" in response.content.decode()
    assert LaunchTicket.objects.count() == 1


def test_the_nonce_of_a_launch_is_kept_as_long_as_its_token_is_good(client: Client, registration: Registration) -> None:
    begun = begin(client, registration)
    expires = int(time.time()) + 3600
    assert post(begun, signed(claims_of(begun, registration, exp=expires))).status_code == 303
    assert UsedNonce.objects.get().expires_at.timestamp() >= expires + 60
    with clock.at(timezone.now() + dt.timedelta(minutes=62)):
        clear_launches()
    assert not UsedNonce.objects.exists()


def test_even_a_flow_that_came_back_takes_no_nonce_twice(client: Client, registration: Registration) -> None:
    begun = begin(client, registration)
    flow = LaunchFlow.objects.get()
    kept = dict(client.cookies)
    token = signed(claims_of(begun, registration))
    assert post(begun, token).status_code == 303
    flow.pk = None
    flow.save(force_insert=True)
    again = Client()
    again.cookies.update(kept)
    response = post(begun, token, client=again)
    assert response.status_code == 400
    assert "nonce-used" in response.content.decode()


@pytest.mark.django_db(transaction=True)
def test_of_launches_that_are_sent_at_once_one_is_taken(registration: Registration) -> None:
    assert launch(Client(), registration).status_code == 303  # so that the keys are there
    LaunchTicket.objects.all().delete()
    first = Client()
    begun = begin(first, registration)
    token, kept = signed(claims_of(begun, registration)), dict(first.cookies)
    answers: list[int] = []

    def send() -> None:
        browser = Client()
        browser.cookies.update(kept)
        answers.append(post(begun, token, client=browser).status_code)
        connection.close()

    threads = [threading.Thread(target=send) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [303, 400, 400, 400, 400, 400]
    assert LaunchTicket.objects.count() == 1


def test_a_ticket_opens_once(client: Client, registration: Registration) -> None:
    response = launch(client, registration)
    assert client.get(response["Location"]).status_code == 302
    again = client.get(response["Location"])
    assert again.status_code == 400
    assert "used already" in again.content.decode()


def test_a_ticket_is_over_after_five_minutes(client: Client, registration: Registration) -> None:
    response = launch(client, registration)
    with clock.at(timezone.now() + dt.timedelta(minutes=6)):
        assert client.get(response["Location"]).status_code == 400


def test_a_ticket_in_another_browser_asks_first_and_signs_in_by_a_press(
    client: Client, registration: Registration
) -> None:
    address = launch(client, registration)["Location"]
    other: Any = Client(enforce_csrf_checks=True)
    offered = other.get(address)
    assert offered.status_code == 403
    entry = address.replace("/arrive/", "/enter/")
    assert entry in offered.content.decode()
    asked = other.get(entry)
    assert "Go on as Alice Teacher" in asked.content.decode()
    assert "frame-ancestors 'none'" in asked["Content-Security-Policy"]
    assert other.post(entry).status_code == 403  # without the token of the form
    token = other.cookies["csrftoken"].value
    assert other.post(entry, {"csrfmiddlewaretoken": token}).status_code == 302
    assert other.get("/courses/").status_code == 200
    assert other.post(entry, {"csrfmiddlewaretoken": other.cookies["csrftoken"].value}).status_code == 400
