"""Nothing tells a key, a seed, an allowance or a mistake's value of an attempt before it may, nor how it was marked."""

import re
from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import reverse

from exercises.actions.sitting.hand_in import hand_in
from exercises.models import Attempt, AttemptItem, Mastery, ProblemSet, SavedAnswer, Submission, User, Variant
from tests.exercises.sitting.world import ALL_RIGHT, NOW, graded, place, save, variant_id
from tests.frontend.sitting.world import form, page, post
from tests.frontend.test_leaks import leaks, secrets_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("servers")]
SCRIPT = {"HX-Request": "true"}
#: Numbers of the right length that are no key, no mistake, and that a page which only echoes them may hold.
TYPED = {"powers": ["987.1", "987.2", "987.3"], "total": "987.4", "p": "987.5", "loss": "987.6"}


def pages(client: Client, attempt: Attempt) -> Iterator[tuple[str, str]]:
    """Every response that a learner can get about an attempt, except the acts."""
    for name in ("attempt", "attempt-clock", "attempt-hand-in", "attempt-receipt"):
        yield name, client.get(page(name, attempt), follow=True).content.decode()
    for query in ("", "?try=1", "?try=9", "?solution=1"):
        yield f"item {query}", client.get(page("attempt-item", attempt, 1) + query).content.decode()
    yield "reading", post(client, "attempt-reading", attempt, step="p", p="987.5").content.decode()
    yield "verdict", client.get(page("attempt-verdict", attempt, 1), headers=SCRIPT).content.decode()
    for name in ("home", "history", "progress", "today"):
        yield name, client.get(reverse(f"frontend:{name}")).content.decode()
    yield "skill", client.get(reverse("frontend:skill", args=["softmax"])).content.decode()
    set_page = reverse("frontend:set", args=[attempt.problem_set.public_id])
    yield "set", client.get(set_page).content.decode()
    yield "course", client.get(reverse("frontend:course", args=[attempt.problem_set.course.public_id])).content.decode()
    variant = variant_id(place(attempt))
    for path in (f"variants/{variant}", "skills", "submissions", "next"):
        yield path, client.get(f"/api/v1/{path}", headers={"X-Request-Id": "the-same"}).content.decode()


def acts(client: Client, attempt: Attempt) -> Iterator[tuple[str, str]]:
    """What comes of everything that can be done, wrong tries and refusals included."""
    yield "save", post(client, "attempt-save", attempt, script=True, **TYPED).content.decode()
    yield "stale", post(client, "attempt-save", attempt, script=True, based_on=0, p="987.7").content.decode()
    yield "other variant", post(client, "attempt-save", attempt, variant="x", **TYPED).content.decode()
    yield "unreadable", post(client, "attempt-check", attempt, p="9.8.7").content.decode()
    yield "blank", post(client, "attempt-check", attempt, p="987.5").content.decode()
    yield "wrong", post(client, "attempt-check", attempt, **TYPED).content.decode()
    graded()
    yield "another", post(client, "attempt-another", attempt).content.decode()
    step = {"step": "p"}
    yield "hint", client.post(page("attempt-hint", attempt, 1, **step), form(attempt)).content.decode()


def secret(attempt: Attempt) -> dict[str, set[str]]:
    variant = Variant.objects.get(attempt_item__attempt=attempt, attempt_item__position=1)
    Variant.objects.filter(pk=variant.pk).update(seed=4_019_283_746)
    variant.seed = 4_019_283_746
    return secrets_of(variant)


@pytest.mark.parametrize("mode", ["quizzed", "examined"])
def test_nothing_is_told_while_it_is_sat(as_bob: Client, mode: str, request: pytest.FixtureRequest) -> None:
    attempt: Attempt = request.getfixturevalue(mode)
    secrets = secret(attempt)
    for where, html in (*acts(as_bob, attempt), *pages(as_bob, attempt)):
        assert not leaks(html, secrets), where


def test_nothing_is_told_of_a_quiz_that_is_still_open_for_the_others(as_bob: Client, quizzed: Attempt) -> None:
    secrets = secret(quizzed)
    save(place(quizzed), 0, **TYPED)
    hand_in(attempt=quizzed)
    graded()
    for where, html in pages(as_bob, quizzed):
        assert not leaks(html, secrets), where


def without_ids(html: str) -> str:
    """A page as it is for anybody whose answers were as many."""
    html = re.sub(r'value="[A-Za-z0-9]{32,64}"|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}', "", html)
    html = re.sub(r'<span class="reading-value".*?</span>', "", html)
    html = re.sub(r"([A-Z2-7]{4}-){4}[A-Z2-7]{4}", "", html)  # of the receipt
    return re.sub(r"nonce=\"[^\"]*\"|987\.\d|\b(7\.389|2\.718|1\.000|11\.107|0\.665|0\.408)\b", "", html)


@pytest.mark.parametrize(("feedback", "is_handed_in"), [("released", False), ("released", True), ("handed-in", False)])
def test_no_page_tells_how_it_was_marked_before_that_may_be_told(
    as_bob: Client, bob: User, quizzed: Attempt, examined: Attempt, feedback: str, is_handed_in: bool
) -> None:
    """All right or all wrong, every page reads the same."""
    ProblemSet.objects.update(feedback=feedback)
    attempt = examined if is_handed_in else quizzed
    told: list[list[tuple[str, str]]] = []
    for answers in (ALL_RIGHT, TYPED):
        Submission.objects.all().delete()
        SavedAnswer.objects.all().delete()
        Attempt.objects.update(handed_in_at=None, handed_in_by="", receipt="", score_numerator=None)
        AttemptItem.objects.update(saved={}, saved_version=0, tries=0, score_numerator=None)
        save(place(attempt), 0, **answers)
        if is_handed_in:
            attempt.refresh_from_db()
            hand_in(attempt=attempt)
        else:
            post(as_bob, "attempt-check", attempt, sure="yes", **answers)
        graded()
        assert Submission.objects.get().state == Submission.State.GRADED
        assert not Mastery.objects.filter(learner=bob).exists()
        told.append([(where, without_ids(html)) for where, html in pages(as_bob, attempt)])
    for (where, right), (_, wrong) in zip(*told, strict=True):
        assert right == wrong, where


def test_what_was_released_is_told(as_bob: Client, bob: User, examined: Attempt) -> None:
    save(place(examined), 0, **ALL_RIGHT)
    hand_in(attempt=examined)
    graded()
    ProblemSet.objects.update(released_at=NOW)
    html = as_bob.get(page("attempt", examined)).content.decode()
    assert "50 %" in html
