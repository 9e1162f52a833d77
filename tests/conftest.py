"""What every room's tests may ask for: servers, the live service, a browser."""

import gc
import os
from collections import Counter
from collections.abc import Iterator
from typing import Any

import hypothesis
import pytest
from django.conf import settings
from django.db import connection
from django.test import Client, TransactionTestCase

from exercises.actions.authoring import checks
from exercises.models import Course, Enrolment, Role, User
from tests.checked_once import report_once
from tests.emptying import empty_tables
from tests.exercises.events.receiver import Receiver, receiving
from tests.servers import SERVERS, Servers
from tests.signing_in import sign_in
from tests.stacks import ROOT

# The same examples in every run, so that a change is judged by what it changed. EXPLORE=1 looks for new ones.
hypothesis.settings.register_profile("explore", deadline=None)
hypothesis.settings.register_profile("fixed", deadline=None, derandomize=True)
hypothesis.settings.load_profile("explore" if os.environ.get("EXPLORE") else "fixed")

#: Files whose few tests are as long as so many others: they start services, or try everything that is described.
LONG = {
    "tests/routes/test_described.py": 1000,
    "tests/load/test_full_disk.py": 300,
    "tests/load/test_hosts.py": 300,
    "tests/lti/openedx/test_openedx.py": 300,
    "tests/server/test_run.py": 300,
    "tests/server/test_upgrade.py": 200,
    "tests/api/test_leaks.py": 150,
    "tests/frontend/test_leaks.py": 150,
    "tests/server/test_backup.py": 150,
    "tests/routes/test_routes.py": 100,
    "tests/exercises/sitting/test_rush.py": 100,
    "tests/exercises/test_killed_worker.py": 100,
    "tests/server/test_compose.py": 100,
}


def pytest_configure() -> None:
    # A good hash is slow on purpose, and every test that signs somebody in would pay for it.
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    Client._login = sign_in
    checks.full_report = report_once  # type: ignore[assignment]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Where several processes share the tests, the longest files come first, so that none goes on alone at the end:
    those that drive the live service, and then by the number of their tests, or by what they are as long as."""
    if not os.environ.get("PYTEST_XDIST_WORKER"):
        return
    counts = Counter(item.path for item in items)
    lengths = {path: max(count, LONG.get(path.relative_to(ROOT).as_posix(), 0)) for path, count in counts.items()}
    lively = {item.path for item in items if "new_stack" in getattr(item, "fixturenames", ())}
    items.sort(key=lambda item: (item.path not in lively, -lengths[item.path]))


def pytest_collection_finish() -> None:
    """What was imported and collected stays to the end: the collector need not go through it again and again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(servers: Servers) -> None:
    """pytest-django asks for this before it makes the test database: by then a server must run."""
    if servers.embedded:
        # A file, as in `make run`: one in memory has other locks, and no other process could reach it.
        connection.settings_dict["TEST"]["NAME"] = str(servers.folder / "test.sqlite3")


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """Nobody is left in the test database when it is removed: PostgreSQL notices only later that a process was killed,
    as some tests do to theirs, and refuses until then."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(TransactionTestCase, "_fixture_teardown", lambda _: empty_tables())
        yield
    if connection.vendor != "postgresql":
        return
    with django_db_blocker.unblock():
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        connection.close()


@pytest.fixture(autouse=True)
def _empty_queues(request: pytest.FixtureRequest) -> None:
    """No test finds a message, a flag or a count that another one left, however that one ended."""
    request.config.stash[SERVERS].empty_redis()


# The three standing people: Alice teaches, Bob learns, Charlie belongs elsewhere and must see nothing of Bob's.


@pytest.fixture
def bob(db: None) -> User:
    return User.objects.create_user("bob", password="bob learns here")


@pytest.fixture
def charlie(db: None) -> User:
    return User.objects.create_user("charlie", password="charlie is elsewhere")


@pytest.fixture
def alice(db: None) -> User:
    return User.objects.create_user("alice", password="alice teaches here", is_instructor=True)


@pytest.fixture
def course(alice: User, bob: User) -> Course:
    """The course that Alice teaches and Bob learns in. Charlie learns in another one."""
    found = Course.objects.create(title="BERT by hand", term="Winter 2026", time_zone="Europe/Berlin", created_by=alice)
    Enrolment.objects.create(course=found, user=alice, role=Role.INSTRUCTOR)
    Enrolment.objects.create(course=found, user=bob, role=Role.LEARNER)
    return found


@pytest.fixture
def elsewhere(charlie: User) -> Course:
    """The course that Charlie learns in, taught by Erin. Neither has anything to do with Alice's."""
    erin = User.objects.create_user("erin", password="erin teaches elsewhere", is_instructor=True)
    found = Course.objects.create(title="Another course", term="Winter 2026", created_by=erin)
    Enrolment.objects.create(course=found, user=erin, role=Role.INSTRUCTOR)
    Enrolment.objects.create(course=found, user=charlie, role=Role.LEARNER)
    return found


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """Somebody on loopback to whom events are delivered."""
    with receiving() as found:
        yield found
