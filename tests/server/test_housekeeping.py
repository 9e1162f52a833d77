"""What beat does beside the sweep."""

import datetime as dt

import pytest
from celery import current_app
from django.conf import settings
from django.contrib.sessions.models import Session
from django.utils import timezone

from server.tasks import clear_sessions


@pytest.mark.django_db
def test_sessions_that_have_ended_are_deleted() -> None:
    for name, days in (("ended", -1), ("open", 1)):
        Session.objects.create(session_key=name, session_data="", expire_date=timezone.now() + dt.timedelta(days=days))
    clear_sessions()
    assert [session.session_key for session in Session.objects.all()] == ["open"]


def test_every_task_that_beat_asks_for_exists() -> None:
    current_app.loader.import_default_modules()
    assert {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()} <= set(current_app.tasks)
