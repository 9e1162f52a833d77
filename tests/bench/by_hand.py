"""The floors: the loss at one masked token as one writes it in numpy for this one problem and nothing else."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Steps = dict[str, Floats]


def solved(z: Floats, t: NDArray[np.int64]) -> Steps:
    """Every step for logits z (B, n) and 0-based true places t (B, 1): powers (B, n), the others (B, 1)."""
    powers = np.exp(z)
    total = powers.sum(axis=1, keepdims=True)
    p = np.take_along_axis(powers, t, axis=1) / total
    return {"powers": powers, "total": total, "p": p, "loss": -np.log(p)}


def marked(z: Floats, t: NDArray[np.int64], p: Floats, loss: Floats) -> tuple[Floats, ...]:
    """Four tests an answer (p, loss), each (B, 1): p right, p without exponentials, loss right, loss carried from p.

    With a flat tolerance of 1 %, which the product may not use: this is the least a marker could compute.
    """
    key = solved(z, t)
    with np.errstate(divide="ignore", invalid="ignore"):  # logits may sum to 0: nothing is near that
        raw = np.take_along_axis(z, t, axis=1) / z.sum(axis=1, keepdims=True)
    return tuple(
        np.abs(given - candidate) <= 0.01 * np.abs(candidate)
        for given, candidate in ((p, key["p"]), (p, raw), (loss, key["loss"]), (loss, -np.log(p)))
    )


def slipped(parameters: dict[str, Any]) -> dict[str, str | list[str]] | None:
    """What a learner types who takes shares of the raw logits for p and goes on rightly from there, at 4 digits.

    None where those shares are no probability, so that nothing could be carried on from them, or are nearly right.
    """
    z, t = np.array([parameters["z"]], dtype=float), np.array([[parameters["t"]]])
    key = solved(z, t)
    p = float(z[0, t[0, 0]] / z.sum()) if z.sum() else 0.0
    if not 0.01 < p < 0.99 or abs(p - key["p"][0, 0]) < 0.01:
        return None
    return {
        "powers": [f"{power:.4g}" for power in key["powers"][0]],
        "total": f"{key['total'][0, 0]:.4g}",
        "p": f"{p:.4f}",
        "loss": f"{-np.log(float(f'{p:.4f}')):.4g}",
    }
