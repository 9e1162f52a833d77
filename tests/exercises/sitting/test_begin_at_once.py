"""Beginning at the very moment at which somebody who teaches changes the set: by the rules from before, and followed,
or by the new ones. In threads with connections of their own."""

import datetime as dt
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest
from django.db import connection

from exercises import clock
from exercises.actions.courses import locks
from exercises.actions.sets import editing, extensions, publishing
from exercises.actions.sets.refusals import SetRefused
from exercises.actions.sitting import begin
from exercises.actions.sitting.refusals import SetNotOpen
from exercises.models import Attempt, ProblemSet, User
from exercises.set_rows import details_of
from tests.exercises.sitting.world import NOW

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("servers", "published")]
ENDS = NOW + dt.timedelta(hours=1)
LATER = NOW + dt.timedelta(days=3)
#: Seconds that the one who came first waits for the other, who should be waiting for the lock meanwhile.
PAUSE = 0.7


def edit(alice: User, quiz: ProblemSet, bob: User) -> None:
    editing.edit_set(
        actor=alice, problem_set=quiz, revision=quiz.revision, details=replace(details_of(quiz), closes_at=ENDS)
    )


def extend(alice: User, quiz: ProblemSet, bob: User) -> None:
    given = extensions.Given(closes_at=LATER, reason="ill")
    extensions.give_extension(actor=alice, problem_set=quiz, learner=bob, given=given)


def take_back(alice: User, quiz: ProblemSet, bob: User) -> None:
    publishing.take_back_set(actor=alice, problem_set=quiz)


Deed = Callable[[User, ProblemSet, User], None]
DEEDS = pytest.mark.parametrize(("deed", "ends"), [(edit, ENDS), (extend, LATER), (take_back, None)])


def beside(first: Callable[[], Any], second: Callable[[], Any], entered: threading.Event) -> list[str]:
    """What became of both, the second let go once the first is in the middle of it."""

    def run(call: Callable[[], Any], gate: threading.Event | None) -> str:
        try:
            if gate is not None:
                assert gate.wait(10)
            with clock.at(NOW):
                call()
        except (SetRefused, SetNotOpen) as refused:
            return refused.code
        finally:
            connection.close()
        return "done"

    with ThreadPoolExecutor(2) as pool:
        told = [pool.submit(run, first, None), pool.submit(run, second, entered)]
        return [one.result(timeout=30) for one in told]


def paused(inner: Callable[..., Any], entered: threading.Event) -> Callable[..., Any]:
    """The same, with a pause after it the first time, of which ``entered`` tells."""

    def call(*args: Any, **more: Any) -> Any:
        found = inner(*args, **more)
        if not entered.is_set():
            entered.set()
            threading.Event().wait(PAUSE)
        return found

    return call


@DEEDS
def test_what_is_changed_while_somebody_begins_is_followed(
    quiz: ProblemSet, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch, deed: Deed, ends: dt.datetime | None
) -> None:
    entered = threading.Event()
    monkeypatch.setattr(begin, "_draw", paused(begin._draw, entered))
    told = beside(lambda: begin.begin_attempt(learner=bob, problem_set=quiz), lambda: deed(alice, quiz, bob), entered)
    attempt = Attempt.objects.get()
    if ends is None:
        assert told == ["done", "set-refused"]
        assert ProblemSet.objects.get(pk=quiz.pk).published_at is not None
    else:
        assert told == ["done", "done"]
        assert attempt.ends_at == ends


@DEEDS
def test_who_begins_while_it_is_changed_begins_by_what_holds_then(
    quiz: ProblemSet, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch, deed: Deed, ends: dt.datetime | None
) -> None:
    entered = threading.Event()
    holding = paused(locks.hold_enrolments, entered)
    for module in ("live", "locking"):
        monkeypatch.setattr(f"exercises.actions.sets.{module}.hold_enrolments", holding)
    told = beside(lambda: deed(alice, quiz, bob), lambda: begin.begin_attempt(learner=bob, problem_set=quiz), entered)
    if ends is None:
        assert told == ["done", "set-not-open"]
        assert not Attempt.objects.exists()
    else:
        assert told == ["done", "done"]
        assert Attempt.objects.get().ends_at == ends
