"""A course that is put away stays to be read: it takes nobody in, and its pages offer nothing that would be refused."""

import html
import re
from typing import Any

import pytest
from django.test import Client

from exercises import clock
from exercises.actions import courses as actions
from exercises.actions.courses import CourseRefused, RosterRefused
from exercises.models import Course, Enrolment, Group, ProblemSet, User
from tests.exercises.courses.world import NOW, problem_set

pytestmark = pytest.mark.usefixtures("servers")

AWAY = "Take it up again first"


@pytest.fixture
def away(course: Course) -> Course:
    """Alice's course, put away."""
    course.archived_at = NOW
    course.save()
    return course


@pytest.fixture
def quiz(course: Course) -> ProblemSet:
    """A draft in it."""
    return problem_set(course, "quiz", published_at=None)


def words(answer: Any) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())).split())


def test_it_takes_nobody_in_by_a_roster_planned_or_done(alice: User, away: Course) -> None:
    text = "username\ncharlie\n"
    with pytest.raises(RosterRefused, match=AWAY):
        actions.plan_roster(course=away, text=text)
    with pytest.raises(RosterRefused, match=AWAY):
        actions.import_roster(actor=alice, course=away, text=text, choices=actions.Choices(), seal="")
    assert not Enrolment.objects.filter(course=away, user__username="charlie").exists()


def test_its_groups_and_who_is_in_them_stay(alice: User, course: Course, member: Enrolment) -> None:
    group = actions.create_group(actor=alice, course=course, name="Monday")
    actions.archive_course(actor=alice, course=course)
    with pytest.raises(CourseRefused, match=AWAY):
        actions.create_group(actor=alice, course=course, name="Tuesday")
    with pytest.raises(CourseRefused, match=AWAY):
        actions.rename_group(actor=alice, group=group, name="Tuesday")
    with pytest.raises(CourseRefused, match=AWAY):
        actions.delete_group(actor=alice, group=group)
    with pytest.raises(CourseRefused, match=AWAY):
        actions.set_groups(actor=alice, enrolment=member, groups=[group.pk])
    assert list(Group.objects.filter(course=course).values_list("name", flat=True)) == ["Monday"]
    assert not group.members.exists()


def test_nobody_is_brought_back_but_whoever_is_there_may_be_taken_out(
    alice: User, away: Course, member: Enrolment
) -> None:
    actions.drop_member(actor=alice, enrolment=member)
    with pytest.raises(CourseRefused, match=AWAY):
        actions.bring_back(actor=alice, enrolment=member)
    member.refresh_from_db()
    assert member.dropped_at is not None


def test_its_pages_offer_nothing_that_would_be_refused(as_alice: Client, away: Course, quiz: ProblemSet) -> None:
    Group.objects.create(course=away, name="Monday")
    problem_set(away, "exam")
    at = f"/courses/{away.public_id}/"
    pages = [at, f"{at}people/", f"{at}groups/", f"{at}roster/", f"/sets/{quiz.public_id}/"]
    with clock.at(NOW):
        shown = [as_alice.get(page) for page in [*pages, f"/sets/{quiz.public_id}/extensions/"]]
    for answer in shown:
        body = answer.content.decode()
        assert answer.status_code == 200
        for offered in ('"up"', '"down"', '"publish"', '"retire"', '"make"', '"delete"', '"look"', "/sets/new/"):
            assert offered not in body, offered
        assert f"{at}roster/" not in body.replace(answer.request["PATH_INFO"], "")
        assert "For this learner" not in body
    assert "put away" in words(shown[0])
    assert "put away" in words(shown[-2])
    # To copy it elsewhere is no change of it.
    assert "/copy/" in shown[-2].content.decode()


@pytest.mark.parametrize("page", ["edit/", "items/", "pools/new/"])
def test_a_form_that_was_bookmarked_says_so(as_alice: Client, away: Course, quiz: ProblemSet, page: str) -> None:
    for answer in (as_alice.get(f"/sets/{quiz.public_id}/{page}"), as_alice.get(f"/sets/new/{away.public_id}/")):
        assert answer.status_code == 409
        assert "The course is put away" in words(answer)
        assert "copy it to another term" in words(answer)
