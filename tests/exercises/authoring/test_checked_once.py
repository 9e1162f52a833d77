"""A report that is remembered for the tests is the one that would be worked out."""

from grader.problem import load
from grader.report import full_report
from tests.checked_once import report_once
from tests.exercises.world import MASKED

SEEDS = range(7)


def test_a_report_is_the_same_again_and_nobody_shares_it() -> None:
    problem = load(MASKED)
    honest = full_report(problem, SEEDS) | {"seconds": 0}
    first = report_once(problem, SEEDS)
    first["steps"].clear()
    assert report_once(problem, SEEDS) | {"seconds": 0} == honest


def test_other_seeds_other_texts_and_a_shorter_time_are_tried_anew() -> None:
    problem = load(MASKED)
    assert report_once(problem, SEEDS)["seeds"] == len(SEEDS)
    assert report_once(problem, range(9))["seeds"] == 9
    assert not report_once(load(MASKED.replace("max(z) > min(z)", "max(z) > 9")), SEEDS)["passed"]
    assert not report_once(problem, SEEDS, seconds=0)["passed"]
