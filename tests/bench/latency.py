"""From sending an answer to its verdict on the page, over HTTP as a learner's browser does it, on an idle service."""

import re
import secrets
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from random import Random

from tests.bench.browser import Browser, UnexpectedAnswer, hidden_fields
from tests.bench.figures import Bar, Figure, median, percentile
from tests.bench.service import Kind, Service, running
from tests.bench.variants import SLUG

SUBMISSIONS = 90
WARM_UP = 12
#: A learner tries so often on one variant, which grows its page a little each time.
TRIES = 3
#: One alone would send more within a minute than anybody may.
LEARNERS = 3
#: Seconds between two answers: never in step with anything that the service does at intervals.
PAUSE = (0.15, 0.4)
#: Seconds for the first verdict at all: a worker may still be starting when the pages are already there.
PATIENCE = 60
_PENDING = re.compile(r'id="pending"[^>]*hx-get="([^"]+)"[^>]*delay:(\d+)ms')
_PASSWORD = secrets.token_urlsafe(16)


@dataclass
class Learner:
    """Somebody signed in who works on one variant after the other; ``polls`` counts how often their page had to ask.

    ``unused`` is the address of a variant of theirs that serves the floor and nothing else.
    """

    browser: Browser
    service: Service
    form: dict[str, str] = field(default_factory=dict)
    path: str = ""
    unused: str = ""
    polls: int = 0

    def draw(self) -> None:
        """Go on to another variant."""
        self.path = self.browser.post(self.service.port, f"/problems/{SLUG}/draw/", self.form)
        self.form = hidden_fields(self.browser.get(self.service.port, self.path))

    def answer(self, number: int) -> float:
        """Seconds from sending an answer to the fragment that shows its verdict."""
        form = self.form | self._typed(number)
        starts = time.perf_counter()
        page = self.browser.post(self.service.port, f"{self.path}answers/", form, fragment=True)
        while pending := _PENDING.search(page):
            self.polls += 1
            if time.perf_counter() - starts > PATIENCE:
                raise UnexpectedAnswer(f"No verdict within {PATIENCE} s: does the worker run?")
            time.sleep(int(pending[2]) / 1000)
            page = self.browser.get(self.service.port, pending[1], fragment=True)
        took = time.perf_counter() - starts
        if 'id="feedback-loss"' not in page:
            raise UnexpectedAnswer(f"A verdict should be here, and is not:\n{page[:2000]}")
        self.form = hidden_fields(page)
        return took

    def store(self, number: int) -> float:
        """Seconds for the same form at the floor's view."""
        form = self.form | self._typed(number)
        starts = time.perf_counter()
        self.browser.post(self.service.floor_port, f"{self.unused}answers/", form, fragment=True)
        return time.perf_counter() - starts

    @staticmethod
    def _typed(number: int) -> dict[str, str]:
        """An answer that was not given before."""
        return {
            "answer-p": f"0.{number + 100:04d}",
            "answer-loss": f"1.{number + 100:04d}",
            "check": "*",
            "locale": "en",
        }


def submit_verdict(kind: Kind) -> Figure:
    """The 95th percentile, with the median told beside it."""
    with running(kind) as service, ExitStack() as browsers:
        learners = [
            _signed_up(browsers.enter_context(closing(Browser())), service, f"bench-{n}") for n in range(LEARNERS)
        ]
        ways, floors = [], []
        for turn, learner in _paced(learners, WARM_UP + SUBMISSIONS):
            way, floor = learner.answer(turn), learner.store(turn)
            if turn < WARM_UP:
                learner.polls = 0
            else:
                ways.append(1e3 * way)
                floors.append(1e3 * floor)
    told = (
        f"p95 of {SUBMISSIONS} answers; medians {median(ways):.0f} over {median(floors):.1f} ms, "
        f"longest {max(ways):.0f} ms, {sum(one.polls for one in learners)} times the page had to ask again"
    )
    bar = Bar("value", 150) if kind == "embedded" else None
    return Figure(f"submit-verdict-{kind}", percentile(ways, 0.95), "ms", percentile(floors, 0.95), bar, told)


def _signed_up(browser: Browser, service: Service, name: str) -> Learner:
    signup = "/accounts/signup/"
    form = hidden_fields(browser.get(service.port, signup))
    browser.post(service.port, signup, form | {"username": name, "password1": _PASSWORD, "password2": _PASSWORD})
    learner = Learner(browser, service)
    learner.draw()
    learner.unused = learner.path
    return learner


def _paced(learners: Sequence[Learner], times: int) -> Iterator[tuple[int, Learner]]:
    """So many turns with a pause before each; every few, it is another learner's, on another variant."""
    source = Random(0)
    for turn in range(times):
        learner = learners[turn // TRIES % len(learners)]
        if turn % TRIES == 0:
            learner.draw()
        time.sleep(source.uniform(*PAUSE))
        yield turn, learner
