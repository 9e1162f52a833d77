"""How PostgreSQL did what it was asked: the plan of each query as it ran, and what is wrong with it."""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from django.db import connection
from psycopg import ClientCursor

#: Whatever is smaller is read as a whole, and rightly so.
BIG = 10_000
#: Rows that a query may read whatever it gives, and how many times as many as it gives.
MANY, TIMES = 2_000, 20
#: Blocks of 8 kB that a query may look at.
BLOCKS = 2_000
_PLANNED = re.compile(r"\s*(SELECT|WITH|INSERT|UPDATE|DELETE|\(SELECT)\b", re.IGNORECASE)


@dataclass
class Ran:
    """One query as it ran: the rows it gave, milliseconds, the blocks it looked at, what its scans read, and the
    milliseconds that PostgreSQL took to compile it (JIT), which it does where it takes the query for a long one."""

    sql: str
    rows: int
    milliseconds: float
    blocks: int
    scans: list[tuple[str, str, str, int]] = field(default_factory=list)
    compiled: float = 0.0

    @property
    def read(self) -> int:
        """Rows that its scans looked at."""
        return sum(count for *_, count in self.scans)

    def whole(self, big: Mapping[str, int]) -> list[str]:
        """The big tables that it passed over from one end to the other."""
        return [table for kind, table, _, _ in self.scans if kind == "Seq Scan" and table in big]

    def faults(self, big: Mapping[str, int]) -> list[str]:
        """What is wrong with it, in words."""
        found = [f"passes over {table}" for table in self.whole(big)]
        if self.read > max(MANY, TIMES * self.rows):
            worst = max(self.scans, key=lambda scan: scan[3])
            found.append(f"reads {self.read} rows for {self.rows} ({worst[0]} {worst[2] or worst[1]}: {worst[3]})")
        if self.blocks > BLOCKS:
            found.append(f"looks at {self.blocks} blocks")
        if self.compiled:
            found.append(f"is compiled in {self.compiled:.0f} ms")
        return found


def big_tables(rows: int = BIG) -> dict[str, int]:
    """How many rows the tables have that are not small."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname, reltuples::bigint FROM pg_class WHERE relkind = 'r' AND reltuples >= %s", [rows]
        )
        return dict(cursor.fetchall())


@contextmanager
def plans(*, analyze: bool = True) -> Iterator[list[Ran]]:
    """Every query within the block as it ran; each runs twice, the first time undone. Inside a transaction. Without
    ``analyze`` none runs twice, and rows are what PostgreSQL foresees."""
    found: list[Ran] = []

    def watch(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if _PLANNED.match(sql) and not many:
            found.append(_explained(sql, params, analyze=analyze))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(watch):
        yield found


def _explained(sql: str, params: Any, *, analyze: bool) -> Ran:
    how = "ANALYZE, BUFFERS, " if analyze else ""
    # Parameters go into the text: as a plan is made for them, where it is not kept for all.
    cursor = ClientCursor(connection.connection)
    cursor.execute("SAVEPOINT looked_at")
    try:
        cursor.execute(f"EXPLAIN ({how}FORMAT JSON) {sql}", params)
        told = cursor.fetchone()[0]
    finally:
        cursor.execute("ROLLBACK TO SAVEPOINT looked_at")
        cursor.execute("RELEASE SAVEPOINT looked_at")
        cursor.close()
    plan = (json.loads(told) if isinstance(told, str) else told)[0]
    top = plan["Plan"]
    blocks = top.get("Shared Hit Blocks", 0) + top.get("Shared Read Blocks", 0)
    rows = int(top.get("Actual Rows", top["Plan Rows"]))
    compiled = plan.get("JIT", {}).get("Timing", {}).get("Total", 0.0)
    return Ran(sql, rows, plan.get("Execution Time", 0.0), blocks, list(_scans(top)), compiled)


def _scans(node: Mapping[str, Any]) -> Iterator[tuple[str, str, str, int]]:
    """Kind, table, index and rows read of each scan below a node."""
    if "Relation Name" in node and node["Node Type"] != "ModifyTable":
        rows = node.get("Actual Rows", node["Plan Rows"])
        gone = sum(node.get(f"Rows Removed by {why}", 0) for why in ("Filter", "Index Recheck"))
        yield (
            node["Node Type"], node["Relation Name"], node.get("Index Name", ""),
            int((rows + gone) * node.get("Actual Loops", 1)),
        )  # fmt: skip
    for below in node.get("Plans", ()):
        yield from _scans(below)
