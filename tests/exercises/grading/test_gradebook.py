"""The grade books: every state, what counts, what is nowhere, and the same few queries for one and for thirty."""

import datetime as dt
from fractions import Fraction
from typing import Any

import pytest

from exercises import clock
from exercises.courses.attempt_scoring import PARTS
from exercises.models import (
    Attempt,
    Course,
    Enrolment,
    Extension,
    Group,
    Override,
    Pool,
    Problem,
    ProblemSet,
    Role,
    SetItem,
    User,
)
from exercises.queries.averages import averages
from exercises.queries.grade_roster import Wanted, learners_of, name_of
from exercises.queries.gradebook import Cell, book_rows, maxima, sets_of
from exercises.queries.set_grades import set_rows
from exercises.queries.set_items import items_with_columns
from tests.exercises.courses.sat import ALL, HALF, begun, drawn, handed_in, marked, place_of, sent
from tests.exercises.courses.world import NOW, person, problem_set

pytestmark = pytest.mark.usefixtures("servers")
DAY = dt.timedelta(days=1)


def cell(problem_set: ProblemSet, enrolment: Enrolment, at: dt.datetime = NOW) -> Cell:
    with clock.at(at):
        return book_rows([problem_set], [enrolment])[0].cells[0]


def test_no_attempt_is_no_score_until_the_set_is_closed_for_that_learner(
    quiz: ProblemSet, enrolled: Enrolment, course: Course
) -> None:
    ida = person(course, "ida")
    assert cell(quiz, enrolled) == Cell("not-begun", None)
    assert cell(quiz, enrolled, NOW + 2 * DAY) == Cell("missing", Fraction(0))
    Extension.objects.create(problem_set=quiz, learner=enrolled.user, closes_at=NOW + 3 * DAY)
    assert cell(quiz, enrolled, NOW + 2 * DAY) == Cell("not-begun", None, is_extended=True)
    assert cell(quiz, ida, NOW + 2 * DAY).state == "missing"
    assert cell(quiz, enrolled, NOW + 4 * DAY).score == 0


def test_the_states_of_an_attempt(course: Course, problem: Problem, enrolled: Enrolment, bob: User) -> None:
    exam = problem_set(course, "exam", problem, due_at=NOW)
    attempt = begun(exam, bob, began_at=NOW - DAY)
    assert cell(exam, enrolled)[:4] == ("going-on", None, attempt.public_id, 1)
    answer = sent(attempt, HALF)
    late = handed_in(attempt, NOW + dt.timedelta(hours=1))
    waiting = cell(exam, enrolled)
    assert (waiting.state, waiting.is_withheld, waiting.late_days) == ("waiting", True, 1)
    marked(late)
    done = cell(exam, enrolled)
    assert (done.state, done.score, done.is_withheld) == ("handed-in", Fraction(1, 2), True)
    ProblemSet.objects.filter(pk=exam.pk).update(released_at=NOW)
    exam.refresh_from_db()
    assert not cell(exam, enrolled).is_withheld
    answer.state = answer.State.UNGRADABLE
    answer.save()
    assert cell(exam, enrolled).state == "waiting"


def test_the_best_attempt_counts_and_a_preview_does_not(quiz: ProblemSet, enrolled: Enrolment, bob: User) -> None:
    first = handed_in(marked(marked(begun(quiz, bob), ALL), ALL, position=2))
    handed_in(marked(begun(quiz, bob, number=2), HALF))
    begun(quiz, bob, number=3, is_preview=True)
    Attempt.objects.filter(is_preview=True).update(score_numerator=1, score_denominator=1)
    found = cell(quiz, enrolled)
    assert (found.attempt, found.score, found.attempts) == (first.public_id, Fraction(1), 2)
    average = averages([quiz], learners_of(quiz.course))[quiz.pk]
    assert (average.share, average.learners) == (Fraction(1), 1)


def test_averages_are_of_those_who_have_a_score(quiz: ProblemSet, course: Course, bob: User, alice: User) -> None:
    ida, _, kurt = (person(course, name) for name in ("ida", "jo", "kurt"))
    marked(begun(quiz, bob), ALL)
    marked(begun(quiz, ida.user), HALF)
    Override.objects.create(problem_set=quiz, learner=kurt.user, score="1/3", reason="On paper", given_by=alice)
    begun(quiz, alice, is_preview=True)
    average = averages([quiz], learners_of(course))[quiz.pk]
    assert average.learners == 3
    assert average.share == (Fraction(3, 4) + Fraction(3, 8) + Fraction(1, 3)) / 3
    assert averages([quiz], learners_of(course, Wanted(search="jo")))[quiz.pk].share is None


@pytest.mark.parametrize(
    "numerators",
    [[PARTS] * 30, [PARTS - number for number in range(30)], [1, 2**31 - 1, 2**31, 2**31 + 1, PARTS - 1]],
)
def test_averages_are_exact_however_large_the_numbers_of_the_scores_are(
    numerators: list[int], quiz: ProblemSet, course: Course
) -> None:
    for place, numerator in enumerate(numerators):
        who = person(course, f"learner-{place}").user
        begun(quiz, who, score_numerator=numerator, score_denominator=PARTS)
    average = averages([quiz], learners_of(course))[quiz.pk]
    assert average == (Fraction(sum(numerators), PARTS * len(numerators)), len(numerators))


def test_a_set_for_a_group_is_not_for_others(quiz: ProblemSet, course: Course, enrolled: Enrolment) -> None:
    ida = person(course, "ida")
    group = Group.objects.create(course=course, name="Tuesday")
    group.members.add(ida)
    quiz.groups.add(group)
    (quiz,) = sets_of(course)
    assert cell(quiz, enrolled, NOW + 9 * DAY) == Cell("not-for", None)
    assert cell(quiz, ida).state == "not-begun"


def test_who_stands_in_it_and_in_which_order(course: Course, enrolled: Enrolment, alice: User) -> None:
    zoe = person(course, "zoe", external_id="77")
    zoe.name = "Anna Zett"
    zoe.save()
    gone = person(course, "gone", dropped_at=NOW)
    person(course, "dave", Role.ASSISTANT)
    names = [name_of(one) for one in learners_of(course)]
    assert names == ["Anna Zett", "bob"]
    assert [name_of(one) for one in learners_of(course, Wanted(is_descending=True))] == names[::-1]
    assert gone in learners_of(course, Wanted(with_dropped=True))
    for text in ("zett ANNA", "77", "zoe@example.org"):
        assert [name_of(one) for one in learners_of(course, Wanted(search=text))] == ["Anna Zett"]
    group = Group.objects.create(course=course, name="Tuesday")
    group.members.add(enrolled)
    assert list(learners_of(course, Wanted(group=group.pk))) == [enrolled]


def test_drafts_and_retired_sets_have_no_column(course: Course, problem: Problem, quiz: ProblemSet) -> None:
    problem_set(course, "quiz", problem, published_at=None)
    problem_set(course, "quiz", problem, retired=True)
    assert sets_of(course) == [quiz]


def test_points_are_the_weights_and_of_pools_what_is_chosen(quiz: ProblemSet, problem: Problem) -> None:
    assert maxima([quiz]) == {quiz.pk: Fraction(4)}
    pool = Pool.objects.create(problem_set=quiz, name="one of", choose=2, weight="1.5")
    for place in range(3):
        SetItem.objects.create(problem_set=quiz, problem=problem, position=5 + place, pool=pool)
    SetItem.objects.filter(problem_set=quiz, position=0).update(variants=2)
    SetItem.objects.filter(problem_set=quiz, position=1).update(retired=True)
    assert maxima([quiz]) == {quiz.pk: Fraction(9)}


def test_items_with_tries_and_several_variants(
    quiz: ProblemSet, attempt: Attempt, enrolled: Enrolment, problem: Problem
) -> None:
    marked(attempt, HALF, ALL)
    Override.objects.create(
        problem_set=quiz, learner=enrolled.user, item=place_of(attempt, 2).item, score="1", reason="Told"
    )
    items = items_with_columns(quiz)
    (row,) = set_rows(quiz, items, [enrolled])
    first, second = row.items
    assert first is not None
    assert second is not None
    assert (first.score, first.tries, first.position, first.is_overridden) == (Fraction(1, 2), 2, 1, False)
    assert (second.score, second.tries, second.is_overridden) == (None, 0, True)
    SetItem.objects.filter(pk=items[0].pk).update(retired=True)
    assert [item.pk for item in items_with_columns(quiz)] == [item.pk for item in items]
    SetItem.objects.create(problem_set=quiz, problem=problem, position=9, retired=True)
    assert len(items_with_columns(quiz)) == 2


#: Of a course grade book: sets, extensions, members, attempts, queue, by hand, groups of sets, who is in them; and four
#: for the averages.
BOOK = 12


@pytest.mark.parametrize(("learners", "sets"), [(1, 1), (30, 3)])
def test_a_grade_book_takes_the_same_queries_for_one_and_for_thirty(
    learners: int, sets: int, course: Course, problem: Problem, django_assert_num_queries: Any
) -> None:
    group = Group.objects.create(course=course, name="Tuesday")
    made = [problem_set(course, "quiz", problem, due_at=NOW + DAY) for _ in range(sets)]
    for one in made:
        one.groups.add(group)
        Extension.objects.create(problem_set=one, group=group, closes_at=NOW + 9 * DAY)
    for number in range(learners):
        who = person(course, f"learner-{number}")
        group.members.add(who)
        Extension.objects.create(problem_set=made[0], learner=who.user, due_at=NOW + 2 * DAY)
        attempt = begun(made[0], who.user)
        drawn(place_of(attempt))
        begun(made[0], who.user, number=2)
        Attempt.objects.update(score_numerator=1, score_denominator=2)
    rows = list(learners_of(course, Wanted(group=group.pk)))
    with django_assert_num_queries(BOOK):
        found = sets_of(course)
        book_rows(found, rows)
        averages(found, learners_of(course))
    with django_assert_num_queries(10):
        set_rows(made[0], items_with_columns(made[0]), rows)
