"""``check``: what is wrong with a problem makes it fail, and what is right lets it pass."""

import json
import re
from typing import Any

import pytest

from grader.checking import Report, check, summary
from grader.problem import Problem
from tests.grader.tiny import masked_token, tiny, wrong


def checked(problem: Problem, seeds: int = 40) -> Report:
    return check(problem, range(seeds))


def mistaken(formula: str, **rest: Any) -> Problem:
    """A problem whose one step exp(x) has one mistake."""
    return tiny({"a": {"is": "exp(x)", "mistakes": {"m": wrong(formula, **rest)}}})


def test_a_problem_that_holds_together_passes() -> None:
    report = checked(masked_token(), 60)
    assert report.failures == []
    assert report.passed
    assert report.seeds == 60
    assert report.distinct > 55
    assert 1 <= report.draws < 4
    assert set(report.active) == {mistake.note for mistake in masked_token().mistakes}
    assert all(0.3 <= share <= 1 for share in report.active.values())


def test_every_kind_of_answer_can_pass() -> None:
    problem = tiny(
        {
            "best": {
                "is": "argmax(v)",
                "kind": "choice",
                "options": "words",
                "mistakes": {"least": wrong("argmin(v)")},
            },
            "above": {"is": "v > min(v)", "kind": "choices", "options": "words"},
            "n": {"is": "len(v)", "kind": "count", "mistakes": {"one-less": wrong("len(v) - 1")}},
            "sum": {"is": "exp(v)", "labels": "words"},
            "share": {"is": "100 * v[0] / sum(v)", "unit": "percent"},
            "size": {"is": "[n, 768]", "kind": "shape", "mistakes": {"turned": wrong("[768, n]")}},
            "name": {
                "kind": "text",
                "accept": ["softmax"],
                "mistakes": {"other": {"accept": ["sigmoid"], "says": "That is for one row."}},
            },
            "mean": {"is": "mean(u)", "undefined": True},
        },
        {
            "words": {"choose": 3, "from": "nouns"},
            "v": {"range": [1, 9], "size": "words", "distinct": True},
            "u": {"range": [1, 9], "size": {"pick": [0, 2]}},
        },
    )
    assert checked(problem).failures == []


@pytest.mark.parametrize(
    ("problem", "says"),
    [
        (mistaken("e ^ x"), "a.m is never active"),
        (mistaken("1 / (x - x)"), "a.m is never active"),
        (mistaken("where(x == 9, x, exp(x))"), "a.m is active in"),
        (mistaken("exp(x) + 0.001"), "no variant can be drawn"),
        (tiny({"a": {"is": "exp(x)", "mistakes": {"m": wrong("2 * x"), "n": wrong("x + x")}}}), "never earns its own"),
        (tiny({"a": "exp(x)"}, verify=[{"holds": "a > 20", "says": "It is large."}]), "does not hold: It is large."),
        (tiny({"a": "exp(x)"}, verify=[{"holds": "0 / 0 > 1", "says": "It is."}]), "does not hold: It is."),
        (tiny({"a": "exp(x)"}, {"x": {"pick": [2] * 30}}), "different variants"),
        (tiny({"a": "exp(x)"}, require=["x > 9"]), "no variant can be drawn"),
        (tiny({"a": "exp(x)"}, {"x": {"range": [1, 99]}}, require=["x > 97"]), "draws"),
        (tiny({"a": "exp(x)"}, {"x": {"range": [9, 1]}}), "the range of x is empty"),
        (tiny({"a": "u * v"}, {"u": {"range": [1, 9], "size": 2}, "v": {"range": [1, 9], "size": 3}}), "do not fit"),
        (tiny({"a": "1 / (x - x)"}), "no variant can be drawn"),
    ],
    ids=["the key", "no value", "idle", "too near", "same as another", "verify", "verify undefined", "repeated",
         "nothing meets it", "many draws", "empty range", "sizes", "not finite"],
)  # fmt: skip
def test_a_problem_with_a_fault_fails_and_says_which(problem: Problem, says: str) -> None:
    report = checked(problem)
    assert not report.passed
    assert any(says in failure for failure in report.failures), report.failures


TWINS = {"kind": "choice", "options": {"k": "the same", "l": "The same"}}


@pytest.mark.parametrize(
    "problem",
    [
        tiny({"a": {"is": "x", "kind": "choice", "options": ["b", "c"]}}),
        tiny({"a": {"is": "x / 2", "kind": "choice", "options": list("bcdefghij")}}),
        tiny({"a": {"is": "[x < 0, x < 0]", "kind": "choices", "options": ["b", "c"]}}),
        tiny({"a": {"is": "[x < 5, x > 4, 1]", "kind": "choices", "options": ["b", "c"]}}),
        tiny({"a": {"is": "x / 2", "kind": "count"}}),
        tiny({"a": {"is": "1 / (x - 3)", "kind": "count"}}),
        tiny({"a": {"is": "[x / 2, 3]", "kind": "shape"}}),
        tiny({"a": {"is": "[-x, 3]", "kind": "shape"}}),
        tiny({"a": {"is": "x > 5", **TWINS}}),
        tiny({"a": {"is": "x > 4", "kind": "choice", "options": ["{{ x }}", "5"]}}),
        tiny({"a": {"is": "2 * v", "labels": ["b", "c", "d"]}}, {"v": {"range": [1, 9], "size": 2}}),
        tiny({"a": {"kind": "text", "accept": ["b"], "mistakes": {"m": {"accept": ["B"], "says": "?"}}}, "c": "ln(x)"}),
    ],
    ids=["no option", "half an option", "nothing to choose", "choices of another length", "half a count",
         "a count that is not finite", "half a size", "a negative size", "two options that read alike",
         "two options that read alike sometimes", "labels", "a form that is right and a mistake"],
)  # fmt: skip
def test_a_problem_that_cannot_be_right_fails_in_a_few_lines(problem: Problem) -> None:
    report = checked(problem)
    assert not report.passed
    assert 1 <= len(report.failures) <= 6, report.failures


def test_a_mistake_that_is_declared_seldom_may_be_active_seldom() -> None:
    report = checked(mistaken("where(x == 9, x, exp(x))", seldom=True))
    assert report.passed
    assert 0 < report.active["a.m"] < 0.3


def test_a_seldom_mistake_must_be_active_at_all() -> None:
    assert not checked(mistaken("e ^ x", seldom=True)).passed


def test_a_failure_names_the_seed_and_how_often_it_happened() -> None:
    (failure,) = checked(tiny({"a": "exp(x)"}, verify=[{"holds": "a > 20", "says": "Large."}])).failures
    assert re.search(r"\(seed \d+\), and \d+ more$", failure)


def test_refused_draws_are_counted_by_their_reason() -> None:
    report = checked(tiny({"a": "exp(x)"}, require=["x > 5"]))
    assert report.refusals.keys() == {"x > 5 does not hold"}
    assert report.draws == 1 + report.refusals["x > 5 does not hold"] / 40


def test_the_same_seeds_give_the_same_report() -> None:
    assert checked(masked_token(), 20) == checked(masked_token(), 20)


def test_a_report_is_plain_data_and_a_line_of_a_table() -> None:
    fine, broken = checked(masked_token(), 10), checked(mistaken("e ^ x"), 10)
    assert json.loads(json.dumps(fine.to_json()))["passed"] is True
    assert broken.to_json()["failures"] == broken.failures
    lines = summary({"masked-token": fine, "broken": broken}).splitlines()
    assert re.match(r"masked-token\s+10\s", lines[1])
    assert "FAILED" not in lines[1]
    assert lines[2].endswith("FAILED")
    assert "never active" in lines[3]
