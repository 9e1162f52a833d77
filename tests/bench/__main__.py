"""`make bench`: each figure beside its floor from the same run, on screen and in var/bench/latest.json.

`python -m tests.bench warm-variant …` measures only the rows named, and writes nothing.
"""

import os
import sys
from collections.abc import Callable

from tests.bench.core import evaluation_core
from tests.bench.figures import Figure, as_table, write
from tests.bench.gradebook import gradebook
from tests.bench.latency import submit_verdict
from tests.bench.recording import recording_with_mastery
from tests.bench.regrading import regrade_apply, regrade_dry_run, regrade_memory
from tests.bench.service import ROOT
from tests.bench.statistics import class_page, statistics_page, statistics_work
from tests.bench.variants import batch_mark, cold_mark, warm_every_box, warm_variant

FILE = ROOT / "var" / "bench" / "latest.json"
ROWS: dict[str, Callable[[], Figure]] = {
    "warm-variant": warm_variant,
    "warm-every-box": warm_every_box,
    "cold-mark": cold_mark,
    "batch-mark": batch_mark,
    "evaluation-core": evaluation_core,
    "recording-with-mastery": recording_with_mastery,
    "gradebook": gradebook,
    "regrade-dry-run": regrade_dry_run,
    "regrade-apply": regrade_apply,
    "regrade-memory": regrade_memory,
    "statistics-page": statistics_page,
    "class-page": class_page,
    "statistics-work": statistics_work,
    "submit-verdict-embedded": lambda: submit_verdict("embedded"),
    "submit-verdict-redis": lambda: submit_verdict("redis"),
}


def main(names: list[str]) -> int:
    """Measure the rows named, or all; 2 for a name that is none."""
    if unknown := sorted(set(names) - ROWS.keys()):
        print(f"There is no row {unknown[0]!r}. Rows are: {', '.join(ROWS)}.", file=sys.stderr)
        return 2
    print(_machine("Measuring"), flush=True)
    figures = []
    for name in names or ROWS:
        print(f"  {name} …", flush=True)
        figures.append(ROWS[name]())
    print(f"\n{as_table(figures)}\n\n{_machine('Measured')}")
    if not names:
        write(figures, FILE)
        print(f"Written to {FILE.relative_to(ROOT)}.")
    return 0


def _machine(verb: str) -> str:
    """How busy the machine is: beside other work only the ratios say anything."""
    cores, load = os.cpu_count() or 1, os.getloadavg()[0]
    busy = " Something else is running: read the ratios, not the values." if load > cores / 2 else ""
    return f"{verb} on {cores} cores at a load of {load:.1f}.{busy}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
