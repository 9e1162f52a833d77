"""Hints, forecast, solution and fault report."""

import contextlib
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from exercises.actions import keep_forecast, report_fault, reveal_solution, send_answer, take_hint
from exercises.models import FaultReport, Forecast, HintUse, User, Variant
from exercises.queries import (
    figure_of,
    hints_taken,
    marks_of,
    reading_of,
    rounding_note,
    shown,
    worked_solution,
)
from exercises.refusals import AnswersRefused, NoMoreHints, TextRefused, VariantClosed
from exercises.tasks import grade_pending
from tests.exercises.world import ALL_RIGHT, c1

pytestmark = pytest.mark.usefixtures("servers", "published")


def test_hints_come_one_at_a_time_and_stay_as_shown(variant: Variant) -> None:
    first = take_hint(variant=variant, step="p")
    second = take_hint(variant=variant, step="p")
    assert (first.number, second.number) == (1, 2)
    assert hints_taken(variant) == {"p": [first, second]}


def all_hints(variant: Variant, step: str) -> list[str]:
    """Every hint of a step, taken one after the other until there are no more."""
    texts: list[str] = []
    with contextlib.suppress(NoMoreHints):
        while len(texts) < 50:
            texts.append(take_hint(variant=variant, step=step).text)
    return texts


def test_hints_end(variant: Variant) -> None:
    texts = all_hints(variant, "loss")
    assert 1 <= len(texts) < 50
    assert HintUse.objects.count() == len(texts)
    with pytest.raises(NoMoreHints):
        take_hint(variant=variant, step="loss")
    with pytest.raises(AnswersRefused):
        take_hint(variant=variant, step="nowhere")


def test_no_hint_tells_the_key_of_its_step_or_an_earlier_one(variant: Variant) -> None:
    told = " ".join(all_hints(variant, "loss"))
    assert not [key for key in ("0.40", "0.41", "0.66", "0.67", "11.1", "7.38", "7.39") if key in told]


def test_a_forecast_is_kept_and_can_be_written_again(variant: Variant) -> None:
    keep_forecast(variant=variant, text="  below ln 3 ")
    assert keep_forecast(variant=variant, text="above").text == "above"
    assert Forecast.objects.get().text == "above"


@pytest.mark.parametrize("text", ["", "  ", "\x00", "x" * 501])
def test_a_forecast_that_is_none_is_refused(variant: Variant, text: str) -> None:
    with pytest.raises(TextRefused):
        keep_forecast(variant=variant, text=text)


def test_the_solution_is_shown_only_once_asked_for(variant: Variant) -> None:
    assert worked_solution(variant) is None
    first = reveal_solution(variant=variant).revealed_at
    solution = worked_solution(variant)
    assert solution is not None
    assert [step.step for step in solution.steps] == ["powers", "total", "p", "loss"]
    assert reveal_solution(variant=Variant.objects.get()).revealed_at == first


def test_a_fault_report_holds_what_the_learner_saw(bob: User, variant: Variant) -> None:
    submission = send_answer(learner=bob, variant=variant, answers=ALL_RIGHT).submission
    grade_pending()
    report_fault(learner=bob, variant=variant, text="The sky is no word.")
    report_fault(learner=bob, variant=variant, text="The sky is no word. ")
    report = FaultReport.objects.get()
    assert (report.variant, report.version, report.submission) == (variant, variant.version, submission)
    assert report.grading is not None
    assert report.grading.submission == submission
    assert report.grader_version


def test_a_fault_can_be_reported_before_any_answer(bob: User, variant: Variant) -> None:
    assert report_fault(learner=bob, variant=variant, text="What is a logit?").submission is None


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("problem")
def test_a_fault_report_sent_twice_at_once_is_one(bob: User) -> None:
    variant = c1(bob)

    def report(_: int) -> None:
        try:
            report_fault(learner=bob, variant=Variant.objects.get(pk=variant.pk), text="The sky is no word.")
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(report, range(8)))
    assert FaultReport.objects.count() == 1


def test_hints_follow_what_stands_in_the_boxes_and_keep_it(charlie: User, variant: Variant) -> None:
    typed = {"powers": ["7.389", "2.718", "1"], "total": "11.107"}
    without, given = all_hints(c1(charlie), "p"), list[str]()
    with contextlib.suppress(NoMoreHints):
        while len(given) < 50:
            given.append(take_hint(variant=variant, step="p", answers=typed).text)
    assert len(given) > len(without)
    variant.refresh_from_db()
    assert variant.draft == typed


def test_nothing_is_expected_or_hinted_at_once_the_solution_is_shown(variant: Variant) -> None:
    stale = Variant.objects.get()
    reveal_solution(variant=variant)
    with pytest.raises(VariantClosed):
        take_hint(variant=stale, step="p")
    with pytest.raises(VariantClosed):
        keep_forecast(variant=stale, text="above")
    assert not HintUse.objects.exists()
    assert not Forecast.objects.exists()


def test_a_hint_is_refused_with_what_is_no_answer(variant: Variant) -> None:
    with pytest.raises(AnswersRefused, match="no step 'q'"):
        take_hint(variant=variant, step="p", answers={"q": "1"})
    assert not HintUse.objects.exists()


def test_the_rounding_note_comes_only_after_a_wrong_answer(bob: User, variant: Variant) -> None:
    assert rounding_note(variant, "p", marks_of(variant)) == ""
    send_answer(learner=bob, variant=variant, answers={"total": "11.107", "p": "0.9"}, checked=["total", "p"])
    grade_pending()
    marks = marks_of(variant)
    assert rounding_note(variant, "p", marks)
    assert rounding_note(variant, "total", marks) == ""


def test_a_variant_is_shown_from_its_stored_numbers(variant: Variant) -> None:
    seen = shown(variant)
    assert "mat" in seen.statement
    assert [field.step for field in seen.fields] == ["powers", "total", "p", "loss"]
    assert figure_of(variant, {}) is None
    assert reading_of(variant, "p", "1/2", "en").shown == "0.5"
    with pytest.raises(KeyError):
        reading_of(variant, "nowhere", "1", "en")
