"""The rules of problem sets, read from the tables: the one place that turns rows into what courses.rules works with."""

import logging
from collections import defaultdict
from collections.abc import Iterable, Mapping
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


def rules_of_pairs(pairs: Iterable[tuple[ProblemSet, int]]) -> dict[Pair, Rules]:
    """What holds for each of these learners in each of their sets, which come with their courses. Three queries, and
    two where no group has an extension."""
    sets: dict[int, ProblemSet] = {}
    wanted: dict[int, list[int]] = defaultdict(list)
    for problem_set, user in pairs:
        pk = problem_set.id
        sets[pk] = problem_set
        wanted[pk].append(user)
    if not wanted:
        return {}
    users = sorted(set(chain.from_iterable(wanted.values())))
    factors = _factors(sets.values(), users)
    own, of_groups = _extensions(sets, users)
    members = _members({group for rows in of_groups.values() for group, _ in rows}, users)
    found: dict[Pair, Rules] = {}
    for pk, problem_set in sets.items():
        policy, zone, course = policy_of(problem_set), zone_of(problem_set.course), problem_set.course_id
        groups = of_groups.get(pk, ())
        # Most have the same: it is worked out once for each that differs. Pages ask for thousands of pairs.
        known: dict[tuple[Decimal, tuple[Exemption, ...]], Rules] = {}
        plain: Rules | None = None
        for user in wanted[pk]:
            factor, given = factors.get((course, user), _PLAIN), own.get((pk, user), ())
            if groups:
                given = (*given, *(exemption for group, exemption in groups if (group, user) in members))
            is_plain = factor is _PLAIN and not given
            rules = plain if is_plain else known.get((factor, given))
            if rules is None:
                rules = effective(policy, time_zone=zone, time_factor=Fraction(factor), exemptions=given)
                known[factor, given] = rules
                plain = rules if is_plain else plain
            found[pk, user] = rules
    return found


def _factors(sets: Iterable[ProblemSet], users: list[int]) -> dict[Pair, Decimal]:
    """Time factors by (course, learner), where they are not 1. One query."""
    rows = Enrolment.objects.filter(course__in={one.course_id for one in sets}, user__any_of=users).order_by()
    found = rows.exclude(time_factor=_PLAIN).values_list("course_id", "user_id", "time_factor")
    return {(course, user): factor for course, user, factor in found}


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
    sets: Iterable[int], users: list[int]
) -> tuple[dict[Pair, tuple[Exemption, ...]], dict[int, list[tuple[int, Exemption]]]]:
    """Those of these learners, and those of groups with the group, by set. One query."""
    own: dict[Pair, tuple[Exemption, ...]] = {}
    of_groups: dict[int, list[tuple[int, Exemption]]] = defaultdict(list)
    theirs = Q(learner__any_of=users) | Q(group__isnull=False)
    for row in Extension.objects.filter(theirs, problem_set__in=list(sets)):
        if row.group_id is not None:
            of_groups[row.problem_set_id].append((row.group_id, exemption_of(row)))
        elif row.learner_id is not None:
            own[row.problem_set_id, row.learner_id] = (exemption_of(row),)
    return own, of_groups


def _members(groups: Iterable[int], users: list[int]) -> set[tuple[int, int]]:
    """(group, learner) of those who are in these groups. One query, if there are any."""
    wanted = list(groups)
    if not wanted:
        return set()
    rows = Group.members.through.objects.filter(group__in=wanted, enrolment__user__any_of=users)
    return set(rows.values_list("group_id", "enrolment__user_id"))


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
        try:
            share = Fraction(str(told)[:_MOST_SHARE_TEXT])
        except (ValueError, ZeroDivisionError):
            share = Fraction(-1)
        if 0 <= share <= 1:
            found.append(share)
        else:
            log.error("Set %s: %r is no share from 0 to 1, and is left out.", problem_set.public_id, told)
    return tuple(found)


@lru_cache(maxsize=1024)
def _is_zone(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        log.error("%r is no time zone that is known here; UTC stands in for it.", name)
        return False
    return True
