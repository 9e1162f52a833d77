"""Deciding about scores: by hand for one learner, for all by a ruling, from a file, and by what counts as the time."""

from exercises.actions.grading.count_as import count_attempt_as, preview_count_as
from exercises.actions.grading.grade_import import Imported, Planned, import_grades
from exercises.actions.grading.more_attempts import grant_attempt
from exercises.actions.grading.moves import Move, Moves
from exercises.actions.grading.overrides import (
    Given,
    give_override,
    preview_override,
    preview_override_withdrawal,
    withdraw_override,
)
from exercises.actions.grading.refusals import ChangedMeanwhile, GradeRefused
from exercises.actions.grading.rulings import (
    Decision,
    give_ruling,
    preview_ruling,
    preview_ruling_withdrawal,
    withdraw_ruling,
    words_of,
)
from exercises.actions.grading.settle import settle_for

__all__ = [
    "ChangedMeanwhile",
    "Decision",
    "Given",
    "GradeRefused",
    "Imported",
    "Move",
    "Moves",
    "Planned",
    "count_attempt_as",
    "give_override",
    "give_ruling",
    "grant_attempt",
    "import_grades",
    "preview_count_as",
    "preview_override",
    "preview_override_withdrawal",
    "preview_ruling",
    "preview_ruling_withdrawal",
    "settle_for",
    "withdraw_override",
    "withdraw_ruling",
    "words_of",
]
