"""What holds for an attempt now: its rules, and what its learner may be told. Every door asks here."""

from dataclasses import dataclass

from exercises import clock
from exercises.actions.sitting.sheet import over
from exercises.course_rules import rules_of
from exercises.courses.rules import Rules, may_show_feedback, may_show_solution
from exercises.models import Attempt


@dataclass(frozen=True)
class Standing:
    """What holds for an attempt at this moment.

    tells       results may be told to its learner
    solves      worked solutions may be shown
    over        why nothing more is taken; empty while it goes on
    """

    rules: Rules
    tells: bool
    solves: bool
    over: str

    @property
    def is_open(self) -> bool:
        """Whether anything is still taken."""
        return not self.over


def standing_of(attempt: Attempt) -> Standing:
    """For an attempt as ``access.attempt_of`` finds it. Two queries."""
    rules, now = rules_of(attempt.problem_set, attempt.learner), clock.now()
    handed_in = attempt.handed_in_at is not None
    return Standing(
        rules=rules,
        tells=may_show_feedback(rules, handed_in=handed_in, now=now),
        solves=may_show_solution(rules, handed_in=handed_in, now=now) and (handed_in or rules.mode == "practice"),
        over=over(attempt, now),
    )
