"""Handing in: once, everything that was saved, and a receipt that proves it."""

import datetime as dt
from collections.abc import Iterator
from fractions import Fraction

import pytest
from django.test import override_settings

from exercises import clock
from exercises.actions.sitting import hand_in as handing
from exercises.actions.sitting.begin import begin_attempt
from exercises.actions.sitting.hand_in import hand_in, hand_in_overdue
from exercises.actions.sitting.receipt import plain_code, verify_receipt
from exercises.actions.sitting.refusals import NotInThisSet, TimeNotUp
from exercises.actions.sitting.save import save_answers
from exercises.models import (
    Attempt,
    AttemptItem,
    Course,
    Evidence,
    ProblemSet,
    ProblemVersion,
    SavedAnswer,
    Submission,
    User,
)
from exercises.tasks import hand_in_overdue as swept
from tests.exercises.courses.world import problem_set
from tests.exercises.sitting.world import ALL_RIGHT, NOW, WRONG, check, fixed, graded, place, save, synced, variant_id

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("servers", "published")]
ENDS = NOW + dt.timedelta(minutes=30)
SECOND = dt.timedelta(seconds=1)


@pytest.fixture(autouse=True)
def _now() -> Iterator[None]:
    with clock.at(NOW):
        yield


def begun(of: ProblemSet, learner: User) -> Attempt:
    attempt = fixed(begin_attempt(learner=learner, problem_set=of))
    Attempt.objects.filter(pk=attempt.pk).update(ends_at=ENDS)
    attempt.refresh_from_db()
    return attempt


def stored(attempt: Attempt) -> Attempt:
    return Attempt.objects.get(pk=attempt.pk)


def test_what_is_saved_is_what_is_marked(exam: ProblemSet, bob: User) -> None:
    attempt = begun(exam, bob)
    save(place(attempt), 0, **ALL_RIGHT)
    save(place(attempt, 2), 0, masked="nothing at all")
    handed = hand_in(attempt=attempt)
    assert (handed.handed_in_at, handed.handed_in_by) == (NOW, "learner")
    sent = Submission.objects.get()
    assert (sent.answers, sent.created_at, sent.author) == (ALL_RIGHT, NOW, bob)
    graded()
    items = list(attempt.items.order_by("position"))
    assert [item.score for item in items] == [Fraction(1), Fraction(0)]
    assert stored(attempt).score == Fraction(1, 2)
    # An exam that is not released shows nothing of anybody.
    assert not Evidence.objects.exists()


def test_what_is_partly_filled_counts_as_far_as_it_goes(exam: ProblemSet, bob: User) -> None:
    attempt = begun(exam, bob)
    save(place(attempt), 0, p="0.665", total="11.1.07")
    hand_in(attempt=attempt)
    graded()
    # Of total (1), p (1) and loss (2), p is right; what cannot be read weighs as much as ever.
    assert AttemptItem.objects.get(attempt=attempt, position=1).score == Fraction(1, 4)


def test_nothing_typed_is_nothing_handed_in_and_scores_0(exam: ProblemSet, bob: User) -> None:
    attempt = begun(exam, bob)
    hand_in(attempt=attempt)
    assert not Submission.objects.exists()
    assert stored(attempt).score == 0


def test_handing_in_twice_is_handing_in_once(exam: ProblemSet, bob: User) -> None:
    attempt = begun(exam, bob)
    save(place(attempt), 0, **ALL_RIGHT)
    first = hand_in(attempt=attempt).receipt
    with clock.at(NOW + SECOND):
        again = hand_in(attempt=stored(attempt))
    assert (again.receipt, again.handed_in_at) == (first, NOW)
    assert Submission.objects.count() == 1
    assert len(plain_code(first)) == 24


def test_what_was_typed_and_not_checked_is_the_last_try(quiz: ProblemSet, bob: User) -> None:
    attempt = begun(quiz, bob)
    check(place(attempt), **WRONG)
    graded()
    save(place(attempt), 1, **ALL_RIGHT)
    hand_in(attempt=attempt)
    graded()
    item = AttemptItem.objects.get(attempt=attempt, position=1)
    assert (item.tries, item.score) == (2, Fraction(1, 2))


@pytest.mark.parametrize("typed", [WRONG, {**WRONG, "loss": "9.990"}])
def test_what_was_checked_is_not_sent_again(quiz: ProblemSet, bob: User, typed: dict[str, str]) -> None:
    attempt = begun(quiz, bob)
    check(place(attempt), **WRONG)
    save(place(attempt), 1, **typed)
    hand_in(attempt=attempt)
    assert Submission.objects.count() == 1


def test_no_more_tries_than_there_are(quiz: ProblemSet, bob: User) -> None:
    attempt = begun(quiz, bob)
    for answers in (WRONG, {**WRONG, "p": "0.1"}):
        check(place(attempt), **answers)
        graded()
    save(place(attempt), place(attempt).saved_version, **ALL_RIGHT)
    hand_in(attempt=attempt)
    assert Submission.objects.count() == 2


def test_the_sweep_hands_in_what_was_saved_in_time(exam: ProblemSet, bob: User) -> None:
    attempt = begun(exam, bob)
    save(place(attempt), 0, **ALL_RIGHT)
    with clock.at(ENDS + 5 * SECOND):
        assert hand_in_overdue() == 0
    with clock.at(ENDS + dt.timedelta(hours=3)):
        assert (swept(), swept()) == (1, 0)
    handed = stored(attempt)
    # However late the sweep was, it counts as handed in when time was up.
    assert (handed.handed_in_at, handed.handed_in_by, bool(handed.receipt)) == (ENDS, "time", True)
    assert Submission.objects.get().created_at == ENDS
    graded()
    assert stored(attempt).score == Fraction(1, 2)


@pytest.mark.parametrize(
    ("after", "by", "at"),
    [(-SECOND, "learner", ENDS - SECOND), (4 * SECOND, "learner", ENDS), (6 * SECOND, "time", ENDS)],
)
def test_who_handed_in_and_when(exam: ProblemSet, bob: User, after: dt.timedelta, by: str, at: dt.datetime) -> None:
    attempt = begun(exam, bob)
    with clock.at(ENDS + after):
        handed = hand_in(attempt=attempt)
    assert (handed.handed_in_by, handed.handed_in_at) == (by, at)


def test_an_extension_given_meanwhile_keeps_the_sweep_away(exam: ProblemSet, bob: User) -> None:
    attempt = begun(exam, bob)
    Attempt.objects.update(ends_at=ENDS + dt.timedelta(hours=1))
    with clock.at(ENDS + dt.timedelta(minutes=1)):
        assert hand_in_overdue() == 0
    assert not stored(attempt).is_over


def test_one_that_fails_spoils_no_other(
    exam: ProblemSet, bob: User, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad, good = begun(exam, bob), begun(exam, alice)
    finish = handing._finish

    def fails(attempt: Attempt, now: dt.datetime) -> None:
        if attempt.pk == bad.pk:
            raise RuntimeError("This one is broken.")
        finish(attempt, now)

    monkeypatch.setattr(handing, "_finish", fails)
    with clock.at(ENDS + dt.timedelta(minutes=1)):
        assert hand_in_overdue() == 1
        assert (stored(bad).is_over, stored(good).is_over) == (False, True)
        monkeypatch.undo()
        assert hand_in_overdue() == 1


def test_a_problem_that_broke_meanwhile_loses_no_answer(exam: ProblemSet, bob: User) -> None:
    attempt = begun(exam, bob)
    save(place(attempt), 0, **ALL_RIGHT)
    ProblemVersion.objects.filter(problem__slug="masked").update(source="this is no problem")
    hand_in(attempt=attempt)
    assert Submission.objects.get().answers == ALL_RIGHT


def test_practice_ends_without_marking_what_was_never_sent(practice: ProblemSet, bob: User) -> None:
    attempt = begun(practice, bob)
    save(place(attempt), 0, **ALL_RIGHT)
    with clock.at(ENDS + dt.timedelta(minutes=1)):
        assert hand_in_overdue() == 1
    assert not Submission.objects.exists()


def test_practice_is_not_handed_in_before_its_end(practice: ProblemSet, bob: User) -> None:
    attempt = begun(practice, bob)
    with clock.at(NOW), pytest.raises(NotInThisSet, match="Practice is not handed in"):
        hand_in(attempt=attempt)
    attempt.refresh_from_db()
    assert attempt.handed_in_at is None
    with clock.at(ENDS):
        assert hand_in(attempt=attempt, because_time_is_up=True).handed_in_at == ENDS


@pytest.mark.parametrize(
    ("ends", "said"), [(ENDS, "this attempt ends on Mon 1 Dec"), (None, "this attempt has no end")]
)
def test_a_page_that_is_wrong_about_the_end_hands_nothing_in(
    exam: ProblemSet, bob: User, ends: dt.datetime | None, said: str
) -> None:
    attempt = begun(exam, bob)
    Attempt.objects.update(ends_at=ends)
    with clock.at(ENDS - dt.timedelta(milliseconds=1)), pytest.raises(TimeNotUp, match=said):
        hand_in(attempt=attempt, because_time_is_up=True)
    attempt.refresh_from_db()
    assert attempt.handed_in_at is None
    with clock.at(NOW):
        assert hand_in(attempt=attempt).handed_in_at == NOW


# The receipt


def test_a_receipt_is_genuine_until_something_stored_is_changed(quiz: ProblemSet, bob: User) -> None:
    attempt = begun(quiz, bob)
    check(place(attempt), **WRONG)
    graded()
    save(place(attempt), 1, **ALL_RIGHT)
    code = hand_in(attempt=attempt).receipt
    graded()
    found = stored(attempt)
    assert verify_receipt(attempt=found).is_genuine
    assert verify_receipt(attempt=found, code=code.lower().replace("-", " ")).is_genuine
    assert not verify_receipt(attempt=found, code=code[:-1] + ("A" if code[-1] != "A" else "B")).is_genuine
    first = Submission.objects.earliest("pk")
    Submission.objects.filter(pk=first.pk).update(answers={**WRONG, "loss": "0.408"})
    assert not verify_receipt(attempt=found).is_genuine
    Submission.objects.filter(pk=first.pk).update(answers=WRONG)
    assert verify_receipt(attempt=found).is_genuine
    Attempt.objects.update(handed_in_at=NOW - SECOND)
    assert not verify_receipt(attempt=stored(attempt)).is_genuine


def test_a_late_draft_and_what_staff_enter_change_no_receipt(exam: ProblemSet, bob: User, alice: User) -> None:
    attempt = begun(exam, bob)
    save(place(attempt), 0, **ALL_RIGHT)
    hand_in(attempt=attempt)
    SavedAnswer.objects.create(attempt_item=place(attempt), answers={"p": "1"}, aside="late")
    sent = Submission.objects.get()
    Submission.objects.create(
        variant=sent.variant, author=bob, answers={}, locale="en", idempotency_key="paper", fingerprint="x",
        entered_by=alice, created_at=NOW,
    )  # fmt: skip
    assert verify_receipt(attempt=stored(attempt)).is_genuine


def test_a_receipt_outlives_a_change_of_the_signing_key(exam: ProblemSet, bob: User, settings: object) -> None:
    attempt = begun(exam, bob)
    with override_settings(SECRET_KEY="the key before, long enough for anything at all"):
        hand_in(attempt=attempt)
        with override_settings(SECRET_KEY="another", SECRET_KEY_FALLBACKS=[]):
            assert not verify_receipt(attempt=stored(attempt)).is_genuine
    with override_settings(SECRET_KEY_FALLBACKS=["the key before, long enough for anything at all"]):
        assert verify_receipt(attempt=stored(attempt)).is_genuine


def test_without_hand_in_there_is_nothing_to_verify(exam: ProblemSet, bob: User) -> None:
    assert not verify_receipt(attempt=begun(exam, bob)).is_genuine


def test_late_days_are_those_of_the_calendar(course: Course, bob: User) -> None:
    """Due an hour ago, half of it is left on the first day after."""
    of = problem_set(course, "exam", *synced(), due_at=NOW - dt.timedelta(hours=1), late=["1/2"], closes_at=None)
    attempt = fixed(begin_attempt(learner=bob, problem_set=of))
    assert attempt.ends_at == NOW + dt.timedelta(hours=23)
    save(place(attempt), 0, **ALL_RIGHT)
    hand_in(attempt=attempt)
    graded()
    assert (stored(attempt).late_days, stored(attempt).score) == (1, Fraction(1, 4))


def test_what_is_cut_off_half_way_was_never_begun(exam: ProblemSet, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    attempt = begun(exam, bob)
    save(place(attempt), 0, **ALL_RIGHT)

    def dies(_: Attempt) -> str:
        raise SystemExit

    monkeypatch.setattr(handing, "receipt_of", dies)
    with pytest.raises(SystemExit):
        hand_in(attempt=attempt)
    assert not Submission.objects.exists()
    assert not stored(attempt).is_over
    monkeypatch.undo()
    with clock.at(ENDS + dt.timedelta(minutes=1)):
        assert hand_in_overdue() == 1
    assert Submission.objects.count() == 1


def test_a_try_within_the_grace_is_on_the_receipt(quiz: ProblemSet, bob: User) -> None:
    attempt = begun(quiz, bob)
    with clock.at(ENDS + 3 * SECOND):
        check(place(attempt), **WRONG)
        hand_in(attempt=attempt)
    assert verify_receipt(attempt=stored(attempt)).is_genuine
    Submission.objects.update(answers=ALL_RIGHT)
    assert not verify_receipt(attempt=stored(attempt)).is_genuine


def test_the_last_answer_comes_after_a_try_within_the_grace(quiz: ProblemSet, bob: User) -> None:
    attempt = begun(quiz, bob)
    with clock.at(ENDS + 2 * SECOND):
        check(place(attempt), **WRONG)
        graded()
    with clock.at(ENDS + 3 * SECOND):
        save(place(attempt), place(attempt).saved_version, **ALL_RIGHT)
        hand_in(attempt=attempt)
    graded()
    item = AttemptItem.objects.get(attempt=attempt, position=1)
    # The second try, which is worth a half, although it counts as handed in when time was up.
    assert (item.tries, item.score) == (2, Fraction(1, 2))


def test_a_decimal_sign_that_was_changed_is_handed_in(exam: ProblemSet, bob: User) -> None:
    attempt = begun(exam, bob)
    answers = {**ALL_RIGHT, "total": "11,107", "p": "0,665", "loss": "0,408"}
    item = place(attempt)
    for based_on, locale in ((0, "en"), (1, "de")):
        save_answers(
            attempt_item=item, variant_id=variant_id(item), answers=answers, based_on=based_on, locale=locale, page="a"
        )
    hand_in(attempt=attempt)
    assert Submission.objects.get().locale == "de"
    graded()
    assert AttemptItem.objects.get(pk=item.pk).score == 1


def test_many_that_fail_keep_nobody_waiting(
    exam: ProblemSet, bob: User, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad, good = begun(exam, bob), begun(exam, alice)
    Attempt.objects.filter(pk=bad.pk).update(ends_at=ENDS - SECOND)
    finish = handing._finish

    def fails(attempt: Attempt, now: dt.datetime) -> None:
        if attempt.pk == bad.pk:
            raise RuntimeError("This one is broken.")
        finish(attempt, now)

    monkeypatch.setattr(handing, "_finish", fails)
    # As many as a sweep looks at fail, and take all its time.
    monkeypatch.setattr(handing, "MOST_SWEPT", 1)
    monkeypatch.setattr(handing, "SWEEP_LONGEST", 0)
    with clock.at(ENDS + dt.timedelta(minutes=1)):
        assert [hand_in_overdue(), hand_in_overdue()] == [0, 1]
        assert (stored(bad).is_over, stored(good).is_over) == (False, True)
        monkeypatch.undo()
        assert hand_in_overdue() == 1
