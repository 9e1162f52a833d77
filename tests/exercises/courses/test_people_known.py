"""Whom a text means: the same for copies on paper, their tables, and grades out of a file."""

import pytest

from exercises.models import Course, Enrolment, Role, User
from exercises.queries.people import Known, NotOne, learner_meant, learners_known
from tests.exercises.courses.world import person

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("servers")]


@pytest.fixture
def ida(course: Course) -> Enrolment:
    return person(course, "Ida", external_id="K-49")


def both(course: Course, text: str) -> Enrolment:
    """Found alone, and among all."""
    found = learner_meant(course, text)
    assert learners_known(course).one(text) == found
    return found


@pytest.mark.parametrize("text", ["Ida", " ida ", "IDA@example.org", "k-49"])
def test_a_name_an_address_or_a_number_in_whichever_letters(text: str, course: Course, ida: Enrolment) -> None:
    assert both(course, text) == ida


def test_a_user_name_comes_before_an_address_and_that_before_a_number(course: Course, ida: Enrolment) -> None:
    other = person(course, "K-49")
    assert both(course, "k-49") == other
    assert Known([ida, other]).called(number="k-49") == [ida]
    assert Known([ida, other]).called("nobody", ida.user.email, "K-49") == [ida]


def test_capitals_tell_apart_what_nothing_else_does(course: Course, ida: Enrolment) -> None:
    small = person(course, "ida")
    assert both(course, "Ida") == ida
    assert both(course, "ida") == small
    with pytest.raises(NotOne, match="more than one"):
        both(course, "IDA")


@pytest.mark.parametrize("text", ["", "nobody", "alice", "gone", "charlie"])
def test_only_learners_who_are_there_are_meant(
    text: str, course: Course, elsewhere: Course, ida: Enrolment, bob: User
) -> None:
    person(course, "gone", dropped_at=ida.created_at)
    person(course, "eve", Role.OBSERVER)
    with pytest.raises(NotOne, match="No learner"):
        learner_meant(course, text)
    with pytest.raises(NotOne, match="No learner"):
        learners_known(course).one(text)
