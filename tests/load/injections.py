"""What goes wrong in a run of faults. Each leaves the service as it found it, but for what is lost on the way."""

import random
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass

import psutil
import redis

from server.processes import COMMANDS
from tests.load.service import Loaded
from tests.stacks import Stack

#: Longer than the lease of a claim: whoever wakes up after it has lost its rows to somebody else.
PAST_THE_LEASE = 14


@dataclass(frozen=True)
class Fault:
    """One thing that goes wrong, and how often beside the others."""

    name: str
    strike: Callable[[Loaded, random.Random], None]
    weight: int


def _kill_worker(service: Loaded, chance: random.Random) -> None:
    name = chance.choice(WORKERS)
    service.stack.kill(name)
    time.sleep(chance.uniform(0, 1))
    start_worker(service.stack, name)


def _kill_a_child(name: str) -> Callable[[Loaded, random.Random], None]:
    def strike(service: Loaded, chance: random.Random) -> None:
        children = psutil.Process(service.stack.parts[name].pid).children(recursive=True)
        if children:
            chance.choice(children).kill()

    return strike


def _kill_web(service: Loaded, chance: random.Random) -> None:
    service.stack.kill("web")
    time.sleep(chance.uniform(0, 1))
    service.stack.start("web")


def _kill_beat(service: Loaded, chance: random.Random) -> None:
    service.stack.kill("beat")
    time.sleep(chance.uniform(0, 3))
    service.stack.start("beat")


def _kill_outside(service: Loaded, chance: random.Random) -> None:
    service.stack.kill("outside")
    time.sleep(chance.uniform(0, 3))
    service.stack.start("outside")


def _lose_redis(service: Loaded, chance: random.Random) -> None:
    service.stack.redis.child.kill()
    time.sleep(chance.uniform(0.2, 3))
    service.stack.redis.start()


def _empty_redis(service: Loaded, chance: random.Random) -> None:
    with redis.Redis.from_url(service.stack.redis.url) as client:
        client.flushall()


def _restart_postgres(service: Loaded, chance: random.Random) -> None:
    service.postgres.stop()
    time.sleep(chance.uniform(0, 2))
    service.postgres.start()


def _crash_postgres(service: Loaded, chance: random.Random) -> None:
    service.postgres.child.stop(number=signal.SIGQUIT, seconds=10)
    service.postgres.start()


def _drop_connections(service: Loaded, chance: random.Random) -> None:
    service.postgres.drop_connections()


def _freeze_worker(service: Loaded, chance: random.Random) -> None:
    frozen = psutil.Process(service.stack.parts[chance.choice(WORKERS)].pid)
    family = [frozen, *frozen.children(recursive=True)]
    for one in family:
        one.suspend()
    time.sleep(PAST_THE_LEASE)
    for one in family:
        one.resume()


def _wake_too_often(service: Loaded, chance: random.Random) -> None:
    code = "from exercises.tasks import grade_pending, sweep_pending\n"
    for _ in range(20):
        task = chance.choice(("grade_pending", "sweep_pending"))
        code += f"{task}.apply_async(countdown={chance.choice((0, 0, 1, 2))}, retry=False)\n"
    service.stack.run(code)


WORKERS = ("worker", "second-worker")
FAULTS = (
    Fault("a worker is killed", _kill_worker, 20),
    Fault("a child of a worker is killed", _kill_a_child("worker"), 15),
    Fault("a child of the web process is killed", _kill_a_child("web"), 15),
    Fault("the web process is killed", _kill_web, 8),
    Fault("beat is killed", _kill_beat, 5),
    Fault("the worker for calls is killed", _kill_outside, 2),
    Fault("Redis is killed, and comes back empty", _lose_redis, 12),
    Fault("Redis is emptied", _empty_redis, 8),
    Fault("PostgreSQL is restarted", _restart_postgres, 5),
    Fault("PostgreSQL crashes", _crash_postgres, 4),
    Fault("all connections to PostgreSQL are cut", _drop_connections, 10),
    Fault("a worker is frozen past its lease", _freeze_worker, 3),
    Fault("wake-ups come twice and late", _wake_too_often, 10),
)


def start_worker(stack: Stack, name: str) -> None:
    """Start one of the two workers, and return once it listens; they differ in their name alone."""
    child = stack.launch(name, [*COMMANDS["worker"], "--hostname", f"{name}@%h"])
    child.wait_until(lambda: child.has_said("ready."), seconds=120)


def schedule(count: int, seed: int) -> list[tuple[float, Fault]]:
    """So many faults, each with the seconds before it: the same for the same seed, and every kind of them at least once
    as long as there is room."""
    chance = random.Random(seed)
    chosen = list(FAULTS[:count])
    chosen += chance.choices(FAULTS, [fault.weight for fault in FAULTS], k=count - len(chosen))
    chance.shuffle(chosen)
    return [(chance.uniform(0.2, 2.5), fault) for fault in chosen]
