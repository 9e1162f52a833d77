"""Sets on paper: copies keep their numbers, and what was written on one is marked as if it were typed."""

import datetime as dt
from fractions import Fraction
from typing import Any

import pytest

from exercises import clock
from exercises.actions.paper import PaperRefused, enter_paper, enter_table, print_copies
from exercises.models import Attempt, AuditEntry, Course, PaperCopy, ProblemSet, Submission, User, Variant
from exercises.queries.paper import columns_of, printed
from exercises.refusals import AnswersRefused
from exercises.tasks import grade_pending
from grader.solution import solve
from tests.exercises.courses.world import NOW, person

pytestmark = pytest.mark.usefixtures("servers", "published")


def right_answers(copy: PaperCopy, place: int) -> dict[str, Any]:
    """What somebody writes who gets everything right."""
    item = printed([copy])[0].items[place - 1]
    values = solve(item.problem, item.parameters).values
    written: dict[str, Any] = {}
    for field in item.fields:
        value = values[field.step]
        written[field.step] = [f"{one:.5g}" for one in value] if isinstance(value, list) else f"{value:.5g}"
    return written


def scored(attempt: Attempt) -> Any:
    grade_pending()
    attempt.refresh_from_db()
    return attempt.score


def test_copies_differ_and_stay_as_they_are_printed(exam: ProblemSet, alice: User) -> None:
    run = print_copies(problem_set=exam, made_by=alice, copies=12, title="Group 2")
    copies = list(run.copies.all())
    assert [copy.number for copy in copies] == list(range(1, 13))
    assert len({copy.code for copy in copies}) == 12
    drawn = [str(sheet["parameters"]) for copy in copies for sheet in copy.items]
    assert len(set(drawn)) == len(drawn) == 24
    again = printed(PaperCopy.objects.filter(run=run))
    assert [item.parameters for item in again[3].items] == [sheet["parameters"] for sheet in copies[3].items]
    assert AuditEntry.objects.get(deed="print").actor == alice


def test_the_same_seed_draws_the_same_copies(exam: ProblemSet, alice: User) -> None:
    first, second = (print_copies(problem_set=exam, made_by=alice, copies=2, seed=7) for _ in range(2))
    assert [copy.items for copy in first.copies.all()] == [copy.items for copy in second.copies.all()]


@pytest.mark.parametrize("copies", [0, -1, 301])
def test_no_copies_and_too_many_are_refused(exam: ProblemSet, alice: User, copies: int) -> None:
    with pytest.raises(PaperRefused, match="between 1 and 300"):
        print_copies(problem_set=exam, made_by=alice, copies=copies)


def test_a_set_without_items_has_nothing_to_print(exam: ProblemSet, alice: User) -> None:
    exam.items.update(retired=True)
    with pytest.raises(PaperRefused, match="no items"):
        print_copies(problem_set=exam, made_by=alice, copies=1)


def test_an_entered_copy_is_marked_like_any_answer(copy: PaperCopy, bob: User, alice: User) -> None:
    written = {1: right_answers(copy, 1), 2: {"p": "0.9999"}}
    attempt = enter_paper(copy=copy, learner=bob, answers=written, entered_by=alice)
    score = scored(attempt)
    assert Fraction(7, 10) <= score < 1
    sent = Submission.objects.filter(author=bob)
    assert {row.entered_by for row in sent} == {alice}
    assert all(row.state == Submission.State.GRADED for row in sent)
    assert attempt.items.get(position=1).score == 1
    shown = [variant.parameters for variant in Variant.objects.filter(attempt_item__attempt=attempt).order_by("pk")]
    assert shown == [sheet["parameters"] for sheet in copy.items]


def test_everything_right_is_exactly_all_of_it(copy: PaperCopy, bob: User, alice: User) -> None:
    written = {place: right_answers(copy, place) for place in (1, 2)}
    assert scored(enter_paper(copy=copy, learner=bob, answers=written, entered_by=alice)) == 1


def test_what_was_left_empty_counts_nothing(copy: PaperCopy, bob: User, alice: User) -> None:
    attempt = enter_paper(copy=copy, learner=bob, answers={1: right_answers(copy, 1)}, entered_by=alice)
    assert scored(attempt) == Fraction(7, 10)


def test_entering_it_again_corrects_it(copy: PaperCopy, bob: User, alice: User) -> None:
    slip = {**right_answers(copy, 1), "loss": "99"}
    attempt = enter_paper(copy=copy, learner=bob, answers={1: slip}, entered_by=alice)
    before = scored(attempt)
    again = enter_paper(copy=copy, learner=bob, answers={1: right_answers(copy, 1)}, entered_by=alice)
    assert again == attempt
    assert before < scored(attempt)
    assert str(attempt.score) == "7/10"
    # A correction to something worse counts as well: the paper says what it says.
    enter_paper(copy=copy, learner=bob, answers={1: slip}, entered_by=alice)
    assert scored(attempt) == before
    assert [entry.deed for entry in AuditEntry.objects.filter(learner=bob).order_by("pk")] == [
        "enter-paper",
        "correct-paper",
        "correct-paper",
    ]


def test_the_same_again_sends_nothing(copy: PaperCopy, bob: User, alice: User) -> None:
    for _ in range(2):
        enter_paper(copy=copy, learner=bob, answers={1: right_answers(copy, 1)}, entered_by=alice)
    assert Submission.objects.filter(author=bob).count() == 1
    assert Attempt.objects.filter(learner=bob).count() == 1


def test_a_copy_is_one_persons(copy: PaperCopy, course: Course, bob: User, alice: User) -> None:
    enter_paper(copy=copy, learner=bob, answers={1: {"p": "0.5"}}, entered_by=alice)
    dora = person(course, "dora").user
    with pytest.raises(PaperRefused, match="bob already"):
        enter_paper(copy=copy, learner=dora, answers={1: {"p": "0.5"}}, entered_by=alice)
    assert not Attempt.objects.filter(learner=dora).exists()


def test_it_counts_as_of_when_it_was_written(copy: PaperCopy, bob: User, alice: User) -> None:
    due = NOW + dt.timedelta(hours=1)
    ProblemSet.objects.update(due_at=due, late=["1/2"], closes_at=None)
    copy.run.problem_set.refresh_from_db()
    with clock.at(due + dt.timedelta(hours=20)):
        late = enter_paper(copy=copy, learner=bob, answers={1: right_answers(copy, 1)}, entered_by=alice)
        assert str(scored(late)) == "7/20"
        enter_paper(copy=copy, learner=bob, answers={}, entered_by=alice, written_at=NOW)
        assert str(scored(late)) == "7/10"
        with pytest.raises(PaperRefused, match="future"):
            enter_paper(copy=copy, learner=bob, answers={}, entered_by=alice, written_at=due + dt.timedelta(days=9))


def test_what_is_no_answer_is_refused_and_nothing_is_kept(copy: PaperCopy, bob: User, alice: User) -> None:
    for written in ({1: {"nowhere": "1"}}, {1: {"p": 3}}):
        with pytest.raises(AnswersRefused):
            enter_paper(copy=copy, learner=bob, answers=written, entered_by=alice)
    with pytest.raises(PaperRefused, match="none with the number 3"):
        enter_paper(copy=copy, learner=bob, answers={3: {"p": "1"}}, entered_by=alice)
    assert not Attempt.objects.exists()


def test_a_table_enters_what_is_in_order_and_says_what_is_not(
    copy: PaperCopy, course: Course, bob: User, alice: User
) -> None:
    run = copy.run
    codes = [one.code for one in run.copies.order_by("number")]
    right = right_answers(copy, 1)
    text = "\n".join(
        [
            "code,learner,written_at,1.p,1.loss",
            f"{codes[0]},BOB@example.org,2026-11-29,{right['p']},{right['loss']}",
            f"{codes[1]},nobody,,0.5,0.5",
            f"{codes[2]},bob,yesterday,0.5,0.5",
        ]
    )
    User.objects.filter(pk=bob.pk).update(email="bob@example.org")
    seen = enter_table(run=run, text=text, entered_by=alice, is_preview=True)
    assert [bool(row.fault) for row in seen] == [False, True, True]
    assert not Attempt.objects.exists()
    done = enter_table(run=run, text=text, entered_by=alice)
    assert [row.fault for row in done] == [row.fault for row in seen]
    attempt = Attempt.objects.get()
    assert attempt.learner == bob
    assert attempt.count_as_at == dt.datetime(2026, 11, 29, 11, tzinfo=dt.UTC)
    enter_table(run=run, text=text, entered_by=alice)
    assert Attempt.objects.count() == 1
    assert Submission.objects.count() == 1


def test_the_columns_name_every_box(copy: PaperCopy) -> None:
    names = columns_of(printed([copy]))
    assert names[:3] == ["1.powers.1", "1.powers.2", "1.powers.3"]
    assert {"1.total", "1.p", "1.loss", "2.loss"} <= set(names)


def test_printing_costs_the_same_for_one_copy_and_for_many(
    exam: ProblemSet, alice: User, django_assert_num_queries: Any
) -> None:
    run = print_copies(problem_set=exam, made_by=alice, copies=20)
    for most in (1, 20):
        copies = list(run.copies.all()[:most])
        with django_assert_num_queries(1):
            printed(copies)
