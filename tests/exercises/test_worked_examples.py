"""The worked examples of the course: every answer printed there is right, by each way into the grader."""

import json
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from exercises.catalogue import source
from grader.marking import mark
from grader.problem import Problem, load
from grader.verdict import Verdict

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES: list[dict[str, Any]] = json.loads((ROOT / "tests/golden/worked_examples.json").read_text())["examples"]
C1 = EXAMPLES[0]["parameters"]

every_example = pytest.mark.parametrize("example", EXAMPLES, ids=[example["case"] for example in EXAMPLES])


def problem(slug: str) -> Problem:
    return load(source(slug))


def notes(verdict: Verdict) -> dict[str, tuple[str, str]]:
    """Outcome and note of every step that was not left blank."""
    return {mark.step: (mark.outcome, mark.note) for mark in verdict.marks if mark.outcome != "blank"}


def test_all_nine_examples_are_there() -> None:
    cases = {example["case"].split()[0] for example in EXAMPLES}
    assert cases == {f"C{number}" for number in range(1, 10)}


@every_example
def test_what_is_printed_is_right(example: dict[str, Any]) -> None:
    verdict = mark(problem(example["problem"]), example["parameters"], example["answers"])
    assert notes(verdict) == dict.fromkeys(example["answers"], ("right", ""))
    assert verdict.score == 1


@every_example
def test_what_is_printed_is_right_on_the_command_line(example: dict[str, Any]) -> None:
    out = StringIO()
    given = {name: json.dumps(example[name]) for name in ("parameters", "answers")}
    call_command("problem", "mark", example["problem"], "--json", stdout=out,
                 parameters=given["parameters"], answers=given["answers"])  # fmt: skip
    verdict = json.loads(out.getvalue())
    assert {step: mark["outcome"] for step, mark in verdict["marks"].items()} == dict.fromkeys(
        example["answers"], "right"
    )
    assert verdict["score"] == "1"


def test_the_command_marks_all_of_them_line_by_line() -> None:
    lines = "".join(json.dumps(example) + "\n" for example in EXAMPLES)
    done = subprocess.run(
        [sys.executable, "manage.py", "problem", "mark", "--stdin"],
        input=lines, capture_output=True, text=True, cwd=ROOT, check=True, timeout=60,
    )  # fmt: skip
    verdicts = [json.loads(line) for line in done.stdout.splitlines()]
    assert [verdict.get("score") for verdict in verdicts] == ["1"] * len(EXAMPLES)


@pytest.mark.parametrize(
    ("answers", "expected", "score"),
    [
        ({"p": "0.6667", "loss": "0.4055"}, {"p": ("mistake", "p.no-exp"), "loss": ("carried", "")}, "2/3"),
        ({"loss": "0.4055"}, {"loss": ("mistake", "p.no-exp")}, "0"),
        ({"p": "0.665", "loss": "0.588"}, {"p": ("right", ""), "loss": ("mistake", "loss.log2")}, "1/2"),
        ({"p": "0.245", "loss": "1.406"}, {"p": ("mistake", "p.other-word"), "loss": ("carried", "")}, "2/3"),
        ({"p": "7.389"}, {"p": ("mistake", "p.not-normalised")}, "0"),
        ({"p": "0.665", "loss": "0.177"}, {"p": ("right", ""), "loss": ("mistake", "loss.log10")}, "1/2"),
        ({"p": "0.665", "loss": "-0.408"}, {"p": ("right", ""), "loss": ("mistake", "loss.lost-minus")}, "1/3"),
        ({"p": "0.665", "loss": "1.094"}, {"p": ("right", ""), "loss": ("mistake", "loss.other-side")}, "1/3"),
        ({"p": "0.665", "loss": "-0.665"}, {"p": ("right", ""), "loss": ("mistake", "loss.minus-p")}, "1/3"),
        ({"p": "0.667", "loss": "0.408"}, {"p": ("mistake", "p.no-exp"), "loss": ("right", "")}, "2/3"),
    ],
)
def test_a_wrong_method_is_named_in_the_first_example(
    answers: dict[str, str], expected: dict[str, tuple[str, str]], score: str
) -> None:
    verdict = mark(problem("masked-token-loss"), C1, answers)
    assert notes(verdict) == expected
    assert str(verdict.score) == score


@pytest.mark.parametrize(
    ("slug", "parameters", "answers", "expected"),
    [
        ("masked-token-loss", EXAMPLES[1]["parameters"], {"p": "0.909"}, {"p": ("mistake", "p.argmax")}),
        ("uniform-logits", {"size": 4, "c": 1.0}, {"loss": "2"}, {"loss": ("mistake", "loss.log2")}),
        ("uniform-logits", {"size": 4, "c": 1.0}, {"loss": "-1.386"}, {"loss": ("mistake", "loss.sign")}),
        ("uniform-logits", {"size": 4, "c": 1.0}, {"loss": "1/4"}, {"loss": ("mistake", "loss.probability")}),
        ("uniform-logits", {"size": 4, "c": 1.0}, {"p": "0.680"}, {"p": ("mistake", "p.depends-on-c")}),
        ("mlm-average", EXAMPLES[3]["parameters"], {"mean": "3.503"}, {"mean": ("mistake", "mean.sum")}),
        ("mlm-average", EXAMPLES[3]["parameters"], {"mean": "0.3503"}, {"mean": ("mistake", "mean.all-tokens")}),
        ("mlm-average", EXAMPLES[3]["parameters"], {"mean": "1.035"}, {"mean": ("mistake", "mean.mean-probability")}),
        ("mlm-average", EXAMPLES[4]["parameters"], {"mean": "0"}, {"mean": ("mistake", "mean.zero-for-empty")}),
        ("mask-split", EXAMPLES[5]["parameters"], {"masked": "160"}, {"masked": ("mistake", "masked.of-all-tokens")}),
        ("mask-split", EXAMPLES[5]["parameters"], {"graded": "24"}, {"graded": ("mistake", "graded.masked-only")}),
        ("mask-split", EXAMPLES[5]["parameters"], {"random": "0.6"}, {"random": ("mistake", "random.of-the-rest")}),
        ("nsp-loss", {"s": 1.2, "y": 1}, {"q": "0.2315"}, {"q": ("mistake", "q.one-minus")}),
        ("nsp-loss", {"s": 1.2, "y": 1}, {"loss": "1.4634"}, {"loss": ("mistake", "loss.label-swapped")}),
        ("nsp-loss", {"s": 1.2, "y": 0}, {"loss": "1.727"}, {"loss": ("mistake", "loss.both-terms")}),
        ("classifier-head", EXAMPLES[8]["parameters"], {"p": ["0.622", "0.924"]}, {"p": ("mistake", "p.sigmoid")}),
        ("classifier-head", EXAMPLES[8]["parameters"], {"predicted": "neg"},
         {"predicted": ("mistake", "predicted.least-likely")}),
        ("pretraining-total", EXAMPLES[9]["parameters"], {"total": "1.00745"}, {"total": ("mistake", "total.mean")}),
        ("pretraining-total", EXAMPLES[9]["parameters"], {"total": "0.4613"}, {"total": ("mistake", "total.product")}),
    ],
)  # fmt: skip
def test_a_wrong_method_is_named_in_the_others(
    slug: str, parameters: dict[str, Any], answers: dict[str, Any], expected: dict[str, tuple[str, str]]
) -> None:
    assert notes(mark(problem(slug), parameters, answers)) == expected
