"""The pages of an attempt: what each shows, and where each button leads."""

import datetime as dt

import pytest
from django.test import Client
from django.urls import reverse

from exercises import clock, limits
from exercises.actions.sitting.hand_in import hand_in, hand_in_overdue
from exercises.models import Attempt, AttemptItem, Extension, FaultReport, ProblemSet, Submission, User, Variant
from tests.exercises.sitting.world import ALL_RIGHT, NOW, WRONG, check, graded, place, save, variant_id
from tests.frontend.sitting.world import form, page, post
from tests.frontend.world import part, value_of, words

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("servers")]


def shown(client: Client, address: str, status: int = 200) -> str:
    response = client.get(address)
    assert response.status_code == status, response
    return str(response.content.decode())


def test_begin_leads_to_the_attempt_however_often(as_bob: Client, quiz: ProblemSet) -> None:
    address = reverse("frontend:attempt-begin", args=[quiz.public_id])
    places = {as_bob.post(address)["Location"] for _ in range(3)}
    assert places == {page("attempt", Attempt.objects.get())}


def test_another_attempt_is_asked_about(as_bob: Client, bob: User, quizzed: Attempt) -> None:
    hand_in(attempt=quizzed)
    Extension.objects.create(problem_set=quizzed.problem_set, learner=bob, attempts=1)
    address = reverse("frontend:attempt-begin", args=[quizzed.problem_set.public_id])
    asked = as_bob.post(address)
    assert "Begin attempt 2?" in words(asked.content.decode())
    assert Attempt.objects.count() == 1
    assert as_bob.post(address, {"number": "2"}).status_code == 302
    assert Attempt.objects.count() == 2


def test_the_item_page_of_a_quiz(as_bob: Client, quizzed: Attempt) -> None:
    html = shown(as_bob, page("attempt-item", quizzed, 1))
    assert "Check: try 1 of 2, worth 100 %" in words(html)
    assert "Item 1 of 2" in words(html)
    assert "nothing typed yet" in part(html, "main")
    assert "Save and go on" in words(html)


def test_the_item_page_of_an_exam_has_no_checks(as_bob: Client, examined: Attempt) -> None:
    html = shown(as_bob, page("attempt-item", examined, 1))
    assert "Check" not in part(html, "sheet")
    assert "Save and go on" in words(html)
    assert "Save and see it all" in words(shown(as_bob, page("attempt-item", examined, 2)))


@pytest.mark.parametrize(
    ("go", "name", "position"),
    [
        ("2", "attempt-item", 2),
        ("", "attempt-item", 1),
        ("overview", "attempt", None),
        ("hand-in", "attempt-hand-in", None),
    ],
)
def test_saving_goes_where_the_button_says(
    as_bob: Client, examined: Attempt, go: str, name: str, position: int | None
) -> None:
    response = post(as_bob, "attempt-save", examined, p="0.66", go=go)
    assert response["Location"] == page(name, examined, position)
    assert place(examined).saved["answers"] == {"p": "0.66"}
    assert value_of(shown(as_bob, page("attempt-item", examined, 1)), "box-p") == "0.66"


def test_the_script_hears_the_version(as_bob: Client, examined: Attempt) -> None:
    told = post(as_bob, "attempt-save", examined, script=True, p="0.66").json()
    assert (told["kind"], told["version"]) == ("saved", 1)
    stale = post(as_bob, "attempt-save", examined, script=True, p="0.5", based_on=0, form="another")
    assert (stale.status_code, stale.json()["kind"]) == (200, "aside")


def test_what_was_set_aside_is_shown_and_can_be_taken_up(as_bob: Client, examined: Attempt) -> None:
    save(place(examined), 0, p="0.66")
    response = post(as_bob, "attempt-save", examined, p="0.5", based_on=0, go="2")
    assert response["Location"] == page("attempt-item", examined, 1)
    html = shown(as_bob, response["Location"])
    assert value_of(html, "box-p") == "0.66"
    assert "Set aside at 12:00:00" in words(html)
    aside = place(examined).saves.get(aside="stale").pk
    post(as_bob, "attempt-aside", examined, aside=aside, do="take")
    html = shown(as_bob, page("attempt-item", examined, 1))
    assert value_of(html, "box-p") == "0.5"
    assert "Set aside" not in words(html)
    assert post(as_bob, "attempt-aside", examined, aside=aside, do="leave").status_code == 404


def test_a_wrong_then_a_right_try(as_bob: Client, quizzed: Attempt) -> None:
    sent = post(as_bob, "attempt-check", quizzed, **{**ALL_RIGHT, "p": "0.6667", "loss": "1"})
    assert sent.status_code == 302
    pending = shown(as_bob, sent["Location"])
    assert "Received, not marked yet." in words(pending)
    assert "Check" not in part(pending, "sheet")
    graded()
    html = shown(as_bob, sent["Location"])
    assert "Softmax normalises exponentials" in part(html, "feedback-p")
    assert "1 of 2 tries used. Best so far: 25 % of this item." in words(html)
    assert "Check: try 2 of 2, worth 50 %" in words(html)
    post(as_bob, "attempt-check", quizzed, **ALL_RIGHT)
    graded()
    html = shown(as_bob, page("attempt-item", quizzed, 1))
    assert "All right. Best so far: 50 % of this item." in words(html)
    assert "Check" not in part(html, "sheet")
    # Looking again and again sends nothing.
    assert Submission.objects.count() == 2


def test_a_form_with_a_blank_is_asked_about_and_stays_as_typed(as_bob: Client, quizzed: Attempt) -> None:
    response = post(as_bob, "attempt-check", quizzed, p="0.665")
    html = response.content.decode()
    assert response.status_code == 422
    assert "something is still blank" in part(html, "notice")
    assert "Check it as it is: try 1 of 2" in words(html)
    assert value_of(html, "box-p") == "0.665"
    assert post(as_bob, "attempt-check", quizzed, p="0.665", sure="yes").status_code == 302


def test_what_cannot_be_read_is_told_at_once(as_bob: Client, quizzed: Attempt) -> None:
    html = post(as_bob, "attempt-check", quizzed, p="0.66.5").content.decode()
    assert "no try was used" in part(html, "notice")
    assert value_of(html, "box-p") == "0.66.5"
    assert "0.66.5" in part(html, "reading-p") or part(html, "reading-p")


def test_a_superseded_variant_is_refused_and_the_text_is_on_the_page(as_bob: Client, quizzed: Attempt) -> None:
    """BR-063."""
    other = "8f14e45f-0000-4000-8000-000000000000"
    for name in ("attempt-check", "attempt-save"):
        response = post(as_bob, name, quizzed, p="0.66123", variant=other)
        assert response.status_code == 409
        assert "out of date" in words(response.content.decode())
        assert "0.66123" in response.content.decode()
    assert post(as_bob, "attempt-save", quizzed, script=True, p="0.6", variant=other).status_code == 409
    assert not Submission.objects.exists()


def test_after_the_deadline_the_text_is_kept_and_the_deadline_named(as_bob: Client, examined: Attempt) -> None:
    """BR-069."""
    Attempt.objects.update(ends_at=NOW)
    with clock.at(NOW + dt.timedelta(seconds=6)):
        response = post(as_bob, "attempt-save", examined, p="0.66123", go="2")
        assert response.status_code == 409
        told = words(response.content.decode())
        assert "Time was up on Mon 1 December 2025, 12:00 CET" in told
        assert "0.66123" in told
        hand_in_overdue()
        html = shown(as_bob, page("attempt", examined))
        assert "Typed after the end" in words(html)
        assert "0.66123" in words(html)


def test_handing_in_names_what_is_blank_and_gives_one_receipt(as_bob: Client, examined: Attempt) -> None:
    save(place(examined), 0, **{**ALL_RIGHT, "loss": ""})
    html = shown(as_bob, page("attempt-hand-in", examined))
    assert "2 of 2 items are not complete" in words(html)
    assert "Item 1 : partly filled, step 4" in words(html)
    assert "Item 2 : nothing typed yet" in words(html)
    address = page("attempt-hand-in", examined)
    assert {as_bob.post(address)["Location"] for _ in range(3)} == {page("attempt-receipt", examined)}
    html = shown(as_bob, page("attempt-receipt", examined))
    assert Attempt.objects.get().receipt in html
    assert "When Mon 1 December 2025, 12:00 CET" in words(html)
    assert as_bob.get(address)["Location"] == page("attempt-receipt", examined)


def test_after_handing_in_another_browser_can_change_nothing(as_bob: Client, examined: Attempt) -> None:
    """BR-065."""
    save(place(examined), 0, p="0.6")
    as_bob.post(page("attempt-hand-in", examined))
    receipt = Attempt.objects.get().receipt
    assert post(as_bob, "attempt-save", examined, script=True, p="0.7").status_code == 409
    assert post(as_bob, "attempt-check", examined, p="0.7").status_code == 409
    as_bob.post(page("attempt-hand-in", examined))
    assert Attempt.objects.get().receipt == receipt
    assert place(examined).saved["answers"] == {"p": "0.6"}


def test_feedback_and_solution_once_they_may_be_seen(as_bob: Client, examined: Attempt) -> None:
    save(place(examined), 0, **{**ALL_RIGHT, "p": "0.6667"})
    hand_in(attempt=examined)
    graded()
    html = shown(as_bob, page("attempt-item", examined, 1))
    assert "feedback-p" not in html
    assert "release" in words(html)
    ProblemSet.objects.update(released_at=NOW, closes_at=NOW)
    with clock.at(NOW + dt.timedelta(hours=1)):
        html = shown(as_bob, page("attempt-item", examined, 1))
        assert "Softmax normalises exponentials" in part(html, "feedback-p")
        assert "Worked solution" in part(html, "solution")
        assert value_of(html, "box-p") == "0.6667"
        assert "37.5 %" in words(shown(as_bob, page("attempt", examined)))


def test_a_released_exam_that_is_open_for_others_shows_no_solution(as_bob: Client, quizzed: Attempt) -> None:
    hand_in(attempt=quizzed)
    assert 'id="solution"' not in shown(as_bob, page("attempt-item", quizzed, 1))


def test_a_new_variant_for_each_try(as_bob: Client, quizzed: Attempt) -> None:
    ProblemSet.objects.update(retry="new")
    post(as_bob, "attempt-check", quizzed, **WRONG)
    graded()
    html = shown(as_bob, page("attempt-item", quizzed, 1))
    assert "Another variant, for try 2 of 2, worth 50 %" in words(html)
    # The one way on: what was tried takes no other try.
    assert "Check: try" not in words(html)
    assert "readonly" in html
    before = variant_id(place(quizzed))
    for _ in range(2):
        as_bob.post(page("attempt-another", quizzed, 1), {"after": before})
    assert Variant.objects.filter(attempt_item=place(quizzed)).count() == 2
    html = shown(as_bob, page("attempt-item", quizzed, 1))
    assert value_of(html, "box-p") == ""
    assert "Check: try 2 of 2" in words(html)
    looked_back = shown(as_bob, page("attempt-item", quizzed, 1) + "?try=1")
    assert value_of(looked_back, "box-loss") == "9.99"
    assert "readonly" in looked_back


def test_practice_goes_by_the_pages_of_practice(as_bob: Client, practised: Attempt) -> None:
    first = Variant.objects.get(attempt_item=place(practised))
    response = as_bob.get(page("attempt-item", practised, 1))
    assert response["Location"] == reverse("frontend:variant", args=[first.public_id])
    html = shown(as_bob, response["Location"])
    assert page("attempt-another", practised, 1) in html
    assert page("attempt", practised) in html
    Variant.objects.filter(pk=first.pk).update(revealed_at=NOW)
    drawn = as_bob.post(page("attempt-another", practised, 1), {"after": str(first.public_id)})["Location"]
    assert drawn == reverse("frontend:variant", args=[Variant.objects.latest("pk").public_id])
    assert "Hand in" not in words(shown(as_bob, page("attempt", practised)))


def test_the_clock_follows_an_extension(as_bob: Client, examined: Attempt) -> None:
    told = as_bob.get(page("attempt-clock", examined)).json()
    assert told["endsAt"] == int(Attempt.objects.get().ends_at.timestamp() * 1000)  # type: ignore[union-attr]
    Attempt.objects.update(ends_at=NOW + dt.timedelta(minutes=5))
    told = as_bob.get(page("attempt-clock", examined)).json()
    assert told["endsAt"] - told["now"] == 300_000
    assert told["words"] == "Ends Mon 1 December 2025, 12:05 CET"
    assert not told["handedIn"]


def test_a_session_that_ended_loses_nothing(bob: User, examined: Attempt) -> None:
    """BR-075: the text waits, and stands in its boxes after signing in again, not saved yet."""
    client = Client()
    save(place(examined), 0, p="0.1")
    response = post(client, "attempt-save", examined, p="0.66", based_on=1, go="2")
    assert response.status_code == 302
    assert page("attempt-item", examined, 1) in response["Location"]
    client.force_login(bob)
    html = shown(client, page("attempt-item", examined, 1))
    assert value_of(html, "box-p") == "0.66"
    assert "It is not saved yet" in part(html, "notice")
    assert value_of(html, "box-p") == "0.66"
    assert place(examined).saved["answers"] == {"p": "0.1"}


def test_text_from_before_signing_in_does_not_pass_for_newer_than_it_is(bob: User, examined: Attempt) -> None:
    client = Client()
    save(place(examined), 0, p="0.1")
    post(client, "attempt-save", examined, p="0.66", based_on=1)
    save(place(examined), 1, p="0.2")  # meanwhile, on another device
    client.force_login(bob)
    html = shown(client, page("attempt-item", examined, 1))
    assert 'name="based_on" value="1"' in html
    post(client, "attempt-save", examined, p="0.66", based_on=1, form="the new page")
    assert place(examined).saved["answers"] == {"p": "0.2"}


def test_blanks_from_before_signing_in_count_for_nothing(bob: User, examined: Attempt) -> None:
    client = Client()
    save(place(examined), 0, p="0.1")
    post(client, "attempt-save", examined, p="", loss="", based_on=1)
    client.force_login(bob)
    assert value_of(shown(client, page("attempt-item", examined, 1)), "box-p") == "0.1"


def test_the_script_is_told_that_nobody_is_signed_in(examined: Attempt) -> None:
    response = post(Client(), "attempt-save", examined, script=True, p="0.66")
    assert (response.status_code, response.json()["kind"]) == (401, "signed-out")
    assert not AttemptItem.objects.get(pk=place(examined).pk).saved


def test_a_page_made_for_somebody_else_is_refused(as_charlie: Client, as_bob: Client, examined: Attempt) -> None:
    """BR-105."""
    for name in ("attempt-save", "attempt-check", "attempt-another", "attempt-aside"):
        assert post(as_charlie, name, examined, p="0.5").status_code == 403
    response = as_charlie.post(page("attempt-hand-in", examined), {"learner": examined.learner_id})
    assert response.status_code == 403
    assert post(as_bob, "attempt-save", examined, p="0.5", learner="999999").status_code == 403
    assert not place(examined).saved


def test_hints_where_the_set_has_them(as_bob: Client, quizzed: Attempt) -> None:
    address = page("attempt-hint", quizzed, 1, step="p")
    assert as_bob.post(address, form(quizzed)).status_code == 422
    ProblemSet.objects.update(hints=True)
    assert as_bob.post(address, form(quizzed)).status_code == 302
    assert "Which part of the whole" in words(shown(as_bob, page("attempt-item", quizzed, 1)))


def test_checking_does_not_mean_waiting(as_bob: Client, quizzed: Attempt) -> None:
    check(place(quizzed), **WRONG)
    script = {"HX-Request": "true"}
    waiting = as_bob.get(page("attempt-verdict", quizzed, 1), headers=script)
    assert "not marked yet" in waiting.content.decode()
    graded()
    assert as_bob.get(page("attempt-verdict", quizzed, 1), headers=script)["HX-Refresh"] == "true"


def test_too_much_at_once_loses_nothing(as_bob: Client, examined: Attempt, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_WORK", 0)
    assert post(as_bob, "attempt-save", examined, script=True, p="0.66").status_code == 429
    response = post(as_bob, "attempt-save", examined, p="0.66", go="2")
    assert response["Location"] == page("attempt-item", examined, 1)
    html = shown(as_bob, response["Location"])
    assert value_of(html, "box-p") == "0.66"
    assert "wait a minute" in words(html)
    # Handing in is never too much.
    assert as_bob.post(page("attempt-hand-in", examined))["Location"] == page("attempt-receipt", examined)


def test_a_fault_is_reported_with_the_very_variant(as_bob: Client, examined: Attempt) -> None:
    address = page("attempt-report", examined, 1)
    assert address in shown(as_bob, page("attempt-item", examined, 1))
    assert as_bob.post(address, {"text": " "}).status_code == 422
    assert as_bob.post(address, {"text": "The table is empty."})["Location"] == page("attempt-item", examined, 1)
    report = FaultReport.objects.get()
    assert str(report.variant.public_id) == variant_id(place(examined))
    assert "The table is empty." in shown(as_bob, address)
