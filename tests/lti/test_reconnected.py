"""A course of a platform that led to one course here and leads to another now: nothing of the first is the second's."""

import pytest
from django.test import Client

from exercises import clock
from exercises.actions.lms.columns import make_again
from exercises.actions.lms.outbox import resend, want_pairs
from exercises.actions.lms.places import choose_set, connect_context, disconnect_context
from exercises.actions.lms.refusals import ConnectionRefused
from exercises.models import Context, Course, LineItem, LmsScore, ProblemSet, ResourceLink, User
from tests.exercises.courses.world import problem_set
from tests.exercises.sitting.world import synced
from tests.lti.scoring import column, later, sat, sent
from tests.lti.services import Services, member

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("servers", "published", "noon")]


@pytest.fixture
def quiz(course: Course, served: Context, services: Services, bob: User) -> ProblemSet:
    """A set of Alice's course with a column, in which Bob's score was told."""
    made = problem_set(course, "quiz", *synced(), title="Alice's own quiz")
    column(served, made, services)
    sat(bob, made)
    sent()
    assert [one["scoreGiven"] for one in services.posted["1"]] == [50]
    return made


@pytest.fixture
def erin(served: Context, quiz: ProblemSet, alice: User, elsewhere: Course) -> User:
    """Whoever teaches the other course, to which the platform's leads after Alice took it off hers."""
    found = User.objects.get(username="erin")
    disconnect_context(actor=alice, context=served)
    served.refresh_from_db()
    connect_context(actor=found, person=member(served, found, "9", role="instructor"), context=served, course=elsewhere)
    return found


def test_who_teaches_there_now_sees_no_column_of_before_and_does_nothing_with_it(
    erin: User, elsewhere: Course, services: Services
) -> None:
    client, old = Client(), LineItem.objects.get()
    client.force_login(erin)
    page = f"/lms/courses/{elsewhere.public_id}/"
    shown = client.get(page)
    assert shown.status_code == 200
    assert "Alice&#x27;s own quiz" not in shown.content.decode()
    assert f"columns/{old.pk}/" not in shown.content.decode()
    assert client.get(f"{page}columns/{old.pk}/").status_code == 404
    assert client.post(f"{page}columns/{old.pk}/", {"learner": erin.pk, "do": "all"}).status_code == 404
    for do in ("again", "items"):
        assert client.post(page, {"learner": erin.pk, "do": do, "column": old.pk}).status_code == 404
    with later(minutes=5):
        sent()
    assert len(services.posted["1"]) == 1


def test_nothing_of_before_is_taken_up_or_sent_again_whoever_asks(
    erin: User, alice: User, quiz: ProblemSet, bob: User, services: Services
) -> None:
    old = LineItem.objects.get()
    with pytest.raises(ConnectionRefused, match="another course"):
        make_again(old)
    # As one that a worker was making while the course was taken off.
    LineItem.objects.update(state="active", due_at=clock.now())
    LmsScore.objects.update(due_at=old.created_at, sent_version=0)
    assert resend(actor=alice, column=old) == 0
    want_pairs([(quiz.pk, bob.pk)])
    with later(minutes=5):
        assert sent() == 0
    assert len(services.posted["1"]) == 1


def test_a_column_that_a_link_brings_along_into_the_other_course_leaves_what_was_told_behind(
    erin: User, served: Context, elsewhere: Course, services: Services
) -> None:
    other = problem_set(elsewhere, "quiz", *synced())
    served.refresh_from_db()
    link = ResourceLink.objects.create(context=served, link_id="link-1", lineitem_url=services.columns["1"]["id"])
    choose_set(actor=erin, link=link, problem_set=other)
    assert LineItem.objects.get().problem_set == other
    assert not LmsScore.objects.exists()


def test_led_back_to_the_same_course_its_columns_are_taken_up_with_all_that_was_told(
    served: Context, quiz: ProblemSet, course: Course, alice: User
) -> None:
    disconnect_context(actor=alice, context=served)
    served.refresh_from_db()
    person = member(served, alice, "8", role="instructor")
    connect_context(actor=alice, person=person, context=served, course=course)
    make_again(LineItem.objects.get())
    assert LineItem.objects.get().state == "active"
    assert LmsScore.objects.get().sent["scoreGiven"] == 50
