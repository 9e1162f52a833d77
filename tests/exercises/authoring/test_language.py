"""Faults with their places, and what may be written at a place."""

import pytest
import yaml

from exercises import catalogue
from exercises.actions.catalogue import MOST_TITLE
from exercises.queries.authoring import completions, faults, outline, vocabulary
from exercises.queries.authoring.faults import MOST_TITLE as LONGEST_TITLE
from grader.functions import FUNCTIONS
from tests.exercises.authoring.world import SMALL

MASKED = catalogue.source("masked-token-loss")


def _at(text: str, upto: str) -> dict[str, str]:
    """What is offered after the first place where the text reads so: label and kind."""
    end = text.index(upto) + len(upto)
    line = text.count("\n", 0, end) + 1
    return {one.label: one.kind for one in completions(text, line, end - text.rfind("\n", 0, end))}


@pytest.mark.parametrize("slug", catalogue.slugs())
def test_built_in_texts_have_no_faults(slug: str) -> None:
    assert faults(catalogue.source(slug)) == []


@pytest.mark.parametrize(
    ("old", "new", "place", "says"),
    [
        ("is: x / 7", "is: x / y", (11, 5, "steps.s.is"), "y"),
        ("hint:", "hnit:", (13, 5, "steps.s.hnit"), "not known"),
        ("[neg-log]", "[neg-log, magic]", (4, 19, "skills.1"), "no skill magic"),
        ("title: A seventh", f"title: {'x' * 201}", (2, 1, "title"), "200 characters"),
        ("title: A seventh", "title: [", (4, 7, ""), "not YAML"),
        ("range: [8, 90]", "range: &a [8, 90]", (6, None, ""), "aliases"),
        ('says: "This is an eighth."', "says: x, skill: magic", (15, 36, "steps.s.mistakes.eighth.skill"), "no skill"),
    ],
)
def test_a_fault_has_a_line_a_column_and_a_key(old: str, new: str, place: object, says: str) -> None:
    found = faults(SMALL.replace(old, new, 1))[0]
    assert (found.line, found.column, found.key) == place
    assert says in found.message


def test_titles_are_as_long_as_those_of_the_catalogue() -> None:
    assert LONGEST_TITLE == MOST_TITLE


@pytest.mark.parametrize(
    ("text", "upto", "offered", "not_offered"),
    [
        (MASKED, "\nsu", {"summary": "key"}, {"steps", "is"}),
        (MASKED, "    ask: Exponentiate each logit, $u_w = e^{z_w}$\n    ", {"is": "key", "carry": "key"}, {"choose"}),
        (MASKED, "      times-e:\n        ", {"also": "key", "credit": "key"}, {"ask"}),
        (MASKED, "  z: {range: [-2, 4], s", {"step": "key", "sorted": "key"}, {"says", "range"}),
        (MASKED, "    is: -ln(p", {"p": "step", "powers": "step", "prod": "function"}, {"z", "title"}),
        (MASKED, "    is: exp(z", {"z": "parameter"}, {"softmax"}),
        (MASKED, "    skill: s", {"softmax": "skill"}, {"sum"}),
        (MASKED, "skills: [exp-log, so", {"softmax": "skill"}, {"shapes"}),
        (MASKED, "from: n", {"nouns": "words"}, {"verbs"}),
        (MASKED, "mask is **{{ w", {"words": "parameter"}, {"powers"}),
        (MASKED, "figure: {bars: softmax(z), labels: words, highlight: t, reveal: p", {"p": "step"}, {"t", "prod"}),
        (MASKED, "optional: t", {"true": "value"}, {"total"}),
        (MASKED, "level: e", {"easy": "value"}, {"exp"}),
        (MASKED, "  - max(z", {"z": "parameter"}, {"title"}),
        (MASKED, "BERT reads *She p", {}, {"p", "powers", "parameters"}),
        ("steps:\n  a:\n    is: 1\n  b:\n    is: a", "b:\n    is: a", {"a": "step", "abs": "function"}, {"b"}),
    ],
)
def test_what_fits_the_place_is_offered(text: str, upto: str, offered: dict[str, str], not_offered: set[str]) -> None:
    found = _at(text, upto)
    assert offered.items() <= found.items()
    assert not not_offered & found.keys()


@pytest.mark.parametrize("slug", catalogue.slugs())
def test_a_key_that_stands_at_the_level_already_is_not_offered_again(slug: str) -> None:
    source = catalogue.source(slug)
    written = yaml.safe_load(source)
    assert not written.keys() & _at(f"{source.rstrip()}\n# here\n", "\n# here\n").keys()
    for name, step in written["steps"].items():
        if f"\n  {name}:\n" not in source:
            continue
        asked = source.replace(f"\n  {name}:\n", f"\n  {name}:\n    \n", 1)
        offered = set(_at(asked, f"\n  {name}:\n    "))
        assert not step.keys() & offered
        assert offered | step.keys() >= {"ask", "is", "skill", "mistakes", "weight"}


@pytest.mark.parametrize(
    ("text", "upto", "offered", "not_offered"),
    [
        ("parameters:\n  z: {size: 3, s, range: [1, 2]}", "3, s", {"step", "sorted"}, {"size"}),
        ("parameters:\n  z: {range: [1, 2], }", "2], ", {"step", "size"}, {"range", "range.0"}),
        ("parameters:\n  z: {r, size: 3}", "{r", {"range"}, {"size"}),
        ("steps:\n  a:\n    \n    is: 1\n  b:\n    ask: what", "a:\n    ", {"ask"}, {"is"}),
        ("steps:\n  a:\n    is: 1\n    \n    # more\n\n    ask: b\n", "1\n    ", {"hint"}, {"is", "ask"}),
        ("verify:\n  - holds: a\n    \n  - holds: b\n    says: c\n", "a\n    ", {"says"}, {"holds"}),
        ("verify:\n  - holds: a\n    says: d\n  - ", "d\n  - ", {"holds", "says"}, set()),
        ("title: a\nstatement: |\n  summary: not a key\n\nskills: [a]", "key\n", {"summary"}, {"title", "skills"}),
        ("title: a\ntitle: b", "\ntit", set(), {"title"}),
        ("summary: a\ntitle: b", "\ntit", {"title"}, set()),
    ],
)
def test_what_stands_beside_a_place_is_told_by_its_level(
    text: str, upto: str, offered: set[str], not_offered: set[str]
) -> None:
    found = _at(text, upto).keys()
    assert offered <= found
    assert not not_offered & found


@pytest.mark.parametrize(("line", "column"), [(0, 1), (-5, 3), (10_000, 1), (1, 10_000), (1, -2)])
def test_a_place_outside_the_text_is_no_error(line: int, column: int) -> None:
    assert len(completions(MASKED, line, column)) <= 60


def test_the_outline_is_there_while_the_text_is_broken() -> None:
    found = outline(MASKED.replace("is: -ln(p)", "is: {["))
    assert [row["name"] for row in found["steps"]] == ["powers", "total", "p", "loss"]
    assert [row["name"] for row in found["parameters"]] == ["words", "z", "t"]
    assert {"step": "total", "tag": "raw", "line": 53} in found["mistakes"]


@pytest.mark.parametrize("slug", catalogue.slugs())
def test_the_outline_names_what_the_problem_holds(slug: str) -> None:
    from_file = outline(catalogue.source(slug))
    lines = catalogue.source(slug).splitlines()
    for row in (*from_file["steps"], *from_file["parameters"]):
        assert lines[row["line"] - 1].lstrip().startswith(f"{row['name']}:")


def test_the_vocabulary_explains_every_function() -> None:
    found = vocabulary()
    assert {row["name"] for row in found["functions"]} == set(FUNCTIONS)
    assert all(row["says"] and "\n" not in row["says"] for row in found["functions"])
    assert {"id": "neg-log", "title": next(s.title for s in catalogue.skills() if s.id == "neg-log")} in found["skills"]
    assert found["schema"]["properties"]["steps"]
