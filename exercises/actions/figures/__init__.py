"""Working statistics out in the background, a few seconds at a time."""

from exercises.actions.figures.work import sweep_figures, want_figures, want_stale_figures, work_on_figures

__all__ = ["sweep_figures", "want_figures", "want_stale_figures", "work_on_figures"]
