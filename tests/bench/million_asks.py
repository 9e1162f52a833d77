"""Every page and list of the service, asked for as whoever may: queries, time, and what PostgreSQL did for it."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.bench.figures import median
from tests.bench.million_places import Places
from tests.bench.million_plans import Ran, plans
from tests.routes.table import DOOR, LIBRARIES, NONE, PAGES, SIGNED
from tests.routes.test_routes import EVERY

#: Times that each is asked for, after once for what stays loaded.
ROUNDS = 6
#: Not a page: files that are written while they are read, however long, and what reads every problem of the catalogue.
FILES = (
    "frontend:grades-csv", "frontend:set-grades-csv", "frontend:class-csv", "frontend:roster-export",
    "frontend:statistics-csv",
)  # fmt: skip
#: Of lists in the API a whole page is asked for.
LONGEST = 100


@dataclass
class Asked:
    """What one address cost: the number of queries in the tiny course and in the large one, milliseconds in the server,
    of CPU in the web process and in PostgreSQL, and the plans."""

    name: str
    who: str
    status: int = 0
    few: int = -1
    queries: int = 0
    server: float = 0.0
    web: float = 0.0
    postgres: float = 0.0
    bytes: int = 0
    ran: list[Ran] = field(default_factory=list)

    @property
    def blocks(self) -> int:
        """Blocks that PostgreSQL looked at."""
        return sum(one.blocks for one in self.ran)


def addresses(places: Places) -> Iterator[tuple[str, str, str]]:
    """Name, who asks and address of everything that can be read, by the table of who reaches what."""
    for name, row in {**PAGES, **DOOR}.items():
        allowed = dict(part.split(":") for part in row.split()).get("get")
        if not allowed or name.startswith((*LIBRARIES, *NONE, *SIGNED)):
            continue
        wanted = EVERY[name]
        address = reverse(name, kwargs=places.arguments(name, wanted)) if wanted else reverse(name)
        address += places.query(name)
        if name in DOOR and "?" not in address:
            address += f"?limit={LONGEST}"
        for who in "BAR":
            if who in allowed and not (who == "R" and "A" in allowed):
                yield name, who, address


def call_of(places: Places, name: str, who: str, address: str) -> Callable[[], Any]:
    """What asks for an address once, by a browser or by a key."""
    if name in DOOR:
        key = {"Authorization": f"Bearer {places.tokens[who]}"}
        return lambda: places.browsers[who].get(address, headers=key)
    return lambda: places.browsers[who].get(address)


def counted(places: Places, only: Callable[[str], bool] = lambda name: True) -> dict[tuple[str, str], int]:
    """The number of queries of everything, by name and who asks."""
    found = {}
    for name, who, address in addresses(places):
        if not only(name):
            continue
        call = call_of(places, name, who, address)
        undone(call)
        with CaptureQueriesContext(connection) as captured:
            undone(call)
        found[name, who] = asking(captured)
    return found


def asking(captured: CaptureQueriesContext) -> int:
    """How many queries there were, without those that begin, end and undo."""
    return len([one for one in captured if not one["sql"].startswith(("SAVEPOINT", "RELEASE", "ROLLBACK"))])


def asked(places: Places, only: Callable[[str], bool] = lambda name: True) -> Iterator[Asked]:
    """Everything in turn. Whatever it does is undone."""
    for name, who, address in addresses(places):
        if only(name):
            yield measured(Asked(name, who), call_of(places, name, who, address))


def measured(one: Asked, call: Callable[[], Any]) -> Asked:
    """Ask several times, then once more for the plans."""
    answer = undone(call)
    one.status = getattr(answer, "status_code", 200)
    one.bytes = len(getattr(answer, "content", b"") or b"")
    with CaptureQueriesContext(connection) as captured:
        undone(call)
    one.queries = asking(captured)
    took, web, backend = [], process_time(), cpu_of_postgres()
    for _ in range(ROUNDS):
        starts = perf_counter()
        undone(call)
        took.append(1e3 * (perf_counter() - starts))
    one.server = median(took)
    one.web = 1e3 * (process_time() - web) / ROUNDS
    one.postgres = 1e3 * (cpu_of_postgres() - backend) / ROUNDS
    with transaction.atomic():
        with plans() as ran:
            call()
        transaction.set_rollback(True)
    one.ran = ran
    return one


def undone(call: Callable[[], Any]) -> Any:
    """Do it, and undo in the database what it did."""
    with transaction.atomic():
        answer = call()
        if getattr(answer, "streaming", False):
            b"".join(answer.streaming_content)
        transaction.set_rollback(True)
    return answer


def cpu_of_postgres() -> float:
    """Seconds of CPU that the process of PostgreSQL has used that serves this connection."""
    stat = Path(f"/proc/{connection.connection.info.backend_pid}/stat").read_text().rpartition(")")[2].split()
    return (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")
