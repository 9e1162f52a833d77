"""What a regrade costs: the dry run and the application, beside writing as many rows; and what memory it takes.

`python -m tests.bench.regrading --full` measures it with a million answers, which takes a while.
"""

import json
import os
import secrets
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from functools import cache
from typing import Any

from server.embedded.postgres_server import PostgresServer
from server.embedded.redis_server import RedisServer
from tests.bench.figures import Bar, Figure, as_table
from tests.bench.service import NOT_INHERITED, ROOT

#: Answers that are regraded by default, and with ``--full``.
DEFAULT, FULL = 20_000, 1_000_000
#: Runs with Django set up, which `python -m` of the module itself would be too late for.
MEASURED = "import django; django.setup(); from tests.bench import regraded; regraded.{}({})"


def regrading(total: int = DEFAULT) -> list[Figure]:
    """Microseconds an answer of the dry run and of applying it, each beside writing its rows and nothing else; and MB.

    Every answer is one whose verdict changes, which is the worst there is.
    """
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="gym-bench-"))
        postgres = stack.enter_context(PostgresServer(durable=True))
        redis = stack.enter_context(RedisServer())
        env = {name: value for name, value in os.environ.items() if name not in NOT_INHERITED} | {
            "VAR_DIR": folder,
            "SECRET_KEY": secrets.token_urlsafe(50),
            "LOG_LEVEL": "WARNING",
            "DATABASE_URL": postgres.create_database("gym"),
            "REDIS_URL": redis.url,
            "DJANGO_SETTINGS_MODULE": "server.settings",
        }
        subprocess.run([sys.executable, "manage.py", "migrate", "--verbosity=0"], cwd=ROOT, env=env, check=True)
        subprocess.run([sys.executable, "-c", MEASURED.format("seed", total)], cwd=ROOT, env=env, check=True)
        run = [sys.executable, "-c", MEASURED.format("run", total)]
        told = subprocess.run(run, cwd=ROOT, env=env, check=True, stdout=subprocess.PIPE, text=True)
    return _figures(json.loads(told.stdout), total)


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
    rest = f"a million would take {spent['apply'] / total * 1e6 / 60:.0f} min" if total < FULL else "measured"
    dry, apply = (1e6 * spent[name] / total for name in ("dry", "apply"))
    return [
        Figure("regrade-dry-run", dry, "µs", 1e6 * spent["dry_floor"], Bar("ratio", 2), f"an answer; {changed}"),
        Figure("regrade-apply", apply, "µs", 1e6 * spent["apply_floor"], Bar("ratio", 2), f"an answer; {rest}"),
        Figure("regrade-memory", spent["peak"], "MB", spent["before"], Bar("value", 400), "peak, and before it began"),
    ]


if __name__ == "__main__":
    sizes = [FULL if word == "--full" else int(word) for word in sys.argv[1:]]
    print(as_table(regrading(*sizes[:1])))
