"""Which results learners must not learn of yet."""

from collections.abc import Iterable

from exercises import clock
from exercises.course_rules import rules_of_pairs
from exercises.courses.rules import may_show_feedback
from exercises.models import Attempt, AttemptItem, ProblemSet, Variant


def withheld(variants: Iterable[Variant]) -> set[int]:
    """The primary keys of those among these variants of whose marks their learners may not know by now: of an exam
    that is not released, of a quiz that shows them at the end. Nor does anything of a preview ever count.

    Nothing is kept of them that shows: no evidence, no mastery. No query where none is of an attempt; else two, and up
    to three for the rules where results are not shown at once.
    """
    places = {variant.pk: variant.attempt_item_id for variant in variants if variant.attempt_item_id is not None}
    if not places:
        return set()
    attempt_of = dict(AttemptItem.objects.filter(pk__any_of=set(places.values())).values_list("pk", "attempt_id"))
    attempts = Attempt.objects.select_related("problem_set__course").in_bulk(set(attempt_of.values()))
    hidden = _hidden(attempts.values())
    return {variant for variant, place in places.items() if attempt_of[place] in hidden}


def _hidden(attempts: Iterable[Attempt]) -> set[int]:
    found = {attempt.pk for attempt in attempts if attempt.is_preview}
    asking = [attempt for attempt in attempts if not attempt.is_preview and not _tells_at_once(attempt.problem_set)]
    rules = rules_of_pairs((attempt.problem_set, attempt.learner_id) for attempt in asking)
    now = clock.now()
    return found | {
        attempt.pk
        for attempt in asking
        if not may_show_feedback(rules[attempt.problem_set_id, attempt.learner_id], handed_in=attempt.is_over, now=now)
    }


def _tells_at_once(problem_set: ProblemSet) -> bool:
    """Whether marks are shown in any case, so that nobody needs to ask the rules."""
    is_at_once = problem_set.feedback == ProblemSet.Feedback.AT_ONCE
    return problem_set.mode == ProblemSet.Mode.PRACTICE or (problem_set.mode == ProblemSet.Mode.QUIZ and is_at_once)
