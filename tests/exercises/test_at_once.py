"""Things that happen at the same moment, in threads with connections of their own."""

import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import pytest
from django.db import connection

from exercises.actions import draw_variant, reveal_solution, send_answer
from exercises.models import Grading, Submission, User, Variant
from exercises.refusals import VariantClosed
from exercises.tasks import grade_pending, sweep_pending
from tests.exercises.world import c1

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("servers", "problem", "published")]

Result = TypeVar("Result")


def at_once(count: int, call: Callable[[int], Result]) -> list[Result]:
    """Call from that many threads, all let go at the same moment."""
    gate = threading.Barrier(count)

    def run(number: int) -> Result:
        try:
            connection.ensure_connection()
            gate.wait(timeout=10)
            return call(number)
        finally:
            connection.close()

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(run, range(count)))


def test_twenty_starts_give_one_variant(bob: User) -> None:
    drawn = at_once(20, lambda _: draw_variant(learner=bob, slug="masked"))
    assert len({variant.pk for variant in drawn}) == 1
    assert Variant.objects.count() == 1


def test_a_form_sent_by_twenty_threads_is_one_submission(bob: User) -> None:
    variant = c1(bob)
    sent = at_once(
        20, lambda _: send_answer(learner=bob, variant=variant, answers={"p": "0.665"}, idempotency_key="form-1")
    )
    assert Counter(one.kind for one in sent) == {"queued": 1, "duplicate": 19}
    assert Submission.objects.count() == 1


def test_the_same_answer_from_twenty_tabs_is_one_submission(bob: User) -> None:
    variant = c1(bob)
    sent = at_once(20, lambda _: send_answer(learner=bob, variant=variant, answers={"p": "0.665"}))
    assert Counter(one.kind for one in sent) == {"queued": 1, "already-tried": 19}


def test_an_answer_and_the_solution_at_once_never_earn_credit_after_it(bob: User) -> None:
    variant = c1(bob)

    def act(number: int) -> str:
        if number == 0:
            reveal_solution(variant=Variant.objects.get(pk=variant.pk))
            return "shown"
        try:
            return send_answer(learner=bob, variant=variant, answers={"p": f"0.{number}"}).kind
        except VariantClosed:
            return "closed"

    outcomes = Counter(at_once(10, act))
    assert outcomes["queued"] == Submission.objects.count()
    assert outcomes["queued"] + outcomes["closed"] == 9
    shown_at = Variant.objects.get().revealed_at
    assert shown_at is not None
    assert not Submission.objects.filter(created_at__gt=shown_at).exists()


def test_many_workers_grade_everything_exactly_once(bob: User) -> None:
    variant = c1(bob)
    for value in range(120):
        send_answer(learner=bob, variant=variant, answers={"p": f"0.{value + 100}"})
    recorded = at_once(8, lambda number: sweep_pending() if number % 2 else grade_pending())
    assert sum(recorded) == 120
    assert set(Counter(Grading.objects.values_list("submission", flat=True)).values()) == {1}
    assert Grading.objects.count() == 120
