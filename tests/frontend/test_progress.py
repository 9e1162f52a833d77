"""The pages of progress: what a verdict changes on them, whose they are, and how often they ask the database."""

import datetime as dt
import re

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from exercises import catalogue, clock, queries
from exercises.mastery.states import Level
from exercises.models import Evidence, Mastery, StudyPlan, User, Variant
from exercises.queries.mastery import MOST_POINTS
from tests.exercises.world import ALL_RIGHT
from tests.frontend.test_pages import WHO
from tests.frontend.world import address, part, send, words

pytestmark = pytest.mark.usefixtures("servers", "variant")
PROGRESS = "/progress/"
NOON = dt.datetime(2026, 5, 3, 12, tzinfo=dt.UTC)


def skill_page(skill: str = "softmax") -> str:
    return reverse("frontend:skill", args=[skill])


def shown(client: Client, page: str = PROGRESS) -> str:
    return words(client.get(page).content.decode())


def held(learner: User, skill: str, **columns: object) -> Mastery:
    """A row of the table of mastery: proficient since noon."""
    values: dict[str, object] = {
        "mean": 2.0,
        "variance": 0.2,
        "weight": 9.0,
        "last_at": NOON,
        "steps": 9,
        "failures": 0,
        "unaided_right": 9,
        "has_second_variant": True,
        "level": "proficient",
        "since": NOON,
        "highest": "proficient",
        "highest_at": NOON,
        "stability": 10.0,
        "difficulty": 5.0,
        "reviewed_on": NOON.date(),
        "reviews": 1,
    }
    return Mastery.objects.create(learner=learner, skill=skill, **{**values, **columns})


def evidence(variant: Variant, count: int) -> None:
    """So many closed steps about softmax, some of them with a named mistake."""
    Evidence.objects.bulk_create(
        Evidence(
            learner=variant.learner,
            problem=variant.problem,
            variant=variant,
            step=f"s{place}",
            reason="right" if place % 3 else "tries",
            skill="softmax",
            closed_at=clock.now() - dt.timedelta(minutes=count - place),
            study_day=clock.now().date() - dt.timedelta(days=place % 100),
            correctness=1.0,
            tries=1,
            hints=0,
            e=1.0 if place % 3 else 0.0,
            w=1.0,
            b=0.0,
            g=0.0,
            predicted=0.5,
            is_first=True,
            is_check=place % 50 == 0,
            notes=[] if place % 3 else ["p.no-exp"],
            model_version="1",
        )
        for place in range(count)
    )


@pytest.mark.usefixtures("quick_worker")
def test_a_verdict_shows_on_every_page_of_progress(as_bob: Client, variant: Variant) -> None:
    assert "Nothing was answered yet." in shown(as_bob)
    assert "No step of this skill was closed yet" in shown(as_bob, skill_page())
    send(as_bob, variant, check="p", p="0.665")
    html = as_bob.get(PROGRESS).content.decode()
    assert 'aria-label="Softmax, learning,' in html
    assert 'aria-label="Softmax, learning,' in as_bob.get("/").content.decode()
    assert "Learning since" in words(html)
    assert "Something was done on 1 day: 1 in all" in words(html)
    own = as_bob.get(skill_page()).content.decode()
    assert "1 step from" in own
    assert "Loss at one masked token, p" in words(own)


@pytest.mark.usefixtures("quick_worker")
def test_what_is_sent_twice_or_cannot_be_read_changes_nothing(as_bob: Client, variant: Variant) -> None:
    send(as_bob, variant, check="p", p="0.665")
    before = queries.standings([variant.learner])[variant.learner_id]["softmax"].mean
    for typed in ("0.665", "0.6650", "log(2)", ""):
        send(as_bob, variant, check="p", p=typed)
    assert queries.standings([variant.learner])[variant.learner_id]["softmax"].mean == pytest.approx(before)
    assert Evidence.objects.count() == 1


@pytest.mark.usefixtures("quick_worker")
def test_a_named_mistake_is_listed_with_what_to_practise(as_bob: Client, variant: Variant) -> None:
    send(as_bob, variant, check="p", p="0.6667")
    send(as_bob, variant, check="p", p="0.665")
    html = as_bob.get(PROGRESS).content.decode()
    assert "Suspected once; last on" in words(html)
    assert "Softmax normalises exponentials, not the raw logits." in words(html)
    assert f'href="{reverse("frontend:problem", args=["masked"])}">Practise: Loss at one masked token' in html


@pytest.mark.usefixtures("quick_worker")
def test_nothing_of_bobs_progress_is_charlies_or_alices(
    as_bob: Client, as_charlie: Client, as_alice: Client, variant: Variant
) -> None:
    send(as_bob, variant, check="p", p="0.6667")
    send(as_bob, variant, check="p", p="0.665")
    for stranger in (as_charlie, as_alice):
        for page in (PROGRESS, skill_page()):
            told = shown(stranger, page)
            assert "Learning since" not in told
            assert "Softmax normalises" not in told
        assert "Nothing was answered yet." in shown(stranger)


def test_an_unknown_skill_has_no_page(as_bob: Client) -> None:
    response = as_bob.get("/progress/no-such-skill/")
    assert response.status_code == 404
    told = words(response.content.decode())
    assert "There is nothing here Either the address is wrong, or what was here belongs to someone else." in told
    assert "no-such-skill" not in told


def test_once_mastered_then_failed_is_told_as_that(as_bob: Client, bob: User) -> None:
    long_ago = clock.now() - dt.timedelta(days=90)
    held(bob, "softmax", highest="mastered", since=NOON, highest_at=NOON, last_at=long_ago)
    html = as_bob.get(PROGRESS).content.decode()
    assert re.search(r"Mastered on 3 May( 2026)?, review due", words(html))
    assert 'aria-label="Softmax, proficient, review due,' in html
    assert "Due for review: Softmax . Today’s session brings it back." in words(html)


def test_the_numbers_of_every_page_are_those_of_the_one_selector(as_bob: Client, bob: User) -> None:
    held(bob, "softmax", last_at=clock.now())
    standing = queries.standings([bob])[bob.pk]["softmax"]
    chance = f"{standing.chance:.0%}"
    for page in (PROGRESS, skill_page()):
        told = shown(as_bob, page)
        assert chance in told
        assert "Proficient" in told
    assert 'aria-label="Softmax, proficient' in as_bob.get("/").content.decode()
    assert "Proficient" in part(as_bob.get("/").content.decode(), "skill-softmax")


@pytest.mark.parametrize(("mean", "variance"), [(4.0, 1e-6), (-4.0, 1e-6), (4.0, 1.0)])
def test_everything_right_or_wrong_gives_numbers(as_bob: Client, bob: User, mean: float, variance: float) -> None:
    for skill in catalogue.skills():
        held(bob, skill.id, mean=mean, variance=variance)
    for page in ("/", PROGRESS, skill_page(), "/today/"):
        html = as_bob.get(page).content.decode()
        assert not re.search(r"\bnan\b|\bNone\b|\binf\b", words(html) + " ".join(re.findall(r'="([^"]*)"', html)))


def test_the_days_of_a_learner_are_those_of_their_zone(as_bob: Client, bob: User) -> None:
    StudyPlan.objects.create(learner=bob, time_zone="Pacific/Auckland", exam_on=dt.date(2030, 2, 14))
    told = shown(as_bob)
    assert "Your days begin at 04:00, Pacific/Auckland." in told
    assert "Exam on 14 February 2030." in told


@pytest.mark.parametrize(("skills", "rows"), [(1, 10), (40, 10_000)])
def test_pages_of_progress_ask_the_database_a_fixed_number_of_times(
    as_bob: Client,
    variant: Variant,
    skills: int,
    rows: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    known = [skill.id for skill in catalogue.skills()]
    for skill in [*known, *(f"of-old-{place}" for place in range(40))][:skills]:
        held(variant.learner, skill)
    evidence(variant, rows)
    with django_assert_num_queries(WHO + 11):
        overview = as_bob.get(PROGRESS).content.decode()
    with django_assert_num_queries(WHO + 9):
        own = as_bob.get(skill_page()).content.decode()
    with django_assert_num_queries(WHO + 10):
        home = as_bob.get("/").content.decode()
    levels = [queries.standings([variant.learner])[variant.learner_id][skill].level for skill in known]
    proficient = levels.count(Level.PROFICIENT)
    assert proficient == min(skills, len(known))
    assert f"{proficient} Proficient" in words(overview)
    assert "Softmax normalises exponentials" in words(overview)
    assert f"{min(rows, MOST_POINTS)} steps from" in own
    for html in (overview, home):
        assert html.count(", proficient, review due,") == proficient, "each box of the map says it"


def test_a_chart_of_ten_thousand_rows_stays_a_page(as_bob: Client, variant: Variant) -> None:
    evidence(variant, 10_000)
    html = as_bob.get(skill_page()).content.decode()
    assert "500 steps from" in html
    assert len(html) < 150_000


def test_the_pages_of_progress_carry_no_style_of_their_own(as_bob: Client, variant: Variant) -> None:
    evidence(variant, 30)
    for page in (PROGRESS, skill_page(), "/today/", "/plan/"):
        response = as_bob.get(page)
        html = response.content.decode()
        assert not re.search(r"<[^>]+\sstyle=", html)
        assert not re.search(r"<[^>]+\son\w+=", html)
        assert "no-store" in response["Cache-Control"]


@pytest.mark.usefixtures("quick_worker")
def test_a_level_that_rose_is_told_where_the_work_is_done(
    as_bob: Client, variant: Variant, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    html = send(as_bob, variant, **ALL_RIGHT).content.decode()
    done = part(html, "done")
    assert "Softmax : learning · Cross-entropy : learning" in done
    assert "Softmax: learning. Cross-entropy: learning." in part(html, "announcer")
    assert f'href="{skill_page()}"' in html
    with django_assert_num_queries(WHO + 9):
        again = as_bob.get(address("variant", variant)).content.decode()
    assert "Softmax : learning" in part(again, "done")


@pytest.mark.usefixtures("quick_worker")
def test_a_level_that_was_held_before_is_not_told_again(as_bob: Client, variant: Variant) -> None:
    for skill in catalogue.skills():
        held(variant.learner, skill.id)
    assert 'class="risen"' not in send(as_bob, variant, **ALL_RIGHT).content.decode()


def test_the_page_of_a_skill_names_what_trains_it_and_its_neighbours(as_bob: Client) -> None:
    told = shown(as_bob, skill_page())
    assert "Builds on Exponentials and logarithms" in told
    assert "Opens Argmax" in told
    assert "Loss at one masked token" in told
    assert "What softmax does" in told
