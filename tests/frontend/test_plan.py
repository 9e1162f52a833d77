"""The study plan: what is typed is kept, or refused in words and kept in the form."""

import datetime as dt

import pytest
from django.test import Client

from exercises import clock, queries
from exercises.models import StudyPlan, User
from frontend.plan_form import zone_groups
from tests.frontend.world import part, value_of, words

pytestmark = pytest.mark.usefixtures("servers", "bob")
PLAN = "/plan/"
GOOD = {"time_zone": "Europe/Berlin", "exam_on": "", "goal": "softmax", "new_cards_a_day": "5"}


def typed(**changed: str) -> dict[str, str]:
    return {**GOOD, **changed}


def in_days(days: int) -> str:
    return (clock.now().date() + dt.timedelta(days=days)).isoformat()


def test_somebody_without_a_plan_sees_what_holds_for_them(as_bob: Client) -> None:
    html = as_bob.get(PLAN).content.decode()
    assert '<option value="UTC" selected>' in html
    assert value_of(html, "new-cards") == "10"
    assert value_of(html, "exam-on") == ""
    assert not StudyPlan.objects.exists(), "looking keeps nothing"


def test_a_plan_is_kept_and_shown_again(as_bob: Client, bob: User) -> None:
    day = in_days(30)
    assert as_bob.post(PLAN, typed(exam_on=day))["Location"] == PLAN
    plan = queries.plan_of(bob)
    assert (plan.time_zone, plan.goal, plan.new_cards_a_day) == ("Europe/Berlin", "softmax", 5)
    html = as_bob.get(PLAN).content.decode()
    assert "Your study plan is kept." in words(html)
    assert '<option value="Europe/Berlin" selected>' in html
    assert '<option value="softmax" selected>' in html
    assert value_of(html, "exam-on") == day


def test_an_exam_can_be_taken_out_again(as_bob: Client, bob: User) -> None:
    as_bob.post(PLAN, typed(exam_on=in_days(30)))
    as_bob.post(PLAN, typed())
    assert queries.plan_of(bob).exam_on is None


@pytest.mark.parametrize(
    ("changed", "error", "said"),
    [
        ({"exam_on": "2020-01-01"}, "exam-on-error", "That day is over."),
        ({"exam_on": "14.2.2030"}, "exam-on-error", "Write the day as year-month-day"),
        ({"exam_on": "2030-02-31"}, "exam-on-error", "Write the day as year-month-day"),
        ({"time_zone": "Mars/Olympus"}, "time-zone-error", "Choose a time zone from the list"),
        ({"time_zone": ""}, "time-zone-error", "Choose a time zone from the list"),
        ({"time_zone": "../../etc/passwd"}, "time-zone-error", "Choose a time zone from the list"),
        ({"goal": "no-such-skill"}, "goal-error", "Choose a skill of the map"),
        ({"new_cards_a_day": "many"}, "new-cards-error", "Write a whole number"),
        ({"new_cards_a_day": "-3"}, "new-cards-error", "Write a whole number"),
        ({"new_cards_a_day": "9999"}, "new-cards-error", "Choose between 0 and"),
        ({"new_cards_a_day": "٣"}, "new-cards-error", "Write a whole number"),
    ],
)
def test_what_will_not_do_is_said_in_words_beside_its_box(
    as_bob: Client, changed: dict[str, str], error: str, said: str
) -> None:
    response = as_bob.post(PLAN, typed(**changed))
    assert response.status_code == 422
    html = response.content.decode()
    assert said in part(html, error)
    assert f"-help {error}" in html, "the box is tied to its error"
    assert not StudyPlan.objects.exists()
    assert value_of(html, "new-cards") == changed.get("new_cards_a_day", "5")
    assert value_of(html, "exam-on") == changed.get("exam_on", "")
    chosen = changed.get("time_zone", "Europe/Berlin")
    assert not chosen or f'<option value="{chosen}" selected>' in html


def test_a_plan_belongs_to_who_made_it(as_bob: Client, as_charlie: Client, bob: User, charlie: User) -> None:
    as_bob.post(PLAN, typed())
    assert as_charlie.post(PLAN, typed(learner=str(bob.pk), new_cards_a_day="7")).status_code == 403
    assert StudyPlan.objects.get().learner == bob
    assert queries.plan_of(charlie).new_cards_a_day == 10


def test_the_zones_are_places_by_continent_and_the_kept_one_is_among_them() -> None:
    groups = dict(zone_groups("UTC"))
    assert groups["World"] == [("UTC", "UTC")]
    assert ("America/Argentina/Buenos_Aires", "Argentina, Buenos Aires") in groups["America"]
    assert {"Europe/Berlin", "Asia/Kolkata"} <= {name for named in groups.values() for name, _ in named}
    assert not any(name.startswith(("Etc/", "posix/", "right/")) for named in groups.values() for name, _ in named)
    assert zone_groups("Etc/GMT+3")[0] == ("", [("Etc/GMT+3", "Etc/GMT+3")])
