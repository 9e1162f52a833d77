"""Courses made, changed, put away, joined; people in them; every deed in the audit trail."""

import datetime as dt
from decimal import Decimal
from typing import Any

import pytest
from django.core.cache import cache

from exercises import clock
from exercises.actions import courses as actions
from exercises.actions.courses import CodeRefused, CourseFields, CourseRefused, joining
from exercises.models import Attempt, AuditEntry, Course, Enrolment, Extension, Group, Role, User
from exercises.queries.audit import audit_of, deeds_of
from exercises.refusals import TooMuchAtOnce
from tests.exercises.courses.world import NOW, person, problem_set

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("servers")]

FIELDS = CourseFields("BERT by hand", "Winter 2026", "Europe/Berlin", dt.date(2026, 10, 12), dt.date(2027, 2, 5))
WRONG = [
    ({"title": "  "}, "title"),
    ({"title": "x" * 201}, "title"),
    ({"term": "x" * 81}, "term"),
    ({"time_zone": "Europe/Atlantis"}, "time_zone"),
    ({"time_zone": "CET"}, "time_zone"),
    ({"time_zone": "../etc"}, "time_zone"),
    ({"ends_on": dt.date(2026, 10, 11)}, "ends_on"),
    ({"ends_on": dt.date(2030, 10, 11)}, "ends_on"),
    ({"exam_on": dt.date(2026, 10, 11)}, "exam_on"),
]


def deeds(course: Course) -> list[str]:
    return [entry.deed for entry in AuditEntry.objects.filter(course=course).order_by("pk")]


def enrolled(course: Course, user: User) -> Enrolment:
    return Enrolment.objects.get(course=course, user=user)


def test_a_course_is_made_with_its_author_in_it(alice: User) -> None:
    made = actions.create_course(author=alice, fields=FIELDS)
    assert (str(made), made.time_zone, made.created_by) == ("BERT by hand Winter 2026", "Europe/Berlin", alice)
    assert made.join_code
    assert enrolled(made, alice).role == Role.INSTRUCTOR
    assert deeds(made) == ["course-made"]


def test_only_teachers_make_courses(bob: User) -> None:
    with pytest.raises(CourseRefused):
        actions.create_course(author=bob, fields=FIELDS)
    assert not Course.objects.exists()


@pytest.mark.parametrize(("wrong", "field"), WRONG)
def test_what_will_not_do_is_named(wrong: dict[str, Any], field: str, alice: User) -> None:
    said = CourseFields(**{**vars(FIELDS), **wrong})
    with pytest.raises(CourseRefused) as refused:
        actions.create_course(author=alice, fields=said)
    assert refused.value.field == field
    course = actions.create_course(author=alice, fields=FIELDS)
    with pytest.raises(CourseRefused):
        actions.edit_course(actor=alice, course=course, fields=said)
    assert deeds(course) == ["course-made"]


def test_an_edit_is_noted_once_with_both_sides(alice: User, course: Course) -> None:
    fields = CourseFields("  New   title ", "Summer", "America/New_York", exam_on=dt.date(2027, 2, 14))
    for _ in range(2):
        actions.edit_course(actor=alice, course=course, fields=fields)
    course.refresh_from_db()
    assert (course.title, course.exam_on) == ("New title", dt.date(2027, 2, 14))
    entry = AuditEntry.objects.get(course=course)
    assert (entry.deed, entry.before["time_zone"], entry.after["exam_on"]) == (
        "course-edited", "Europe/Berlin", "2027-02-14",
    )  # fmt: skip


def test_other_clocks_move_what_is_going_on(alice: User, bob: User, course: Course) -> None:
    due = dt.datetime(2026, 11, 30, 19, 0, tzinfo=dt.UTC)
    quiz = problem_set(course, "quiz", closes_at=None, due_at=due, late=["1/2"])
    # On 1 March of the next year both zones have no summer time; over 7 March New York changes its clocks.
    quiz.due_at = dt.datetime(2027, 3, 13, 22, 0, tzinfo=dt.UTC)
    quiz.save()
    attempt = Attempt.objects.create(problem_set=quiz, learner=bob, began_at=NOW)
    fields = CourseFields(course.title, course.term, time_zone="America/New_York")
    actions.edit_course(actor=alice, course=course, fields=fields)
    attempt.refresh_from_db()
    assert attempt.ends_at == dt.datetime(2027, 3, 14, 21, 0, tzinfo=dt.UTC)


def test_a_course_is_put_away_and_taken_up(alice: User, bob: User, course: Course) -> None:
    code = actions.renew_code(actor=alice, course=course)
    for _ in range(2):
        actions.archive_course(actor=alice, course=course)
    charlie = User.objects.create_user("charlie")
    with pytest.raises(CodeRefused):
        actions.join_course(user=charlie, code=code)
    with pytest.raises(CourseRefused):
        actions.renew_code(actor=alice, course=course)
    actions.archive_course(actor=alice, course=course, is_archived=False)
    assert actions.join_course(user=charlie, code=code).role == Role.LEARNER
    assert deeds(course) == ["code-new", "archived", "taken-up"]


# --- The door ---


def test_codes_are_typed_as_they_come(alice: User, charlie: User, course: Course) -> None:
    code = actions.renew_code(actor=alice, course=course)
    found = actions.join_course(user=charlie, code=f" {code[:4].lower()}-{code[4:]} ")
    assert (found.course, found.role) == (course, Role.LEARNER)


def test_who_is_in_stays_what_they_are(alice: User, bob: User, course: Course) -> None:
    code = actions.renew_code(actor=alice, course=course)
    assert actions.join_course(user=alice, code=code).role == Role.INSTRUCTOR
    assert actions.join_course(user=bob, code=code).pk == enrolled(course, bob).pk
    assert deeds(course) == ["code-new"]


def test_an_old_code_opens_nothing_and_neither_does_none(alice: User, charlie: User, course: Course) -> None:
    old = actions.renew_code(actor=alice, course=course)
    actions.renew_code(actor=alice, course=course)
    for typed in (old, "", "----", "x" * 40, "'; --"):
        with pytest.raises(CodeRefused):
            actions.join_course(user=charlie, code=typed)
    course.refresh_from_db()
    assert course.join_code
    actions.close_door(actor=alice, course=course)
    actions.close_door(actor=alice, course=course)
    with pytest.raises(CodeRefused):
        actions.join_course(user=charlie, code=course.join_code)
    assert not Enrolment.objects.filter(user=charlie).exists()
    assert deeds(course) == ["code-new", "code-new", "code-closed"]


def test_nobody_tries_out_many_codes(alice: User, bob: User, charlie: User, course: Course) -> None:
    code = actions.renew_code(actor=alice, course=course)
    for place in range(joining.MOST_TRIES):
        with pytest.raises(CodeRefused):
            actions.join_course(user=charlie, code=f"AAAA{place:04}")
    with pytest.raises(TooMuchAtOnce):
        actions.join_course(user=charlie, code=code)
    assert not Enrolment.objects.filter(user=charlie).exists()
    # Nobody else is kept out by it.
    assert actions.join_course(user=bob, code=code)
    cache.clear()
    assert actions.join_course(user=charlie, code=code)


def test_who_was_dropped_comes_back_by_the_code_as_a_learner(alice: User, course: Course) -> None:
    dave = person(course, "dave", Role.ASSISTANT, time_factor=Decimal("1.5"))
    quiz = problem_set(course, "quiz")
    attempt = Attempt.objects.create(problem_set=quiz, learner=dave.user)
    code = actions.renew_code(actor=alice, course=course)
    actions.drop_member(actor=alice, enrolment=dave)
    back = actions.join_course(user=dave.user, code=code)
    assert (back.pk, back.role, back.dropped_at, back.time_factor) == (dave.pk, Role.LEARNER, None, Decimal("1.5"))
    assert list(dave.user.attempts.all()) == [attempt]
    assert deeds(course) == ["code-new", "dropped", "came-back"]


# --- People ---


def test_roles(alice: User, bob: User, course: Course) -> None:
    his = enrolled(course, bob)
    for _ in range(2):
        actions.change_role(actor=alice, enrolment=his, role="assistant")
    assert enrolled(course, bob).role == Role.ASSISTANT
    with pytest.raises(CourseRefused):
        actions.change_role(actor=alice, enrolment=his, role="king")
    entry = AuditEntry.objects.get(course=course)
    assert (entry.deed, entry.about, entry.learner, entry.before, entry.after) == (
        "role", "bob", bob, {"role": "learner"}, {"role": "assistant"},
    )  # fmt: skip


def test_the_last_instructor_stays(alice: User, bob: User, course: Course) -> None:
    hers, his = enrolled(course, alice), enrolled(course, bob)
    with pytest.raises(CourseRefused, match="last instructor"):
        actions.change_role(actor=alice, enrolment=hers, role="learner")
    with pytest.raises(CourseRefused, match="last instructor"):
        actions.drop_member(actor=alice, enrolment=hers)
    actions.change_role(actor=alice, enrolment=his, role="instructor")
    actions.drop_member(actor=bob, enrolment=hers)
    # Who left teaches nobody: now Bob is the last.
    with pytest.raises(CourseRefused, match="last instructor"):
        actions.change_role(actor=bob, enrolment=his, role="learner")
    with pytest.raises(CourseRefused, match="bring them back"):
        actions.change_role(actor=bob, enrolment=hers, role="learner")


def test_drop_and_bring_back(alice: User, bob: User, course: Course) -> None:
    his = enrolled(course, bob)
    for _ in range(2):
        actions.drop_member(actor=alice, enrolment=his, reason="left the university")
    assert enrolled(course, bob).dropped_at is not None
    for _ in range(2):
        actions.bring_back(actor=alice, enrolment=his)
    assert enrolled(course, bob).dropped_at is None
    assert deeds(course) == ["dropped", "brought-back"]
    assert AuditEntry.objects.get(deed="dropped").reason == "left the university"


@pytest.mark.parametrize("factor", ["0.99", "10.01", "1.005"])
def test_time_factors_there_are_not(factor: str, alice: User, bob: User, course: Course) -> None:
    with pytest.raises(CourseRefused):
        actions.set_time_factor(actor=alice, enrolment=enrolled(course, bob), time_factor=Decimal(factor))


def test_a_time_factor_reaches_what_is_going_on(alice: User, bob: User, course: Course) -> None:
    quiz = problem_set(course, "quiz", time_limit=60)
    attempt = Attempt.objects.create(
        problem_set=quiz, learner=bob, began_at=NOW, ends_at=NOW + dt.timedelta(minutes=60)
    )
    with clock.at(NOW + dt.timedelta(minutes=59)):
        actions.set_time_factor(actor=alice, enrolment=enrolled(course, bob), time_factor=Decimal("1.25"), reason="R")
    attempt.refresh_from_db()
    assert attempt.ends_at == NOW + dt.timedelta(minutes=75)
    entry = AuditEntry.objects.get(course=course)
    assert (entry.deed, entry.before, entry.after, entry.reason) == (
        "time-factor", {"time factor": "1"}, {"time factor": "1.25"}, "R",
    )  # fmt: skip


def test_a_group_with_an_extension_reaches_what_is_going_on(alice: User, bob: User, course: Course) -> None:
    quiz = problem_set(course, "quiz")
    later = NOW + dt.timedelta(days=3)
    tutorial = actions.create_group(actor=alice, course=course, name="Tutorial 1")
    Extension.objects.create(problem_set=quiz, group=tutorial, closes_at=later)
    attempt = Attempt.objects.create(problem_set=quiz, learner=bob, began_at=NOW, ends_at=quiz.closes_at)
    his = enrolled(course, bob)
    for _ in range(2):
        actions.set_groups(actor=alice, enrolment=his, groups=[tutorial.pk])
    attempt.refresh_from_db()
    assert attempt.ends_at == later
    actions.set_groups(actor=alice, enrolment=his, groups=[])
    attempt.refresh_from_db()
    assert attempt.ends_at == quiz.closes_at
    assert deeds(course) == ["group-made", "groups", "groups"]


def test_groups_of_another_course_are_refused(alice: User, bob: User, course: Course, elsewhere: Course) -> None:
    theirs = Group.objects.create(course=elsewhere, name="Theirs")
    with pytest.raises(CourseRefused):
        actions.set_groups(actor=alice, enrolment=enrolled(course, bob), groups=[theirs.pk])


def test_groups_are_made_renamed_and_deleted(alice: User, bob: User, course: Course) -> None:
    first = actions.create_group(actor=alice, course=course, name=" Tutorial  1 ")
    assert first.name == "Tutorial 1"
    second = actions.create_group(actor=alice, course=course, name="Tutorial 2")
    for name in ("Tutorial 1", "", "A|B", "x" * 81):
        with pytest.raises(CourseRefused):
            actions.create_group(actor=alice, course=course, name=name)
    with pytest.raises(CourseRefused):
        actions.rename_group(actor=alice, group=second, name="Tutorial 1")
    second.refresh_from_db()
    actions.rename_group(actor=alice, group=second, name="Tutorial 3")
    enrolled(course, bob).groups.add(second)
    actions.delete_group(actor=alice, group=second)
    assert deeds(course) == ["group-made", "group-made", "group-renamed", "group-deleted"]
    assert AuditEntry.objects.latest("pk").before == {"members": ["bob"]}


def test_a_group_that_a_set_is_for_is_not_deleted(alice: User, course: Course) -> None:
    """Without it the set would be for everybody."""
    group = actions.create_group(actor=alice, course=course, name="Tutorial 1")
    quiz = problem_set(course, "quiz", title="First quiz")
    quiz.groups.add(group)
    with pytest.raises(CourseRefused, match="First quiz"):
        actions.delete_group(actor=alice, group=group)
    quiz.groups.clear()
    Extension.objects.create(problem_set=quiz, group=group, attempts=1)
    with pytest.raises(CourseRefused, match="First quiz"):
        actions.delete_group(actor=alice, group=group)
    assert Group.objects.filter(pk=group.pk).exists()


def test_the_trail_is_read_by_deed_and_by_person(alice: User, bob: User, course: Course, elsewhere: Course) -> None:
    dave = person(course, "dave")
    for enrolment in (enrolled(course, bob), dave):
        actions.change_role(actor=alice, enrolment=enrolment, role="observer")
    actions.drop_member(actor=alice, enrolment=dave)
    assert deeds_of(course) == ["dropped", "role"]
    assert [entry.about for entry in audit_of(course, page=1)] == ["dave", "dave", "bob"]
    assert [entry.deed for entry in audit_of(course, page=1, person="DAVE")] == ["dropped", "role"]
    assert [entry.about for entry in audit_of(course, page=1, deed="role", person="bob")] == ["bob"]
    assert len(audit_of(course, page=99, person="alice")) == 3
    assert list(audit_of(course, page=1, person="nobody")) == list(audit_of(elsewhere, page=1)) == []
