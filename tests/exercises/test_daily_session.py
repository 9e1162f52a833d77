"""A day's session: composed once, begun once, and done by closing its steps."""

import datetime as dt
from typing import Any

import pytest
from django.http import Http404

from exercises import clock, queries
from exercises.actions import begin_item, compose_session, reveal_solution, send_answer, sync_catalogue
from exercises.models import DailySession, Mastery, Problem, SessionItem, StudyPlan, User, Variant
from exercises.refusals import Refused
from exercises.tasks import grade_pending
from tests.exercises.test_at_once import at_once

pytestmark = pytest.mark.usefixtures("servers", "published")

MONDAY = dt.datetime(2026, 11, 2, 9, tzinfo=dt.UTC)
#: Skills without prerequisites of their own to be held, so that a check of three can be mixed.
HELD = ("exp-log", "token-counting", "vocabulary-notation", "softmax", "neg-log", "masking-rate")


@pytest.fixture
def catalogue(db: None) -> None:
    assert not sync_catalogue().faults


def proficient(learner: User, since: dt.datetime, reviewed_on: dt.date) -> None:
    """As after many good steps: proficient at some skills since then, and their memory reviewed on a day."""
    for skill in HELD:
        Mastery.objects.create(
            learner=learner, skill=skill, mean=2.4, variance=0.6, weight=12, last_at=since, steps=12, failures=0,
            unaided_right=12, first_variant=1, has_second_variant=True, level="proficient", since=since,
            highest="proficient", highest_at=since, stability=10.0, difficulty=5.0, reviewed_on=reviewed_on, reviews=1,
        )  # fmt: skip


@pytest.mark.usefixtures("catalogue")
def test_a_beginner_gets_new_work_with_reasons(bob: User, django_assert_num_queries: Any) -> None:
    with clock.at(MONDAY):
        assert queries.session_of(bob) is None
        session = compose_session(learner=bob)
        with django_assert_num_queries(3):
            view = queries.session_of(bob)
    assert view is not None
    assert view.study_day == MONDAY.date()
    assert [item.position for item in view.items] == list(range(1, len(view.items) + 1))
    assert {(item.kind, item.state, item.variant) for item in view.items} == {("new", "todo", None)}
    assert all(item.reason and item.title for item in view.items)
    assert session.items.count() == len(view.items) == 2


@pytest.mark.usefixtures("catalogue")
def test_a_day_has_one_session_and_the_next_day_another(bob: User) -> None:
    StudyPlan.objects.create(learner=bob, time_zone="America/New_York")
    with clock.at(MONDAY):
        first = compose_session(learner=bob)
        assert compose_session(learner=bob) == first
    with clock.at(dt.datetime(2026, 11, 3, 8, 59, tzinfo=dt.UTC)):  # 03:59 there
        assert compose_session(learner=bob) == first
    with clock.at(dt.datetime(2026, 11, 3, 9, 0, tzinfo=dt.UTC)):
        second = compose_session(learner=bob)
    assert second != first
    assert [first.study_day, second.study_day] == [dt.date(2026, 11, 2), dt.date(2026, 11, 3)]


@pytest.mark.usefixtures("catalogue")
def test_an_exercise_is_begun_once_and_done_when_its_steps_are_closed(
    bob: User, charlie: User, django_assert_num_queries: Any
) -> None:
    with clock.at(MONDAY):
        compose_session(learner=bob)
        variant = begin_item(learner=bob, position=1)
        assert begin_item(learner=bob, position=1) == variant
        assert variant.is_check is False
        with django_assert_num_queries(4):
            view = queries.session_of(bob)
        assert view is not None
        assert (view.items[0].state, view.items[0].variant) == ("begun", variant.public_id)
        for stranger, position in ((bob, 99), (charlie, 1)):
            with pytest.raises(Http404):
                begin_item(learner=stranger, position=position)
        reveal_solution(variant=variant)
        view = queries.session_of(bob)
    assert view is not None
    assert [item.state for item in view.items] == ["done", "todo"]


@pytest.mark.usefixtures("catalogue")
def test_a_page_that_was_left_open_overnight_begins_nothing_of_another_day(bob: User) -> None:
    with clock.at(MONDAY):
        compose_session(learner=bob)
    with clock.at(MONDAY + dt.timedelta(days=1)):
        compose_session(learner=bob)
        with pytest.raises(Refused, match="belongs to another day"):
            begin_item(learner=bob, position=1, day=MONDAY.date())
        assert not Variant.objects.exists()
        assert begin_item(learner=bob, position=1, day=dt.date(2026, 11, 3))


@pytest.mark.usefixtures("catalogue")
def test_reviews_and_a_mixed_check_come_when_they_are_due(bob: User) -> None:
    proficient(bob, MONDAY, MONDAY.date())
    with clock.at(MONDAY + dt.timedelta(days=1)):
        compose_session(learner=bob)
        view = queries.session_of(bob)
        assert view is not None
        kinds = [item.kind for item in view.items]
        assert "check" in kinds
        assert "review" not in kinds
        check = next(item for item in view.items if item.kind == "check")
        assert begin_item(learner=bob, position=check.position).is_check
    with clock.at(MONDAY + dt.timedelta(days=20)):
        compose_session(learner=bob)
        view = queries.session_of(bob)
    assert view is not None
    assert [item.kind for item in view.items].count("review") == 3


@pytest.mark.usefixtures("catalogue")
def test_a_variant_that_waits_from_yesterday_is_not_handed_out_twice(bob: User) -> None:
    with clock.at(MONDAY):
        compose_session(learner=bob)
        first = begin_item(learner=bob, position=1)
    with clock.at(MONDAY + dt.timedelta(days=1)):
        compose_session(learner=bob)
        again = SessionItem.objects.get(session__study_day=dt.date(2026, 11, 3), position=1)
        assert again.problem == first.problem
        assert begin_item(learner=bob, position=1) != first


@pytest.mark.usefixtures("catalogue")
def test_what_is_composed_while_the_day_changes_belongs_to_the_day_it_began_in(
    bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    days: list[dt.date] = []

    def composed(*arguments: Any, today: dt.date, **more: Any) -> list[Any]:
        days.append(today)
        return []

    ticking = iter(dt.datetime(2026, 11, 3, 3, 59, 59, tzinfo=dt.UTC) + dt.timedelta(seconds=n) for n in range(99))
    monkeypatch.setattr("exercises.actions.session.compose", composed)
    monkeypatch.setattr("exercises.clock.now", lambda: next(ticking))
    session = compose_session(learner=bob)
    assert days == [session.study_day] == [dt.date(2026, 11, 2)]


@pytest.mark.usefixtures("catalogue")
def test_an_exercise_whose_problem_was_taken_out_is_no_dead_end(bob: User) -> None:
    with clock.at(MONDAY):
        compose_session(learner=bob)
        begun, *others = SessionItem.objects.order_by("position")
        begin_item(learner=bob, position=begun.position)
        Problem.objects.update(retired=True)
        view = queries.session_of(bob)
        assert view is not None
        # What was begun can be ended; the rest is nobody's task any more.
        assert [item.state for item in view.items] == ["begun", *["gone"] * len(others)]
        assert begin_item(learner=bob, position=begun.position).problem == begun.problem
        with pytest.raises(Refused, match="taken out of the exercises after this session was put together"):
            begin_item(learner=bob, position=others[0].position)


@pytest.mark.django_db(transaction=True)
def test_two_tabs_get_one_session_and_one_variant(request: pytest.FixtureRequest) -> None:
    request.getfixturevalue("catalogue")
    bob = User.objects.create_user("bob")
    sessions = at_once(8, lambda _: compose_session(learner=bob).pk)
    assert len(set(sessions)) == DailySession.objects.count() == 1
    variants = at_once(8, lambda _: begin_item(learner=bob, position=1).pk)
    assert len(set(variants)) == Variant.objects.count() == 1


def test_a_step_closed_in_a_check_says_so(bob: User, problem: Problem) -> None:
    with clock.at(MONDAY):
        session = DailySession.objects.create(learner=bob, study_day=MONDAY.date())
        session.items.create(position=1, kind="check", skill="softmax", reason="", problem=problem)
        variant = begin_item(learner=bob, position=1)
        send_answer(learner=bob, variant=variant, answers={"p": "0.1"}, checked=["p"])
        reveal_solution(variant=variant)
    grade_pending()
    assert set(variant.evidence.values_list("is_check", flat=True)) == {True}
