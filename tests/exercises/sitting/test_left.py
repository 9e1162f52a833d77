"""Whoever was taken out of a course looks at what they did there, and adds nothing to it."""

import datetime as dt
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from exercises import access, clock
from exercises.actions import draw_variant, issue_token, send_answer, take_hint
from exercises.actions.sitting.begin import begin_attempt
from exercises.actions.sitting.check import another_variant, check_item, take_attempt_hint
from exercises.actions.sitting.hand_in import hand_in, hand_in_overdue
from exercises.actions.sitting.refusals import AttemptOver, SetNotOpen
from exercises.actions.sitting.save import leave_aside, take_up
from exercises.actions.sitting.sheet import LEFT, over
from exercises.models import Attempt, AttemptItem, Course, Enrolment, HintUse, ProblemSet, Submission, User, Variant
from exercises.queries.attempt import late_drafts
from exercises.refusals import LeftCourse
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


@pytest.fixture
def practised(practice: ProblemSet, bob: User) -> Variant:
    """A variant of a practice set that Bob was at when he was taken out."""
    variant = place(begin_attempt(learner=bob, problem_set=practice)).variants.get()
    Enrolment.objects.filter(user=bob).update(dropped_at=NOW)
    return variant


def test_practice_in_a_set_takes_no_answer_and_gives_no_hint_and_keeps_what_was_typed(
    practised: Variant, bob: User
) -> None:
    for ask in (
        lambda: send_answer(learner=bob, variant=practised, answers={"p": "0.7"}),
        lambda: send_answer(learner=bob, variant=practised, answers={"p": "no number"}),
        lambda: take_hint(variant=practised, step="p", answers={"loss": "0.4"}),
    ):
        with pytest.raises(LeftCourse, match="not in the course of this exercise any more"):
            ask()
    assert not Submission.objects.exists()
    assert not HintUse.objects.exists()
    assert Variant.objects.get(pk=practised.pk).draft == {"p": "no number", "loss": "0.4"}
    Enrolment.objects.filter(user=bob).update(dropped_at=None)
    assert send_answer(learner=bob, variant=practised, answers={"p": "0.7"}).kind == "queued"


def test_free_practice_goes_on_without_the_course(practised: Variant, bob: User) -> None:
    own = draw_variant(learner=bob, slug="masked")
    assert own.attempt_item_id is None
    assert send_answer(learner=bob, variant=own, answers={"p": "0.7"}).kind == "queued"


def test_the_page_of_practice_says_so_and_leaves_what_was_typed_in_its_boxes(practised: Variant, bob: User) -> None:
    browser = Client()
    browser.force_login(bob)
    at = f"/variants/{practised.public_id}/"
    form = {"answer-p": "0.7123", "form": "a page", "check": "p", "learner": bob.pk}
    for headers in ({}, {"HX-Request": "true"}):
        told = browser.post(f"{at}answers/", form, headers=headers)
        assert told.status_code == 409
        assert "not in the course of this exercise any more" in told.content.decode()
        assert 'value="0.7123"' in told.content.decode()
    hinted = browser.post(f"{at}hints/p/", {**form, "answer-p": "0.8"}, follow=True)
    assert "not in the course of this exercise any more" in hinted.content.decode()
    assert 'value="0.8"' in browser.get(at).content.decode()
    assert not Submission.objects.exists()


def test_programs_are_told_the_same(practised: Variant, bob: User) -> None:
    key, _ = issue_token(user=bob)
    answer = Client().post(
        f"/api/v1/variants/{practised.public_id}/answers",
        {"answers": {"p": "0.7"}},
        content_type="application/json",
        headers={"Authorization": f"Bearer {key}"},
    )
    assert answer.json()["code"] == "left-course"
    assert not Submission.objects.exists()
