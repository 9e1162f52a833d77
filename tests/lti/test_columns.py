"""Rows G1, A8 and A9: columns are made once, found again, followed when they change, and missed when they are gone."""

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from exercises import clock
from exercises.actions.lms import columns
from exercises.actions.lms.columns import ask_for_column, ask_for_item_columns, look_at_all, make_again
from exercises.actions.lms.places import choose_set, disconnect_context
from exercises.actions.lms.refusals import ConnectionRefused
from exercises.actions.lms.service_client import Denied
from exercises.lti import services as kinds
from exercises.models import Context, Course, LineItem, Membership, ProblemSet, Registration, ResourceLink, User
from tests.exercises.courses.world import problem_set
from tests.exercises.sitting.world import synced
from tests.lti.platform import LEARNER, FakePlatform, arrived, launch, registered
from tests.lti.scoring import column, later, only_score, sat, sent
from tests.lti.services import ALL, Fails, Services, connected

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("servers", "published", "noon")]


@pytest.fixture
def quiz(course: Course, served: Context) -> ProblemSet:
    return problem_set(course, "quiz", *synced())


def test_g1_the_tool_makes_its_own_column_and_scores_in_it(
    quiz: ProblemSet, served: Context, alice: User, bob: User, services: Services
) -> None:
    services.columns.clear()
    link = ResourceLink.objects.create(context=served, link_id="link-1", title="Week 1")
    choose_set(actor=alice, link=link, problem_set=quiz)
    sat(bob, quiz)
    sent()
    made = services.columns["1"]
    assert (made["label"], made["scoreMaximum"], made["tag"]) == ("A quiz", 2, "score")
    assert (made["resourceId"], made["resourceLinkId"]) == (str(quiz.public_id), "link-1")
    assert [one["scoreGiven"] for one in services.posted["1"]] == [1]
    assert (LineItem.objects.get().state, only_score().state) == ("active", "sent")


def test_a9_a_column_whose_making_was_not_answered_is_found_and_not_made_twice(
    quiz: ProblemSet, served: Context, alice: User, services: Services
) -> None:
    ask_for_column(actor=alice, context=served, problem_set=quiz)
    ask_for_column(actor=alice, context=served, problem_set=quiz)
    sent()
    LineItem.objects.update(state="wanted", url="", due_at=clock.now())
    sent(minutes=5)
    assert services.called["POST /items"] == 1
    assert len(services.columns) == 2
    assert LineItem.objects.get().url == services.columns["2"]["id"]


@pytest.mark.parametrize(
    "link",
    [
        '<{}>; rel="next"',
        "<{}>; rel=next",
        "<{}>; rel=“next”",
        '<{}>; REL = "Next"; title="x"',
        "<x>; rel=prev, <{}>; rel=“next”",
    ],
)
def test_a8_a_column_on_the_third_page_is_found_however_the_link_is_written(
    link: str, quiz: ProblemSet, served: Context, alice: User, services: Services
) -> None:
    services.page = 2
    services.link = link
    for number in range(2, 5):
        services.add_column(str(number))
    services.add_column("5", resourceId=str(quiz.public_id), tag="score", scoreMaximum=9)
    ask_for_column(actor=alice, context=served, problem_set=quiz)
    sent()
    assert not services.called["POST /items"]
    found = LineItem.objects.get()
    assert (found.url, found.maximum) == (services.columns["5"]["id"], 9)


def test_a8_ampersands_that_were_escaped_are_read(
    quiz: ProblemSet, served: Context, alice: User, services: Services
) -> None:
    services.page = 1
    real = services.link
    services.add_column("2", resourceId=str(quiz.public_id), tag="score")

    class Escaped(str):
        def format(self, *args: Any, **_: Any) -> str:
            return real.format(str(args[0]).replace("&", "&amp;"))

    services.link = Escaped(real)
    ask_for_column(actor=alice, context=served, problem_set=quiz)
    sent()
    assert LineItem.objects.get().url == services.columns["2"]["id"]


def test_a8_a_page_that_leads_to_itself_is_the_last(
    quiz: ProblemSet, served: Context, alice: User, services: Services
) -> None:
    services.page, services.link = 0, f'<{served.lineitems_url}>; rel="next"'
    ask_for_column(actor=alice, context=served, problem_set=quiz)
    sent()
    assert services.called["GET /items"] <= 2
    assert services.called["POST /items"] == 1


def test_a8_no_second_column_is_made_where_the_list_goes_on_at_another_host(
    quiz: ProblemSet, served: Context, alice: User, services: Services
) -> None:
    services.page, services.link = 0, '<https://elsewhere.example/items>; rel="next"'
    ask_for_column(actor=alice, context=served, problem_set=quiz)
    sent()
    assert (services.called["GET /items"], services.called["POST /items"]) == (1, 0)
    found = LineItem.objects.get()
    assert (found.state, "elsewhere.example" in found.why) == ("refused", True)


def test_a_platform_whose_columns_take_their_time_keeps_no_other_waiting(
    quiz: ProblemSet, course: Course, served: Context, alice: User, services: Services, platform: FakePlatform,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    for title in ("one", "two", "three"):
        ask_for_column(
            actor=alice, context=served, problem_set=problem_set(course, "quiz", *synced(), title=f"Slow {title}")
        )
    swift = registered(platform, client_id="gym-2")
    second = connected(
        Context.objects.create(deployment=swift.deployments.get(), context_id="course-1", course=course), services
    )
    ask_for_column(actor=alice, context=second, problem_set=quiz)
    # Every call takes longer than its share, and the clock stands still.
    real, taken = columns._found, list[str]()

    def noted(one: LineItem) -> Any:
        taken.append(one.label)
        return real(one)

    monkeypatch.setattr(columns, "SLICE_SECONDS", 0)
    monkeypatch.setattr(columns, "_found", noted)
    with later(seconds=5):
        columns.tend_columns(30)
    assert taken == ["Slow one", "A quiz"]
    monkeypatch.undo()
    sent(20, minutes=1)
    assert not LineItem.objects.exclude(state="active").exists()


def test_a9_a_column_that_was_renamed_and_counts_to_something_else_is_followed(
    quiz: ProblemSet, served: Context, bob: User, services: Services
) -> None:
    column(served, quiz, services)
    sat(bob, quiz)
    sent()
    services.columns["1"] |= {"label": "Week one", "scoreMaximum": 8}
    look_at_all()
    with later(hours=1):
        sent()
        sent(minutes=1)
    found = LineItem.objects.get()
    assert (found.label, found.maximum) == ("Week one", 8)
    assert [(one["scoreGiven"], one["scoreMaximum"]) for one in services.posted["1"]] == [(50, 100), (4, 8)]


def test_a9_a_column_that_was_deleted_is_told_and_made_again_when_somebody_says_so(
    quiz: ProblemSet, served: Context, alice: User, bob: User, services: Services
) -> None:
    services.columns.clear()
    ask_for_column(actor=alice, context=served, problem_set=quiz)
    sat(bob, quiz)
    sent()
    services.columns.clear()
    look_at_all()
    sent(minutes=5)
    found = LineItem.objects.get()
    assert (found.state, "deleted" in found.why) == ("gone", True)
    services.posted.clear()
    with later(minutes=10):
        make_again(found)
        sent()
    assert LineItem.objects.get().state == "active"
    assert [one["scoreGiven"] for one in services.posted["1"]] == [1]


def test_a_column_of_a_link_is_taken_up_again_once_the_platform_names_it_again(
    client: Client, quiz: ProblemSet, served: Context, registration: Registration, bob: User, services: Services
) -> None:
    said = {"scope": list(ALL), "lineitem": services.columns["1"]["id"], "lineitems": services.url("/items")}
    made = column(served, quiz, services)
    ResourceLink.objects.create(context=served, link_id="link-1", problem_set=quiz)
    LineItem.objects.update(state="gone", why="gone")
    sat(bob, quiz)
    sent()
    assert not services.posted["1"]
    with clock.at(timezone.now()):  # launches go by the real time
        arrived(client, launch(client, registration, sub="7", roles=[LEARNER], endpoint=said))
        sent()
    made.refresh_from_db()
    assert (made.state, made.why) == ("active", "")
    assert len(services.posted["1"]) == 1


def test_the_first_launch_brings_the_column_of_its_link_and_what_was_done_before_follows(
    client: Client, quiz: ProblemSet, served: Context, registration: Registration, bob: User, services: Services
) -> None:
    sat(bob, quiz)
    ResourceLink.objects.create(context=served, link_id="link-1", problem_set=quiz)
    said = {"scope": [kinds.SCORE], "lineitem": services.columns["1"]["id"]}
    with clock.at(timezone.now()):  # launches go by the real time
        arrived(client, launch(client, registration, sub="7", roles=[LEARNER], endpoint=said))
        sent()
    assert [one["userId"] for one in services.posted["1"]] == ["7"]
    assert LineItem.objects.get().is_coupled


def test_what_moved_while_somebody_was_dropped_is_sent_when_they_launch_again(
    client: Client, quiz: ProblemSet, served: Context, registration: Registration, bob: User, services: Services
) -> None:
    column(served, quiz, services)
    sat(bob, quiz)
    Membership.objects.update(status="inactive")
    sent()
    assert not services.posted["1"]
    with clock.at(timezone.now()):
        arrived(client, launch(client, registration, sub="7", roles=[LEARNER]))
        sent()
    assert [one["userId"] for one in services.posted["1"]] == ["7"]


def test_without_the_right_to_make_columns_who_teaches_is_told(
    quiz: ProblemSet, served: Context, alice: User, services: Services
) -> None:
    served.scopes = [kinds.SCORE]
    with pytest.raises(ConnectionRefused, match="manage columns"):
        ask_for_column(actor=alice, context=served, problem_set=quiz)
    served.scopes = list(ALL)
    services.granted = {kinds.SCORE}
    ask_for_column(actor=alice, context=served, problem_set=quiz)
    sent()
    assert (LineItem.objects.get().state, "lineitem" in LineItem.objects.get().why) == ("refused", True)


def test_a_no_of_the_platform_is_not_written_over_what_was_asked_for_meanwhile(
    quiz: ProblemSet, served: Context, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = columns._made

    def refused_meanwhile(column: LineItem) -> Any:
        monkeypatch.setattr(columns, "_made", usual)
        make_again(LineItem.objects.get())
        raise Denied("The platform says no.")

    monkeypatch.setattr(columns, "_made", refused_meanwhile)
    ask_for_column(actor=alice, context=served, problem_set=quiz)
    sent(minutes=1)
    assert LineItem.objects.get().state == "active"


def test_a_platform_that_is_down_gets_its_column_later(
    quiz: ProblemSet, served: Context, alice: User, services: Services
) -> None:
    services.fails["POST /items"] = Fails(503)
    ask_for_column(actor=alice, context=served, problem_set=quiz)
    sent()
    assert LineItem.objects.get().state == "wanted"
    services.fails.clear()
    sent(minutes=20)
    assert LineItem.objects.get().state == "active"
    assert not Registration.objects.get().failures


def test_each_item_may_have_a_column_of_its_own(
    quiz: ProblemSet, served: Context, alice: User, bob: User, services: Services
) -> None:
    whole = ask_for_column(actor=alice, context=served, problem_set=quiz)
    assert ask_for_item_columns(actor=alice, column=whole) == 2
    sat(bob, quiz)
    sent(20)
    told = {services.columns[name]["label"]: scores[-1]["scoreGiven"] for name, scores in services.posted.items()}
    assert told == {"A quiz": 1, "A quiz: Loss at one masked token": 1, "A quiz: How many are masked": 0}


def test_a_course_that_was_disconnected_is_told_nothing_more(
    quiz: ProblemSet, served: Context, alice: User, bob: User, services: Services
) -> None:
    column(served, quiz, services)
    disconnect_context(actor=alice, context=served)
    sat(bob, quiz)
    sent()
    assert not services.called["POST scores"]
    assert columns.tend_columns(1) == 0


def test_a_link_that_opens_another_set_now_has_its_column_follow(
    quiz: ProblemSet, course: Course, served: Context, alice: User, bob: User, services: Services
) -> None:
    link = ResourceLink.objects.create(context=served, link_id="link-1", lineitem_url=services.columns["1"]["id"])
    choose_set(actor=alice, link=link, problem_set=quiz)
    sat(bob, quiz)
    sent()
    other = problem_set(course, "quiz", *synced(), title="Another")
    with later(minutes=5):
        choose_set(actor=alice, link=link, problem_set=other)
        sent()
    assert [one.get("scoreGiven") for one in services.posted["1"]] == [50, None]
    assert ("1", "7") not in services.results
