"""CPU time of one variant on its whole way through grader and pages: drawn, shown, marked, and told what was wrong."""

import random
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import count, islice
from multiprocessing import get_context
from time import process_time
from typing import Any

import numpy as np

from exercises import catalogue
from frontend.marks import mark_view
from frontend.typeset import formula, typeset, typeset_inline
from grader.marking import Task, mark, mark_batch
from grader.problem import Problem, load
from grader.sampling import draw
from grader.verdict import Verdict
from grader.wording import fields, rounding_note, statement
from tests.bench import by_hand
from tests.bench.figures import Bar, Figure, median

SLUG = "masked-token-loss"
#: Rounds that are measured, rounds before them that fill what stays filled (texts, readings), variants a round.
ROUNDS, WARM_UP, VARIANTS = 25, 5, 40
#: Variants that are drawn for a round at most: to some, the slip that is measured gives no number to go on from.
MOST_DRAWS = 20 * VARIANTS
BATCH = 500
#: No two rows meet the same seed, so that nothing one of them left in a cache helps another.
WARM, FILLED, COLD, BATCHED = 0, 10_000_000, 20_000_000, 30_000_000
PARTS = ("draw", "show", "mark", "say")

Parameters = dict[str, Any]
Answers = dict[str, str | list[str]]


@dataclass(frozen=True)
class Slip:
    """A variant with an answer to it that holds a named mistake at p and a loss carried from it."""

    parameters: Parameters
    answers: Answers


def problem() -> Problem:
    """The problem that every row is measured on: three logits, four steps."""
    return load(catalogue.source(SLUG))


def warm_variant() -> Figure:
    """Everything a variant costs in one process, the optional boxes left blank as most learners do."""
    return _warm("warm-variant", ("p", "loss"), count(WARM), Bar("value", 1.5))


def warm_every_box() -> Figure:
    """The same with every box filled in: more is read, and more can follow from what was typed."""
    return _warm("warm-every-box", ("powers", "total", "p", "loss"), count(FILLED), None)


def _warm(name: str, boxes: tuple[str, ...], seeds: Iterator[int], bar: Bar | None) -> Figure:
    """Each seed is new, and only what a variant left itself is in the caches. Rounds are short: others may disturb."""
    loaded = problem()
    rounds, floors = [], []
    for number in range(WARM_UP + ROUNDS):
        parts = _mean_parts(loaded, seeds, boxes)
        floor = _floor(random.Random(number))
        if number >= WARM_UP:
            rounds.append(parts)
            floors.append(floor)
    totals = [sum(parts) for parts in rounds]
    shares = ", ".join(
        f"{part} {median(spent):.2f}" for part, spent in zip(PARTS, zip(*rounds, strict=True), strict=True)
    )
    told = f"ms of CPU, median of {ROUNDS} rounds of {VARIANTS} ({min(totals):.2f} to {max(totals):.2f}): {shares}"
    return Figure(name, median(totals), "ms", median(floors), bar, told)


def _mean_parts(loaded: Problem, seeds: Iterator[int], boxes: tuple[str, ...]) -> tuple[float, ...]:
    """Mean milliseconds of drawing, showing, marking and saying over a round of variants."""
    spent: list[tuple[float, ...]] = []
    for seed in islice(seeds, MOST_DRAWS):
        starts = process_time()
        parameters = draw(loaded, seed)
        drawn = process_time()
        _shown(loaded, parameters)
        shown = process_time()
        typed = by_hand.slipped(parameters)
        if typed is None:
            continue
        answers = {name: typed[name] for name in boxes}
        begins = process_time()
        verdict = mark(loaded, parameters, answers)
        marked = process_time()
        _said(loaded, verdict)
        said = process_time()
        if _slips_and_goes_on(verdict):
            spent.append((drawn - starts, shown - drawn, marked - begins, said - marked))
        if len(spent) == VARIANTS:
            return tuple(1e3 * sum(part) / VARIANTS for part in zip(*spent, strict=True))
    raise ValueError(f"Of {MOST_DRAWS} variants of {SLUG} only {len(spent)} show a named mistake and a carried loss.")


def _shown(loaded: Problem, parameters: Parameters) -> list[str]:
    """The statement, and question, sign and labels of every box, as the page sets them."""
    html: list[str] = [typeset(statement(loaded, parameters))]
    for field in fields(loaded, parameters):
        html += [typeset_inline(field.ask), formula(field.symbol), *map(typeset_inline, field.labels)]
    return html


def _said(loaded: Problem, verdict: Verdict) -> list[str]:
    """What the page says to a verdict: the message of each mark, and what rounding was expected."""
    views = [mark_view(one, rounding=rounding_note(loaded, one.step)) for one in verdict.marks]
    return [typeset(text) for view in views for text in (view.message, view.rounding) if text]


def _slips_and_goes_on(verdict: Verdict) -> bool:
    """Whether it found what the answer is meant to show. (Now and then another mistake lies nearer by chance.)"""
    outcomes = {one.step: one.outcome for one in verdict.marks}
    return (outcomes["p"], outcomes["loss"]) == ("mistake", "carried")


def _floor(source: random.Random) -> float:
    """Mean milliseconds of the bare arithmetic for one variant: numbers drawn, keys worked out, an answer compared."""
    p, loss = np.array([[0.5]]), np.array([[0.69]])
    starts = process_time()
    for _ in range(VARIANTS):
        z = np.array([[round(-2 + 0.1 * source.randrange(61), 1) for _ in range(3)]])
        t = np.array([[source.randrange(3)]])
        by_hand.marked(z, t, p, loss)
    return 1e3 * (process_time() - starts) / VARIANTS


def cold_mark() -> Figure:
    """A worker's share: it marks variants that another process has drawn, one by one."""
    loaded = problem()
    slips = drawn_elsewhere(COLD, VARIANTS * (WARM_UP + ROUNDS))
    rounds, floors = [], []
    for begin in range(0, len(slips), VARIANTS):
        some = slips[begin : begin + VARIANTS]
        rounds.append(_mean_ms(lambda some=some: [mark(loaded, one.parameters, one.answers) for one in some], VARIANTS))
        floors.append(_floor(random.Random(begin)))
    told = "ms of CPU a submission that a worker marks alone, not having drawn it; every box filled in"
    return Figure("cold-mark", median(rounds[WARM_UP:]), "ms", median(floors[WARM_UP:]), told=told)


def batch_mark() -> Figure:
    """A worker's share in a burst: it marks what other processes have drawn, many at once."""
    loaded = problem()
    slips = drawn_elsewhere(BATCHED, BATCH * 3)
    rounds, floors = [], []
    for begin in range(0, len(slips), BATCH):
        some = slips[begin : begin + BATCH]
        tasks = [_task(slip, place) for place, slip in enumerate(some)]
        rounds.append(_mean_ms(lambda tasks=tasks: mark_batch(loaded, tasks), BATCH))
        z = np.array([slip.parameters["z"] for slip in some], dtype=float)
        t = np.array([[slip.parameters["t"]] for slip in some])
        p = np.full((BATCH, 1), 0.5)
        floors.append(_mean_ms(lambda z=z, t=t, p=p: by_hand.marked(z, t, p, p), BATCH))
    told = f"ms of CPU a submission, {BATCH} marked at once: a third right, a third with a slip, a third plainly wrong"
    return Figure("batch-mark", median(rounds), "ms", median(floors), told=told)


def _task(slip: Slip, place: int) -> Task:
    """A class in which one third is right, one third slips, and one third is wrong in a way nobody has named."""
    if place % 3 == 1:
        return Task(slip.parameters, slip.answers)
    z, t = np.array([slip.parameters["z"]], dtype=float), np.array([[slip.parameters["t"]]])
    key = by_hand.solved(z, t)
    factor = 1.0 if place % 3 == 0 else 1.37
    return Task(slip.parameters, {name: f"{factor * key[name][0, 0]:.4g}" for name in ("p", "loss")})


def _mean_ms(run: Callable[[], object], times: int) -> float:
    starts = process_time()
    run()
    return 1e3 * (process_time() - starts) / times


def drawn_elsewhere(first_seed: int, number: int) -> list[Slip]:
    """Variants with a slip, drawn by another process, so that this one has nothing of them in its caches."""
    with ProcessPoolExecutor(max_workers=1, mp_context=get_context("spawn")) as elsewhere:
        return elsewhere.submit(_slips, first_seed, number).result()


def _slips(first_seed: int, number: int) -> list[Slip]:
    loaded = problem()
    drawn = (draw(loaded, seed) for seed in count(first_seed))
    return list(islice((Slip(one, typed) for one in drawn if (typed := by_hand.slipped(one))), number))
