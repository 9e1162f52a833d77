"""How well a model foresees a stream, one answer ahead: log-loss, AUC, and whether its chances are what happens."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tests.bench.learning.answers import Stream
from tests.bench.learning.models import Model

#: A bin with fewer answers says nothing about the model.
FEWEST = 200


@dataclass(frozen=True)
class Bin:
    """Answers foreseen with about the same chance: how many, how likely they were held, how often they were right."""

    count: int
    foreseen: float
    right: float


@dataclass(frozen=True)
class Foresight:
    """Log-loss in nats (lower is better), AUC (0.5 is chance), and the ten bins of the calibration."""

    log_loss: float
    auc: float
    bins: tuple[Bin, ...]

    @property
    def worst_bin(self) -> float:
        """The largest gap between chance and share over the bins that are large enough to say anything."""
        return max(abs(each.foreseen - each.right) for each in self.bins if each.count >= FEWEST)


def foresight(model: Callable[[], Model], *streams: Stream) -> Foresight:
    """The figures over all ``streams`` together, each of them foreseen by a fresh model."""
    chances, right = [], []
    for stream in streams:
        fresh = model()
        foreseen = [fresh.learn(answer) for answer in stream.answers]
        chances += foreseen[stream.judged_from :]
        right += [answer.right for answer in stream.answers[stream.judged_from :]]
    return _figures(np.array(chances), np.array(right))


def _figures(chances: NDArray[np.float64], right: NDArray[np.bool_]) -> Foresight:
    return Foresight(
        log_loss=float(-np.log(np.where(right, chances, 1 - chances)).mean()),
        auc=_auc(chances, right),
        bins=_bins(chances, right),
    )


def _bins(chances: NDArray[np.float64], right: NDArray[np.bool_]) -> tuple[Bin, ...]:
    places = np.minimum((chances * 10).astype(int), 9)
    chosen = [places == place for place in range(10)]
    return tuple(
        Bin(int(each.sum()), float(chances[each].mean()), float(right[each].mean())) for each in chosen if each.any()
    )


def _auc(chances: NDArray[np.float64], right: NDArray[np.bool_]) -> float:
    """The share of pairs of a right and a wrong answer whose chances are in the right order; ties count half."""
    _, places, counts = np.unique(chances, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[places]
    rights, wrongs = int(right.sum()), int((~right).sum())
    return float((ranks[right].sum() - rights * (rights + 1) / 2) / (rights * wrongs))
