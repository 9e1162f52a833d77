"""What it would mean for variants in flight to be marked by another text of their problem."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from exercises.models import ProblemVersion, Variant
from grader.errors import GraderError, ParameterError, ProblemError
from grader.graph import Figure, Mistake, Problem, Step
from grader.problem import load
from grader.sampling import read_parameters
from grader.solution import solve
from grader.template import Template, Words

#: Variants that are looked at, the latest ones, and reasons that are given.
MOST_VARIANTS = 200
MOST_REASONS = 20
_CLOSE = 1e-9

#: same-marks: only what is drawn from now on differs · other-texts: the same marks beside other words
Verdict = Literal["same-marks", "other-texts", "marks-may-change", "does-not-fit"]

SAYS: Mapping[str, str] = {
    "same-marks": "Nothing changes for those who have begun. Only what is drawn from now on differs.",
    "other-texts": "Every answer keeps its mark. Some of the words beside them change.",
    "marks-may-change": "Some answers may be marked differently. A dry run of the regrade shows whose.",
    "does-not-fit": "What was drawn or answered does not fit this text, so variants in flight must keep their version.",
}


@dataclass(frozen=True)
class Compatibility:
    """The verdict on a switch, in words and with its reasons.

    Of the ``variants`` looked at, ``unfit`` cannot be shown by the new text and ``differing`` have other keys,
    allowances or mistakes.
    """

    verdict: Verdict
    says: str
    reasons: list[str]
    variants: int
    unfit: int
    differing: int


def compatibility(version: ProblemVersion, source: str, *, most: int = MOST_VARIANTS) -> Compatibility:
    """What would change if the variants of a version were marked by this text: by what the two say, and over the very
    variants drawn last, at most so many. One query."""
    try:
        old, new = load(version.source), load(source)
    except ProblemError as error:
        return _verdict("does-not-fit", [f"One of the two texts cannot be read: {error.faults[0]}"], 0, 0, 0)
    misfits, rules, words = _misfits(old, new), _rules(old, new), _words(old, new)
    rows = Variant.objects.filter(version=version).order_by("-pk").values_list("parameters", "asked", named=True)
    found = list(rows[: min(most, MOST_VARIANTS)])
    unfit, differing, seen = 0, 0, set[str]()
    for row in found:
        reason = _unfit_because(new, row.parameters, row.asked)
        if reason:
            unfit += 1
            misfits.append(f"Of the variants in flight, some do not fit: {reason}")
            continue
        steps = _steps_that_differ(old, new, row.parameters)
        differing += bool(steps)
        seen |= steps
    rules += [f"In variants in flight, {name} comes to something else." for name in sorted(seen)]
    reasons = list(dict.fromkeys((*misfits, *rules, *words)))
    verdict: Verdict = "same-marks"
    if misfits:
        verdict = "does-not-fit"
    elif rules:
        verdict = "marks-may-change"
    elif words:
        verdict = "other-texts"
    return _verdict(verdict, reasons, len(found), unfit, differing)


def _verdict(verdict: Verdict, reasons: list[str], variants: int, unfit: int, differing: int) -> Compatibility:
    return Compatibility(verdict, SAYS[verdict], reasons[:MOST_REASONS], variants, unfit, differing)


def _unfit_because(problem: Problem, parameters: Mapping[str, Any], asked: Sequence[str] | None) -> str:
    try:
        read_parameters(problem, parameters)
        solve(problem, parameters)
    except ParameterError as error:
        return str(error)
    gone = set(asked or ()) - {step.name for step in problem.asked}
    return f"{sorted(gone)[0]} is not asked any more." if gone else ""


def _steps_that_differ(old: Problem, new: Problem, parameters: Mapping[str, Any]) -> set[str]:
    """The asked steps whose key, allowance or mistakes are other ones in a variant."""
    try:
        before, after = solve(old, parameters), solve(new, parameters)
    except GraderError:
        return set()
    names = {step.name for step in old.asked} & {step.name for step in new.asked}
    found = {
        name
        for name in names
        if not _close(before.values[name], after.values[name])
        or not _close(before.allowances[name], after.allowances[name])
    }
    for note in before.mistakes.keys() & after.mistakes.keys():
        one, other = before.mistakes[note]["steps"], after.mistakes[note]["steps"]
        found |= {name for name in names & one.keys() & other.keys() if not _close(one[name], other[name])}
    return found


def _close(one: Any, other: Any) -> bool:
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_close, one, other))
    if isinstance(one, int | float) and isinstance(other, int | float):
        return bool(np.isclose(one, other, rtol=_CLOSE, atol=0))
    return bool(one == other)


# What the two texts say


def _misfits(old: Problem, new: Problem) -> list[str]:
    """Answers that were given and that the new text has no place for."""
    found = []
    asked = {step.name: step for step in new.asked}
    for step in old.asked:
        other = asked.get(step.name)
        if other is None:
            found.append(f"{step.name} is not asked any more: answers to it would have no place.")
        elif other.kind != step.kind:
            found.append(f"{step.name} is of another kind ({step.kind}, now {other.kind}).")
        elif _keys(step) != _keys(other):
            found.append(f"{step.name} has other options.")
    return found


def _keys(step: Step) -> Any:
    if isinstance(step.options, Words) or step.options is None:
        return isinstance(step.options, Words)
    return [key for key, _ in step.options]


_MARKED: Mapping[str, Callable[[Step], Any]] = {
    "has another rule": lambda step: step.formula.node if step.formula else None,
    "has another weight": lambda step: step.weight,
    "asks for other digits": lambda step: step.digits,
    "accepts other texts": lambda step: step.accept,
    "may be left out, or no longer": lambda step: step.optional,
    "is carried on otherwise": lambda step: (step.carry, step.interval),
    "offers undefined, or no longer": lambda step: step.undefined,
    "has another unit": lambda step: step.unit,
    "practises another skill": lambda step: step.skill,
}


def _rules(old: Problem, new: Problem) -> list[str]:
    """Whatever may mark an answer otherwise."""
    found = []
    if old.working != new.working:
        found.append(f"Allowances are worked out for {new.working} digits instead of {old.working}.")
    before, after = {step.name: step for step in old.steps}, {step.name: step for step in new.steps}
    found += [f"The step {name} is new." for name in after.keys() - before.keys()]
    found += [f"The step {name} is gone." for name in before.keys() - after.keys()]
    both = [name for name in before if name in after]
    if both != [name for name in after if name in before]:
        found.append("The steps stand in another order.")
    for name in both:
        found += [f"{name} {says}." for says, part in _MARKED.items() if part(before[name]) != part(after[name])]
        if (before[name].ask is None) and after[name].ask is not None:
            found.append(f"{name} is asked now: those who have begun never saw it.")
    wrong, now = ({mistake.note: mistake for mistake in problem.mistakes} for problem in (old, new))
    found += [f"The mistake {note} is recognised now." for note in now.keys() - wrong.keys()]
    found += [f"The mistake {note} is not recognised any more." for note in wrong.keys() - now.keys()]
    shared = [note for note in wrong if note in now]
    found += [f"The mistake {note} has another rule or credit." for note in shared if _m(wrong[note]) != _m(now[note])]
    return sorted(found)


def _m(mistake: Mistake) -> Any:
    rules = {name: formula.node for name, formula in mistake.formulas.items()}
    return rules, mistake.credit, mistake.accept, mistake.skill


def _words(old: Problem, new: Problem) -> list[str]:
    """Whatever those who have begun would read otherwise."""
    parts = ("title", "statement", "forecast", "figure", "verify")
    found = [f"The {part} reads otherwise." for part in parts if _said(getattr(old, part)) != _said(getattr(new, part))]
    after = {step.name: step for step in new.steps}
    for step in old.steps:
        other = after.get(step.name)
        if other is not None and _step_words(step) != _step_words(other):
            found.append(f"The texts of {step.name} read otherwise.")
    symbols = [{one.name: one.symbol for one in problem.parameters} for problem in (old, new)]
    if any(symbols[0][name] != symbols[1][name] for name in symbols[0].keys() & symbols[1].keys()):
        found.append("Symbols are written otherwise.")
    says = [{mistake.note: mistake.says.source for mistake in problem.mistakes} for problem in (old, new)]
    found += [
        f"{note} is told in other words." for note in says[0] if says[1].get(note, says[0][note]) != says[0][note]
    ]
    return found


def _step_words(step: Step) -> Any:
    return _said((step.ask, step.hint, step.labels, step.options)), step.symbol, step.shuffle


def _said(part: Any) -> Any:
    """What a part says, as plain data that can be compared."""
    if isinstance(part, Template | Words):
        return part.source
    if isinstance(part, Figure):
        return (part.kind, {role: formula.text for role, formula in part.formulas.items()}, _said(part.labels),
                _said(part.tokens), part.activation, part.matrix_name, part.reveal)  # fmt: skip
    if isinstance(part, tuple):
        return tuple(map(_said, part))
    return getattr(part, "text", part)
