"""The small world of the pages: Alice teaches, Bob learns and owns the variant, Charlie learns elsewhere."""

import pytest
from django.test import Client

from exercises import queries
from exercises.models import Submission, User, Variant
from exercises.tasks import grade_pending
from frontend.views import variant as variant_views
from grader.verdict import Verdict
from tests.exercises.conftest import published
from tests.frontend.world import drawn, synced

__all__ = ["published"]


@pytest.fixture
def variant(bob: User) -> Variant:
    """Bob's variant of the first worked example, with a figure, a forecast, hints and an exact choice beside it."""
    synced()
    return drawn(bob)


@pytest.fixture(autouse=True)
def _nobody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """No worker runs beside these tests, so there is nothing to wait for."""
    monkeypatch.setattr(variant_views, "WAIT", 0)


@pytest.fixture
def quick_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that has marked an answer before the reply to it is written."""
    at_once = queries.verdict_within

    def marked(submission: Submission, seconds: float) -> Verdict | None:
        grade_pending()
        return at_once(submission, seconds)

    monkeypatch.setattr(queries, "verdict_within", marked)


def _signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def as_bob(bob: User) -> Client:
    return _signed_in(bob)


@pytest.fixture
def as_charlie(charlie: User) -> Client:
    return _signed_in(charlie)


@pytest.fixture
def as_alice(alice: User) -> Client:
    return _signed_in(alice)
