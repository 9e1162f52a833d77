"""The page of an attempt says how each answer was judged, what a regrade made of it, and what was decided, by the
course's clocks."""

import pytest
from django.urls import reverse

from exercises.actions.grading import Decision, give_ruling, withdraw_ruling
from exercises.actions.regrading.deciding import apply_regrade, undo_regrade
from exercises.models import ProblemSet, RegradeEvent, Ruling, Submission, User
from tests.exercises.regrading.world import done
from tests.frontend.regrading.conftest import As
from tests.frontend.world import words

pytestmark = pytest.mark.usefixtures("servers")


@pytest.fixture
def page(submission: Submission) -> str:
    place = submission.variant.attempt_item
    assert place is not None
    return reverse("frontend:attempt-grade", args=[place.attempt.public_id])


def test_a_regrade_shows_both_verdicts_their_versions_and_the_way_to_it(
    as_person: As, page: str, event: RegradeEvent, alice: User
) -> None:
    before = words(as_person("alice").get(page).content.decode())
    assert "by the grader version 1" in before
    assert "see the regrade" not in before
    done(apply_regrade(event=event, actor=alice))
    body = as_person("alice").get(page).content.decode()
    said = words(body)
    assert "100 % by the grader version 2" in said.replace("\u00a0", " ")
    assert "before: version 1, first" in said
    assert "counts: version 2, by a regrade" in said
    assert body.count(reverse("frontend:regrade", args=[event.public_id])) == 2
    assert "applied a regrade" in said
    event.refresh_from_db()
    asked = words(as_person("alice").get(reverse("frontend:regrade", args=[event.public_id])).content.decode())
    assert "Undo this regrade… Every answer that it raised or lowered is judged as before" in asked
    done(undo_regrade(event=event, actor=alice))
    said = words(as_person("alice").get(page).content.decode())
    assert "counts: version 1, as before a regrade that was undone" in said
    assert "undid a regrade" in said


def test_decisions_for_all_stand_there_also_when_they_were_taken_back(
    as_person: As, page: str, quiz: ProblemSet, submission: Submission, alice: User
) -> None:
    item = quiz.items.get()
    decision = Decision(item=item, kind=Ruling.Kind.DISCOUNT, step="loss")
    ruling = give_ruling(actor=alice, decision=decision, reason="It was unclear.")
    withdraw_ruling(actor=alice, ruling=ruling, reason="It was not.")
    said = words(as_person("alice").get(page).content.decode()).partition("What was done about it")[2]
    assert "decided for all" in said
    assert "took a decision back" in said
    assert "It was not." in said


def test_every_moment_on_it_goes_by_the_clocks_of_the_course(as_person: As, page: str) -> None:
    said = words(as_person("alice").get(page).content.decode())
    assert "UTC" not in said
    assert "CE" in said.partition("Try 1")[2][:60]
