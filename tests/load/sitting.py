"""Learners who sit one exam after the other by REST: they save, and hand in or let the time run out.

Part of the process of `tests/load/answering.py`; like its learners, they send a request again until it is answered.
"""

import asyncio
import datetime as dt
import json
import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from aiohttp import ClientError, ClientSession

#: Seconds between two requests of one learner, and before the same one is sent again after a fault.
THINK, AGAIN = (0.5, 3.0), (0.3, 1.0)
#: What is answered in the two places of each exam: masked-token-loss, and mask-counts.
STEPS = (("p", "loss"), ("chosen", "masked"))
#: The share of those who let the time run out.
LEFT = 0.4


@dataclass
class Sat:
    """One attempt as its learner knows it: ``saved`` is what was taken last in each place, ``is_sure`` whether it is
    known to be the last, ``receipt`` of one that was handed in and ``by`` whom: by time, where whatever went wrong
    lasted until the end; and ``early`` what was refused, or ended by time, before the end."""

    ends_at: str
    saved: dict[str, dict[str, str]] = field(default_factory=dict)
    is_sure: bool = True
    receipt: str = ""
    by: str = ""
    early: list[str] = field(default_factory=list)


@dataclass
class Sitter:
    """A learner with a token, and what became of their attempts, by id."""

    url: str
    token: str
    chance: random.Random
    web: ClientSession
    over: asyncio.Event
    faults: Counter[str]
    sat: dict[str, Sat]

    async def sit_all(self, sets: list[str]) -> None:
        """One exam after the other, in an order of their own, until it is over."""
        for one in self.chance.sample(sets, len(sets)):
            if self.over.is_set() or not await self.sit(one):
                return

    async def sit(self, problem_set: str) -> bool:
        """One exam; whether to go on."""
        begun = await self.ask("POST", f"/problem-sets/{problem_set}/attempts", {})
        if begun is None:
            return False
        attempt = self.sat.setdefault(begun["id"], Sat(begun["ends_at"]))
        where = f"/attempts/{begun['id']}"
        for place, steps in enumerate(STEPS, start=1):
            await self._think()
            answers = {step: f"0.{self.chance.randrange(10**6):06d}" for step in steps}
            if steps[0] == "chosen":
                answers = {step: str(self.chance.randrange(1, 400)) for step in steps}
            if not await self.save(attempt, f"{where}/items/{place}/answers", str(place), answers):
                return not self.over.is_set()
        await self._think()
        if self.chance.random() < LEFT:
            return True
        handed = await self.ask("POST", f"{where}/hand-in", {}, attempt)
        if handed is not None and "receipt" in handed:
            attempt.receipt, attempt.by = handed["receipt"], handed["handed_in_by"]
            if attempt.by == "time":
                self._look_at_the_clock("handed in by time", attempt)
        return not self.over.is_set()

    async def save(self, attempt: Sat, address: str, place: str, answers: dict[str, str]) -> bool:
        """Until it stands there; False where the time ran out before it was known to."""
        while True:
            stands = await self.ask("GET", address, None, attempt)
            if stands is None:
                attempt.is_sure = False
                return False
            if stands.get("answers") == answers:
                attempt.saved[place] = answers
                return True
            match = {"If-Match": stands["etag"]}
            # Whatever is answered, what stands there is looked at: a reply that was lost may have been a yes.
            put = await self.ask("PUT", address, {"answers": answers}, attempt, match, tries=1)
            if put == {"code": "attempt-over"}:
                attempt.is_sure = False
                return False

    async def ask(
        self, method: str, path: str, body: dict[str, Any] | None, attempt: Sat | None = None,
        headers: dict[str, str] | None = None, tries: int | None = None,
    ) -> dict[str, Any] | None:  # fmt: skip
        """What is answered at last, with its tag; the code of a refusal; None once it is over, or after those tries."""
        headers = {"Authorization": f"Bearer {self.token}", **(headers or {})}
        while tries is None or tries > 0:
            tries = tries and tries - 1
            try:
                async with self.web.request(method, f"{self.url}/api/v1{path}", json=body, headers=headers) as answer:
                    said = await answer.text()
                    if answer.status < 300:
                        return {**json.loads(said), "etag": answer.headers.get("ETag", "")}
                    self.faults[f"exam: {answer.status}"] += 1
                    if answer.status == 409:
                        return self._refused(json.loads(said)["code"], attempt)
            except (ClientError, TimeoutError, ConnectionError) as error:
                self.faults[f"exam: {type(error).__name__}"] += 1
            if self.over.is_set():
                return None
            await asyncio.sleep(self.chance.uniform(*AGAIN))
        return None

    def _refused(self, code: str, attempt: Sat | None) -> dict[str, str]:
        if attempt and code == "attempt-over":
            self._look_at_the_clock(code, attempt)
        return {"code": code}

    def _look_at_the_clock(self, what: str, attempt: Sat) -> None:
        # The clocks of this process and of the database are one.
        if dt.datetime.now(dt.UTC) < dt.datetime.fromisoformat(attempt.ends_at):
            attempt.early.append(what)

    async def _think(self) -> None:
        await asyncio.sleep(self.chance.uniform(*THINK))
