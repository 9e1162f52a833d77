"""The way of an answer through the pages: sent, marked, told, and never lost on the way."""

import pytest
from django.contrib.sessions.models import Session
from django.test import Client

from exercises.actions import reveal_solution
from exercises.models import Grading, Submission, User, Variant
from exercises.tasks import grade_pending
from tests.exercises.world import ALL_RIGHT
from tests.frontend.world import address, drawn, part, send, value_of, words

pytestmark = pytest.mark.usefixtures("servers", "variant")


@pytest.mark.usefixtures("quick_worker")
def test_the_reply_to_an_answer_shows_every_verdict(as_bob: Client, variant: Variant) -> None:
    response = send(as_bob, variant, **ALL_RIGHT)
    html = response.content.decode()
    assert response.status_code == 200
    for step in ALL_RIGHT:
        assert "Right" in part(html, f"feedback-{step}")
    assert "Every step that counts is right." in part(html, "done")
    assert "<html" not in html


@pytest.mark.usefixtures("quick_worker")
def test_a_mistake_is_named_and_what_follows_from_it_is_carried(as_bob: Client, variant: Variant) -> None:
    html = send(as_bob, variant, p="0.6667", loss="0.4055").content.decode()
    mistake, carried = part(html, "feedback-p"), part(html, "feedback-loss")
    assert "A known mistake for 0.6667" in mistake
    assert "Softmax normalises exponentials, not the raw logits." in mistake
    assert "significant digits" in mistake
    assert "Right, carried forward for 0.4055" in carried
    assert "significant digits" not in carried


@pytest.mark.usefixtures("quick_worker")
def test_only_full_credit_is_called_done(as_bob: Client, variant: Variant) -> None:
    half = send(as_bob, variant, powers=["9", "3", "1"], p="0.692", loss="0.368").content.decode()
    assert "Right, carried forward" in part(half, "feedback-p")
    assert 'id="done"' not in half
    assert 'id="done"' in send(as_bob, variant, **ALL_RIGHT).content.decode()


@pytest.mark.usefixtures("quick_worker")
def test_the_verdict_is_announced_in_words(as_bob: Client, variant: Variant) -> None:
    html = send(as_bob, variant, p="0.6667", loss="0.4055", total="1/0").content.decode()
    announced = part(html, "announcer")
    assert "Probability of the true word: a known mistake." in announced
    assert "Loss at this slot, in nats: right, carried forward." in announced
    assert "Add them up.: could not be read" in announced
    assert "Exponentiate" not in announced


@pytest.mark.usefixtures("quick_worker")
def test_one_step_is_checked_by_its_own_button(as_bob: Client, variant: Variant) -> None:
    html = send(as_bob, variant, check="p", p="0.665", loss="0.9").content.decode()
    assert "Right" in part(html, "feedback-p")
    assert 'id="feedback-loss"' not in html
    assert Submission.objects.get().checked == ["p"]
    assert value_of(html, "box-loss") == "0.9"


@pytest.mark.usefixtures("quick_worker")
def test_each_entry_of_a_vector_is_told_by_itself(as_bob: Client, variant: Variant) -> None:
    html = send(as_bob, variant, check="powers", powers=["7.389", "2.5", "1"]).content.decode()
    assert "2 of 3 entries right" in part(html, "feedback-powers")
    step = html[html.index('id="step-powers"') :]
    assert [step.count("entry-right"), step.count("entry-wrong")] == [2, 1]
    assert value_of(html, "box-powers-2") == "2.5"


@pytest.mark.usefixtures("quick_worker")
def test_a_blank_step_that_counts_is_said_to_be_blank_and_an_optional_one_is_not(
    as_bob: Client, variant: Variant
) -> None:
    html = send(as_bob, variant, p="0.665").content.decode()
    assert "Left blank" in part(html, "feedback-loss")
    assert 'id="feedback-powers"' not in html


@pytest.mark.usefixtures("quick_worker")
def test_without_a_script_the_answer_is_a_redirect_to_the_step(as_bob: Client, variant: Variant) -> None:
    response = send(as_bob, variant, script=False, check="p", p="0.6667")
    submission = Submission.objects.get()
    assert response.status_code == 302
    assert response["Location"] == f"{address('variant', variant)}?sent={submission.public_id}#step-p"
    html = as_bob.get(response["Location"]).content.decode()
    assert "<title>Probability of the true word: a known mistake · " in html
    assert "A known mistake" in part(html, "feedback-p")
    assert value_of(html, "box-p") == "0.6667"


@pytest.mark.usefixtures("quick_worker")
def test_reloading_the_page_or_the_form_counts_once(as_bob: Client, variant: Variant) -> None:
    for _ in range(4):
        response = send(as_bob, variant, script=False, p="0.6667", loss="0.4055")
        as_bob.get(response["Location"])
    assert Submission.objects.count() == Grading.objects.count() == 1


@pytest.mark.usefixtures("quick_worker")
def test_the_form_of_the_back_button_takes_a_corrected_answer(as_bob: Client, variant: Variant) -> None:
    send(as_bob, variant, p="0.6667")
    html = send(as_bob, variant, p="0.665").content.decode()
    assert "Right" in part(html, "feedback-p")
    assert Submission.objects.count() == 2


@pytest.mark.usefixtures("quick_worker")
def test_the_same_answer_in_another_tab_is_not_counted_again(as_bob: Client, variant: Variant) -> None:
    send(as_bob, variant, p="0.41")
    response = as_bob.post(
        address("answers", variant),
        {"form": "another-tab", "check": "*", "learner": variant.learner_id, "answer-p": "0.410"},
        headers={"HX-Request": "true"},
    )
    assert "You tried this answer before" in words(response.content.decode())
    assert Submission.objects.count() == 1


def test_every_form_that_is_shown_has_a_key_of_its_own(as_bob: Client, variant: Variant) -> None:
    pages = [as_bob.get(address("variant", variant)).context["form_key"] for _ in range(2)]
    assert pages[0] != pages[1]


def test_an_answer_that_nobody_marked_yet_is_said_to_be_received_and_asked_after(
    as_bob: Client, variant: Variant
) -> None:
    html = send(as_bob, variant, p="0.665").content.decode()
    assert "Received, not marked yet." in part(html, "pending")
    assert "Received, not marked yet." in part(html, "announcer")
    assert 'id="feedback-p"' not in html
    asked = address_of_verdict(Submission.objects.get())
    assert asked in html
    waiting = as_bob.get(asked, headers={"HX-Request": "true"})
    assert waiting["HX-Retarget"] == "#pending"
    assert "Received, not marked yet." in part(waiting.content.decode(), "pending")
    assert 'id="workbench"' not in waiting.content.decode()
    grade_pending()
    told = as_bob.get(asked, headers={"HX-Request": "true"}).content.decode()
    assert "Right" in part(told, "feedback-p")
    assert "Probability of the true word: right." in part(told, "announcer")


def test_the_page_asks_less_often_the_longer_it_waits(as_bob: Client, variant: Variant) -> None:
    send(as_bob, variant, p="0.665")
    address_now = address_of_verdict(Submission.objects.get())
    delays = []
    for _ in range(12):
        response = as_bob.get(address_now, headers={"HX-Request": "true"})
        delays.append(response.context["delay"])
        address_now = f"{address_of_verdict(Submission.objects.get())}?asked={response.context['asked']}"
    assert delays == sorted(delays)
    assert delays[0] < 1000 < delays[-1] <= 5000
    assert "longer than usual" in words(response.content.decode())


def test_an_answer_that_cannot_be_marked_costs_nothing_and_says_so(as_bob: Client, variant: Variant) -> None:
    send(as_bob, variant, p="0.665")
    Submission.objects.update(state="ungradable", claimed_until=None)
    html = as_bob.get(address("variant", variant)).content.decode()
    assert "could not be marked. It costs you nothing" in words(html)
    assert 'id="pending"' not in html


def address_of_verdict(submission: Submission) -> str:
    return f"/answers/{submission.public_id}/verdict/"


def test_what_cannot_be_read_is_told_at_once_and_stored_nowhere_but_in_its_box(
    as_bob: Client, variant: Variant
) -> None:
    html = send(as_bob, variant, p="log(2)").content.decode()
    assert "log2" in part(html, "reading-p")
    assert value_of(html, "box-p") == "log(2)"
    assert "could not be read" in part(html, "announcer")
    assert not Submission.objects.exists()
    assert value_of(as_bob.get(address("variant", variant)).content.decode(), "box-p") == "log(2)"


@pytest.mark.parametrize("typed", ["1/3", "−0.5", '"><script>alert(1)</script>', " 0.5 ", "½"])
def test_exactly_what_was_typed_comes_back(as_bob: Client, variant: Variant, typed: str) -> None:
    send(as_bob, variant, p=typed)
    html = as_bob.get(address("variant", variant)).content.decode()
    assert value_of(html, "box-p") == typed
    assert "<script>alert" not in html


def test_a_step_that_is_not_asked_is_refused_with_the_text_kept(as_bob: Client, variant: Variant) -> None:
    response = send(as_bob, variant, nonsense="1", p="0.6")
    assert response.status_code == 422
    assert "Load the page again" in words(response.content.decode())
    assert not Submission.objects.exists()


def test_a_closed_variant_marks_nothing_and_keeps_the_text(as_bob: Client, variant: Variant) -> None:
    reveal_solution(variant=variant)
    response = send(as_bob, variant, p="0.3")
    html = response.content.decode()
    assert response.status_code == 409
    assert "is closed" in words(html)
    assert value_of(html, "box-p") == "0.3"
    assert not Submission.objects.exists()


@pytest.mark.parametrize("script", [True, False])
def test_a_page_made_for_somebody_else_records_nothing(
    as_charlie: Client, variant: Variant, charlie: User, *, script: bool
) -> None:
    own = drawn(charlie)
    for target in (variant, own):
        response = send(as_charlie, target, script=script, learner=variant.learner_id, p="0.665")
        assert response.status_code == 403
        assert "signed in as charlie" in words(response.content.decode())
    assert not Submission.objects.exists()


def test_a_script_is_told_when_the_session_is_over(as_bob: Client, variant: Variant) -> None:
    Session.objects.all().delete()
    response = send(as_bob, variant, p="0.665")
    html = response.content.decode()
    assert response.status_code == 401
    assert response["HX-Retarget"] == "#notice"
    assert "You have been signed out." in words(html)
    assert f"next={address('variant', variant)}".replace("/", "%2F").replace("next%3D", "next=") in html
    assert not Submission.objects.exists()


def test_what_was_typed_is_there_again_after_signing_in(as_bob: Client, variant: Variant, bob: User) -> None:
    Session.objects.all().delete()
    response = send(as_bob, variant, script=False, p="0.6667", powers=["7.4", "", "1"])
    assert response.status_code == 302
    assert response["Location"].startswith("/accounts/login/?next=")
    signed_in = as_bob.post(response["Location"], {"login": "bob", "password": "bob learns here"})
    assert signed_in.status_code == 302
    assert signed_in["Location"] == address("variant", variant)
    html = as_bob.get(signed_in["Location"]).content.decode()
    assert value_of(html, "box-p") == "0.6667"
    assert [value_of(html, f"box-powers-{place}") for place in (1, 2, 3)] == ["7.4", "", "1"]
    assert "back in its boxes" in part(html, "notice")
    assert not Submission.objects.exists()
    send(as_bob, variant, script=False, p="0.6667", powers=["7.4", "", "1"])
    assert Submission.objects.filter(author=bob).count() == 1


def test_what_was_typed_is_shown_to_nobody_else(as_bob: Client, variant: Variant, charlie: User) -> None:
    Session.objects.all().delete()
    send(as_bob, variant, script=False, p="0.123456")
    as_bob.post("/accounts/login/", {"login": "charlie", "password": "charlie is elsewhere"})
    other = drawn(charlie)
    assert "0.123456" not in as_bob.get(address("variant", other)).content.decode()
    assert as_bob.get(address("variant", variant)).status_code == 404


@pytest.mark.usefixtures("quick_worker")
def test_a_decimal_comma_is_a_choice_that_is_remembered(as_bob: Client, variant: Variant) -> None:
    form = {"form": "f", "check": "total", "learner": variant.learner_id, "answer-total": "11,107", "locale": "de"}
    html = as_bob.post(address("answers", variant), form, headers={"HX-Request": "true"}).content.decode()
    assert "Right" in part(html, "feedback-total")
    assert Submission.objects.get().locale == "de"
    assert as_bob.get(address("variant", variant)).context["locale"] == "de"


@pytest.mark.usefixtures("quick_worker")
def test_choices_are_sent_and_shown_as_ticked(as_bob: Client, bob: User) -> None:
    variant = drawn(bob, "claims")
    html = send(as_bob, variant, claims=["", "sums", "positive"], best="first").content.decode()
    assert Submission.objects.get().answers["claims"] == ["sums", "positive"]
    assert "Right" in part(html, "feedback-claims")
    assert 'id="feedback-best"' in html
    assert html.count(" checked") >= 3


@pytest.mark.usefixtures("quick_worker")
def test_no_option_ticked_is_a_blank_answer(as_bob: Client, bob: User) -> None:
    variant = drawn(bob, "claims")
    send(as_bob, variant, claims="")
    assert not Submission.objects.exists()
