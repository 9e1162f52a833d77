"""What each role in a course may do."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType


class Right(StrEnum):
    """One thing that somebody may do in a course.

    view        see that it is there, and the sets that are published
    sit         sit them
    statistics  see how the class does, without names
    read-work   see who did what: the roster, the grade book, answers and marks
    grade       decide about scores, give extensions, enter answers from paper, settle fault reports, look at regrades
                and begin their dry runs
    manage      make sets and publish them, people and roles, apply and undo regrades, release of results
    """

    VIEW = "view"
    SIT = "sit"
    STATISTICS = "statistics"
    READ_WORK = "read-work"
    GRADE = "grade"
    MANAGE = "manage"


RIGHTS: Mapping[str, frozenset[Right]] = MappingProxyType(
    {
        "learner": frozenset({Right.VIEW, Right.SIT}),
        "observer": frozenset({Right.VIEW, Right.STATISTICS}),
        "assistant": frozenset({Right.VIEW, Right.STATISTICS, Right.READ_WORK, Right.GRADE}),
        "instructor": frozenset({Right.VIEW, Right.STATISTICS, Right.READ_WORK, Right.GRADE, Right.MANAGE}),
    }
)


def may(role: str, right: Right) -> bool:
    """Whether a role includes a right; an unknown role includes none."""
    return right in RIGHTS.get(role, frozenset())


def roles_with(right: Right) -> list[str]:
    """The roles that include a right."""
    return [role for role, rights in RIGHTS.items() if right in rights]
