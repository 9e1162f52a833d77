"""The whole-class burst: everybody opens an exam and hands in within seconds; with marking, without, and its floor."""

import json
import subprocess
import sys
import time
from dataclasses import asdict, dataclass

from tests.bench.figures import median, percentile
from tests.load.clients import Plan
from tests.load.service import Loaded
from tests.load.world import new_class
from tests.stacks import ROOT

#: Requests of one learner: begin, two items, two saves, hand in.
REQUESTS = 6
#: Seconds that everybody begins within, and that somebody thinks at most between two pages.
SECONDS, THINK = 10.0, 0.5
#: Seconds until the last verdict counts as missing.
PATIENCE = 300


@dataclass(frozen=True)
class Came:
    """What one burst came to. Times in seconds: from the start to the last hand-in that was answered, and from there to
    the last verdict; CPU by part, ``clients`` among them."""

    handed_in: int
    faults: dict[str, int]
    until_last: float
    to_verdict: float
    p95: dict[str, float]
    cpu: dict[str, float]
    counted: dict[str, float]

    @property
    def is_whole(self) -> bool:
        """Whether everything that was accepted is graded once, and nothing waits or was given up."""
        one = self.counted
        return (
            one["handed_in"] == one["scored"] == self.handed_in
            and one["answers"] == one["graded_once"]
            and one["waiting"] == one["given_up"] == 0
        )


def burst(service: Loaded, *, learners: int, title: str, seed: int, marking: bool = True, floor: bool = False) -> Came:
    """One burst of that many learners on a set of its own."""
    a_class = new_class(service.stack, learners=learners, title=title)
    if not marking:
        service.stack.kill("worker")
    plan = Plan(
        service.stack.url, a_class.problem_set, a_class.sessions, SECONDS, THINK, seed,
        floor=service.floor if floor else "", forms=REQUESTS if floor else 0,
    )  # fmt: skip
    before = service.cpu_seconds()
    ran = subprocess.run(
        [sys.executable, "-m", "tests.load.clients"], cwd=ROOT, input=json.dumps(asdict(plan)), text=True,
        capture_output=True, check=True,
    )  # fmt: skip
    told = json.loads(ran.stdout)
    counted = a_class.counted()
    ends = time.monotonic() + PATIENCE
    while marking and counted["waiting"] and time.monotonic() < ends:
        time.sleep(0.5)
        counted = a_class.counted()
    # Its questions are asked one after the other: only once nothing waits do they all tell of one moment.
    counted = a_class.counted()
    after = service.cpu_seconds()
    if not marking:
        service.stack.start("worker")
    return Came(
        handed_in=told["handed_in"],
        faults=told["faults"],
        until_last=told["ended"] - told["began"],
        to_verdict=max(0.0, counted["last_graded"] - told["ended"]) if marking else 0.0,
        p95={kind: percentile(took, 0.95) for kind, took in told["took"].items()}
        | {f"{kind} median": median(took) for kind, took in told["took"].items()},
        cpu={name: after[name] - before.get(name, 0.0) for name in after} | {"clients": told["cpu_seconds"]},
        counted=counted,
    )
