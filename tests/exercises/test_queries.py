"""What can be read: right, bounded, and by the same number of queries for one row and for thirty."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from django.db.models import Q

from exercises import queries
from exercises.actions import draw_variant, report_fault, reveal_solution, send_answer, sync_catalogue
from exercises.models import Grading, Problem, Submission, User, Variant
from exercises.tasks import grade_pending
from grader.marking import mark
from grader.problem import load
from tests.exercises.world import ALL_RIGHT, C1, MASKED, c1

pytestmark = pytest.mark.usefixtures("servers", "published")


def answer(learner: User, variant: Variant, *, checked: list[str] | None = None, **answers: str) -> None:
    send_answer(learner=learner, variant=variant, answers=answers, checked=checked)
    grade_pending()


def many_problems(count: int) -> None:
    sync_catalogue([f"masked-{k}" for k in range(count)], lambda slug: MASKED)


def test_a_step_stands_by_its_best_mark_and_shows_its_latest(bob: User, variant: Variant) -> None:
    answer(bob, variant, checked=["p"], p="0.665")
    answer(bob, variant, checked=["p"], p="0.6667")
    answer(bob, variant, total="", loss="3")  # p stays blank, which says nothing about it
    marks = queries.marks_of(variant)
    assert list(marks) == ["p", "loss"]
    assert (marks["p"].best.outcome, marks["p"].latest.note) == ("right", "p.no-exp")
    assert marks["loss"].best.outcome == "wrong"
    problem = load(variant.version.source)
    assert queries.score_of(problem, marks) == Fraction(1, 4)


def test_where_nothing_weighs_anything_all_count_the_same_everywhere() -> None:
    problem = load(MASKED)
    even = replace(problem, steps=tuple(replace(step, weight=Fraction(0)) for step in problem.steps))
    verdict = mark(even, C1, {"p": "0.665"})
    marks = {one.step: queries.Standing(one, one) for one in verdict.marks}
    assert queries.score_of(even, marks) == verdict.score == Fraction(1, len(even.asked))


def test_a_regrade_counts_instead_of_what_it_replaces(bob: User, variant: Variant) -> None:
    answer(bob, variant, checked=["p"], p="0.665")
    first = Grading.objects.get()
    wrong = {**first.verdict, "marks": {"p": {**first.verdict["marks"]["p"], "outcome": "wrong", "credit": "0"}}}
    Grading.objects.create(
        submission=first.submission, verdict=wrong, score_numerator=0, score_denominator=1,
        grader_version="2", version=first.version, reason="regrade",
    )  # fmt: skip
    assert queries.marks_of(variant)["p"].best.outcome == "wrong"
    verdict = queries.verdict_of(first.submission)
    assert verdict is not None
    assert verdict.marks[0].outcome == "wrong"
    assert [past.verdict == verdict for past in queries.history(variant)] == [True]


def test_history_is_newest_first_and_shows_what_waits(bob: User, variant: Variant) -> None:
    answer(bob, variant, checked=["p"], p="0.1")
    send_answer(learner=bob, variant=variant, answers={"p": "0.2"}, checked=["p"])
    rows = queries.history(variant)
    assert [(row.submission.answers["p"], row.verdict is None) for row in rows] == [("0.2", True), ("0.1", False)]


def test_pages_of_the_own_history_neither_skip_nor_repeat(bob: User, charlie: User, variant: Variant) -> None:
    for value in range(7):
        answer(bob, variant, checked=["p"], p=f"0.{value + 1}")
    answer(charlie, c1(charlie), p="0.9")
    first = queries.own_history(bob, limit=3)
    answer(bob, variant, checked=["p"], p="0.99")  # arrives between two pages
    second = queries.own_history(bob, before=first[-1].submission.public_id, limit=3)
    third = queries.own_history(bob, before=second[-1].submission.public_id, limit=3)
    typed = [row.submission.answers["p"] for row in (*first, *second, *third)]
    assert typed == ["0.7", "0.6", "0.5", "0.4", "0.3", "0.2", "0.1"]
    foreign = Submission.objects.get(author=charlie).public_id
    assert queries.own_history(bob, before=foreign) == []


def test_the_list_of_problems_tells_how_far_one_is(bob: User) -> None:
    many_problems(4)
    variants = [draw_variant(learner=bob, slug=f"masked-{k}") for k in range(3)]
    Variant.objects.update(parameters=C1)
    answer(bob, Variant.objects.get(pk=variants[0].pk), **ALL_RIGHT)
    answer(bob, Variant.objects.get(pk=variants[1].pk), p="0.665")
    reveal_solution(variant=variants[2])
    rows = queries.problem_list(bob)
    assert [(row.problem.slug, row.state, row.score, row.variants) for row in rows] == [
        ("masked-0", "solved", 1, 1),
        ("masked-1", "begun", Fraction(1, 4), 1),
        ("masked-2", "shown", 0, 1),
        ("masked-3", "new", 0, 0),
    ]
    assert {row.state for row in queries.problem_list(None)} == {"new"}
    by_skill = {skill.id: rows for skill, rows in queries.skill_map(rows)}
    assert len(by_skill["softmax"]) == 4
    assert by_skill["perplexity"] == []


def test_a_version_that_no_longer_loads_hides_no_other_row(bob: User) -> None:
    many_problems(2)
    for k in range(2):
        draw_variant(learner=bob, slug=f"masked-{k}")
    broken = Problem.objects.get(slug="masked-0")
    type(broken.current).objects.filter(pk=broken.current_id).update(source="title: [")
    assert [row.problem.slug for row in queries.problem_list(bob)] == ["masked-0", "masked-1"]


@pytest.mark.parametrize("rows", [1, 30])
def test_literal_numbers_of_queries(bob: User, rows: int, django_assert_num_queries: Any) -> None:
    many_problems(rows)
    for k in range(rows):
        variant = draw_variant(learner=bob, slug=f"masked-{k}")
        send_answer(learner=bob, variant=variant, answers=ALL_RIGHT)
    first = Variant.objects.select_related("version", "problem").earliest("pk")
    for k in range(rows):
        send_answer(learner=bob, variant=first, answers={"p": f"0.{k + 100}"})
        report_fault(learner=bob, variant=first, text=f"Fault {k}")
    grade_pending()
    Submission.objects.filter(variant__problem__slug="masked-0").update(state="ungradable", failure="why")
    with django_assert_num_queries(3):
        assert len(queries.problem_list(bob)) == rows
    with django_assert_num_queries(1):
        assert len(queries.problem_list(None)) == rows
    with django_assert_num_queries(1):
        queries.marks_of(first)
    with django_assert_num_queries(2):
        assert len(queries.history(first)) == rows + 1
    with django_assert_num_queries(2):
        assert len([row.submission.variant.problem.slug for row in queries.own_history(bob, limit=30)]) >= rows
    with django_assert_num_queries(1):
        assert len([row.variant.problem.slug for row in queries.fault_reports()]) == rows
    with django_assert_num_queries(1):
        assert len([row.author.username for row in queries.ungradable()]) == rows + 1
    with django_assert_num_queries(1):
        queries.broken_problems(Q())
