"""A second marker, written from the design in plain Python for two problems, and held against the grader.

It knows nothing of batches, lanes or arrays: one submission, one candidate, one entry at a time. It stops where the
mistakes begin that any number may show.
"""

import math
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.problem import Problem
from grader.sampling import draw
from grader.solution import solve
from tests.grader.tiny import examples, masked_token, tiny, told, wrong

Values = dict[str, list[float]]
Rules = Mapping[str, Callable[[Any], list[float]]]


def half_unit(value: float, digits: int) -> float:
    if value == 0 or not math.isfinite(value):
        return 0.0
    return 0.5 * 10.0 ** (math.floor(math.log10(abs(value))) - digits + 1)


def same(a: float, b: float) -> bool:
    return abs(a - b) <= 1e-9 * max(abs(a), abs(b)) + 1e-21


def digits_of(text: str) -> int:
    return len(text.lstrip("-").replace(".", "").lstrip("0")) or 1


@dataclass(frozen=True)
class Twin:
    """A problem's rules and mistakes a second time. ``needs``: which earlier steps each step refers to."""

    problem: Problem
    rules: Rules
    needs: Mapping[str, set[str]]
    mistakes: Mapping[str, Rules]
    ranges: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    working: int = 4
    answer: int = 3

    @cached_property
    def order(self) -> list[str]:
        return list(self.rules)


@dataclass(frozen=True)
class Submission:
    """One learner's answers to one variant."""

    twin: Twin
    parameters: dict[str, Any]
    typed: Mapping[str, list[str]]
    #: Steps where an answer fits a mistake though it is a quarter of it away: there the grader may look away.
    far: set[str] = field(default_factory=set)

    @cached_property
    def numbers(self) -> Values:
        return {name: [float(text) for text in texts] for name, texts in self.typed.items()}

    @cached_property
    def key(self) -> Values:
        return self.walk({}, {}, {})

    def walk(self, rules: Rules, typed: Values, moved: Mapping[Any, float]) -> Values:
        """Every step as it is computed; a typed value, and what it is moved by, counts for the steps after it."""
        known: Any = {name: v if isinstance(v, list) else [v] for name, v in self.parameters.items()}
        found: Values = {}
        for name, rule in self.twin.rules.items():
            try:
                found[name] = rules.get(name, rule)(known)
            except (ValueError, ZeroDivisionError, OverflowError):
                found[name] = [math.nan]
            known[name] = [v + moved.get((name, k), 0.0) for k, v in enumerate(typed.get(name, found[name]))]
        return found

    def halves(self, rules: Rules, typed: Values, name: str) -> dict[Any, float]:
        """By how much each earlier value may be off; a wrong one that was typed is rounded as it was typed."""
        value, found = self.walk(rules, typed, {}), {}
        for step in self.twin.order[: self.twin.order.index(name)]:
            for k, v in enumerate(typed.get(step, value[step])):
                exact = (
                    not math.isfinite(v)
                    or v == round(v)
                    or abs(float(f"{v:.{self.twin.working - 1}e}") - v) <= 1e-9 * abs(v)
                )
                half = 0.0 if exact else half_unit(v, self.twin.working)
                if step in typed and not self.right[step][k]:
                    half = max(half, half_unit(v, max(digits_of(self.typed[step][k]), self.twin.answer)))
                if half:
                    found[step, k] = half
        return found

    def fits(self, rules: Rules, typed: Values, name: str) -> list[bool]:
        """Which entries of an answer lie within the allowance of a candidate, derived at that candidate."""
        value, halves = self.walk(rules, typed, {})[name], self.halves(rules, typed, name)
        found = []
        for k, (v, given_number) in enumerate(zip(value, self.numbers[name], strict=False)):
            effects = {p: self.walk(rules, typed, {p: half})[name][k] - v for p, half in halves.items()}
            reach = math.fsum(map(abs, effects.values()))
            for side in (1, -1):
                ends = {p: side * math.copysign(halves[p], effect) for p, effect in effects.items() if effect}
                reach = max(reach, abs(self.walk(rules, typed, ends)[name][k] - v))
            found.append(abs(given_number - v) <= (reach + half_unit(v, self.twin.answer)) * (1 + 1e-9) + 1e-13)
        return found if len(value) == len(self.numbers[name]) else [False] * len(self.numbers[name])

    def near_side(self, name: str, entry: int) -> bool:
        """No active mistake lies nearer to the answer than the key does."""
        given_number, key = self.numbers[name][entry], self.key[name][entry]
        others = [self.walk(rules, {}, {})[name][entry] for rules in self.twin.mistakes.values()]
        active = [v for v in others if math.isfinite(v) and not same(v, key)]
        return not any(abs(given_number - v) < abs(given_number - key) * (1 - 1e-9) for v in active)

    @cached_property
    def right(self) -> dict[str, list[bool]]:
        return {
            name: [fit and self.near_side(name, k) for k, fit in enumerate(self.fits({}, {}, name))]
            for name in self.typed
        }

    def sources(self, name: str) -> set[str]:
        """The typed values that flow into a step and are not shielded by another typed one."""
        found: set[str] = set()
        for step in self.twin.needs[name]:
            found |= {step} if step in self.typed else self.sources(step)
        return found

    def marks(self) -> dict[str, tuple[str, str]]:
        """Outcome and note of every answered step; "none" where only a rule for any number could apply."""
        marks: dict[str, tuple[str, str]] = {}
        for name in self.twin.order:
            if name in self.typed:
                slips = [source for source in self.sources(name) if marks[source][0] != "right"]
                marks[name] = self.followed(name, slips) or self.mistaken(name)
        return marks

    def followed(self, name: str, slips: list[str]) -> tuple[str, str] | None:
        right = self.right[name]
        if all(right):
            return "right", ""
        own = self.fits({}, self.numbers, name)
        if not self.sources(name) or not all(a or b for a, b in zip(right, own, strict=True)):
            return None
        if not slips:
            near = all(a or self.near_side(name, k) for k, a in enumerate(right))
            return ("right", "own-rounding") if near else None
        value = self.walk({}, self.numbers, {})[name]
        limits = {slip: self.twin.ranges.get(slip, (-math.inf, math.inf)) for slip in slips}
        inside = all(low < v < high for slip, (low, high) in limits.items() for v in self.numbers[slip])
        return ("carried", "") if inside and all(map(math.isfinite, value)) and any(value) else None

    def mistaken(self, name: str) -> tuple[str, str]:
        shown = {note: self.explains(rules, name) for note, rules in self.twin.mistakes.items()}
        found = [note for note, how in shown.items() if how and how == max(shown.values())]
        nearest = max((self.twin.order.index(note.split(".")[0]) for note in found), default=-1)
        found = [note for note in found if self.twin.order.index(note.split(".")[0]) == nearest]
        if not found:
            return "none", ""
        return "mistake", found[0] if len(found) == 1 else "ambiguous"

    def explains(self, rules: Rules, name: str) -> int:
        """2 if a mistake fits at every entry, 1 if each entry is right or shows it; on the true or the typed values."""
        return max(self._explains(rules, {}, name), self._explains(rules, self.numbers, name))

    def _explains(self, rules: Rules, typed: Values, name: str) -> int:
        key, value, fits = (
            self.walk({}, typed, {})[name],
            self.walk(rules, typed, {})[name],
            self.fits(rules, typed, name),
        )
        earned = self.right[name]
        if typed:
            earned = [a or b for a, b in zip(earned, self.fits({}, typed, name), strict=True)]
        active = [math.isfinite(v) and not same(v, k) for v, k in zip(value, key, strict=True)]
        shows = [a and b and not c for a, b, c in zip(fits, active, earned, strict=True)]
        if not any(shows) or not all(a or b for a, b in zip(shows, earned, strict=True)):
            return 0
        if any(abs(a - v) > 0.25 * max(abs(a), abs(v)) for a, v in zip(self.numbers[name], value, strict=True)):
            self.far.add(name)
        return 2 if all(fits) else 1


def ln(x: float) -> float:
    return math.log(x)


MASKED = Twin(
    masked_token(),
    {
        "powers": lambda v: [math.exp(z) for z in v["z"]],
        "total": lambda v: [math.fsum(v["powers"])],
        "p": lambda v: [v["powers"][v["t"][0]] / v["total"][0]],
        "loss": lambda v: [-ln(v["p"][0])],
    },
    {"powers": set(), "total": {"powers"}, "p": {"powers", "total"}, "loss": {"p"}},
    {
        "p.no-exp": {"p": lambda v: [v["z"][v["t"][0]] / math.fsum(v["z"])]},
        "p.argmax": {"p": lambda v: [max(v["powers"]) / v["total"][0]]},
        "p.not-normalised": {"p": lambda v: [v["powers"][v["t"][0]]]},
        "loss.log2": {"loss": lambda v: [-math.log2(v["p"][0])]},
        "loss.log10": {"loss": lambda v: [-math.log10(v["p"][0])]},
        "loss.lost-minus": {"loss": lambda v: [ln(v["p"][0])]},
        "loss.other-side": {"loss": lambda v: [-ln(1 - v["p"][0])]},
        "loss.minus-p": {"loss": lambda v: [-v["p"][0]]},
    },
    {"p": (0, 1)},
)

AVERAGE = Twin(
    tiny(
        {
            "losses": {
                "is": "-ln(p)",
                "mistakes": {
                    "log2": wrong("-log2(p)", also={"bound": "-log2(max(p))"}),
                    "one-minus": wrong("-ln(1 - p)"),
                },
            },
            "sum": {"is": "sum(losses)", "ask": None, "mistakes": {"largest": wrong("max(losses)")}},
            "mean": {"is": "sum / len(p)", "range": "(0, 5)", "mistakes": {"sum": wrong("sum")}},
            "bound": "-ln(max(p))",
            "excess": {"is": "mean - bound", "mistakes": {"ratio": wrong("mean / bound")}},
        },
        {"p": {"range": [0.1, 0.9], "step": 0.05, "size": 3}},
    ),
    {
        "losses": lambda v: [-ln(p) for p in v["p"]],
        "sum": lambda v: [math.fsum(v["losses"])],
        "mean": lambda v: [v["sum"][0] / len(v["p"])],
        "bound": lambda v: [-ln(max(v["p"]))],
        "excess": lambda v: [v["mean"][0] - v["bound"][0]],
    },
    {"losses": set(), "sum": {"losses"}, "mean": {"sum"}, "bound": set(), "excess": {"mean", "bound"}},
    {
        "losses.log2": {
            "losses": lambda v: [-math.log2(p) for p in v["p"]],
            "bound": lambda v: [-math.log2(max(v["p"]))],
        },
        "losses.one-minus": {"losses": lambda v: [-ln(1 - p) for p in v["p"]]},
        "sum.largest": {"sum": lambda v: [max(v["losses"])]},
        "mean.sum": {"mean": lambda v: [v["sum"][0]]},
        "excess.ratio": {"excess": lambda v: [v["mean"][0] / v["bound"][0]]},
    },
    {"mean": (0, 5)},
)


def typed_by(twin: Twin, parameters: dict[str, Any], source: random.Random) -> dict[str, list[str]]:
    """What a learner of some kind may type: at each step the key, a mistake, a slip, or what follows from the slip."""
    answers: dict[str, list[str]] = {}
    for name in (step.name for step in twin.problem.asked):
        if source.random() < 0.25:
            continue
        numbers = {step: [float(text) for text in texts] for step, texts in answers.items()}
        one = Submission(twin, parameters, answers)
        rules = source.choice([{}, {}, {}, *twin.mistakes.values()])
        value = one.walk(rules, source.choice([{}, numbers, numbers]), {})[name]
        if not all(map(math.isfinite, value)):
            continue
        factor, digits = source.choice([1, 1, 1, 1, 1.0015, 0.9, -1]), source.choice([3, 3, 4, 5])
        answers[name] = [f"{v * factor:.{digits}g}" for v in value]
        if source.random() < 0.1:
            answers[name][0] = f"{source.uniform(0, 2):.3g}"
        if any("e" in text for text in answers[name]):
            del answers[name]
    return answers


@pytest.mark.parametrize("name", ["masked", "average"])
@given(st.integers(0, 2**32))
@examples(120)
def test_both_markers_agree(name: str, seed: int) -> None:
    twin, source = {"masked": MASKED, "average": AVERAGE}[name], random.Random(seed)
    parameters = draw(twin.problem, source.randrange(200))
    typed = typed_by(twin, parameters, source)
    answers = {step: texts if twin.problem.step(step).kind == "vector" else texts[0] for step, texts in typed.items()}
    found = told(twin.problem, parameters, answers)
    submission = Submission(twin, parameters, typed)
    for step, (outcome, note) in submission.marks().items():
        if step in submission.far:
            continue
        if outcome == "none":
            assert found[step][0] in ("wrong", "mistake")
            assert "." not in found[step][1], (step, answers, parameters)
            assert found[step][1] != "ambiguous"
        else:
            assert found[step] == (outcome, note), (step, answers, parameters)


@pytest.mark.parametrize("twin", [MASKED, AVERAGE], ids=["masked", "average"])
def test_the_twins_are_twins(twin: Twin) -> None:
    for seed in range(30):
        parameters = draw(twin.problem, seed)
        one, solution = Submission(twin, parameters, {}), solve(twin.problem, parameters)
        assert set(twin.mistakes) == set(solution.mistakes)
        for name, value in one.key.items():
            known = solution.values[name]
            assert (known if isinstance(known, list) else [known]) == pytest.approx(value)
        for note, rules in twin.mistakes.items():
            walked = one.walk(rules, {}, {})
            for name, known in solution.mistakes[note]["steps"].items():
                if known is not None:
                    assert (known if isinstance(known, list) else [known]) == pytest.approx(walked[name])
