"""A class of browsers in a process of its own, so that what they cost is told apart from what the service does.

`python -m tests.load.clients` reads a plan (see ``Plan``) as JSON from its standard input, lets everybody do it, and
prints as JSON what came of it.
"""

import asyncio
import html
import json
import random
import re
import resource
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from aiohttp import ClientError, ClientSession, ClientTimeout, DummyCookieJar, TCPConnector
from yarl import URL

_HIDDEN = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)"')
_BOXES = re.compile(r'name="(answer-[^"]+)"')
#: Seconds after which a browser gives up waiting for a page.
PATIENCE = 120
#: Tries at handing in, as somebody who sees an error presses again.
TRIES = 5


@dataclass(frozen=True)
class Plan:
    """Everybody begins within ``seconds`` of the start, at a moment of their own, and thinks for up to ``think``
    seconds between two pages. With a ``floor`` they post so many forms to that address and do nothing else."""

    url: str
    problem_set: str
    sessions: list[tuple[int, str]]
    seconds: float
    think: float
    seed: int
    floor: str = ""
    forms: int = 0


@dataclass
class Told:
    """What came of it: seconds of each request by kind, faults by what they said, and moments by the wall clock."""

    took: dict[str, list[float]] = field(default_factory=dict)
    faults: Counter[str] = field(default_factory=Counter)
    began: float = 0.0
    ended: float = 0.0
    handed_in: int = 0
    cpu_seconds: float = 0.0


class Browser:
    """One learner's: cookies, forms, and how long each page took."""

    def __init__(self, plan: Plan, told: Told, web: ClientSession, pk: int, session: str) -> None:
        self.plan, self.told, self.web, self.pk = plan, told, web, pk
        self.cookies = {"sessionid": session, "csrftoken": "c" * 32}
        self.form: dict[str, str] = {}
        self.page = ""

    async def sit(self, chance: random.Random) -> None:
        """Begin, look at each item, save an answer to each, and hand in."""
        plan = self.plan
        attempt = await self.ask("begin", "POST", f"/attempts/begin/{plan.problem_set}/", {"learner": str(self.pk)})
        for position in (1, 2):
            await self._think(chance)
            await self.ask("item", "GET", f"{attempt}{position}/")
            boxes = {name: f"{chance.uniform(0, 2):.3f}" for name in _BOXES.findall(self.page)}
            await self._think(chance)
            await self.ask("save", "POST", f"{attempt}{position}/save/", self.form | boxes | {"go": "overview"})
        await self._think(chance)
        for _ in range(TRIES):
            where = await self.ask("hand-in", "POST", f"{attempt}hand-in/", {"learner": str(self.pk)})
            if where.endswith("/receipt/"):
                self.told.handed_in += 1
                self.told.ended = max(self.told.ended, time.time())
                return

    async def store(self) -> None:
        """The same number of forms, to the view that writes one row."""
        for _ in range(self.plan.forms):
            await self.ask("floor", "POST", self.plan.floor, {"learner": str(self.pk)})
        self.told.handed_in += 1
        self.told.ended = max(self.told.ended, time.time())

    async def ask(self, kind: str, method: str, path: str, form: dict[str, str] | None = None) -> str:
        """Where it leads, or the address itself of a page that is there. What goes wrong is counted and goes on."""
        address = path if path.startswith("http") else self.plan.url + path
        headers = {
            "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
            "X-CSRFToken": self.cookies["csrftoken"], "Origin": str(URL(address).origin()),
        }  # fmt: skip
        began = time.perf_counter()
        try:
            async with self.web.request(method, address, data=form, headers=headers, allow_redirects=False) as answer:
                self.page = await answer.text()
                if answer.status >= 400:
                    self.told.faults[f"{kind}: {answer.status}"] += 1
                where = answer.headers.get("Location", path)
        except (ClientError, TimeoutError) as error:
            self.told.faults[f"{kind}: {type(error).__name__}"] += 1
            return path
        finally:
            self.told.took.setdefault(kind, []).append(time.perf_counter() - began)
        self.form = {name: html.unescape(value) for name, value in _HIDDEN.findall(self.page)}
        return where

    async def _think(self, chance: random.Random) -> None:
        await asyncio.sleep(chance.uniform(0, self.plan.think))


async def run(plan: Plan) -> Told:
    """Let everybody do it."""
    told = Told(began=time.time())
    connector = TCPConnector(limit=0)
    timeout = ClientTimeout(total=PATIENCE)
    # Every browser minds its own cookies.
    async with ClientSession(connector=connector, timeout=timeout, cookie_jar=DummyCookieJar()) as web:

        async def one(pk: int, session: str) -> None:
            chance = random.Random(f"{plan.seed}:{pk}")
            browser = Browser(plan, told, web, pk, session)
            await asyncio.sleep(chance.uniform(0, plan.seconds))
            await (browser.store() if plan.floor else browser.sit(chance))

        await asyncio.gather(*(one(pk, session) for pk, session in plan.sessions))
    used = resource.getrusage(resource.RUSAGE_SELF)
    told.cpu_seconds = used.ru_utime + used.ru_stime
    return told


def main() -> None:
    """From the plan to what came of it."""
    given: dict[str, Any] = json.loads(sys.stdin.read())
    told = asyncio.run(run(Plan(**given)))
    print(json.dumps(vars(told)))


if __name__ == "__main__":
    main()
