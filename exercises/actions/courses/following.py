"""What follows for attempts that are there already, when the clocks of a course or the groups of its people change."""

from collections.abc import Collection

from django.db.models import Q

from exercises.actions.courses.locks import hold_enrolments
from exercises.actions.scores import refresh_ends
from exercises.models import Attempt, Course, Extension

GOING_ON = Q(handed_in_at=None)


def follow_clocks(course: Course) -> None:
    """Work out anew when attempts end, and what those come to that were late: late days are days of the course's own
    clocks. Inside the caller's transaction."""
    hold_enrolments(course)
    refresh_ends(Attempt.objects.filter(GOING_ON | Q(late_days__gt=0), problem_set__course=course))


def follow_people(course: Course, learners: Collection[int]) -> None:
    """Work out anew when the attempts of these users end, after their time factors or groups have changed; and what
    they come to in sets in which something is different for a group. Inside the caller's transaction."""
    if not learners:
        return
    for_groups = Extension.objects.filter(group__course=course).values("problem_set")
    touched = GOING_ON | Q(problem_set__in=for_groups)
    refresh_ends(Attempt.objects.filter(touched, problem_set__course=course, learner__any_of=list(learners)))
