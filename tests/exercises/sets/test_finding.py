"""Finding a set together with one's place in its course: for the members whose role includes the right."""

import pytest
from django.http import Http404

from exercises import access
from exercises.courses.rights import Right, may
from exercises.models import Course, Enrolment, ProblemSet, Role, User

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("servers")]


@pytest.mark.parametrize("right", list(Right))
@pytest.mark.parametrize("role", list(Role))
def test_a_set_and_ones_place_are_found_exactly_where_the_role_includes_the_right(
    role: Role, right: Right, quiz: ProblemSet, course: Course, bob: User
) -> None:
    ProblemSet.objects.update(published_at=quiz.opens_at)
    Enrolment.objects.update_or_create(course=course, user=bob, defaults={"role": role})
    if not may(role, right):
        with pytest.raises(Http404):
            access.set_and_enrolment_with(bob, quiz.public_id, right)
        return
    found, enrolment = access.set_and_enrolment_with(bob, quiz.public_id, right)
    assert (found, enrolment.user, enrolment.role) == (quiz, bob, role)
    assert enrolment.course is found.course
    access.require_right(enrolment, right)


@pytest.mark.parametrize("right", list(Right))
def test_who_is_elsewhere_or_was_taken_out_finds_nothing(
    right: Right, quiz: ProblemSet, alice: User, charlie: User
) -> None:
    _, place = access.set_and_enrolment_with(alice, quiz.public_id, Right.MANAGE)
    Enrolment.objects.filter(user=alice).update(dropped_at=place.created_at)
    place.refresh_from_db()
    for person in (alice, charlie):
        with pytest.raises(Http404):
            access.set_and_enrolment_with(person, quiz.public_id, right)
    with pytest.raises(Http404):
        access.require_right(place, right)


def test_a_right_that_a_role_lacks_is_refused_as_if_there_were_no_page(quiz: ProblemSet, alice: User) -> None:
    Enrolment.objects.filter(user=alice).update(role=Role.ASSISTANT)
    _, place = access.set_and_enrolment_with(alice, quiz.public_id, Right.GRADE)
    with pytest.raises(Http404):
        access.require_right(place, Right.MANAGE)
