"""The check of a problem with what it saw on the way, as data for pictures: how keys, allowances and mistakes lie.

A distribution is ``{"count", "min", "q1", "median", "q3", "max", "bins": [[low, high, count], …], "log"}``; with
``log`` its bins are equally wide in powers of ten. Values without an axis, as options, are ``[[text, count], …]``.
"""

import re
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np

from grader.answers import options_of
from grader.checking import Seeded, check
from grader.functions import Array
from grader.graph import Problem, Step
from grader.separation import NEAR, Lanes, rounded_columns
from grader.template import Drawn, Words
from grader.verdict import GRADER_VERSION

BINS = 20
#: A whole-numbered key with at most so many values is counted value by value.
MOST_VALUES = 24
#: Values that span more than this are shown in powers of ten.
_WIDE = 1000.0
_SEED = re.compile(r"^(?P<message>.*?) \(seed (?P<seed>\d+)\)(?P<rest>.*?)(?:, and (?P<more>\d+) more)?$", re.DOTALL)

Data = dict[str, Any]


def full_report(problem: Problem, seeds: Sequence[int], *, seconds: float | None = None) -> Data:
    """What ``check`` says of a problem over these seeds, and the pictures beside it, as plain JSON without NaN.

    After so many ``seconds`` it stops and has failed. Nothing is raised for what is wrong with the problem.
    """
    began = time.monotonic()
    watched = _Watched(problem)
    report = check(problem, seeds, seconds=seconds, watcher=watched.see)
    return {
        **report.to_json(),
        "grader": GRADER_VERSION,
        "seconds": round(time.monotonic() - began, 2),
        "faults": [_in_parts(failure) for failure in report.failures],
        "drawn": distribution(report.drawn),
        "steps": [watched.step(step) for step in problem.steps],
        "mistakes": watched.mistakes(report.active),
        "spread": watched.spread(),
    }


def distribution(values: Sequence[float] | Array) -> Data | None:
    """The distribution of the finite ones of these values; None if there are none."""
    found = np.asarray(values, dtype=float)
    found = found[np.isfinite(found)]
    if not found.size:
        return None
    low, q1, median, q3, high = (float(x) for x in np.percentile(found, [0, 25, 50, 75, 100]))
    is_log = low > 0 and high > _WIDE * low
    if high - low <= 1e-12 * max(abs(low), abs(high)):
        bins = [[_short(low), _short(high), int(found.size)]]
    else:
        axis = np.log10(found) if is_log else found
        counts, edges = np.histogram(axis, bins=BINS)
        shown = 10.0**edges if is_log else edges
        bins = [[_short(a), _short(b), int(n)] for a, b, n in zip(shown, shown[1:], counts, strict=False)]
    return {
        "count": int(found.size), "min": _short(low), "q1": _short(q1), "median": _short(median), "q3": _short(q3),
        "max": _short(high), "bins": bins, "log": is_log,
    }  # fmt: skip


def _short(value: float) -> float:
    return float(f"{value:.6g}") + 0.0


def _in_parts(failure: str) -> Data:
    found = _SEED.match(failure)
    if found is None:
        return {"message": failure, "seed": None, "more": 0}
    message = found["message"] + found["rest"]
    return {"message": message, "seed": int(found["seed"]), "more": int(found["more"] or 0)}


class _Watched:
    """What went by, group by group: variants whose numbers have the same shapes."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.keys: dict[str, list[Array]] = defaultdict(list)
        self.rooms: dict[str, list[Array]] = defaultdict(list)
        self.chosen: dict[str, Counter[str]] = defaultdict(Counter)
        self.nearest: dict[str, list[tuple[float, int]]] = defaultdict(list)
        self.operands: list[int] = []
        self.values: list[int] = []
        self.sizes: list[float] = []

    def see(self, group: Sequence[Seeded], lanes: Lanes) -> None:
        """Remember one group."""
        for step in self.problem.steps:
            self._see_step(step, group, lanes)
        self._see_mistakes(group, lanes)
        keys = np.where(np.isfinite(lanes.values.together[0]), np.abs(lanes.values.together[0]), 0.0)
        asked = sum(lanes.values[step.name].shape[-1] for step in self.problem.asked)
        for row, (_, one) in enumerate(group):
            self.operands.append(_digits_drawn(self.problem, one))
            self.values.append(asked)
            self.sizes.append(float(max(keys[row].max(initial=0.0), _largest(one))))

    def _see_step(self, step: Step, group: Sequence[Seeded], lanes: Lanes) -> None:
        key = lanes.values[step.name][0]
        if step.kind in ("choice", "choices", "shape", "text"):
            for row, (_, one) in enumerate(group):
                self.chosen[step.name].update(_as_texts(step, one, key[row]))
            return
        self.keys[step.name].append(key.ravel())
        if step.rounded:
            with np.errstate(all="ignore"):
                share = lanes.allowances[step.name][0] / np.abs(key)
            self.rooms[step.name].append(share.ravel())

    def _see_mistakes(self, group: Sequence[Seeded], lanes: Lanes) -> None:
        """For each variant, how near a mistake comes to the key at any asked step, in allowances."""
        rounded = rounded_columns(self.problem, lanes.values)
        asked = np.repeat([step.ask is not None for step in self.problem.steps], lanes.values.widths)[rounded]
        values, room = lanes.values.together[..., rounded][..., asked], lanes.allowances.together[..., asked]
        differing = lanes.differing[..., rounded][..., asked]
        if not values.shape[-1]:
            return
        with np.errstate(all="ignore"):
            # As for the draw, rounding is taken to move no value by more than this share of it.
            most = NEAR * np.maximum(np.abs(values), np.abs(values[0]))
            ratio = np.where(differing, np.abs(values - values[0]) / (np.minimum(room, most) + room[0]), np.inf)
        nearest = np.where(np.isfinite(ratio), ratio, np.inf).min(axis=-1)
        for lane, mistake in enumerate(self.problem.mistakes, start=1):
            rows = map(int, np.flatnonzero(np.isfinite(nearest[lane])))
            self.nearest[mistake.note] += [(float(nearest[lane][row]), group[row][0]) for row in rows]

    def step(self, step: Step) -> Data:
        """How the keys of a step lie, and how wide its allowance is beside them."""
        found: Data = {
            "step": step.name, "kind": step.kind, "asked": step.ask is not None,
            "keys": None, "values": None, "allowance": None, "undefined": 0,
        }  # fmt: skip
        if step.name in self.chosen:
            found["values"] = [[text, count] for text, count in self.chosen[step.name].most_common(MOST_VALUES)]
        elif step.name in self.keys:
            keys = np.concatenate(self.keys[step.name])
            found["undefined"] = int(np.isnan(keys).sum())
            whole = np.unique(keys[np.isfinite(keys)])
            if step.kind == "count" and len(whole) <= MOST_VALUES:
                found["values"] = [[f"{value:g}", int((keys == value).sum())] for value in whole]
            else:
                found["keys"] = distribution(keys)
            if step.name in self.rooms:
                found["allowance"] = distribution(np.concatenate(self.rooms[step.name]))
        return found

    def mistakes(self, active: dict[str, float]) -> list[Data]:
        """How often each mistake can be told from the key, and by how many allowances."""
        found = []
        for mistake in self.problem.mistakes:
            near = self.nearest.get(mistake.note, [])
            found.append(
                {
                    "note": mistake.note, "step": mistake.step, "tag": mistake.tag,
                    "active": round(active.get(mistake.note, 1.0 if mistake.accept else 0.0), 3),
                    "separation": distribution([ratio for ratio, _ in near]),
                    "nearest_seed": min(near)[1] if near else None,
                }
            )  # fmt: skip
        return found

    def spread(self) -> list[Data]:
        """How much work the variants are, as far as it differs between them."""
        rows = (
            ("operands", "Digits to work with", "Significant digits of all the numbers drawn, entries of vectors too.",
             self.operands),
            ("values", "Values to give", "Boxes that are asked for, entries of vectors singly.", self.values),
            ("size", "Largest number", "The largest number met on the way, drawn or worked out, without its sign.",
             self.sizes),
        )  # fmt: skip
        return [
            {"what": what, "title": title, "says": says, "distribution": distribution(np.array(values, dtype=float))}
            for what, title, says, values in rows
        ]


def _as_texts(step: Step, one: Drawn, value: Array) -> list[str]:
    """What a variant counts as in a picture of options or shapes: options by their words, and where these are drawn
    with the variant by their place or their key."""
    if step.kind == "text":
        return [step.accept[0]]
    if step.kind == "shape":
        return [" x ".join(f"{x:g}" for x in value)]
    names = _option_names(step, one)
    if step.kind == "choices":
        return [name for name, chosen in zip(names, value, strict=False) if chosen > 0]
    place = value[0]
    return [names[int(place)]] if np.isfinite(place) and 0 <= place < len(names) else []


def _option_names(step: Step, one: Drawn) -> list[str]:
    if step.options is None or isinstance(step.options, Words):
        return [f"place {place}" for place, _ in enumerate(options_of(step, one), start=1)]
    return [key if "{{" in text.source else text.source for key, text in step.options]


def _digits_drawn(problem: Problem, one: Drawn) -> int:
    return sum(
        len(f"{abs(float(x)):.10g}".replace(".", "").lstrip("0")) or 1
        for parameter in problem.parameters
        if parameter.type in ("number", "integer", "vector", "matrix") and parameter.source != "index"
        for x in np.asarray(one.env[parameter.name]).ravel()
    )


def _largest(one: Drawn) -> float:
    numbers = [float(np.abs(array).max(initial=0.0)) for name, array in one.env.items() if name not in one.texts]
    return max(numbers, default=0.0)
