"""A variant that leaves steps out says so, and asks them all when its learner wants them."""

import pytest
from django.test import Client

from exercises.models import Submission, Variant
from tests.frontend.world import address, send

pytestmark = pytest.mark.usefixtures("servers")


@pytest.fixture
def narrow(variant: Variant) -> Variant:
    variant.asked = ["p", "loss"]
    variant.save()
    return variant


def test_the_steps_left_out_are_offered(as_bob: Client, narrow: Variant) -> None:
    html = as_bob.get(address("variant", narrow)).content.decode()
    assert "Some steps are left out" in html
    assert "answer-powers" not in html


def test_all_are_asked_with_one_click_and_what_was_typed_stays(as_bob: Client, narrow: Variant) -> None:
    response = as_bob.post(address("whole", narrow), {"answer-p": "0.6"}, follow=True)
    html = response.content.decode()
    assert "answer-powers" in html
    assert 'value="0.6"' in html
    assert "Some steps are left out" not in html


def test_a_whole_variant_offers_nothing(as_bob: Client, variant: Variant) -> None:
    assert "left out" not in as_bob.get(address("variant", variant)).content.decode()


def test_only_what_is_asked_is_marked_and_counts(as_bob: Client, narrow: Variant, quick_worker: None) -> None:
    html = send(as_bob, narrow, p="0.665", loss="0.408").content.decode()
    assert "Every step that counts is right." in html
    assert Submission.objects.get().checked == ["p", "loss"]


def test_a_check_says_what_it_is_for(as_bob: Client, variant: Variant) -> None:
    variant.is_check = True
    variant.save()
    assert "mixed check" in as_bob.get(address("variant", variant)).content.decode()
