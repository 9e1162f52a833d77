"""Evidence under workers that run side by side, learners who act meanwhile, and a worker that is killed."""

import datetime as dt
import os
import signal
import subprocess
import sys
from collections import Counter
from typing import Any

import pytest
from django.conf import settings
from django.utils import timezone

from exercises import clock
from exercises.actions import draw_variant, regrade, reveal_solution, send_answer
from exercises.models import Evidence, Grading, Mastery, Submission, User, Variant
from exercises.tasks import grade_pending, sweep_pending
from tests.exercises.learning import assert_nothing_drifted
from tests.exercises.test_at_once import at_once
from tests.exercises.test_evidence import judged
from tests.exercises.test_killed_worker import database_url
from tests.exercises.world import c1

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("servers", "problem", "published")]


def send(learner: User, variant: Variant, count: int) -> None:
    for value in range(count):
        send_answer(learner=learner, variant=variant, answers={"p": f"0.{value + 100}"}, checked=["p"])
    send_answer(learner=learner, variant=variant, answers={"loss": "0.408"}, checked=["loss"])


def test_workers_side_by_side_keep_everything_once(bob: User, charlie: User) -> None:
    for learner in (bob, charlie):
        for _ in range(3):
            latest = Variant.objects.filter(learner=learner).order_by("-number").first()
            variant = draw_variant(learner=learner, slug="masked", after=latest)
            send(learner, variant, 4)
    # Small claims, so that the answers to one variant are recorded by different workers.
    at_once(6, lambda number: [grade_pending(limit=1 + number % 3) for _ in range(8)])
    while grade_pending():
        pass
    assert not Submission.objects.filter(state="pending").exists()
    assert set(Counter(Evidence.objects.values_list("variant", "step", "revision")).values()) == {1}
    assert_nothing_drifted()


def test_learners_and_workers_at_once_drift_nothing(bob: User, charlie: User) -> None:
    """Answers are recorded and judged anew while learners look at solutions and draw on: nobody waits for ever."""
    variants = [c1(bob), c1(charlie)]
    for variant in variants:
        send(variant.learner, variant, 6)
    grade_pending(limit=5)

    def act(number: int) -> None:
        variant = variants[number % 2]
        match number // 2:
            case 0:
                reveal_solution(variant=Variant.objects.get(pk=variant.pk))
            case 1:
                draw_variant(learner=variant.learner, slug="masked", after=variant)
            case 2:
                regrade(Submission.objects.all(), mark=judged("right"))
            case _:
                for _ in range(5):
                    grade_pending(limit=2)

    at_once(10, act)
    while grade_pending():
        pass
    assert_nothing_drifted()


#: Records like a worker, but never comes to the commit.
WORKER = """
import time
import django
django.setup()
from exercises.actions import record
from exercises.actions.claim import claim_pending
from exercises.actions.mark import mark_submissions
from exercises.models import Mastery
claim = claim_pending()
marked = mark_submissions(claim.submissions)
def last(failures):
    print(Mastery.objects.count(), flush=True)
    time.sleep(120)
record._let_go = last
record.record_verdicts(claim, marked)
"""


def test_a_worker_killed_before_its_commit_leaves_nothing_half_done(bob: User) -> None:
    with clock.at(timezone.now() - dt.timedelta(minutes=5)):
        send(bob, c1(bob), 3)
    environment: dict[str, Any] = {
        **os.environ,
        "DATABASE_URL": database_url(),
        "DJANGO_SETTINGS_MODULE": "server.settings",
    }
    worker = subprocess.Popen(
        [sys.executable, "-c", WORKER], cwd=settings.BASE_DIR, env=environment, stdout=subprocess.PIPE, text=True
    )
    try:
        assert worker.stdout is not None
        assert int(worker.stdout.readline()) > 0
    finally:
        worker.send_signal(signal.SIGKILL)
        worker.communicate()
    assert [model.objects.count() for model in (Grading, Evidence, Mastery)] == [0, 0, 0]
    Submission.objects.update(claimed_until=timezone.now() - dt.timedelta(seconds=1))
    assert sweep_pending() == 4
    assert set(Evidence.objects.values_list("step", "reason")) == {("p", "tries"), ("loss", "right")}
    assert_nothing_drifted()
