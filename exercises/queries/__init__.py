"""What can be read. Each query is bounded, and its docstring says how many database queries it makes."""

from exercises.limits import MOST_ROWS
from exercises.queries.history import Past, history, own_history
from exercises.queries.marks import Standing, marks_of, score_of, verdict_of
from exercises.queries.problems import ProblemRow, problem_list, skill_map
from exercises.queries.staff import broken_problems, fault_reports, ungradable
from exercises.queries.tokens import open_tokens
from exercises.queries.variant import (
    Shown,
    current_variant,
    figure_of,
    forecast_of,
    hints_taken,
    reading_of,
    rounding_note,
    shown,
    worked_solution,
)
from exercises.queries.waiting import LONGEST_WAIT, verdict_within

__all__ = [
    "LONGEST_WAIT",
    "MOST_ROWS",
    "Past",
    "ProblemRow",
    "Shown",
    "Standing",
    "broken_problems",
    "current_variant",
    "fault_reports",
    "figure_of",
    "forecast_of",
    "hints_taken",
    "history",
    "marks_of",
    "open_tokens",
    "own_history",
    "problem_list",
    "reading_of",
    "rounding_note",
    "score_of",
    "shown",
    "skill_map",
    "ungradable",
    "verdict_of",
    "verdict_within",
    "worked_solution",
]
