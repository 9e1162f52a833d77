"""What a run of faults calls wrong: each thing that may go wrong with an exam is found, and nothing else."""

import subprocess
import time
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from tests.load.exams import Left
from tests.load.others import Came
from tests.load.shifted import command
from tests.load.soak import Held, grown
from tests.stacks import ROOT

SAVED = {"1": {"p": "0.1"}, "2": {"chosen": "7"}}
ATTEMPT = {
    "by": "learner", "receipt": "r", "score": "1/3", "is_in_time": True, "pair": "0 5",
    "answers": [["1", {"p": "0.1"}], ["2", {"chosen": "7"}]],
}  # fmt: skip
KINDS = ("attempt.begun", "attempt.handed-in", "submission.graded", "submission.graded", "score.changed")
LEFT: dict[str, Any] = {
    "moved": 0, "held": 0, "attempts": {"a": ATTEMPT}, "scores": {"0 5": ["sent", False, False, ""]},
    "events": {str(at): [kind, "a", at, [["delivered", 1]]] for at, kind in enumerate(KINDS)},
}  # fmt: skip
SAT: dict[str, Any] = {"a": {"saved": SAVED, "is_sure": True, "receipt": "r", "by": "learner", "early": []}}
SCORE = {"scoreGiven": 100 / 3, "scoreMaximum": 100, "gradingProgress": "FullyGraded"}
CAME = Came({"0 5": SCORE}, posts=1, refused=0, events={str(at): 1 for at in range(5)})


def wrong(**changed: Any) -> list[str]:
    """... where these parts, with dots to what is in them, are otherwise than they should be."""
    parts = {"left": deepcopy(LEFT), "sat": deepcopy(SAT), "came": deepcopy(vars(CAME))}
    for path, value in changed.items():
        *way, last = path.split("__")
        inside: Any = parts
        for step in way:
            inside = inside[step]
        inside[last] = value
    return Left(**parts["left"]).wrong(parts["sat"], Came(**parts["came"]))


def test_where_all_is_well_nothing_is_wrong() -> None:
    assert wrong() == []


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"left__moved": 1}, "scores are not what their answers come to"),
        ({"left__held": 1}, "held by nobody who lives"),
        ({"left__attempts__a__by": ""}, "attempt a goes on"),
        ({"left__attempts__a__by": "time"}, "counts as by time"),
        ({"left__attempts__a__receipt": "q"}, "another receipt"),
        ({"left__attempts__a__is_in_time": False}, "after its end"),
        ({"left__attempts__a__score": None}, "has no score"),
        ({"left__attempts__a__answers": [["1", {"p": "0.1"}]]}, "has the answers"),
        ({"left__events__1": ["score.changed", "a", 1, [["delivered", 1]]]}, "has the events"),
        ({"left__events__2": ["score.changed", "a", 2, [["delivered", 1]]]}, "2 answers and 1 events"),
        ({"left__events__4": ["score.changed", "a", None, []]}, "has the place None"),
        ({"left__events__4": ["score.changed", "a", 4, [["delivered", 1], ["pending", 2]]]}, "'pending'"),
        ({"left__scores__0 5": ["pending", True, False, ""]}, "the score 0 5 is"),
        ({"left__scores": {}}, "the score 0 5 is None"),
        ({"sat__b": SAT["a"]}, "attempt b was begun and is not there"),
        ({"sat__a__early": ["attempt-over"]}, "was refused before its end"),
        ({"came__scores": {}}, "the platform has None"),
        ({"came__scores__0 5__scoreGiven": 33.4}, "the platform was told 33.4"),
        ({"came__scores__0 5__gradingProgress": "Pending"}, "the platform was told"),
        ({"came__events": {}}, "never came"),
    ],
)
def test_what_is_not_as_it_should_be_is_found(changed: dict[str, Any], said: str) -> None:
    found = wrong(**changed)
    assert any(said in one for one in found), found


def test_a_clock_is_off_in_one_process(tmp_path: Path) -> None:
    program = tmp_path / "tell"
    program.write_text("import datetime as dt, time\nprint(time.time(), dt.datetime.now(dt.UTC).timestamp())\n")
    program.chmod(0o755)
    ran = subprocess.run(command(-86_400, [str(program)]), cwd=ROOT, capture_output=True, text=True, check=True)
    behind = [time.time() - float(moment) for moment in ran.stdout.split()]
    assert all(abs(seconds - 86_400) < 3600 for seconds in behind), behind


def test_only_what_doubles_has_grown() -> None:
    warm = {"web": Held(200, 40, 10, 3), "worker": Held(150, 30, 8, 3)}
    assert grown(warm, {"web": Held(390, 79, 10, 3), "worker": Held(190, 55, 8, 3)}) == []
    found = grown(warm, {"web": Held(410, 40, 10, 3), "worker": Held(150, 100, 8, 3)})
    assert [one.split(",")[0] for one in found] == ["web holds 410 MB", "worker holds 100 open files"]
