"""Drawing a variant: another than those of late, and one for two clicks."""

import pytest
from django.http import Http404

from exercises import queries
from exercises.actions import (
    Way,
    ask_whole,
    draw_or_find,
    draw_variant,
    reveal_solution,
    send_answer,
    sync_catalogue,
)
from exercises.models import Problem, User, Variant
from exercises.refusals import AnswersRefused, NothingToDraw
from exercises.tasks import sweep_pending
from grader.problem import load
from grader.sampling import draw
from grader.solution import solve
from tests.exercises.world import ALL_RIGHT, C1, MASKED

pytestmark = pytest.mark.usefixtures("servers", "published")


def test_a_variant_holds_what_is_shown(problem: Problem, bob: User) -> None:
    variant, is_new = draw_or_find(learner=bob, slug="masked")
    assert is_new
    assert variant.number == 1
    assert variant.version == problem.current
    assert variant.parameters == draw(load(MASKED), variant.seed)


def test_a_variant_not_begun_is_handed_out_again(problem: Problem, bob: User) -> None:
    first = draw_variant(learner=bob, slug="masked")
    again, is_new = draw_or_find(learner=bob, slug="masked")
    assert again == first
    assert not is_new


def test_another_variant_for_who_asks_for_it_and_only_one_for_two_clicks(problem: Problem, bob: User) -> None:
    first = draw_variant(learner=bob, slug="masked")
    second = draw_variant(learner=bob, slug="masked", after=first)
    assert second.number == 2
    assert second.parameters != first.parameters
    assert draw_variant(learner=bob, slug="masked", after=first) == second


def test_a_variant_begun_or_closed_is_not_handed_out_again(problem: Problem, bob: User) -> None:
    first = draw_variant(learner=bob, slug="masked")
    send_answer(learner=bob, variant=first, answers=ALL_RIGHT)
    second = draw_variant(learner=bob, slug="masked")
    reveal_solution(variant=second)
    third = draw_variant(learner=bob, slug="masked")
    assert [variant.number for variant in (first, second, third)] == [1, 2, 3]


def test_learners_draw_for_themselves(problem: Problem, bob: User, charlie: User) -> None:
    assert draw_variant(learner=bob, slug="masked") != draw_variant(learner=charlie, slug="masked")


def test_numbers_seen_of_late_do_not_come_again(bob: User) -> None:
    two = (
        MASKED.replace("z: {range: [-2, 4], step: 0.5, size: words}", "z: {pick: [[0, 1, 2], [2, 1, 0]]}")
        .replace("t: {index: words}", "t: {pick: [1]}")
        .replace("choose: 3, from: [mat, car, sky, dog, tree]", "pick: [[mat, car, sky]]")
    )
    assert not sync_catalogue(["masked"], lambda slug: two).faults
    for _ in range(10):
        Variant.objects.all().delete()
        first = draw_variant(learner=bob, slug="masked")
        second = draw_variant(learner=bob, slug="masked", after=first)
        assert first.parameters != second.parameters
        third = draw_variant(learner=bob, slug="masked", after=second)
        assert third.number == 3  # the problem has no third set of numbers: drawn all the same


def test_a_new_version_is_drawn_from_the_new_text_and_old_variants_keep_theirs(problem: Problem, bob: User) -> None:
    old = draw_variant(learner=bob, slug="masked")
    sync_catalogue(["masked"], lambda slug: MASKED.replace("Add them up.", "Add up the three."))
    new = draw_variant(learner=bob, slug="masked")
    assert (old.version.number, new.version.number) == (1, 2)
    old.refresh_from_db()
    assert "Add them up." in old.version.source


def test_what_cannot_be_drawn_says_so(bob: User) -> None:
    impossible = MASKED.replace("max(z) > min(z)", "max(z) < min(z)")
    assert not sync_catalogue(["masked"], lambda slug: impossible).faults
    with pytest.raises(NothingToDraw, match="Loss at one masked token"):
        draw_variant(learner=bob, slug="masked")


@pytest.mark.parametrize("slug", ["nowhere", "masked"])
def test_unknown_and_retired_problems_do_not_exist(problem: Problem, bob: User, slug: str) -> None:
    sync_catalogue([], lambda slug: "")
    with pytest.raises(Http404):
        draw_variant(learner=bob, slug=slug)


def test_a_variant_may_ask_only_some_steps_and_all_of_them_when_asked_to(problem: Problem, bob: User) -> None:
    variant = draw_variant(learner=bob, slug="masked")
    variant.asked = ["p", "loss"]
    variant.save()
    assert [field.step for field in queries.shown(variant).fields] == ["p", "loss"]
    answers = {name: ALL_RIGHT[name] for name in ("p", "loss")}
    variant.parameters = C1
    variant.save()
    sent = send_answer(learner=bob, variant=variant, answers=answers)
    sweep_pending()
    assert sent.submission is not None
    verdict = queries.verdict_of(sent.submission)
    assert verdict is not None
    assert verdict.score == 1
    assert [mark.step for mark in verdict.marks] == ["p", "loss"]
    with pytest.raises(AnswersRefused, match="powers"):
        send_answer(learner=bob, variant=variant, answers={"powers": ["1", "1", "1"]})
    ask_whole(variant=variant)
    assert variant.scaffolded_at is not None
    assert [field.step for field in queries.shown(variant).fields] == ["powers", "total", "p", "loss"]


def test_the_whole_is_not_asked_of_a_variant_whose_solution_was_shown(problem: Problem, bob: User) -> None:
    variant = draw_variant(learner=bob, slug="masked")
    variant.asked = ["loss"]
    variant.save()
    ask_whole(variant=reveal_solution(variant=variant))
    variant.refresh_from_db()
    assert variant.asked == ["loss"]
    assert variant.scaffolded_at is None


def test_a_check_is_a_variant_of_its_own(problem: Problem, bob: User) -> None:
    first = draw_variant(learner=bob, slug="masked")
    check = draw_variant(learner=bob, slug="masked", way=Way.CHECK)
    assert check != first
    assert check.is_check
    assert draw_variant(learner=bob, slug="masked", way=Way.CHECK) == check


def test_nobody_draws_until_an_easy_one_comes_by_asking_for_it_in_other_ways(problem: Problem, bob: User) -> None:
    first = draw_variant(learner=bob, slug="masked", way=Way.RECOMMENDED)
    assert first.asked is not None
    for way, skill in ((Way.PRACTICE, ""), (Way.RECOMMENDED, "softmax"), (Way.RECOMMENDED, ""), (Way.PRACTICE, "")):
        again = draw_variant(learner=bob, slug="masked", way=way, skill=skill)
        assert again == first
    assert again.asked is None
    assert Variant.objects.count() == 1


def test_a_seed_gives_the_same_variants_again(problem: Problem, bob: User, charlie: User) -> None:
    drawn = []
    for learner in (bob, charlie):
        variant = None
        for _ in range(3):
            variant = draw_variant(learner=learner, slug="masked", after=variant, seed=7)
            drawn.append(variant.parameters)
    assert drawn[:3] == drawn[3:]
    assert len({str(parameters) for parameters in drawn}) == 3


def test_a_variant_keeps_which_mistakes_can_show_in_it(problem: Problem, bob: User) -> None:
    variant = draw_variant(learner=bob, slug="masked")
    solution = solve(load(MASKED), variant.parameters)
    assert variant.active == [note for note, mistake in solution.mistakes.items() if mistake["active"]]
    assert "loss.log2" in variant.active
