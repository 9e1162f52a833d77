"""Evidence and mastery: kept with the verdict or not at all, and the same whatever the queue did."""

import datetime as dt
import random
from fractions import Fraction
from typing import Any

import pytest
from django.db import transaction

from exercises import clock
from exercises.actions import draw_variant, regrade, reveal_solution, send_answer, take_hint
from exercises.actions.claim import claim_pending
from exercises.actions.evidence import keep_evidence
from exercises.actions.mark import mark_submissions
from exercises.actions.record import record_verdicts
from exercises.models import Evidence, Grading, HintUse, Mastery, StudyPlan, Submission, User, Variant
from exercises.tasks import grade_pending, sweep_pending
from grader.marking import Task, mark_batch
from grader.problem import Problem
from grader.verdict import Mark, Verdict
from tests.exercises.learning import answered, assert_nothing_drifted, mastery, record, said
from tests.exercises.world import ALL_RIGHT, C1, c1

pytestmark = pytest.mark.usefixtures("servers", "published")

MONDAY = dt.datetime(2026, 11, 2, 9, tzinfo=dt.UTC)


def of(learner: User, skill: str) -> Mastery:
    return Mastery.objects.get(learner=learner, skill=skill)


def again(learner: User) -> Variant:
    """Another variant of the first worked example."""
    latest = Variant.objects.filter(learner=learner).order_by("-number").first()
    variant = draw_variant(learner=learner, slug="masked", after=latest)
    variant.parameters = C1
    variant.save()
    return variant


def judged(outcome: str) -> Any:
    """A grader of a later version that says this of every step."""

    def mark(problem: Problem, tasks: list[Task]) -> list[Verdict]:
        credit = Fraction(outcome == "right")
        return [
            Verdict(credit, tuple(one._replace(outcome=outcome, credit=credit) for one in verdict.marks), f"{outcome}!")
            for verdict in mark_batch(problem, tasks)
        ]

    return mark


def test_a_verdict_brings_its_evidence_and_mastery_along(bob: User, variant: Variant) -> None:
    with clock.at(MONDAY):
        submission = answered(bob, variant, p="0.665")
    grade_pending()
    row = Evidence.objects.get()
    assert (row.learner, row.problem, row.variant, row.step) == (bob, variant.problem, variant, "p")
    assert (row.reason, row.submission, row.skill, row.closed_at) == ("right", submission, "softmax", MONDAY)
    assert (row.e, row.w, row.g, row.b, row.is_first, row.is_check) == (1.0, 1.0, 0.0, 0.0, True, False)
    assert row.predicted == pytest.approx(0.4153, abs=1e-3)  # σ(−0.4 / sqrt(1 + π/8))
    # The vectors of reference §5: after one whole step, and a quarter of it for what softmax builds on.
    held = of(bob, "softmax")
    assert (held.mean, held.variance) == (pytest.approx(0.2327, abs=1e-4), pytest.approx(0.8563, abs=1e-4))
    assert (held.steps, held.level, held.last_at) == (1, "learning", MONDAY)
    assert of(bob, "exp-log").steps == 0
    assert_nothing_drifted()


def test_steps_without_a_skill_and_blank_boxes_say_nothing(bob: User, variant: Variant) -> None:
    send_answer(learner=bob, variant=variant, answers={**ALL_RIGHT, "loss": ""})
    grade_pending()
    assert list(Evidence.objects.values_list("step", flat=True)) == ["p"]


def test_a_duplicate_delivery_changes_nothing(bob: User, variant: Variant) -> None:
    answered(bob, variant, p="0.665", loss="0.408")
    claim = claim_pending()
    marked = mark_submissions(claim.submissions)
    record_verdicts(claim, marked)
    before = (Evidence.objects.count(), mastery())
    assert record_verdicts(claim, marked) == 0
    assert (grade_pending(), sweep_pending()) == (0, 0)
    with transaction.atomic():
        assert keep_evidence([variant]) == 0
    assert (Evidence.objects.count(), mastery()) == before


def test_what_was_not_recorded_moves_nothing(bob: User, variant: Variant, monkeypatch: pytest.MonkeyPatch) -> None:
    """Something fails after mastery moved and before the commit: verdict, evidence and mastery go together."""
    answered(bob, variant, p="0.665")
    claim = claim_pending()
    marked = mark_submissions(claim.submissions)

    def broken(failures: Any) -> None:
        assert Mastery.objects.exists()
        raise RuntimeError("The worker ends here.")

    with monkeypatch.context() as patch:
        patch.setattr("exercises.actions.record._let_go", broken)
        with pytest.raises(RuntimeError):
            record_verdicts(claim, marked)
    assert [model.objects.count() for model in (Grading, Evidence, Mastery)] == [0, 0, 0]
    assert record_verdicts(claim, marked) == 1
    assert_nothing_drifted()


def test_what_cannot_be_marked_is_no_evidence(bob: User, variant: Variant) -> None:
    answered(bob, variant, p="0.665")
    claim = claim_pending()
    marked = mark_submissions(claim.submissions, mark=lambda problem, tasks: [None for _ in tasks])  # type: ignore[misc]
    record_verdicts(claim, marked)
    assert not Evidence.objects.exists()


def test_a_late_verdict_takes_its_place(bob: User, variant: Variant) -> None:
    """The second answer is judged first: once both are, all is as if they had been judged in turn."""
    first, second = answered(bob, variant, p="0.1"), answered(bob, variant, p="0.665")
    record(second)
    assert Evidence.objects.get().e == 1.0
    record(first)
    assert [(row.revision, row.tries, row.e) for row in Evidence.objects.all()] == [(0, 1, 1.0), (1, 2, 0.6)]
    late = (said(), mastery())
    Evidence.objects.all().delete()
    Mastery.objects.all().delete()
    with transaction.atomic():
        keep_evidence([variant])
    assert (said(), mastery()) == late
    assert_nothing_drifted()


def test_an_answer_judged_after_the_solution_was_shown_counts_from_when_it_was_sent(
    bob: User, variant: Variant
) -> None:
    answered(bob, variant, p="0.1")
    grade_pending()
    answered(bob, variant, p="0.665")
    reveal_solution(variant=variant)
    assert set(Evidence.objects.values_list("step", "reason", "e")) == {
        ("p", "revealed", 0.0),
        ("loss", "revealed", 0.0),
    }
    assert of(bob, "softmax").failures == 1
    grade_pending()
    assert list(Evidence.objects.filter(step="p").values_list("revision", "reason", "e")) == [
        (0, "revealed", 0.0),
        (1, "right", 0.6),
    ]
    assert of(bob, "softmax").failures == 0
    assert_nothing_drifted()


def test_a_solution_that_is_shown_before_anything_was_tried_shows_nothing(bob: User, variant: Variant) -> None:
    answered(bob, variant, p="0.665")
    # Sent before, and not judged yet: by its verdict it is known that something was tried.
    reveal_solution(variant=variant)
    assert not Evidence.objects.exists()
    grade_pending()
    assert set(Evidence.objects.values_list("step", "reason")) == {("p", "right"), ("loss", "revealed")}
    assert_nothing_drifted()


def test_a_solution_that_is_shown_twice_is_shown_once(bob: User, variant: Variant) -> None:
    answered(bob, variant, p="0.1")
    grade_pending()
    reveal_solution(variant=variant)
    before = mastery()
    reveal_solution(variant=variant)
    assert Evidence.objects.count() == 2
    assert mastery() == before


def test_another_variant_closes_what_was_left(bob: User, variant: Variant) -> None:
    answered(bob, variant, p="0.1")
    grade_pending()
    assert not Evidence.objects.exists()
    fresh = again(bob)
    row = Evidence.objects.get()
    assert (row.reason, row.step, row.closed_at, row.e, row.submission) == ("left", "p", fresh.created_at, 0.0, None)
    answered(bob, fresh, p="0.665")
    grade_pending()
    assert Evidence.objects.latest("pk").is_first is False
    assert_nothing_drifted()


def test_an_answer_judged_after_another_variant_was_drawn(bob: User, variant: Variant) -> None:
    answered(bob, variant, p="0.1")
    again(bob)
    assert not Evidence.objects.exists()
    grade_pending()
    assert list(Evidence.objects.values_list("reason", "e")) == [("left", 0.0)]
    assert_nothing_drifted()


def test_a_hint_costs_a_share_only_before_the_close(bob: User, variant: Variant) -> None:
    take_hint(variant=variant, step="p")
    answered(bob, variant, p="0.665")
    grade_pending()
    take_hint(variant=variant, step="p")
    answered(bob, variant, loss="0.408")
    grade_pending()
    assert HintUse.objects.count() == 2
    assert list(Evidence.objects.filter(step="p").values_list("revision", "hints", "e")) == [(0, 1, 0.7)]


def test_a_regrade_adds_a_revision_and_folds_anew(bob: User, variant: Variant) -> None:
    answered(bob, variant, p="0.665")
    grade_pending()
    answered(bob, again(bob), p="0.665")
    grade_pending()
    before = mastery()
    regrade(Submission.objects.filter(variant=variant), mark=judged("wrong"))
    # It is no longer right, and was left when the next variant was drawn.
    assert list(Evidence.objects.filter(variant=variant).values_list("revision", "reason", "e")) == [
        (0, "right", 1.0),
        (1, "left", 0.0),
    ]
    assert of(bob, "softmax").unaided_right == 1
    assert_nothing_drifted()
    regrade(Submission.objects.filter(variant=variant), mark=judged("right"))
    assert mastery() == before
    assert_nothing_drifted()


def test_a_regrade_that_leaves_nothing_closed_takes_the_evidence_back(bob: User, variant: Variant) -> None:
    answered(bob, variant, p="0.665")
    grade_pending()
    regrade(Submission.objects.all(), mark=judged("wrong"))
    row = Evidence.objects.latest("revision")
    assert (row.revision, row.reason, row.w) == (1, "void", 0.0)
    assert mastery() == set()
    assert_nothing_drifted()
    regrade(Submission.objects.all(), mark=judged("right"))
    assert of(bob, "softmax").steps == 1
    assert_nothing_drifted()


def test_a_regrade_that_agrees_adds_no_evidence(bob: User, variant: Variant) -> None:
    answered(bob, variant, p="0.665")
    grade_pending()
    regrade(Submission.objects.all(), mark=judged("right"))
    assert Grading.objects.count() == 2
    assert Evidence.objects.count() == 1


def test_the_day_is_the_learners_own_and_stays_what_it_was(bob: User, variant: Variant) -> None:
    StudyPlan.objects.create(learner=bob, time_zone="Pacific/Auckland")
    with clock.at(MONDAY.replace(hour=20)):
        answered(bob, variant, p="0.665")
    grade_pending()
    StudyPlan.objects.update(time_zone="UTC")
    regrade(Submission.objects.all(), mark=judged("carried"))
    assert set(Evidence.objects.values_list("study_day", flat=True)) == {dt.date(2026, 11, 3)}


@pytest.mark.parametrize("seed", range(4))
def test_the_order_of_recording_does_not_matter(bob: User, charlie: User, variant: Variant, seed: int) -> None:
    """Answers of two learners on several variants over days, judged in any order, one by one or in groups."""
    answers = ["0.1", "0.2", "0.665", "0.6667", "0.3"]
    chance = random.Random(seed)
    waiting = []
    drawn = {bob.pk: variant, charlie.pk: c1(charlie)}
    for day in range(6):
        for learner in (bob, charlie):
            with clock.at(MONDAY + dt.timedelta(days=day, minutes=chance.randrange(60))):
                if chance.random() < 0.5:
                    drawn[learner.pk] = again(learner)
                if chance.random() < 0.2:
                    reveal_solution(variant=drawn[learner.pk])
                    drawn[learner.pk] = again(learner)
                for _ in range(chance.randrange(1, 4)):
                    step = chance.choice(["p", "loss"])
                    sent = send_answer(
                        learner=learner,
                        variant=drawn[learner.pk],
                        answers={step: chance.choice(answers)},
                        checked=[step],
                    )
                    waiting += [sent.submission] if sent.kind == "queued" else []
    chance.shuffle(waiting)
    while waiting:
        count = chance.randrange(1, 4)
        record(*[one for one in waiting[:count] if one])
        waiting = waiting[count:]
        assert_nothing_drifted()
    shuffled = (said(), mastery())
    Evidence.objects.all().delete()
    Mastery.objects.all().delete()
    with transaction.atomic():
        keep_evidence(Variant.objects.all())
    assert (said(), mastery()) == shuffled


def test_a_problem_that_can_no_longer_be_read_stops_nobody(bob: User, variant: Variant) -> None:
    answered(bob, variant, p="0.665")
    grade_pending()
    variant.version.source = "title: ["
    variant.version.save()
    before = mastery()
    reveal_solution(variant=variant)
    assert mastery() == before


def test_nothing_of_one_learner_moves_another(bob: User, charlie: User, variant: Variant) -> None:
    answered(bob, variant, p="0.665")
    answered(charlie, c1(charlie), p="0.1")
    grade_pending()
    assert set(Mastery.objects.values_list("learner", flat=True)) == {bob.pk}


def test_a_mark_of_an_older_grader_is_read_like_any_other(bob: User, variant: Variant) -> None:
    """A verdict without entries, as an old row may be, and a fraction as its credit."""
    submission = answered(bob, variant, p="0.1")
    grade_pending()
    half = Verdict(Fraction(1, 2), (Mark("p", "mistake", "coarse", Fraction(1, 2), read_as="0.67"),)).to_json()
    del half["marks"]["p"]["entries"]
    Grading.objects.filter(submission=submission).update(verdict=half)
    again(bob)
    assert Evidence.objects.get().e == 0.5
