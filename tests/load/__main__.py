"""`make load`: the whole-class burst of a thousand, beside its floors; on screen and in var/bench/load.json.

`python -m tests.load 100` does it with another number of learners.
"""

import json
import os
import sys

from tests.load.burst import REQUESTS, SECONDS, Came, burst
from tests.load.service import loaded
from tests.stacks import ROOT

LEARNERS = 1000
FILE = ROOT / "var" / "bench" / "load.json"
#: The time to the last verdict may be so many times that of the same burst without marking.
MOST = 1.5


def main(arguments: list[str]) -> int:
    """Four bursts, the first to warm up; 1 if anything was lost, doubled or left over. Never by the clock."""
    learners = int(arguments[0]) if arguments else LEARNERS
    print(
        f"{learners} learners who begin within {SECONDS:g} s, {REQUESTS} requests each; load {os.getloadavg()[0]:.1f}",
        flush=True,
    )
    with loaded() as service:
        burst(service, learners=min(learners, 50), title="Warm-up", seed=0)
        came = {
            "with marking": burst(service, learners=learners, title="With marking", seed=1),
            "without marking": burst(service, learners=learners, title="Without marking", seed=1, marking=False),
            "floor": burst(service, learners=learners, title="Floor", seed=1, floor=True),
        }
    for name, one in came.items():
        _print(name, one)
    whole, bare = came["with marking"], came["without marking"]
    ratio = (whole.until_last + whole.to_verdict) / bare.until_last
    standing = "under" if ratio <= MOST else "OVER"
    print(f"\nTo the last verdict: {ratio:.2f} times the same burst without marking ({standing} {MOST})")
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_text(json.dumps({name: vars(one) for name, one in came.items()}, indent=2) + "\n")
    # A connection that was dropped was told, and the browser asked again: what counts is what became of it.
    is_whole = whole.is_whole and whole.handed_in == learners
    print("Every hand-in was accepted and graded once." if is_whole else "NOT ALL is accounted for: see above.")
    return 0 if is_whole else 1


def _print(name: str, one: Came) -> None:
    print(f"\n{name}: last hand-in after {one.until_last:.1f} s, last verdict {one.to_verdict:.2f} s later")
    print(
        "  p95 ms: " + ", ".join(f"{kind} {1e3 * took:.0f}" for kind, took in one.p95.items() if "median" not in kind)
    )
    print("  CPU s: " + ", ".join(f"{part} {seconds:.1f}" for part, seconds in sorted(one.cpu.items())))
    print("  counted: " + ", ".join(f"{what} {number:g}" for what, number in one.counted.items() if "last" not in what))
    if one.faults:
        print(f"  faults: {one.faults}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
