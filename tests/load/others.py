"""The systems that the service calls in a run of faults: a learning platform and a receiver of webhooks, in a process
of its own, so that they answer whatever the run is at.

`python -m tests.load.others` prints where they are, as JSON, and then does what lines on standard input say: `keys` and
the public keys of the tool as JSON, `hang` and `well`, and `over`, at which it prints what came and ends.
"""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.stacks import ROOT

#: Columns that the platform has.
COLUMNS = 40


@dataclass(frozen=True)
class Came:
    """``scores`` are the last ones that the platform took, by column and person, ``posts`` how many it took in all, and
    ``events`` how often each event came."""

    scores: dict[str, dict[str, Any]]
    posts: int
    refused: int
    events: dict[str, int]


class Others:
    """The process, from whoever started it."""

    def __init__(self, env: Mapping[str, str]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.load.others"], cwd=ROOT, text=True, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, env={**os.environ, **env, "DJANGO_SETTINGS_MODULE": "server.settings"},
        )  # fmt: skip
        self.platform, self.receiver = json.loads(self._line())

    def learn(self, keys: Mapping[str, Any]) -> None:
        """Whose signatures the platform takes."""
        self._say(f"keys {json.dumps(keys)}")

    def hang(self) -> None:
        """From now on the platform takes calls and says nothing."""
        self._say("hang")

    def be_well(self) -> None:
        """It answers again, also those who have long gone."""
        self._say("well")

    def end(self) -> Came:
        """What came to them."""
        self._say("over")
        came = Came(**json.loads(self._line()))
        self._process.wait(30)
        return came

    def kill(self) -> None:
        """End it, whatever it is at."""
        self._process.kill()
        self._process.wait()

    def _say(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def _line(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline()


def main() -> None:
    """Serve until it is over."""
    import django  # noqa: PLC0415  (who only starts the process has no settings)

    django.setup()
    from tests.exercises.events.receiver import receiving  # noqa: PLC0415
    from tests.lti.platform import FakePlatform  # noqa: PLC0415
    from tests.lti.services import Services, ToolKeys  # noqa: PLC0415

    well = threading.Event()
    well.set()

    class Hanging(Services):
        """One that can be told to say nothing."""

        def _failed(self, handler: Any, what: str) -> bool:
            well.wait()
            return super()._failed(handler, what)

    services = Hanging(FakePlatform())
    for number in range(COLUMNS):
        services.add_column(str(number))
    with receiving() as receiver:
        print(json.dumps([services.platform.url, receiver.url]), flush=True)
        for line in sys.stdin:
            word, _, said = line.strip().partition(" ")
            if word == "keys":
                ToolKeys.by_kid = json.loads(said)
            elif word == "over":
                break
            else:
                (well.clear if word == "hang" else well.set)()
        well.set()
        events: dict[str, int] = {}
        for _, body in receiver.came:
            name = json.loads(body)["id"]
            events[name] = events.get(name, 0) + 1
        scores = {f"{column} {said['userId']}": said for column, posted in services.posted.items() for said in posted}
        posts = sum(map(len, services.posted.values()))
        print(json.dumps(vars(Came(scores, posts, len(services.refused), events))), flush=True)
    os._exit(0)


if __name__ == "__main__":
    main()
