"""Scores while workers are killed in the middle of a call, and while several send at once."""

import datetime as dt
from itertools import pairwise
from typing import Any

import pytest

from exercises import clock
from exercises.actions.lms import sending
from exercises.models import Context, Course, LmsScore, ProblemSet, Registration, User
from tests.exercises.courses.world import person, problem_set
from tests.exercises.sitting.world import synced
from tests.lti.scoring import column, later, only_score, sat, sent
from tests.lti.services import Fails, Services, member

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("servers", "published", "noon")]


class Killed(BaseException):
    """The end of a process, which nothing catches."""


@pytest.fixture
def quiz(course: Course, served: Context, services: Services) -> ProblemSet:
    made = problem_set(course, "quiz", *synced())
    column(served, made, services)
    return made


@pytest.mark.parametrize("where", ["before the call", "after the answer"])
def test_a_worker_that_is_killed_in_the_middle_of_a_call_leaves_one_grade_and_no_time_that_is_used_twice(
    where: str, quiz: ProblemSet, bob: User, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    sat(bob, quiz)

    def killed(*_: Any) -> None:
        raise Killed

    monkeypatch.setattr(sending, "_posted" if where == "before the call" else "_keep_answer", killed)
    with later(seconds=5), pytest.raises(Killed):
        sending.send_due(5)
    monkeypatch.undo()
    # Nobody else takes it up as long as it may still be under way.
    assert sent(seconds=20) == 0
    assert sent(minutes=3) == 1
    posted = services.posted["1"]
    assert [one["scoreGiven"] for one in posted] == [50] * (1 if where == "before the call" else 2)
    assert not services.refused
    stamps = [dt.datetime.fromisoformat(one["timestamp"]) for one in posted]
    assert all(after - before >= dt.timedelta(seconds=1) for before, after in pairwise(stamps))
    assert only_score().state == "sent"
    assert sent(hours=2) == 0


def test_of_two_that_send_at_once_each_score_is_sent_by_one(
    quiz: ProblemSet, course: Course, served: Context, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(4):
        learner = person(course, f"learner-{number}").user
        member(served, learner, f"s{number}")
        sat(learner, quiz)
    real = sending._posted

    def posted(row: LmsScore, body: Any) -> Any:
        # Another worker comes by while this one waits for the platform.
        monkeypatch.setattr(sending, "_posted", real)
        sending.send_due(10)
        return real(row, body)

    monkeypatch.setattr(sending, "_posted", posted)
    sent()
    assert sorted(one["userId"] for one in services.posted["1"]) == ["s0", "s1", "s2", "s3"]
    assert set(LmsScore.objects.values_list("state", flat=True)) == {"sent"}


def test_a_worker_that_comes_back_after_another_has_taken_over_changes_nothing(
    quiz: ProblemSet, bob: User, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    sat(bob, quiz)
    real, taken_over = sending._keep_answer, list[int]()

    def late(row: LmsScore, *rest: Any) -> None:
        monkeypatch.setattr(sending, "_keep_answer", real)
        with later(minutes=2):
            taken_over.append(sending.send_due(10))
        held = LmsScore.objects.get()
        real(row, *rest)
        assert LmsScore.objects.get().sent == held.sent

    monkeypatch.setattr(sending, "_keep_answer", late)
    sent()
    assert taken_over == [1]
    assert (only_score().state, len(services.posted["1"])) == ("sent", 2)
    assert only_score().last_timestamp == dt.datetime.fromisoformat(services.posted["1"][-1]["timestamp"])


@pytest.mark.parametrize(
    ("said", "least"),
    [("7200", 7200), ("Mon, 02 Nov 2026 14:00:00 GMT", 7000), ("nonsense", 0), ("-5", 0), ("٣٠", 0),
     ("Mon, 02 Nov 2026 14:00:00", 0), ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("9" * 400, 0)],
)  # fmt: skip
def test_a10_a_platform_is_left_in_peace_as_long_as_it_asks(
    said: str, least: int, quiz: ProblemSet, bob: User, services: Services
) -> None:
    said = said.replace("Mon, 02 Nov 2026 14:00:00", f"{clock.now() + dt.timedelta(hours=2):%a, %d %b %Y %H:%M:%S}")
    services.fails["POST scores"] = Fails(429, headers={"Retry-After": said.encode().decode("latin-1")})
    sat(bob, quiz)
    sent()
    rests_until = Registration.objects.get().rests_until
    assert rests_until is not None
    rests = (rests_until - clock.now()).total_seconds()
    assert least <= rests <= least + 300
