"""QTI 3 as a player of it sees it: every item is sound, right answers earn everything, templates draw what we draw."""

import random
import re
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exercises.exchange.qti3.expressions import NotExpressible, condition, expression
from exercises.exchange.qti3.templates import templated_item
from exercises.exchange.qti3.writing import qti3_package
from exercises.exchange.variants import Variants
from grader.formula import compile_formula
from grader.marking import mark
from grader.problem import load
from grader.sampling import draw, read_parameters, unmet_requirement
from grader.solution import solve
from tests.exercises.exchange.opened import AT, SLUGS, built_in, files_of, written
from tests.exercises.exchange.qti3_player import Item, Q, read_item

P = "{http://www.imsglobal.org/xsd/qti/qtiv3p0/imscp_v1p1}"
ROOMS = """
title: Rooms of a house
summary: Whole numbers, products and sums.
skills: [parameter-counting]
parameters:
  a: {range: [2, 40]}
  b: {range: [-3, 9], step: 0.5}
  c: {pick: [2, 4, 8]}
  s: {is: a / c, round: 1}
require:
  - a != 7 and (b > 0 or a < 20)
statement: |
  There are {{ a }} rooms, ${{ b }}$ and {{ c }}; shared out {{ s }}.
steps:
  area:
    ask: The product of {{ a }} and {{ c }}
    is: a * c
    kind: count
    skill: parameter-counting
    mistakes:
      sum: {is: a + c, says: "Not the sum of {{ a }} and $x$."}
  total:
    ask: And with $b = {{ b }}$
    is: area / 3 + b ^ 2
    weight: 2
    skill: parameter-counting
    mistakes:
      double: {is: area / 3 + 2 * b, says: Squared is not doubled., credit: 1/4}
"""


def items_of(files: dict[str, bytes]) -> dict[str, Item]:
    """The items, found by the manifest; everything that is named is there, and nothing else."""
    manifest = ET.fromstring(files["imsmanifest.xml"])
    resources = list(manifest.iter(f"{P}resource"))
    named = {file.get("href") for one in resources for file in one.iter(f"{P}file")}
    assert named | {"imsmanifest.xml", "report.txt"} == set(files)
    ids = [one.get("identifier") for one in resources]
    assert len(set(ids)) == len(ids)
    return {href: read_item(files[href]) for one in resources if (href := one.get("href") or "")}


@pytest.mark.parametrize("slug", SLUGS)
def test_every_built_in_problem_is_sound_and_its_right_answers_earn_everything(slug: str) -> None:
    files = files_of(qti3_package([built_in(slug)], Variants(3), name=slug, at=AT))
    items = items_of(files)
    fixed = {name: item for name, item in items.items() if name.startswith("items/")}
    assert 1 <= len(fixed) <= 3
    for name, item in fixed.items():
        most = float(item.root.findtext(f"{Q}qti-outcome-declaration[@identifier='MAXSCORE']/*/{Q}qti-value") or "nan")
        score, told = item.played(item.correct())
        assert score == pytest.approx(most)
        assert told == ["solution"]
        assert item.played({})[0] == 0
        for image in item.root.iter(f"{Q}img"):
            assert (image.get("src") or "").removeprefix("../") in files
        assert name.endswith(f"-{re.search(r'seed (.*)[)]', item.root.get('title') or '')[1]}.xml")  # type: ignore[index]


@pytest.mark.parametrize("slug", ["masked-token-loss", "perplexity", "nsp-loss"])
def test_named_mistakes_are_told_and_pay_what_their_author_says(slug: str) -> None:
    problem = load(built_in(slug).source)
    items = items_of(files_of(qti3_package([built_in(slug)], Variants(2), name=slug, at=AT)))
    seen = 0
    for name, item in items.items():
        if not name.startswith("items/"):
            continue
        parameters = draw(problem, int(name.removesuffix(".xml").rsplit("-", 1)[1]))
        solution = solve(problem, parameters)
        for step in problem.asked:
            for mistake in step.mistakes:
                found = solution.mistakes[mistake.note]
                if step.kind != "number" or not found["active"]:
                    continue
                typed = found["steps"][step.name]
                score, told = item.played({f"R_{step.name}": float(typed)})
                ours = mark(problem, parameters, {step.name: repr(typed)}).mark_of(step.name)
                assert ours is not None
                assert score == pytest.approx(float(step.weight * ours.credit))
                assert len(told) == 2
                seen += 1
    assert seen > 3


def test_an_item_that_draws_its_own_numbers_draws_and_scores_as_we_do() -> None:
    problem = load(ROOMS)
    item = read_item(templated_item(problem, identifier="T", title="Rooms").encode())
    for seed in range(60):
        values = item.drawn(seed)
        parameters = {name: values[f"P_{name}"] for name in ("a", "b", "c", "s")}
        parameters |= {name: int(parameters[name]) for name in ("a", "c")}  # type: ignore[call-overload]
        drawn = read_parameters(problem, {name: parameters[name] for name in ("a", "b", "c")})
        assert drawn.values["s"] == pytest.approx(parameters["s"])
        assert not unmet_requirement(problem, drawn)
        keys = solve(problem, parameters).values
        right = {f"R_{name}": float(key) for name, key in keys.items()}
        assert values["correct R_total"] == pytest.approx(keys["total"])
        assert item.played(right, values)[0] == 3
        assert item.played({"R_area": right["R_area"] + 1}, values)[0] == 0
        rounded = float(f"{keys['total']:.3g}")
        assert item.played({"R_total": rounded}, values)[0] == 2
        wrong = float(parameters["a"] * parameters["c"]) / 3 + 2 * float(parameters["b"])  # type: ignore[operator, arg-type]
        if abs(wrong - keys["total"]) > 1e-9:
            score, told = item.played({"R_total": wrong}, values)
            assert (score, len(told)) == (0.5, 2)


@pytest.mark.parametrize("slug", ["pretraining-total"])
def test_built_in_problems_of_single_numbers_become_templates(slug: str) -> None:
    package = qti3_package([built_in(slug)], Variants(1), name=slug, at=AT)
    items = items_of(files_of(package))
    item = items[f"templates/{slug}.xml"]
    problem = load(built_in(slug).source)
    for seed in range(40):
        values = item.drawn(seed)
        parameters = {parameter.name: values[f"P_{parameter.name}"] for parameter in problem.parameters}
        key = solve(problem, parameters).values["total"]
        assert item.played({"R_total": float(f"{key:.3g}")}, values)[0] == 1
        assert item.played({"R_total": 1.02 * key}, values)[0] == 0
    assert "draws its own numbers" in package.report.entries[0].done


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("a * c", "sum([a, c])"), "the function sum"),
        (("  s: {is", "  v: {range: [1, 2], size: 2}\n  s: {is"), "single number"),
        (("{{ a }} rooms", "{{ a + 1 }} rooms"), "a + 1"),
        (("kind: count\n", "kind: shape\n"), "area"),
        (("[-3, 9]", "[-3, a]"), "depend on other numbers"),
    ],
)
def test_what_templates_cannot_say_is_told_and_stays_fixed(change: tuple[str, str], said: str) -> None:
    source = ROOMS.replace(*change)
    if "shape" in source:
        source = source.replace("is: a * c", "is: '[a, c]'").replace("is: a + c", "is: '[c, a]'")
        source = source.replace("area / 3", "a * c / 3")
    with pytest.raises(NotExpressible, match=re.escape(said)):
        templated_item(load(source), identifier="T", title="x")
    package = qti3_package([written(source)], Variants(2), name="x", at=AT)
    assert any("the variants are fixed" in line for line in package.report.entries[0].lost)
    assert not any(name.startswith("templates/") for name in files_of(package))


NUMBERS = st.floats(-50, 50, allow_nan=False).map(lambda x: round(x, 3))


RULES = (
    "a + b - 3 * a", "abs(a) / (1 + b ^ 2)", "ln(1 + abs(a)) + log2(2 + abs(b)) - log10(3)",
    "round(a) + floor(b) - ceil(a)", "min(a, b) + max(a, b, 1)", "sigmoid(a / 10)", "sqrt(abs(a)) - e + pi",
    "-a + exp(b / 20)",
)  # fmt: skip


@given(NUMBERS, NUMBERS, st.sampled_from(RULES))
def test_expressions_come_to_what_formulas_come_to(a: float, b: float, text: str) -> None:
    formula = compile_formula(text, {"a": 0, "b": 0})
    ours = float(formula({"a": np.array([[a]]), "b": np.array([[b]])})[0, 0])
    node = ET.fromstring(f'<x xmlns="{Q[1:-1]}">{expression(formula.node, {"a": "A", "b": "B"})}</x>')[0]
    item = Item.__new__(Item)
    theirs = item.value(node, {"A": a, "B": b}, {}, random.Random(0))
    assert theirs == pytest.approx(ours, rel=1e-9, abs=1e-9)


def test_conditions_of_words_are_refused() -> None:
    with pytest.raises(NotExpressible):
        condition(compile_formula("a + 1", {"a": 0}).node, {"a": "A"})


def test_a_drawn_number_stands_behind_the_formula_that_it_ends_and_within_one_it_cannot_be_said() -> None:
    item = read_item(templated_item(load(ROOMS), identifier="T", title="x").encode())
    body = item.root.find(f"{Q}qti-item-body")
    assert body is not None
    shown = [one.get("identifier") for one in body.iter(f"{Q}qti-printed-variable")]
    assert shown == ["P_a", "P_b", "P_c", "P_s", "P_a", "P_c", "P_b"]
    assert not any("987" in (text or "") for one in body.iter() for text in (one.text, one.tail))
    with pytest.raises(NotExpressible, match="within a formula"):
        templated_item(load(ROOMS.replace("${{ b }}$", "$2^{ {{ b }} }$")), identifier="T", title="x")
