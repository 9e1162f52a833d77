"""The tables. Every model is imported from here."""

from exercises.models.access_token import AccessToken
from exercises.models.cards import Card, CardMemory, CardTurn, Deck, Review
from exercises.models.evidence import Evidence, ItemDifficulty, Mastery
from exercises.models.fault_report import FaultReport
from exercises.models.forecast import Forecast
from exercises.models.hint_use import HintUse
from exercises.models.problem import Problem, ProblemVersion
from exercises.models.study import DailySession, SessionItem, StudyPlan
from exercises.models.submission import Grading, Submission
from exercises.models.user import User
from exercises.models.variant import Variant

__all__ = [
    "AccessToken",
    "Card",
    "CardMemory",
    "CardTurn",
    "DailySession",
    "Deck",
    "Evidence",
    "FaultReport",
    "Forecast",
    "Grading",
    "HintUse",
    "ItemDifficulty",
    "Mastery",
    "Problem",
    "ProblemVersion",
    "Review",
    "SessionItem",
    "StudyPlan",
    "Submission",
    "User",
    "Variant",
]
