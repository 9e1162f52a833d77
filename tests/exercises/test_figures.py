"""Statistics are worked out in the background: the same figures however the work is divided, and nobody counted who
should not be."""

import datetime as dt
import random
from collections.abc import Sequence
from typing import Any

import pytest

from exercises import clock
from exercises.actions.figures import item_batch, sweep_figures, want_figures, want_stale_figures, work, work_on_figures
from exercises.actions.sitting.begin import begin_attempt
from exercises.actions.sitting.check import check_item
from exercises.loading import problem_of
from exercises.models import Attempt, Course, Enrolment, Figures, Problem, ProblemSet, Role, User
from exercises.queries.statistics import figures_of, item_views
from exercises.tasks import sweep_pending
from grader.solution import solve
from tests.exercises.courses.world import NOW, person, problem_set

pytestmark = pytest.mark.usefixtures("servers", "published")


@pytest.fixture
def quiz(course: Course, problem: Problem) -> ProblemSet:
    return problem_set(course, "quiz", problem, problem, weights=("1", "3"))


def answer(attempt: Attempt, position: int, *, mistakes: Sequence[str] = (), typed: Any = None) -> None:
    """One try: right, but for what somebody types who makes these mistakes, or for ``typed``."""
    place = attempt.items.select_related("attempt__problem_set__course", "attempt__learner", "item", "version").get(
        position=position
    )
    variant = place.variants.select_related("version", "problem").latest("number")
    solution = solve(problem_of(variant), variant.parameters)
    answers: dict[str, Any] = {
        step: [f"{one:.5g}" for one in value] if isinstance(value, list) else f"{value:.5g}"
        for step, value in solution.values.items()
    }
    for note in mistakes:
        for step, value in solution.mistakes[note]["steps"].items():
            answers[step] = f"{value:.5g}"
    answers |= {step: f"{solution.values[step] * factor:.5g}" for step, factor in (typed or {}).items()}
    check_item(
        attempt_item=place,
        variant_id=str(variant.public_id),
        answers=answers,
        based_on=place.saved_version,
        is_sure=True,
    )


def sat(quiz: ProblemSet, learner: User, *, seed: int = 0) -> Attempt:
    return begin_attempt(learner=learner, problem_set=quiz, seed=seed)


def worked_out(problem_set: ProblemSet) -> dict[str, Any]:
    row = want_figures(course=problem_set.course, problem_set=problem_set)
    while work_on_figures(row.pk):
        pass
    row.refresh_from_db()
    assert row.computed_at is not None
    assert row.wanted_at is row.work is None
    return dict(row.figures)


def test_a_small_class_by_hand(course: Course, quiz: ProblemSet, bob: User) -> None:
    learners = [bob, *(person(course, f"learner{place}").user for place in range(3))]
    with clock.at(NOW):
        attempts = [sat(quiz, learner, seed=place + 1) for place, learner in enumerate(learners)]
    with clock.at(NOW + dt.timedelta(minutes=3)):
        answer(attempts[0], 1, mistakes=["loss.log2"])
        for attempt in attempts[1:]:
            answer(attempt, 1)
    sweep_pending()
    with clock.at(NOW + dt.timedelta(minutes=9)):
        # A second try is no first one.
        answer(attempts[0], 1)
    sweep_pending()
    figures = worked_out(quiz)
    first = quiz.items.get(position=0)
    report = figures["items"][str(first.pk)]
    # total, p and loss weigh 1, 1 and 2; the logarithm to base 2 earns a quarter of the loss.
    assert report["figures"]["facility"] == pytest.approx((3 + (1 + 1 + 2 / 4) / 4) / 4)
    assert report["figures"]["learners"] == 4
    assert report["figures"]["flags"] == []
    assert report["tries"] == 5 / 4
    assert report["seconds"] == 180
    assert {step["step"]: (step["answered"], step["wrong"], step["first_wrong"]) for step in report["steps"]}[
        "loss"
    ] == (
        4,
        1,
        1,
    )
    (note,) = report["notes"]
    assert (note["note"], note["k"], note["n"]) == ("loss.log2", 1, 4)
    assert str(quiz.items.get(position=1).pk) not in figures["items"]
    assert figures["learners"] == 4


def test_who_left_who_looks_ahead_and_who_teaches_count_nowhere(
    course: Course, quiz: ProblemSet, bob: User, alice: User
) -> None:
    gone = person(course, "gone")
    with clock.at(NOW):
        for learner, is_preview in ((bob, False), (gone.user, False), (alice, True)):
            attempt = begin_attempt(learner=learner, problem_set=quiz, is_preview=is_preview)
            answer(attempt, 1)
    sweep_pending()
    Enrolment.objects.filter(pk=gone.pk).update(dropped_at=NOW)
    assert worked_out(quiz)["learners"] == 1


def test_wrong_answers_that_many_share_are_found_and_explained(course: Course, quiz: ProblemSet) -> None:
    with clock.at(NOW):
        for place in range(5):
            attempt = sat(quiz, person(course, f"learner{place}").user, seed=place + 1)
            answer(attempt, 1, typed={"loss": 2})
    sweep_pending()
    (report,) = worked_out(quiz)["items"].values()
    (loss,) = [step for step in report["steps"] if step["step"] == "loss"]
    (found,) = loss["clusters"]
    assert found["kind"] == "ratio"
    assert found["value"] == pytest.approx(2, rel=0.01)
    assert "2 of the key" in found["says"]
    assert found["learners"] == 5


def test_however_the_work_is_divided_it_comes_to_the_same(
    course: Course, quiz: ProblemSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(5)
    with clock.at(NOW):
        for place in range(6):
            attempt = sat(quiz, person(course, f"learner{place}").user, seed=place + 1)
            for position in (1, 2):
                answer(attempt, position, mistakes=["loss.log2"] if chance.random() < 0.5 else [])
    sweep_pending()
    whole = worked_out(quiz)
    monkeypatch.setattr(item_batch, "PLACES", 5)
    row = want_figures(course=course, problem_set=quiz)
    turns = 0
    while work_on_figures(row.pk, seconds=0):
        turns += 1
        row.refresh_from_db()
        assert row.figures == whole, "The figures before are shown until the new ones are there."
    row.refresh_from_db()
    assert turns == 2
    assert row.figures == whole


def test_a_killed_worker_delays_it_and_nothing_else(quiz: ProblemSet, course: Course, published: list[str]) -> None:
    row = want_figures(course=course, problem_set=quiz)
    Figures.objects.filter(pk=row.pk).update(
        lease_token="0" * 32, leased_until=dt.datetime(2999, 1, 1, tzinfo=dt.UTC), work=None
    )
    assert not work_on_figures(row.pk)
    assert sweep_figures() == 0
    Figures.objects.filter(pk=row.pk).update(leased_until=dt.datetime(2000, 1, 1, tzinfo=dt.UTC))
    assert sweep_figures() == 1
    work_on_figures(row.pk)
    row.refresh_from_db()
    assert row.computed_at is not None
    assert sweep_figures() == 0
    assert not work_on_figures(row.pk)


def test_figures_that_meet_an_error_rest_and_the_ones_before_are_shown_on(
    quiz: ProblemSet, course: Course, published: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = worked_out(quiz)
    row = want_figures(course=course, problem_set=quiz)
    with monkeypatch.context() as broken:
        broken.setattr(work, "BATCHES", {Figures.Kind.ITEMS: lambda row, work: 1 / 0})
        assert not work_on_figures(row.pk)
    # The next sweeps leave it alone, and so does somebody who asks for it once more.
    assert sweep_figures() == 0
    assert not work_on_figures(want_figures(course=course, problem_set=quiz).pk)
    row.refresh_from_db()
    assert row.figures == before
    Figures.objects.filter(pk=row.pk).update(leased_until=dt.datetime(2000, 1, 1, tzinfo=dt.UTC))
    assert sweep_figures() == 1
    assert worked_out(quiz) == before


def test_asked_twice_it_is_worked_out_once(quiz: ProblemSet, course: Course) -> None:
    assert want_figures(course=course, problem_set=quiz) == want_figures(course=course, problem_set=quiz)
    assert Figures.objects.count() == 1


def test_at_night_only_what_is_new_is_worked_out(course: Course, quiz: ProblemSet, bob: User) -> None:
    assert want_stale_figures() == 0
    answer(sat_now := begin_attempt(learner=bob, problem_set=_open(quiz)), 1)
    assert sat_now.learner == bob
    sweep_pending()
    # The quiz, and Bob's skills in the course.
    assert want_stale_figures() == 2
    for row in Figures.objects.all():
        work_on_figures(row.pk)
    assert want_stale_figures() == 0


def _open(quiz: ProblemSet) -> ProblemSet:
    ProblemSet.objects.filter(pk=quiz.pk).update(opens_at=None, closes_at=None)
    quiz.refresh_from_db()
    return quiz


def test_the_class_is_counted_without_keeping_anything_about_anybody(
    course: Course, quiz: ProblemSet, bob: User
) -> None:
    person(course, "eve", Role.OBSERVER)
    attempt = begin_attempt(learner=bob, problem_set=_open(quiz))
    for mistakes in (["loss.log2"], []):
        answer(attempt, 1, mistakes=mistakes)
        sweep_pending()
    row = want_figures(course=course)
    while work_on_figures(row.pk):
        pass
    row.refresh_from_db()
    assert row.figures["learners"] == 1
    assert sum(row.figures["levels"]["softmax"].values()) == 1
    (mistake,) = row.figures["mistakes"]
    assert (mistake["note"], mistake["made"], mistake["likely"], mistake["learners"]) == ("loss.log2", 1, 0, 0)
    assert "bits" in mistake["says"]
    assert set(mistake) == {"note", "likely", "learners", "made", "low", "high", "title", "step", "says"}


def test_reading_costs_the_same_for_one_learner_and_for_thirty(
    course: Course, quiz: ProblemSet, bob: User, django_assert_num_queries: Any
) -> None:
    for learners in (1, 30):
        with clock.at(NOW):
            for place in range(learners):
                answer(sat(quiz, person(course, f"of{learners}-{place}").user, seed=place + 1), 1)
        sweep_pending()
        worked_out(quiz)
        # The figures and the items; more only where a variant is not fair.
        with django_assert_num_queries(2):
            item_views(quiz, figures_of(course, quiz))
