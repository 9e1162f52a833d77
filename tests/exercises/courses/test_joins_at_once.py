"""People who come in, leave and are changed at the same moment, in threads with connections of their own."""

import pytest
from django.db import connection

from exercises.actions import courses as actions
from exercises.actions.courses import Choices, CodeRefused, CourseRefused, RosterMoved
from exercises.models import AuditEntry, Course, Enrolment, Role, User
from tests.exercises.test_at_once import at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("servers")]

#: SQLite takes turns, and one that waits long gives up: fewer there.
MANY = 8


def test_two_presses_of_join_are_one(alice: User, charlie: User, course: Course) -> None:
    code = actions.renew_code(actor=alice, course=course)
    found = at_once(MANY, lambda _: actions.join_course(user=charlie, code=code).pk)
    assert len(set(found)) == 1
    assert Enrolment.objects.filter(course=course, user=charlie).count() == 1


def test_who_was_dropped_comes_back_once(alice: User, bob: User, course: Course) -> None:
    code = actions.renew_code(actor=alice, course=course)
    his = Enrolment.objects.get(course=course, user=bob)
    actions.drop_member(actor=alice, enrolment=his)
    assert set(at_once(MANY, lambda _: actions.join_course(user=bob, code=code).pk)) == {his.pk}
    assert AuditEntry.objects.filter(deed="came-back").count() == 1


def test_a_door_that_was_closed_lets_nobody_in(alice: User, course: Course) -> None:
    code = actions.renew_code(actor=alice, course=course)
    users = [User.objects.create_user(f"learner-{place}") for place in range(MANY)]

    def act(number: int) -> bool:
        if number == 0:
            actions.close_door(actor=alice, course=course)
            return False
        try:
            actions.join_course(user=users[number], code=code)
        except CodeRefused:
            return False
        return True

    came_in = at_once(MANY, act)
    assert Enrolment.objects.filter(course=course, user__in=users).count() == sum(came_in)
    with pytest.raises(CodeRefused):
        actions.join_course(user=users[0], code=code)


def test_two_instructors_cannot_demote_one_another(alice: User, bob: User, course: Course) -> None:
    Enrolment.objects.filter(course=course).update(role=Role.INSTRUCTOR)
    both = list(Enrolment.objects.filter(course=course).select_related("user", "course"))

    def act(number: int) -> bool:
        try:
            actions.change_role(actor=both[number].user, enrolment=both[1 - number], role="learner")
        except CourseRefused:
            return False
        return True

    assert sorted(at_once(2, act)) == [False, True]
    assert Enrolment.objects.filter(course=course, role=Role.INSTRUCTOR).count() == 1


def test_a_roster_pressed_twice_comes_in_once(alice: User, course: Course) -> None:
    text = "email,group\nnew@example.org,Tutorial 1\n"
    plan = actions.plan_roster(course=course, text=text)
    seal = actions.seal_of(plan, text=text, choices=Choices())

    def act(_: int) -> bool:
        try:
            actions.import_roster(actor=alice, course=course, text=text, choices=Choices(), seal=seal)
        except RosterMoved:
            return False
        return True

    assert sorted(at_once(4, act)) == [False, False, False, True]
    assert Enrolment.objects.filter(course=course).count() == 3
    assert User.objects.filter(email="new@example.org").count() == 1
    assert connection.vendor in ("postgresql", "sqlite")


def test_one_account_for_two_courses_is_made_once(alice: User, course: Course, elsewhere: Course) -> None:
    text = "username,email\nnew,new@example.org\n"
    courses = (course, elsewhere)
    seals = [
        actions.seal_of(actions.plan_roster(course=one, text=text), text=text, choices=Choices()) for one in courses
    ]

    def act(number: int) -> bool:
        try:
            actions.import_roster(actor=alice, course=courses[number], text=text, choices=Choices(), seal=seals[number])
        except RosterMoved:
            return False
        return True

    assert True in at_once(2, act)
    assert User.objects.filter(username="new").count() == 1
