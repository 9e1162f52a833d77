"""Bad days of the whole service: real web, worker and beat processes, with parts of it taken away under load."""

import json
import time
import urllib.request
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.stacks import KINDS, Kind, Stack

#: The lease of a claim (12 s), a sweep (5 s), and some patience with a busy machine.
LONGEST = 120

COUNT = """
from django.db.models import Count
from exercises.models import Submission
rows = Submission.objects.filter(author__username__startswith="learner").annotate(times=Count("gradings"))
print("COUNTED", rows.count(), rows.filter(state="graded", times=1).count(), rows.exclude(claimed_until=None).count())
"""

LEARNERS = """
from exercises.actions import draw_variant, issue_token
from exercises.models import User
for number in range(20):
    user, _ = User.objects.get_or_create(username=f"learner{number}")
    variant = draw_variant(learner=user, slug="masked-token-loss")
    print("LEARNER", issue_token(user=user)[0], variant.public_id)
"""


class Class:
    """Twenty learners with one variant each, who hand in by REST."""

    def __init__(self, stack: Stack) -> None:
        self.stack = stack
        lines = stack.run(LEARNERS).splitlines()
        self.learners = [line.split()[1:] for line in lines if line.startswith("LEARNER")]
        self.sent = 0

    def hand_in(self, answers: int) -> None:
        """That many different answers from each, eight at a time; every one must be accepted."""
        jobs = [(token, variant, k) for k in range(answers) for token, variant in self.learners]
        first = self.sent

        def send(job: tuple[str, str, int]) -> int:
            token, variant, k = job
            request = urllib.request.Request(
                f"{self.stack.url}/api/v1/variants/{variant}/answers",
                data=json.dumps({"answers": {"p": f"0.{1000 + first + k}"}, "check": ["p"]}).encode(),
                headers={"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
            )
            with urllib.request.urlopen(request, timeout=30) as response:
                return int(response.status)

        with ThreadPoolExecutor(8) as pool:
            assert set(pool.map(send, jobs)) <= {200, 202}
        self.sent += answers

    def counts(self) -> tuple[int, int, int]:
        """How many were stored, how many of them were graded exactly once, and how many wait."""
        lines = self.stack.run(COUNT).splitlines()
        [line] = [line for line in lines if line.startswith("COUNTED")]
        stored, once, waiting = map(int, line.split()[1:])
        return stored, once, waiting

    def wait_for_verdicts(self) -> None:
        ends = time.monotonic() + LONGEST
        while self.counts()[2] and time.monotonic() < ends:
            time.sleep(1)


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_lost_and_nothing_graded_twice(kind: Kind, new_stack: Callable[[Kind], Any]) -> None:
    stack: Stack = new_stack(kind)
    a_class = Class(stack)

    # The worker is killed while answers come in, and again just after it came back.
    a_class.hand_in(3)
    stack.kill("worker")
    a_class.hand_in(3)
    stack.start("worker")
    stack.kill("worker")
    stack.start("worker")

    # Redis goes: answers are taken all the same, and graded once it is back.
    stack.redis.stop()
    a_class.hand_in(2)
    stack.redis.start()

    # A wake-up more than anybody asked for.
    stack.run("from exercises.tasks import grade_pending\nfor _ in range(5): grade_pending.delay()")
    a_class.wait_for_verdicts()
    assert a_class.counts() == (160, 160, 0)
    stack.stop()
