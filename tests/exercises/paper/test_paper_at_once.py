"""Copies entered while their learner begins, practises, and while somebody else enters and takes back."""

from contextlib import suppress

import pytest

from exercises import clock
from exercises.actions import draw_variant
from exercises.actions.paper import PaperRefused, enter_paper, enter_table, void_paper
from exercises.actions.sitting.begin import begin_attempt
from exercises.models import Attempt, Course, PaperCopy, ProblemSet, User, Variant
from tests.exercises.courses.world import NOW, person
from tests.exercises.paper.test_paper import right_answers
from tests.exercises.test_at_once import at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("servers", "published")]


def test_beginning_practising_and_entering_at_once_give_every_number_once(
    copy: PaperCopy, exam: ProblemSet, bob: User, alice: User
) -> None:
    copies = list(PaperCopy.objects.select_related("run__problem_set__course").filter(run=copy.run))

    def act(number: int) -> None:
        with clock.at(NOW):
            if number < 3:
                enter_paper(copy=copies[number], learner=bob, answers={}, entered_by=alice)
            elif number == 3:
                begin_attempt(learner=bob, problem_set=exam)
            else:
                draw_variant(learner=bob, slug="masked")

    at_once(5, act)
    numbers = Attempt.objects.order_by("number").values_list("number", flat=True)
    assert list(numbers) in ([1, 2, 3], [1, 2, 3, 4])
    drawn = list(Variant.objects.order_by("number").values_list("number", flat=True))
    assert drawn == list(range(1, len(drawn) + 1))


def test_one_copy_is_entered_once_whoever_enters_and_takes_it_back(
    copy: PaperCopy, course: Course, bob: User, alice: User
) -> None:
    dora = person(course, "dora").user
    written = {1: right_answers(copy, 1)}

    def act(number: int) -> None:
        fresh = PaperCopy.objects.select_related("run__problem_set__course").get(pk=copy.pk)
        if number == 2:
            void_paper(copy=fresh, actor=alice, reason="Whose is it?")
            return
        with suppress(PaperRefused):
            enter_paper(copy=fresh, learner=(bob, dora)[number], answers=written, entered_by=alice)

    for _ in range(4):
        at_once(3, act)
        copy.refresh_from_db()
        counting = Attempt.objects.filter(is_preview=False)
        assert list(counting) == ([] if copy.attempt is None else [copy.attempt])


def test_two_tables_the_other_way_round_wait_for_nobody(
    copy: PaperCopy, course: Course, bob: User, alice: User
) -> None:
    people = [bob, person(course, "dora").user, person(course, "ed").user]
    codes = list(copy.run.copies.order_by("number").values_list("code", flat=True))
    lines = [f"{code},{user.username},0.5" for code, user in zip(codes, people, strict=True)]
    texts = ["\n".join(["code,learner,1.p", *order]) for order in (lines, lines[::-1])]
    for _ in range(4):
        at_once(2, lambda number: enter_table(run=copy.run, text=texts[number], entered_by=alice))
    assert Attempt.objects.count() == 3
