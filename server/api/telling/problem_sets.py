"""Problem sets, their items, pools and extensions: to those who teach as they are written, to others as they hold."""

from collections.abc import Sequence
from typing import Any

from exercises import clock
from exercises.courses.rights import Right, may
from exercises.courses.rules import Rules, phase
from exercises.courses.wording import factor_in_words, rules_in_words
from exercises.models import Enrolment, Extension, ExternalId, Pool, ProblemSet
from exercises.queries.external_ids import external_ids
from exercises.queries.set_contents import ItemRow
from exercises.queries.sets import SetRow, rows_for, written_rules
from exercises.set_rows import base_of, details_of
from server.api.shapes import problem_sets as shapes


def is_staff(enrolment: Enrolment) -> bool:
    """Whether somebody sees drafts, and everything that is written on a set."""
    return may(enrolment.role, Right.READ_WORK)


def sets_told(enrolment: Enrolment, rows: Sequence[ProblemSet]) -> list[dict[str, Any]]:
    """Sets of one course as a member has them. Three queries for all of them; two for staff, whose rows come with
    their groups."""
    names = external_ids(enrolment.user, ExternalId.Kind.PROBLEM_SET, [row.pk for row in rows])
    for row in rows:
        row.course = enrolment.course
    if is_staff(enrolment):
        said = [_taught(row) for row in rows]
    else:
        may_sit = may(enrolment.role, Right.SIT)
        said = [_own(row, may_sit=may_sit) for row in rows_for(rows, enrolment)]
    told = []
    for row, one in zip(rows, said, strict=True):
        body = shapes.CourseSet({**one, "external_id": names.get(row.pk)}).data
        # What is for others would stand there as null.
        told.append({name: value for name, value in body.items() if name in one or name == "external_id"})
    return told


def set_told(enrolment: Enrolment, problem_set: ProblemSet) -> dict[str, Any]:
    """One set as a member has it. Three queries at most."""
    return sets_told(enrolment, [problem_set])[0]


def rules_told(rules: Rules) -> dict[str, Any]:
    """What holds for somebody, as data. No query."""
    limit = None if rules.time_limit is None else rules.time_limit.total_seconds()
    return {**vars(rules), "time_limit_seconds": limit, "time_factor": factor_in_words(rules.time_factor)}


def set_rules_told(learner: Enrolment, rules: Rules, places: int) -> dict[str, Any]:
    """What holds for somebody, in data and in words. No query."""
    now = clock.now()
    return shapes.SetRules(
        {
            "learner": learner.user.get_username(),
            "phase": phase(rules, now),
            "rules": rules_told(rules),
            "places": places,
            "words": rules_in_words(rules, now=now, items=places),
        }
    ).data


def item_told(row: ItemRow) -> dict[str, Any]:
    """One item, for those who teach. No query."""
    item, base = row.item, base_of(row.item)
    plain = ("id", "position", "weight", "variants", "asked", "adaptation")
    return shapes.SetItem(
        {
            **{name: getattr(item, name) for name in plain},
            "problem": item.problem.slug,
            "title": item.problem.title,
            "version": base.number if base else None,
            "newer_version": row.newer.number if row.newer else None,
            "pool": item.pool_id,
            "is_checking": row.checking,
            "is_retired": item.retired,
            "obstacle": row.obstacle,
        }
    ).data


def pool_told(pool: Pool) -> dict[str, Any]:
    """One pool. No query."""
    return shapes.Pool(pool).data


def extensions_told(rows: Sequence[Extension]) -> list[dict[str, Any]]:
    """Extensions with whom they are for and who gave them. No query."""
    plain = ("id", "opens_at", "due_at", "closes_at", "time_limit", "attempts", "reason", "created_at")
    return [
        shapes.SetExtension(
            {
                **{name: getattr(row, name) for name in plain},
                "learner": row.learner.get_username() if row.learner else None,
                "group": row.group_id,
                "given_by": row.given_by.get_username() if row.given_by else None,
            }
        ).data
        for row in rows
    ]


def _common(row: ProblemSet, rules: Rules) -> dict[str, Any]:
    return {
        "id": row.public_id,
        "course": row.course.public_id,
        **{name: getattr(row, name) for name in ("title", "mode", "instructions", "updated_at")},
        "phase": phase(rules, clock.now()),
        "rules": rules_told(rules),
    }


def _taught(row: ProblemSet) -> dict[str, Any]:
    groups = sorted(group.pk for group in row.groups.all())
    return {
        **_common(row, written_rules(row)),
        "details": {**vars(details_of(row)), "groups": groups},
        **{name: getattr(row, name) for name in ("revision", "position", "published_at")},
    }


def _own(row: SetRow, *, may_sit: bool) -> dict[str, Any]:
    own = {
        "state": row.state,
        "attempt": row.attempt.public_id if row.attempt else None,
        "may_begin": row.may_begin,
        "score": None if row.score is None else str(row.score),
        "is_passed": row.is_passed,
        "waits": row.waits,
    }
    return {**_common(row.problem_set, row.rules), **({"own": own} if may_sit else {})}
