"""What every problem of the catalogue owes its learners, over many drawn variants.

`make check` runs each problem's own check over a thousand seeds; here a few, and what that check does not look at.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import pytest

from exercises.catalogue import skills, slugs, source
from exercises.catalogue.coverage import coverage_faults
from frontend.typeset import typeset
from grader.checking import check
from grader.graph import Problem
from grader.problem import load
from grader.sampling import draw
from grader.solution import solve
from grader.wording import Field, fields, forecast, hints, statement, worked_solution

SEEDS = range(60)
#: Positions of keys are counted over so many variants.
MANY = range(300)
#: Upper 0.1 % points of the chi-square distribution, by degrees of freedom.
CHI_SQUARE = (
    0,
    10.83,
    13.82,
    16.27,
    18.47,
    20.52,
    22.46,
    24.32,
    26.12,
    27.88,
    29.59,
    31.26,
    32.91,
    34.53,
    36.12,
    37.70,
)
NUMBER = re.compile(r"(?<![\w.])[-−]?\d+(?:\.\d+)?")

every_problem = pytest.mark.parametrize("slug", slugs())


@cache
def problem(slug: str) -> Problem:
    return load(source(slug))


@cache
def variants(slug: str, count: int = len(SEEDS)) -> tuple[dict[str, Any], ...]:
    return tuple(draw(problem(slug), seed) for seed in range(count))


@every_problem
def test_it_passes_its_own_check(slug: str) -> None:
    report = check(problem(slug), SEEDS)
    assert report.failures == []
    assert report.draws < 5, f"too many draws are refused: {report.refusals}"


# Skills


@every_problem
def test_it_counts_some_steps_and_names_their_skills(slug: str) -> None:
    found = problem(slug)
    weighted = [step for step in found.asked if step.weight]
    assert weighted
    assert {step.skill for step in weighted} <= set(found.skills) <= {skill.id for skill in skills()}


def test_skills_and_problems_hold_together() -> None:
    assert coverage_faults() == []


# Where the key stands among the options


def key_places(slug: str) -> Iterator[tuple[str, int, list[int]]]:
    """Step, number of options, and the places of the right ones as shown, for each choice of each variant."""
    found = problem(slug)
    for parameters in variants(slug, len(MANY)):
        values = solve(found, parameters).values
        for field in fields(found, parameters):
            if field.options:
                keys = [key for key, _ in field.options]
                chosen = values[field.step]
                right = chosen if isinstance(chosen, list) else [chosen]
                yield field.step, len(keys), [keys.index(key) for key in right]


@pytest.mark.parametrize("slug", [slug for slug in slugs() if any(step.options for step in problem(slug).asked)])
def test_no_place_among_the_options_is_right_more_often(slug: str) -> None:
    counted: dict[tuple[str, int], Counter[int]] = defaultdict(Counter)
    for step, size, places in key_places(slug):
        counted[step, size].update(places)
    for (name, size), counts in counted.items():
        step = problem(slug).step(name)
        if not step.shuffle and not isinstance(step.options, str):
            # Options in an order of their own (right, wrong): their places mean something, so no draw balances them.
            assert step.kind == "choices" or max(counts.values()) < 0.75 * counts.total(), f"{name}: {dict(counts)}"
            continue
        # Among the words of a page there may be some that no rule ever lets be right, such as [SEP].
        places = range(size) if step.shuffle else sorted(counts)
        assert len(places) > 1, f"{name}: always place {places[0]}"
        expected = counts.total() / len(places)
        distance = sum((counts[place] - expected) ** 2 / expected for place in places)
        assert expected < 5 or distance < CHI_SQUARE[len(places) - 1], f"{name}: {dict(counts)} among {size}"


# Hints


def numbers(*texts: str) -> set[float]:
    return {float(number.replace("−", "-")) for text in texts for number in NUMBER.findall(text)}


def key_numbers(value: Any) -> list[float]:
    values = value if isinstance(value, list) else [value]
    return [float(entry) for entry in values if isinstance(entry, int | float)]


def as_typed(value: Any) -> str | list[str]:
    if isinstance(value, str):
        return value
    return [f"{entry:.6g}" for entry in value] if isinstance(value, list) else f"{value:.6g}"


def told(texts: Iterable[str], value: Any, shown: set[float]) -> bool:
    """Whether all numbers of a key stand in the texts to three significant digits, and not on the page anyway."""
    keys = [key for key in key_numbers(value) if not any(abs(key - number) < 1e-9 for number in shown)]
    found = numbers(*texts)
    return bool(keys) and all(any(abs(key - x) <= 5e-4 * abs(key) for x in found) for key in keys)


def page_of(slug: str, parameters: dict[str, Any]) -> str:
    found = problem(slug)
    asked = [
        text
        for field in fields(found, parameters)
        for text in (field.ask, *field.labels, *dict(field.options).values())
    ]
    return "\n".join([statement(found, parameters), forecast(found, parameters), *asked])


@every_problem
def test_no_hint_holds_a_key(slug: str) -> None:
    found = problem(slug)
    steps = [step for step in found.asked if step.kind in ("number", "vector", "count")]
    # What a hint says in every variant alike belongs to the rule, such as the 1 in 1 + e^{-s}.
    always: dict[str, set[float]] = {}
    for parameters in variants(slug):
        for step in steps:
            said = numbers(*hints(found, parameters, step.name, {}))
            always[step.name] = always.get(step.name, said) & said
    for parameters in variants(slug):
        shown = numbers(page_of(slug, parameters))
        values = solve(found, parameters).values
        before: dict[str, str | list[str]] = {}
        for at, step in enumerate(steps):
            known = shown | always[step.name]
            blind = hints(found, parameters, step.name, {})
            for earlier in steps[: at + 1]:
                assert not told(blind, values[earlier.name], known), (earlier.name, blind, parameters)
            helped = hints(found, parameters, step.name, before)
            typed = {number for name in before for number in key_numbers(values[name])}
            assert not told(helped, values[step.name], known | typed), (step.name, helped, parameters)
            before[step.name] = as_typed(values[step.name])


@every_problem
def test_no_hint_names_the_right_option(slug: str) -> None:
    """A hint that is the same in all variants may name an option; one that always names the right one tells."""
    found = problem(slug)
    tells: dict[str, list[bool]] = defaultdict(list)
    for parameters in variants(slug)[:20]:
        values = solve(found, parameters).values
        for field in fields(found, parameters):
            said = " ".join(hints(found, parameters, field.step, {})).lower()
            tells[field.step].append(named_alone(field, values[field.step], said))
    assert [step for step, each in tells.items() if all(each)] == []


def named_alone(field: Field, chosen: Any, said: str) -> bool:
    """Whether a text names right options only."""
    right = set(chosen if isinstance(chosen, list) else [chosen])
    named = {
        key
        for key, text in field.options
        if len(text) > 3 and re.search(rf"(?<!\w){re.escape(text.lower())}(?!\w)", said)
    }
    return bool(named) and named <= right and len(right) < len(field.options)


# What is said


def texts_of(slug: str, parameters: dict[str, Any]) -> Iterator[str]:
    """Every text of a variant that a learner may come to see."""
    found = problem(slug)
    yield page_of(slug, parameters)
    for step in found.asked:
        yield from hints(found, parameters, step.name, {})
    solution = worked_solution(found, parameters)
    for line in solution.steps:
        yield " ".join(f"${tex}$" for tex in (line.formula, line.numbers, line.value) if tex)
        yield line.text
    yield from (says for says, _ in solution.checks)


@every_problem
def test_everything_said_can_be_set(slug: str) -> None:
    for parameters in variants(slug)[:12]:
        for text in texts_of(slug, parameters):
            html = typeset(text)
            assert "tex-source" not in html, text
            assert not re.search(r"\{\{|\}\}|\?\s*\||\bnan\b|\bNone\b", re.sub(r'data-tex="[^"]*"', "", html)), text


@every_problem
def test_every_mistake_is_explained_without_the_key(slug: str) -> None:
    found = problem(slug)
    says = {mistake.note: mistake.says.source for mistake in found.mistakes}
    for note, text in says.items():
        assert len(text) > 40, f"{note} says too little"
        assert text.rstrip().endswith((".", "$", "?", "`")), note
        names = {name for mistake in found.mistakes if mistake.note == note for name in mistake.says.names}
        assert names.isdisjoint(step.name for step in found.steps), f"{note} would tell a step's value"


@every_problem
def test_each_step_has_a_gentle_first_hint(slug: str) -> None:
    assert [step.name for step in problem(slug).asked if step.weight and step.hint is None] == []


@every_problem
def test_variants_differ_in_what_is_shown(slug: str) -> None:
    """Of sixty learners hardly any two get the same page."""
    pages = {page_of(slug, parameters) for parameters in variants(slug)}
    assert len(pages) > 0.75 * len(SEEDS)
