"""Tries at a quiz: what counts as one, what costs nothing, and the variant that comes after one."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

from exercises import clock
from exercises.actions.sitting.begin import begin_attempt
from exercises.actions.sitting.check import another_variant, check_item, take_attempt_hint
from exercises.actions.sitting.hand_in import hand_in
from exercises.actions.sitting.refusals import AttemptOver, NotInThisSet, NoTryLeft, PageOutOfDate
from exercises.models import Attempt, AttemptItem, Course, Evidence, ProblemSet, Submission, User, Variant
from exercises.queries.attempt import offered
from exercises.refusals import NoMoreHints
from grader.problem import load
from grader.wording import hints
from tests.exercises.courses.world import problem_set
from tests.exercises.sitting.world import ALL_RIGHT, NOW, WRONG, check, fixed, graded, place, save, synced, variant_id

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("servers", "published")]


@pytest.fixture(autouse=True)
def _now() -> Iterator[None]:
    with clock.at(NOW):
        yield


@pytest.fixture
def item(quiz: ProblemSet, bob: User) -> AttemptItem:
    """The first place of Bob's quiz, with the numbers of the first worked example."""
    return place(fixed(begin_attempt(learner=bob, problem_set=quiz)))


def score(item: AttemptItem) -> Fraction | None:
    return AttemptItem.objects.get(pk=item.pk).score


def test_a_wrong_try_and_a_right_one(item: AttemptItem) -> None:
    assert check(item, **WRONG).kind == "queued"
    graded()
    assert score(item) == Fraction(1, 2)  # total, p right; loss, of weight 2, not
    assert check(item, **ALL_RIGHT).kind == "queued"
    graded()
    assert score(item) == Fraction(1, 2)  # all right, at half its worth
    assert AttemptItem.objects.get(pk=item.pk).tries == 2
    with pytest.raises(NoTryLeft, match="Every try"):
        check(item, p="0.1")
    assert Submission.objects.count() == 2


def test_what_cannot_be_read_costs_no_try(item: AttemptItem) -> None:
    checked = check(item, p="0.66.5", loss="0.4")
    assert (checked.kind, checked.readings["p"].status) == ("unreadable", "unreadable")
    assert not Submission.objects.exists()
    # It is saved all the same.
    assert AttemptItem.objects.get(pk=item.pk).saved["answers"] == {"p": "0.66.5", "loss": "0.4"}


@pytest.mark.parametrize(
    ("answers", "is_sure", "kind"),
    [
        ({}, True, "blank"),
        ({"p": " "}, True, "blank"),
        ({"p": "0.665"}, False, "some-blank"),
        ({"p": "0.665"}, True, "queued"),
        ({name: typed for name, typed in ALL_RIGHT.items() if name != "powers"}, False, "queued"),  # optional
    ],
)
def test_a_blank_is_asked_about(item: AttemptItem, answers: dict[str, Any], is_sure: bool, kind: str) -> None:
    assert check(item, is_sure=is_sure, **answers).kind == kind
    assert Submission.objects.count() == (kind == "queued")


def test_the_same_answer_again_costs_nothing(item: AttemptItem) -> None:
    """BR-061."""
    first = check(item, p="0.41").submission
    graded()
    for typed in ("0.41", "0.410", "0,41"):
        again = check(item, p=typed)
        assert (again.kind, again.submission) == ("already-tried", first)
    assert Submission.objects.count() == 1


def test_the_same_form_again_is_one_try(item: AttemptItem) -> None:
    """BR-067."""
    first = check(item, "form-1", **WRONG)
    for _ in range(3):
        again = check(item, "form-1", **WRONG)
        assert (again.kind, again.submission) == ("duplicate", first.submission)
    assert Submission.objects.count() == 1


def test_one_try_at_a_time(item: AttemptItem) -> None:
    check(item, **WRONG)
    with pytest.raises(NoTryLeft, match="still being marked"):
        check(item, **ALL_RIGHT)
    assert AttemptItem.objects.get(pk=item.pk).saved["answers"] == ALL_RIGHT


def test_nothing_is_better_than_all_right(item: AttemptItem) -> None:
    check(item, **ALL_RIGHT)
    graded()
    with pytest.raises(NoTryLeft, match="right already"):
        check(item, **WRONG)
    assert score(item) == 1


def test_a_try_that_could_not_be_marked_costs_nothing(item: AttemptItem) -> None:
    check(item, **WRONG)
    Submission.objects.update(state=Submission.State.UNGRADABLE, claimed_until=None)
    assert check(item, **WRONG).kind == "queued"


def test_a_try_from_a_stale_tab_is_a_try_and_replaces_nothing_that_was_saved(item: AttemptItem) -> None:
    save(item, 0, p="0.1")
    save(item, 1, p="0.2")
    checked = check_item(attempt_item=item, variant_id=variant_id(item), answers=WRONG, based_on=0)
    assert checked.kind == "queued"
    assert AttemptItem.objects.get(pk=item.pk).saved["answers"] == {"p": "0.2"}
    assert [row.answers for row in offered(place(item.attempt))] == [WRONG]


def test_an_exam_checks_nothing(exam: ProblemSet, bob: User) -> None:
    item = place(begin_attempt(learner=bob, problem_set=exam))
    with pytest.raises(NotInThisSet):
        check(item, **ALL_RIGHT)
    assert not Submission.objects.exists()


def test_after_the_end_there_is_no_try_and_the_text_is_kept(item: AttemptItem) -> None:
    hand_in(attempt=item.attempt)
    with pytest.raises(AttemptOver) as refused:
        check(item, **ALL_RIGHT)
    assert refused.value.is_kept
    assert not Submission.objects.exists()


# A new variant for each try


@pytest.fixture
def anew(course: Course, bob: User) -> AttemptItem:
    """The first place of a quiz with three tries, each at a variant of its own."""
    of = problem_set(course, "quiz", *synced(), retry="new", credits=["1", "1/2", "1/4"])
    return place(fixed(begin_attempt(learner=bob, problem_set=of)))


def test_each_try_has_a_variant_of_its_own(anew: AttemptItem) -> None:
    before = variant_id(anew)
    with pytest.raises(NoTryLeft, match="Try this variant first"):
        another_variant(attempt_item=anew, after=before)
    check(anew, **WRONG)
    with pytest.raises(NoTryLeft, match="still being marked"):
        another_variant(attempt_item=anew, after=before)
    graded()
    with pytest.raises(NoTryLeft, match="another variant first"):
        check(anew, **ALL_RIGHT)
    drawn = another_variant(attempt_item=anew, after=before)
    # Pressed twice, it is the same.
    assert another_variant(attempt_item=anew, after=before) == drawn
    assert anew.variants.count() == 2
    assert AttemptItem.objects.get(pk=anew.pk).saved["answers"] == {}


def test_a_page_of_the_variant_before_is_out_of_date(anew: AttemptItem) -> None:
    """BR-063."""
    before = variant_id(anew)
    check(anew, **WRONG)
    graded()
    another_variant(attempt_item=anew, after=before)
    with pytest.raises(PageOutOfDate):
        check_item(attempt_item=anew, variant_id=before, answers=ALL_RIGHT, based_on=1)
    assert Submission.objects.count() == 1


def test_after_all_right_and_after_the_last_try_there_is_no_other(anew: AttemptItem) -> None:
    check(anew, **ALL_RIGHT)
    graded()
    with pytest.raises(NoTryLeft, match="right already"):
        another_variant(attempt_item=anew, after=variant_id(anew))


def test_what_is_refused_tells_nothing_before_results_are_told(course: Course, bob: User) -> None:
    of = problem_set(course, "quiz", *synced(), retry="new", credits=["1", "1"], feedback="handed-in")
    item = place(fixed(begin_attempt(learner=bob, problem_set=of)))
    check(item, **ALL_RIGHT)
    graded()
    assert another_variant(attempt_item=item, after=variant_id(item)).number == 2


def test_same_variant_means_same(item: AttemptItem) -> None:
    check(item, **WRONG)
    graded()
    with pytest.raises(NotInThisSet):
        another_variant(attempt_item=item, after=variant_id(item))


def test_in_practice_there_is_always_another_once_this_one_was_begun(practice: ProblemSet, bob: User) -> None:
    item = place(begin_attempt(learner=bob, problem_set=practice))
    first = variant_id(item)
    assert str(another_variant(attempt_item=item, after=first).public_id) == first
    Variant.objects.filter(attempt_item=item).update(revealed_at=NOW)
    second = another_variant(attempt_item=item, after=first)
    assert str(second.public_id) != first
    assert second.attempt_item_id == item.pk


def test_practice_ends_with_the_set(practice: ProblemSet, bob: User) -> None:
    item = place(begin_attempt(learner=bob, problem_set=practice))
    Attempt.objects.update(ends_at=NOW.replace(hour=1))
    with pytest.raises(AttemptOver):
        another_variant(attempt_item=item, after=variant_id(item))


# Hints


def hints_of(item: AttemptItem) -> list[str]:
    variant = item.variants.get()
    return hints(load(variant.version.source), variant.parameters, "p", {})


def test_hints_only_where_the_set_has_them(course: Course, quiz: ProblemSet, bob: User) -> None:
    with_hints = problem_set(course, "quiz", *synced(), hints=True)
    item = place(begin_attempt(learner=bob, problem_set=with_hints))
    hint = take_attempt_hint(attempt_item=item, variant_id=variant_id(item), step="p", answers={"p": "0.5"})
    assert "whole" in hint.text
    while item.variants.get().hint_uses.count() < len(hints_of(item)):
        take_attempt_hint(attempt_item=item, variant_id=variant_id(item), step="p", answers={})
    with pytest.raises(NoMoreHints):
        take_attempt_hint(attempt_item=item, variant_id=variant_id(item), step="p", answers={})
    without = place(begin_attempt(learner=bob, problem_set=quiz))
    with pytest.raises(NotInThisSet):
        take_attempt_hint(attempt_item=without, variant_id=variant_id(without), step="p", answers={})


def test_a_quiz_shows_what_its_learner_can_do(item: AttemptItem) -> None:
    check(item, **ALL_RIGHT)
    graded()
    assert Evidence.objects.filter(learner=item.attempt.learner).exists()
