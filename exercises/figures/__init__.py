"""Teaching figures: pure functions from plain numbers to SVG markup with a text alternative.

``draw`` knows six kinds; each has a module that says what its data hold. Nothing is drawn that is not in the data, so
what a learner may not see yet must not be handed in.
"""

from collections.abc import Callable, Mapping
from typing import Any

from exercises.figures import bars, embeddings, funnel, losscurve, tokens, vectors
from exercises.figures.canvas import Drawing, Table

KINDS: dict[str, Callable[[Mapping[str, Any]], Drawing]] = {
    "tokens": tokens.draw,
    "bars": bars.draw,
    "embeddings": embeddings.draw,
    "vectors": vectors.draw,
    "funnel": funnel.draw,
    "loss-curve": losscurve.draw,
}


def draw(kind: str, data: Mapping[str, Any]) -> Drawing:
    """The figure of one kind. Raises KeyError for an unknown kind or for data that lack a needed key."""
    return KINDS[kind](data)


def has_content(kind: str, data: Mapping[str, Any]) -> bool:
    """Whether there is anything to see yet: rows and vectors may wait for the steps that reveal them."""
    if kind == "embeddings":
        return bool(data.get("rows"))
    return kind != "vectors" or bool(data.get("vectors") or data.get("matrix"))


__all__ = ["KINDS", "Drawing", "Table", "draw", "has_content"]
