"""What evidence and mastery cost where verdicts are recorded."""

import json
import os
import secrets
import subprocess
import sys
import tempfile
from contextlib import ExitStack

from server.embedded.postgres_server import PostgresServer
from server.embedded.redis_server import RedisServer
from tests.bench.figures import Bar, Figure, median
from tests.bench.service import NOT_INHERITED, ROOT

#: Runs with Django set up, which `python -m` of the module itself would be too late for.
MEASURED = "import django; django.setup(); from tests.bench import recorded; recorded.main()"


def recording_with_mastery() -> Figure:
    """Milliseconds to record a batch of 500 verdicts, commit included; the floor is the same without evidence."""
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
        told = subprocess.run(
            [sys.executable, "-c", MEASURED], cwd=ROOT, env=env, check=True, stdout=subprocess.PIPE, text=True
        )
    spent = json.loads(told.stdout)
    evidence, mastery = spent["rows"]
    said = (
        f"medians of {len(spent['kept'])} batches of 500 answers by 100 learners on PostgreSQL; "
        f"{evidence} rows of evidence a batch, {mastery} of mastery in all"
    )
    return Figure("recording-with-mastery", median(spent["kept"]), "ms", median(spent["floor"]), Bar("ratio", 2), said)
