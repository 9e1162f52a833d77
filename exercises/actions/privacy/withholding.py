"""What a person may not be told yet of their own work: an export opens nothing before the act that opens it."""

from collections.abc import Iterable

from exercises import clock
from exercises.course_rules import rules_of_pairs
from exercises.courses.rules import may_show_feedback, may_show_solution
from exercises.models import Attempt, Override, ProblemSet, User, Variant


class Withheld:
    """For one person: the attempts and sets whose marks, and those whose solutions, are not theirs to know now."""

    def __init__(self, person: User) -> None:
        """Five queries at most; what is held is two numbers for each attempt."""
        attempts = list(Attempt.objects.filter(learner=person).only("pk", "problem_set", "handed_in_at", "is_preview"))
        decided = Override.objects.filter(learner=person).values("problem_set")
        own = ProblemSet.objects.filter(pk__in={one.problem_set_id for one in attempts})
        sets = {row.pk: row for row in (own | ProblemSet.objects.filter(pk__in=decided)).select_related("course")}
        rules, now = rules_of_pairs((row, person.pk) for row in sets.values()), clock.now()
        self.attempts: set[int] = set()
        self.solutions: set[int] = set()
        over = {one.problem_set_id for one in attempts if one.is_over}
        for one in attempts:
            of_set = rules[one.problem_set_id, person.pk]
            if one.is_preview or not may_show_feedback(of_set, handed_in=one.is_over, now=now):
                self.attempts.add(one.pk)
            if one.is_preview or not may_show_solution(of_set, handed_in=one.is_over, now=now):
                self.solutions.add(one.pk)
        self.sets = {
            pk
            for pk, row in sets.items()
            if not may_show_feedback(rules[row.pk, person.pk], handed_in=pk in over, now=now)
        } | {one.problem_set_id for one in attempts if one.pk in self.attempts and not one.is_preview}

    def hides(self, attempt: int | None) -> bool:
        """Whether the marks in that attempt, by primary key, are withheld; practice has none."""
        return attempt in self.attempts

    def hides_set(self, problem_set: int | None) -> bool:
        """Whether what was decided about that set is withheld."""
        return problem_set in self.sets

    def shows_solution(self, variant: Variant) -> bool:
        """Whether the numbers of a variant, which comes with its place and set, may stand beside its solution."""
        place = variant.attempt_item
        if place is None or place.attempt.problem_set.mode == ProblemSet.Mode.PRACTICE:
            return variant.is_closed and not (place and place.attempt_id in self.solutions)
        return place.attempt_id not in self.solutions


def without(said: dict[str, object], names: Iterable[str]) -> dict[str, object]:
    """What is told without these."""
    return {name: value for name, value in said.items() if name not in set(names)}
