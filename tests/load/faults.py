"""`make faults`: a class that answers at half load while a hundred things go wrong, and the verdict by counting.

`python -m tests.load.faults --count 100 --seed 7` does the same faults in the same order. What goes wrong and how often
is in `tests/load/injections.py`; then the alerts of docs/alerts.yml are provoked one by one, and have to fire.
"""

import argparse
import json
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from tests.load.alerts import Alerts, provoked
from tests.load.exams import Left, new_exams, said
from tests.load.injections import WORKERS, schedule, start_worker
from tests.load.others import Others
from tests.load.service import Loaded, loaded
from tests.stacks import ROOT

LEARNERS = 30
#: Seconds until everything that was taken has to be graded, handed in and told, once nothing goes wrong any more: an
#: exam takes one minute, and a platform that failed is left in peace for up to five.
PATIENCE = 480
#: Seconds of answering before the first fault, in which no alert may go on firing.
CALM = 20

#: Run in the service: ``names`` sign in by tokens.
PEOPLE = """
from exercises.actions.tokens import issue_token
names = [f"answers-{{number}}" for number in range({learners})]
tokens = []
for name in names:
    user = User.objects.create(username=name, password="!")
    tokens.append(issue_token(user=user, label="load", scopes=["practice"])[0])
import json
print("TOKENS " + json.dumps(tokens))
"""
COUNT = """
import json
from django.db.models import Count
rows = Submission.objects.annotate(times=Count("gradings"))
told = {
    "stored": {str(row): [state, times] for row, state, times in rows.values_list("public_id", "state", "times")},
    "doubled": Submission.objects.values("variant", "fingerprint").annotate(n=Count("pk")).filter(n__gt=1).count(),
    "half_claimed": Submission.objects.exclude(lease_token=None).count(),
}
print("COUNTED " + json.dumps(told))
"""


@dataclass(frozen=True)
class Counted:
    """What there is after a run: of what was taken, by submission, its state and how often it was graded."""

    taken: dict[str, str]
    stored: dict[str, tuple[str, int]]
    doubled: int
    half_claimed: int

    @classmethod
    def of(cls, printed: str, taken: dict[str, str]) -> "Counted":
        """What ``COUNT`` printed, beside what was taken."""
        told = json.loads(said(printed, "COUNTED "))
        stored = {one: (state, times) for one, (state, times) in told["stored"].items()}
        return cls(taken, stored, told["doubled"], told["half_claimed"])

    def waiting(self) -> list[str]:
        """What is not marked yet."""
        return [one for one, (state, _) in self.stored.items() if state == "pending"]

    def wrong(self) -> list[str]:
        """Everything that should not be, in words; empty if all is well."""
        found = [f"{one} was taken and is not stored" for one in self.taken.values() if one not in self.stored]
        for one, (state, times) in self.stored.items():
            if (state, times) != ("graded", 1):
                found.append(f"{one} is {state} and was graded {times} times")
        if len(set(self.taken.values())) != len(self.taken):
            found.append("two answers became one submission")
        if self.doubled:
            found.append(f"{self.doubled} answers became two submissions")
        if self.half_claimed:
            found.append(f"{self.half_claimed} rows are held by nobody who lives")
        return found


def main() -> int:
    """1 if anything was lost, doubled or left over, or an alert did not fire; with everything that was."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=100, help="how many faults")
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same faults")
    parser.add_argument("--no-alerts", action="store_true", help="leave out the alerts, which take five minutes")
    asked = parser.parse_args()
    with loaded() as service:
        with others_beside(service) as others:
            wrong = _strike(service, others, asked.count, asked.seed)
        if not asked.no_alerts:
            wrong += provoked(Alerts(service))
    for one in wrong[:40]:
        print(f"  {one}")
    print(f"{len(wrong)} things are wrong." if wrong else "Nothing was lost, nothing doubled, nothing left over.")
    return 1 if wrong else 0


@contextmanager
def others_beside(service: Loaded) -> Iterator[Others]:
    """Two workers instead of the one, and the systems that are called, until the end of the block."""
    service.stack.kill("worker")
    for name in WORKERS:
        start_worker(service.stack, name)
    service.others = Others(service.stack.env)
    try:
        yield service.others
    finally:
        service.others.kill()


def begin(service: Loaded, others: Others, seed: int) -> subprocess.Popen[str]:
    """Let the class answer, and some sit exams: the process that they are."""
    stack = service.stack
    tokens = json.loads(said(stack.run(PEOPLE.format(learners=LEARNERS)), "TOKENS "))
    sitters, sets = new_exams(stack, others)
    plan = {"url": stack.url, "tokens": tokens, "seed": seed, "sitters": sitters, "sets": sets}
    learners = subprocess.Popen(
        [sys.executable, "-m", "tests.load.answering"], cwd=ROOT, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    assert learners.stdin is not None
    learners.stdin.write(json.dumps(plan) + "\n")
    learners.stdin.flush()
    return learners


def end(service: Loaded, others: Others, learners: subprocess.Popen[str]) -> list[str]:
    """Let the class stop; what is wrong once nothing waits any more, or after a while."""
    printed, _ = learners.communicate("over\n", timeout=300)
    told = json.loads(printed)
    print(f"{len(told['taken'])} answers were taken; learners met {told['faults']}", flush=True)
    return _settled(service, others, told)


def _strike(service: Loaded, others: Others, count: int, seed: int) -> list[str]:
    learners = begin(service, others, seed)
    time.sleep(CALM)
    wrong = [f"the alert {name} fires before anything went wrong" for name in sorted(Alerts(service).lasting())]
    chance, struck = random.Random(seed), Counter[str]()
    for number, (pause, fault) in enumerate(schedule(count, seed), start=1):
        time.sleep(pause)
        began = time.monotonic()
        fault.strike(service, chance)
        struck[fault.name] += 1
        print(f"  {number:3} {fault.name} ({time.monotonic() - began:.1f} s)", flush=True)
    print(f"Struck {dict(struck)}", flush=True)
    return wrong + end(service, others, learners) + service.complaints


def _settled(service: Loaded, others: Others, told: dict[str, Any]) -> list[str]:
    began = time.monotonic()
    while True:
        counted, left = Counted.of(service.stack.run(COUNT), told["taken"]), Left.of(service.stack)
        waiting = counted.waiting() + left.waiting()
        if not waiting or time.monotonic() - began > PATIENCE:
            break
        time.sleep(2)
    came = others.end()
    print(
        f"Settled after {time.monotonic() - began:.0f} s: {len(counted.stored)} answers, {len(left.attempts)} attempts "
        f"({sum(one['by'] == 'time' for one in left.attempts.values())} ended by time), {len(left.events)} events, "
        f"which came {sum(came.events.values())} times, {len(came.scores)} scores in {came.posts} calls",
        flush=True,
    )
    return counted.wrong() + left.wrong(told["sat"], came)


if __name__ == "__main__":
    sys.exit(main())
