"""What can be read. Each query is bounded, and its docstring says how many database queries it makes."""

from exercises.limits import MOST_ROWS
from exercises.queries.card_turn import Ending, TurnView, turn_field, turn_reading, turn_view
from exercises.queries.cards import (
    Aside,
    CardDay,
    CardRow,
    DeckRow,
    card_day,
    card_days,
    deck_cards,
    decks_for,
    export_cards,
    suspended,
)
from exercises.queries.external_ids import external_ids
from exercises.queries.history import Past, history, own_history, own_submissions, past
from exercises.queries.marks import Standing, marks_of, score_of, verdict_of
from exercises.queries.mastery import Point, calendar, history_of, standings, study_day_of
from exercises.queries.mistakes import MistakeRow, recent_mistakes
from exercises.queries.next_choice import next_choice
from exercises.queries.plans import own_plan_of, plan_of
from exercises.queries.problems import ProblemRow, problem_list, skill_map
from exercises.queries.session import SessionRow, SessionView, session_of
from exercises.queries.skill_cards import decks_about
from exercises.queries.staff import broken_problems, fault_reports, ungradable
from exercises.queries.tokens import clients_of, open_tokens, present_in
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
    "Aside",
    "CardDay",
    "CardRow",
    "DeckRow",
    "Ending",
    "MistakeRow",
    "Past",
    "Point",
    "ProblemRow",
    "SessionRow",
    "SessionView",
    "Shown",
    "Standing",
    "TurnView",
    "broken_problems",
    "calendar",
    "card_day",
    "card_days",
    "clients_of",
    "current_variant",
    "deck_cards",
    "decks_about",
    "decks_for",
    "export_cards",
    "external_ids",
    "fault_reports",
    "figure_of",
    "forecast_of",
    "hints_taken",
    "history",
    "history_of",
    "marks_of",
    "next_choice",
    "open_tokens",
    "own_history",
    "own_plan_of",
    "own_submissions",
    "past",
    "plan_of",
    "present_in",
    "problem_list",
    "reading_of",
    "recent_mistakes",
    "rounding_note",
    "score_of",
    "session_of",
    "shown",
    "skill_map",
    "standings",
    "study_day_of",
    "suspended",
    "turn_field",
    "turn_reading",
    "turn_view",
    "ungradable",
    "verdict_of",
    "verdict_within",
    "worked_solution",
]
