"""Web, two workers, PostgreSQL and Redis, each on a host of its own: one is cut off, one is slow, one starts anew."""

import json
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import psutil
import pytest

from server.embedded.postgres_server import PostgresServer
from tests.load.faults import COUNT, Counted
from tests.load.injections import PAST_THE_LEASE, WORKERS, start_worker
from tests.load.network import Network, addresses, network, why_not
from tests.missing import cannot_run
from tests.stacks import Prepared, Stack

NAMES = ("web", "worker", "second-worker", "beat", "postgres", "redis")
#: What other tests may not reach, these may: hosts that they made themselves.
pytestmark = pytest.mark.allow_hosts(["127.0.0.1", "::1", *addresses(len(NAMES))])
#: Seconds until what should happen counts as missing.
PATIENCE = 120
ANSWER = """
import uuid
from exercises.actions import draw_variant, send_answer
user, _ = User.objects.get_or_create(username="far-away")
variant = draw_variant(learner=user, slug="masked-token-loss", seed={seed})
print("SENT", send_answer(learner=user, variant=variant, answers={{"p": "0.{seed:03d}"}}).submission.public_id)
"""


class Hosts:
    """A service that is spread over hosts."""

    def __init__(self, stack: Stack, net: Network, postgres: PostgresServer) -> None:
        self.stack, self.net, self.postgres = stack, net, postgres
        self.taken: dict[str, str] = {}

    def answer(self) -> str:
        """One answer, stored and waiting."""
        seed = 100 + len(self.taken)
        printed = self.stack.run(ANSWER.format(seed=seed))
        self.taken[str(seed)] = printed.split()[-1]
        return self.taken[str(seed)]

    def is_marked(self, submission: str) -> bool:
        return "graded" in self.stack.run(f"print(Submission.objects.get(public_id='{submission}').state)")

    def counted(self) -> Counted:
        return Counted.of(self.stack.run(COUNT), self.taken)

    def ready(self) -> dict[str, str]:
        request = urllib.request.Request(f"{self.stack.url}/health/ready", headers={"Host": "localhost"})
        with urllib.request.urlopen(request, timeout=30) as answer:
            return dict(json.load(answer))


def until(happened: Callable[[], bool], what: str) -> None:
    ends = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < ends, f"not within {PATIENCE} s: {what}"
        time.sleep(0.2)


@pytest.fixture(scope="module")
def hosts(prepared: Prepared, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosts]:
    if reason := why_not():
        cannot_run("no hosts can be made", reason, required="REQUIRE_HOSTS")
    folder = tmp_path_factory.mktemp("hosts")
    with network(*NAMES) as net, PostgresServer(host=net.hosts["postgres"]) as postgres:
        database = postgres.create_database("gym")
        stack = Stack("postgres", folder=folder, database_url=database, static=prepared.static, hosts=net.hosts)
        try:
            stack.redis.start()
            stack.manage("prepare", "--no-static")
            stack.start("web", "beat")
            for name in WORKERS:
                start_worker(stack, name)
            yield Hosts(stack, net, postgres)
        finally:
            stack.stop()


@contextmanager
def cut(hosts: Hosts, name: str) -> Iterator[None]:
    hosts.net.cut(name)
    try:
        yield
    finally:
        hosts.net.join(name)


def test_a_worker_that_is_cut_off_costs_nobody_a_verdict(hosts: Hosts) -> None:
    with cut(hosts, "worker"):
        for _ in range(4):
            sent = hosts.answer()
            until(lambda sent=sent: hosts.is_marked(sent), "the other worker marks it")  # type: ignore[misc]
    assert hosts.counted().wrong() == []


def test_without_redis_answers_are_taken_and_marked_when_it_is_back(hosts: Hosts) -> None:
    with cut(hosts, "redis"):
        sent = hosts.answer()
        assert hosts.ready() == {"database": "ok", "redis": "down"}
    until(lambda: hosts.is_marked(sent), "a sweep marks it")
    until(lambda: hosts.ready()["redis"] == "ok", "the web process finds Redis again")


def test_a_worker_that_is_slow_past_its_lease_doubles_nothing(hosts: Hosts) -> None:
    frozen = psutil.Process(hosts.stack.parts["worker"].pid)
    family = [frozen, *frozen.children(recursive=True)]
    for one in family:
        one.suspend()
    sent = hosts.answer()
    until(lambda: hosts.is_marked(sent), "the other worker marks it, at the latest once the lease is over")
    time.sleep(PAST_THE_LEASE)
    for one in family:
        one.resume()
    last = hosts.answer()
    until(lambda: hosts.is_marked(last), "it is marked")
    assert hosts.counted().wrong() == []


def test_a_database_that_starts_anew_loses_nothing(hosts: Hosts) -> None:
    before = hosts.answer()
    hosts.postgres.stop()
    hosts.postgres.start()
    after = hosts.answer()
    until(lambda: hosts.is_marked(before) and hosts.is_marked(after), "both are marked")
    assert hosts.counted().wrong() == []
