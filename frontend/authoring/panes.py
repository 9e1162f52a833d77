"""What a text draws, seed beside seed, as its author sees it: with figure, boxes and keys."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from exercises.figures import Drawing, draw, has_content
from exercises.queries import authoring as queries
from frontend.authoring.desk import PANES
from grader.wording import Field


@dataclass(frozen=True)
class Line:
    """One value of the solution: how it is asked, if it is, and what is right. ``field`` is None for one in between."""

    key: queries.KeyRow
    field: Field | None
    place: int | None


@dataclass(frozen=True)
class PaneView:
    """The variant of one seed. Texts are Markdown."""

    pane: queries.Pane
    drawing: Drawing | None
    lines: tuple[Line, ...]

    @property
    def active(self) -> list[queries.MistakeRow]:
        """The named mistakes that could show in this variant."""
        return [mistake for mistake in self.pane.mistakes if mistake.is_active]


def pane_views(text: str, seeds: Sequence[int]) -> list[PaneView]:
    """The variants of these seeds; none where the text cannot be read. No query."""
    return [_view(pane) for pane in queries.preview(text, seeds).panes]


def preview_context(text: str, first: int) -> dict[str, Any]:
    """What the preview shows: variants of seeds from ``first`` on, or what is wrong with the text. No query."""
    seeds = range(first, first + PANES)
    found = queries.preview(text, list(seeds))
    return {
        "preview": found,
        "panes": [_view(pane) for pane in found.panes],
        "first": first,
        "last": first + PANES - 1,
        "next_first": first + PANES,
    }


def _view(pane: queries.Pane) -> PaneView:
    fields = {field.step: (place, field) for place, field in enumerate(pane.fields, start=1)}
    lines = tuple(Line(key, fields.get(key.step, (0, None))[1], fields.get(key.step, (None,))[0]) for key in pane.keys)
    figure = pane.figure
    drawing = draw(figure.kind, figure.data) if figure and has_content(figure.kind, figure.data) else None
    return PaneView(pane, drawing, lines)
