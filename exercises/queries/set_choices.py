"""What an author may choose from: problems to put into a set, and courses to copy it into."""

import re
from collections.abc import Sequence

from django.db.models import QuerySet

from exercises import catalogue
from exercises.courses.rights import Right, roles_with
from exercises.models import Course, Enrolment, Problem, User

#: Rows of what can be chosen from, and problems that are looked through for them.
MOST_CANDIDATES = 60
MOST_LOOKED_THROUGH = 2000
MOST_COURSES = 100
#: Anything else that is sent as one is no slug, and might be what no database can look for.
SLUG = re.compile(r"[A-Za-z0-9_-]{1,80}")


def candidates(usable: QuerySet[Problem], *, words: str = "", skill: str = "") -> list[Problem]:
    """Problems of those that an author may use (``access.usable_problems``) in the order of the map: those in whose
    title, summary or slug every one of the words stands, and that train the skill; at most 60. One query."""
    wanted = words.casefold().split()[:10]
    rows = usable.select_related("owner").order_by("position", "title", "pk")[:MOST_LOOKED_THROUGH]
    found = []
    for problem in rows:
        text = f"{problem.title} {problem.summary} {problem.slug}".casefold()
        if all(word in text for word in wanted) and (not skill or skill in problem.skills):
            found.append(problem)
    return found[:MOST_CANDIDATES]


def chosen_problems(usable: QuerySet[Problem], slugs: Sequence[str]) -> list[Problem]:
    """Those of the problems that an author may use which have these slugs, in the order of these. One query."""
    known = [slug for slug in slugs if SLUG.fullmatch(slug)]
    return sorted(usable.filter(slug__in=known), key=lambda problem: known.index(problem.slug))


def skills_of(problem: Problem) -> list[str]:
    """The titles of the skills that a problem trains. No query."""
    titles = {skill.id: skill.title for skill in catalogue.skills()}
    return [titles.get(skill, skill) for skill in problem.skills]


def managed_by(person: User) -> list[Course]:
    """The courses into which somebody may copy a set, the latest first. One query."""
    own = Enrolment.objects.filter(user=person, dropped_at=None, role__in=roles_with(Right.MANAGE))
    return list(Course.objects.filter(pk__in=own.values("course"), archived_at=None)[:MOST_COURSES])
