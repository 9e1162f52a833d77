"""The exam of a course: the reviews of whoever learns there lead up to it, unless they set a day of their own."""

import datetime as dt

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, DjangoCaptureOnCommitCallbacks

from exercises import clock
from exercises.actions import courses as actions
from exercises.actions import set_study_plan, sync_decks
from exercises.actions.courses import CourseFields, exams
from exercises.mastery.retention import Rating
from exercises.models import CardMemory, Course, Enrolment, Role, StudyPlan, User
from exercises.queries import own_plan_of, plan_of
from exercises.queries.plans import plans_of
from exercises.tasks import follow_exam, sweep_exams
from tests.exercises.cards.world import plain_deck, review
from tests.exercises.courses.world import NOW, person

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("servers", "published")]

TODAY = NOW.date()
EXAM, LATER = TODAY + dt.timedelta(days=40), TODAY + dt.timedelta(days=60)


def exam(user: User) -> dt.date | None:
    with clock.at(NOW):
        return plan_of(user).exam_on


def test_the_next_exam_of_ones_courses(course: Course, elsewhere: Course, bob: User, alice: User) -> None:
    assert exam(bob) is None
    Course.objects.filter(pk=course.pk).update(exam_on=LATER)
    Course.objects.filter(pk=elsewhere.pk).update(exam_on=EXAM)
    assert exam(bob) == LATER
    also = Enrolment.objects.create(course=elsewhere, user=bob)
    assert exam(bob) == EXAM
    # Not of a course that one teaches, left, or that is put away or over.
    assert exam(alice) is None
    for change in ({"role": Role.OBSERVER}, {"dropped_at": NOW}):
        Enrolment.objects.filter(pk=also.pk).update(role=Role.LEARNER, dropped_at=None)
        Enrolment.objects.filter(pk=also.pk).update(**change)
        assert exam(bob) == LATER
    Enrolment.objects.filter(pk=also.pk).update(dropped_at=None)
    Course.objects.filter(pk=elsewhere.pk).update(archived_at=NOW)
    assert exam(bob) == LATER


def test_ones_own_day_comes_first_until_it_is_over(course: Course, bob: User) -> None:
    Course.objects.filter(pk=course.pk).update(exam_on=EXAM)
    plan = StudyPlan.objects.create(learner=bob, exam_on=LATER, goal="softmax", new_cards_a_day=3)
    assert exam(bob) == LATER
    StudyPlan.objects.update(exam_on=TODAY - dt.timedelta(days=1))
    assert exam(bob) == EXAM
    Course.objects.filter(pk=course.pk).update(exam_on=TODAY - dt.timedelta(days=2))
    assert exam(bob) == TODAY - dt.timedelta(days=1)
    assert (plan_of(bob).goal, plan_of(bob).new_cards_a_day) == ("softmax", 3)
    assert plan_of(bob) == plan


def test_an_exam_that_passes_moves_nothing(course: Course, bob: User) -> None:
    Course.objects.filter(pk=course.pk).update(exam_on=TODAY)
    for days in (0, 1, 30):
        with clock.at(NOW + dt.timedelta(days=days)):
            assert plan_of(bob).exam_on == TODAY


def test_setting_a_plan_keeps_no_exam_of_a_course(course: Course, bob: User) -> None:
    Course.objects.filter(pk=course.pk).update(exam_on=EXAM)
    with clock.at(NOW):
        set_study_plan(learner=bob, time_zone="UTC", exam_on=None, goal="", new_cards_a_day=5)
    assert own_plan_of(bob).exam_on is None
    assert exam(bob) == EXAM


def test_many_plans_are_one_query(course: Course, bob: User, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    learners = [bob.pk, *(person(course, f"learner-{place}").user.pk for place in range(30))]
    for wanted in (learners[:1], learners):
        with django_assert_num_queries(1):
            assert set(plans_of(wanted)) == set(wanted)


def test_cards_move_with_the_exam_of_the_course(
    course: Course, alice: User, bob: User, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    published: list[str],
) -> None:  # fmt: skip
    sync_decks(["plain"], lambda slug: plain_deck(1))
    for days in (-70, -68, -55, 0):
        review(bob, Rating.GOOD, NOW + dt.timedelta(days=days), ahead=True)
    soon = NOW + dt.timedelta(days=80)
    before = CardMemory.objects.get(learner=bob, due_on__isnull=False).due_on
    assert before is not None
    fields = CourseFields(course.title, time_zone=course.time_zone, exam_on=soon.date())
    with clock.at(NOW), django_capture_on_commit_callbacks(execute=True):
        actions.edit_course(actor=alice, course=course, fields=fields)
    assert published == [exams.TASK]
    with clock.at(NOW):
        assert follow_exam(course.pk) is None
    after = CardMemory.objects.get(learner=bob, due_on__isnull=False).due_on
    assert after is not None
    assert after < before


def test_a_large_class_is_planned_in_slices(
    course: Course, monkeypatch: pytest.MonkeyPatch, published: list[str]
) -> None:
    person(course, "second")
    monkeypatch.setattr(exams, "LONGEST", -1.0)
    first, second = Enrolment.objects.filter(course=course, role=Role.LEARNER).order_by("pk")
    assert follow_exam(course.pk) == first.pk
    assert published == [exams.TASK]
    assert follow_exam(course.pk, first.pk) == second.pk
    assert follow_exam(course.pk, second.pk) is None


def test_cards_follow_an_exam_whose_message_was_lost(
    course: Course, alice: User, bob: User, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    published: list[str], monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    sync_decks(["plain"], lambda slug: plain_deck(1))
    for days in (-70, -68, -55, 0):
        review(bob, Rating.GOOD, NOW + dt.timedelta(days=days), ahead=True)
    before = CardMemory.objects.get(learner=bob, due_on__isnull=False).due_on
    fields = CourseFields(course.title, time_zone=course.time_zone, exam_on=(NOW + dt.timedelta(days=80)).date())
    with clock.at(NOW), django_capture_on_commit_callbacks(execute=False):
        actions.edit_course(actor=alice, course=course, fields=fields)
    assert published == []
    told: list[int] = []
    monkeypatch.setattr(exams, "send", told.append)
    assert sweep_exams() >= 1
    assert course.pk in told
    with clock.at(NOW):
        for course_pk in told:
            follow_exam(course_pk)
    after = CardMemory.objects.get(learner=bob, due_on__isnull=False).due_on
    assert before is not None
    assert after is not None
    assert after < before


def test_a_course_that_nobody_changed_lately_is_left_alone(
    course: Course, published: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    later = timezone.now() + dt.timedelta(hours=27)
    monkeypatch.setattr(exams.timezone, "now", lambda: later)
    assert sweep_exams() == 0
    assert published == []
