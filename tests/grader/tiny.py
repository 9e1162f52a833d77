"""Tiny problems for the tests of the grader, and short ways to ask what became of an answer."""

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from hypothesis import settings

from grader.marking import mark
from grader.problem import Problem, load
from grader.verdict import Mark

MASKED_TOKEN = Path(__file__).with_name("problems") / "masked-token.yaml"

#: The first worked examples of the course, as parameters of the problem ``masked_token``.
C1: dict[str, Any] = {"words": ["mat", "car", "sky"], "z": [2.0, 1.0, 0.0], "t": 0}
C2: dict[str, Any] = {"words": ["mat", "car", "sky"], "z": [0.0, 3.0, 0.0], "t": 0}
C3: dict[str, Any] = {"words": ["mat", "car", "sky", "dog"], "z": [1.0, 1.0, 1.0, 1.0], "t": 0}

X = {"x": {"range": [1, 9]}}


@lru_cache(maxsize=1)
def masked_token() -> Problem:
    """The problem of the first worked example."""
    return load(MASKED_TOKEN.read_text(encoding="utf-8"))


def source(steps: Mapping[str, Any], parameters: Mapping[str, Any] | None = None, **rest: Any) -> str:
    """The text of a problem file; a step that is only a formula is asked, ``ask: None`` hides one."""
    data = {
        "title": "Tiny",
        "summary": "For a test.",
        "skills": ["arithmetic"],
        "parameters": X if parameters is None else parameters,
        "statement": "Work it out.",
        "steps": {name: _step(name, step) for name, step in steps.items()},
        **rest,
    }
    return json.dumps(data, ensure_ascii=False)


def _step(name: str, step: Any) -> dict[str, Any]:
    entry = {"is": step} if not isinstance(step, dict) else step
    whole = {"ask": f"What is {name}?", **entry}
    return {key: value for key, value in whole.items() if value is not None}


def tiny(steps: Mapping[str, Any], parameters: Mapping[str, Any] | None = None, **rest: Any) -> Problem:
    """A loaded problem; without parameters it has one, x, from 1 to 9."""
    return load(source(steps, parameters, **rest))


def wrong(formula: str, says: str = "Wrong rule.", **rest: Any) -> dict[str, Any]:
    """A named mistake."""
    return {"is": formula, "says": says, **rest}


def marks(problem: Problem, parameters: Mapping[str, Any], answers: Mapping[str, Any], **how: Any) -> dict[str, Mark]:
    """The mark of every step, by name."""
    return {given.step: given for given in mark(problem, parameters, answers, **how).marks}


def told(
    problem: Problem, parameters: Mapping[str, Any], answers: Mapping[str, Any], **how: Any
) -> dict[str, tuple[str, str]]:
    """Outcome and note of the steps that were answered."""
    found = marks(problem, parameters, answers, **how)
    return {name: (found[name].outcome, found[name].note) for name in answers if name in found}


def outcome(problem: Problem, parameters: Mapping[str, Any], step: str, typed: Any, **how: Any) -> tuple[str, str]:
    """Outcome and note of one step answered alone."""
    return told(problem, parameters, {step: typed}, **how)[step]


def examples(count: int) -> settings:
    """How many examples a property is tried on: the same ones in every run, however slow the machine."""
    return settings(max_examples=count, deadline=None, derandomize=True)
