"""Skills and problems that do not hold together are told apart from those that do."""

import pytest

from exercises.catalogue import Skill
from exercises.catalogue.coverage import coverage_faults
from grader.problem import Problem, load
from tests.exercises.world import MASKED

SOFTMAX = Skill("softmax", "Softmax", "turn logits into shares", (), (), 0, 0)
CROSS = Skill("cross-entropy", "Cross-entropy", "compute a loss", ("softmax",), (), 1, 0)
WHOLE = MASKED.replace("optional: true", "optional: true\n    skill: softmax").replace(
    "is: sum(powers)", "is: sum(powers)\n    skill: softmax"
)


def twice(source: str) -> dict[str, Problem]:
    return {"one": load(source), "two": load(source)}


def test_nothing_is_said_where_all_is_well() -> None:
    assert coverage_faults(twice(WHOLE), [SOFTMAX, CROSS]) == []


@pytest.mark.parametrize(
    ("problems", "skills", "said"),
    [
        (twice(MASKED), [SOFTMAX, CROSS], "one: step powers has no skill of the map"),
        ({"one": load(WHOLE)}, [SOFTMAX, CROSS], "softmax is practised by 1 of the 2 problems it should have"),
        (
            twice(WHOLE),
            [SOFTMAX, Skill("cross-entropy", "", "", ("softmax", "magic"), (), 1, 0)],
            "cross-entropy cannot be reached: nothing practises magic",
        ),
        (
            twice(WHOLE.replace('normalises exponentials, not the raw logits."', 'normalises.", skill: cross-entropy')),
            [SOFTMAX, CROSS],
            "one: p.no-exp points at cross-entropy, which softmax does not build on",
        ),
    ],
)
def test_each_gap_is_named(problems: dict[str, Problem], skills: list[Skill], said: str) -> None:
    assert said in coverage_faults(problems, skills)
