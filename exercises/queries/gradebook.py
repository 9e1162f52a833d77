"""The grade book of a course: what each learner has in each set."""

import datetime as dt
import uuid
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from django.db.models import Q

from exercises import clock
from exercises.course_rules import RulesOfMany, rules_of_many
from exercises.courses.rules import Rules, may_show_feedback, phase
from exercises.models import Attempt, Course, Enrolment, Group, Override, ProblemSet, SetItem, Submission
from exercises.queries.decided import NOTHING, Supposed

State = Literal["not-for", "not-begun", "missing", "going-on", "waiting", "handed-in"]
#: An attempt, as far as a cell needs it: set, learner, primary key, public id, number, whether it is over, numerator
#: and denominator of its score, days late. Plain, since a page has thousands.
_Sat = tuple[int, int, int, uuid.UUID, int, bool, int | None, int | None, int]


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


_NOT_FOR, _NOT_BEGUN, _MISSING = Cell("not-for", None), Cell("not-begun", None), Cell("missing", Fraction(0))


class BookRow(NamedTuple):
    """One learner, with a cell for each set asked for."""

    enrolment: Enrolment
    cells: list[Cell]


def key_of(problem_set: ProblemSet) -> str:
    """What the columns of a set are known by in a file: the first eight hex digits of its id."""
    return problem_set.public_id.hex[:8]


def sets_of(course: Course) -> list[ProblemSet]:
    """The sets that have a column: those that learners see, in their order. One query."""
    shown = ProblemSet.objects.filter(course=course, retired=False, published_at__isnull=False)
    found = list(shown.order_by("position", "pk"))
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
    """The rows of these learners, one cell a set. The sets come with their course, as from ``sets_of``, and all
    are of the one that the learners are enrolled in.

    With ``supposed`` they are as if that had been decided; ``scores`` are what attempts come to then, by primary key.
    Previews are nowhere. Seven queries at most, however many learners and sets.
    """
    learners = [one.user_id for one in enrolments]
    rules = rules_of_many(sets, learners, enrolments=enrolments)
    sat, pending = _attempts(sets, learners, scores), _pending(sets)
    given = _given(sets, learners, supposed)
    closed_to = _closed_to(sets, enrolments)
    now = clock.now()
    columns = [
        _column(learners, rules[pk], sat[pk], given[pk], closed_to[pk], pending, now) for pk in (one.pk for one in sets)
    ]
    # Column by column, since what holds in a set is the same for most: then turned.
    cells = map(list, zip(*columns, strict=True)) if columns else ([] for _ in enrolments)
    return [BookRow(one, row) for one, row in zip(enrolments, cells, strict=True)]


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


def _column(
    learners: Iterable[int],
    rules: RulesOfMany,
    sat: Mapping[int, Sequence[_Sat]],
    given: Mapping[int, Fraction],
    closed_to: Collection[int],
    pending: Collection[int],
    now: dt.datetime,
) -> list[Cell]:
    """The cells of one set: as most have them, and what is different for some."""
    plain = _Standing(rules.plain, now)
    # Whoever has the same rules shares the object.
    others = {id(own): _Standing(own, now) for own in rules.other.values()}
    cells = []
    for learner in learners:
        attempts, own = sat.get(learner), rules.other.get(learner)
        standing = plain if own is None else others[id(own)]
        if attempts is not None:
            cell = _sat_cell(attempts, standing, pending)
        else:
            cell = _NOT_FOR if learner in closed_to else standing.unsat
        if learner in given:
            cell = cell._replace(score=given[learner], is_overridden=True)
        cells.append(cell._replace(is_extended=True) if own is not None and own.is_extended else cell)
    return cells


class _Standing:
    """What the rules come to at a moment, for cells: without an attempt, and whether what is over is withheld."""

    __slots__ = ("is_withheld", "unsat")

    def __init__(self, rules: Rules, now: dt.datetime) -> None:
        self.unsat = _MISSING if phase(rules, now) == "closed" else _NOT_BEGUN
        self.is_withheld = not may_show_feedback(rules, handed_in=True, now=now)


def _sat_cell(attempts: Sequence[_Sat], standing: _Standing, pending: Collection[int]) -> Cell:
    """The cell of somebody who has attempts: of the one that counts."""
    best = attempts[0] if len(attempts) == 1 else max(attempts, key=_rank)
    _, _, pk, public_id, _, is_over, numerator, denominator, late_days = best
    state: State = "handed-in"
    if not is_over:
        state = "going-on"
    elif numerator is None or pk in pending:
        state = "waiting"
    score = share(numerator, denominator) if numerator is not None and denominator else None
    return Cell(state, score, public_id, len(attempts), late_days, False, False, is_over and standing.is_withheld)


def _rank(sat: _Sat) -> tuple[Fraction, int]:
    *_, number, _, numerator, denominator, _ = sat
    return share(numerator, denominator) if numerator is not None and denominator else Fraction(-1), number


def _attempts(
    sets: Sequence[ProblemSet], learners: Sequence[int], scores: Mapping[int, Fraction | None]
) -> Mapping[int, Mapping[int, list[_Sat]]]:
    """The attempts by set and learner, with other ``scores`` than are kept where these are given. One query."""
    found: dict[int, dict[int, list[_Sat]]] = {one.pk: defaultdict(list) for one in sets}
    rows = Attempt.objects.filter(problem_set__in=sets, learner__any_of=learners, is_preview=False).order_by()
    # Whether, and not when: to read three thousand moments takes longer than all the rest.
    for row in rows.annotate(ended=Q(handed_in_at__isnull=False)).values_list(
        "problem_set_id", "learner_id", "pk", "public_id", "number", "ended", "score_numerator", "score_denominator",
        "late_days",
    ):  # fmt: skip
        if scores and row[2] in scores:
            given = scores[row[2]]
            row = (*row[:6], *((None, None) if given is None else given.as_integer_ratio()), row[8])  # noqa: PLW2901
        found[row[0]][row[1]].append(row)
    return found


def _pending(sets: Sequence[ProblemSet]) -> set[int]:
    """The attempts in which an answer is not marked yet, or could not be. One query over what is in the queue."""
    rows = Submission.objects.filter(
        Q(claimed_until__isnull=False) | Q(state=Submission.State.UNGRADABLE),
        variant__attempt_item__attempt__problem_set__in=sets,
    )
    return set(rows.order_by().values_list("variant__attempt_item__attempt_id", flat=True))


def _given(sets: Sequence[ProblemSet], learners: Sequence[int], supposed: Supposed) -> dict[int, dict[int, Fraction]]:
    """The scores of whole sets that were given by hand, by set and learner. One query."""
    rows = Override.objects.filter(problem_set__in=sets, learner__any_of=learners, item=None, withdrawn_at=None)
    if gone := [one.pk for one in supposed.withdrawn if isinstance(one, Override)]:
        rows = rows.exclude(pk__in=gone)
    given: dict[int, dict[int, Fraction]] = defaultdict(dict)
    for problem_set, learner, score in rows.order_by().values_list("problem_set_id", "learner_id", "score"):
        given[problem_set][learner] = Fraction(score)
    for one in supposed.overrides:
        if one.item_id is None:
            given[one.problem_set_id][one.learner_id] = one.share
    return given


def _closed_to(sets: Sequence[ProblemSet], enrolments: Sequence[Enrolment]) -> Mapping[int, Collection[int]]:
    """The learners to whom a set for groups is not given, by set. One query, two where there are such sets."""
    groups: dict[int, set[int]] = defaultdict(set)
    for pk, group in ProblemSet.groups.through.objects.filter(problemset__in=[one.pk for one in sets]).values_list(
        "problemset_id", "group_id"
    ):
        groups[pk].add(group)
    closed_to: dict[int, Collection[int]] = defaultdict(tuple)
    if not groups:
        return closed_to
    theirs: dict[int, set[int]] = defaultdict(set)
    members = Group.members.through.objects.filter(enrolment__in=[one.pk for one in enrolments])
    for enrolment, group in members.filter(group__in=set().union(*groups.values())).values_list(
        "enrolment_id", "group_id"
    ):
        theirs[enrolment].add(group)
    for pk, allowed in groups.items():
        closed_to[pk] = {one.user_id for one in enrolments if not allowed & theirs[one.pk]}
    return closed_to


@lru_cache(maxsize=4096)
def share(numerator: int, denominator: int) -> Fraction:
    """A score as a fraction: kept, since a class has far fewer scores than attempts."""
    return Fraction(numerator, denominator)
