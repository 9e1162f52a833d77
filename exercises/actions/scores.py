"""Keeping the scores of attempts: in the transaction of whatever moved them, so that pages only ever read them."""

import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from exercises import clock
from exercises.actions.events import tell_scores
from exercises.actions.evidence import keep_evidence
from exercises.actions.lms.outbox import want_attempts
from exercises.bulk import rewrite
from exercises.course_rules import Pair, RulesOfMany, rules_of_pairs
from exercises.courses.rescoring import lateness_moved, same_tries
from exercises.courses.rules import Rules, ends_at
from exercises.models import Attempt, AttemptItem, ProblemSet, ProblemVersion, Submission, Variant
from exercises.queries.attempt_scores import VerdictData, Worked, worked_out

#: Attempts whose scores, and variants whose evidence, are worked out together: what is held in memory at once.
ATTEMPTS = 100
VARIANTS = 100
#: Attempts that are only added up together.
WHOLE = 1000
_SCORE = ("score_numerator", "score_denominator")


def keep_scores(
    attempt_items: Iterable[int],
    *,
    judged: Mapping[int, VerdictData] | None = None,
    judged_by: ProblemVersion | None = None,
) -> int:
    """Work out anew what these places come to, and the attempts they are in; how many rows changed.

    Call it inside the transaction that changed something about them, after the change. It takes the attempts' rows for
    that transaction: what else is locked is locked before, except learners, who come last. Twenty-one queries at most,
    however many places; none where there are none. ``judged`` are the verdicts just written, by submission, all by
    the version ``judged_by``: they are not read back.
    """
    places = hold_attempts(attempt_items)
    if not places:
        return 0
    return _write(worked_out(places, judged=judged, judged_by=judged_by))


def _write(worked: Worked) -> int:
    """Write what is otherwise than it stands, and tell those who follow the course and the platforms that keep a
    column for it; how many rows that was. Seven queries at most where no platform does."""
    items = [item for item in _items(worked.items) if _moved_item(item, *worked.items[item.pk])]
    rewrite(items, ("tries", *_SCORE))
    attempts = [one for one in _attempts(worked.attempts) if _moved_attempt(one, *worked.attempts[one.pk])]
    rewrite(attempts, ("late_days", *_SCORE))
    tell_scores(one.pk for one in attempts)
    want_attempts(one.pk for one in attempts)
    return len(items) + len(attempts)


def hold_attempts(attempt_items: Iterable[int | None]) -> list[int]:
    """Take the attempts of these places for the transaction, in one order, so that nobody works out a score from half
    of what is there; the places, without None. One query, none where there is no place."""
    places = sorted({place for place in attempt_items if place is not None})
    if places:
        hold_all(Attempt.objects.filter(pk__in=AttemptItem.objects.filter(pk__any_of=places).values("attempt")))
    return places


def hold_all(attempts: QuerySet[Attempt]) -> list[int]:
    """Take all of these attempts for the transaction, in the one order in which everybody takes them; their primary
    keys. Whoever works scores out in several turns of one transaction calls it before the first. One query."""
    rows = Attempt.objects.select_for_update(no_key=True).filter(pk__in=attempts.order_by().values("pk"))
    return list(rows.order_by("pk").values_list("pk", flat=True))


def rescore(attempts: QuerySet[Attempt]) -> int:
    """``keep_scores`` for everything in these attempts, so many at a time; how many rows changed.

    Call it inside the transaction that changed something about their rules. It takes all of them first.
    """
    pks = hold_all(attempts)
    changed = 0
    for start in range(0, len(pks), ATTEMPTS):
        some = pks[start : start + ATTEMPTS]
        changed += keep_scores(AttemptItem.objects.filter(attempt__any_of=some).values_list("pk", flat=True))
    return changed


def refresh_ends(attempts: QuerySet[Attempt], held: Mapping[int, RulesOfMany] | None = None) -> int:
    """Bring attempts into line with their rules, after windows, extensions, time factors, credits or late days changed:
    when those that go on end, and what all of them score, since what was late may be in time now; how many rows moved.

    ``held`` are the rules that held until now for all of these learners, by set: where they are known, only attempts
    are worked out that can come to something else. Call it inside the transaction of that change. Previews keep the end
    that they began with. Six queries, fifteen for every hundred attempts at quizzes, and as many for every thousand at
    exams: what an answer of these comes to does not go by rules, so that none is read.
    """
    rows = Attempt.objects.select_for_update(no_key=True, of=("self",)).select_related("problem_set__course")
    found = list(rows.filter(pk__in=attempts.order_by().values("pk")).order_by("pk"))
    rules = rules_of_pairs((attempt.problem_set, attempt.learner_id) for attempt in found)
    moved = []
    for attempt in found:
        if attempt.is_over or attempt.is_preview:
            continue
        end = ends_at(rules[attempt.problem_set_id, attempt.learner_id], attempt.began_at)
        if end != attempt.ends_at:
            attempt.ends_at = end
            moved.append(attempt)
    rewrite(moved, ("ends_at",))
    to_score = found if held is None else _that_may_move(found, held, rules)
    # Where nothing is marked, nothing was late. Practice that came after the end has no score, and may have one now.
    unscored = [one.pk for one in to_score if one.score is None and one.problem_set.mode == ProblemSet.Mode.PRACTICE]
    marked = [one for one in to_score if one.score is not None]
    exams = [one.pk for one in marked if one.problem_set.mode == ProblemSet.Mode.EXAM]
    rest = [one.pk for one in marked if one.problem_set.mode != ProblemSet.Mode.EXAM]
    rest += _practised(unscored) if unscored else []
    changed = rescore(Attempt.objects.filter(pk__in=rest)) if rest else 0
    for start in range(0, len(exams), WHOLE):
        changed += _write(worked_out((), attempts=exams[start : start + WHOLE]))
    return len(moved) + changed


def _that_may_move(
    attempts: Iterable[Attempt], held: Mapping[int, RulesOfMany], rules: Mapping[Pair, Rules]
) -> list[Attempt]:
    """Those that can come to something else by ``rules`` than by those that ``held``. One query, if credits changed."""
    now = clock.now()
    found, by_credits = [], defaultdict(list)
    for attempt in attempts:
        before = held[attempt.problem_set_id].of(attempt.learner_id)
        after = rules[attempt.problem_set_id, attempt.learner_id]
        # What goes on was sent by now.
        if lateness_moved(before, after, attempt.count_as_at or attempt.handed_in_at or now):
            found.append(attempt)
        elif before.credits != after.credits:
            by_credits[same_tries(before, after), len(before.credits)].append(attempt)
    for (same, all_there_were), several in by_credits.items():
        places = AttemptItem.objects.filter(attempt__any_of=[one.pk for one in several]).annotate(
            sent=Count("variants__submissions", filter=Q(variants__submissions__state=Submission.State.GRADED))
        )
        # Whoever had all tries may have sent more, which did not count while there were fewer.
        beyond = Q(tries__gt=same) | Q(tries__gte=all_there_were, sent__gt=all_there_were)
        pks = set(places.filter(beyond).order_by().values_list("attempt_id", flat=True))
        found += [one for one in several if one.pk in pks]
    return found


def _practised(attempts: list[int]) -> list[int]:
    """Those of these attempts in which something was marked. One query."""
    graded = Submission.objects.filter(
        variant__attempt_item__attempt__any_of=attempts, state=Submission.State.GRADED
    ).order_by()
    return [pk for pk in graded.values_list("variant__attempt_item__attempt_id", flat=True).distinct() if pk]


def keep_shown(attempts: QuerySet[Attempt]) -> int:
    """Keep what these attempts show of their learners, as far as these may know of it by now; how many rows were added.

    Call it inside the transaction that handed them in, after everything else: it takes the learners' rows.
    """
    return sum(keep_evidence(batch) for batch in _answered(attempts))


def keep_released(*, problem_set: ProblemSet) -> int:
    """The same for a whole set of which more may be known by now, as when its results were released; how many rows were
    added.

    Call it after the release is committed: every batch is a transaction of its own. What was kept is not kept twice, so
    that it can be done again.
    """
    return sum(map(_kept, _answered(problem_set.attempts.filter(is_preview=False))))


def keep_some_released(*, problem_set: ProblemSet, after: int = 0, seconds: float) -> int | None:
    """A slice of ``keep_released``, for a worker that others wait for: from the variant after ``after`` on, for about
    so many seconds; the last variant it came to, None once there is no more."""
    ends = time.monotonic() + seconds
    for batch in _answered(problem_set.attempts.filter(is_preview=False), after):
        _kept(batch)
        if time.monotonic() > ends:
            return batch[-1].pk
    return None


def _kept(variants: list[Variant]) -> int:
    with transaction.atomic():
        return keep_evidence(variants)


def _answered(attempts: QuerySet[Attempt], after: int = 0) -> Iterator[list[Variant]]:
    """Their variants of which something was marked, in batches."""
    is_graded = Exists(Submission.objects.filter(variant=OuterRef("pk"), state=Submission.State.GRADED))
    rows = Variant.objects.filter(is_graded, attempt_item__attempt__in=attempts.order_by().values("pk")).order_by("pk")
    while batch := list(rows.filter(pk__gt=after)[:VARIANTS]):
        yield batch
        after = batch[-1].pk


def _items(pks: Iterable[int]) -> QuerySet[AttemptItem]:
    return AttemptItem.objects.filter(pk__any_of=pks).only("pk", "tries", *_SCORE).order_by("pk")


def _attempts(pks: Iterable[int]) -> QuerySet[Attempt]:
    return Attempt.objects.filter(pk__any_of=pks).only("pk", "late_days", *_SCORE).order_by("pk")


def _moved_item(item: AttemptItem, tries: int, score: Fraction | None) -> bool:
    """Set what a place comes to; whether it stood otherwise."""
    is_same = item.tries == tries
    item.tries = tries
    return _set_score(item, score) or not is_same


def _moved_attempt(attempt: Attempt, score: Fraction | None, late_days: int) -> bool:
    is_same = attempt.late_days == late_days
    attempt.late_days = late_days
    return _set_score(attempt, score) or not is_same


def _set_score(row: Any, score: Fraction | None) -> bool:
    before = row.score_numerator, row.score_denominator
    row.score_numerator = None if score is None else score.numerator
    row.score_denominator = None if score is None else score.denominator
    return before != (row.score_numerator, row.score_denominator)
