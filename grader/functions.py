"""The reference functions of the formula language, one equation each.

Shapes: a scalar is (…, 1), a vector (…, n), a matrix (…, r, c); every leading axis is a batch axis and broadcasts.
Numerically stable where the textbook form is not. Nothing here raises on odd numbers: the result is then NaN or ±inf,
which no caller takes for an answer.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from grader.errors import FormulaError

Array = NDArray[Any]

#: No function makes an axis longer than this, whatever an author writes.
MAX_SIZE = 4096
#: Below this length a sum over the last axis is quicker entry by entry than by a numpy reduction over short rows.
_SHORT = 8


def _fold(x: Array, combine: Callable[[Array, Array], Array], reduce: Callable[..., Array]) -> Array:
    """Reduce (…, n) to (…, 1); short rows of big batches entry by entry, which is several times quicker."""
    n = x.shape[-1]
    if x.size < 4096 or n > _SHORT:
        return reduce(x, axis=-1, keepdims=True)
    total = x[..., 0:1]
    for k in range(1, n):
        total = combine(total, x[..., k : k + 1])
    return total


def total(x: Array) -> Array:
    """sum: Σ_k x_k, (…, n) → (…, 1); 0 for an empty vector."""
    return _fold(x, np.add, np.add.reduce) if x.shape[-1] else np.zeros((*x.shape[:-1], 1))


def product(x: Array) -> Array:
    """prod: Π_k x_k, (…, n) → (…, 1); 1 for an empty vector."""
    return np.multiply.reduce(x, axis=-1, keepdims=True)


def length(x: Array) -> Array:
    """len: the number of entries, (…, n) → (…, 1)."""
    return np.array([[float(x.shape[-1])]])


def mean(x: Array) -> Array:
    """(1/n) Σ_k x_k, (…, n) → (…, 1); NaN, that is undefined, for an empty vector."""
    return total(x) / float(x.shape[-1]) if x.shape[-1] else np.full((*x.shape[:-1], 1), np.nan)


def maximum(*xs: Array) -> Array:
    """max of a vector, (…, n) → (…, 1), or entry by entry of several arguments; NaN for an empty vector."""
    return _extreme(xs, np.maximum)


def minimum(*xs: Array) -> Array:
    """min of a vector, (…, n) → (…, 1), or entry by entry of several arguments; NaN for an empty vector."""
    return _extreme(xs, np.minimum)


def _extreme(xs: Sequence[Array], combine: np.ufunc) -> Array:
    if len(xs) > 1:
        best: Array = xs[0]
        for x in xs[1:]:
            best = combine(best, x)
        return best
    if not xs[0].shape[-1]:
        return np.full((*xs[0].shape[:-1], 1), np.nan)
    return _fold(xs[0], combine, combine.reduce)


def argmax(x: Array) -> Array:
    """The 0-based place of the (first) largest entry, (…, n) → (…, 1)."""
    return np.asarray(np.argmax(x, axis=-1, keepdims=True), dtype=float)


def argmin(x: Array) -> Array:
    """The 0-based place of the (first) smallest entry, (…, n) → (…, 1)."""
    return np.asarray(np.argmin(x, axis=-1, keepdims=True), dtype=float)


def softmax(z: Array) -> Array:
    """p_k = exp(z_k − max z) / Σ_j exp(z_j − max z), (…, n) → (…, n)."""
    powers = np.exp(z - maximum(z))
    return np.asarray(powers / total(powers))


def log_softmax(z: Array) -> Array:
    """ln p_k = z_k − max z − ln Σ_j exp(z_j − max z), (…, n) → (…, n)."""
    shifted = z - maximum(z)
    return shifted - np.log(total(np.exp(shifted)))


def cross_entropy(z: Array, t: Array) -> Array:
    """−ln softmax(z)_t for logits z (…, n) and the 0-based true class t (…, 1) → (…, 1), in nats."""
    return -entry(log_softmax(z), t)


def sigmoid(s: Array) -> Array:
    """σ(s) = 1 / (1 + e^{−s}), any shape; by way of tanh so that neither end overflows."""
    return 0.5 * (1.0 + np.tanh(0.5 * np.asarray(s, dtype=float)))


def binary_cross_entropy(q: Array, y: Array) -> Array:
    """−[y ln q + (1−y) ln(1−q)] for P(y = 1) = q, any shape, in nats; a term with weight 0 counts as 0."""
    return -(np.where(y == 0, 0.0, y * np.log(q)) + np.where(y == 1, 0.0, (1 - y) * np.log1p(-q)))


def dot(a: Array, b: Array) -> Array:
    """a · b = Σ_k a_k b_k, (…, n), (…, n) → (…, 1)."""
    return total(a * b)


def matvec(w: Array, h: Array) -> Array:
    """(W h)_i = Σ_k W_ik h_k, (…, r, c), (…, c) → (…, r)."""
    if w.shape[-1] != h.shape[-1]:
        raise FormulaError(f"a matrix with {w.shape[-1]} columns cannot be multiplied by {h.shape[-1]} numbers")
    return np.asarray((w * h[..., None, :]).sum(axis=-1))


def transpose(w: Array) -> Array:
    """(Wᵀ)_ik = W_ki, (…, r, c) → (…, c, r)."""
    return np.swapaxes(w, -1, -2)


def one_hot(t: Array, n: Array) -> Array:
    """1 at the 0-based place t and 0 elsewhere, (…, 1) and a length → (…, n)."""
    return np.asarray(np.arange(_size(n)) == t, dtype=float)


def places(n: Array) -> Array:
    """0, 1, … n−1, a length → (1, n)."""
    return np.arange(_size(n), dtype=float)[None, :]


def _size(n: Array) -> int:
    size = float(n.flat[0])
    if not 0 <= size <= MAX_SIZE or size != int(size) or (n.size > 1 and np.any(n != size)):
        raise FormulaError(f"a length must be one whole number from 0 to {MAX_SIZE}")
    return int(size)


def contains(x: Array, a: Array) -> Array:
    """For each entry of ``a`` 1 if it is an entry of ``x``, else 0; (…, n), (…, m) → (…, m)."""
    if x.shape[-1] * a.shape[-1] > MAX_SIZE * 16:
        raise FormulaError("contains compares two short lists: these are too long")
    return np.asarray((x[..., None, :] == a[..., :, None]).any(axis=-1), dtype=float)


def where(condition: Array, a: Array, b: Array) -> Array:
    """``a`` where the condition holds, else ``b``; entry by entry."""
    return np.where(condition if condition.dtype == bool else condition.astype(bool), a, b)


def entry(x: Array, i: Array) -> Array:
    """x_i: entry i (0-based) of a vector, (…, n), (…, m) → (…, m); a place outside the vector gives NaN."""
    n = x.shape[-1]
    if i.size == 1:
        k = float(i.flat[0])
        if 0 <= k < n and k == int(k):
            return x[..., int(k) : int(k) + 1]
        return np.full((*x.shape[:-1], 1), np.nan)
    if n == 0:
        return np.full(np.broadcast_shapes((*x.shape[:-1], 1), i.shape), np.nan)
    if i.shape[-1] == 1 and n <= _SHORT:
        found = np.where(i == 0, x[..., 0:1], np.nan)
        for k in range(1, n):
            np.copyto(found, x[..., k : k + 1], where=i == k)
        return found
    lead = np.broadcast_shapes(x.shape[:-1], i.shape[:-1])
    whole = np.clip(np.nan_to_num(i, nan=-1.0), -1, n).astype(int)
    inside = (whole == i) & (whole >= 0) & (whole < n)
    at = np.broadcast_to(np.where(inside, whole, 0), (*lead, i.shape[-1]))
    return np.where(inside, np.take_along_axis(np.broadcast_to(x, (*lead, n)), at, axis=-1), np.nan)


def row(w: Array, i: Array) -> Array:
    """Row i (0-based) of a matrix, (…, r, c), (…, 1) → (…, c); a row outside the matrix gives NaN."""
    r, c = w.shape[-2:]
    lead = np.broadcast_shapes(w.shape[:-2], i.shape[:-1])
    found = np.full((*lead, c), np.nan)
    for k in range(r):
        np.copyto(found, w[..., k, :], where=i == k)
    return found


def round_half_up(x: Array) -> Array:
    """The nearest whole number, halves away from zero (as people round), any shape."""
    return np.sign(x) * np.floor(np.abs(x) + 0.5)


Rank = int
RankRule = Literal["same", "scalar", "vector", "vector-to-vector", "matvec", "matrix", "first"]


@dataclass(frozen=True)
class Function:
    """A function of the language: how it is computed, how many arguments, and what rank comes out."""

    call: Callable[..., Array]
    least: int
    most: int
    rule: RankRule


#: Everything an author may call; what a learner may type is a small part of it (see formula.LEARNER).
FUNCTIONS: dict[str, Function] = {
    "exp": Function(np.exp, 1, 1, "same"),
    "ln": Function(np.log, 1, 1, "same"),
    "log2": Function(np.log2, 1, 1, "same"),
    "log10": Function(np.log10, 1, 1, "same"),
    "sqrt": Function(np.sqrt, 1, 1, "same"),
    "abs": Function(np.abs, 1, 1, "same"),
    "sigmoid": Function(sigmoid, 1, 1, "same"),
    "round": Function(round_half_up, 1, 1, "same"),
    "floor": Function(np.floor, 1, 1, "same"),
    "ceil": Function(np.ceil, 1, 1, "same"),
    "min": Function(minimum, 1, 8, "first"),
    "max": Function(maximum, 1, 8, "first"),
    "sum": Function(total, 1, 1, "scalar"),
    "prod": Function(product, 1, 1, "scalar"),
    "mean": Function(mean, 1, 1, "scalar"),
    "len": Function(length, 1, 1, "scalar"),
    "argmax": Function(argmax, 1, 1, "scalar"),
    "argmin": Function(argmin, 1, 1, "scalar"),
    "softmax": Function(softmax, 1, 1, "vector-to-vector"),
    "log_softmax": Function(log_softmax, 1, 1, "vector-to-vector"),
    "cross_entropy": Function(cross_entropy, 2, 2, "scalar"),
    "binary_cross_entropy": Function(binary_cross_entropy, 2, 2, "same"),
    "dot": Function(dot, 2, 2, "scalar"),
    "matvec": Function(matvec, 2, 2, "matvec"),
    "transpose": Function(transpose, 1, 1, "matrix"),
    "where": Function(where, 3, 3, "same"),
    "one_hot": Function(one_hot, 2, 2, "vector"),
    "places": Function(places, 1, 1, "vector"),
    "contains": Function(contains, 2, 2, "vector"),
}
