"""Scores by hand outrank the grader until they are taken back, once however often they are sent."""

from collections.abc import Iterator
from fractions import Fraction

import pytest

from exercises import clock
from exercises.actions import regrade
from exercises.actions.grading import (
    ChangedMeanwhile,
    Given,
    GradeRefused,
    give_override,
    preview_override,
    preview_override_withdrawal,
    withdraw_override,
)
from exercises.models import Attempt, AuditEntry, Course, Enrolment, Override, ProblemSet, Submission, User
from exercises.queries.gradebook import book_rows
from tests.exercises.courses.sat import ALL, HALF, NOTHING, handed_in, marked, place_of
from tests.exercises.courses.world import NOW, person

pytestmark = pytest.mark.usefixtures("servers")


@pytest.fixture(autouse=True)
def _now() -> Iterator[None]:
    with clock.at(NOW):
        yield


def test_a_step_an_item_and_a_set_by_hand(dave: User, attempt: Attempt, enrolled: Enrolment, quiz: ProblemSet) -> None:
    marked(attempt, HALF)
    first = place_of(attempt).item
    assert marked(attempt).score == Fraction(3, 8)
    step = Given(quiz, enrolled, Fraction(1, 2), first, "loss")
    give_override(actor=dave, given=step, reason="Half a sign", seen=None)
    attempt.refresh_from_db()
    assert place_of(attempt).score == Fraction(3, 4)
    assert attempt.score == Fraction(9, 16)
    give_override(actor=dave, given=Given(quiz, enrolled, Fraction(1), first), reason="Explained it", seen=None)
    attempt.refresh_from_db()
    assert attempt.score == Fraction(3, 4)
    give_override(actor=dave, given=Given(quiz, enrolled, Fraction(1, 3)), reason="As agreed", seen=None)
    attempt.refresh_from_db()
    assert attempt.score == Fraction(1, 3)
    for row in Override.objects.select_related("problem_set__course", "item__problem").order_by("-pk"):
        withdraw_override(actor=dave, override=row, reason="It was a slip")
    attempt.refresh_from_db()
    assert attempt.score == Fraction(3, 8)
    deeds = list(AuditEntry.objects.order_by("pk").values_list("deed", flat=True))
    assert deeds == ["override"] * 3 + ["override-withdrawn"] * 3
    entry = AuditEntry.objects.order_by("pk").first()
    assert entry is not None
    assert (entry.actor, entry.learner, entry.problem_set, entry.reason) == (dave, enrolled.user, quiz, "Half a sign")
    assert entry.after == {"score": "1/2", "percent": "50 %"}


def test_neither_a_late_verdict_nor_a_regrade_beats_it(
    dave: User, attempt: Attempt, enrolled: Enrolment, quiz: ProblemSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    marked(attempt, HALF)
    given = Given(quiz, enrolled, Fraction(4, 5), place_of(attempt).item)
    give_override(actor=dave, given=given, reason="8 of 10", seen=None)
    assert marked(attempt, ALL).score == Fraction(3, 5)
    regrade(Submission.objects.all())
    assert marked(attempt, NOTHING, position=2).score == Fraction(3, 5)
    assert place_of(attempt).score == Fraction(4, 5)


def test_the_dry_run_says_who_moves_and_keeps_nothing(attempt: Attempt, enrolled: Enrolment, quiz: ProblemSet) -> None:
    marked(attempt, HALF)
    first = place_of(attempt).item
    (move,) = preview_override(Given(quiz, enrolled, Fraction(1), first)).listed
    assert (move.name, move.before, move.after) == ("bob", Fraction(3, 8), Fraction(3, 4))
    assert (move.item_before, move.item_after) == (Fraction(1, 2), Fraction(1))
    assert not move.is_lower
    lower = preview_override(Given(quiz, enrolled, Fraction(0)))
    assert (lower.raised, lower.lowered, lower.listed[0].is_lower) == (0, 1, True)
    assert preview_override(Given(quiz, enrolled, Fraction(3, 8))).moved == 0
    assert not Override.objects.exists()
    assert not AuditEntry.objects.exists()
    attempt.refresh_from_db()
    assert attempt.score == Fraction(3, 8)


def test_one_without_an_attempt_has_a_score_by_hand(dave: User, course: Course, quiz: ProblemSet) -> None:
    ida = person(course, "ida")
    given = Given(quiz, ida, Fraction(2, 3))
    assert preview_override(given).listed[0].before is None
    row = give_override(actor=dave, given=given, reason="On paper", seen=None)
    cell = book_rows([quiz], [ida])[0].cells[0]
    assert (cell.state, cell.score, cell.is_overridden) == ("not-begun", Fraction(2, 3), True)
    row = Override.objects.select_related("problem_set__course").get(pk=row.pk)
    (move,) = preview_override_withdrawal(row).listed
    assert (move.before, move.after, move.is_lower) == (Fraction(2, 3), None, True)


def test_a_double_click_sets_it_once_and_an_old_page_sets_nothing(
    dave: User, alice: User, attempt: Attempt, enrolled: Enrolment, quiz: ProblemSet
) -> None:
    handed_in(marked(attempt, HALF))
    given = Given(quiz, enrolled, Fraction(1, 2))
    first = give_override(actor=dave, given=given, reason="As agreed", seen=None)
    assert give_override(actor=dave, given=given, reason=" As  agreed ", seen=None).pk == first.pk
    other = Given(quiz, enrolled, Fraction(1))
    with pytest.raises(ChangedMeanwhile):
        give_override(actor=alice, given=other, reason="From a page made before", seen=None)
    second = give_override(actor=alice, given=other, reason="Knowing of it", seen=first.pk)
    assert list(Override.objects.filter(withdrawn_at=None)) == [second]
    loaded = Override.objects.select_related("problem_set__course", "item").get(pk=second.pk)
    for _ in range(2):
        withdraw_override(actor=alice, override=loaded, reason="No")
    assert AuditEntry.objects.filter(deed="override-withdrawn").count() == 1
    assert AuditEntry.objects.filter(deed="override").count() == 2
    attempt.refresh_from_db()
    assert attempt.score == Fraction(3, 8)


@pytest.mark.parametrize(("reason", "step"), [(" ", ""), ("r" * 501, ""), ("Why", "nowhere")])
def test_what_cannot_be_set_is_refused(
    reason: str, step: str, dave: User, attempt: Attempt, enrolled: Enrolment, quiz: ProblemSet
) -> None:
    given = Given(quiz, enrolled, Fraction(1, 2), place_of(attempt).item, step)
    with pytest.raises(GradeRefused):
        give_override(actor=dave, given=given, reason=reason, seen=None)
    with pytest.raises(GradeRefused):
        preview_override(Given(quiz, enrolled, Fraction(3, 2)))
    with pytest.raises(GradeRefused):
        preview_override(Given(quiz, enrolled, Fraction(1, 10**40)))
    with pytest.raises(GradeRefused):
        preview_override(Given(quiz, enrolled, Fraction(1), None, "loss"))
    assert not Override.objects.exists()
