"""The page for authors: its example is a problem that works, and it names everything a file may hold."""

import json
import re
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from exercises.catalogue import skills
from grader.checking import check
from grader.functions import FUNCTIONS
from grader.marking import mark
from grader.problem import Problem, json_schema, load
from grader.template import DISPLAYS
from grader.words import WORDS

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = (DOCS / "problem-format.md").read_text()


@pytest.fixture(scope="module")
def example() -> Problem:
    (text,) = re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    return load(text)


def test_the_example_passes_its_check(example: Problem) -> None:
    report = check(example, range(200))
    assert report.failures == []
    assert report.draws < 2


def test_the_example_names_skills_of_the_map(example: Problem) -> None:
    assert set(example.skills) <= {skill.id for skill in skills()}


def test_the_example_marks_as_it_says(example: Problem) -> None:
    parameters = {"words": ["mat", "sky"], "z": [2.0, 0.5]}
    verdict = mark(example, parameters, {"gap": "1.5", "ratio": "4", "likelier": "mat"})
    assert {given.step: (given.outcome, given.note) for given in verdict.marks} == {
        "gap": ("right", ""),
        "ratio": ("mistake", "ratio.quotient-of-logits"),
        "likelier": ("right", ""),
    }


def parts() -> dict[str, dict[str, Any]]:
    schema = json_schema()
    return {"ProblemFile": schema, **schema["$defs"]}


@pytest.mark.parametrize("part", sorted(parts()))
def test_every_key_of_a_file_is_explained(part: str) -> None:
    keys = parts()[part].get("properties", {})
    assert [key for key in keys if not re.search(rf"(?<![\w-]){key}(?![\w-])", PAGE)] == []


@pytest.mark.parametrize("names", [FUNCTIONS, WORDS, DISPLAYS], ids=["functions", "word lists", "displays"])
def test_every_name_of_the_language_is_listed(names: Any) -> None:
    assert [name for name in names if not re.search(rf"\b{name}\b", PAGE)] == []


def test_the_schema_in_the_docs_is_the_one_of_the_command() -> None:
    out = StringIO()
    call_command("problem", "schema", stdout=out)
    written = (DOCS / "problem.schema.json").read_text()
    assert written == out.getvalue(), "Run `make schema`."
    assert json.loads(written) == json_schema()
