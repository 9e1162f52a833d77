"""Rows A6, A7, A10 to A12: whatever a platform answers, the latest score arrives once, or who teaches sees why not."""

import datetime as dt
import itertools
import time
from typing import Any

import pytest

from exercises import clock
from exercises.actions.lms import outbox, sending
from exercises.lti import services as kinds
from exercises.models import Context, Course, Extension, LineItem, LmsScore, ProblemSet, Registration, User
from exercises.queries.lms_scores import score_rows
from tests.exercises.courses.world import person, problem_set
from tests.exercises.sitting.world import synced
from tests.lti.platform import FakePlatform, registered
from tests.lti.scoring import WRONG, column, later, only_score, sat, sent
from tests.lti.services import Fails, Services, connected, member

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("servers", "published", "noon")]


@pytest.fixture
def quiz(course: Course, served: Context, services: Services) -> ProblemSet:
    made = problem_set(course, "quiz", *synced())
    column(served, made, services)
    return made


def every(minutes: float, hours: float) -> None:
    """Let the workers look every few minutes, for so many hours."""
    for turn in range(int(hours * 60 / minutes)):
        sent(minutes=minutes * (turn + 1))


def given(services: Services, name: str = "1") -> list[float]:
    """The scores that the platform took."""
    return [one["scoreGiven"] for one in services.posted[name] if "scoreGiven" in one]


def resend_all() -> None:
    """Alice sends the column once more."""
    outbox.resend(actor=User.objects.get(username="alice"), column=LineItem.objects.get())


OUTAGES: dict[str, tuple[str, Fails]] = {
    "unreachable by a broken status line": ("POST scores", Fails(0)),
    "an overload": ("POST scores", Fails(429, headers={"Retry-After": "20"})),
    "an overload without a hint": ("POST scores", Fails(429)),
    "a failure": ("POST scores", Fails(500, body=b"<html>")),
    "maintenance": ("everything", Fails(503)),
    "no tokens": ("token", Fails(500)),
    "a token refused for now": ("token", Fails(401, body=b'{"error": "invalid_client"}')),
}


@pytest.mark.parametrize("row", OUTAGES)
def test_a10_after_an_outage_of_an_hour_the_latest_score_arrives_exactly_once(
    row: str, quiz: ProblemSet, bob: User, services: Services
) -> None:
    place, failing = OUTAGES[row]
    services.fails[place] = failing
    Extension.objects.create(problem_set=quiz, learner=bob, attempts=1)
    sat(bob, quiz, answers=WRONG)
    every(5, 0.5)
    with later(minutes=30):
        sat(bob, quiz)
        every(5, 0.5)
        assert not services.posted["1"]
        row_then = only_score()
        assert row_then.state == "pending"
        assert row_then.why
        assert Registration.objects.get().failure
    services.fails.clear()
    with later(minutes=60):
        every(10, 2)
    assert given(services) == [50]
    assert (only_score().state, only_score().why) == ("sent", "")
    assert not Registration.objects.get().failures


def test_one_address_that_is_down_costs_one_call_and_not_one_a_score(
    quiz: ProblemSet, course: Course, served: Context, services: Services
) -> None:
    services.fails["everything"] = Fails(503)
    for number in range(20):
        learner = person(course, f"learner-{number}").user
        member(served, learner, f"s{number}")
        sat(learner, quiz)
    before = services.called["POST scores"]
    sent()
    assert services.called["token"] + services.called["POST scores"] - before <= 1
    services.fails.clear()
    sent(minutes=10)
    assert len(services.posted["1"]) == 20


def test_a_score_that_a_platform_chokes_on_keeps_no_other_waiting(
    quiz: ProblemSet, course: Course, served: Context, services: Services, bob: User
) -> None:
    services.chokes_on = "7"
    sat(bob, quiz)
    sent()
    for number in range(3):
        learner = person(course, f"learner-{number}").user
        member(served, learner, f"s{number}")
        sat(learner, quiz)
    every(2, 0.5)
    assert sorted(one["userId"] for one in services.posted["1"]) == ["s0", "s1", "s2"]
    assert only_of("7").state == "pending"


def only_of(sub: str) -> LmsScore:
    """The row of one person."""
    return LmsScore.objects.get(platform_user__sub=sub)


STOPS = {
    "no such column": (404, "gone"),
    "not allowed": (403, "active"),
    "somebody who is not graded": (422, "active"),
    "somebody who is not enrolled": (400, "active"),
    "somewhere else": (302, "active"),
}


@pytest.mark.parametrize("row", STOPS)
def test_a10_and_a11_a_no_is_not_asked_for_again_and_is_told_who_teaches(
    row: str, quiz: ProblemSet, bob: User, services: Services
) -> None:
    status, state = STOPS[row]
    services.fails["POST scores"] = Fails(status)
    sat(bob, quiz)
    every(30, 6)
    assert services.called["POST scores"] == 1
    score = only_score()
    assert (score.state, score.last_status, score.due_at) == ("failed", status, None)
    assert str(status) in score.why
    assert LineItem.objects.get().state == state


def test_a10_with_401_there_is_one_new_token_and_then_a_no(quiz: ProblemSet, bob: User, services: Services) -> None:
    sat(bob, quiz, is_over=False)
    sent()
    services.tokens.clear()
    with later(minutes=5):
        resend_all()
        sent()
    assert only_score().state == "sent"
    with later(minutes=10):
        services.fails["POST scores"] = Fails(401)
        before = services.called["POST scores"], services.called["token"]
        LmsScore.objects.update(sent=None)
        resend_all()
        every(30, 3)
    assert (services.called["POST scores"], services.called["token"]) == (before[0] + 2, before[1] + 1)
    assert only_score().state == "failed"
    assert "401" in only_score().why


@pytest.mark.parametrize("kind", ["moodle", "open-edx"])
def test_a10_with_409_the_results_are_read_and_a_later_time_is_sent(
    kind: str, quiz: ProblemSet, bob: User, services: Services
) -> None:
    services.kind = kind
    # The clock of somebody else was half a minute ahead.
    services.last["1", "7"] = clock.now() + dt.timedelta(seconds=30)
    sat(bob, quiz)
    sent()
    assert only_score().state == "pending"
    assert "newer" in only_score().why
    every(0.5, 0.1)
    assert given(services) == [50]
    assert only_score().state == "sent"
    times = [dt.datetime.fromisoformat(one["timestamp"]) for one in (*services.refused, *services.posted["1"])]
    assert all(later_ - before >= dt.timedelta(seconds=1) for before, later_ in itertools.pairwise(times))


def test_a_409_about_what_arrived_already_is_the_end_of_it(quiz: ProblemSet, bob: User, services: Services) -> None:
    sat(bob, quiz)
    sent()
    # The answer was lost on the way: sent again, the platform has it already.
    services.fails["POST scores"] = Fails(409)
    with later(minutes=1):
        LmsScore.objects.update(sent=None, sent_version=0)
        resend_all()
        sent()
    assert (only_score().state, len(services.posted["1"])) == ("sent", 1)


def test_a12_a_score_by_hand_in_the_platform_is_told_beside_ours(
    quiz: ProblemSet, bob: User, services: Services
) -> None:
    services.columns["1"]["scoreMaximum"] = 20
    LineItem.objects.update(maximum=20)
    services.by_hand["1", "7"] = 3
    sat(bob, quiz)
    sent()
    row = score_rows(LineItem.objects.get())[0]
    assert (row.score.state, row.is_otherwise) == ("sent", True)
    assert row.score.shown == {"score": 3.0, "maximum": 20.0, "comment": ""}
    services.by_hand.clear()
    services.results["1", "7"]["resultScore"] = 10
    with later(minutes=1):
        assert outbox.read_again(LineItem.objects.get()) == 1
        sent()
    row = score_rows(LineItem.objects.get())[0]
    assert (row.is_otherwise, len(services.posted["1"])) == (False, 1)


@pytest.mark.parametrize(
    ("kind", "column_maximum"), [("moodle", 5), ("open-edx", 5), ("moodle", 33)]
)  # fmt: skip
def test_a9_what_a_platform_rescales_is_no_difference(
    kind: str, column_maximum: int, quiz: ProblemSet, bob: User, services: Services
) -> None:
    services.kind = kind
    services.columns["1"]["scoreMaximum"] = column_maximum
    sat(bob, quiz)
    sent()
    assert not score_rows(LineItem.objects.get())[0].is_otherwise


def test_a6_each_call_asks_for_the_one_scope_that_it_needs(quiz: ProblemSet, bob: User, services: Services) -> None:
    LineItem.objects.update(due_at=clock.now())
    sat(bob, quiz)
    sent()
    assert sorted(services.token_scopes) == sorted([kinds.LINE_ITEM_READ, kinds.SCORE, kinds.RESULT_READ])
    sent(minutes=5)
    assert len(services.token_scopes) == 3


def test_a6_a_launch_with_one_column_and_the_right_to_score_is_enough(
    quiz: ProblemSet, bob: User, served: Context, services: Services
) -> None:
    served.lineitems_url, served.scopes = "", [kinds.SCORE]
    served.save()
    services.granted = {kinds.SCORE}
    LineItem.objects.update(due_at=clock.now())
    sat(bob, quiz)
    sent()
    assert given(services) == [50]
    assert (only_score().state, only_score().read_at) == ("sent", None)


@pytest.mark.parametrize("granted_at", ["nowhere", "the launch alone"])
def test_a6_without_the_right_to_score_who_teaches_reads_what_to_switch_on(
    granted_at: str, quiz: ProblemSet, bob: User, served: Context, services: Services
) -> None:
    if granted_at == "nowhere":
        served.scopes = [kinds.LINE_ITEM_READ]
        served.save()
    services.granted = {kinds.LINE_ITEM_READ}
    sat(bob, quiz)
    every(30, 2)
    assert only_score().state == "failed"
    assert "does not let this tool" in only_score().why
    assert not services.called["POST scores"]


def test_a7_scores_and_results_stand_before_the_query_of_a_column(
    quiz: ProblemSet, bob: User, services: Services
) -> None:
    sat(bob, quiz)
    sent()
    asked = [address for what, address, _ in services.asked if what in ("POST scores", "GET results")]
    assert asked == ["/items/1/lineitem/scores?type_id=1", "/items/1/lineitem/results?type_id=1&user_id=7"]


def test_x14_two_clients_of_one_issuer_never_use_the_tokens_of_one_another(
    quiz: ProblemSet, bob: User, course: Course, served: Context, services: Services, platform: FakePlatform
) -> None:
    other = registered(platform, client_id="gym-2")
    second = connected(
        Context.objects.create(deployment=other.deployments.get(), context_id="course-1", course=course), services
    )
    services.add_column("2")
    column(second, quiz, services, "2")
    dora = person(course, "dora").user
    member(second, dora, "7")
    sat(bob, quiz)
    sat(dora, quiz, answers=WRONG)
    sent()
    assert [one["userId"] for one in services.posted["1"]] == ["7"]
    assert given(services, "1") != given(services, "2")
    bearers = {
        address.split("/")[2]: headers["Authorization"]
        for what, address, headers in services.asked
        if what == "POST scores"
    }
    assert "gym-2" in bearers["2"]
    assert "gym-2" not in bearers["1"]


def test_a_platform_that_takes_its_time_keeps_no_other_waiting(
    quiz: ProblemSet, bob: User, course: Course, served: Context, services: Services, platform: FakePlatform,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    others = [person(course, name).user for name in ("dora", "emil", "fred")]
    for number, other in enumerate(others):
        member(served, other, f"slow-{number}")
    swift = registered(platform, client_id="gym-2")
    second = connected(
        Context.objects.create(deployment=swift.deployments.get(), context_id="course-1", course=course), services
    )
    services.add_column("2")
    column(second, quiz, services, "2")
    gwen = person(course, "gwen").user
    member(second, gwen, "9")
    for learner in (bob, *others, gwen):
        sat(learner, quiz)
    ask = sending._posted

    def slowly(row: LmsScore, body: Any) -> Any:
        if row.platform_user.user_id != gwen.pk:
            time.sleep(sending.SLICE_SECONDS)
        return ask(row, body)

    monkeypatch.setattr(sending, "_posted", slowly)
    sent(3)
    assert [one["userId"] for one in services.posted["2"]] == ["9"]
    sent(10, minutes=1)
    assert len(services.posted["1"]) == 4


def test_what_moved_while_it_was_being_sent_is_sent_after_it(
    quiz: ProblemSet, bob: User, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    Extension.objects.create(problem_set=quiz, learner=bob, attempts=1)
    sat(bob, quiz, answers=WRONG)
    moved: list[Any] = []
    real = sending._posted

    def posted(row: LmsScore, body: Any) -> Any:
        answer = real(row, body)
        if not moved:
            moved.append(row)
            sat(bob, quiz)
        return answer

    monkeypatch.setattr(sending, "_posted", posted)
    sent()
    assert only_score().state == "pending"
    sent(minutes=1)
    assert given(services)[-1] == 50
    assert only_score().state == "sent"


def test_a_worker_that_was_killed_delays_a_score_and_no_more(quiz: ProblemSet, bob: User, services: Services) -> None:
    sat(bob, quiz)
    with later(seconds=5):
        assert sending._claimed() is not None
        assert sent(seconds=10) == 0
    assert sent(minutes=3) == 1
    assert given(services) == [50]
