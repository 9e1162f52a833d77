"""What a regrade costs: the dry run and the application, beside writing as many rows; and what memory it takes.

`python -m tests.bench.regrading --full` measures it with a million answers, which takes a while.
"""

import json
import sys
from dataclasses import replace
from functools import cache
from typing import Any

from tests.bench.figures import Bar, Figure, as_table
from tests.bench.on_postgres import empty_postgres

#: Answers that are regraded by default, and with ``--full``.
DEFAULT, FULL = 20_000, 1_000_000


def regrading(total: int = DEFAULT) -> list[Figure]:
    """Microseconds an answer of the dry run and of applying it, each beside writing its rows and nothing else; and MB.

    Every answer is one whose verdict changes, which is the worst there is.
    """
    with empty_postgres() as printed:
        printed("regraded", f"seed({total})")
        told = printed("regraded", f"run({total})")
    return _figures(json.loads(told), total)


def regrade_dry_run() -> Figure:
    """What it takes to say whom a regrade would move."""
    return _once()[0]


def regrade_apply() -> Figure:
    """What it takes to apply it."""
    return _once()[1]


def regrade_memory() -> Figure:
    """What memory it takes."""
    return _once()[2]


@cache
def _once() -> list[Figure]:
    return regrading()


def _figures(spent: dict[str, Any], total: int) -> list[Figure]:
    changed = f"{spent['changed']} of {total} answers change"
    dry, apply = (_figure(name, spent[name], total) for name in ("dry", "apply"))
    along = "; ".join(f"{name} {', '.join(map(str, spent[name]['memory']))} MB" for name in ("dry", "apply"))
    memory = Figure("regrade-memory", spent["peak"], "MB", spent["before"], Bar("value", 400), f"peak; held {along}")
    return [replace(dry, told=f"{dry.told}; {changed}"), apply, memory]


def _figure(name: str, spent: dict[str, Any], total: int) -> Figure:
    value, floor = 1e6 * spent["seconds"], 1e6 * spent["floor"]
    rest = f"all of it {value * total / 6e7:.1f} min" if total >= FULL else f"a million {value / 60:.0f} min"
    told = f"an answer, {1e6 * spent['cpu']:.0f} of it CPU of the worker; {rest}"
    return Figure(f"regrade-{'dry-run' if name == 'dry' else name}", value, "µs", floor, Bar("ratio", 2), told)


if __name__ == "__main__":
    sizes = [FULL if word == "--full" else int(word) for word in sys.argv[1:]]
    print(as_table(regrading(*sizes[:1])))
