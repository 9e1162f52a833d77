"""The command line for authors: list, draw, solve, mark, check, schema. None of it needs a database."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from exercises.catalogue import slugs
from grader.problem import json_schema
from tests.grader.tiny import C1, MASKED_TOKEN, source, wrong

FILE = str(MASKED_TOKEN)
PARAMETERS = json.dumps(C1)
ROOT = Path(__file__).resolve().parents[2]


def run(*arguments: str) -> str:
    out = io.StringIO()
    call_command("problem", *arguments, stdout=out)
    return out.getvalue()


def lines(*arguments: str) -> list[Any]:
    return [json.loads(line) for line in run(*arguments).splitlines()]


def refusal(*arguments: str) -> str:
    with pytest.raises(CommandError) as caught:
        run(*arguments)
    message = str(caught.value)
    assert message
    assert "\n" not in message
    assert caught.value.returncode == 1
    return message


@pytest.fixture
def problem_file(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.yaml"
    path.write_text(source({"a": {"is": "exp(x)", "mistakes": {"m": wrong("2 * x")}}}), encoding="utf-8")
    return path


# list, draw, solve


def test_the_catalogue_is_listed_as_data_and_as_lines() -> None:
    rows = json.loads(run("list", "--json"))
    assert [row["slug"] for row in rows] == list(slugs())
    for row in rows:
        assert row["title"]
        assert row["steps"]
    assert len(run("list").splitlines()) == len(rows)


def test_a_variant_is_drawn_as_data_or_as_its_statement() -> None:
    (first,) = lines("draw", FILE, "--seed", "7", "--json")
    assert first == lines("draw", FILE, "--seed", "7", "--json")[0]
    assert first["seed"] == 7
    assert set(first["parameters"]) == {"words", "z", "t"}
    assert first["parameters"]["words"][first["parameters"]["t"]] in run("draw", FILE, "--seed", "7")


def test_a_solution_holds_values_allowances_and_mistakes() -> None:
    (solution,) = lines("solve", FILE, "--parameters", PARAMETERS, "--json")
    assert set(solution) == {"seed", "parameters", "steps", "allowance", "mistakes"}
    assert solution["seed"] is None
    assert solution["parameters"] == C1
    assert solution["steps"]["p"] == pytest.approx(0.66524, abs=1e-5)
    assert solution["steps"]["powers"] == pytest.approx([7.38906, 2.71828, 1])
    assert solution["allowance"]["loss"] == pytest.approx(0.0011, abs=1e-4)
    no_exp = solution["mistakes"]["p.no-exp"]
    assert no_exp["active"] is True
    assert no_exp["steps"] == {"p": pytest.approx(2 / 3), "loss": pytest.approx(0.40547, abs=1e-5)}


def test_seeds_give_one_line_each() -> None:
    found = lines("solve", FILE, "--seeds", "3:6", "--json")
    assert [solution["seed"] for solution in found] == [3, 4, 5]
    assert found[0] == lines("solve", FILE, "--seed", "3", "--json")[0]
    assert found[0]["parameters"] == lines("draw", FILE, "--seed", "3", "--json")[0]["parameters"]


def test_what_has_no_value_is_null_and_never_nan() -> None:
    given = json.dumps(C1 | {"z": [1, -1, 0]})
    text = run("solve", FILE, "--parameters", given, "--json")
    assert "NaN" not in text
    assert json.loads(text)["mistakes"]["p.no-exp"] == {"active": False, "steps": {"p": None, "loss": None}}


# mark


def marked(answers: dict[str, Any], *more: str) -> dict[str, Any]:
    (verdict,) = lines("mark", FILE, "--parameters", PARAMETERS, "--answers", json.dumps(answers), "--json", *more)
    return dict(verdict)


def test_answers_are_marked_step_by_step() -> None:
    verdict = marked({"p": "0.665", "loss": "0.588"})
    assert verdict["score"] == "1/2"
    assert verdict["marks"]["p"] == {
        "outcome": "right", "note": "", "credit": "1", "read_as": "0.665", "message": "", "entries": [],
    }  # fmt: skip
    loss = verdict["marks"]["loss"]
    assert (loss["outcome"], loss["note"], loss["credit"]) == ("mistake", "loss.log2", "1/4")
    assert list(verdict["marks"]) == ["powers", "total", "p", "loss"]


@pytest.mark.parametrize(
    ("answers", "told"),
    [
        ({"p": "0.6667", "loss": "0.4055"}, [("mistake", "p.no-exp"), ("carried", "")]),
        ({"p": "", "loss": "0.4055"}, [("blank", ""), ("mistake", "p.no-exp")]),
        ({"p": "0.665", "loss": "0.588"}, [("right", ""), ("mistake", "loss.log2")]),
        ({"p": "log(2)", "loss": "0.408"}, [("unreadable", ""), ("right", "")]),
    ],
)
def test_the_first_worked_example_is_told_as_the_design_tells_it(
    answers: dict[str, str], told: list[tuple[str, str]]
) -> None:
    marks = marked(answers)["marks"]
    assert [(marks[step]["outcome"], marks[step]["note"]) for step in ("p", "loss")] == told


def test_everything_right_scores_one() -> None:
    answers = {"powers": ["7.389", "2.718", "1.000"], "total": "11.107", "p": "0.665", "loss": "0.408"}
    assert marked(answers)["score"] == "1"


def test_the_language_of_the_answers_is_an_option() -> None:
    assert marked({"loss": "0,408"}, "--locale", "de")["marks"]["loss"]["read_as"] == "0,408"


def test_marks_are_shown_as_lines_where_no_data_is_asked_for() -> None:
    answers = json.dumps({"p": "0.6667"})
    shown = run("mark", FILE, "--parameters", PARAMETERS, "--answers", answers).splitlines()
    assert shown[0] == "score 0"
    assert any("p.no-exp" in line and "raw logits" in line for line in shown)


def test_a_variant_may_be_named_by_its_seed() -> None:
    (solution,) = lines("solve", FILE, "--seed", "4", "--json")
    answers = json.dumps({"p": repr(solution["steps"]["p"])})
    (verdict,) = lines("mark", FILE, "--seed", "4", "--answers", answers, "--json")
    assert verdict["marks"]["p"]["outcome"] == "right"


def test_many_tasks_are_marked_line_by_line_and_a_bad_one_stops_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    good = {"problem": FILE, "parameters": C1, "answers": {"p": "0,665"}, "locale": "de"}
    tasks: list[Any] = [
        good, {"problem": "nosuch"}, {"parameters": C1}, [1], "not json", good | {"parameters": {"z": 1}},
        good | {"answers": {"q": "1"}}, good | {"answers": {"p": 0.665}}, good | {"parameters": None},
        good | {"problem": "a\u0000b"}, good | {"problem": "\ud800"}, good | {"problem": "/"}, good | {"locale": None},
        good | {"answers": {"p": "\ud800"}}, good | {"answers": {"\ud800": "1"}}, good,
    ]  # fmt: skip
    written = [task if task == "not json" else json.dumps(task) for task in tasks]
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(written) + "\n\n"))
    found = lines("mark", "--stdin")
    assert len(found) == len(tasks)
    assert found[0] == found[-1]
    assert found[0]["marks"]["p"]["outcome"] == "right"
    fine = {0, 12, 13, 15}
    for place, verdict in enumerate(found):
        assert ("score" in verdict) == (place in fine), (tasks[place], verdict)
        assert place in fine or (verdict["error"] and "\n" not in verdict["error"])
    assert found[13]["marks"]["p"]["outcome"] == "unreadable"


# check and schema


def test_the_check_of_a_file_is_a_table_or_data(problem_file: Path) -> None:
    assert str(problem_file) in run("check", str(problem_file), "--seeds", "20")
    (report,) = lines("check", str(problem_file), "--seeds", "20", "--json")
    assert report["problem"] == str(problem_file)
    assert report["passed"] is True
    assert report["seeds"] == 20
    assert report["active"] == {"a.m": 1.0}


def test_a_check_that_fails_says_so_and_ends_with_status_one(tmp_path: Path, problem_file: Path) -> None:
    broken = tmp_path / "broken.yaml"
    broken.write_text(source({"a": {"is": "exp(x)", "mistakes": {"m": wrong("e ^ x")}}}), encoding="utf-8")
    out = io.StringIO()
    with pytest.raises(CommandError, match="1 of 2 problems failed"):
        call_command("problem", "check", str(problem_file), str(broken), "--seeds", "20", stdout=out)
    assert "a.m is never active" in out.getvalue()


def test_the_schema_is_that_of_the_problem_files() -> None:
    assert json.loads(run("schema")) == json_schema()


# What is refused


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["draw", "nosuch", "--seed", "1"], "nosuch"), (["draw", "/", "--seed", "1"], "no readable file"),
        (["solve", FILE, "--seeds", "3-6"], "A:B"), (["solve", FILE, "--seeds", "a:b"], "A:B"),
        (["solve", FILE, "--parameters", "{"], "--parameters is not valid JSON"),
        (["solve", FILE, "--parameters", "[]"], "must be a JSON object"),
        (["solve", FILE, "--parameters", '{"z": [NaN, 1, 2]}'], "NaN"),
        (["solve", FILE, "--parameters", '{"z": [1, 2, 3]}'], "words is missing"),
        (["solve", FILE, "--parameters", '{"words": ["a"], "z": [1, 2], "t": 0}'], "z must have 1 entries"),
        (["mark", FILE, "--parameters", PARAMETERS, "--answers", "{"], "--answers is not valid JSON"),
        (["mark", FILE, "--parameters", PARAMETERS, "--answers", "3"], "must be a JSON object"),
        (["mark", FILE, "--parameters", PARAMETERS, "--answers", '{"q": "1"}'], "no step 'q'"),
        (["mark", FILE, "--parameters", PARAMETERS, "--answers", '{"p": 1}'], "answer to p must be text"),
        (["mark", FILE, "--parameters", PARAMETERS], "--answers"),
        (["mark", "--seed", "1", "--answers", "{}"], "problem"),
        (["mark", FILE, "--answers", "{}"], "--seed or --parameters"),
        (["check", FILE, "--seeds", "0"], "at least 1"), (["check", "nosuch"], "nosuch"),
        (["mark", FILE, "--parameters", "[" * 100_000, "--answers", "{}"], "not valid JSON"),
    ],
)  # fmt: skip
def test_a_bad_file_parameter_or_answer_is_refused_in_one_line(arguments: list[str], says: str) -> None:
    assert says in refusal(*arguments)


def test_a_bad_problem_file_is_refused_by_line_and_key(tmp_path: Path) -> None:
    broken = tmp_path / "broken.yaml"
    text = MASKED_TOKEN.read_text(encoding="utf-8").replace("is: -ln(p)\n", "is: -log(p)\n")
    broken.write_text(text, encoding="utf-8")
    at = text[: text.index("is: -log(p)")].count("\n") + 1
    assert f"line {at}, steps.loss.is" in refusal("draw", str(broken), "--seed", "1")
    broken.write_bytes(b"\xff\xfe\x00")
    assert "no readable file" in refusal("draw", str(broken), "--seed", "1")


def in_a_process(*arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", "problem", *arguments],
        cwd=ROOT, input=typed, capture_output=True, encoding="utf-8", timeout=120, check=False,
        env=os.environ | {"DATABASE_URL": "postgres://nobody@127.0.0.1:1/none", "REDIS_URL": "redis://127.0.0.1:1/0"},
    )  # fmt: skip


def test_as_a_process_it_needs_no_server_and_ends_with_status_zero() -> None:
    task = {"problem": FILE, "parameters": C1, "answers": {"p": "0.665\ud800", "loss": "−0,4"}}
    done = in_a_process(
        "mark", "--stdin", typed=json.dumps(task) + "\n" + json.dumps(task | {"problem": "\u0000"}) + "\n"
    )
    assert done.returncode == 0, done.stderr
    verdict, error = (json.loads(line) for line in done.stdout.splitlines())
    assert verdict["marks"]["p"]["outcome"] == "unreadable"
    assert "error" in error


def test_as_a_process_it_ends_with_status_one_and_one_line() -> None:
    done = in_a_process("mark", FILE, "--parameters", PARAMETERS, "--answers", '{"p": 3}')
    assert done.returncode == 1
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert "answer to p" in done.stderr
