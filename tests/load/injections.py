"""What goes wrong in a run of faults. Each leaves the service as it found it, but for what is lost on the way."""

import random
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

import psutil
import redis

from server.processes import COMMANDS
from tests.load.service import Loaded
from tests.load.shifted import command
from tests.stacks import Stack

#: Longer than the lease of a claim: whoever wakes up after it has lost its rows to somebody else.
PAST_THE_LEASE = 14
#: Seconds until a verdict counts as missing.
PATIENCE = 60
#: Seconds that a clock is off: more than an exam of the run takes, and than a sweep is waited for.
OFF = (-600, -150, 150, 600)


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
    with _frozen(service, chance.choice(WORKERS)):
        time.sleep(PAST_THE_LEASE)


@contextmanager
def _frozen(service: Loaded, *names: str) -> Iterator[None]:
    """As if these parts were not there, although they are."""
    parents = [psutil.Process(service.stack.parts[name].pid) for name in names]
    family = [one for parent in parents for one in (parent, *parent.children(recursive=True))]
    for one in family:
        one.suspend()
    try:
        yield
    finally:
        for one in family:
            with suppress(psutil.NoSuchProcess):
                one.resume()


def _wake_too_often(service: Loaded, chance: random.Random) -> None:
    """Answers that wait, and then twenty messages about them at once for all workers, some of which come later."""
    code = "from exercises.tasks import grade_pending, sweep_pending\n"
    for _ in range(20):
        task = chance.choice(("grade_pending", "sweep_pending"))
        code += f"{task}.apply_async(countdown={chance.choice((0, 0, 1, 2))}, retry=False)\n"
    with _frozen(service, *WORKERS):
        service.stack.run(code)
        time.sleep(chance.uniform(1, 3))


def _shift_worker(service: Loaded, chance: random.Random) -> None:
    name, seconds = chance.choice(WORKERS), chance.choice(OFF)
    service.stack.kill(name)
    start_worker(service.stack, name, off=seconds)
    time.sleep(chance.uniform(3, 10))
    service.stack.kill(name)
    start_worker(service.stack, name)


def _shift(name: str, least: float, most: float) -> Callable[[Loaded, random.Random], None]:
    """Start a part anew with a clock that is off, for so many seconds."""

    def strike(service: Loaded, chance: random.Random) -> None:
        service.stack.kill(name)
        service.stack.launch(name, command(chance.choice(OFF), COMMANDS[name]))
        _up(service, name)
        time.sleep(chance.uniform(least, most))
        service.stack.kill(name)
        service.stack.start(name)

    return strike


def _up(service: Loaded, name: str) -> None:
    if name == "web":
        service.stack.parts[name].wait_until(service.stack.answers, seconds=120)


def _slow_platform(service: Loaded, chance: random.Random) -> None:
    others = service.others
    assert others is not None
    others.hang()
    began, before = time.monotonic(), _marked(service)
    # Longer than a call is waited for.
    time.sleep(chance.uniform(5, 20))
    while _marked(service) == before and time.monotonic() - began < PATIENCE:
        time.sleep(1)
    if _marked(service) == before:
        service.complaints.append(f"no answer was marked within {PATIENCE} s while the platform said nothing")
    others.be_well()


def _marked(service: Loaded) -> int:
    return int(service.stack.run("print(Submission.objects.filter(state='graded').count())"))


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
    Fault("the clock of a worker is minutes off", _shift_worker, 4),
    Fault("the clock of beat is minutes off", _shift("beat", 8, 15), 3),
    Fault("the clock of the web process is minutes off", _shift("web", 4, 10), 3),
    Fault("the clock of the worker for calls is minutes off", _shift("outside", 8, 15), 2),
    Fault("the learning platform takes calls and says nothing", _slow_platform, 5),
)


def start_worker(stack: Stack, name: str, *, off: int = 0) -> None:
    """Start one of the two workers, and return once it listens; they differ in their name alone. Its clock is so many
    seconds ``off``."""
    words = [*COMMANDS["worker"], "--hostname", f"{name}@%h"]
    child = stack.launch(name, command(off, words) if off else words)
    child.wait_until(lambda: child.has_said("ready."), seconds=120)


def schedule(count: int, seed: int) -> list[tuple[float, Fault]]:
    """So many faults, each with the seconds before it: the same for the same seed, and every kind of them at least once
    as long as there is room."""
    chance = random.Random(seed)
    chosen = list(FAULTS[:count])
    chosen += chance.choices(FAULTS, [fault.weight for fault in FAULTS], k=count - len(chosen))
    chance.shuffle(chosen)
    return [(chance.uniform(0.2, 2.5), fault) for fault in chosen]
