"""The grade book of a course: what each learner has in each set, and what the class comes to on average."""

import datetime as dt
import uuid
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import lcm
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Sum

from exercises import clock
from exercises.course_rules import Pair, rules_of_pairs
from exercises.courses.rules import Rules, may_show_feedback, phase
from exercises.models import Attempt, Course, Enrolment, Group, Override, ProblemSet, SetItem, Submission
from exercises.queries.decided import NOTHING, Supposed

State = Literal["not-for", "not-begun", "missing", "going-on", "waiting", "handed-in"]
_NOTHING = Fraction(0)


class Cell(NamedTuple):
    """Where one learner stands in one set.

    not-for     the set is for groups of which they are in none
    not-begun   no attempt, and there may still be one: no score, which is not 0
    missing     no attempt, and the set is closed for them: 0
    going-on    an attempt is not handed in; its score is what it has so far
    waiting     handed in, and something of it is not marked yet
    handed-in   handed in and marked

    ``attempt`` is the one that counts, the best; ``attempts`` how many there are. ``is_withheld``: it is over, and the
    learner does not know the score yet. A score given by hand is there whatever the state is.
    """

    state: State
    score: Fraction | None
    attempt: uuid.UUID | None = None
    attempts: int = 0
    late_days: int = 0
    is_extended: bool = False
    is_overridden: bool = False
    is_withheld: bool = False


class BookRow(NamedTuple):
    """One learner, with a cell for each set asked for."""

    enrolment: Enrolment
    cells: list[Cell]


class Average(NamedTuple):
    """The mean of those who have a score, exactly, and how many they are."""

    share: Fraction | None
    learners: int


class _Sat(NamedTuple):
    """One attempt, as far as a cell needs it."""

    pk: int
    public_id: uuid.UUID
    problem_set: int
    learner: int
    number: int
    is_over: bool
    numerator: int | None
    denominator: int | None
    late_days: int

    @property
    def score(self) -> Fraction | None:
        return share(self.numerator, self.denominator) if self.numerator is not None and self.denominator else None


def key_of(problem_set: ProblemSet) -> str:
    """What the columns of a set are known by in a file: the first eight hex digits of its id."""
    return problem_set.public_id.hex[:8]


def sets_of(course: Course) -> list[ProblemSet]:
    """The sets that have a column: those that learners see, in their order. Two queries."""
    shown = ProblemSet.objects.filter(course=course, retired=False, published_at__isnull=False)
    found = list(shown.prefetch_related("groups").order_by("position", "pk"))
    for one in found:
        one.course = course
    return found


def book_rows(
    sets: Sequence[ProblemSet],
    enrolments: Sequence[Enrolment],
    *,
    supposed: Supposed = NOTHING,
    scores: Mapping[int, Fraction | None] = MappingProxyType({}),
) -> list[BookRow]:
    """The rows of these learners, one cell a set. The sets come with their course and groups, as from ``sets_of``.

    With ``supposed`` they are as if that had been decided; ``scores`` are what attempts come to then, by primary key.
    Previews are nowhere. Seven queries at most, however many learners and sets.
    """
    learners = [one.user_id for one in enrolments]
    rules = rules_of_pairs((one, learner) for one in sets for learner in learners)
    extended = {pair for pair, held in rules.items() if held.is_extended}
    sat, pending = _attempts(sets, learners, scores), _pending(sets)
    given = _given(sets, learners, supposed)
    closed_to = _closed_to(sets, enrolments)
    now = clock.now()
    known: dict[tuple[int, bool], bool] = {}

    columns = [one.pk for one in sets]

    def cell(pair: Pair) -> Cell:
        override = given.get(pair)
        found = _cell(sat.get(pair, ()), rules[pair], pending, known, now)
        if found.attempts == 0 and pair in closed_to:
            found = Cell("not-for", None)
        if override is not None:
            found = found._replace(score=override, is_overridden=True)
        return found._replace(is_extended=True) if pair in extended else found

    return [BookRow(one, [cell((pk, one.user_id)) for pk in columns]) for one in enrolments]


def averages(sets: Sequence[ProblemSet], learners: QuerySet[Enrolment]) -> dict[int, Average]:
    """The mean of each set over those of the learners who have a score: of their best attempt, or given by hand.

    Whoever has not begun is not among them, also when the set is closed. Three queries.
    """
    wanted = learners.order_by().values("user")
    marked = Attempt.objects.filter(
        problem_set__in=sets, is_preview=False, learner__in=wanted, score_numerator__isnull=False
    ).order_by()
    sums = _Sums()
    by_denominator = marked.values("problem_set_id", "score_denominator").annotate(
        numerators=Sum("score_numerator"), count=Count("pk")
    )
    for pk, denominator, numerators, count in by_denominator.values_list(
        "problem_set_id", "score_denominator", "numerators", "count"
    ):
        sums.add(pk, int(numerators), denominator or 1, count)
    for pk, numerator, denominator in _not_best(marked):
        sums.add(pk, -numerator, denominator, -1)
    sat = Attempt.objects.filter(
        problem_set=OuterRef("problem_set"),
        learner=OuterRef("learner"),
        is_preview=False,
        score_numerator__isnull=False,
    )
    by_hand = Override.objects.filter(problem_set__in=sets, item=None, withdrawn_at=None, learner__in=wanted)
    rows_by_hand = by_hand.filter(~Exists(sat)).order_by().values_list("problem_set_id", "score")
    for pk, score, count in rows_by_hand.annotate(count=Count("pk")):
        share = Fraction(score) * count
        sums.add(pk, share.numerator, share.denominator, count)
    return {one.pk: sums.mean(one.pk) for one in sets}


class _Sums:
    """Scores added up exactly, by set and denominator: so long they are whole numbers."""

    def __init__(self) -> None:
        self.numerators: dict[int, dict[int, int]] = defaultdict(lambda: defaultdict(int))
        self.counts: dict[int, int] = defaultdict(int)

    def add(self, problem_set: int, numerator: int, denominator: int, count: int) -> None:
        self.numerators[problem_set][denominator] += numerator
        self.counts[problem_set] += count

    def mean(self, problem_set: int) -> Average:
        count = self.counts[problem_set]
        if not count:
            return Average(None, 0)
        sums = self.numerators[problem_set]
        common = lcm(*sums)
        return Average(Fraction(sum(n * (common // d) for d, n in sums.items()), common * count), count)


def maxima(sets: Iterable[ProblemSet]) -> dict[int, Fraction]:
    """The points that each set is worth: the weights of what is put to a learner, added up. One query.

    Of a pool as many count as are chosen from it, with as many variants as the item that has most.
    """
    wanted = list(sets)
    found: dict[int, Fraction] = defaultdict(Fraction)
    pools: dict[int, tuple[int, Fraction, int]] = {}
    items: Any = SetItem.objects.filter(problem_set__in=wanted, retired=False).order_by()
    for pk, weight, variants, pool, chosen, pool_weight in items.values_list(
        "problem_set_id", "weight", "variants", "pool_id", "pool__choose", "pool__weight"
    ):
        if pool is None:
            found[pk] += Fraction(weight) * variants
        else:
            most = max(variants, pools[pool][2] if pool in pools else 0)
            pools[pool] = pk, Fraction(pool_weight) * chosen, most
    for pk, share, most in pools.values():
        found[pk] += share * most
    return {one.pk: found[one.pk] for one in wanted}


def _cell(
    sat: Sequence[_Sat], rules: Rules, pending: Collection[int], known: dict[tuple[int, bool], bool], now: dt.datetime
) -> Cell:
    if not sat:
        return Cell("missing", _NOTHING) if phase(rules, now) == "closed" else Cell("not-begun", None)
    best = sat[0] if len(sat) == 1 else max(sat, key=_rank)
    is_over = best.is_over
    # Most learners have the same rules, which are then the same object.
    place = id(rules), is_over
    if place not in known:
        known[place] = may_show_feedback(rules, handed_in=is_over, now=now)
    state: State = "handed-in"
    if not is_over:
        state = "going-on"
    elif best.numerator is None or best.pk in pending:
        state = "waiting"
    return Cell(state, best.score, best.public_id, len(sat), best.late_days, is_withheld=is_over and not known[place])


def _rank(sat: _Sat) -> tuple[Fraction, int]:
    score = sat.score
    return Fraction(-1) if score is None else score, sat.number


def _attempts(
    sets: Sequence[ProblemSet], learners: Sequence[int], scores: Mapping[int, Fraction | None]
) -> Mapping[Pair, list[_Sat]]:
    """The attempts by set and learner, with other ``scores`` than are kept where these are given. One query."""
    found: dict[Pair, list[_Sat]] = defaultdict(list)
    rows = Attempt.objects.filter(problem_set__in=sets, learner__any_of=learners, is_preview=False).order_by()
    # Whether, and not when: to read three thousand moments takes longer than all the rest.
    for values in rows.annotate(ended=Q(handed_in_at__isnull=False)).values_list(
        "pk", "public_id", "problem_set_id", "learner_id", "number", "ended", "score_numerator",
        "score_denominator", "late_days",
    ):  # fmt: skip
        one = _Sat(*values)
        if one.pk in scores:
            share = scores[one.pk]
            numerator, denominator = (None, None) if share is None else share.as_integer_ratio()
            one = one._replace(numerator=numerator, denominator=denominator)
        found[one.problem_set, one.learner].append(one)
    return found


def _pending(sets: Sequence[ProblemSet]) -> set[int]:
    """The attempts in which an answer is not marked yet, or could not be. One query over what is in the queue."""
    rows = Submission.objects.filter(
        Q(claimed_until__isnull=False) | Q(state=Submission.State.UNGRADABLE),
        variant__attempt_item__attempt__problem_set__in=sets,
    )
    return set(rows.order_by().values_list("variant__attempt_item__attempt_id", flat=True))


def _given(sets: Sequence[ProblemSet], learners: Sequence[int], supposed: Supposed) -> dict[Pair, Fraction]:
    """The scores of whole sets that were given by hand. One query."""
    rows = Override.objects.filter(problem_set__in=sets, learner__any_of=learners, item=None, withdrawn_at=None)
    if gone := [one.pk for one in supposed.withdrawn if isinstance(one, Override)]:
        rows = rows.exclude(pk__in=gone)
    found = rows.order_by().values_list("problem_set_id", "learner_id", "score")
    given = {(problem_set, learner): Fraction(score) for problem_set, learner, score in found}
    return given | {
        (one.problem_set_id, one.learner_id): one.share for one in supposed.overrides if one.item_id is None
    }


def _closed_to(sets: Sequence[ProblemSet], enrolments: Sequence[Enrolment]) -> set[Pair]:
    """The learners to whom a set for groups is not given. One query."""
    members = Group.members.through.objects
    groups = {one.pk: {group.pk for group in one.groups.all()} for one in sets}
    wanted = {group for allowed in groups.values() for group in allowed}
    theirs: dict[int, set[int]] = defaultdict(set)
    for enrolment, group in members.filter(enrolment__in=[one.pk for one in enrolments], group__in=wanted).values_list(
        "enrolment_id", "group_id"
    ):
        theirs[enrolment].add(group)
    return {
        (pk, one.user_id)
        for pk, allowed in groups.items()
        if allowed
        for one in enrolments
        if not allowed & theirs[one.pk]
    }


def _not_best(marked: QuerySet[Attempt]) -> Iterator[tuple[int, int, int]]:
    """(set, numerator, denominator) of the attempts that do not count, since the same learner has a better one. One
    query, of those who sat a set more than once."""
    again = Attempt.objects.filter(
        problem_set=OuterRef("problem_set"), learner=OuterRef("learner"), is_preview=False, number__gt=1
    )
    best: dict[Pair, tuple[int, int]] = {}
    for pk, learner, numerator, denominator in marked.filter(Exists(again)).values_list(
        "problem_set_id", "learner_id", "score_numerator", "score_denominator"
    ):
        if numerator is None or not denominator:
            continue
        mine, held = (numerator, denominator), best.get((pk, learner))
        if held is None:
            best[pk, learner] = mine
            continue
        # Crosswise, which is exact and takes a tenth of the time that fractions do.
        is_better = mine[0] * held[1] > held[0] * mine[1]
        best[pk, learner], (lower, under) = (mine, held) if is_better else (held, mine)
        yield pk, lower, under


@lru_cache(maxsize=4096)
def share(numerator: int, denominator: int) -> Fraction:
    """A score as a fraction: kept, since a class has far fewer scores than attempts."""
    return Fraction(numerator, denominator)
