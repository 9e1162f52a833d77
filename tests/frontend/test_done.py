"""What the page says when nothing is left to answer, and what it says about an answer that is not right."""

import re

import pytest
from django.template.loader import render_to_string
from django.test import Client

from exercises.models import User, Variant
from frontend.marks import mark_view
from grader.verdict import Mark
from tests.exercises.world import ALL_RIGHT
from tests.frontend.world import address, drawn, part, send

pytestmark = pytest.mark.usefixtures("servers", "variant", "quick_worker")


def test_everything_right_is_called_so(as_bob: Client, variant: Variant) -> None:
    html = send(as_bob, variant, **ALL_RIGHT).content.decode()
    assert part(html, "done").startswith("Every step that counts is right.")
    assert "Every step that counts is right." in part(html, "announcer")
    assert html.count("Another variant</button>") == 1


def test_a_slip_that_was_carried_to_the_end_is_done_with_its_score(as_bob: Client, variant: Variant) -> None:
    html = send(as_bob, variant, total="11.107", p="0.6667", loss="0.4055").content.decode()
    done = part(html, "done")
    assert done.startswith("Done: 75 %. The slip in")
    assert "is carried: what follows counts as right." in done
    assert "Another variant" in done
    assert "Every step that counts is right" not in html


def test_what_is_wrong_at_the_end_is_not_done(as_bob: Client, variant: Variant) -> None:
    html = send(as_bob, variant, total="11.107", p="0.665", loss="0.9").content.decode()
    assert 'id="done"' not in html
    assert 'id="another"' in html


def test_half_credit_for_an_optional_slip_is_not_called_right(as_bob: Client, variant: Variant) -> None:
    sent = {"powers": ["9", "3", "1"], "total": "13", "p": "0.692", "loss": "0.368"}
    done = part(send(as_bob, variant, **sent).content.decode(), "done")
    assert done.startswith("Done: 7/8.")
    mended = {**sent, "powers": ["7.389", "2.718", "1"]}
    done = part(send(as_bob, variant, **mended).content.decode(), "done")
    assert done.startswith("Done: ")
    assert "right." not in done.partition(".")[0]


def test_a_later_slip_takes_nothing_away(as_bob: Client, variant: Variant) -> None:
    send(as_bob, variant, **ALL_RIGHT)
    html = send(as_bob, variant, check="p", p="0.1").content.decode()
    assert "Not right" in part(html, "feedback-p")
    assert "The best answer at each step counts, whatever was typed later." in part(html, "done")


def test_blank_steps_are_a_quiet_word_and_counted_once(as_bob: Client, variant: Variant) -> None:
    html = send(as_bob, variant, p="0.665").content.decode()
    assert part(html, "feedback-loss") == "Left blank"
    announced = part(html, "announcer")
    assert announced.endswith("2 steps left blank.")
    assert "Loss at this slot" not in announced


def test_the_first_step_is_not_sent_to_the_one_before_it(as_bob: Client, bob: User, variant: Variant) -> None:
    html = send(as_bob, variant, powers=["5", "5", "5"], total="99", p="0.9").content.decode()
    assert "No entry is right yet." in part(html, "feedback-powers")
    assert "what it builds on" in part(html, "feedback-total")
    choices = send(as_bob, drawn(bob, "claims"), claims=["", "order"], best="last").content.decode()
    assert "Take each option by itself" in part(choices, "feedback-claims")
    assert "Another option holds." in part(choices, "feedback-best")
    assert "before" not in mark_view(Mark("n", "wrong"), is_first=True).meaning


def test_what_was_sent_already_is_not_said_to_be_unmarked(as_bob: Client, variant: Variant) -> None:
    send(as_bob, variant, p="0.6667")
    for typed, is_told in (("0.6667", False), ("0.5", True)):
        as_bob.post(address("reveal", variant), {"learner": variant.learner_id, "answer-p": typed})
        html = as_bob.get(address("variant", variant)).content.decode()
        assert ("It has not been marked yet." in part(html, "notice")) is is_told
    as_bob.post(address("reveal", variant), {"learner": variant.learner_id, "answer-p": "0.4", "sure": "yes"})
    assert part(as_bob.get(address("variant", variant)).content.decode(), "notice") == ""


def test_the_correction_for_a_typed_calculation_is_shown_as_it_is_written(as_bob: Client, variant: Variant) -> None:
    html = send(as_bob, variant, p="2 pi e").content.decode()
    assert "2*pi*e" in part(html, "reading-p")
    assert "2*pi*e" in part(html, "announcer")


def test_a_hint_that_is_offered_is_there(as_bob: Client, variant: Variant) -> None:
    typed = {"learner": variant.learner_id, "answer-total": "11.107", "answer-powers": ["7.389", "2.718", "1"]}
    for _ in range(6):
        html = as_bob.post(address("hint", variant, step="p"), typed, headers={"HX-Request": "true"}).content.decode()
        assert "You have seen every hint" not in html
        if 'id="hint-p"' not in html:
            return
    pytest.fail("There is always another hint.")


def test_the_rounding_that_is_expected_is_told_once(as_bob: Client, variant: Variant) -> None:
    html = send(as_bob, variant, total="99", p="0.9", loss="9").content.decode()
    assert html.count("Round to those at the end, once") == 1
    assert "significant digits" in part(html, "feedback-total")


def test_a_chosen_option_is_quoted_and_typeset(as_bob: Client, bob: User) -> None:
    html = send(as_bob, drawn(bob, "claims"), claims=["", "order"], best="last").content.decode()
    assert "for “The order changes.”" in part(html, "feedback-claims")
    mark = mark_view(Mark("s", "wrong", read_as="$s$"), kind="choice")
    shown = render_to_string("frontend/_feedback.html", {"mark": mark, "step": {"name": "s"}})
    assert 'class="tex"' in shown
    assert "$s$" not in shown


def test_signs_that_turn_the_writing_are_spelt_out(as_bob: Client, variant: Variant) -> None:
    html = send(as_bob, variant, p="\u202e52.1").content.decode()
    so_far = html[html.index('class="so-far"') :]
    assert r"\u202e52.1" in so_far
    assert "\u202e" not in so_far


def test_the_solution_has_the_numbers_of_the_steps(as_bob: Client, variant: Variant) -> None:
    html = as_bob.post(address("reveal", variant), {"learner": variant.learner_id, "sure": "yes"}, follow=True)
    numbers = re.findall(r'<li value="(\d+)">', html.content.decode())
    assert numbers == ["1", "2", "3", "4"]


def test_a_verdict_on_what_stood_there_before_says_so(as_bob: Client, variant: Variant) -> None:
    html = send(as_bob, variant, p="0.6667").content.decode()
    assert "feedback-older" not in html
    changed = as_bob.post(
        address("hint", variant, step="loss"),
        {"learner": variant.learner_id, "answer-p": "0.5"},
        headers={"HX-Request": "true"},
    ).content.decode()
    assert 'class="feedback feedback-mistake feedback-older" id="feedback-p"' in changed


@pytest.mark.parametrize("page", ["/", "/help/answers/", "/answers/"])
def test_pages_can_be_asked_for_their_head_alone(as_bob: Client, variant: Variant, page: str) -> None:
    for path in (page, address("variant", variant)):
        response = as_bob.head(path)
        assert response.status_code == 200
        assert response.content == b""
