"""Working statistics out in the background, a few seconds at a time, and what else takes long for a whole class."""

from exercises.actions.figures.work import (
    shown_is_kept,
    sweep_figures,
    tell_worker,
    want_figures,
    want_shown,
    want_stale_figures,
    work_on_figures,
)

__all__ = [
    "shown_is_kept",
    "sweep_figures",
    "tell_worker",
    "want_figures",
    "want_shown",
    "want_stale_figures",
    "work_on_figures",
]
