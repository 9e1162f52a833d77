"""`make soak`: half load for so many minutes; what each part holds is told each minute, and all is counted at the end.

`python -m tests.load.soak --minutes 10`. Figures are for reading; only a part that holds twice of what it held once it
was warm fails, and what was lost, doubled or left over. They are kept in var/bench/soak.json.
"""

import argparse
import json
import sys
import time
from dataclasses import asdict, dataclass

import psutil

from tests.load.exams import said
from tests.load.faults import begin, end, others_beside
from tests.load.service import Loaded, loaded
from tests.stacks import ROOT

FILE = ROOT / "var" / "bench" / "soak.json"
#: Minutes until everything is loaded that is loaded once.
WARM = 2
#: What nobody calls growth, in MB of memory and in open files.
LEAST_MEMORY, LEAST_FILES = 50, 30
#: Run in the service: what waits, and who is connected with the database.
STANDING = """
import json
from django.db import connection
from exercises.queries.standing import backlogs
with connection.cursor() as cursor:
    cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")
    [connections] = cursor.fetchone()
told = {
    "connections": connections, "answers": Submission.objects.count(),
    "waiting": {one.name: [one.rows, round(one.seconds, 1)] for one in backlogs() if one.rows},
}
print("STANDS " + json.dumps(told))
"""


@dataclass(frozen=True)
class Held:
    """What one part holds, with its children: memory of its own in MB, open files, connections, processes."""

    memory: float
    files: int
    connections: int
    processes: int


def held(pid: int) -> Held:
    """What that process and its children hold now; of memory that several share each counts its part."""
    parent = psutil.Process(pid)
    memory, files, connections, processes = 0.0, 0, 0, 0
    for one in (parent, *parent.children(recursive=True)):
        try:
            memory += one.memory_full_info().pss / 1e6
            files += one.num_fds()
            connections += len(one.net_connections(kind="tcp"))
            processes += 1
        except psutil.NoSuchProcess:
            continue
    return Held(round(memory, 1), files, connections, processes)


def grown(before: dict[str, Held], after: dict[str, Held]) -> list[str]:
    """Which parts hold more than twice of what they held when they were warm, in words."""
    found = []
    for name, then in before.items():
        now = after[name]
        if now.memory > 2 * then.memory and now.memory - then.memory > LEAST_MEMORY:
            found.append(f"{name} holds {now.memory} MB, {then.memory} when it was warm")
        if now.files > 2 * then.files and now.files - then.files > LEAST_FILES:
            found.append(f"{name} holds {now.files} open files, {then.files} when it was warm")
    return found


def main() -> int:
    """1 if anything grew without end, or was lost, doubled or left over."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1, help="of what is answered")
    asked = parser.parse_args()
    with loaded() as service, others_beside(service) as others:
        learners = begin(service, others, asked.seed)
        minutes = [_minute(service, number) for number in range(asked.minutes + 1)]
        wrong = end(service, others, learners)
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_text(json.dumps([{name: asdict(one) for name, one in parts.items()} for parts in minutes]) + "\n")
    if len(minutes) > WARM + 1:
        wrong += grown(minutes[WARM], minutes[-1])
    for one in wrong[:40]:
        print(f"  {one}")
    print(f"{len(wrong)} things are wrong." if wrong else "Nothing grew without end, nothing was lost or left over.")
    return 1 if wrong else 0


def _minute(service: Loaded, number: int) -> dict[str, Held]:
    """What each part holds, told on screen; the first at once, each other a minute after the one before."""
    if number:
        time.sleep(60)
    parts = {name: held(part.pid) for name, part in service.stack.parts.items()}
    parts |= {"postgres": held(service.postgres.child.pid), "redis": held(service.stack.redis.child.pid)}
    stands = json.loads(said(service.stack.run(STANDING), "STANDS "))
    told = ", ".join(f"{name} {one.memory:.0f} MB {one.files} files" for name, one in parts.items())
    print(f"  {number:3} min: {stands['answers']} answers, {stands['connections']} connections; {told}", flush=True)
    print(f"           waiting (rows, seconds): {stands['waiting'] or 'nothing'}", flush=True)
    return parts


if __name__ == "__main__":
    sys.exit(main())
