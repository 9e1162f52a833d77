"""A regrade from its dry run to its undoing: who moves, by how much and why, and what is kept."""

from fractions import Fraction
from io import StringIO

import pytest
from django.core.management import call_command

from exercises.actions.regrading.deciding import (
    RegradeRefused,
    apply_regrade,
    drop_regrade,
    make_regrade,
    undo_regrade,
)
from exercises.actions.scores import keep_scores
from exercises.models import (
    AuditEntry,
    Course,
    Evidence,
    Grading,
    Problem,
    ProblemSet,
    ProblemVersion,
    RegradeChange,
    RegradeEvent,
    RegradeMove,
    User,
    Variant,
)
from exercises.queries import verdict_of
from exercises.queries.regrades import move_counts, moves_of, why_moved
from exercises.refusals import TextRefused
from tests.exercises.courses.world import person, problem_set
from tests.exercises.regrading.world import (
    MISLED,
    RIGHT,
    WRONG,
    answered,
    done,
    made,
    place,
    publish,
    score_of,
    verdicts,
)
from tests.exercises.world import MASKED

pytestmark = pytest.mark.usefixtures("servers", "published")
State = RegradeEvent.State


def applied(event: RegradeEvent, actor: User) -> RegradeEvent:
    return done(apply_regrade(event=event, actor=actor))


def undone(event: RegradeEvent, actor: User) -> RegradeEvent:
    return done(undo_regrade(event=event, actor=actor))


def test_a_dry_run_says_who_moves_by_how_much_and_why_and_changes_nothing(
    alice: User, bob: User, course: Course, quiz: ProblemSet
) -> None:
    dora = person(course, "dora").user
    right, misled = place(bob, quiz), place(dora, quiz)
    for variant, answers in ((right, RIGHT), (misled, MISLED)):
        answered(variant, answers)
    before = [score_of(variant) for variant in (right, misled)]
    event = made(course, alice, publish(MASKED))
    assert (event.state, event.done, event.total) == (State.READY, 2, 2)
    assert (event.raised, event.lowered, event.failed) == (1, 1, 0)
    assert [score_of(variant) for variant in (right, misled)] == before
    assert Grading.objects.count() == 2
    moves = {move.attempt_item_id: move for move in moves_of(event)}
    assert (moves[right.attempt_item_id].item_before, moves[right.attempt_item_id].item_after) == ("3/4", "1")
    assert moves[right.attempt_item_id].attempt_after == "1"
    assert moves[right.attempt_item_id].is_raised is True
    assert (moves[misled.attempt_item_id].item_before, moves[misled.attempt_item_id].is_raised) == ("1", False)
    (told,) = why_moved(event, [right.attempt_item_id or 0])[right.attempt_item_id or 0]
    assert [
        (step.step, step.before and step.before.outcome, step.after and step.after.outcome) for step in told.steps
    ] == [("total", "wrong", "right"), ("p", "carried", "right"), ("loss", "carried", "right")]


def test_what_the_dry_run_said_is_what_comes_of_it(alice: User, bob: User, course: Course, quiz: ProblemSet) -> None:
    variants = [place(bob, quiz), place(person(course, "dora").user, quiz)]
    for variant, answers in zip(variants, (RIGHT, MISLED), strict=True):
        answered(variant, {**answers, "loss": "0.5"})
        answered(variant, answers)
    event = applied(made(course, alice, publish(MASKED)), alice)
    assert event.state == State.APPLIED
    said = {move.attempt_item_id: (move.item_after, move.attempt_after) for move in moves_of(event)}
    for variant in variants:
        item, attempt = score_of(variant)
        assert said[variant.attempt_item_id] == (str(item), str(attempt))


def test_applied_the_new_verdicts_stand_beside_the_old_and_everything_follows(
    alice: User, bob: User, course: Course, quiz: ProblemSet
) -> None:
    variant = place(bob, quiz)
    submission = answered(variant, RIGHT)
    assert shown(variant)["p"] == ("right", 1.0)
    event = made(course, alice, publish(WRONG.replace("is: powers[t] / total\n", "is: 1 - powers[t] / total\n")))
    assert applied(event, alice).state == State.APPLIED
    assert [reason for reason, _, _ in verdicts(submission)] == ["first", "regrade"]
    counts = Grading.objects.get(submission=submission, event=event)
    item, attempt = score_of(variant)
    assert item == attempt == counts.score < Fraction(3, 4)
    assert shown(variant)["p"] == ("void", 1.0)
    variant.refresh_from_db()
    assert variant.marked_by == event.version
    assert RegradeChange.objects.get(event=event).grading == counts
    undone(event, alice)
    assert shown(variant)["p"] == ("right", 1.0)


def shown(variant: Variant) -> dict[str, tuple[str, float]]:
    """What each step of a variant shows of its learner: the latest row of evidence."""
    rows = Evidence.objects.filter(variant=variant).order_by("revision")
    return {row.step: (row.reason, row.correctness) for row in rows}


def test_undone_the_old_verdicts_are_added_again(alice: User, bob: User, course: Course, quiz: ProblemSet) -> None:
    variant = place(bob, quiz)
    submission = answered(variant, RIGHT)
    before = score_of(variant)
    event = applied(made(course, alice, publish(MASKED)), alice)
    assert score_of(variant) == (Fraction(1), Fraction(1))
    event = undone(event, alice)
    assert event.state == State.UNDONE
    assert verdicts(submission) == [("first", 1, "3/4"), ("regrade", 2, "1"), ("undo", 1, "3/4")]
    assert score_of(variant) == before
    variant.refresh_from_db()
    assert variant.marked_by is None
    assert list(AuditEntry.objects.order_by("pk").values_list("deed", flat=True)) == [
        "regrade-made",
        "regrade-applied",
        "regrade-undone",
    ]


def test_the_same_version_and_grader_change_nothing(
    alice: User, bob: User, course: Course, quiz: ProblemSet, wrong: ProblemVersion
) -> None:
    variant = place(bob, quiz)
    submission = answered(variant, RIGHT)
    event = made(course, alice, wrong)
    assert (event.done, event.raised, event.lowered, event.failed) == (1, 0, 0, 0)
    assert not RegradeChange.objects.exists()
    assert not RegradeMove.objects.exists()
    assert applied(event, alice).state == State.APPLIED
    assert len(verdicts(submission)) == 1


def test_a_second_regrade_by_the_same_version_changes_nothing(
    alice: User, bob: User, course: Course, quiz: ProblemSet
) -> None:
    variant = place(bob, quiz)
    submission = answered(variant, RIGHT)
    version = publish(MASKED)
    applied(made(course, alice, version), alice)
    again = made(course, alice, version)
    assert (again.raised, again.lowered, again.failed) == (0, 0, 0)
    applied(again, alice)
    assert len(verdicts(submission)) == 2


def test_never_lower_keeps_the_better_verdict_of_each_answer(
    alice: User, bob: User, course: Course, quiz: ProblemSet
) -> None:
    dora = person(course, "dora").user
    right, misled = place(bob, quiz), place(dora, quiz)
    submissions = [answered(right, RIGHT), answered(misled, MISLED)]
    event = made(course, alice, publish(MASKED), never_lower=True)
    assert (event.raised, event.lowered) == (1, 0)
    counts = move_counts(event)
    assert (counts.raised, counts.lowered, counts.kept) == (1, 0, 1)
    applied(event, alice)
    assert [len(verdicts(submission)) for submission in submissions] == [2, 1]
    assert score_of(misled) == (Fraction(1), Fraction(1))


def test_the_command_leaves_attempts_to_the_regrades_of_their_course(
    alice: User, bob: User, course: Course, quiz: ProblemSet
) -> None:
    """Marked by the version of the regrade that counts, the better verdict that it has kept would be lowered, with no
    way back."""
    misled = place(bob, quiz)
    submission = answered(misled, MISLED)
    applied(made(course, alice, publish(MASKED), never_lower=True), alice)
    for arguments in (["masked"], ["masked", "--current"]):
        out = StringIO()
        call_command("regrade", *arguments, stdout=out)
        assert "0 looked at" in out.getvalue()
        assert "1 left out" in out.getvalue()
    assert verdicts(submission) == [("first", 1, "1")]
    assert score_of(misled) == (Fraction(1), Fraction(1))


def test_scores_set_by_hand_stay(alice: User, bob: User, course: Course, quiz: ProblemSet) -> None:
    variant = place(bob, quiz)
    answered(variant, RIGHT)
    quiz.overrides.create(learner=bob, item=quiz.items.get(), score="1/10", reason="Copied.", given_by=alice)
    keep_scores([variant.attempt_item_id or 0])
    event = applied(made(course, alice, publish(MASKED)), alice)
    assert event.raised == 1
    assert score_of(variant)[0] == Fraction(1, 10)
    (move,) = moves_of(event)
    assert (move.item_before, move.item_after, move.is_raised) == ("1/10", "1/10", None)


def test_what_does_not_fit_is_counted_with_its_reason_and_keeps_its_verdict(
    alice: User, bob: User, course: Course, quiz: ProblemSet
) -> None:
    variant = place(bob, quiz)
    submission = answered(variant, RIGHT)
    longer = MASKED.replace("  t: {index", "  k: {range: [1, 3]}\n  t: {index").replace(
        "sum(powers)\n", "k * sum(powers)\n"
    )
    event = made(course, alice, publish(longer))
    assert (event.failed, event.raised) == (1, 0)
    assert list(event.reasons) == ["What was drawn does not fit this version."]
    applied(event, alice)
    assert len(verdicts(submission)) == 1
    variant.refresh_from_db()
    assert variant.marked_by is None


def test_digits_that_were_changed_for_a_set_are_not_lost(
    alice: User, bob: User, course: Course, quiz: ProblemSet, wrong: ProblemVersion
) -> None:
    source = f"{WRONG}digits: {{working: 4, answer: 2}}\n"
    coarse = wrong.problem.versions.create(number=50, source=source, digest="coarse", adapted_from=wrong)
    quiz.items.update(version=coarse)
    answered(place(bob, quiz), RIGHT)
    event = made(course, alice, publish(MASKED))
    assert event.failed == 1
    assert "digits changed for its set" in next(iter(event.reasons))


def test_fewer_digits_widen_the_tolerance(
    alice: User, bob: User, course: Course, quiz: ProblemSet, wrong: ProblemVersion
) -> None:
    variant = place(bob, quiz)
    answered(variant, {**MISLED, "total": "12.3"})
    before = score_of(variant)[0]
    event = done(
        make_regrade(
            course=course,
            actor=alice,
            problem=wrong.problem,
            version=wrong,
            problem_set=quiz,
            reason="Three digits were asked for on the board.",
            never_lower=True,
            digits=2,
        )
    )
    assert event.version.adapted_from == wrong
    assert event.version != wrong
    assert (event.lowered, event.failed) == (0, 0)
    assert event.raised == 1
    applied(event, alice)
    assert score_of(variant)[0] > before


def test_only_the_set_that_was_chosen_is_touched_and_no_preview(
    alice: User, bob: User, course: Course, quiz: ProblemSet, wrong: ProblemVersion
) -> None:
    other = problem_set(course, ProblemSet.Mode.QUIZ, wrong.problem, title="Another", opens_at=None, closes_at=None)
    here, there = place(bob, quiz), place(bob, other)
    preview = place(alice, quiz, is_preview=True)
    submissions = [answered(variant, RIGHT) for variant in (here, there, preview)]
    event = applied(made(course, alice, publish(MASKED), problem_set=quiz), alice)
    assert event.done == 1
    assert [len(verdicts(submission)) for submission in submissions] == [2, 1, 1]
    assert Variant.objects.filter(marked_by=event.version).get() == here


def test_another_course_is_never_touched(
    alice: User, charlie: User, course: Course, elsewhere: Course, quiz: ProblemSet, wrong: ProblemVersion
) -> None:
    theirs = problem_set(elsewhere, ProblemSet.Mode.QUIZ, wrong.problem, opens_at=None, closes_at=None)
    submission = answered(place(charlie, theirs), RIGHT)
    event = applied(made(course, alice, publish(MASKED)), alice)
    assert event.done == 0
    assert len(verdicts(submission)) == 1


def test_what_is_sent_between_the_dry_run_and_the_end_is_marked_by_the_new_version_too(
    alice: User, bob: User, course: Course, quiz: ProblemSet
) -> None:
    first, unanswered = place(bob, quiz), place(person(course, "dora").user, quiz)
    answered(first, {**RIGHT, "loss": "0.5"})
    event = made(course, alice, publish(MASKED))
    between = answered(first, RIGHT)
    event = applied(event, alice)
    assert event.done == 2
    assert [number for _, number, _ in verdicts(between)] == [1, 2]
    assert verdicts(answered(unanswered, RIGHT)) == [("first", 2, "1")]
    undone(event, alice)
    unanswered.refresh_from_db()
    assert unanswered.marked_by is None
    assert score_of(unanswered)[0] == Fraction(3, 4)


def test_two_presses_of_apply_and_of_undo_are_one(alice: User, bob: User, course: Course, quiz: ProblemSet) -> None:
    submission = answered(place(bob, quiz), RIGHT)
    event = made(course, alice, publish(MASKED))
    for _ in range(2):
        apply_regrade(event=event, actor=alice)
    event = done(event)
    assert apply_regrade(event=event, actor=alice).state == State.APPLIED
    done(event)
    for _ in range(2):
        undo_regrade(event=event, actor=alice)
    done(event)
    assert [reason for reason, _, _ in verdicts(submission)] == ["first", "regrade", "undo"]
    assert AuditEntry.objects.filter(deed="regrade-applied").count() == 1


def test_regrades_are_undone_in_the_order_they_came(alice: User, bob: User, course: Course, quiz: ProblemSet) -> None:
    variant = place(bob, quiz)
    submission = answered(variant, RIGHT)
    first = applied(made(course, alice, publish(MASKED)), alice)
    second = applied(made(course, alice, publish(WRONG.replace("+ 1", "+ 2"))), alice)
    with pytest.raises(RegradeRefused, match="later regrade"):
        undo_regrade(event=first, actor=alice)
    undone(second, alice)
    variant.refresh_from_db()
    assert variant.marked_by == first.version
    undone(first, alice)
    variant.refresh_from_db()
    assert variant.marked_by is None
    assert [score for _, _, score in verdicts(submission)] == ["3/4", "1", "3/4", "1", "3/4"]


def test_an_undo_leaves_a_verdict_that_came_later(alice: User, bob: User, course: Course, quiz: ProblemSet) -> None:
    submission = answered(place(bob, quiz), RIGHT)
    event = applied(made(course, alice, publish(MASKED)), alice)
    latest = Grading.objects.filter(submission=submission).last()
    assert latest is not None
    latest.pk, latest.event, latest.grader_version = None, None, "2"
    latest.save(force_insert=True)
    event = undone(event, alice)
    assert event.skipped == 1
    assert [reason for reason, _, _ in verdicts(submission)] == ["first", "regrade", "regrade"]


def test_what_cannot_be_is_refused(alice: User, bob: User, course: Course, elsewhere: Course, quiz: ProblemSet) -> None:
    version = publish(MASKED)
    with pytest.raises(TextRefused):
        made(course, alice, version, reason=" ")
    foreign = problem_set(elsewhere, ProblemSet.Mode.QUIZ, version.problem)
    with pytest.raises(RegradeRefused, match="another course"):
        made(course, alice, version, problem_set=foreign)
    other = Problem.objects.create(slug="other", title="Other")
    with pytest.raises(RegradeRefused, match="another problem"):
        make_regrade(
            course=course, actor=alice, problem=other, version=version, problem_set=None, reason="x", never_lower=True
        )
    event = made(course, alice, version)
    with pytest.raises(RegradeRefused, match="applied to the end"):
        undo_regrade(event=event, actor=alice)
    assert drop_regrade(event=event, actor=alice).state == State.DROPPED
    with pytest.raises(RegradeRefused, match="dry run is done"):
        apply_regrade(event=event, actor=alice)
    counted = applied(made(course, alice, version), alice)
    with pytest.raises(RegradeRefused, match="undo it instead"):
        drop_regrade(event=counted, actor=alice)


def test_a_verdict_counts_at_once(alice: User, bob: User, course: Course, quiz: ProblemSet) -> None:
    submission = answered(place(bob, quiz), RIGHT)
    applied(made(course, alice, publish(MASKED)), alice)
    verdict = verdict_of(submission)
    assert verdict is not None
    assert verdict.score == 1
