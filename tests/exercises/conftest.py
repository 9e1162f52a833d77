"""A small world: one problem, Alice who teaches, Bob who learns, Charlie who learns elsewhere."""

import pytest
from celery import current_app

from exercises.models import Problem, User, Variant
from tests.exercises.catalogued import catalogued
from tests.exercises.world import MASKED, c1


@pytest.fixture
def problem(db: None) -> Problem:
    """The problem `masked`, synced from a catalogue that holds nothing else."""
    return catalogued({"masked": MASKED})[0]


@pytest.fixture
def variant(problem: Problem, bob: User) -> Variant:
    """Bob's variant of the first worked example."""
    return c1(bob)


@pytest.fixture
def published(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the tasks that were published; none reaches a broker."""
    names: list[str] = []
    monkeypatch.setattr(current_app, "send_task", lambda name, **_: names.append(name))
    return names
