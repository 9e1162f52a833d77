"""Groups of a course, such as tutorials."""

from django.db import IntegrityError, transaction

from exercises.actions.audit import noted
from exercises.actions.courses.locks import lock_course_in_use
from exercises.actions.courses.refusals import CourseRefused
from exercises.courses.roster import BETWEEN_GROUPS, LONGEST_GROUP, tidy
from exercises.models import Course, Group, User

MOST_GROUPS = 200


def create_group(*, actor: User, course: Course, name: str) -> Group:
    """A new group, with nobody in it. Raises CourseRefused for a name that will not do or is there already, and
    in a course that is put away."""
    said = _name(name)
    with transaction.atomic():
        found = lock_course_in_use(course)
        if Group.objects.filter(course=found).count() >= MOST_GROUPS:
            raise CourseRefused(f"A course has at most {MOST_GROUPS} groups: delete one that is not needed.", "name")
        group = _kept(Group(course=found, name=said))
        noted(course=found, actor=actor, deed="group-made", about=said)
    return group


def rename_group(*, actor: User, group: Group, name: str) -> None:
    """Call a group something else. Raises CourseRefused as ``create_group``."""
    said, before = _name(name), group.name
    if said == before:
        return
    with transaction.atomic():
        lock_course_in_use(group.course)
        group.name = said
        _kept(group)
        noted(
            course=group.course, actor=actor, deed="group-renamed", about=said,
            before={"name": before}, after={"name": said},
        )  # fmt: skip


def delete_group(*, actor: User, group: Group) -> None:
    """Delete a group; the people in it stay. Raises CourseRefused where a set is for this group, or something is
    different for it in one: without the group the set would be for everybody."""
    with transaction.atomic():
        lock_course_in_use(group.course)
        titles = {*group.problem_sets.values_list("title", flat=True)}
        titles |= {*group.extensions.values_list("problem_set__title", flat=True)}
        if titles:
            raise CourseRefused(f"{group.name} is used in {', '.join(sorted(titles))}: change it there first.")
        members = sorted(group.members.values_list("user__username", flat=True))
        noted(course=group.course, actor=actor, deed="group-deleted", about=group.name, before={"members": members})
        group.delete()


def _name(name: str) -> str:
    said = tidy(name)
    if not said or len(said) > LONGEST_GROUP or BETWEEN_GROUPS in said:
        raise CourseRefused(
            f"Give the group a name of at most {LONGEST_GROUP} characters, without {BETWEEN_GROUPS}.", "name"
        )
    return said


def _kept(group: Group) -> Group:
    try:
        with transaction.atomic():
            group.save()
    except IntegrityError:
        raise CourseRefused(f"There is a group {group.name} already.", "name") from None
    return group
