"""The preview and the playground show what learners and the grader would, and one bad seed hides no other."""

from fractions import Fraction

from exercises import catalogue
from exercises.queries.authoring import preview, seeing, tried
from grader.marking import mark
from grader.problem import load
from grader.sampling import draw
from grader.solution import solve
from tests.exercises.authoring.world import BROKEN, SMALL

MASKED = catalogue.source("masked-token-loss")
#: Some seeds fail, others do not.
SOMETIMES = SMALL.replace("statement: What is", "require: [x > 88]\nstatement: What is")


def test_variants_stand_side_by_side_with_their_keys() -> None:
    found = preview(MASKED, [3, 4])
    assert [pane.seed for pane in found.panes] == [3, 4]
    for pane in found.panes:
        parameters = draw(load(MASKED), pane.seed)
        solution = solve(load(MASKED), parameters)
        assert pane.parameters == parameters
        assert all(word in pane.statement for word in parameters["words"])
        keys = {row.step: row for row in pane.keys}
        assert keys["loss"].key == f"{solution.values['loss']:.6g}"
        assert keys["loss"].allowance == f"±{solution.allowances['loss']:.2g}"
        assert [field.step for field in pane.fields] == ["powers", "total", "p", "loss"]
        assert pane.figure is not None
        assert pane.figure.data["values"] is not None
        assert {row.note: row.is_active for row in pane.mistakes} == {
            note: bool(mistake["active"]) for note, mistake in solution.mistakes.items()
        }
        assert len(pane.verify) == 3


def test_what_is_chosen_is_shown_by_its_words_in_keys_mistakes_and_marks() -> None:
    source = catalogue.source("sigmoid-or-softmax")
    problem = load(source)
    seen = {"key": 0, "mistake": 0}
    for pane in preview(source, range(6)).panes:
        solution = solve(problem, pane.parameters)
        options = {field.step: dict(field.options) for field in pane.fields if field.options}
        assert options
        for row in pane.keys:
            if row.step in options:
                seen["key"] += 1
                assert row.key == options[row.step][solution.values[row.step]]
        for mistake in problem.mistakes:
            if mistake.step in options:
                seen["mistake"] += 1
                (row,) = [row for row in pane.mistakes if row.note == mistake.note]
                assert row.value in options[mistake.step].values()
        step = next(iter(options))
        told = tried(source, seed=pane.seed, answers={step: solution.values[step]})
        assert next(row for row in told.rows if row.step == step).key == options[step][solution.values[step]]
    assert all(seen.values())


def test_a_seed_that_fails_hides_no_other() -> None:
    found = preview(SOMETIMES.replace("[8, 90]", "[8, 900000]").replace("x > 88", "x > 899000"), range(6))
    faults = [bool(pane.fault) for pane in found.panes]
    assert True in faults
    assert False in faults
    for pane in found.panes:
        assert bool(pane.statement) != bool(pane.fault)


def test_no_more_than_six_variants_are_drawn_and_any_number_is_a_seed() -> None:
    assert len(preview(SMALL, range(100)).panes) == 6
    assert [pane.fault for pane in preview(SMALL, [-1, 2**70]).panes] == ["", ""]


def test_a_text_that_is_no_problem_has_faults_and_no_variants() -> None:
    found = preview(BROKEN, [1])
    assert [(fault.line, fault.column, fault.key) for fault in found.faults] == [(11, 5, "steps.s.is")]
    assert found.panes == ()


def test_what_is_tried_is_marked_as_a_learners_answer_would_be() -> None:
    parameters = draw(load(MASKED), 7)
    loss, p = (solve(load(MASKED), parameters).values[name] for name in ("loss", "p"))
    answers: dict[str, str | list[str]] = {
        "p": f"{p:.3g}".replace(".", ","),
        "loss": f"{loss / 0.6931471805599453:.6g}",
    }
    answers["loss"] = str(answers["loss"]).replace(".", ",")
    found = tried(MASKED, seed=7, answers=answers, locale="de")
    verdict = mark(load(MASKED), parameters, answers, locale="de")
    assert found.score == verdict.score
    rows = {row.step: row for row in found.rows}
    assert (rows["p"].outcome, rows["total"].outcome) == ("right", "blank")
    assert (rows["loss"].outcome, rows["loss"].note, rows["loss"].credit) == ("mistake", "loss.log2", Fraction(1, 4))
    assert rows["loss"].key == f"{loss:.6g}"
    assert rows["loss"].allowance.startswith("±")
    assert rows["p"].read_as


def test_what_cannot_be_read_says_so_and_what_is_not_asked_is_left_out() -> None:
    found = tried(MASKED, seed=7, answers={"loss": "log(2)", "nobody": "1", "powers": ["1"] * 10_000})
    rows = {row.step: row for row in found.rows}
    assert rows["loss"].outcome == "unreadable"
    assert "ln" in rows["loss"].message
    assert len(rows["powers"].typed) == 100


def test_a_variant_that_cannot_be_drawn_is_told() -> None:
    nothing = SMALL.replace("statement: What is", "require: [x > 99]\nstatement: What is")
    assert "no variant fits" in tried(nothing, seed=1, answers={}).fault
    assert tried(BROKEN, seed=1, answers={}).faults[0].line == 11


def test_drawing_is_given_up_after_a_while(monkeypatch: object) -> None:
    monkeypatch.setattr(seeing, "LONGEST", -1.0)  # type: ignore[attr-defined]
    assert all("took so long" in pane.fault for pane in preview(SMALL, [1, 2]).panes)
