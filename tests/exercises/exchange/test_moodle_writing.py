"""Moodle XML as its importer reads it: every built-in problem, escaping, tolerances, weights, mistakes."""

import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exercises.exchange.exercise import Box, Form, Option, Part, Wrong
from exercises.exchange.moodle.cloze import embedded, escaped, outside, weights_of
from exercises.exchange.moodle.writing import moodle_package
from exercises.exchange.variants import CannotExport, Variants
from grader.marking import mark
from grader.problem import load
from grader.sampling import draw
from grader.solution import solve
from tests.exercises.exchange import moodle_importer
from tests.exercises.exchange.opened import AT, SLUGS, built_in, files_of, written
from tests.exercises.world import MASKED

HOSTILE = """
title: "Signs & ~tildes~ {1:NM:=2} = # / 100 %"
summary: "A <b>problem</b> of signs"
skills: [softmax]
parameters:
  n: {range: [2, 90]}
statement: |
  Take {1:SHORTANSWER:=stolen} and $\\frac{1}{2}$, 5 % of {#1}, and `a<b`. So $n = {{ n }}$.
steps:
  a:
    ask: "What is $n$ ~ = # } { : / % here?"
    is: n
    kind: count
    skill: softmax
    mistakes:
      twice: {is: 2 * n, says: "Not $2^{n}$ ~ and # not } this \\\\"}
  word:
    ask: Name it.
    kind: text
    accept: ["*star* ~{x}= #1", "50 % / a:b"]
    skill: softmax
  pick:
    ask: Which?
    is: "0"
    kind: choice
    options: ["=100% {yes} ~", "#no", "a & b <c>", "$x^{2}$"]
    skill: softmax
    mistakes:
      other: {is: "1", says: "No #, ~ or }.", credit: 1/3}
"""


@pytest.mark.parametrize("slug", SLUGS)
def test_every_built_in_problem_is_accepted_by_the_importer_and_its_keys_earn_everything(slug: str) -> None:
    package = moodle_package([built_in(slug)], Variants(3), name=slug, at=AT)
    questions = moodle_importer.read_quiz(files_of(package)["questions.xml"])
    problem = load(built_in(slug).source)
    assert 1 <= len(questions) <= 3
    for question in questions:
        seed = int(re.search(r"seed (\d+)", question.name)[1])  # type: ignore[index]
        solution = solve(problem, draw(problem, seed))
        boxes = iter(question.boxes)
        for step in problem.asked:
            key = solution.values[step.name]
            if step.kind in ("number", "count"):
                assert next(boxes).grade(str(key)) == 1
            elif step.kind == "vector":
                assert [next(boxes).grade(str(entry)) for entry in key] == [1] * len(key)
            elif step.kind == "shape":
                assert next(boxes).grade(" x ".join(map(str, key))) == 1
            elif step.kind == "text":
                assert next(boxes).grade(step.accept[0].upper()) == 1
            else:
                box = next(boxes)
                right = [answer for answer in box.answers if answer.fraction > 0]
                assert sum(answer.fraction for answer in right) == pytest.approx(1, abs=1e-6) or step.kind == "choice"
                assert sum(answer.fraction == 1 for answer in box.answers) == 1 or step.kind == "choices"
        assert next(boxes, None) is None
        assert "Worked solution" in question.feedback
        assert question.idnumber == f"{slug}-v1-s{seed}"
        assert set(problem.skills) <= set(question.tags)


@pytest.mark.parametrize("slug", ["masked-token-loss", "mask-split", "perplexity", "nsp-loss", "mlm-average"])
def test_what_moodle_takes_for_right_and_wrong_is_what_we_take(slug: str) -> None:
    problem = load(built_in(slug).source)
    package = moodle_package([built_in(slug)], Variants(4), name=slug, at=AT)
    for question in moodle_importer.read_quiz(files_of(package)["questions.xml"]):
        seed = int(re.search(r"seed (\d+)", question.name)[1])  # type: ignore[index]
        parameters = draw(problem, seed)
        solution = solve(problem, parameters)
        boxes = iter(question.boxes)
        for step in problem.asked:
            if step.kind not in ("number", "count"):
                [next(boxes) for _ in range(len(solution.values[step.name]) if step.kind == "vector" else 1)]
                continue
            box, key, room = next(boxes), solution.values[step.name], solution.allowances[step.name] or 0.1
            if key == "undefined":
                assert box.grade("undefined") == 1
                continue
            for typed in (key, key + 0.999 * room, key - 0.999 * room, key + 1.01 * room, key - 1.01 * room):
                ours = mark(problem, parameters, {step.name: repr(typed)}).mark_of(step.name)
                assert ours is not None
                assert (box.grade(repr(typed)) == 1) == (ours.outcome == "right"), (slug, seed, step.name, typed)
            for note, found in solution.mistakes.items():
                value = found["steps"].get(step.name)
                if found["active"] and isinstance(value, float | int) and value != key:
                    assert box.grade(repr(value)) < 1, note


def test_a_mistake_of_an_earlier_step_is_told_where_its_value_arrives_and_pays_what_its_author_says() -> None:
    package = moodle_package([written(MASKED)], Variants(1, first=3), name="x", at=AT)
    question = moodle_importer.read_quiz(files_of(package)["questions.xml"])[0]
    loss = question.boxes[-1]
    assert [(answer.fraction, answer.feedback) for answer in loss.answers[1:2]] == [
        (0.25, "That is the loss in bits: this course uses natural logs.")
    ]
    assert any("Softmax normalises exponentials" in answer.feedback for answer in question.boxes[-2].answers)
    marks = [box.mark for box in question.boxes]
    assert marks == [0, 0, 0, 1, 1, 2]  # the scaffold counts nothing, the loss twice


def test_signs_of_the_grammar_come_through_in_texts_answers_and_feedback() -> None:
    package = moodle_package([written(HOSTILE)], Variants(2), name="x", at=AT)
    question = moodle_importer.read_quiz(files_of(package)["questions.xml"])[0]
    count, word, pick = question.boxes
    assert [answer.feedback for answer in count.answers] == ["", "Not \\(2^{n}\\) ~ and # not } this \\"]
    assert word.grade("*star* ~{x}= #1") == 1
    assert word.grade("xstarx ~{x}= #1") == 0  # the star stands for itself
    assert word.grade("50 % / a:b") == 1
    assert [answer.text for answer in sorted(pick.answers, key=lambda answer: answer.text)] == [
        "#no", "=100% {yes} ~", "\\(x^{2}\\)", "a &amp; b &lt;c&gt;",
    ]  # fmt: skip
    assert sorted(answer.fraction for answer in pick.answers) == [0, 0, pytest.approx(1 / 3, abs=1e-6), 1]
    assert r"\(\frac{1}{2}\)" in question.text
    assert "&#123;1:SHORTANSWER:=stolen}" in question.text
    assert question.category.endswith("/Signs & ~tildes~ {1:NM:=2} = # // 100 %")


TEXT = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), min_size=1, max_size=40)
FRACTIONS = st.fractions(0, 1, max_denominator=8).filter(lambda x: x < 1)
VALUES = st.floats(-1e9, 1e9, allow_nan=False).filter(lambda x: x == 0 or abs(x) > 1e-9)


@given(TEXT.filter(lambda text: text.strip()), TEXT)
def test_any_text_is_read_back_as_it_was(answer: str, feedback: str) -> None:
    said = f"{{1:SHORTANSWER:={escaped(answer)}#{escaped(feedback)}}}"
    text, boxes = moodle_importer.read_cloze(f"before {outside(feedback)} {said} after")
    assert [(one.text, one.feedback) for one in boxes[0].answers] == [(answer, feedback)]
    assert text.endswith("{#1} after")


@given(VALUES, st.floats(1e-12, 1e6), st.lists(st.tuples(VALUES, FRACTIONS), max_size=4))
def test_numbers_and_tolerances_are_read_back(key: float, room: float, wrongs: list[tuple[float, Fraction]]) -> None:
    told = tuple(Wrong(value, room, credit, "No: $x^{2}$.") for value, credit in wrongs)
    part = Part("p", "number", "?", Fraction(1), 3, "", False, boxes=(Box(key, room, "", told),))
    _, boxes = moodle_importer.read_cloze(embedded(part, 3)[0])
    assert boxes[0].mark == 3
    assert len(boxes[0].answers) == 1 + len(wrongs)
    for answer, value in zip(boxes[0].answers, [key, *(value for value, _ in wrongs)], strict=True):
        assert float(answer.text) == pytest.approx(value, rel=1e-9)
        assert answer.tolerance is not None
        assert room * (1 - 1e-9) <= answer.tolerance <= room * (1 + 2e-6) + 1e-300
    for answer, (_, credit) in zip(boxes[0].answers[1:], wrongs, strict=True):
        assert answer.fraction == pytest.approx(float(credit), abs=1e-6)


@given(st.lists(st.tuples(st.fractions(0, 9, max_denominator=6), st.integers(1, 5)), min_size=1, max_size=6))
def test_whole_weights_keep_the_proportions_of_the_steps(rows: list[tuple[Fraction, int]]) -> None:
    parts = [
        Part(f"s{place}", "vector", "?", weight, 3, "", False, boxes=(Box(1.0, 0.1),) * size)
        for place, (weight, size) in enumerate(rows)
    ]
    whole = weights_of(parts)
    total = sum(weight for weight, _ in rows)
    counted = sum(whole[part.step] * len(part.boxes) for part in parts)
    assert all(isinstance(weight, int) and weight >= 0 for weight in whole.values())
    for part in parts:
        if total:
            assert Fraction(whole[part.step] * len(part.boxes), counted) == part.weight / total


def test_undefined_is_a_box_of_words_where_it_is_right() -> None:
    part = Part("p", "number", "?", Fraction(1), 3, "", True, boxes=(Box(None, 0.0),))
    _, boxes = moodle_importer.read_cloze(embedded(part, 1)[0])
    assert boxes[0].grade("Undefined") == 1
    assert boxes[0].grade("0/0") == 1
    assert boxes[0].grade("0") == 0


def test_forms_and_options_keep_their_order_and_their_credit() -> None:
    forms = (Form("mlm", Fraction(1)), Form("nsp", Fraction(1, 4), "Other head."))
    part = Part("p", "text", "?", Fraction(1), 3, "", False, forms=forms)
    _, boxes = moodle_importer.read_cloze(embedded(part, 1)[0])
    assert [boxes[0].grade(typed) for typed in ("MLM", "nsp", "x")] == [1, 0.25, 0]
    options = (Option("a", True), Option("b", False), Option("c", True))
    _, boxes = moodle_importer.read_cloze(
        embedded(Part("q", "choices", "?", Fraction(1), 3, "", False, options=options), 2)[0]
    )
    assert [answer.fraction for answer in boxes[0].answers] == [0.5, -0.5, 0.5]


def test_the_same_export_at_the_same_minute_is_the_same_file_and_more_than_can_be_waited_for_is_refused() -> None:
    first = moodle_package([built_in("neg-log")], Variants(2), name="x", at=AT)
    assert first.content == moodle_package([built_in("neg-log")], Variants(2), name="x", at=AT).content
    with pytest.raises(CannotExport, match="take at most 5 of each"):
        moodle_package([built_in("neg-log")] * 100, Variants(6), name="x", at=AT)
    with pytest.raises(CannotExport, match="Between 1 and 100"):
        Variants(101)


def test_a_problem_that_cannot_be_read_stays_out_and_hides_no_other() -> None:
    broken = built_in("neg-log", asked=("nothing",))
    package = moodle_package([broken, built_in("perplexity")], Variants(1), name="x", at=AT)
    assert [bool(entry.fault) for entry in package.report.entries] == [True, False]
    assert "nothing is not asked" in files_of(package)["report.txt"].decode()
    with pytest.raises(CannotExport, match="nothing is not asked"):
        moodle_package([broken], Variants(1), name="x", at=AT)


def test_withdrawn_variants_stay_out_and_what_is_missing_is_told() -> None:
    problem = load(built_in("neg-log").source)
    away = draw(problem, 2)
    package = moodle_package(
        [built_in("neg-log", withdrawn=lambda parameters: parameters == away)], Variants(3), name="x", at=AT
    )
    names = [question.name for question in moodle_importer.read_quiz(files_of(package)["questions.xml"])]
    assert [re.search(r"seed (\d+)", name)[1] for name in names] == ["1", "3", "4"]  # type: ignore[index]
    assert "1 variant withdrawn" in package.report.to_text()
