"""The session of the day: put together once, begun exercise by exercise, done when its steps are."""

import datetime as dt
import re

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from exercises import clock, queries
from exercises.actions import begin_item, compose_session, reveal_solution, sync_catalogue
from exercises.models import DailySession, Problem, ProblemVersion, SessionItem, StudyPlan, User, Variant
from tests.exercises.world import ALL_RIGHT, C1
from tests.frontend.test_pages import WHO
from tests.frontend.world import address, drawn, part, send, words

pytestmark = pytest.mark.usefixtures("servers", "db")
TODAY = "/today/"


@pytest.fixture
def catalogue_of_all(db: None) -> None:
    """All problems there are, so that somebody new has something to begin with."""
    assert not sync_catalogue().faults


@pytest.fixture
def session(bob: User, variant: Variant) -> DailySession:
    """Bob's session of today: a review, new work and a check, made by hand."""
    made = DailySession.objects.create(learner=bob, study_day=queries.study_day_of(queries.plan_of(bob)))
    slugs = {"review": "masked", "new": "claims", "check": "masked"}
    for position, (kind, slug) in enumerate(slugs.items(), start=1):
        SessionItem.objects.create(
            session=made,
            position=position,
            kind=kind,
            skill="softmax",
            problem=Problem.objects.get(slug=slug),
            reason=f"The reason of the {kind}.",
        )
    return made


def begun(client: Client, position: int) -> str:
    """Where the button of an exercise leads."""
    response = client.post(reverse("frontend:begin", args=[position]))
    assert response.status_code == 302
    return str(response["Location"])


@pytest.mark.usefixtures("catalogue_of_all")
def test_the_session_is_put_together_by_one_button_once_a_day(as_charlie: Client, charlie: User) -> None:
    assert "Begin today’s session" in words(as_charlie.get(TODAY).content.decode())
    assert not DailySession.objects.exists(), "looking changes nothing"
    for _ in range(2):
        assert as_charlie.post(TODAY)["Location"] == TODAY
    assert DailySession.objects.get().learner == charlie
    told = words(as_charlie.get(TODAY).content.decode())
    assert "New work" in told
    assert "New for you:" in told
    assert re.search(r"0 of \d done", told)


def test_with_nothing_to_do_it_says_so(as_bob: Client, bob: User) -> None:
    as_bob.post(TODAY)
    assert "Nothing is due today, and nothing new is open." in words(as_bob.get(TODAY).content.decode())


def test_each_exercise_has_its_reason_its_state_and_its_button(as_bob: Client, session: DailySession) -> None:
    html = as_bob.get(TODAY).content.decode()
    told = words(html)
    for kind in ("review", "new", "check"):
        assert f"The reason of the {kind}." in told
    assert "Who shows a skill again here has mastered it" in told
    assert told.count("to do") == 3
    assert html.count('class="button button-main"') == 1, "one button is the next one"
    assert "0 of 3 done" in part(html, "session-state")


@pytest.mark.usefixtures("quick_worker")
def test_an_exercise_is_drawn_once_and_done_when_its_steps_are(as_bob: Client, session: DailySession) -> None:
    where = begun(as_bob, 1)
    variant = Variant.objects.get(session_item__position=1)
    assert begun(as_bob, 1) == where == address("variant", variant)
    # The first worked example, with every step asked.
    variant.parameters, variant.asked = C1, None
    variant.save()
    html = as_bob.get(TODAY).content.decode()
    assert "begun" in words(html)
    assert "Go on : Loss at one masked token" in words(html)
    done = part(send(as_bob, variant, **ALL_RIGHT).content.decode(), "done")
    assert "On with today’s session" in done
    html = as_bob.get(TODAY).content.decode()
    assert "1 of 3 done" in part(html, "session-state")
    assert "Look at it : Loss at one masked token" in words(html)


@pytest.mark.usefixtures("quick_worker")
def test_what_is_no_part_of_a_session_leads_back_to_none(as_bob: Client, variant: Variant) -> None:
    assert "On with today’s session" not in send(as_bob, variant, **ALL_RIGHT).content.decode()


def test_the_check_is_another_variant_than_the_review(as_bob: Client, session: DailySession) -> None:
    assert begun(as_bob, 1) != begun(as_bob, 3)
    assert Variant.objects.get(session_item__position=3).is_check


def test_a_finished_session_says_so(as_bob: Client, bob: User, session: DailySession) -> None:
    for position in (1, 2, 3):
        reveal_solution(variant=begin_item(learner=bob, position=position))
    told = words(as_bob.get(TODAY).content.decode())
    assert "Done for today." in told
    assert "3 of 3 done" in told
    strip = words(as_bob.get("/").content.decode())
    assert "Done: all 3." in strip


def test_an_exercise_that_was_taken_out_since_is_told_and_the_day_can_be_finished(
    as_bob: Client, bob: User, session: DailySession
) -> None:
    Problem.objects.filter(slug="claims").update(retired=True)
    html = as_bob.get(TODAY).content.decode()
    assert "What softmax does taken out It is no exercise any more." in words(html)
    assert "0 of 2 done" in part(html, "session-state")
    assert reverse("frontend:begin", args=[2]) not in html
    response = as_bob.post(reverse("frontend:begin", args=[2]), follow=True)
    assert response.redirect_chain == [(TODAY, 302)]
    assert "“What softmax does” was taken out of the exercises" in words(response.content.decode())
    for position in (1, 3):
        reveal_solution(variant=begin_item(learner=bob, position=position))
    html = as_bob.get(TODAY).content.decode()
    assert "Done for today." in words(html)
    assert "2 of 2 done" in part(html, "session-state")
    assert "Done: all 2." in words(as_bob.get("/").content.decode())


def test_whatever_is_refused_when_an_exercise_is_begun_is_told_on_the_page_of_the_day(
    as_bob: Client, session: DailySession
) -> None:
    ProblemVersion.objects.update(source="title: [")
    response = as_bob.post(reverse("frontend:begin", args=[1]), follow=True)
    assert response.redirect_chain == [(TODAY, 302)]
    assert "has a fault" in words(response.content.decode())


def test_the_practice_page_leads_to_the_session(as_bob: Client, session: DailySession) -> None:
    strip = words(as_bob.get("/").content.decode())
    assert "0 of 3 done." in strip
    assert "Begin with today’s session" in strip


def test_nobody_begins_somebody_elses_session(
    as_bob: Client, as_charlie: Client, as_alice: Client, session: DailySession
) -> None:
    for stranger in (as_charlie, as_alice):
        assert stranger.post(reverse("frontend:begin", args=[1])).status_code == 404
        assert "The reason of" not in stranger.get(TODAY).content.decode()
    assert as_bob.post(reverse("frontend:begin", args=[9])).status_code == 404
    assert not SessionItem.objects.exclude(variant=None).exists()


def test_a_session_ends_with_its_day_at_four_where_the_learner_is(
    as_bob: Client, bob: User, session: DailySession
) -> None:
    StudyPlan.objects.create(learner=bob, time_zone="Asia/Tokyo")
    day = dt.datetime(2026, 5, 3, 18, 30, tzinfo=dt.UTC)  # 03:30 on the 4th in Tokyo: still the 3rd
    with clock.at(day):
        compose_session(learner=bob)
        assert "Begin today’s session" not in words(as_bob.get(TODAY).content.decode())
    with clock.at(day + dt.timedelta(hours=1)):
        assert "Begin today’s session" in words(as_bob.get(TODAY).content.decode())


@pytest.mark.parametrize("items", [1, 8])
def test_the_session_asks_the_database_a_fixed_number_of_times(
    as_bob: Client,
    bob: User,
    session: DailySession,
    items: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    first = session.items.get(position=1)
    first.variant = drawn(bob)
    first.save()
    for position in range(4, 3 + items):
        SessionItem.objects.create(
            session=session, position=position, kind="new", skill="softmax", problem=first.problem, reason="More."
        )
    total = session.items.count()
    with django_assert_num_queries(WHO + 9):
        html = as_bob.get(TODAY).content.decode()
    assert f"0 of {total} done" in part(html, "session-state")
    assert words(html).count("to do") == total - 1, "one is begun"
    assert words(html).count("More.") == max(items - 1, 0)
    with django_assert_num_queries(WHO + 12):
        home = as_bob.get("/").content.decode()
    assert f"0 of {total} done." in words(home)


def test_the_cards_of_the_day_are_one_line_with_a_link(as_bob: Client, session: DailySession) -> None:
    html = as_bob.get(TODAY).content.decode()
    assert "Nothing is due today. All decks" in words(html)
    assert f'href="{reverse("frontend:cards")}"' in html


def test_a_page_left_open_over_night_begins_nothing_of_the_new_day(
    as_bob: Client, bob: User, session: DailySession
) -> None:
    html = as_bob.get(TODAY).content.decode()
    shown = re.search(r'name="day" value="([\d-]+)"', html)
    assert shown is not None
    assert shown[1] == session.study_day.isoformat()
    drawn_before = Variant.objects.filter(learner=bob).count()
    stale = {"day": (session.study_day - dt.timedelta(days=1)).isoformat()}
    told = as_bob.post(reverse("frontend:begin", args=[1]), stale, follow=True).content.decode()
    assert "belongs to another day" in told
    assert Variant.objects.filter(learner=bob).count() == drawn_before
    as_bob.post(reverse("frontend:begin", args=[1]), {"day": shown[1]})
    assert SessionItem.objects.get(session=session, position=1).variant is not None
