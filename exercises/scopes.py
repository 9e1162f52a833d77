"""What a key of a program may be good for. A key never opens more than its owner may do; a scope narrows that."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

PRACTICE = "practice"

#: In the order in which pages offer them.
SCOPES: Mapping[str, str] = MappingProxyType(
    {
        PRACTICE: "practise, sit sets and review cards as yourself, and read how you stand",
        "roster.read": "read courses, people, groups and enrolments",
        "roster.write": "make and change courses, people, groups and enrolments",
        "content.read": "read problems, their versions, problem sets and their rules",
        "content.write": "write and publish problems and problem sets, give extensions",
        "attempts.read": "read attempts, submissions and verdicts of learners",
        "grades.read": "read grades, mastery and statistics of learners",
        "grades.write": "set grades, decide for all, regrade, release results",
        "events.read": "read the event feed",
        "webhooks.manage": "have events delivered, and see and repeat deliveries",
    }
)


def known(scopes: Iterable[str]) -> list[str]:
    """Those of the scopes that there are, each once, in the order of the table."""
    wanted = set(scopes)
    return [scope for scope in SCOPES if scope in wanted]
