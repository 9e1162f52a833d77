"""Taking an answer: read first, stored as pending, never twice, never lost."""

import pytest
from django.core.cache import cache

from exercises.actions import reveal_solution, send_answer
from exercises.limits import MOST_ANSWERS
from exercises.models import Submission, User, Variant
from exercises.refusals import AnswersRefused, TriedTooOften, VariantClosed
from exercises.tasks import grade_pending
from tests.exercises.world import ALL_RIGHT

pytestmark = pytest.mark.usefixtures("servers")


def test_an_answer_waits_for_its_verdict(bob: User, variant: Variant) -> None:
    sent = send_answer(learner=bob, variant=variant, answers=ALL_RIGHT)
    assert sent.kind == "queued"
    stored = Submission.objects.get()
    assert (stored.state, stored.answers, stored.checked) == ("pending", ALL_RIGHT, None)
    assert sent.checked == ("powers", "total", "p", "loss")


def test_what_cannot_be_read_is_answered_at_once_and_blocks_only_itself(bob: User, variant: Variant) -> None:
    sent = send_answer(learner=bob, variant=variant, answers={"p": "0.665", "loss": "log(2"})
    assert sent.kind == "queued"
    assert sent.readings["loss"].status == "unreadable"
    assert sent.readings["loss"].message
    assert Submission.objects.get().checked == ["powers", "total", "p"]


@pytest.mark.parametrize("answers", [{}, {"p": " "}, {"p": "what?"}, {"loss": "1,2,3x", "p": ""}])
def test_nothing_readable_is_never_stored_but_kept_as_a_draft(
    bob: User, variant: Variant, answers: dict[str, str]
) -> None:
    sent = send_answer(learner=bob, variant=variant, answers=answers)
    assert (sent.kind, sent.submission) == ("answered-now", None)
    assert not Submission.objects.exists()
    variant.refresh_from_db()
    assert variant.draft == answers


def test_a_double_click_returns_the_first(bob: User, variant: Variant) -> None:
    first = send_answer(learner=bob, variant=variant, answers=ALL_RIGHT, idempotency_key="form-1")
    second = send_answer(learner=bob, variant=variant, answers=ALL_RIGHT, idempotency_key="form-1")
    assert second.kind == "duplicate"
    assert second.submission == first.submission
    assert Submission.objects.count() == 1


def test_the_same_form_with_a_corrected_answer_is_another_submission(bob: User, variant: Variant) -> None:
    """Back button: the old form comes back with its key, and the learner corrects what is in it."""
    send_answer(learner=bob, variant=variant, answers={"p": "0.6"}, idempotency_key="form-1")
    corrected = send_answer(learner=bob, variant=variant, answers={"p": "0.665"}, idempotency_key="form-1")
    assert corrected.kind == "queued"
    assert Submission.objects.count() == 2


@pytest.mark.parametrize(
    ("before", "again"),
    [
        ({"p": "0.41"}, {"p": "0.410"}),
        ({"p": "0.5"}, {"p": " 1/2 "}),
        ({"loss": "0.41"}, {"loss": "0.410"}),  # the right value with a digit too few, and a zero put to it
        ({"total": "11.1", "p": "0.5"}, {"total": "11.10", "p": "0.50", "powers": "unreadable("}),
    ],
)
def test_the_same_answer_written_otherwise_is_already_tried(
    bob: User, variant: Variant, before: dict[str, str], again: dict[str, str]
) -> None:
    first = send_answer(learner=bob, variant=variant, answers=before, checked=["p", "loss"])
    second = send_answer(learner=bob, variant=variant, answers=again, checked=["p", "loss"])
    assert second.kind == "already-tried"
    assert second.submission == first.submission


@pytest.mark.parametrize(
    ("answers", "checked"),
    [
        ({"p": "0.42"}, ["p"]),
        ({"p": "0.41"}, ["p", "loss"]),
        ({"p": "0.41", "total": "11.1"}, ["p"]),  # a step before it is carried forward now
    ],
)
def test_another_answer_is_not(bob: User, variant: Variant, answers: dict[str, str], checked: list[str]) -> None:
    send_answer(learner=bob, variant=variant, answers={"p": "0.41"}, checked=["p"])
    assert send_answer(learner=bob, variant=variant, answers=answers, checked=checked).kind == "queued"


def test_a_later_step_does_not_make_an_answer_new(bob: User, variant: Variant) -> None:
    send_answer(learner=bob, variant=variant, answers={"p": "0.41"}, checked=["p"])
    sent = send_answer(learner=bob, variant=variant, answers={"p": "0.41", "loss": "0.9"}, checked=["p"])
    assert sent.kind == "already-tried"


def test_a_shown_solution_closes_the_variant_and_keeps_the_text(bob: User, variant: Variant) -> None:
    reveal_solution(variant=variant)
    with pytest.raises(VariantClosed, match="draw another variant"):
        send_answer(learner=bob, variant=variant, answers={"p": "0.665"})
    assert not Submission.objects.exists()
    variant.refresh_from_db()
    assert variant.draft == {"p": "0.665"}


def test_what_was_sent_before_the_solution_was_shown_is_marked_and_found_again(bob: User, variant: Variant) -> None:
    first = send_answer(learner=bob, variant=variant, answers=ALL_RIGHT, idempotency_key="form-1")
    reveal_solution(variant=variant)
    assert grade_pending() == 1
    again = send_answer(learner=bob, variant=variant, answers=ALL_RIGHT, idempotency_key="form-1")
    assert (again.kind, again.submission) == ("duplicate", first.submission)
    assert again.submission is not None
    assert again.submission.state == "graded"


@pytest.mark.parametrize(
    ("answers", "says"),
    [
        (["p"], "as an object"),
        ({"q": "1"}, "no step 'q'"),
        ({"p": 0.5}, "typed text"),
        ({"p": {"value": "1"}}, "typed text"),
        ({"powers": ["1", 2, "3"]}, "typed text"),
        ({"powers": ["1"] * 101}, "at most 100"),
        ({"p": "1" * 501}, "at most 500"),
        ({"powers": ["1" * 300] * 100}, "together have at most 20000"),
    ],
)
def test_what_is_no_answer_is_refused_with_a_reason(bob: User, variant: Variant, answers: object, says: str) -> None:
    with pytest.raises(AnswersRefused, match=says):
        send_answer(learner=bob, variant=variant, answers=answers)  # type: ignore[arg-type]
    assert not Submission.objects.exists()


@pytest.mark.parametrize("checked", [[], ["q"], "p", [1]])
def test_steps_that_cannot_be_checked_are_refused(bob: User, variant: Variant, checked: list[str]) -> None:
    with pytest.raises(AnswersRefused):
        send_answer(learner=bob, variant=variant, answers=ALL_RIGHT, checked=checked)


def test_characters_that_no_database_stores_only_make_an_answer_unreadable(bob: User, variant: Variant) -> None:
    sent = send_answer(learner=bob, variant=variant, answers={"p": "0.6\x00", "loss": "\ud800", "total": "11.1"})
    assert [sent.readings[step].status for step in ("p", "loss", "total")] == ["unreadable", "unreadable", "read"]
    assert Submission.objects.get().answers["p"] == "0.6\N{REPLACEMENT CHARACTER}"


@pytest.mark.parametrize("key", ["k" * 65, "a\x00b", "\ud800"])
def test_a_key_that_cannot_be_stored_is_refused(bob: User, variant: Variant, key: str) -> None:
    with pytest.raises(AnswersRefused, match="idempotency key"):
        send_answer(learner=bob, variant=variant, answers=ALL_RIGHT, idempotency_key=key)


def test_two_tabs_with_different_drafts_lose_neither(bob: User, variant: Variant) -> None:
    first, second = Variant.objects.get(), Variant.objects.get()
    send_answer(learner=bob, variant=first, answers={"total": "what?"})
    send_answer(learner=bob, variant=second, answers={"loss": "huh?"})
    variant.refresh_from_db()
    assert variant.draft == {"total": "what?", "loss": "huh?"} == second.draft


def test_one_variant_takes_only_so_many_answers(bob: User, variant: Variant) -> None:
    for value in range(MOST_ANSWERS):
        send_answer(learner=bob, variant=variant, answers={"p": f"0.{value + 100}"})
    with pytest.raises(TriedTooOften, match="draw another variant"):
        send_answer(learner=bob, variant=variant, answers={"p": "0.665"})
    assert Submission.objects.count() == MOST_ANSWERS
    variant.refresh_from_db()
    assert variant.draft == {"p": "0.665"}
    assert send_answer(learner=bob, variant=variant, answers={"p": "0.100"}).kind == "already-tried"


def test_nobody_answers_for_somebody_else(charlie: User, variant: Variant) -> None:
    with pytest.raises(AnswersRefused, match="somebody else"):
        send_answer(learner=charlie, variant=variant, answers=ALL_RIGHT)


def test_the_locale_decides_how_numbers_are_read(bob: User, variant: Variant) -> None:
    sent = send_answer(learner=bob, variant=variant, answers={"p": "0,665"}, checked=["p"], locale="de")
    assert sent.readings["p"].shown == "0,665"
    assert send_answer(learner=bob, variant=variant, answers={"p": "0.665"}, checked=["p"]).kind == "already-tried"


def test_one_wake_up_for_a_burst(
    bob: User, variant: Variant, django_capture_on_commit_callbacks: object, published: list[str]
) -> None:
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        for value in range(1, 6):
            send_answer(learner=bob, variant=variant, answers={"p": f"0.{value}"})
    assert published == ["exercises.tasks.grade_pending"]
    assert grade_pending() == 5
    assert cache.get("grading:worker-woken") is None


@pytest.mark.parametrize("rows", [1, 30])
def test_a_literal_number_of_queries(bob: User, variant: Variant, rows: int, django_assert_num_queries: object) -> None:
    for value in range(rows):
        send_answer(learner=bob, variant=variant, answers={"p": f"0.{value + 1}"})
    # Savepoint of the test's transaction (2), lock, draft, earlier, count, insert.
    with django_assert_num_queries(7):  # type: ignore[operator]
        send_answer(learner=bob, variant=variant, answers={"p": "0.987"})
