"""Erasing one person: who they were goes, and what a course has to keep stays under a name that says nothing."""

import logging
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field

from django.db import transaction
from django.db.models import Q

from exercises import clock
from exercises.actions.audit import noted
from exercises.actions.courses.locks import lock_course
from exercises.actions.privacy.batches import delete_all, has_acted, named, rows_of
from exercises.actions.privacy.cleaning import clean_trails, clear_texts
from exercises.actions.privacy.kinds import links_of
from exercises.actions.privacy.names import Names, names_of
from exercises.actions.privacy.typed import remove_typed
from exercises.actions.sending import is_sent
from exercises.models import Attempt, Course, Deck, Enrolment, Problem, ProblemSet, Role, Submission, User, Variant
from exercises.refusals import Refused

log = logging.getLogger(__name__)

#: What the name of an account that was erased begins with.
ERASED = "erased-"
_SIGNS = "abcdefghjkmnpqrstuvwxyz23456789"
_LENGTH = 12
WAITING = "Some of the answers are being marked. Try it again in a minute."
GOING_ON = "An attempt at “{title}” is going on. Hand it in first."
LAST = "Nobody else teaches “{title}”. Make somebody else instructor there first, or put the course away."
OPERATOR = "This account runs the service. It is erased on the command line alone."


class ErasureRefused(Refused):
    """Somebody who cannot be erased just now."""

    code = "erasure-refused"


@dataclass(frozen=True)
class Erased:
    """What came of it. ``name`` is what the account is called now; empty where nothing of theirs stood in a course, so
    that the account went as well. ``counts`` says how many rows of each kind went or were emptied."""

    name: str
    courses: int = 0
    counts: dict[str, int] = field(default_factory=dict)


def erase_person(
    *, person: User, reason: str = "", keeps_answers: bool = False, by_themself: bool = False, is_dry_run: bool = False
) -> Erased:
    """Erase somebody: name, addresses, password, keys, identities on platforms, plans, flashcards and what they or
    others wrote in words about them; unless ``keeps_answers`` also every answer that they typed.

    Where something of theirs stands in a course, attempts, verdicts and scores stay, under a name that says nothing.
    Everything is done, or nothing; done again, it does what is left. With ``is_dry_run`` it is undone at the end.
    Raises ErasureRefused.
    """
    with transaction.atomic():
        # First the courses and in one order, as everywhere: whoever else is at work in them comes before or after.
        courses = [
            lock_course(course) for course in Course.objects.filter(enrolments__user=person).order_by("pk").distinct()
        ]
        held = User.objects.select_for_update().filter(pk=person.pk).first()
        if held is None:  # asked for twice, and done a moment ago
            return Erased("")
        _refuse(held, by_themself=by_themself)
        was_erased = _is_erased(held)
        names = names_of(held, held.username if was_erased else _new_name())
        counts = dict(_removed(held, names, keeps_answers=keeps_answers))
        stays = stands_in_a_course(held)
        if stays:
            _rename(held, names.new)
            if not was_erased:
                _note(held, courses, names.out_of(reason))
        else:
            _delete(held)
        if is_dry_run:
            transaction.set_rollback(True)
        else:
            # They look through all sessions there are, for which nobody waits.
            late = "The sessions of an erased account are cleared when they end"
            transaction.on_commit(lambda: _end_sessions(person.pk, late), robust=True)
            log.info("Erased an account; %s.", f"it is {names.new} now" if stays else "nothing of it is left")
    return Erased(names.new if stays else "", len(courses), {name: count for name, count in counts.items() if count})


def _refuse(person: User, *, by_themself: bool) -> None:
    if by_themself and (person.is_superuser or person.is_staff):
        raise ErasureRefused(OPERATOR)
    teaching = Enrolment.objects.filter(user=person, role=Role.INSTRUCTOR, dropped_at=None, course__archived_at=None)
    for enrolment in teaching.select_related("course"):
        others = Enrolment.objects.filter(course=enrolment.course_id, role=Role.INSTRUCTOR, dropped_at=None)
        if not others.exclude(user=person).exists():
            raise ErasureRefused(LAST.format(title=enrolment.course))
    now = clock.now()
    going_on = Attempt.objects.filter(learner=person, handed_in_at=None, is_preview=False).exclude(
        problem_set__mode=ProblemSet.Mode.PRACTICE
    )
    attempt = going_on.filter(Q(ends_at=None) | Q(ends_at__gt=now)).select_related("problem_set").first()
    if by_themself and attempt is not None:
        raise ErasureRefused(GOING_ON.format(title=attempt.problem_set.title))
    if Submission.objects.filter(author=person, state=Submission.State.PENDING).exists():
        raise ErasureRefused(WAITING)


def _removed(person: User, names: Names, *, keeps_answers: bool) -> Iterator[tuple[str, int]]:
    """Remove what is removed of everybody; how many rows of each kind."""
    yield from clean_trails(person, names, keeps_answers=keeps_answers).items()
    yield from clear_texts(person).items()
    if not keeps_answers:
        yield from remove_typed(person).items()
    for label, path, _ in links_of("goes"):
        yield named(label), delete_all(rows_of(label).filter(**{path: person}))
    # What nobody else has ever met.
    yield "decks", delete_all(Deck.objects.filter(owner=person, is_shared=False))
    unused = Problem.objects.filter(owner=person, current=None, versions=None, set_items=None)
    yield "unpublished problems", delete_all(unused)
    # Who teaches is no longer there to be asked; the work of learners counts on in their class.
    staff = Enrolment.objects.filter(user=person, dropped_at=None).exclude(role=Role.LEARNER)
    yield "roles", staff.update(dropped_at=clock.now())


def stands_in_a_course(person: User) -> bool:
    """Whether anything of theirs is a course's record, or is used by others. At most one query for each link."""
    links = links_of("course", "act", has_acted=has_acted(person))
    return any(rows_of(label).filter(**{path: person}).exists() for label, path, _ in links)


def _is_erased(person: User) -> bool:
    return person.username.startswith(ERASED) and not person.is_active


def _new_name() -> str:
    return ERASED + "".join(secrets.choice(_SIGNS) for _ in range(_LENGTH))


def _rename(person: User, name: str) -> None:
    person.username, person.first_name, person.last_name, person.email = name, "", "", ""
    if person.has_usable_password():
        person.set_unusable_password()
    person.is_active = person.is_staff = person.is_superuser = person.is_instructor = False
    person.last_login = None
    person.save()
    person.groups.clear()
    person.user_permissions.clear()


def _delete(person: User) -> None:
    """What was only practised: in parts, since a year of it is a lot."""
    delete_all(Variant.objects.filter(learner=person), 100)
    person.delete()


def _note(person: User, courses: list[Course], reason: str) -> None:
    """Tell whoever follows a course: the name that they know is gone."""
    for course in courses:
        noted(course=course, actor=None, deed="erased", about=person.username, learner=person, reason=reason)


def _end_sessions(person: int, otherwise: str) -> None:
    is_sent("exercises.tasks.end_sessions_of", person, otherwise=otherwise)
