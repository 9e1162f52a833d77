"""A roster into a course: the dry run writes nothing, the import does just what it showed, in as many queries for one
line as for thirty."""

import datetime as dt
from decimal import Decimal
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.db import connection
from django.test.utils import CaptureQueriesContext

from exercises.actions import courses as actions
from exercises.actions.courses import Choices, RosterMoved, RosterRefused
from exercises.courses.roster import written_roster
from exercises.courses.roster_plan import Plan
from exercises.models import Attempt, AuditEntry, Course, Enrolment, Group, Role, User
from exercises.queries.people import roster_of
from tests.exercises.courses.world import NOW, person, problem_set

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("servers")]

PLAIN = Choices()
ROSTER = """username;email;name;role;group;external_id;time_factor
bob;;Bob Builder;;Tutorial 1;17;1,25
;new@example.org;New Person;learner;Tutorial 1|Tutorial 2;18;
alice;;;learner;;;
broken;no mail;;;;;
"""


def looked(course: Course, text: str, choices: Choices = PLAIN) -> tuple[Plan, str]:
    plan = actions.plan_roster(course=course, text=text, choices=choices)
    return plan, actions.seal_of(plan, text=text, choices=choices)


def imported(course: Course, alice: User, text: str, choices: Choices = PLAIN, typed: int | None = None) -> Plan:
    _, seal = looked(course, text, choices)
    return actions.import_roster(actor=alice, course=course, text=text, choices=choices, seal=seal, typed=typed)


def stored() -> list[Any]:
    return [
        list(model.objects.order_by("pk").values())
        for model in (User, Enrolment, Group, AuditEntry, Group.members.through)
    ]


def there(course: Course) -> set[str]:
    return set(Enrolment.objects.filter(course=course, dropped_at=None).values_list("user__username", flat=True))


def test_a_dry_run_writes_nothing_and_the_import_does_just_that(alice: User, bob: User, course: Course) -> None:
    before = stored()
    plan, seal = looked(course, ROSTER)
    assert [(move.line, move.kind) for move in plan.moves] == [(2, "changed"), (3, "added"), (4, "kept")]
    assert [fault.line for fault in plan.faults] == [5]
    assert plan.new_groups == ("Tutorial 1", "Tutorial 2")
    assert stored() == before
    done = actions.import_roster(actor=alice, course=course, text=ROSTER, choices=Choices(), seal=seal)
    assert done == plan
    his = Enrolment.objects.get(course=course, user=bob)
    assert (his.name, his.role, his.external_id, his.time_factor) == ("Bob Builder", "learner", "17", Decimal("1.25"))
    new = Enrolment.objects.get(course=course, user__email="new@example.org")
    assert (new.user.username, new.user.has_usable_password()) == ("new@example.org", False)
    assert [group.name for group in new.groups.order_by("name")] == ["Tutorial 1", "Tutorial 2"]
    assert Enrolment.objects.get(course=course, user=alice).role == Role.INSTRUCTOR
    assert looked(course, ROSTER)[0].is_empty
    trail = list(AuditEntry.objects.filter(course=course).order_by("pk").values_list("deed", "learner__username"))
    assert trail == [("roster", None), ("roster-changed", "bob"), ("roster-added", "new@example.org")]


def test_its_own_export_changes_nothing(alice: User, course: Course) -> None:
    imported(course, alice, ROSTER)
    eve = person(course, "eve", Role.OBSERVER, time_factor=Decimal("2.5"))
    Enrolment.objects.filter(pk=eve.pk).update(name="=Eve")
    text = written_roster(roster_of(course))
    assert "'=Eve" in text
    choices = Choices(drops_missing=True, is_whole=True)
    before = stored()
    plan, _ = looked(course, text, choices)
    assert plan.is_empty
    assert not plan.faults
    imported(course, alice, text, choices)
    assert stored()[:3] == before[:3]


def test_all_or_nothing_is_nothing_with_a_fault(alice: User, course: Course) -> None:
    before = stored()
    with pytest.raises(RosterRefused, match="mend them"):
        imported(course, alice, ROSTER, Choices(is_whole=True))
    assert stored() == before


def test_what_has_changed_meanwhile_is_shown_again(alice: User, course: Course) -> None:
    _, seal = looked(course, ROSTER)
    person(course, "other")
    # Somebody else came in: the roster still does just that.
    Enrolment.objects.filter(user__username="bob").update(name="Robert")
    before = stored()
    for choices, text in ((Choices(), ROSTER), (Choices(drops_missing=True), ROSTER), (Choices(), ROSTER + "\n")):
        with pytest.raises(RosterMoved):
            actions.import_roster(actor=alice, course=course, text=text, choices=choices, seal=seal)
    for forged in ("", "0" * 64):
        with pytest.raises(RosterMoved):
            actions.import_roster(actor=alice, course=course, text=ROSTER, choices=Choices(), seal=forged)
    assert stored() == before


def test_what_touches_nothing_of_it_does_not_hold_it_up(alice: User, course: Course) -> None:
    _, seal = looked(course, ROSTER)
    person(course, "other")
    actions.import_roster(actor=alice, course=course, text=ROSTER, choices=Choices(), seal=seal)
    assert there(course) == {"alice", "bob", "other", "new@example.org"}


def test_an_account_that_is_made_meanwhile_is_seen(alice: User, course: Course) -> None:
    _, seal = looked(course, "email\nnew@example.org")
    User.objects.create_user("somebody", email="NEW@example.org")
    with pytest.raises(RosterMoved):
        actions.import_roster(actor=alice, course=course, text="email\nnew@example.org", choices=Choices(), seal=seal)


def test_whoever_is_missing_stays_unless_it_is_chosen(alice: User, bob: User, course: Course) -> None:
    dave = person(course, "dave", Role.ASSISTANT)
    text = "email,role\nnew@example.org,learner"
    imported(course, alice, text)
    assert there(course) == {"alice", "bob", "dave", "new@example.org"}
    choices = Choices(drops_missing=True)
    with pytest.raises(RosterRefused, match="1 people would be dropped"):
        imported(course, alice, text, choices)
    with pytest.raises(RosterRefused):
        imported(course, alice, text, choices, typed=2)
    imported(course, alice, text, choices, typed=1)
    assert there(course) == {"alice", dave.user.username, "new@example.org"}
    assert AuditEntry.objects.get(deed="dropped").learner == bob


def test_drop_and_add_again_finds_the_work(alice: User, bob: User, course: Course) -> None:
    """The flag of one who left must not stick, and their work must not be lost. (BR-113)"""
    attempt = Attempt.objects.create(problem_set=problem_set(course, "quiz"), learner=bob)
    his = Enrolment.objects.get(course=course, user=bob)
    imported(course, alice, "username\nalice", Choices(drops_missing=True), typed=1)
    assert there(course) == {"alice"}
    plan = imported(course, alice, "username\nBOB")
    assert plan.moves[0].words == "comes back, with all their work"
    back = Enrolment.objects.get(course=course, user=bob)
    assert (back.pk, back.dropped_at, back.created_at) == (his.pk, None, his.created_at)
    assert list(bob.attempts.all()) == [attempt]


def test_an_email_in_other_letters_is_the_same_person(alice: User, bob: User, course: Course) -> None:
    User.objects.filter(pk=bob.pk).update(email="Bob@Example.org")
    imported(course, alice, "email,name\nbOB@eXAMPLE.ORG,Bob")
    assert there(course) == {"alice", "bob"}
    bob.refresh_from_db()
    assert bob.email == "Bob@Example.org"


def test_who_signed_up_with_the_email_of_somebody_else_teaches_nowhere(alice: User, course: Course) -> None:
    mallory = User.objects.create_user("mallory", email="ta@example.org", password="a long one")
    kept = EmailAddress.objects.create(user=mallory, email="ta@example.org", primary=True)
    text = "email,role\nta@example.org,learner\n"
    imported(course, alice, text)
    plan = imported(course, alice, text.replace("learner", "assistant"))
    assert "write the username" in plan.faults[0].words
    assert Enrolment.objects.get(course=course, user=mallory).role == Role.LEARNER
    # They have read what was sent to it, so it is theirs.
    EmailAddress.objects.filter(pk=kept.pk).update(verified=True)
    imported(course, alice, text.replace("learner", "assistant"))
    assert Enrolment.objects.get(course=course, user=mallory).role == Role.ASSISTANT


def test_who_has_another_email_than_the_one_that_was_proven_is_not_found_by_it(alice: User, course: Course) -> None:
    mallory = User.objects.create_user("mallory", email="ta@example.org", password="a long one")
    EmailAddress.objects.create(user=mallory, email="mallory@example.org", verified=True)
    assert looked(course, "email,role\nta@example.org,assistant")[0].faults


def test_who_came_by_a_roster_is_found_by_that_email_for_any_role(
    alice: User, course: Course, elsewhere: Course
) -> None:
    imported(elsewhere, alice, "email,role\nTa@example.org,assistant")
    made = User.objects.get(email="Ta@example.org")
    made.set_password("set by the mail that only its owner reads")
    made.save()
    imported(course, alice, "email,role\nta@example.org,assistant")
    assert Enrolment.objects.get(course=course, user=made).role == Role.ASSISTANT


def test_staff_in_a_list_of_learners_break_nothing(alice: User, course: Course) -> None:
    User.objects.create_superuser("root", email="root@example.org")
    plan = imported(course, alice, "username,role\nalice,learner\nroot,learner\nbob,learner\n")
    assert [move.kind for move in plan.moves] == ["kept", "kept", "unchanged"]
    assert there(course) == {"alice", "bob"}
    assert Enrolment.objects.get(course=course, user=alice).role == Role.INSTRUCTOR


def test_nobody_of_another_course_is_touched(alice: User, course: Course, elsewhere: Course) -> None:
    before = list(Enrolment.objects.filter(course=elsewhere).order_by("pk").values())
    imported(course, alice, "username,name,time_factor\ncharlie,Carl,2\nbob,B,1")
    assert there(course) == {"alice", "bob", "charlie"}
    assert list(Enrolment.objects.filter(course=elsewhere).order_by("pk").values()) == before


def test_time_factors_reach_what_is_going_on(alice: User, bob: User, course: Course) -> None:
    quiz = problem_set(course, "quiz", time_limit=60)
    ends = NOW + dt.timedelta(minutes=60)
    attempt = Attempt.objects.create(problem_set=quiz, learner=bob, began_at=NOW, ends_at=ends)
    imported(course, alice, "username,time_factor\nbob,150 %")
    attempt.refresh_from_db()
    assert attempt.ends_at == NOW + dt.timedelta(minutes=90)


def test_a_table_that_is_none_is_refused(alice: User, course: Course) -> None:
    for text in ("", "name\nBob", "username\n" + "x\n" * 2001):
        with pytest.raises(RosterRefused):
            actions.plan_roster(course=course, text=text)


def test_thirty_lines_are_as_many_queries_as_one(alice: User, course: Course) -> None:
    counts = []
    for start, number in ((0, 1), (100, 30)):
        for place in range(start, start + number):
            person(course, f"old-{place}")
            person(course, f"gone-{place}")
        text = "username,email,name,group\n" + "".join(
            f"old-{place},,Old {place},Group {start}\nnew-{place},new-{place}@x.org,,Group {start}|Also {start}\n"
            for place in range(start, start + number)
        )
        choices = Choices(drops_missing=True)
        _, seal = looked(course, text, choices)
        with CaptureQueriesContext(connection) as looking:
            plan, _ = looked(course, text, choices)
        with CaptureQueriesContext(connection) as queries:
            actions.import_roster(
                actor=alice, course=course, text=text, choices=choices, seal=seal, typed=len(plan.dropped)
            )
        counts.append((len(looking), len(queries)))
        assert len(plan.of_kind("added")) == len(plan.of_kind("changed")) == number
    assert counts[0] == counts[1]
    assert counts[0][0] == 4
    assert counts[0][1] <= 24
