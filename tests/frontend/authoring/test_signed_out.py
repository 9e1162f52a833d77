"""What an author typed waits while they sign in again, also where no script keeps it."""

import pytest
from django.contrib.sessions.models import Session
from django.test import Client

from exercises.actions.authoring import save_draft
from exercises.models import Problem, User
from exercises.queries.authoring import editor_of
from frontend.kept_form import MOST_CHARACTERS
from tests.frontend.authoring.world import address, form, text_of
from tests.frontend.world import value_of, words

pytestmark = pytest.mark.usefixtures("servers")
ALICE = {"login": "alice", "password": "alice teaches here"}
AGAIN = "What you typed before you were signed out is back in its place"


def sent_signed_out(browser: Client, page: str, fields: dict[str, str]) -> str:
    """Send a form after the session has expired; where one is asked to sign in."""
    Session.objects.all().delete()
    asked = browser.post(page, fields)
    assert asked.status_code == 302
    return str(asked["Location"])


def test_a_text_of_the_editor_is_there_again_and_is_saved_as_from_its_page(
    as_alice: Client, alice: User, own: Problem
) -> None:
    page, kept = address("author-problem", own), text_of(own)
    mine = kept.replace("title: ", "title: Another ", 1)
    login = sent_signed_out(as_alice, page, form(own, mine, learner=alice.pk))
    back = as_alice.post(login, ALICE)
    assert back["Location"] == page
    assert text_of(own) == kept, "nothing is stored before they are known"
    shown = as_alice.get(page)
    html = shown.content.decode()
    assert AGAIN in words(html)
    assert shown.context["text"] == mine
    assert 'data-unsaved="yes"' in html
    assert AGAIN not in words(as_alice.get(page).content.decode())
    as_alice.post(page, {"source": shown.context["text"], "revision": shown.context["revision"], "do": "save"})
    assert text_of(own) == mine


def test_what_was_stored_meanwhile_is_not_written_over(as_alice: Client, alice: User, own: Problem) -> None:
    page, kept = address("author-problem", own), text_of(own)
    login = sent_signed_out(as_alice, page, form(own, f"{kept}# mine\n", learner=alice.pk))
    save_draft(author=alice, problem=own, source=f"{kept}# from elsewhere\n", revision=editor_of(own).revision)
    as_alice.post(login, ALICE)
    shown = as_alice.get(page)
    sent = {"source": shown.context["text"], "revision": shown.context["revision"], "do": "save"}
    told = as_alice.post(page, sent)
    assert told.status_code == 409
    assert "from elsewhere" in told.content.decode()
    assert text_of(own).endswith("# from elsewhere\n")


def test_a_form_is_filled_again(as_alice: Client, alice: User, own: Problem) -> None:
    page = address("author-guided", own)
    fields = {"title": "Typed for nothing?", "learner": str(alice.pk), "revision": "1", "do": "keep"}
    as_alice.post(sent_signed_out(as_alice, page, fields), ALICE)
    html = as_alice.get(page).content.decode()
    assert AGAIN in words(html)
    assert value_of(html, "box-title") == "Typed for nothing?"
    as_alice.post(page, fields)
    assert "title: Typed for nothing?" in text_of(own)


def test_nobody_else_is_shown_it(as_alice: Client, alice: User, own: Problem, charlie: User) -> None:
    charlie.is_instructor = True
    charlie.save()
    page = address("author-problem", own)
    sent_signed_out(as_alice, page, form(own, "title: a secret", learner=alice.pk))
    as_alice.post("/accounts/login/", {"login": "charlie", "password": "charlie is elsewhere"})
    assert "a secret" not in as_alice.get(page).content.decode()
    own.is_shared = True
    own.save()
    for name in ("author-problem", "author-guided"):
        assert "a secret" not in as_alice.get(address(name, own)).content.decode()


def test_no_more_waits_than_could_be_stored(as_alice: Client, alice: User, own: Problem) -> None:
    page = address("author-problem", own)
    login = sent_signed_out(as_alice, page, form(own, "x" * (MOST_CHARACTERS + 1), learner=alice.pk))
    assert as_alice.post(login, ALICE)["Location"] == page
    assert as_alice.get(page).context["text"] == text_of(own)
    assert max(len(row.session_data) for row in Session.objects.all()) < 10_000
