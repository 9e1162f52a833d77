"""The preview of several seeds, and the playground that marks what an author types."""

import pytest
from django.test import Client

from exercises.actions import sync_catalogue
from exercises.models import Problem, Submission, Variant
from tests.exercises.world import MASKED
from tests.frontend.authoring.world import BROKEN, address, text_of
from tests.frontend.world import CHOICES, SHOWN, part, words

pytestmark = pytest.mark.usefixtures("servers")
SCRIPT = {"HX-Request": "true"}


def test_three_seeds_stand_side_by_side_with_their_keys(as_alice: Client, own: Problem) -> None:
    html = as_alice.get(address("author-problem", own)).content.decode()
    for seed in (1, 2, 3):
        pane = part(html, f"pane-{seed}")
        assert f"Seed {seed}" in pane
        assert "Key:" in pane
        assert "±" in pane
        assert "mistake" in pane


def test_other_seeds_and_the_seed_of_a_failure(as_alice: Client, own: Problem) -> None:
    sent = {"source": text_of(own), "from": "417"}
    html = as_alice.post(address("author-preview", own), sent, headers=SCRIPT).content.decode()
    assert "<html" not in html
    assert "Seed 417" in words(html)
    assert "Seed 419" in words(html)
    assert 'id="pane-1"' not in html


def test_the_preview_is_of_what_was_sent_and_stores_nothing(as_alice: Client, own: Problem) -> None:
    before = text_of(own)
    html = as_alice.post(address("author-preview", own), {"source": SHOWN}, headers=SCRIPT).content.decode()
    assert "The true word is" in words(html)
    assert 'class="figure' in html
    assert text_of(own) == before
    assert not Variant.objects.exists()


def test_a_page_without_scripts_shows_them_too(as_alice: Client, own: Problem) -> None:
    page = as_alice.get(address("author-preview", own))
    assert "<html" in page.content.decode()
    assert "Seed 1" in words(page.content.decode())


def trial(client: Client, problem: Problem, **answers: str | list[str]) -> str:
    sent = {"seed": "1", "mark": "yes", **{f"answer-{name}": typed for name, typed in answers.items()}}
    return client.post(address("author-try", problem), sent, headers=SCRIPT).content.decode()


def key(client: Client, problem: Problem) -> str:
    """The key of seed 1, as the preview tells it."""
    pane = part(client.get(address("author-problem", problem)).content.decode(), "pane-1")
    return pane.partition("Key: ")[2].split()[0].replace("−", "-")


def test_a_try_is_marked_as_a_learners_answer_would_be(as_alice: Client, own: Problem) -> None:
    right = trial(as_alice, own, loss=key(as_alice, own))
    assert "Right" in part(right, "tried-loss")
    assert "everything right" in part(right, "trial-score")
    bits = trial(as_alice, own, loss=f"{float(key(as_alice, own)) / 0.693147:.4f}")
    told = part(bits, "tried-loss")
    assert "note loss.log2" in told
    assert "credit 1/4" in told
    assert "bits" in told
    assert "could not be read" in part(trial(as_alice, own, loss="1..2"), "tried-loss").lower()
    assert not Submission.objects.exists()


def test_nothing_typed_is_not_marked(as_alice: Client, own: Problem) -> None:
    html = trial(as_alice, own, loss="")
    assert part(html, "trial-score") == ""
    assert part(html, "tried-loss") == ""


def test_a_try_without_scripts_keeps_the_text_it_is_about(as_alice: Client, own: Problem) -> None:
    sent = {"seed": "2", "source": SHOWN, "mark": "yes", "answer-p": "0.5"}
    html = as_alice.post(address("author-try", own), sent).content.decode()
    assert "<html" in html
    assert 'value="0.5"' in html
    assert "The model scores three candidates" in html.partition('<textarea name="source"')[2]
    assert part(html, "tried-p") != ""


def test_choices_are_tried(as_alice: Client, own: Problem) -> None:
    sent = {"seed": "1", "source": CHOICES, "mark": "yes", "answer-claims": ["sums", "positive"], "answer-best": "x"}
    html = as_alice.post(address("author-try", own), sent, headers=SCRIPT).content.decode()
    assert "Right" in part(html, "tried-claims")


def test_a_text_with_faults_has_no_boxes(as_alice: Client, own: Problem) -> None:
    html = as_alice.post(address("author-try", own), {"seed": "1", "source": BROKEN}, headers=SCRIPT).content.decode()
    assert "mend it first" in words(html)


def test_a_built_in_problem_is_read_and_tried(as_alice: Client) -> None:
    assert not sync_catalogue(["masked"], lambda _slug: MASKED).faults
    html = as_alice.get(address("author-problem", "masked")).content.decode()
    assert "built in" in words(html)
    assert "Fork it" in words(html)
    assert 'id="problem-form"' not in html
    assert "Seed 1" in part(html, "preview")
    listed = words(as_alice.get("/author/?show=others").content.decode())
    assert "built in" in listed
