"""The evaluation core over a million variants, against the same arithmetic written by hand over the same arrays."""

from collections.abc import Callable
from time import process_time

import numpy as np

from grader.evaluation import evaluate
from tests.bench import by_hand
from tests.bench.figures import Bar, Figure, median
from tests.bench.variants import problem

ROUNDS = 9


def evaluation_core(variants: int = 1_000_000) -> Figure:
    """Nanoseconds a variant for the values of all steps. Raises ValueError if the two do not agree."""
    loaded = problem()
    source = np.random.default_rng(0)
    z = source.integers(-20, 41, (variants, 3)) / 10
    t = source.integers(0, 3, (variants, 1))
    env = {"words": np.tile(np.arange(3.0), (variants, 1)), "z": z, "t": t.astype(float)}
    by_grader, hand = evaluate(loaded, env), by_hand.solved(z, t)
    for name, value in hand.items():
        if not np.allclose(by_grader[name], value, rtol=1e-12):
            raise ValueError(f"The grader and the hand-written arithmetic disagree on {name}.")
    del by_grader, hand
    core, floor = [], []
    for _ in range(ROUNDS):  # in turns, so that both see the same machine
        floor.append(_seconds(lambda: by_hand.solved(z, t)))
        core.append(_seconds(lambda: evaluate(loaded, env)))
    told = f"ns of CPU a variant, values of all steps, median of {ROUNDS} runs over {variants:,} variants"
    to_ns = 1e9 / variants
    return Figure("evaluation-core", median(core) * to_ns, "ns", median(floor) * to_ns, Bar("ratio", 2), told)


def _seconds(run: Callable[[], object]) -> float:
    starts = process_time()
    run()
    return process_time() - starts
