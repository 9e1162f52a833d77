"""Charts of a learner's progress: pure functions from plain numbers to SVG markup, each with its table.

Drawn by the same means as the teaching figures (``exercises.figures.canvas``). No model and no clock in here: days and
moments are handed in as the learner's own.
"""

from frontend.charts.calendar import study_calendar
from frontend.charts.history import Check, LegendMark, Moment, history_legend, skill_history
from frontend.charts.interval import interval_strip

__all__ = ["Check", "LegendMark", "Moment", "history_legend", "interval_strip", "skill_history", "study_calendar"]
