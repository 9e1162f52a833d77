"""One person into a course, or what they are there changed: as by a roster of one line."""

from django.db import IntegrityError, transaction

from exercises.actions.courses.people import change_role, set_groups
from exercises.actions.courses.refusals import RosterMoved, RosterRefused
from exercises.actions.courses.roster_import import MOVED, apply_plan, locked_plan
from exercises.courses.cells import TableRefused
from exercises.courses.roster import Person, read_roster, written_roster
from exercises.models import Course, Enrolment, User


def enrol(*, actor: User, course: Course, person: Person, takes_roles: bool = False) -> Enrolment:
    """Bring one person in, or back, or change what is said of them; what is not said stays. Their enrolment.

    Otherwise than in a roster, ``groups`` that are empty and not None take somebody out of all of theirs, and with
    ``takes_roles`` whoever has a role there has the one that is said from now on: no list does that by mistake.

    The account is the one of the username, else of the e-mail; where there is none it is made, without a password.
    Raises RosterRefused for what no roster would take, and in a course that is put away; CourseRefused for the role of
    the last instructor. As many queries as a roster.
    """
    try:
        # Written and read as a roster is, so that the same is refused in the same words.
        roster = read_roster(written_roster([person]))
    except TableRefused as error:
        raise RosterRefused(str(error)) from None
    try:
        with transaction.atomic():
            found, plan = locked_plan(course, roster)
            if plan.faults:
                raise RosterRefused(plan.faults[0].words)
            if not plan.moves:
                raise RosterRefused("Say by a username or an e-mail address who it is.")
            apply_plan(found, plan, actor)
            username = plan.moves[0].username
            rows = Enrolment.objects.select_related("course", "user")
            enrolment = rows.get(course=found, user__username=username)
            if person.groups == ():
                set_groups(actor=actor, enrolment=enrolment, groups=())
            if takes_roles and person.role not in (None, enrolment.role):
                change_role(actor=actor, enrolment=enrolment, role=str(person.role))
                enrolment.refresh_from_db(fields=["role", "updated_at"])
            return enrolment
    except IntegrityError:
        raise RosterMoved(MOVED) from None
