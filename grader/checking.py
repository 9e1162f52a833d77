"""``check``: a problem tested against itself over many seeds, before anybody has to answer it.

In every variant the draw succeeds, keys are finite, the verify lines hold, the figure can be drawn, the right answer
earns everything, and no named mistake passes for right. Over all of them each mistake earns its own note somewhere,
and none is active so seldom that it is idle. In some, every accepted notation is tried, and malformed numbers, and the
hints and the worked solution are written.
"""

import json
import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from grader.answers import labels_of, options_of
from grader.check_result import Report, summary
from grader.check_texts import telling_faults, text_faults
from grader.comparing import MOST_NUMBERS
from grader.errors import DrawError
from grader.graph import Mistake, Parameter, Problem, Step
from grader.marking import Task, mark, mark_batch
from grader.reading import fold, notations
from grader.sampling import alike, draw_with_reasons, read_parameters, stack
from grader.separation import Lanes, all_lanes, variant_lanes
from grader.template import Drawn

__all__ = ["Report", "check", "summary", "typed_value"]

#: A mistake active in a smaller share of variants is idle, unless its author declares it seldom.
LEAST_ACTIVE = 0.30
#: Accepted notations are tried on this many variants.
NOTATION_SEEDS = 12
#: More refused draws a variant than this mean that ranges and requirements fight each other.
MOST_DRAWS = 20.0
MALFORMED = ("1..2", "0.5 0.5", "log(2)", "2e", "((", "abc", "1/0")


#: A seed with what was drawn for it.
Seeded = tuple[int, Drawn]
#: Told each group of variants with all its lanes, as the check comes to it.
Watcher = Callable[[Sequence[Seeded], Lanes], None]


class _TooLong(Exception):
    """The time for a check is over."""


def check(
    problem: Problem, seeds: Sequence[int], *, seconds: float | None = None, watcher: Watcher | None = None
) -> Report:
    """The report on a problem over these seeds; nothing is raised for what is wrong with it.

    A check that is not done after so many ``seconds`` stops and has failed.
    """
    report = Report(problem.title, len(seeds))
    ends = None if seconds is None else time.monotonic() + seconds

    def in_time() -> None:
        if ends is not None and time.monotonic() > ends:
            raise _TooLong

    try:
        drawn = _draw_all(problem, seeds, report, in_time)
        if drawn:
            _check_drawn(problem, drawn, report, in_time, watcher)
    except _TooLong:
        report.failures.append(
            f"the check was not done after {seconds:g} seconds: make the problem smaller, or refuse fewer draws"
        )
    report.finish()
    return report


def _check_drawn(
    problem: Problem,
    drawn: Sequence[Seeded],
    report: Report,
    in_time: Callable[[], None],
    watcher: Watcher | None,
) -> None:
    _check_variety(problem, drawn, report)
    counts: Counter[str] = Counter()
    for group in _alike(problem, drawn):
        in_time()
        lanes = all_lanes(problem, stack([one for _, one in group]), len(group))
        if watcher is not None:
            watcher(group, lanes)
        _check_keys(problem, group, lanes, report)
        if report.failures:
            # Typing answers to a problem whose keys are at fault would only repeat it.
            break
        _check_right(problem, group, lanes, report)
        for lane, mistake in enumerate(problem.mistakes, start=1):
            in_time()
            _check_mistake(problem, group, lanes, lane, mistake, counts, report)
    if not report.failures:
        _check_typed(problem, drawn, counts, report, in_time)


def _check_typed(
    problem: Problem,
    drawn: Sequence[Seeded],
    counts: Counter[str],
    report: Report,
    in_time: Callable[[], None],
) -> None:
    _check_shares(problem, len(drawn), counts, report)
    _check_text_mistakes(problem, drawn[0][1], report)
    for seed, one in drawn:
        in_time()
        report.failures += [f"{fault} (seed {seed})" for fault in text_faults(problem, one)]
    for seed, one in drawn[:NOTATION_SEEDS]:
        in_time()
        _check_notations(problem, seed, one, report)
        report.failures += [f"{fault} (seed {seed})" for fault in telling_faults(problem, one)]
    _check_malformed(problem, drawn[0][1], report)


def _draw_all(problem: Problem, seeds: Sequence[int], report: Report, in_time: Callable[[], None]) -> list[Seeded]:
    drawn: list[Seeded] = []
    refusals: Counter[str] = Counter()
    for seed in seeds:
        in_time()
        try:
            parameters, reasons = draw_with_reasons(problem, seed)
        except DrawError as error:
            report.failures.append(f"no variant can be drawn (seed {seed}): {error}")
            if len(report.failures) > 3:
                return []
            continue
        refusals.update(reasons)
        report.drawn.append(1 + len(reasons))
        drawn.append((seed, read_parameters(problem, parameters)))
    report.refusals = dict(refusals.most_common(10))
    report.draws = 1 + refusals.total() / max(1, len(drawn))
    if report.draws > MOST_DRAWS:
        report.failures.append(f"a variant takes {report.draws:.0f} draws: {refusals.most_common(1)[0][0]}")
    return drawn


def _check_variety(problem: Problem, drawn: Sequence[Seeded], report: Report) -> None:
    """Variants repeat no more than a fair draw from what the parameters allow."""
    report.distinct = len({json.dumps(one.values, sort_keys=True) for _, one in drawn})
    space = 1.0
    for parameter in problem.parameters:
        space = min(1e12, space * _possibilities(parameter, drawn[0][1]))
    space = max(1.0, space / report.draws)
    expected = space * -np.expm1(-len(drawn) / space)
    if report.distinct < 0.5 * expected:
        report.failures.append(
            f"only {report.distinct} different variants in {len(drawn)}: {expected:.0f} were expected"
        )


def _possibilities(parameter: Parameter, drawn: Drawn) -> float:
    """How many values a parameter can take, at least; sizes are taken from one variant."""
    if parameter.source == "pick":
        return len(parameter.values)
    if parameter.source == "index":
        return float(drawn.env[parameter.of].shape[1])
    if parameter.source == "choose":
        return float(len(parameter.words))
    if parameter.source == "range" and parameter.low is not None and parameter.high is not None:
        low, high = float(parameter.low(drawn.env).flat[0]), float(parameter.high(drawn.env).flat[0])
        points = max(1.0, (high - low) / parameter.grid + 1)
        if parameter.distinct or parameter.sizes:
            return points
        # As powers, since a large matrix has more possibilities than a number can say.
        return float(10.0 ** min(12.0, np.log10(points) * drawn.env[parameter.name].size))
    return 1.0


def _alike(problem: Problem, drawn: Sequence[Seeded]) -> list[list[Seeded]]:
    """Variants whose numbers have the same shapes, in groups that fit in memory with every value moved."""
    blocks: list[list[Seeded]] = []
    for places in alike([one for _, one in drawn]):
        group = [drawn[place] for place in places]
        values = variant_lanes(problem, group[0][1].env).values.together
        most = max(1, MOST_NUMBERS // (2 * values.shape[-1] ** 2 * len(values)))
        blocks += [group[start : start + most] for start in range(0, len(group), most)]
    return blocks


def _check_keys(problem: Problem, group: Sequence[Seeded], lanes: Lanes, report: Report) -> None:
    env = stack([one for _, one in group]) | {name: value[0] for name, value in lanes.values.items()}
    for step in problem.steps:
        value = lanes.values[step.name][0]
        finite = np.isfinite(value).all(axis=-1)
        fine = finite | np.isnan(value).all(axis=-1) if step.undefined else finite
        _fail_where(~fine, group, f"{step.name} is not finite", report)
        if step.kind in ("count", "choice", "choices", "shape"):
            whole = np.nan_to_num(value)
            _fail_where((whole != np.round(whole)).any(axis=-1), group, f"{step.name} is not whole", report)
        for row, (_, one) in enumerate(group):
            if fault := _words_at_fault(step, one, value[row]):
                _fail_where(np.arange(len(group)) == row, group, f"{step.name} {fault}", report)
    with np.errstate(all="ignore"):
        for holds, says in problem.verify:
            held = np.broadcast_to(np.all(holds(env), axis=-1), (len(group),))
            _fail_where(~held, group, f"this does not hold: {says.source}", report)


def _words_at_fault(step: Step, one: Drawn, value: Any) -> str:
    """What is wrong with the labels or options of a step beside its value (n,); empty if nothing is."""
    if step.kind == "vector" and step.labels is not None and len(labels_of(step, one)) != len(value):
        return f"has {len(labels_of(step, one))} labels for {len(value)} entries"
    if step.kind not in ("choice", "choices"):
        return ""
    texts = [fold(text) for _, text in options_of(step, one)]
    if len(set(texts)) < len(texts):
        return "has two options that read alike"
    if step.kind == "choices":
        return "" if len(value) == len(texts) else f"says yes or no to {len(value)} of {len(texts)} options"
    return "" if 0 <= value[0] < len(texts) else "chooses no option"


def _fail_where(bad: np.ndarray[Any, Any], group: Sequence[Seeded], message: str, report: Report) -> None:
    report.failures += [f"{message} (seed {group[row][0]})" for row in map(int, np.flatnonzero(bad))]


def typed_value(step: Step, drawn: Drawn, value: Any, digits: int | None = None) -> str | list[str]:
    """A value (n,) as a learner would type it, rounded to ``digits`` significant digits (12 if None)."""

    def one(x: float) -> str:
        return "undefined" if np.isnan(x) else f"{float(x) + 0.0:.{digits or 12}g}"

    match step.kind:
        case "vector":
            return [one(x) for x in value]
        case "shape":
            return " x ".join(str(int(x)) for x in value)
        case "choice":
            return options_of(step, drawn)[int(value[0])][0]
        case "choices":
            return [key for (key, _), chosen in zip(options_of(step, drawn), value, strict=True) if chosen > 0]
        case "text":
            return step.accept[0]
        case "count":
            return "undefined" if np.isnan(value[0]) else f"{float(value[0]):.12g}"
    return one(float(value[0]))


def _right_answers(problem: Problem, one: Drawn, lanes: Lanes, row: int, digits: int | None) -> dict[str, Any]:
    return {
        step.name: typed_value(step, one, lanes.values[step.name][0, row], digits or step.digits)
        for step in problem.asked
    }


def _check_right(problem: Problem, group: Sequence[Seeded], lanes: Lanes, report: Report) -> None:
    for digits in (None, problem.working, 12):
        tasks = [
            Task(one.values, _right_answers(problem, one, lanes, row, digits)) for row, (_, one) in enumerate(group)
        ]
        for (seed, _), verdict in zip(group, mark_batch(problem, tasks), strict=True):
            missed = [mark.step for mark in verdict.marks if mark.outcome != "right"]
            if missed or verdict.score != 1:
                given = "the digits asked" if digits is None else f"{digits} digits"
                report.failures.append(f"the right answer with {given} is not right at {missed} (seed {seed})")


def _check_mistake(
    problem: Problem,
    group: Sequence[Seeded],
    lanes: Lanes,
    lane: int,
    mistake: Mistake,
    counts: Counter[str],
    report: Report,
) -> None:
    """Where a mistake is active, typing its value earns its note (or that of a mistake with the same value)."""
    step = problem.step(mistake.step)
    if not mistake.formulas or step.ask is None:
        if mistake.formulas:
            counts[mistake.note] += int(lanes.active(problem, lane).sum())
        return
    active = lanes.active(problem, lane)
    counts[mistake.note] += int(active.sum())
    rows = [
        row
        for row in map(int, np.flatnonzero(active))
        if _typable(step, group[row][1], lanes.values[step.name][lane, row])
    ]
    tasks = [
        Task(group[row][1].values, {step.name: typed_value(step, group[row][1], lanes.values[step.name][lane, row])},
             only=[step.name])
        for row in rows
    ]  # fmt: skip
    for row, verdict in zip(rows, mark_batch(problem, tasks) if tasks else [], strict=True):
        given = verdict.marks[0]
        if given.outcome == "right":
            report.failures.append(f"{mistake.note} is taken for right (seed {group[row][0]})")
        elif given.note == mistake.note:
            counts[f"told {mistake.note}"] += 1


def _typable(step: Step, drawn: Drawn, value: Any) -> bool:
    """Whether a learner could give this value at all: a place among the options, a shape of whole sizes."""
    if not np.isfinite(value).all():
        return False
    if step.kind == "choice":
        return bool(0 <= value[0] < len(options_of(step, drawn)) and value[0] == int(value[0]))
    if step.kind == "choices":
        return bool((value > 0).any())
    if step.kind == "shape":
        return bool((value >= 0).all() and (value == np.round(value)).all())
    return True


def _check_shares(problem: Problem, variants: int, counts: Counter[str], report: Report) -> None:
    for mistake in problem.mistakes:
        if not mistake.formulas:
            continue
        share = counts[mistake.note] / variants
        report.active[mistake.note] = share
        if not counts[mistake.note]:
            report.failures.append(f"{mistake.note} is never active: it always gives the key or no value")
        elif share < LEAST_ACTIVE and not mistake.seldom:
            report.failures.append(
                f"{mistake.note} is active in {share:.0%} of variants only: declare it seldom, or mend it"
            )
        elif problem.step(mistake.step).ask and not counts[f"told {mistake.note}"]:
            report.failures.append(f"{mistake.note} never earns its own note: another mistake has the same value")


def _check_text_mistakes(problem: Problem, one: Drawn, report: Report) -> None:
    for mistake in problem.mistakes:
        for form in mistake.accept:
            given = mark(problem, one.values, {mistake.step: form}, only=[mistake.step]).marks[0]
            if given.note != mistake.note:
                report.failures.append(f"{form!r} does not earn {mistake.note}")


def _check_notations(problem: Problem, seed: int, one: Drawn, report: Report) -> None:
    """The right answer is right in every accepted notation and in a language with a decimal comma."""
    lanes = all_lanes(problem, one.env)
    for step in problem.asked:
        value = lanes.values[step.name][0, 0]
        if np.isnan(value).any() or step.kind == "text":
            continue
        plain = tuple(float(x) for x in value) if step.kind in ("vector", "choices", "shape") else float(value[0])
        for locale in ("en", "de"):
            forms = notations(step.kind, plain, options=options_of(step, one), locale=locale, unit=step.unit)
            tasks = [Task(one.values, {step.name: _form(form)}, locale, [step.name]) for form in forms]
            for form, verdict in zip(forms, mark_batch(problem, tasks), strict=True):
                if verdict.marks[0].outcome != "right":
                    report.failures.append(f"{step.name} typed as {form!r} in {locale} is not right (seed {seed})")


def _form(form: Any) -> Any:
    return form if isinstance(form, str) else list(form)


def _check_malformed(problem: Problem, one: Drawn, report: Report) -> None:
    """Text that cannot be read earns nothing and is told so."""
    for step in problem.asked:
        if step.kind not in ("number", "count"):
            continue
        for text in MALFORMED:
            given = mark(problem, one.values, {step.name: text}, only=[step.name]).marks[0]
            if given.outcome != "unreadable" or not given.message:
                report.failures.append(f"{step.name} typed as {text!r} is not refused")
