"""Whoever was taken out of a course looks at what they did there, and adds nothing to it."""

import datetime as dt
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from exercises import access, clock
from exercises.actions.sitting.begin import begin_attempt
from exercises.actions.sitting.check import another_variant, check_item, take_attempt_hint
from exercises.actions.sitting.hand_in import hand_in, hand_in_overdue
from exercises.actions.sitting.refusals import AttemptOver, SetNotOpen
from exercises.actions.sitting.save import leave_aside, take_up
from exercises.actions.sitting.sheet import LEFT, over
from exercises.models import Attempt, AttemptItem, Course, Enrolment, ProblemSet, Submission, User
from exercises.queries.attempt import late_drafts
from tests.exercises.sitting.world import ALL_RIGHT, NOW, place, save, variant_id
from tests.frontend.sitting.world import page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("servers", "published")]
ENDS = NOW + dt.timedelta(minutes=30)


@pytest.fixture(autouse=True)
def _now() -> Iterator[None]:
    with clock.at(NOW):
        yield


@pytest.fixture
def item(quiz: ProblemSet, bob: User) -> AttemptItem:
    """The first place of a quiz that Bob was at when he was taken out."""
    attempt = begin_attempt(learner=bob, problem_set=quiz)
    Attempt.objects.update(ends_at=ENDS)
    save(place(attempt), 0, p="0.6")
    Enrolment.objects.filter(user=bob).update(dropped_at=NOW)
    return place(attempt)


def test_nothing_more_is_taken(item: AttemptItem, quiz: ProblemSet, bob: User) -> None:
    variant = variant_id(item)
    known: dict[str, Any] = {"attempt_item": item, "variant_id": variant}
    for write in (
        lambda: save(item, 1, p="0.7"),
        lambda: check_item(**known, answers=ALL_RIGHT, based_on=1),
        lambda: take_attempt_hint(**known, answers={}, step="p"),
        lambda: another_variant(attempt_item=item, after=variant),
        lambda: take_up(attempt_item=item, aside=1),
        lambda: leave_aside(attempt_item=item, aside=1),
        lambda: hand_in(attempt=item.attempt),
    ):
        with pytest.raises(AttemptOver, match="not in this course any more"):
            write()
    with pytest.raises(SetNotOpen, match="not in this course any more"):
        begin_attempt(learner=bob, problem_set=quiz)
    assert not Submission.objects.exists()
    kept = AttemptItem.objects.get(pk=item.pk)
    assert kept.saved["answers"] == {"p": "0.6"}
    # What was typed is beside it.
    assert late_drafts(kept.attempt)[1].answers == ALL_RIGHT
    assert kept.saves.filter(aside="late").count() == 2


def test_what_was_saved_before_is_handed_in_when_time_is_up(item: AttemptItem) -> None:
    with clock.at(ENDS + dt.timedelta(minutes=1)):
        assert hand_in_overdue() == 1
    assert Submission.objects.get().answers == {"p": "0.6"}


def test_its_pages_are_read_and_say_so(item: AttemptItem, bob: User) -> None:
    client = Client()
    client.force_login(bob)
    for name, position in (("attempt", None), ("attempt-item", 1), ("attempt-hand-in", None)):
        response = client.get(page(name, item.attempt, position))
        assert response.status_code == 200
        assert "You are not in this course any more" in response.content.decode()
    sent = client.post(page("attempt-hand-in", item.attempt), {"learner": bob.pk}, follow=True)
    assert "You are not in this course any more" in sent.content.decode()
    assert Attempt.objects.get().handed_in_at is None


def test_whoever_is_back_goes_on(item: AttemptItem, bob: User, course: Course) -> None:
    found = access.attempt_of(bob, item.attempt.public_id)
    assert over(found, NOW) == LEFT
    # Out of another course is not out of this one.
    Enrolment.objects.filter(user=bob).update(dropped_at=None)
    other = Course.objects.create(title="Another")
    Enrolment.objects.create(course=other, user=bob, dropped_at=NOW)
    assert over(access.attempt_of(bob, item.attempt.public_id), NOW) == ""
    assert save(item, 1, p="0.7").kind == "saved"
    assert hand_in(attempt=item.attempt).handed_in_by == "learner"
