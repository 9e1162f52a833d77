"""The form of a problem: what is not touched stays to the letter, what is wrong is told at its box."""

import pytest
from django.test import Client

from exercises import catalogue
from exercises.actions import sync_catalogue
from exercises.models import Problem, User
from exercises.queries.authoring import editor_of
from frontend.authoring.guided_form import GuidedForm
from tests.exercises.world import MASKED
from tests.frontend.authoring.world import BROKEN, address, draft, text_of
from tests.frontend.world import part, words

pytestmark = pytest.mark.usefixtures("servers")


def boxes(source: str, **typed: str) -> dict[str, str]:
    """The form as a browser would send it, some boxes typed into (``__`` stands for a colon, ``_`` for a hyphen)."""
    sent = {row.name: row.value.replace("\n", "\r\n") for row in GuidedForm(source, None).rows() if row.kind != "check"}
    return sent | {name.replace("__", ":").replace("_", "-"): value for name, value in typed.items()}


@pytest.mark.parametrize("slug", catalogue.slugs())
def test_a_form_sent_back_untouched_changes_nothing(slug: str) -> None:
    source = catalogue.source(slug)
    assert GuidedForm(source, None).text() == source
    assert GuidedForm(source, boxes(source)).text() == source


def test_what_is_typed_is_changed_and_nothing_else() -> None:
    source = catalogue.source("masked-token-loss")
    typed = boxes(
        source,
        title="Loss, my way",
        answer="4",
        p__z__high="3",
        p__words__from="red, green, blue, grey",
        m__loss__log2__credit="1/2",
        m__loss__log10__gone="yes",
        n__p__tag="half",
        n__p__is="1/2",
        n__p__says="Look at the logits.",
    )
    text = GuidedForm(source, typed).text()
    assert text is not None
    old, new = source.splitlines(), text.splitlines()
    assert [line for line in new if line not in old] == [
        "title: Loss, my way",
        "  words: {choose: 3, from: [red, green, blue, grey]}",
        "  z: {range: [-2, 3], step: 0.1, size: words}",
        "      half:",
        "        is: 1/2",
        "        says: Look at the logits.",
        "        credit: 1/2",
        "digits:",
        "  answer: 4",
    ]
    assert "log10" not in text


@pytest.mark.parametrize(
    ("box", "typed", "told"),
    [
        ("answer", "many", "whole number"),
        ("answer", "9", "digits"),
        ("title", "", "Write something here"),
        ("p:z:low", "", "Write something here"),
        ("p:z:low", "foo(", "formula"),
        ("p:words:from", "planets", "no word list"),
        ("m:loss:log2:is", "-log2(q)", "q"),
        ("m:loss:log2:credit", "much", "fraction"),
    ],
)
def test_what_is_wrong_is_told_at_its_box(box: str, typed: str, told: str) -> None:
    source = catalogue.source("masked-token-loss")
    form = GuidedForm(source, {**boxes(source), box: typed})
    assert form.text() is None
    (row,) = (row for row in form.rows() if row.errors)
    assert row.name == box
    assert told in " ".join(row.errors)
    assert row.value == typed


def test_half_a_mistake_is_asked_to_be_whole() -> None:
    source = catalogue.source("masked-token-loss")
    form = GuidedForm(source, boxes(source, n__p__says="Look again."))
    assert form.text() is None
    assert {row.name for row in form.rows() if row.errors} == {"n:p:tag", "n:p:is"}


def test_a_built_in_problem_becomes_ones_own_draft(as_alice: Client, alice: User) -> None:
    assert not sync_catalogue(["masked"], lambda _slug: MASKED).faults
    where = address("author-guided", "masked")
    html = as_alice.get(where).content.decode()
    assert "Seed 1" in part(html, "guided-preview")
    assert "Seed 2" in part(html, "guided-preview")
    sent = {**boxes(MASKED, title="My masked token"), "do": "keep"}
    page = as_alice.post(where, sent, follow=True)
    own = Problem.objects.get(owner=alice)
    assert "My masked token" in words(page.content.decode())
    assert text_of(own).splitlines()[1:] == MASKED.splitlines()[1:] or "title: My masked token" in text_of(own)
    assert own.forked_from is not None
    assert own.forked_from.problem.slug == "masked"
    assert own.forked_from.problem.versions.get().source == MASKED


def test_the_preview_follows_what_is_typed_and_keeps_nothing(as_alice: Client, own: Problem) -> None:
    source = text_of(own)
    typed = boxes(source, p__p__low="0.5", p__p__high="0.5")
    html = as_alice.post(address("author-guided", own), typed, headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in html
    assert "Key: 0.693" in part(html, "guided-preview")
    wrong = as_alice.post(
        address("author-guided", own), boxes(source, answer="x"), headers={"HX-Request": "true"}
    ).content.decode()
    assert "write a whole number" in part(wrong, "guided-preview")
    assert text_of(own) == source


def test_what_was_typed_stays_where_something_is_wrong(as_alice: Client, own: Problem) -> None:
    sent = {**boxes(text_of(own), title="Kept as typed", answer="x"), "do": "keep"}
    page = as_alice.post(address("author-guided", own), sent)
    assert page.status_code == 422
    assert 'value="Kept as typed"' in page.content.decode()


def test_a_stale_form_overwrites_nothing(as_alice: Client, own: Problem) -> None:
    source = text_of(own)
    sent = {**boxes(source, title="From the form"), "do": "keep", "revision": editor_of(own).revision}
    other = source.replace("in nats", "in natural units")
    as_alice.post(address("author-save", own), {"source": other, "revision": sent["revision"]})
    page = as_alice.post(address("author-guided", own), sent)
    assert page.status_code == 422
    assert text_of(own) == other
    assert "From the form" in page.content.decode()


def test_a_draft_that_cannot_be_read_leads_to_the_editor(as_alice: Client, alice: User) -> None:
    problem = draft(alice, source=BROKEN)
    page = as_alice.get(address("author-guided", problem), follow=True)
    assert "has a fault that a form cannot show" in words(page.content.decode())
    assert 'id="problem-form"' in page.content.decode()
