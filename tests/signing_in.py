"""Signing somebody in where that is not what is tested: two statements of the twelve that Django sends.

It keeps a session, gives it a new key, puts a person into it and keeps it again, for the sake of what a browser did
before. A client that has been nowhere yet has nothing to take along, and most worlds sign in six people and use one.
"""

from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import update_last_login
from django.contrib.sessions.backends.db import SessionStore
from django.http import HttpRequest
from django.test import Client
from django.utils.crypto import get_random_string

from exercises.models import User

as_django_does = Client._login


def sign_in(client: Client, user: User, backend: str | None = None) -> None:
    """What `Client.force_login` does, with the same session, cookie and time of the last sign-in in the end."""
    if client.cookies.get(settings.SESSION_COOKIE_NAME):
        as_django_does(client, user, backend)
        return
    held: dict[str, Any] = {
        SESSION_KEY: str(user.pk),
        BACKEND_SESSION_KEY: backend,
        HASH_SESSION_KEY: user.get_session_auth_hash(),
    }
    session = SessionStore(get_random_string(32))
    session._session_cache = held  # else it looks for what it holds, and for a key that is free
    session.create_model_instance(held).save(force_insert=True)
    update_last_login(type(user), user)
    request = HttpRequest()
    request.session = session
    client._set_login_cookies(request)
