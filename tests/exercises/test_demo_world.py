"""The demo world: made through the product's own actions, the same each time, and never where others can reach it."""

from dataclasses import replace
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth import authenticate
from django.core.management import CommandError, call_command
from django.utils import timezone

from exercises.actions import sync_catalogue
from exercises.management.commands import demo_world
from exercises.models import Evidence, Grading, Mastery, Submission, User, Variant
from tests.exercises.world import MASKED

pytestmark = pytest.mark.usefixtures("servers", "published", "demo_problems")


@pytest.fixture
def demo_problems(db: None, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.HTTPS = False
    # Two days say as much as two weeks.
    short = tuple(replace(person, studied=person.studied[-2:]) for person in demo_world.PEOPLE)
    monkeypatch.setattr(demo_world, "PEOPLE", short)
    sync_catalogue([f"masked-{k}" for k in range(8)], lambda slug: MASKED)


def make(*arguments: str) -> str:
    out = StringIO()
    call_command("demo_world", *arguments, stdout=out)
    return out.getvalue()


def test_everybody_can_log_in_as_printed() -> None:
    printed = make()
    for name, password in (
        ("alice", "alice-teaches"),
        ("bob", "bob-learns"),
        ("charlie", "charlie-elsewhere"),
    ):
        assert f"{name:8} {password}" in printed
        assert authenticate(username=name, password=password) is not None
    assert list(User.objects.filter(is_instructor=True).values_list("username", flat=True)) == ["alice"]


def test_bob_has_a_history_with_right_answers_mistakes_and_a_solution_asked_for() -> None:
    make()
    assert Submission.objects.filter(author__username="bob").count() >= 8
    assert set(Submission.objects.values_list("state", flat=True)) == {"graded"}
    outcomes = {
        mark["outcome"]
        for verdict in Grading.objects.values_list("verdict", flat=True)
        for mark in verdict["marks"].values()
    }
    assert {"right", "mistake"} <= outcomes


def test_what_they_did_shows_on_earlier_days() -> None:
    make()
    today = timezone.now().date()
    days = set(Evidence.objects.filter(learner__username="bob").values_list("study_day", flat=True))
    assert len(days) >= 2
    assert min(days) < today
    assert Mastery.objects.filter(learner__username="bob").exists()


def test_it_is_safe_to_run_again_and_keeps_what_was_done_since() -> None:
    make()
    bob = User.objects.get(username="bob")
    bob.set_password("my own")
    bob.save()
    before = (Variant.objects.count(), Submission.objects.count(), Grading.objects.count())
    make()
    assert (Variant.objects.count(), Submission.objects.count(), Grading.objects.count()) == before
    assert authenticate(username="bob", password="my own") is not None


def test_the_same_seed_gives_the_same_world() -> None:
    worlds = []
    for seed in ("1", "1", "2"):
        User.objects.all().delete()
        make("--seed", seed)
        worlds.append(
            list(Submission.objects.order_by("pk").values_list("answers", "variant__parameters", "author__username"))
        )
    assert worlds[0] == worlds[1] != worlds[2]


def test_nobody_makes_it_where_others_can_reach_it(settings: Any) -> None:
    settings.HTTPS, settings.DEBUG = True, False
    with pytest.raises(CommandError, match="everybody knows"):
        make()
    assert not User.objects.exists()
