"""The page of a set as a learner has it: rules, state, the way in, and the result as far as it may be shown."""

import datetime as dt
from fractions import Fraction
from typing import Any

import pytest

from exercises import clock
from exercises.models import Attempt, Course, Enrolment, Problem, ProblemSet, User
from exercises.queries.sets import sets_for, sets_taught
from tests.exercises.courses.world import NOW, problem_set
from tests.frontend.sets.world import People
from tests.frontend.world import words

pytestmark = pytest.mark.usefixtures("servers")
DAY = dt.timedelta(days=1)


def seen(people: People, found: ProblemSet, at: dt.datetime = NOW, who: str = "bob") -> str:
    with clock.at(at):
        answer = people[who].get(f"/sets/{found.public_id}/")
    assert answer.status_code == 200
    return words(answer.content.decode())


def sat(
    found: ProblemSet, learner: User, *, score: Fraction | None = None, done: bool = True, number: int = 1
) -> Attempt:
    more: dict[str, Any] = {"handed_in_at": NOW, "handed_in_by": "learner"} if done else {}
    if score is not None:
        more |= {"score_numerator": score.numerator, "score_denominator": score.denominator}
    return Attempt.objects.create(problem_set=found, learner=learner, number=number, began_at=NOW - DAY / 2, **more)


def test_what_beginning_means_is_said_before_it(quiz: ProblemSet, people: People) -> None:
    assert "There is no time limit" in seen(people, quiz)
    ProblemSet.objects.filter(pk=quiz.pk).update(time_limit=45)
    text = seen(people, quiz)
    assert "The clock starts when you begin: you have 45 minutes" in text
    assert "Quiz: 2 items." in text


def test_the_clock_of_a_learner_with_a_time_factor(quiz: ProblemSet, people: People, bob: User) -> None:
    ProblemSet.objects.filter(pk=quiz.pk).update(time_limit=45)
    Enrolment.objects.filter(user=bob).update(time_factor="1.5")
    assert "you have 1 hour 7 minutes 30 seconds" in seen(people, quiz)


def test_before_it_opens_and_after_it_is_closed_there_is_no_way_in(quiz: ProblemSet, people: People) -> None:
    early, late = seen(people, quiz, NOW - 3 * DAY), seen(people, quiz, NOW + 3 * DAY)
    assert "not open yet" in early
    assert "It cannot be begun yet." in early
    assert "It is closed, and you have not begun it." in late
    for text in (early, late):
        assert "Begin" not in text


def test_it_is_begun_gone_on_with_and_looked_at(quiz: ProblemSet, people: People, bob: User) -> None:
    with clock.at(NOW):
        answer = people["bob"].post(f"/attempts/begin/{quiz.public_id}/")
    attempt = Attempt.objects.get()
    assert answer["Location"].startswith(f"/attempts/{attempt.public_id}/")
    text = seen(people, quiz)
    assert "Go on" in text
    assert "Begin" not in text
    Attempt.objects.update(handed_in_at=NOW, score_numerator=39, score_denominator=56)
    ProblemSet.objects.filter(pk=quiz.pk).update(pass_mark="7/10")
    text = seen(people, quiz)
    assert "Look at what you handed in" in text
    assert "Your score: 69.6 % not passed" in text


def test_the_result_of_an_exam_waits_for_its_release(
    course: Course, problems: list[Problem], people: People, bob: User
) -> None:
    exam = problem_set(course, "exam", *problems[:1])
    sat(exam, bob, score=Fraction(1, 2))
    text = seen(people, exam)
    assert "The result is not shown yet" in text
    assert "50" not in text.replace("CSS", "")
    with clock.at(NOW):
        shown = words(
            people["alice"].post(f"/sets/{exam.public_id}/do/", {"do": "release"}, follow=True).content.decode()
        )
    assert "The results are released" in shown
    assert "Your score: 50 %" in seen(people, exam)
    with clock.at(NOW):
        people["alice"].post(f"/sets/{exam.public_id}/do/", {"do": "withhold"})
    assert "Your score" not in seen(people, exam)


def test_one_more_attempt_is_offered_where_it_was_given(quiz: ProblemSet, people: People, bob: User) -> None:
    sat(quiz, bob, score=Fraction(1, 3))
    assert "Begin another attempt" not in seen(people, quiz)
    quiz.extensions.create(learner=bob, attempts=1, reason="ill")
    with clock.at(NOW):
        body = people["bob"].get(f"/sets/{quiz.public_id}/").content.decode()
    assert "Begin another attempt" in body
    assert 'name="number" value="2"' in body
    sat(quiz, bob, score=Fraction(1, 4), number=2)
    assert "Your score: 33.3 %" in seen(people, quiz)


def test_practice_is_begun_item_by_item_with_one_attempt(practice: ProblemSet, people: People, bob: User) -> None:
    first, second = practice.items.order_by("position")
    text = seen(people, practice)
    assert text.count("not begun") >= 2
    for item, position in ((second, 2), (first, 1), (second, 2)):
        with clock.at(NOW):
            answer = people["bob"].post(f"/sets/{practice.public_id}/practise/{item.pk}/")
        attempt = Attempt.objects.get(learner=bob)
        assert answer["Location"] == f"/attempts/{attempt.public_id}/{position}/"
    attempt.items.filter(item=first).update(score_numerator=2, score_denominator=3, tries=4)
    assert "best so far 66.7 %" in seen(people, practice)
    with clock.at(NOW):
        answer = people["bob"].post(f"/sets/{practice.public_id}/practise/999999/")
    assert answer["Location"] == f"/attempts/{attempt.public_id}/"


def test_an_observer_reads_the_rules_and_cannot_begin(quiz: ProblemSet, people: People) -> None:
    text = seen(people, quiz, who="eve")
    assert "Quiz: 2 items." in text
    assert "Begin" not in text


def test_the_rows_of_a_course_for_a_learner(
    quiz: ProblemSet, draft: ProblemSet, others: ProblemSet, practice: ProblemSet, course: Course, bob: User
) -> None:
    sat(quiz, bob, score=Fraction(3, 4))
    mine = Enrolment.objects.select_related("course", "user").get(user=bob)
    with clock.at(NOW):
        rows = {row.problem_set.pk: row for row in sets_for(mine)}
    assert set(rows) == {quiz.pk, practice.pk}
    row = rows[quiz.pk]
    assert (row.state, row.phase, row.score_words, row.may_begin) == ("handed-in", "open", "75 %", False)
    assert row.when_words == "closes Tue 2 December 2025, 12:00 CET"
    assert (rows[practice.pk].state, rows[practice.pk].score, rows[practice.pk].when_words) == ("not-begun", None, "")


def test_the_rows_of_a_course_for_those_who_teach(
    quiz: ProblemSet, draft: ProblemSet, course: Course, alice: User, bob: User
) -> None:
    sat(quiz, bob)
    sat(quiz, bob, done=False, number=2)
    Attempt.objects.create(problem_set=quiz, learner=alice, is_preview=True)
    with clock.at(NOW):
        rows = [(row.problem_set, row.state, row.items, row.begun, row.handed_in) for row in sets_taught(course)]
    assert rows == [(quiz, "open", 2, 1, 1), (draft, "draft", 1, 0, 0)]
