"""The short way in which the tests sign people in ends where Django's does."""

import pytest
from django.conf import settings
from django.test import Client

from exercises.models import User
from tests.signing_in import as_django_does

pytestmark = pytest.mark.django_db


def test_the_short_way_ends_where_the_long_one_does(alice: User, bob: User) -> None:
    short, long = Client(), Client()
    short.force_login(bob)
    bob.refresh_from_db()
    assert bob.last_login is not None
    as_django_does(long, bob, bob.backend)
    assert dict(short.session) == dict(long.session)
    assert short.session.session_key != long.session.session_key
    told = [{**client.cookies[settings.SESSION_COOKIE_NAME]} for client in (short, long)]
    assert told[0] == told[1]
    assert b"bob" in short.get("/").content


def test_who_was_somebody_before_is_the_other_from_then_on(alice: User, bob: User) -> None:
    client = Client()
    client.force_login(alice)
    before = client.session.session_key
    client.force_login(bob)
    assert client.session["_auth_user_id"] == str(bob.pk)
    assert client.session.session_key != before
