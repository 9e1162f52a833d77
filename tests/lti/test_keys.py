"""Keys of platforms (BR-111, row X15), and our own."""

import datetime as dt
import threading
import time
from typing import Any

import jwt
import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from exercises import clock
from exercises.actions.lms.platform_keys import MOST_WAITING, key_of
from exercises.actions.lms.tool_keys import rotate_tool_key, signing_key, tend_tool_keys
from exercises.lti.key_sets import public_key_of
from exercises.lti.refusals import LaunchRefused
from exercises.models import Registration, ToolKey
from tests.lti.platform import FakePlatform, begin, claims_of, launch, post, signed


def test_br_111_a_platform_changes_its_keys_and_the_next_launch_works(
    registration: Registration, platform: FakePlatform
) -> None:
    for names in (["first"], ["first", "second"], ["second"], ["second", "third"], ["third"]):
        platform.keys = names
        assert launch(Client(), registration, key=names[-1]).status_code == 303


def test_br_111_a_hundred_made_up_keys_cost_one_reading_a_minute(
    registration: Registration, platform: FakePlatform
) -> None:
    assert launch(Client(), registration).status_code == 303
    asked = platform.times_asked("/keys")
    for number in range(100):
        registration.refresh_from_db()
        with pytest.raises(LaunchRefused):
            key_of(registration, f"made-up-{number}")
    assert platform.times_asked("/keys") == asked + 1
    assert launch(Client(), registration).status_code == 303
    with clock.at(timezone.now() + dt.timedelta(seconds=61)):
        registration.refresh_from_db()
        with pytest.raises(LaunchRefused):
            key_of(registration, "made-up")
    assert platform.times_asked("/keys") == asked + 2


@pytest.mark.parametrize("answer", [(500, b""), (200, b"<html>"), (404, b"{}")])
def test_br_111_the_keys_that_were_read_last_stay_good_while_they_cannot_be_read(
    answer: tuple[int, bytes], registration: Registration, platform: FakePlatform
) -> None:
    assert launch(Client(), registration).status_code == 303
    platform.answer = answer
    with clock.at(timezone.now() + dt.timedelta(hours=5)):
        registration.refresh_from_db()
        assert key_of(registration, "first")
    registration.refresh_from_db()
    assert registration.keys_failure
    assert "first" in registration.keys


def test_a_key_that_a_platform_withdrew_opens_nothing_after_an_hour(
    registration: Registration, platform: FakePlatform
) -> None:
    assert launch(Client(), registration).status_code == 303
    platform.keys = ["second"]
    with clock.at(timezone.now() + dt.timedelta(minutes=61)):
        registration.refresh_from_db()
        with pytest.raises(LaunchRefused):
            key_of(registration, "first")


def looked_up_at_once(registration: Registration, people: int) -> list[Any]:
    """What so many people who launch at once get: a key, or words."""
    found: list[Any] = []

    def look() -> None:
        try:
            found.append(key_of(Registration.objects.get(pk=registration.pk), "first"))
        except LaunchRefused as refused:
            found.append(refused)
        finally:
            connection.close()

    threads = [threading.Thread(target=look) for _ in range(people)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


@pytest.mark.django_db(transaction=True)
def test_x15_several_launch_while_the_key_is_being_looked_for(
    registration: Registration, platform: FakePlatform
) -> None:
    platform.delay = 0.3
    found = looked_up_at_once(registration, 1 + MOST_WAITING)
    assert [type(one) for one in found] == [dict] * (1 + MOST_WAITING)
    assert platform.times_asked("/keys") == 1


@pytest.mark.django_db(transaction=True)
def test_x15_a_platform_that_answers_slowly_holds_up_two_of_a_class_and_the_others_are_told_to_come_again(
    registration: Registration, platform: FakePlatform
) -> None:
    platform.delay = 2.0
    found = looked_up_at_once(registration, 8)
    told = [one for one in found if isinstance(one, LaunchRefused)]
    assert len(told) == 8 - 1 - MOST_WAITING
    assert found[: len(told)] == told  # at once, before the key had come
    assert {one.reason for one in told} == {"keys-busy"}
    assert platform.times_asked("/keys") == 1
    assert [type(one) for one in looked_up_at_once(registration, 8)] == [dict] * 8


def test_nothing_of_one_client_is_used_for_another(registration: Registration, platform: FakePlatform) -> None:
    """X14: keys as well."""
    other = FakePlatform()
    try:
        other.keys = ["second"]
        twin = Registration.objects.create(
            name="Twin", issuer=registration.issuer, client_id="gym-2", login_url=registration.login_url,
            keys_url=f"{other.url}/keys",
        )  # fmt: skip
        begun = begin(Client(), twin)
        assert post(begun, signed(claims_of(begun, twin), key="first", kid="first")).status_code == 400
    finally:
        other.stop()


# --- our own ---------------------------------------------------------------------------------------------------------


def published(client: Client) -> dict[str, Any]:
    """The key set that we publish, by kid."""
    return {key["kid"]: key for key in client.get("/lti/keys").json()["keys"]}


def test_x15_our_next_key_is_published_before_it_signs_and_the_old_one_for_a_while_after(
    client: Client, db: None
) -> None:
    first = signing_key().kid
    second = rotate_tool_key().kid
    assert rotate_tool_key().kid == second  # pressed twice
    assert signing_key().kid == first
    assert set(published(client)) == {first, second}
    now = timezone.now()
    with clock.at(now + dt.timedelta(days=2, minutes=1)):
        assert signing_key().kid == second
        assert set(published(client)) == {first, second}
    with clock.at(now + dt.timedelta(days=10)):
        assert set(published(client)) == {second}
        assert tend_tool_keys() == 1


def test_what_we_sign_is_verified_by_the_key_that_we_publish(client: Client, db: None) -> None:
    key = signing_key()
    token = jwt.encode({"sub": "gym", "iat": int(time.time())}, key.pem, algorithm="RS256", headers={"kid": key.kid})
    entry = published(client)[key.kid]
    assert set(entry) == {"kty", "kid", "n", "e", "alg", "use"}
    assert jwt.decode(token, public_key_of(entry), algorithms=["RS256"])["sub"] == "gym"


def test_a_private_key_is_kept_sealed(db: None) -> None:
    signing_key()
    assert b"PRIVATE" not in bytes(ToolKey.objects.get().private_key)


def test_the_next_key_follows_by_itself_after_three_months(db: None) -> None:
    first = signing_key().kid
    assert tend_tool_keys() == 0
    with clock.at(timezone.now() + dt.timedelta(days=91)):
        tend_tool_keys()
        assert signing_key().kid == first
    with clock.at(timezone.now() + dt.timedelta(days=94)):
        assert signing_key().kid != first
