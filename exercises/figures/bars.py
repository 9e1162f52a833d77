"""Probability bars: one a candidate, all on the scale from 0 to 1."""

from collections.abc import Mapping, Sequence
from typing import Any

from exercises.figures.canvas import NARROW, Drawing, Table, box, line, picture, share, text, width_of

ROW = 30.0
BAR = 18.0


def draw(data: Mapping[str, Any]) -> Drawing:
    """``{"labels": [str], "values": [float]|None, "highlight": int|None}``; no values: empty outlines."""
    labels = [str(label) for label in data["labels"]]
    values = data.get("values")
    highlight = data.get("highlight")
    left = min(110.0, max(width_of(label, 13) for label in labels) + 12)
    right = 52.0
    room = NARROW - left - right
    bottom = ROW * len(labels) + 4
    rows = "".join(
        _row(
            label,
            None if values is None else float(values[place]),
            y=ROW * place + 6,
            left=left,
            room=room,
            chosen=place == highlight,
        )
        for place, label in enumerate(labels)
    )
    shown = ["not known yet"] * len(labels) if values is None else [share(float(value)) for value in values]
    described = ", ".join(f"{label} {value}" for label, value in zip(labels, shown, strict=True))
    svg = picture(
        _scale(left, room, bottom) + rows,
        width=NARROW,
        height=bottom + 22,
        title="Probability bars",
        description=described,
    )
    return Drawing(svg, _caption(values), Table(("Candidate", "Probability"), tuple(zip(labels, shown, strict=True))))


def _caption(values: Sequence[float] | None) -> str:
    """Not every bar is a share of one whole: independent probabilities add up to anything."""
    if values is None:
        return "The bars fill in once you have the probability."
    if abs(sum(map(float, values)) - 1) < 1e-6:
        return "The probabilities add up to 1."
    return "Each bar stands for itself: these need not add up to 1."


def _row(label: str, value: float | None, *, y: float, left: float, room: float, chosen: bool) -> str:
    base = y + 14
    words = text(label, left - 8, base, "fig-label" + (" fig-strong" if chosen else ""), "end")
    if value is None:
        return words + box(left, y, room, BAR, "fig-empty") + text("?", left + room + 8, base, "fig-muted", "start")
    filled = max(1.0, room * min(1.0, max(0.0, value)))
    return (
        words
        + box(left, y, filled, BAR, "fig-bar fig-bar-chosen" if chosen else "fig-bar")
        + text(share(value), left + filled + 6, base, "fig-value" + (" fig-strong" if chosen else ""), "start")
    )


def _scale(left: float, room: float, bottom: float) -> str:
    return "".join(
        line(left + room * part, 2, left + room * part, bottom, "fig-grid" if part else "fig-rule")
        + text(words, left + room * part, bottom + 15, "fig-small")
        for part, words in ((0.0, "0"), (0.5, "0.5"), (1.0, "1"))
    )
