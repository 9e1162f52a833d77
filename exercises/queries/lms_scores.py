"""What platforms are to show of the people of a course, and what they were told."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.db.models import Count, F, Max, Prefetch, Q

from exercises import clock
from exercises.course_rules import rules_of_many
from exercises.courses.rules import may_show_feedback
from exercises.lti.grade_books import is_shown
from exercises.lti.scores import Said, Sat, best_of, said_of
from exercises.models import (
    Attempt,
    AttemptItem,
    Context,
    Course,
    LineItem,
    LmsScore,
    Override,
    ProblemSet,
    ResourceLink,
    SetItem,
    Submission,
)

#: Of one column on its page.
MOST_PEOPLE = 50


@dataclass(frozen=True)
class Standing:
    """What there is to say of one learner; None is nothing. ``waits``: it will be something else by itself soon."""

    said: Said | None
    waits: bool = False


def standings(problem_set: ProblemSet, learners: Iterable[int], *, item: SetItem | None = None) -> dict[int, Standing]:
    """What a platform is to show of each of these learners for a set, which comes with its course, or for one item of
    it. Eight queries at most, however many learners."""
    wanted = sorted(set(learners))
    is_practice = problem_set.mode == ProblemSet.Mode.PRACTICE
    rules, now = rules_of_many([problem_set], wanted)[problem_set.pk], clock.now()
    sat = _sat(problem_set, wanted, is_practice=is_practice)
    by_hand = {} if item else _given(problem_set, wanted)
    of_item = _item_scores(item, [one.key for several in sat.values() for one in several]) if item else {}
    found = {}
    for learner in wanted:
        attempts = sat.get(learner, [])
        waits = any(one.waits for one in attempts)
        if item is not None:
            best = best_of(attempts, is_practice=is_practice)
            attempts = [one.of_item(of_item.get(one.key)) for one in ([best] if best else attempts)]
            attempts = [one for one in attempts if one.key in of_item]
        is_withheld = not may_show_feedback(rules.of(learner), handed_in=True, now=now)
        said = said_of(attempts, is_practice=is_practice, is_withheld=is_withheld, by_hand=by_hand.get(learner))
        found[learner] = Standing(said, waits)
    return found


def _sat(problem_set: ProblemSet, learners: Collection[int], *, is_practice: bool) -> Mapping[int, list[Sat]]:
    """The attempts of each learner, the first first. Three queries at most."""
    rows: Any = Attempt.objects.filter(problem_set=problem_set, learner__any_of=learners, is_preview=False)
    if is_practice:
        rows = rows.annotate(worked_at=Max("items__variants__submissions__created_at"))
    attempts = list(rows.order_by("learner_id", "number"))
    queued: Any = Submission.objects.filter(
        Q(claimed_until__isnull=False) | Q(state=Submission.State.UNGRADABLE),
        variant__attempt_item__attempt__any_of=[one.pk for one in attempts],
    )
    waiting: set[int] = set()
    stuck: set[int] = set()
    for attempt, state in queued.order_by().values_list("variant__attempt_item__attempt_id", "state"):
        (stuck if state == Submission.State.UNGRADABLE else waiting).add(attempt)
    found = defaultdict(list)
    for one in attempts:
        ended = one.count_as_at or one.handed_in_at or (one.worked_at if is_practice else None)
        found[one.learner_id].append(
            Sat(
                key=one.pk, score=one.score, is_over=one.is_over, ended_at=ended, waits=one.pk in waiting,
                is_stuck=one.pk in stuck, late_days=one.late_days,
            )
        )  # fmt: skip
    return found


def _item_scores(item: SetItem, attempts: Collection[int]) -> dict[int, Fraction | None]:
    """What an item of these attempts comes to: of several variants the mean. One query."""
    found: dict[int, list[Fraction | None]] = defaultdict(list)
    for place in AttemptItem.objects.filter(item=item, attempt__any_of=list(attempts)):
        found[place.attempt_id].append(place.score)
    return {
        attempt: sum((score or Fraction(0) for score in scores), Fraction(0)) / len(scores)
        if any(score is not None for score in scores)
        else None
        for attempt, scores in found.items()
    }


def _given(problem_set: ProblemSet, learners: Collection[int]) -> dict[int, Fraction]:
    """Scores of the whole set that were given by hand. One query."""
    rows = Override.objects.filter(problem_set=problem_set, learner__any_of=learners, item=None, withdrawn_at=None)
    return {row.learner_id: row.share for row in rows}


@dataclass(frozen=True)
class ScoreRow:
    """One score on the page: what it is called there, and whether the platform shows what it was told."""

    score: LmsScore
    name: str
    is_otherwise: bool


def of_its_course(column: str = "") -> Q:
    """The condition that a column, found by this path, is for a set of the course that its context leads to now: what a
    context led to before it was disconnected is nothing to those who have it now."""
    return Q(**{f"{column}problem_set__course": F(f"{column}context__course")})


def contexts_of(course: Course) -> list[Context]:
    """The courses of platforms that lead to a course, with their registrations and its columns there. Three queries."""
    rows = Context.objects.filter(course=course).select_related("deployment__registration").order_by("pk")
    columns = LineItem.objects.filter(problem_set__course=course).select_related("problem_set", "set_item__problem")
    found = list(rows.prefetch_related(Prefetch("line_items", queryset=columns))[:50])
    counted: dict[int, dict[str, int]] = defaultdict(dict)
    shown = LmsScore.objects.filter(line_item__context__in=found, line_item__problem_set__course=course).order_by()
    states = shown.values_list("line_item_id", "state").annotate(count=Count("pk"))
    for line_item, state, count in states:
        counted[line_item][state] = count
    for one in found:
        for column in one.line_items.all():
            column.counts = counted[column.pk]  # type: ignore[attr-defined]
    return found


def sets_without_column(context: Context) -> list[ProblemSet]:
    """The published sets of its course that a platform keeps no column for. One query."""
    rows = ProblemSet.objects.filter(course=context.course_id, retired=False, published_at__isnull=False)
    has_one = LineItem.objects.filter(context=context, set_item=None).values("problem_set")
    return list(rows.exclude(pk__in=has_one).order_by("position", "pk")[:100])


def links_of(context: Context) -> list[ResourceLink]:
    """The links of a course of a platform. One query."""
    return list(ResourceLink.objects.filter(context=context).select_related("problem_set")[:100])


def score_rows(column: LineItem, *, only: str = "", after: int = 0) -> list[ScoreRow]:
    """The scores of a column, one more than a page has, those behind a primary key. One query."""
    rows = LmsScore.objects.filter(line_item=column, pk__gt=after).select_related("platform_user__user")
    if only:
        rows = rows.filter(state=only)
    return [
        ScoreRow(
            one,
            one.platform_user.name or one.platform_user.user.get_username(),
            bool(one.sent and one.read_at and not is_shown(one.sent, one.shown)),
        )
        for one in rows.order_by("pk")[: MOST_PEOPLE + 1]
    ]
