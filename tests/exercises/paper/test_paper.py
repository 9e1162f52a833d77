"""Sets on paper: copies keep their numbers, and what was written on one is marked as if it were typed."""

import datetime as dt
from fractions import Fraction
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from exercises import clock
from exercises.actions.paper import PaperRefused, enter_paper, enter_table, entering, print_copies, table
from exercises.models import Attempt, AuditEntry, Course, Enrolment, PaperCopy, ProblemSet, Submission, User, Variant
from exercises.queries.paper import columns_of, entered_answers, printed
from exercises.refusals import AnswersRefused
from exercises.tasks import grade_pending
from grader.solution import solve
from tests.exercises.courses.world import NOW, person
from tests.exercises.world import c1

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
        written = {1: right_answers(copy, 1)}
        late = enter_paper(
            copy=copy, learner=bob, answers=written, entered_by=alice, written_at=due + dt.timedelta(hours=2)
        )
        assert str(scored(late)) == "7/20"
        enter_paper(copy=copy, learner=bob, answers={}, entered_by=alice, written_at=NOW)
        assert str(scored(late)) == "7/10"
        with pytest.raises(PaperRefused, match="future"):
            enter_paper(copy=copy, learner=bob, answers={}, entered_by=alice, written_at=due + dt.timedelta(days=9))


def test_without_a_moment_it_was_written_in_class(copy: PaperCopy, bob: User, alice: User) -> None:
    due = NOW + dt.timedelta(hours=1)
    ProblemSet.objects.update(due_at=due, late=["1/2"], closes_at=None)
    copy.run.problem_set.refresh_from_db()
    written = {1: right_answers(copy, 1)}
    with clock.at(NOW):
        attempt = enter_paper(copy=copy, learner=bob, answers={}, entered_by=alice)
        assert attempt.count_as_at is None
    for days in (1, 2):
        # Corrected later, it is as little late as entered later.
        with clock.at(due + dt.timedelta(days=days)):
            attempt = enter_paper(copy=copy, learner=bob, answers=written, entered_by=alice)
            assert attempt.count_as_at == due
            assert str(scored(attempt)) == "7/10"
            assert attempt.late_days == 0


def test_an_emptied_exercise_takes_its_answer_back(copy: PaperCopy, bob: User, alice: User) -> None:
    right = right_answers(copy, 1)
    blank = {step: [""] * len(text) if isinstance(text, list) else "" for step, text in right.items()}
    # Empty boxes of what was never entered say nothing.
    enter_paper(copy=copy, learner=bob, answers={1: right, 2: {"p": " "}}, entered_by=alice)
    assert Submission.objects.count() == 1
    for _ in range(2):
        attempt = enter_paper(copy=copy, learner=bob, answers={1: blank}, entered_by=alice)
        assert scored(attempt) == 0
    assert Submission.objects.count() == 2
    assert all(typed in ("", [""] * 3) for typed in entered_answers(copy)[1].values())
    # The same boxes filled in again count again.
    assert scored(enter_paper(copy=copy, learner=bob, answers={1: right}, entered_by=alice)) == Fraction(7, 10)
    partly = {**right, "loss": ""}
    assert 0 < scored(enter_paper(copy=copy, learner=bob, answers={1: partly}, entered_by=alice)) < Fraction(7, 10)


def test_a_number_that_practice_takes_meanwhile_is_counted_on(
    copy: PaperCopy, bob: User, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[dict[int, int]] = []

    def overtaken(learner: User, problems: set[int]) -> dict[int, int]:
        found = numbers(learner, problems)
        calls.append(found)
        if len(calls) == 1:
            c1(bob)
        return found

    numbers = entering._numbers
    monkeypatch.setattr(entering, "_numbers", overtaken)
    attempt = enter_paper(copy=copy, learner=bob, answers={}, entered_by=alice)
    assert len(calls) == 2
    assert [row.number for row in Variant.objects.filter(attempt_item__attempt=attempt).order_by("number")] == [2, 3]


def test_whoever_left_is_not_entered_for(copy: PaperCopy, bob: User, alice: User) -> None:
    Enrolment.objects.filter(user=bob).update(dropped_at=NOW)
    with pytest.raises(PaperRefused, match="not in this course"):
        enter_paper(copy=copy, learner=bob, answers={}, entered_by=alice)
    assert not Attempt.objects.exists()


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


def test_a_table_is_scored_once_and_a_dry_run_not_at_all(
    exam: ProblemSet, course: Course, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = print_copies(problem_set=exam, made_by=alice, copies=6, seed=2)
    people = [person(course, f"learner-{number}").user for number in range(6)]
    codes = run.copies.order_by("number").values_list("code", flat=True)
    lines = [f"{code},{user.username},0.5" for code, user in zip(codes, people, strict=True)]
    text = "\n".join(["code,learner,1.p", *lines])
    scored_at_once: list[int] = []

    def counted(attempts: Any) -> None:
        scored_at_once.append(len(attempts))
        keep(attempts)

    keep = entering.keep_entered
    monkeypatch.setattr(table, "keep_entered", counted)
    monkeypatch.setattr(table, "BATCH", 4)
    seen = enter_table(run=run, text=text, entered_by=alice, is_preview=True)
    assert [row.fault for row in seen] == [""] * 6
    assert not scored_at_once
    assert not Attempt.objects.exists()
    assert enter_table(run=run, text=text, entered_by=alice) == seen
    assert scored_at_once == [4, 2]
    assert Attempt.objects.count() == Submission.objects.count() == 6
    with CaptureQueriesContext(connection) as asked:
        enter_table(run=run, text=text, entered_by=alice, is_preview=True)
    # What is read of one row does not grow with what stands in it.
    assert len(asked) <= 10 + 14 * len(lines)


def test_drawing_reads_the_set_once(exam: ProblemSet, alice: User) -> None:
    counts = []
    for copies in (1, 20):
        with CaptureQueriesContext(connection) as asked:
            print_copies(problem_set=exam, made_by=alice, copies=copies)
        counts.append(len(asked))
    assert counts[0] == counts[1]


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
