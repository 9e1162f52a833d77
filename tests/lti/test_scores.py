"""Rows A1 to A5 and BR-097 to BR-107: what a platform is told of somebody's work, and when."""

import datetime as dt
from fractions import Fraction
from typing import Any

import pytest

from exercises.actions.answer import send_answer
from exercises.actions.grading.overrides import Given, give_override, withdraw_override
from exercises.actions.lms import outbox
from exercises.actions.lms.sending import send_due
from exercises.actions.sets.publishing import release_results
from exercises.actions.sitting.begin import begin_attempt
from exercises.actions.sitting.hand_in import hand_in
from exercises.lti.scores import stamp
from exercises.models import Context, Course, Enrolment, Extension, LmsScore, Membership, ProblemSet, User
from tests.exercises.courses.world import NOW, person, problem_set
from tests.exercises.sitting.world import check, fixed, graded, place, save, synced
from tests.exercises.world import ALL_RIGHT
from tests.lti.scoring import WRONG, column, later, only_score, sat, sent
from tests.lti.services import Services, connected, member

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("servers", "published", "noon")]


@pytest.fixture
def quiz(course: Course, served: Context, services: Services) -> ProblemSet:
    made = problem_set(course, "quiz", *synced())
    column(served, made, services)
    return made


@pytest.fixture
def exam(course: Course, served: Context, services: Services) -> ProblemSet:
    made = problem_set(course, "exam", *synced())
    column(served, made, services)
    return made


def said(services: Services, name: str = "1") -> list[tuple[str, str, float | None]]:
    """What the platform took, in short."""
    return [(one["activityProgress"], one["gradingProgress"], one.get("scoreGiven")) for one in services.posted[name]]


def test_a3_begun_handed_in_and_marked_is_told_in_their_states(quiz: ProblemSet, bob: User, services: Services) -> None:
    attempt = begin_attempt(learner=bob, problem_set=quiz)
    assert sent() == 1
    assert said(services) == [("Started", "NotReady", None)]
    with later(minutes=10):
        check(place(fixed(attempt)), **ALL_RIGHT)
        hand_in(attempt=attempt)
        sent()
        assert said(services)[1:] == [("Submitted", "Pending", None)]
        graded()
        sent(minutes=1)
    assert said(services)[2:] == [("Completed", "FullyGraded", 50)]
    assert services.results["1", "7"]["resultScore"] == 50
    assert (only_score().state, only_score().shown) == ("sent", {"score": 50.0, "maximum": 100.0, "comment": ""})


def test_many_changes_within_seconds_are_one_call(quiz: ProblemSet, bob: User, services: Services) -> None:
    sat(bob, quiz)
    assert send_due(5) == 0
    assert sent() == 1
    assert sent(minutes=1) == 0
    assert said(services) == [("Completed", "FullyGraded", 50)]


def test_a1_and_br_097_timestamps_have_a_zone_and_are_a_second_apart_and_never_ahead(
    quiz: ProblemSet, bob: User, services: Services
) -> None:
    Extension.objects.create(problem_set=quiz, learner=bob, attempts=1)
    sat(bob, quiz, answers=WRONG)
    with later(seconds=5):
        send_due(5)
        # A second attempt is finished within the same second.
        with later(milliseconds=200):
            attempt = sat(bob, quiz)
            assert attempt.number == 2
            outbox._count_up([only_score().pk], after=dt.timedelta())
            send_due(5)
            assert len(services.posted["1"]) == 1
        sent(seconds=2)
    first, second = (dt.datetime.fromisoformat(one["timestamp"]) for one in services.posted["1"])
    assert second - first >= dt.timedelta(seconds=1)
    assert all("." in one["timestamp"] and one["timestamp"].endswith("Z") for one in services.posted["1"])
    assert first == NOW + dt.timedelta(seconds=5)
    assert not services.refused


def test_br_099_the_time_of_handing_in_is_told_whenever_it_is_sent(
    quiz: ProblemSet, bob: User, services: Services
) -> None:
    sat(bob, quiz)
    sent(hours=30)
    assert services.posted["1"][0]["submission"]["submittedAt"] == stamp(NOW)
    assert services.posted["1"][0]["timestamp"] == stamp(NOW + dt.timedelta(hours=30))


@pytest.mark.parametrize(("maximum", "given"), [(3, 1), (1, 1 / 3), (100, 100 / 3), (Fraction(5, 2), 5 / 6)])
def test_br_101_full_precision_is_sent(
    maximum: Any, given: float, course: Course, served: Context, bob: User, services: Services
) -> None:
    services.columns["1"]["scoreMaximum"] = float(maximum)
    made = problem_set(course, "quiz", *synced(), weights=("1", "2"))
    column(served, made, services)
    sat(bob, made)
    sent()
    assert services.posted["1"][0]["scoreGiven"] == given
    assert services.posted["1"][0]["scoreMaximum"] == maximum


def test_br_103_a_worse_attempt_and_one_that_is_as_good_send_nothing(
    quiz: ProblemSet, bob: User, services: Services
) -> None:
    Extension.objects.create(problem_set=quiz, learner=bob, attempts=2)
    sat(bob, quiz)
    sent()
    for minutes, answers in ((30, WRONG), (60, ALL_RIGHT)):
        with later(minutes=minutes):
            assert sat(bob, quiz, answers=answers).number > 1
            assert sent() == 1
    assert said(services) == [("Completed", "FullyGraded", 50)]
    assert only_score().state == "sent"


def test_br_107_who_has_not_begun_has_no_row_also_when_the_set_is_closed(
    quiz: ProblemSet, bob: User, course: Course, served: Context, services: Services
) -> None:
    for name in ("dora", "emil"):
        member(served, person(course, name).user, name)
    sat(bob, quiz)
    with later(days=3):
        outbox.want_column(served.line_items.get())
        sent()
    assert [one["userId"] for one in services.posted["1"]] == ["7"]
    assert LmsScore.objects.count() == 1


def test_what_is_hidden_until_release_is_not_told_before_it(
    exam: ProblemSet, bob: User, alice: User, services: Services
) -> None:
    attempt = fixed(begin_attempt(learner=bob, problem_set=exam))
    save(place(attempt), **ALL_RIGHT)
    hand_in(attempt=attempt)
    graded()
    sent()
    assert said(services) == [("Submitted", "PendingManual", None)]
    with later(hours=1):
        release_results(actor=alice, problem_set=exam)
        sent()
    assert said(services)[1:] == [("Completed", "FullyGraded", 50)]


def test_a4_a_grade_is_never_followed_by_something_that_would_erase_it(
    exam: ProblemSet, bob: User, alice: User, services: Services
) -> None:
    release_results(actor=alice, problem_set=exam)
    Extension.objects.create(problem_set=exam, learner=bob, attempts=1)
    attempt = fixed(begin_attempt(learner=bob, problem_set=exam))
    save(place(attempt), **ALL_RIGHT)
    hand_in(attempt=attempt)
    graded()
    sent()
    with later(minutes=5):
        begin_attempt(learner=bob, problem_set=exam)
        sent()
        ProblemSet.objects.update(released_at=None)
        outbox.want_set(exam)
        sent(minutes=1)
    assert said(services) == [("Completed", "FullyGraded", 50)]
    assert services.results["1", "7"]["resultScore"] == 50


def test_a_score_by_hand_is_told_also_without_an_attempt_and_cleared_when_it_is_taken_back(
    quiz: ProblemSet, bob: User, alice: User, services: Services
) -> None:
    enrolment = Enrolment.objects.get(user=bob)
    given = Given(problem_set=quiz, enrolment=enrolment, score=Fraction(3, 4))
    made = give_override(given=given, actor=alice, reason="an oral exam", seen=None)
    sent()
    assert said(services) == [("Completed", "FullyGraded", 75)]
    with later(minutes=5):
        withdraw_override(actor=alice, override=made, reason="a mistake")
        sent()
    assert said(services)[1:] == [("Initialized", "NotReady", None)]
    assert ("1", "7") not in services.results


def test_practice_counts_as_it_goes(course: Course, served: Context, bob: User, services: Services) -> None:
    made = problem_set(course, "practice", *synced())
    column(served, made, services)
    attempt = fixed(begin_attempt(learner=bob, problem_set=made))
    send_answer(
        learner=bob, variant=place(attempt).variants.get(), answers=ALL_RIGHT, locale="en", idempotency_key="a" * 20
    )
    graded()
    sent()
    with later(minutes=5):
        other = place(attempt, 2).variants.get()
        send_answer(learner=bob, variant=other, answers={"masked": "1"}, locale="en", idempotency_key="b" * 20)
        graded()
        sent()
    assert said(services) == [("InProgress", "FullyGraded", 50)]


@pytest.mark.parametrize(("role", "status"), [("instructor", "active"), ("learner", "inactive"), ("", "active")])
def test_a11_of_who_is_no_learner_there_nothing_is_sent(
    role: str, status: str, quiz: ProblemSet, bob: User, services: Services
) -> None:
    Membership.objects.update(role=role, status=status)
    sat(bob, quiz)
    sent()
    assert not services.called["POST scores"]
    assert not LmsScore.objects.exists()


def test_who_comes_from_the_platform_only_later_brings_what_they_did(
    quiz: ProblemSet, course: Course, served: Context, services: Services
) -> None:
    dora = person(course, "dora").user
    sat(dora, quiz)
    sent()
    assert not services.called["POST scores"]
    outbox.want_person(served, member(served, dora, "8"))
    sent()
    assert [one["userId"] for one in services.posted["1"]] == ["8"]


def test_one_section_of_several_courses_there_tells_each_of_its_own_people(
    quiz: ProblemSet, bob: User, course: Course, served: Context, services: Services
) -> None:
    second = connected(
        Context.objects.create(deployment=served.deployment, context_id="course-2", course=course), services
    )
    services.add_column("2")
    column(second, quiz, services, "2")
    dora = person(course, "dora").user
    member(second, dora, "8")
    sat(bob, quiz)
    sat(dora, quiz, answers=WRONG)
    sent()
    assert [one["userId"] for one in services.posted["1"]] == ["7"]
    assert [one["userId"] for one in services.posted["2"]] == ["8"]


def test_scores_cost_the_same_however_many_learners_and_one_query_without_a_column(
    quiz: ProblemSet,
    course: Course,
    served: Context,
    django_assert_max_num_queries: Any,
    django_assert_num_queries: Any,
) -> None:
    learners = [person(course, f"learner-{number}").user for number in range(12)]
    for number, learner in enumerate(learners):
        member(served, learner, f"s{number}")
    attempts = [begin_attempt(learner=learner, problem_set=quiz).pk for learner in learners]
    for some in (attempts[:1], attempts):
        with django_assert_max_num_queries(9):
            outbox.want_attempts(some)
    served.line_items.all().delete()
    with django_assert_num_queries(1):
        outbox.want_attempts(attempts)
