"""Learners who answer for as long as they are let, and give no answer up before it was taken; a process of its own.

`python -m tests.load.answering` reads a plan as JSON, answers until a line comes on standard input, and prints what was
taken: one idempotency key an answer, with the id of the submission that it became; and what became of the exams that
some of them sit meanwhile (`tests/load/sitting.py`).
"""

import asyncio
import json
import random
import sys
import uuid
from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import Any

from aiohttp import ClientError, ClientSession, ClientTimeout, TCPConnector

from tests.load.sitting import Sat, Sitter

#: Seconds between two answers of one learner, and before the same one is sent again after a fault.
PAUSE, AGAIN = (0.4, 1.2), (0.2, 0.8)
#: Answers on one variant, after which another is drawn.
TRIES = 5
TAKEN = (200, 202)


@dataclass
class Told:
    """What was taken, by key; what was sent and never answered; attempts by id; and faults by what they said."""

    taken: dict[str, str] = field(default_factory=dict)
    sat: dict[str, Sat] = field(default_factory=dict)
    unanswered: list[str] = field(default_factory=list)
    faults: Counter[str] = field(default_factory=Counter)


async def answer_on(url: str, token: str, seed: str, web: ClientSession, told: Told, over: asyncio.Event) -> None:
    """One learner, until it is over."""
    chance = random.Random(seed)
    headers = {"Authorization": f"Bearer {token}"}
    last: str | None = None
    while not over.is_set():
        body = {"after": last} if last else {}
        drawn = await _insist(
            web, f"{url}/api/v1/problems/masked-token-loss/variants", body, headers, chance, told, over
        )
        if drawn is None:
            return
        last = drawn["id"]
        for _ in range(TRIES):
            if over.is_set():
                return
            key = uuid.UUID(int=chance.getrandbits(128)).hex
            answers = {"p": f"0.{chance.randrange(10**6):06d}", "loss": f"1.{chance.randrange(10**6):06d}"}
            keyed = headers | {"Idempotency-Key": key}
            body = {"answers": answers, "check": ["p", "loss"]}
            sent = await _insist(web, f"{url}/api/v1/variants/{last}/answers", body, keyed, chance, told, over)
            if sent is None:
                told.unanswered.append(key)
                return
            told.taken[key] = sent["submission"]["id"]
            await asyncio.sleep(chance.uniform(*PAUSE))


async def _insist(
    web: ClientSession, url: str, body: dict[str, Any], headers: dict[str, str], chance: random.Random, told: Told,
    over: asyncio.Event,
) -> dict[str, Any] | None:  # fmt: skip
    """What was answered at last; the very same request again as long as there is none. None once it is over."""
    while True:
        try:
            async with web.post(url, json=body, headers=headers) as answer:
                said = await answer.text()
                if answer.status in (*TAKEN, 201):
                    return dict(json.loads(said))
                told.faults[str(answer.status)] += 1
        except (ClientError, TimeoutError, ConnectionError) as error:
            told.faults[type(error).__name__] += 1
        if over.is_set():
            return None
        await asyncio.sleep(chance.uniform(*AGAIN))


async def run(url: str, tokens: list[str], seed: int, sitters: list[str], sets: list[str]) -> Told:
    """All of them, until a line comes: those of ``tokens`` practise, ``sitters`` sit these sets."""
    told, over = Told(), asyncio.Event()
    loop = asyncio.get_running_loop()
    async with ClientSession(connector=TCPConnector(limit=0), timeout=ClientTimeout(total=20)) as web:
        learners = [
            asyncio.create_task(answer_on(url, token, f"{seed}:{number}", web, told, over))
            for number, token in enumerate(tokens)
        ]
        for number, token in enumerate(sitters):
            chance = random.Random(f"{seed}:sits:{number}")
            sitter = Sitter(url, token, chance, web, over, told.faults, told.sat)
            learners.append(asyncio.create_task(sitter.sit_all(sets)))
        await loop.run_in_executor(None, sys.stdin.readline)
        over.set()
        await asyncio.gather(*learners)
    return told


def main() -> None:
    """From the plan to what was taken."""
    plan = json.loads(sys.stdin.readline())
    told = asyncio.run(run(**plan))
    # Each by itself: of a Counter `asdict` makes another one, of pairs.
    print(json.dumps(vars(told) | {"sat": {one: asdict(sat) for one, sat in told.sat.items()}}))


if __name__ == "__main__":
    main()
