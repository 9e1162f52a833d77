"""The page of whoever runs the service."""

import datetime as dt
import re

import pytest
from django.test import Client
from django.utils import timezone
from redis.exceptions import ConnectionError as RedisConnectionError

from exercises import pulse
from exercises.actions import draw_variant, send_answer, sync_catalogue
from exercises.models import Submission, User
from frontend.templatetags.operating import for_so_long
from tests.exercises.world import ALL_RIGHT, MASKED

pytestmark = pytest.mark.django_db
PAGE = "/staff/operation/"


@pytest.fixture
def olga(client: Client) -> Client:
    """Somebody who runs the service, signed in."""
    client.force_login(User.objects.create_user("olga", is_staff=True))
    return client


def test_it_is_for_whoever_runs_the_service_alone(client: Client, alice: User, bob: User) -> None:
    for user in (alice, bob):
        client.force_login(user)
        assert client.get(PAGE).status_code == 404
        assert PAGE not in client.get("/").content.decode()


def test_its_parts_are_told_apart_by_their_names(olga: Client) -> None:
    names = re.findall('aria-label(?:ledby)?="([^"]+)"', olga.get(PAGE).content.decode())
    assert len(names) == len(set(names)) > 6


def test_it_tells_what_waits_too_long_and_that_nobody_works(olga: Client, bob: User) -> None:
    sync_catalogue(["masked"], lambda slug: MASKED)
    send_answer(learner=bob, variant=draw_variant(learner=bob, slug="masked"), answers=ALL_RIGHT)
    Submission.objects.update(created_at=timezone.now() - dt.timedelta(seconds=90))
    page = " ".join(olga.get(PAGE).content.decode().split())
    assert '<th scope="row">Answers to be marked</th><td class="number">1</td><td class="number">1.5 min</td>' in page
    assert page.count('<span class="badge badge-alert">late</span>') == 1
    assert "No worker was heard of within a day" in page


def test_it_tells_who_works_and_who_may_be_gone(olga: Client) -> None:
    pulse.worker_beats("celery@here")
    pulse._note(pulse._WORKERS, "celery@gone", ago=600)
    pulse.task_ended("exercises.tasks.sweep_pending")
    pulse._note(pulse._TASKS, "exercises.tasks.hand_in_overdue", ago=600)
    page = olga.get(PAGE).content.decode()
    assert page.count("at work</span>") == 1
    assert page.count("gone?</span>") == 1
    assert page.count("on time</span>") == 1
    assert page.count('badge-alert">late</span>') == 1


def test_without_redis_it_says_so(olga: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise RedisConnectionError("stopped")

    monkeypatch.setattr(pulse, "_redis", refuse)
    assert "Redis does not answer" in olga.get(PAGE).content.decode()


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0.0342, "0.03 s"), (7.125, "7.12 s"), (59.9, "59.9 s"), (90, "1.5 min"), (7200, "2 h"), (200_000, "2.31 d")],
)
def test_times_are_told_in_one_unit(seconds: float, said: str) -> None:
    assert for_so_long(seconds) == said
