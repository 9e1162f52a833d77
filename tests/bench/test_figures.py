"""What the bench says is what it measured: ratios, percentiles, its file, and floors that do the same work."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from grader.solution import solve
from tests.bench import by_hand
from tests.bench.figures import Bar, Figure, as_table, percentile, write
from tests.bench.variants import problem

C1 = {"words": ["mat", "car", "sky"], "z": [2.0, 1.0, 0.0], "t": 0}


def test_the_file_holds_value_floor_and_their_ratio(tmp_path: Path) -> None:
    figures = [
        Figure("warm-variant", 1.2, "ms", 0.03, Bar("value", 1.5), "told on screen only"),
        Figure("evaluation-core", 30, "ns", 40, Bar("ratio", 2)),
    ]
    file = tmp_path / "bench" / "latest.json"
    write(figures, file)
    assert json.loads(file.read_text()) == [
        {"name": "warm-variant", "value": 1.2, "unit": "ms", "floor": 0.03, "ratio": pytest.approx(40)},
        {"name": "evaluation-core", "value": 30, "unit": "ns", "floor": 40, "ratio": 0.75},
    ]
    assert [path.name for path in file.parent.iterdir()] == ["latest.json"]


def test_a_figure_that_is_no_number_leaves_the_last_file_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "latest.json"
    write([Figure("a", 1, "ms", 1)], file)
    with pytest.raises(ValueError, match="not JSON compliant"):
        write([Figure("a", math.nan, "ms", 1)], file)
    assert json.loads(file.read_text())[0]["value"] == 1


@pytest.mark.parametrize(
    ("figure", "standing"),
    [
        (Figure("a", 1.5, "ms", 1, Bar("value", 1.5)), "under 1.5 ms"),
        (Figure("a", 1.51, "ms", 1, Bar("value", 1.5)), "OVER 1.5 ms"),
        (Figure("a", 90, "ns", 30, Bar("ratio", 2)), "OVER 2×"),
        (Figure("a", 50, "ns", 30, Bar("ratio", 2)), "under 2×"),
        (Figure("a", 50, "ns", 30), ""),
    ],
)
def test_the_table_says_how_a_figure_stands_to_its_bar(figure: Figure, standing: str) -> None:
    assert figure.standing == standing
    assert as_table([figure]).splitlines()[1].endswith(standing)


def test_a_percentile_is_a_value_that_was_measured() -> None:
    values = [float(value) for value in range(100, 0, -1)]
    assert percentile(values, 0.95) == 95
    assert percentile(values, 0.5) == 50
    assert percentile([3.0], 0.95) == 3


def test_the_floor_works_out_what_the_grader_does() -> None:
    steps = by_hand.solved(np.array([C1["z"]]), np.array([[C1["t"]]]))
    values = solve(problem(), C1).values
    for name, value in steps.items():
        assert value[0] == pytest.approx(values[name])
    answers = by_hand.marked(np.array([C1["z"]]), np.array([[C1["t"]]]), np.array([[0.6667]]), np.array([[0.4055]]))
    # At a flat 1 % the wrong method passes for the right one: the floor may be that careless, the product may not.
    assert [bool(answer[0, 0]) for answer in answers] == [True, True, True, True]


def test_the_answer_that_is_measured_holds_a_slip_and_goes_on_rightly() -> None:
    answers = by_hand.slipped({"words": ["mat", "car", "sky"], "z": [3.0, 1.0, 1.5], "t": 1})
    assert answers is not None
    assert answers["p"] == f"{1 / 5.5:.4f}"
    assert float(str(answers["loss"])) == pytest.approx(math.log(5.5), rel=1e-3)
    assert by_hand.slipped({"z": [1.0, -1.0, 0.0], "t": 0}) is None
