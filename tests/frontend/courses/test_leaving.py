"""A roster tells no more about somebody than it says itself, and whoever it brought in may go again."""

import html
import re
from typing import Any

import pytest
from django.test import Client

from exercises.models import AuditEntry, Course, Enrolment, Role, User
from tests.exercises.courses.world import person

pytestmark = pytest.mark.usefixtures("servers")


def words(answer: Any) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())).split())


def dry_run(client: Client, course: Course, text: str) -> str:
    answer = client.post(f"/courses/{course.public_id}/roster/", {"do": "look", "text": text})
    assert answer.status_code == 200
    return words(answer).partition("What it would do")[2].partition("Do just this")[0]


def test_a_dry_run_gives_no_email_for_a_username_and_no_username_for_an_email(
    as_alice: Client, course: Course, charlie: User
) -> None:
    User.objects.filter(pk=charlie.pk).update(email="secret@example.org")
    User.objects.create_user("hidden-name", email="known@example.org")
    User.objects.create_superuser("runs-it", email="operator@example.org")
    said = dry_run(as_alice, course, "username,email\ncharlie,\n,known@example.org\n,operator@example.org\n")
    assert "charlie" in said
    assert "known@example.org" in said
    assert said.count("an account here") == 2
    for secret in ("secret@example.org", "hidden-name", "runs-it"):
        assert secret not in said


def test_of_those_who_are_or_were_in_the_course_it_says_both(as_alice: Client, course: Course, bob: User) -> None:
    User.objects.filter(pk=bob.pk).update(email="bob@example.org")
    assert "bob@example.org" in dry_run(as_alice, course, "username,role\nbob,learner\n")
    Enrolment.objects.filter(user=bob, course=course).update(dropped_at="2026-01-01T00:00Z")
    assert "bob@example.org" in dry_run(as_alice, course, "username\nbob\n")


def test_somebody_new_has_no_role_before(as_alice: Client, course: Course) -> None:
    said = dry_run(as_alice, course, "email,role\nnew@example.org,assistant\n")
    assert "role: assistant" in said
    assert "→" not in said


def test_whoever_was_brought_in_by_a_roster_leaves_after_being_asked(
    as_charlie: Client, as_alice: Client, course: Course, charlie: User
) -> None:
    at = f"/courses/{course.public_id}/"
    enrolment = Enrolment.objects.create(course=course, user=charlie, role=Role.LEARNER)
    assert f"{at}leave/" in as_charlie.get(at).content.decode()
    assert "Leave this course?" in words(as_charlie.get(f"{at}leave/"))
    enrolment.refresh_from_db()
    assert enrolment.dropped_at is None
    answer = as_charlie.post(f"{at}leave/", follow=True)
    assert "You have left" in words(answer)
    assert Enrolment.objects.get(pk=enrolment.pk).dropped_at is not None
    assert as_charlie.get(at).status_code == 404
    entry = AuditEntry.objects.get(deed="left")
    assert (entry.actor, entry.learner, entry.course) == (charlie, charlie, course)
    assert "left the course" in words(as_alice.get(f"{at}audit/"))


def test_the_last_instructor_stays_and_another_may_go(as_alice: Client, course: Course, alice: User) -> None:
    at = f"/courses/{course.public_id}/leave/"
    answer = as_alice.post(at)
    assert answer.status_code == 422
    assert "The last instructor of a course stays" in words(answer)
    person(course, "grace", Role.INSTRUCTOR)
    assert as_alice.post(at).status_code == 302
    assert Enrolment.objects.get(course=course, user=alice).dropped_at is not None
