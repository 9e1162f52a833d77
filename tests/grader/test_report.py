"""The report in pictures counts what the check saw, is plain JSON, and comes to an end."""

import json
import time
from typing import Any

import numpy as np
import pytest

from exercises import catalogue
from grader.problem import load
from grader.report import distribution, full_report
from grader.sampling import draw
from tests.grader.tiny import masked_token, tiny, wrong

HALVES = {"x": {"range": [1, 9]}}


def _step(report: dict[str, Any], name: str) -> dict[str, Any]:
    return next(step for step in report["steps"] if step["step"] == name)


def _mistake(report: dict[str, Any], note: str) -> dict[str, Any]:
    return next(mistake for mistake in report["mistakes"] if mistake["note"] == note)


@pytest.mark.parametrize("slug", ["mlm-average", "masked-set", "head-shapes", "pretraining-claims", "uniform-logits"])
def test_the_report_of_each_problem_is_plain_json_and_counts_every_variant(slug: str) -> None:
    report = full_report(load(catalogue.source(slug)), range(40))
    assert json.loads(json.dumps(report, allow_nan=False)) == report
    assert report["passed"]
    assert report["drawn"]["count"] == 40
    for step in report["steps"]:
        assert step["keys"] or step["values"], step
        if step["keys"]:
            assert sum(count for *_, count in step["keys"]["bins"]) == step["keys"]["count"]
            assert step["keys"]["count"] + step["undefined"] >= 40
    for part in report["spread"]:
        assert part["distribution"]["count"] == 40


def test_keys_allowances_and_shares_are_those_of_the_variants() -> None:
    problem = tiny({"s": {"is": "x / 7", "mistakes": {"up": wrong("7 / x"), "seven": wrong("where(x > 4, 7, x / 7)")}}})
    report = full_report(problem, range(60))
    drawn = [draw(problem, seed)["x"] for seed in range(60)]
    keys = np.array(drawn) / 7
    found = _step(report, "s")
    assert found["keys"]["min"] == pytest.approx(min(keys), rel=1e-5)
    assert found["keys"]["median"] == pytest.approx(np.median(keys), rel=1e-5)
    # Three digits, and nothing before is rounded: half a unit of the last of them.
    halves = [0.5 * 10.0 ** (np.floor(np.log10(key)) - 2) / key for key in keys]
    assert found["allowance"]["max"] == pytest.approx(max(halves), rel=1e-5)
    assert _mistake(report, "s.seven")["active"] == pytest.approx(np.mean(np.array(drawn) > 4), abs=1e-3)
    # x = 7 makes 7 / x the key; the mistake is not active there and is not counted.
    assert _mistake(report, "s.up")["separation"]["count"] == sum(x != 7 for x in drawn)


def test_no_mistake_comes_nearer_than_both_allowances_and_the_nearest_variant_is_named() -> None:
    problem = masked_token()
    report = full_report(problem, range(100))
    for mistake in report["mistakes"]:
        assert mistake["separation"] is None or mistake["separation"]["min"] > 1
        assert mistake["nearest_seed"] is None or 0 <= mistake["nearest_seed"] < 100


def test_counts_and_choices_are_counted_value_by_value() -> None:
    problem = tiny(
        {
            "n": {"is": "x", "kind": "count"},
            "odd": {
                "is": "where(x / 2 == floor(x / 2), 0, 1)",
                "kind": "choice",
                "options": {"even": "An even one", "odd": "An odd one"},
            },
            "told": {"is": "0", "kind": "choice", "options": {"same": "It is {{ x }}", "other": "It is another"}},
            "place": {"is": "t", "kind": "choice", "options": "words"},
        },
        HALVES | {"words": {"choose": 3, "from": "nouns"}, "t": {"index": "words"}},
    )
    report = full_report(problem, range(90))
    drawn = [draw(problem, seed) for seed in range(90)]
    assert dict(_step(report, "n")["values"]) == {
        str(x): sum(one["x"] == x for one in drawn) for x in sorted({one["x"] for one in drawn})
    }
    assert dict(_step(report, "odd")["values"])["An odd one"] == sum(one["x"] % 2 for one in drawn)
    # Words differ from variant to variant, so places are counted, or what the author calls an option.
    assert dict(_step(report, "told")["values"]) == {"same": 90}
    assert {text for text, _ in _step(report, "place")["values"]} == {"place 1", "place 2", "place 3"}


def test_a_failure_comes_apart_into_what_and_where() -> None:
    problem = tiny({"s": {"is": "x + 0.5", "labels": None}}, verify=[{"holds": "x < 9", "says": "Small."}])
    report = full_report(problem, range(50))
    fault = report["faults"][0]
    nines = [seed for seed in range(50) if draw(problem, seed)["x"] == 9]
    assert not report["passed"]
    assert fault == {"message": "this does not hold: Small.", "seed": nines[0], "more": len(nines) - 1}


def test_a_problem_that_draws_nothing_has_a_report_all_the_same() -> None:
    report = full_report(tiny({"s": "x + 0.5"}, require=["x > 10"]), range(1000))
    assert report["faults"][0]["seed"] == 0
    assert "no variant can be drawn" in report["faults"][0]["message"]
    assert report["drawn"] is None
    assert _step(report, "s")["keys"] is None


def test_a_check_that_would_take_too_long_stops_and_has_failed() -> None:
    parameters = {"W": {"range": [0.1, 9], "step": 0.1, "size": [60, 60]}, "v": {"range": [1, 9], "size": 60}}
    slow = "+".join(["sum(matvec(W,v))"] * 20)
    problem = tiny({f"s{k}": slow for k in range(12)}, parameters)
    began = time.monotonic()
    report = full_report(problem, range(1000), seconds=0.3)
    assert time.monotonic() - began < 10
    assert not report["passed"]
    assert "was not done after 0.3 seconds" in report["failures"][0]


def test_a_large_matrix_has_more_possibilities_than_a_number_can_say() -> None:
    problem = tiny({"s": "W[0][0] + 0.5"}, {"W": {"range": [1, 9], "size": [60, 60]}})
    assert full_report(problem, range(3))["failures"] == []


@pytest.mark.parametrize(
    ("values", "is_log", "bins"),
    [([], None, 0), ([np.nan, np.inf], None, 0), ([3.0], False, 1), ([1, 1, 1], False, 1), ([1, 2000], True, 20)],
)
def test_distributions(values: list[float], is_log: bool | None, bins: int) -> None:
    found = distribution(values)
    assert (found["log"] if found else None) == is_log
    assert len(found["bins"] if found else []) == bins
    assert sum(count for *_, count in (found or {"bins": []})["bins"]) == sum(bool(np.isfinite(x)) for x in values)
