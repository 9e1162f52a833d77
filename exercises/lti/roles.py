"""What somebody is in a course here, by the roles that a platform says they have in its own.

Only roles *in the context* count: whoever teaches somewhere at an institution, or runs its platform, has no rights in a
course by that alone. Nothing that is known here means no rights at all: not those of a learner, whose work would
count, and not those of an observer, who sees how a class does.
"""

from collections.abc import Iterable

MEMBERSHIP = "http://purl.imsglobal.org/vocab/lis/v2/membership"

#: Principal roles. Teaching assistants are a sub-role of instructors, see below.
_PRINCIPAL = {
    "Instructor": "instructor",
    "Administrator": "instructor",
    "Learner": "learner",
    "Mentor": "observer",
    # Whoever prepares content has no business with anybody's work; platforms let them teach as well where they do.
    "ContentDeveloper": "observer",
    "Manager": "observer",
}
#: Sub-roles that are less than their principal role; all others are the same as it.
_LESS = {
    ("Instructor", "TeachingAssistant"): "assistant",
    ("Instructor", "TeachingAssistantGroup"): "assistant",
    ("Instructor", "TeachingAssistantOffering"): "assistant",
    ("Instructor", "TeachingAssistantSection"): "assistant",
    ("Instructor", "TeachingAssistantSectionAssociation"): "assistant",
    ("Instructor", "TeachingAssistantTemplate"): "assistant",
    ("Instructor", "Grader"): "assistant",
    ("Instructor", "GuestInstructor"): "observer",
}
_ORDER = ("instructor", "assistant", "learner", "observer")


def course_role(roles: Iterable[str]) -> str:
    """The most that the roles include, of instructor, assistant, learner and observer; "" for none.

    Roles may be written in full or, as the roster of Moodle has them, as the last word alone. A sub-role that is less
    than its principal role stands in its place also where the platform says both, as Canvas does of assistants. Whoever
    learns in a course and assists in it, without being said to be an instructor, learns in it.
    """
    pairs = {pair for said in roles if (pair := _read(said))}
    lessened = {principal for principal, sub in pairs if (principal, sub) in _LESS}
    # Somebody with another sub-role besides, such as PrimaryInstructor, is that as well.
    whole = {principal for principal, sub in pairs if sub and (principal, sub) not in _LESS}
    found = set()
    for principal, sub in pairs:
        if (principal, sub) in _LESS:
            found.add(_LESS[principal, sub])
        elif sub or principal not in lessened or principal in whole:
            found.add(_PRINCIPAL[principal])
    if {"assistant", "learner"} <= found and ("Instructor", "") not in pairs:
        # A community assistant of Open edX: somebody who learns there and helps others in the forum.
        found.discard("assistant")
    return next((role for role in _ORDER if role in found), "")


def most(roles: Iterable[str]) -> str:
    """The one of several course roles that includes most; "" if there is none."""
    found = set(roles)
    return next((role for role in _ORDER if role in found), "")


def _read(said: str) -> tuple[str, str] | None:
    """Principal role and sub-role ("" for none) of a role in the context; None for every other."""
    # In full a principal role stands behind membership#, a sub-role behind membership/Principal#.
    if said.startswith(f"{MEMBERSHIP}#"):
        pair = (said[len(MEMBERSHIP) + 1 :], "")
    elif said.startswith(f"{MEMBERSHIP}/"):
        principal, _, sub = said[len(MEMBERSHIP) + 1 :].partition("#")
        pair = (principal, sub)
    else:
        # Short names are defined for principal roles of the context alone.
        pair = (said, "")
    return pair if pair[0] in _PRINCIPAL else None
