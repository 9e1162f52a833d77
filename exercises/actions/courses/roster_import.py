"""A roster into a course: first what it would do, which changes nothing, then just that."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from allauth.account.models import EmailAddress
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Lower

from exercises import clock
from exercises.actions.audit import noted
from exercises.actions.courses.exams import follow_course_exam
from exercises.actions.courses.following import follow_people
from exercises.actions.courses.locks import AWAY, hold_enrolments, lock_course
from exercises.actions.courses.refusals import RosterMoved, RosterRefused
from exercises.actions.events import tell_deeds
from exercises.bulk import write
from exercises.courses.cells import TableRefused
from exercises.courses.roster import Roster, factor_text, read_roster, same_name
from exercises.courses.roster_plan import Account, Move, Plan, Standing, planned
from exercises.models import AuditEntry, Course, Enrolment, Group, User

MOVED = (
    "The course or the accounts have changed since you were shown what the roster does, so nothing was done. This is "
    "what it would do now."
)


@dataclass(frozen=True)
class Choices:
    """What whoever imports has chosen. ``is_whole``: as long as a line has a fault, nothing is done at all."""

    drops_missing: bool = False
    is_whole: bool = False


def plan_roster(*, course: Course, text: str, choices: Choices = Choices()) -> Plan:
    """What a roster would do, without doing it. Raises RosterRefused for a table that cannot be used as a whole,
    and in a course that is put away. Four
    queries, however many lines there are."""
    _refuse_away(course)
    return _planned(course, _read(text), choices)


def seal_of(plan: Plan, *, text: str, choices: Choices) -> str:
    """What ties an import to the dry run that was shown: another text, choice or state has another."""
    said = f"{choices.drops_missing} {choices.is_whole} {plan.digest} {text}"
    return sha256(said.encode("utf-8", "replace")).hexdigest()


def import_roster(
    *, actor: User, course: Course, text: str, choices: Choices, seal: str, typed: int | None = None
) -> Plan:
    """Do what the dry run of the same ``seal`` has shown, and nothing else; the plan of it.

    Lines with a fault are left out, and keep nobody else out unless ``choices.is_whole``. People keep their passwords
    and e-mails; accounts that are made have no password, and are let in by the mail that sets one. ``typed`` is the
    number of those who are dropped, where there are so many that it must be typed. Raises RosterRefused, and
    RosterMoved if what it would do has changed. A constant number of queries.
    """
    roster = _read(text)
    try:
        with transaction.atomic():
            found, plan = locked_plan(course, roster, choices)
            if seal_of(plan, text=text, choices=choices) != seal:
                raise RosterMoved(MOVED)
            _check(plan, choices, typed)
            apply_plan(found, plan, actor)
    except IntegrityError:
        # An account of that name was made elsewhere between the line that looked and the line that wrote.
        raise RosterMoved(MOVED) from None
    return plan


def locked_plan(course: Course, roster: Roster, choices: Choices = Choices()) -> tuple[Course, Plan]:
    """The course, locked for the open transaction, and what a roster comes to there. Raises RosterRefused for a course
    that is put away."""
    found = lock_course(course)
    _refuse_away(found)
    return found, _planned(found, roster, choices)


def _refuse_away(course: Course) -> None:
    if course.archived_at is not None:
        raise RosterRefused(AWAY)


def _read(text: str) -> Roster:
    try:
        return read_roster(text)
    except TableRefused as error:
        raise RosterRefused(str(error)) from None


def _check(plan: Plan, choices: Choices, typed: int | None) -> None:
    if choices.is_whole and plan.faults:
        raise RosterRefused(
            "Nothing was done, since some lines have a fault: mend them, or let the others go on alone."
        )
    if plan.must_be_typed and typed != len(plan.dropped):
        raise RosterRefused(
            f"{len(plan.dropped)} people would be dropped. If that is meant, type their number into the box below; "
            "nothing was done yet."
        )


def _planned(course: Course, roster: Roster, choices: Choices) -> Plan:
    members = list(Enrolment.objects.filter(course=course).select_related("user").order_by("pk"))
    memberships: dict[int, list[str]] = {}
    through = Group.members.through.objects.filter(group__course=course)
    for enrolment, name in through.order_by().values_list("enrolment_id", "group__name"):
        memberships.setdefault(enrolment, []).append(name)
    meant, proven = _meant(roster)
    people = {member.user.pk: member.user for member in members} | {user.pk: user for user in meant}
    return planned(
        roster,
        accounts=[
            Account(
                user.pk, user.username, user.email, is_operator=user.is_staff or user.is_superuser,
                is_proven=user.pk in proven,
            )
            for _, user in sorted(people.items())
        ],
        members={
            member.user_id: Standing(
                role=member.role, name=member.name, external_id=member.external_id, time_factor=member.time_factor,
                groups=tuple(sorted(memberships.get(member.pk, ()))), is_dropped=member.dropped_at is not None,
            )
            for member in members
        },
        groups=Group.objects.filter(course=course).values_list("name", flat=True),
        drops_missing=choices.drops_missing,
    )  # fmt: skip


def _meant(roster: Roster) -> tuple[list[User], set[int]]:
    """Every account that a line could mean, by name or e-mail in whatever letters, and those of them whose e-mail is
    proven. One query."""
    names = {person.username for person in roster.people if person.username}
    emails = {person.email.lower() for person in roster.people if person.email}
    # Of a line without a name the e-mail becomes the name, if nobody has it.
    lowered = {name.lower() for name in names} | {same_name(name) for name in names} | emails
    rows = User.objects.annotate(low_name=Lower("username"), low_email=Lower("email"))
    proofs = EmailAddress.objects.filter(user=OuterRef("pk"), email=Lower(OuterRef("email")), verified=True)
    found = rows.filter(Q(username__in=names) | Q(low_name__in=lowered) | Q(low_email__in=emails))
    meant = list(found.annotate(is_proven=Exists(proofs)))
    return list[User](meant), {user.pk for user in meant if user.is_proven}


def apply_plan(course: Course, plan: Plan, actor: User) -> None:
    """Do what a plan says, in the transaction in which it was made."""
    now = clock.now()
    moves = plan.of_kind("added", "changed")
    users = _accounts(moves)
    kept = {row.user_id: row for row in hold_enrolments(course)}
    Group.objects.bulk_create([Group(course=course, name=name) for name in plan.new_groups])
    rows = [_row(course, user, move.after, kept.get(user), now) for user, move in zip(users, moves, strict=True)]
    write(Enrolment, rows, over=("course_id", "user_id"))
    gone = [pk for pk, _ in plan.dropped]
    Enrolment.objects.filter(course=course, user__in=gone).update(dropped_at=now)
    _regroup(course, {user: move for user, move in zip(users, moves, strict=True) if _moves_groups(move)})
    follow_people(course, [user for user, move in zip(users, moves, strict=True) if _moves_times(move)])
    follow_course_exam(course)
    _note(course, plan, dict(zip(users, moves, strict=True)), actor, now)


def _accounts(moves: Sequence[Move]) -> list[int]:
    """The account of each move, made where there is none yet: without a password, which its owner sets by mail."""
    made = [User(username=move.username, email=move.email) for move in moves if move.account is None]
    for user in made:
        user.set_unusable_password()
    new = iter(_proven(User.objects.bulk_create(made)))
    return [move.account.pk if move.account else next(new).pk for move in moves]


def _proven(made: list[User]) -> list[User]:
    """The accounts that were made, noted as those of their e-mails: nobody gets in but by the mail that sets a
    password. An e-mail that is proven to be of another account stays that one's."""
    EmailAddress.objects.bulk_create(
        [EmailAddress(user=user, email=user.email.lower(), verified=True, primary=True) for user in made if user.email],
        ignore_conflicts=True,
    )
    return made


def _row(course: Course, user: int, after: Standing, kept: Enrolment | None, now: dt.datetime) -> dict[str, object]:
    return {
        "course_id": course.pk, "user_id": user, "role": after.role, "name": after.name,
        "external_id": after.external_id, "time_factor": after.time_factor,
        "created_at": kept.created_at if kept else now, "updated_at": now, "dropped_at": None,
    }  # fmt: skip


def _moves_times(move: Move) -> bool:
    """Whether something they have begun may end at another time: also of whoever was away while rules changed."""
    before = move.before
    return before is not None and (
        before.is_dropped or before.time_factor != move.after.time_factor or _moves_groups(move)
    )


def _moves_groups(move: Move) -> bool:
    return set(move.before.groups if move.before else ()) != set(move.after.groups)


def _regroup(course: Course, moves: Mapping[int, Move]) -> None:
    """Put people into just the groups of their lines. Four queries."""
    through = Group.members.through
    groups = dict(Group.objects.filter(course=course).values_list("name", "pk"))
    enrolments = dict(Enrolment.objects.filter(course=course).values_list("user_id", "pk"))
    through.objects.filter(enrolment__in=[enrolments[user] for user in moves]).delete()
    through.objects.bulk_create(
        through(enrolment_id=enrolments[user], group_id=groups[name])
        for user, move in moves.items()
        for name in move.after.groups
    )


def _note(course: Course, plan: Plan, moves: Mapping[int, Move], actor: User, now: dt.datetime) -> None:
    """One entry for the import, and one for everybody whom it moved. Three queries."""
    counts = {
        "added": len(plan.of_kind("added")), "changed": len(plan.of_kind("changed")), "dropped": len(plan.dropped),
        "left out": len(plan.faults),
    }  # fmt: skip
    noted(course=course, actor=actor, deed="roster", about=str(course), after=counts)
    entries = [
        AuditEntry(
            course=course, at=now, actor=actor, deed=f"roster-{move.kind}", about=move.after.name or move.username,
            learner_id=user, before=_told(move.before), after=_told(move.after),
        )
        for user, move in moves.items()
    ]  # fmt: skip
    entries += [
        AuditEntry(
            course=course, at=now, actor=actor, deed="dropped", about=name, learner_id=user,
            before={"dropped": False}, after={"dropped": True}, reason="not in the roster",
        )
        for user, name in plan.dropped
    ]  # fmt: skip
    AuditEntry.objects.bulk_create(entries)
    tell_deeds(entries)


def _told(standing: Standing | None) -> dict[str, object] | None:
    if standing is None:
        return None
    return {
        "role": standing.role, "name": standing.name, "external id": standing.external_id,
        "time factor": factor_text(standing.time_factor), "groups": list(standing.groups),
        "dropped": standing.is_dropped,
    }  # fmt: skip
