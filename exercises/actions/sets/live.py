"""What follows for attempts that are there already when the rules of their set change."""

from collections.abc import Iterable, Mapping

from django.db.models import QuerySet

from exercises.actions.courses.locks import hold_enrolments
from exercises.actions.scores import refresh_ends
from exercises.course_rules import RulesOfMany, rules_of_many
from exercises.models import Attempt, ProblemSet, User


def rules_held(problem_set: ProblemSet, learners: Iterable[User] | None = None) -> Mapping[int, RulesOfMany]:
    """The rules as they are for all who have begun a set, or for these learners: for ``follow_rules``, called before
    they change. Inside the caller's transaction; nobody begins until it ends. Five queries."""
    hold_enrolments(problem_set.course)
    begun = _attempts(problem_set, learners).order_by().values_list("learner_id", flat=True).distinct()
    return rules_of_many([problem_set], begun)


def follow_rules(
    problem_set: ProblemSet, held: Mapping[int, RulesOfMany], learners: Iterable[User] | None = None
) -> None:
    """Work out anew when the attempts end, and what those come to that can come to something else than by the rules
    that ``held``: of all learners, or of these. Inside the caller's transaction; constant queries.

    Whoever is beginning just now comes before it, and is followed, or after it, and begins by the new rules.
    """
    refresh_ends(_attempts(problem_set, learners), held)


def _attempts(problem_set: ProblemSet, learners: Iterable[User] | None) -> QuerySet[Attempt]:
    attempts = Attempt.objects.filter(problem_set=problem_set)
    if learners is None:
        return attempts
    return attempts.filter(learner__in=[learner.pk for learner in learners])
