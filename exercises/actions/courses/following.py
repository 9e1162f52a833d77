"""What follows for attempts that are there already, when the clocks of a course or the groups of its people change."""

from collections.abc import Collection

from django.db.models import Q

from exercises.actions.courses.locks import hold_enrolments
from exercises.actions.scores import refresh_ends
from exercises.course_rules import rules_of_many
from exercises.models import Attempt, Course, Extension, ProblemSet

GOING_ON = Q(handed_in_at=None)


def follow_clocks(course: Course, went_by: str) -> None:
    """Work out anew when attempts end, and what those come to that were sent after due: late days are days of the
    course's own clocks, until now those of the time zone ``went_by``. Inside the caller's transaction.

    All of these, whether or not they are late so far: a late try that earned nothing may earn something on other days.
    """
    hold_enrolments(course)
    attempts = Attempt.objects.filter(problem_set__course=course)
    sets = list(ProblemSet.objects.filter(course=course).select_related("course"))
    for one in sets:
        one.course.time_zone = went_by
    held = rules_of_many(sets, attempts.order_by().values_list("learner_id", flat=True).distinct())
    refresh_ends(attempts, held)


def follow_people(course: Course, learners: Collection[int]) -> None:
    """Work out anew when the attempts of these users end, after their time factors or groups have changed; and what
    they come to in sets in which something is different for a group. Inside the caller's transaction."""
    if not learners:
        return
    for_groups = Extension.objects.filter(group__course=course).values("problem_set")
    touched = GOING_ON | Q(problem_set__in=for_groups)
    refresh_ends(Attempt.objects.filter(touched, problem_set__course=course, learner__any_of=list(learners)))
