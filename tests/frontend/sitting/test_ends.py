"""What the pages of an attempt say of its end, of what is late, and of what somebody might take for handed in."""

import datetime as dt
from fractions import Fraction

import pytest
from django.template.loader import render_to_string
from django.test import Client

from exercises import clock
from exercises.actions.sitting.hand_in import hand_in
from exercises.actions.sitting.refusals import AttemptOver
from exercises.models import Attempt, ProblemSet, User
from frontend.typeset import spoken
from tests.exercises.sitting.world import NOW, WRONG, check, graded, place, save
from tests.frontend.sitting.world import page, post
from tests.frontend.world import words

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("servers")]
HOUR = dt.timedelta(hours=1)


def read(client: Client, name: str, attempt: Attempt, position: int | None = None) -> str:
    response = client.get(page(name, attempt, position), follow=True)
    return words(response.content.decode())


def test_a_countdown_that_ran_out_too_early_leads_back(as_bob: Client, bob: User, examined: Attempt) -> None:
    Attempt.objects.update(ends_at=NOW + HOUR)
    sent = {"learner": bob.pk, "because": "time", "item": "2"}
    back = as_bob.post(page("attempt-hand-in", examined), sent)
    assert back["Location"] == page("attempt-item", examined, 2)
    assert "There is more time: this attempt ends on Mon 1 December 2025, 13:00 CET." in words(
        as_bob.get(back["Location"]).content.decode()
    )
    assert Attempt.objects.get().handed_in_at is None
    whole = as_bob.post(page("attempt-hand-in", examined), {**sent, "item": ""})
    assert whole["Location"] == page("attempt", examined)
    with clock.at(NOW + HOUR):
        done = as_bob.post(page("attempt-hand-in", examined), sent)
    assert done["Location"] == page("attempt-receipt", examined)


def test_every_open_page_asks_for_its_end_also_where_there_is_none(as_bob: Client, examined: Attempt) -> None:
    Attempt.objects.update(ends_at=None)
    for name, position in (("attempt-item", 1), ("attempt", None), ("attempt-hand-in", None)):
        html = as_bob.get(page(name, examined, position)).content.decode()
        assert f'data-clock="{page("attempt-clock", examined)}" hidden' in html
    assert as_bob.get(page("attempt-clock", examined)).json()["endsAt"] is None


def test_practice_has_no_hand_in(as_bob: Client, bob: User, practised: Attempt) -> None:
    address = page("attempt-hand-in", practised)
    assert as_bob.get(address).status_code == 404
    assert as_bob.post(address, {"learner": bob.pk}).status_code == 404
    assert Attempt.objects.get().handed_in_at is None


def test_what_is_set_aside_is_asked_about_before_handing_in(as_bob: Client, examined: Attempt) -> None:
    save(place(examined), 0, p="0.6")
    assert "set aside" not in read(as_bob, "attempt-hand-in", examined)
    save(place(examined), 0, p="0.5")
    assert "Something you typed is set aside" in read(as_bob, "attempt-hand-in", examined)
    assert "Look at item 1" in read(as_bob, "attempt-hand-in", examined)


def test_handing_in_while_signed_out_is_said_to_be_none(bob: User, examined: Attempt) -> None:
    client = Client()
    asked = client.post(page("attempt-hand-in", examined), {"learner": bob.pk})
    client.force_login(bob)
    back = asked["Location"].split("next=")[1].replace("%3F", "?").replace("%3D", "=")
    html = words(client.get(back).content.decode())
    assert "This was not handed in: you had been signed out" in html
    assert "Hand in now" in html
    assert "This was not handed in" not in read(client, "attempt-hand-in", examined)


def test_what_came_after_an_early_hand_in_names_that_moment(as_bob: Client, examined: Attempt) -> None:
    Attempt.objects.update(ends_at=NOW + HOUR)
    hand_in(attempt=examined)
    with clock.at(NOW + HOUR / 2):
        post(as_bob, "attempt-save", examined, p="0.665", based_on=0)
        assert "after Mon 1 December 2025, 12:00 CET" in read(as_bob, "attempt-receipt", examined)


def test_what_is_over_asks_nobody_to_work_it_out_again(as_bob: Client, quizzed: Attempt) -> None:
    check(place(quizzed), p="0.1", loss="9.99")
    graded()
    assert "work it out again" in read(as_bob, "attempt-item", quizzed, 1)
    hand_in(attempt=quizzed)
    told = read(as_bob, "attempt-item", quizzed, 1)
    assert "This is none of the mistakes known for this step." in told
    assert "work it out again" not in told


def test_a_set_that_closes_later_says_when_it_is_due(as_bob: Client, quiz: ProblemSet, quizzed: Attempt) -> None:
    assert "Due " not in read(as_bob, "attempt", quizzed)
    quiz.due_at = NOW + HOUR
    quiz.late = ["4/5"]
    quiz.save()
    for name, position in (("attempt", None), ("attempt-item", 1)):
        assert "Due Mon 1 December 2025, 13:00 CET" in read(as_bob, name, quizzed, position)


def test_late_work_is_told_what_it_can_still_earn(as_bob: Client, quiz: ProblemSet, quizzed: Attempt) -> None:
    quiz.due_at, quiz.late = NOW - HOUR, ["4/5"]
    quiz.save()
    html = read(as_bob, "attempt-item", quizzed, 1)
    assert "Check: try 1 of 2, worth 100 %, of which late work keeps 80 %" in html
    assert "It was due on Mon 1 December 2025, 11:00 CET" in html
    check(place(quizzed), **WRONG)
    graded()
    assert "of this item, after what late tries lose" in read(as_bob, "attempt-item", quizzed, 1)
    assert (Attempt.objects.get().items.get(position=1).score or 0) < Fraction(4, 5)


def test_moments_are_those_of_the_course(as_bob: Client, bob: User, quizzed: Attempt) -> None:
    check(place(quizzed), p="0.1", loss="9.99")
    graded()
    html = read(as_bob, "attempt-item", quizzed, 1)
    assert "Mon 1 December 2025, 12:00 CET · 0 %" in html
    as_bob.post(page("attempt-report", quizzed, 1), {"learner": bob.pk, "text": "It is wrong."})
    assert " CET" in read(as_bob, "attempt-report", quizzed, 1)


def test_a_refusal_shows_its_formulas(examined: Attempt) -> None:
    typed = [(r"What is $\hat p = P(\mathit{IsNext})$?", "0.665")]
    context = {"refused": AttemptOver("Too late."), "typed": typed, "attempt": examined, "item": place(examined)}
    html = render_to_string("frontend/sitting/refused.html", context)
    assert "<math" in html.split("<dt>What is")[1].split("</dt>")[0]
    assert "0.665" in html
    assert "mathit" not in spoken(typed[0][0])
