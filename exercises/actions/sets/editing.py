"""Making, editing, retiring and ordering problem sets."""

from collections.abc import Collection
from typing import Any

from django.db import transaction
from django.db.models import Max

from exercises.actions.audit import noted
from exercises.actions.sets.live import follow_rules, rules_held
from exercises.actions.sets.locking import count_revision, has_begun_for_good, locked_set
from exercises.actions.sets.publishing import keep_what_is_shown
from exercises.actions.sets.refusals import GONE, SetRefused
from exercises.course_rules import zone_of
from exercises.courses.set_details import SetDetails, faults_of, in_mode
from exercises.models import Course, Group, ProblemSet, User
from exercises.set_rows import details_of, said_details, values_of

MOST_SETS = 200
#: What changes when attempts end, or what they come to.
RULES = ("opens_at", "due_at", "closes_at", "time_limit", "credits", "late")


def create_set(*, actor: User, course: Course, details: SetDetails, groups: Collection[int] = ()) -> ProblemSet:
    """A new set without items, seen by nobody until it is published, after the others of its course.

    ``groups`` are primary keys of groups of the course; none is everybody. Raises SetRefused with what is wrong by
    field.
    """
    kept = _sound(details)
    with transaction.atomic():
        locked = locked_course(course)
        position = next_position(locked)
        made = ProblemSet.objects.create(course=locked, position=position, **values_of(kept))
        made.groups.set(_groups(locked, groups))
        after = said_details(kept, zone_of(locked))
        noted(course=locked, actor=actor, deed="make-set", about=made.title, problem_set=made, after=after)
    return made


def edit_set(
    *, actor: User, problem_set: ProblemSet, revision: int | None, details: SetDetails, groups: Collection[int] = ()
) -> ProblemSet:
    """Write these details on a set that still has the ``revision`` that its editor saw; None writes over any.

    Attempts that go on follow at once: when they end and what they come to is worked out anew. Raises SetChanged where
    somebody else was faster, SetRefused with what is wrong by field.
    """
    kept = _sound(details)
    with transaction.atomic():
        row = locked_set(problem_set, revision=revision)
        zone = zone_of(row.course)
        before = details_of(row)
        if kept.mode != before.mode and has_begun_for_good(row):
            words = "Learners have begun it as it is: its mode stays. Copy the set to have it in another mode."
            raise SetRefused(words, {"mode": words})
        chosen = _groups(row.course, groups)
        old, new = _told(before, row, list(row.groups.all()), zone), _told(kept, row, chosen, zone)
        moves = any(getattr(before, name) != getattr(kept, name) for name in RULES)
        held = rules_held(row) if moves else {}
        for name, value in values_of(kept).items():
            setattr(row, name, value)
        row.save(update_fields=list(values_of(kept)))
        row.groups.set(chosen)
        count_revision(row)
        if moves:
            follow_rules(row, held)
        if before.feedback != kept.feedback:
            keep_what_is_shown(row)
        changed = [name for name in new if old[name] != new[name]]
        noted(
            course=row.course, actor=actor, deed="edit-set", about=row.title, problem_set=row,
            before={name: old[name] for name in changed}, after={name: new[name] for name in changed},
        )  # fmt: skip
    return row


def retire_set(*, actor: User, problem_set: ProblemSet, revision: int | None = None) -> None:
    """Take a set away: it is in no list, and nobody begins it any more. What was done in it stays. Raises SetChanged
    where it has another revision than the one that was seen."""
    with transaction.atomic():
        row = locked_set(problem_set, revision=revision)
        row.retired = True
        row.save(update_fields=["retired"])
        noted(course=row.course, actor=actor, deed="retire-set", about=row.title, problem_set=row)


def move_set(*, actor: User, problem_set: ProblemSet, by: int) -> None:
    """Move a set so many places down in the list of its course, up where ``by`` is negative; not past the ends."""
    with transaction.atomic():
        course = locked_course(problem_set.course)
        rows = list(course.problem_sets.filter(retired=False).order_by("position", "pk"))
        place = next((place for place, row in enumerate(rows) if row.pk == problem_set.pk), None)
        if place is None:
            raise SetRefused(GONE)
        to = max(0, min(len(rows) - 1, place + by))
        rows.insert(to, rows.pop(place))
        for position, row in enumerate(rows):
            row.position = position
        ProblemSet.objects.bulk_update(rows, ["position"])
        about = f"{problem_set.title}: place {place + 1} to {to + 1}"
        noted(course=course, actor=actor, deed="order-sets", about=about, problem_set=problem_set)


def locked_course(course: Course) -> Course:
    """The course, locked against others who make or order its sets. Raises SetRefused if archived. One query."""
    row = Course.objects.select_for_update(no_key=True).filter(pk=course.pk, archived_at=None).first()
    if row is None:
        raise SetRefused("This course is archived: nothing in it is changed any more. Copy it to another term.")
    return row


def next_position(course: Course) -> int:
    """The place after the last set. Raises SetRefused when there are very many. Two queries."""
    sets = course.problem_sets
    if sets.filter(retired=False).count() >= MOST_SETS:
        raise SetRefused(f"A course has at most {MOST_SETS} problem sets: take one away first.")
    last = sets.aggregate(last=Max("position"))["last"]
    return 0 if last is None else int(last) + 1


def _sound(details: SetDetails) -> SetDetails:
    kept = in_mode(details)
    if faults := faults_of(kept):
        raise SetRefused("Nothing is kept yet: mend what is marked.", faults)
    return kept


def _groups(course: Course, wanted: Collection[int]) -> list[Group]:
    found = list(course.groups.filter(pk__in=wanted)) if wanted else []
    if len(found) != len(set(wanted)):
        words = "One of these groups is not there any more: choose again."
        raise SetRefused(words, {"groups": words})
    return found


def _told(details: SetDetails, row: ProblemSet, groups: list[Group], zone: str) -> dict[str, Any]:
    names = ", ".join(sorted(group.name for group in groups)) or "everybody"
    return {**said_details(details, zone), "groups": names}
