"""What follows for attempts that are there already when the rules of their set change."""

from collections.abc import Iterable

from exercises.actions.courses.locks import hold_enrolments
from exercises.actions.scores import refresh_ends
from exercises.models import Attempt, ProblemSet, User


def follow_rules(problem_set: ProblemSet, learners: Iterable[User] | None = None) -> None:
    """Work out anew when the attempts end and what they come to, of all learners or of these. Inside the caller's
    transaction; constant queries.

    Whoever is beginning just now comes before it, and is followed, or after it, and begins by the new rules.
    """
    hold_enrolments(problem_set.course)
    attempts = Attempt.objects.filter(problem_set=problem_set)
    if learners is not None:
        attempts = attempts.filter(learner__in=[learner.pk for learner in learners])
    refresh_ends(attempts)
