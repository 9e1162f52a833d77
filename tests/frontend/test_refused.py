"""What the domain refuses, as a person reads it: a sentence, a way on, and nothing typed is lost."""

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from exercises import limits
from exercises.models import ProblemVersion, Submission, Variant
from tests.frontend.world import address, send, value_of, words

pytestmark = pytest.mark.usefixtures("servers", "variant")


@pytest.fixture
def _busy(variant: Variant) -> None:
    """Bob has done in this minute, and in the next, as much as anybody may."""
    for now in (None, limits.time.time() + limits.MINUTE):
        for _ in range(limits.MOST_WORK):
            limits.count(f"work:{variant.learner_id}", limits.MINUTE, now=now)


@pytest.mark.usefixtures("_busy")
def test_who_sends_too_much_is_told_and_finds_the_text_again(as_bob: Client, variant: Variant) -> None:
    refused = send(as_bob, variant, script=False, p="0.25")
    assert (refused.status_code, refused["Retry-After"]) == (429, "60")
    assert "wait a minute" in words(refused.content.decode())
    assert not Submission.objects.exists()
    assert value_of(as_bob.get(address("variant", variant)).content.decode(), "box-p") == "0.25"
    cache.clear()
    assert send(as_bob, variant, script=False, p="0.25").status_code == 302


@pytest.mark.usefixtures("_busy")
def test_a_script_is_told_in_place(as_bob: Client, variant: Variant) -> None:
    refused = send(as_bob, variant, p="0.25")
    assert (refused.status_code, refused["HX-Retarget"]) == (429, "#notice")
    assert "wait a minute" in words(refused.content.decode())


@pytest.mark.usefixtures("_busy")
@pytest.mark.parametrize("name", ["hint", "forecast", "report"])
def test_other_forms_count_too(as_bob: Client, variant: Variant, name: str) -> None:
    page = address(name, variant, **({"step": "p"} if name == "hint" else {}))
    refused = as_bob.post(page, {"text": "<b>below</b>", "learner": variant.learner_id})
    assert refused.status_code == 429
    assert "&lt;b&gt;below" in refused.content.decode()


@pytest.mark.usefixtures("_busy")
def test_others_and_readers_go_on(as_bob: Client, as_charlie: Client, variant: Variant) -> None:
    assert as_bob.get(address("variant", variant)).status_code == 200
    assert as_charlie.post(reverse("frontend:draw", args=["masked"])).status_code == 302


def test_a_problem_that_can_no_longer_be_read_is_no_crash(as_bob: Client, as_alice: Client, variant: Variant) -> None:
    ProblemVersion.objects.filter(pk=variant.version_id).update(source="title: [")
    for response in (as_bob.get(address("variant", variant)), send(as_bob, variant, script=False, p="1")):
        assert response.status_code == 503
        assert "Go on with another problem" in words(response.content.decode())
    assert send(as_bob, variant, p="1").status_code == 409
    for page in ("/", reverse("frontend:history"), reverse("frontend:problem", args=["masked"])):
        assert as_bob.get(page).status_code == 200
    drawn = as_bob.post(reverse("frontend:draw", args=["masked"]), {"after": str(variant.public_id)}, follow=True)
    assert "file has a fault" in words(drawn.content.decode())
    assert (
        "masked" in words(as_alice.get(reverse("frontend:faults")).content.decode()).partition("fault in their file")[2]
    )
