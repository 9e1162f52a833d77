"""`make validate`: the learner model against simulated learners and real answers, beside the models one knows.

Tables on screen, and the same figures in var/bench/learning.json. Seeds are fixed: only a change of code changes them.
"""

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from tests.bench.learning.answers import Stream
from tests.bench.learning.declaring import RULES, Declaration, declaration
from tests.bench.learning.foreseeing import Foresight, foresight
from tests.bench.learning.models import COMPARED, WITHOUT_GAIN, Filter, Gym, Model
from tests.bench.learning.real import law_school, verbal_aggression
from tests.bench.learning.worlds import Practice, Teaches, bkt_stream, growing, knowing, logistic_stream, steady

ROOT = Path(__file__).resolve().parents[3]
FILE = ROOT / "var" / "bench" / "learning.json"
LEARNERS = 3000
ORDERS = range(10)

Models = Mapping[str, Callable[[], Model]]
FOLD: Models = COMPARED | {"this product": Gym}
SITTING: Models = COMPARED | {"this product": Filter, "this product, no gain": lambda: Filter(WITHOUT_GAIN)}


def main() -> int:
    """Measure everything, which takes about half a minute, and write it down, whole or not at all."""
    foreseen = _foreseen()
    declared = _declared()
    kept = {
        "foresight": {world: {name: asdict(found) for name, found in rows.items()} for world, rows in foreseen.items()},
        "declaration": {
            world: {name: asdict(found) for name, found in rows.items()} for world, rows in declared.items()
        },
    }
    FILE.parent.mkdir(parents=True, exist_ok=True)
    unfinished = FILE.with_suffix(".unfinished")
    unfinished.write_text(json.dumps(kept, indent=2, allow_nan=False) + "\n")
    unfinished.replace(FILE)
    print(f"\nWritten to {FILE.relative_to(ROOT)}.")
    return 0


def _foreseen() -> dict[str, dict[str, Foresight]]:
    simulated = [
        bkt_stream(),
        logistic_stream(),
        logistic_stream(forgets=True),
        logistic_stream(teaches=Teaches.ANYTHING),
    ]
    measured = {stream.name: _compared(FOLD, [stream]) for stream in simulated}
    for real in (
        [verbal_aggression(order) for order in ORDERS],
        [law_school("lsat6", order) for order in ORDERS],
        [law_school("lsat7", order) for order in ORDERS],
    ):
        measured[real[0].name] = _compared(SITTING, real)
    return measured


def _compared(models: Models, streams: Sequence[Stream]) -> dict[str, Foresight]:
    judged = len(streams[0].answers) - streams[0].judged_from
    orders = f", in {len(streams)} orders" if len(streams) > 1 else ""
    print(f"\n{streams[0].name}: {judged} answers, foreseen one by one{orders}")
    print(f"  {'':24}{'log-loss':>10}{'AUC':>8}{'worst of ten bins':>20}")
    figures = {}
    for name, model in models.items():
        figures[name] = found = foresight(model, *streams)
        print(f"  {name:24}{found.log_loss:>10.3f}{found.auc:>8.3f}{found.worst_bin:>20.3f}", flush=True)
    return figures


def _declared() -> dict[str, dict[str, Declaration]]:
    growth = [growing(LEARNERS, to_a_ceiling=False), growing(LEARNERS, to_a_ceiling=True), knowing(LEARNERS)]
    stuck = [steady(LEARNERS, success) for success in (0.6, 0.7, 0.75, 0.85, 0.9)]
    print(f"\n{LEARNERS} learners, at most {growth[0].right.shape[1]} steps: who is declared able to do it")
    measured = {}
    for practice in growth:
        measured[practice.name] = _ruled(practice)
        print(f"\n  {practice.name:24}{'declared':>10}{'falsely':>10}{'after steps':>13}")
        for name, found in measured[practice.name].items():
            print(f"  {name:24}{found.declared:>10.1%}{found.false:>10.1%}{found.steps:>13.1f}")
    for practice in stuck:
        measured[practice.name] = _ruled(practice)
    print(f"\n  {'ever declared':24}" + "".join(f"{practice.name:>16}" for practice in stuck))
    for name in RULES:
        shares = "".join(f"{measured[practice.name][name].declared:>16.1%}" for practice in stuck)
        print(f"  {name:24}{shares}", flush=True)
    return measured


def _ruled(practice: Practice) -> dict[str, Declaration]:
    return {name: declaration(rule, practice) for name, rule in RULES.items()}


if __name__ == "__main__":
    sys.exit(main())
