"""The rules of problem sets, read from the tables: the one place that turns rows into what courses.rules works with."""

import logging
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from itertools import chain
from typing import Any, cast
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.db.models import Q

from exercises.courses.rules import Exemption, Feedback, Mode, Policy, Retry, Rules, effective
from exercises.models import Course, Enrolment, Extension, Group, ProblemSet, User

log = logging.getLogger(__name__)

#: (problem set, learner), by primary key
Pair = tuple[int, int]
_MOST_SHARE_TEXT = 40
_PLAIN = Decimal(1)


def policy_of(problem_set: ProblemSet) -> Policy:
    """The rules as they are written on a set. No query.

    What cannot be read any more, such as a share that an older release wrote, is logged and counts as not written:
    a page that shows thirty sets does not fail for one of them.
    """
    return Policy(
        mode=cast("Mode", str(problem_set.mode)),
        opens_at=problem_set.opens_at,
        due_at=problem_set.due_at,
        closes_at=problem_set.closes_at,
        time_limit=problem_set.time_limit or None,
        credits=_shares(problem_set, problem_set.credits),
        retry=cast("Retry", str(problem_set.retry)),
        feedback=cast("Feedback", str(problem_set.feedback)),
        released_at=problem_set.released_at,
        late=_shares(problem_set, problem_set.late),
        hints=problem_set.hints,
        pass_mark=next(iter(_shares(problem_set, [problem_set.pass_mark] if problem_set.pass_mark else [])), None),
    )


def zone_of(course: Course) -> str:
    """The time zone that a course goes by: UTC where its own is none that is known here."""
    return course.time_zone if _is_zone(course.time_zone) else "UTC"


def rules_of(problem_set: ProblemSet, who: Enrolment | User) -> Rules:
    """What holds for somebody in a set, which comes with its course. One query, two for a user.

    Somebody who is not in the course, as whoever runs the service, has the rules as they are written.
    """
    if isinstance(who, User):
        found = Enrolment.objects.filter(course=problem_set.course_id, user=who).first()
        return _worked_out(problem_set, found.time_factor if found else _PLAIN, _exemptions([problem_set], who.pk))
    return _worked_out(problem_set, who.time_factor, _exemptions([problem_set], who.user_id))


def rules_of_sets(problem_sets: Iterable[ProblemSet], enrolment: Enrolment) -> dict[int, Rules]:
    """What holds for one person in many sets of their course, by primary key of the set. One query.

    The sets come with their course.
    """
    sets = list(problem_sets)
    given = _exemptions(sets, enrolment.user_id)
    return {one.pk: _worked_out(one, enrolment.time_factor, given) for one in sets}


@dataclass(frozen=True)
class RulesOfMany:
    """What holds in one set for each of many learners: most have ``plain``, ``other`` is by learner who does not."""

    plain: Rules
    other: Mapping[int, Rules]

    def of(self, learner: int) -> Rules:
        """What holds for one of them, by primary key."""
        return self.other.get(learner, self.plain)


def rules_of_pairs(pairs: Iterable[tuple[ProblemSet, int]]) -> dict[Pair, Rules]:
    """What holds for each of these learners in each of their sets, which come with their courses. Three queries, and
    two where no group has an extension."""
    sets: dict[int, ProblemSet] = {}
    wanted: dict[int, list[int]] = defaultdict(list)
    for problem_set, user in pairs:
        pk = problem_set.id
        sets[pk] = problem_set
        wanted[pk].append(user)
    of_sets = rules_of_many(sets.values(), set(chain.from_iterable(wanted.values())))
    return {(pk, user): of_sets[pk].of(user) for pk, users in wanted.items() for user in users}


def rules_of_many(
    problem_sets: Iterable[ProblemSet], learners: Iterable[int], *, enrolments: Iterable[Enrolment] | None = None
) -> dict[int, RulesOfMany]:
    """What holds for all of these learners in all of these sets, which come with their courses, by primary key of the
    set. As many queries as ``rules_of_pairs``, and no work for each pair: pages ask for thousands. With the
    ``enrolments`` of all of them in the courses of all the sets it is one less."""
    sets, users = list(problem_sets), sorted(set(learners))
    if not sets or not users:
        return {one.pk: _of_set(one, {}, {}, ()) for one in sets}
    factors = _factors(sets, users) if enrolments is None else _factors_of(enrolments)
    own, of_groups = _extensions(sets, users)
    members = _members({group for rows in of_groups.values() for group, _ in rows}, users)
    return {
        one.pk: _of_set(
            one, factors[one.course_id], own[one.pk], [(members[group], said) for group, said in of_groups[one.pk]]
        )
        for one in sets
    }


def _of_set(
    problem_set: ProblemSet,
    factors: Mapping[int, Decimal],
    own: Mapping[int, Exemption],
    of_groups: Sequence[tuple[Collection[int], Exemption]],
) -> RulesOfMany:
    """The rules of one set: factors and extensions by learner, and those of groups with who is in them."""
    given: dict[int, tuple[Exemption, ...]] = {user: (said,) for user, said in own.items()}
    for members, said in of_groups:
        for user in members:
            given[user] = (*given.get(user, ()), said)
    policy, zone = policy_of(problem_set), zone_of(problem_set.course)
    # Worked out once for each that differs.
    known: dict[tuple[Decimal, tuple[Exemption, ...]], Rules] = {}

    def worked_out(factor: Decimal, exemptions: tuple[Exemption, ...]) -> Rules:
        if (factor, exemptions) not in known:
            known[factor, exemptions] = effective(
                policy, time_zone=zone, time_factor=Fraction(factor), exemptions=exemptions
            )
        return known[factor, exemptions]

    other = {user: worked_out(factors.get(user, _PLAIN), given.get(user, ())) for user in factors.keys() | given.keys()}
    return RulesOfMany(worked_out(_PLAIN, ()), other)


def _factors(sets: Iterable[ProblemSet], users: list[int]) -> dict[int, dict[int, Decimal]]:
    """Time factors by course and learner, where they are not 1. One query."""
    rows = Enrolment.objects.filter(course__in={one.course_id for one in sets}, user__any_of=users).order_by()
    found: dict[int, dict[int, Decimal]] = defaultdict(dict)
    for course, user, factor in rows.exclude(time_factor=_PLAIN).values_list("course_id", "user_id", "time_factor"):
        found[course][user] = factor
    return found


def _factors_of(enrolments: Iterable[Enrolment]) -> dict[int, dict[int, Decimal]]:
    found: dict[int, dict[int, Decimal]] = defaultdict(dict)
    for one in enrolments:
        if one.time_factor != _PLAIN:
            found[one.course_id][one.user_id] = one.time_factor
    return found


def _worked_out(problem_set: ProblemSet, factor: Decimal, given: Mapping[int, list[Exemption]]) -> Rules:
    return effective(
        policy_of(problem_set),
        time_zone=zone_of(problem_set.course),
        time_factor=Fraction(factor),
        exemptions=given.get(problem_set.pk, ()),
    )


def _exemptions(sets: Iterable[ProblemSet], user: int) -> dict[int, list[Exemption]]:
    """What is different for one person, by set. One query."""
    found: dict[int, list[Exemption]] = defaultdict(list)
    theirs = Q(learner=user) | Q(group__in=Group.objects.filter(members__user=user))
    for row in Extension.objects.filter(theirs, problem_set__in=[one.pk for one in sets]):
        found[row.problem_set_id].append(exemption_of(row))
    return found


def _extensions(
    sets: Iterable[ProblemSet], users: list[int]
) -> tuple[dict[int, dict[int, Exemption]], dict[int, list[tuple[int, Exemption]]]]:
    """Those of these learners, by set and learner, and those of groups with the group, by set. One query."""
    own: dict[int, dict[int, Exemption]] = defaultdict(dict)
    of_groups: dict[int, list[tuple[int, Exemption]]] = defaultdict(list)
    theirs = Q(learner__any_of=users) | Q(group__isnull=False)
    rows = Extension.objects.filter(theirs, problem_set__in=[one.pk for one in sets]).order_by()
    for row in rows.defer("reason", "created_at"):
        if row.group_id is not None:
            of_groups[row.problem_set_id].append((row.group_id, exemption_of(row)))
        elif row.learner_id is not None:
            own[row.problem_set_id][row.learner_id] = exemption_of(row)
    return own, of_groups


def _members(groups: Iterable[int], users: list[int]) -> dict[int, list[int]]:
    """Which of these users are in each of these groups. One query, if there are any."""
    wanted = list(groups)
    found: dict[int, list[int]] = defaultdict(list)
    if wanted:
        rows = Group.members.through.objects.filter(group__in=wanted, enrolment__user__any_of=users)
        for group, user in rows.values_list("group_id", "enrolment__user_id"):
            found[group].append(user)
    return found


def exemption_of(extension: Extension) -> Exemption:
    """What one extension says. No query."""
    return Exemption(
        opens_at=extension.opens_at,
        due_at=extension.due_at,
        closes_at=extension.closes_at,
        time_limit=extension.time_limit or None,
        attempts=extension.attempts,
        is_own=extension.group_id is None,
    )


def _shares(problem_set: ProblemSet, stored: Any) -> tuple[Fraction, ...]:
    """Exact shares in [0, 1], as far as they can be read."""
    found = []
    for told in stored if isinstance(stored, list) else []:
        share = _share(str(told)[:_MOST_SHARE_TEXT])
        if share is not None:
            found.append(share)
        else:
            log.error("Set %s: %r is no share from 0 to 1, and is left out.", problem_set.public_id, told)
    return tuple(found)


@lru_cache(maxsize=1024)
def _share(told: str) -> Fraction | None:
    """The share in [0, 1] that is written there, None where it is none: kept, since sets write the same few."""
    try:
        share = Fraction(told)
    except (ValueError, ZeroDivisionError):
        return None
    return share if 0 <= share <= 1 else None


@lru_cache(maxsize=1024)
def _is_zone(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        log.error("%r is no time zone that is known here; UTC stands in for it.", name)
        return False
    return True
