"""A worker that dies between claim and verdict: a real process, ended by a signal it cannot catch."""

import datetime as dt
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from urllib.parse import quote

import pytest
from django.conf import settings
from django.db import connection
from django.utils import timezone

from exercises.actions import send_answer
from exercises.models import Grading, Submission, User
from exercises.tasks import grade_pending, sweep_pending
from tests.exercises.world import c1

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("servers")]

#: Claims and marks like a worker, says so, and then takes for ever to record.
WORKER = """
import time
import django
django.setup()
from exercises.actions.claim import claim_pending
from exercises.actions.mark import mark_submissions
claim = claim_pending()
marked = mark_submissions(claim.submissions)
print(len(marked.verdicts), flush=True)
time.sleep(120)
"""


def database_url() -> str:
    """The address of the database this test is on."""
    at = connection.settings_dict
    if connection.vendor == "sqlite":
        assert "memory" not in str(at["NAME"]), "Another process cannot reach a database in memory."
        return f"sqlite:///{at['NAME']}"
    return f"postgres://{at['USER']}:{quote(at['PASSWORD'])}@{at['HOST']}:{at['PORT']}/{at['NAME']}"


@pytest.fixture
def worker() -> Iterator[subprocess.Popen[str]]:
    environment = {**os.environ, "DATABASE_URL": database_url(), "DJANGO_SETTINGS_MODULE": "server.settings"}
    process = subprocess.Popen(
        [sys.executable, "-c", WORKER], cwd=settings.BASE_DIR, env=environment, stdout=subprocess.PIPE, text=True
    )
    yield process
    process.kill()
    process.communicate()


def send_twelve(learner: User) -> None:
    variant = c1(learner)
    for value in range(12):
        send_answer(learner=learner, variant=variant, answers={"p": f"0.{value + 100}"})


@pytest.mark.usefixtures("problem")
def test_every_answer_is_graded_exactly_once(bob: User, request: pytest.FixtureRequest) -> None:
    send_twelve(bob)
    worker: subprocess.Popen[str] = request.getfixturevalue("worker")
    assert worker.stdout is not None
    assert worker.stdout.readline().strip() == "12"
    worker.send_signal(signal.SIGKILL)
    assert worker.wait(timeout=10) == -signal.SIGKILL

    # As long as the lease runs nobody takes the rows, however often a worker is woken.
    assert (grade_pending(), sweep_pending(), Grading.objects.count()) == (0, 0, 0)
    Submission.objects.update(claimed_until=timezone.now() - dt.timedelta(seconds=1))
    assert sweep_pending() == 12
    assert (grade_pending(), sweep_pending()) == (0, 0)
    assert set(Counter(Grading.objects.values_list("submission", flat=True)).values()) == {1}
    assert set(Submission.objects.values_list("state", "tries")) == {("graded", 2)}
