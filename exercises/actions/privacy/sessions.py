"""The sessions of somebody who is gone."""

from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session

from exercises.actions.privacy.batches import in_batches


def end_sessions(person: int) -> int:
    """Delete the sessions of the account with that primary key; how many they were. They open nothing any more, but may
    hold what was typed. All sessions are looked through, since a session says only inside whose it is."""
    store: Any = import_module(settings.SESSION_ENGINE).SessionStore()
    ended = 0
    for batch in in_batches(Session.objects.all()):
        own = [row.pk for row in batch if store.decode(row.session_data).get(SESSION_KEY) == str(person)]
        ended += Session.objects.filter(pk__in=own).delete()[0] if own else 0
    return ended
