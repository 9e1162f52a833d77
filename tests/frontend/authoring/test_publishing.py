"""From draft to version: the gate with its reasons, what is new, and what becomes of it afterwards."""

import pytest
from django.test import Client

from exercises.models import Problem, User
from exercises.tasks import check_draft
from tests.frontend.authoring.world import BROKEN, address, draft, form, signed_in, text_of, with_version
from tests.frontend.world import part, words

pytestmark = pytest.mark.usefixtures("servers")
#: A mistake that always comes to the key.
IDLE = ("is: -log2(p)", "is: -ln(p)")


def publish(client: Client, problem: Problem, summary: str = "What is new.") -> str:
    sent = {"summary": summary, "revision": form(problem, "")["revision"]}
    return client.post(address("author-publish", problem), sent, follow=True).content.decode()


def test_a_draft_that_passes_becomes_a_version(as_alice: Client, own: Problem) -> None:
    before = words(as_alice.get(address("author-publish", own)).content.decode())
    assert "not checked yet" in before
    html = publish(as_alice, own, "The first one.")
    assert "Version 1 is published" in words(html)
    assert "The first one." in words(html)
    own.refresh_from_db()
    assert own.current is not None
    assert own.current.number == 1


def test_one_that_fails_is_refused_with_the_reason(as_alice: Client, alice: User) -> None:
    problem = draft(alice)
    source = text_of(problem).replace(*IDLE)
    as_alice.post(address("author-problem", problem), form(problem, source))
    html = publish(as_alice, problem)
    assert "loss.log2" in words(html)
    problem.refresh_from_db()
    assert problem.current is None
    # What is known to fail has no button, only its reasons.
    again = as_alice.get(address("author-publish", problem)).content.decode()
    assert "loss.log2" in words(again)
    assert 'name="summary"' not in again


def test_one_that_cannot_be_read_has_no_button(as_alice: Client, alice: User) -> None:
    problem = draft(alice, source=BROKEN)
    html = as_alice.get(address("author-publish", problem)).content.decode()
    assert "cannot be read yet" in words(html)
    assert 'name="summary"' not in html
    assert publish(as_alice, problem)
    problem.refresh_from_db()
    assert problem.current is None


def test_a_word_about_what_is_new_is_asked_for(as_alice: Client, own: Problem) -> None:
    sent = {"summary": " ", "revision": form(own, "")["revision"]}
    assert as_alice.post(address("author-publish", own), sent).status_code == 422
    own.refresh_from_db()
    assert own.current is None


def test_a_change_is_shown_before_it_is_published(as_alice: Client, alice: User) -> None:
    problem = with_version(alice)
    source = text_of(problem).replace("step: 0.01", "step: 0.05").replace("in nats", "in natural units")
    as_alice.post(address("author-problem", problem), form(problem, source))
    html = as_alice.get(address("author-publish", problem)).content.decode()
    assert "What is new since version 1" in words(html)
    assert "natural units" in words(html)
    assert "Variants in flight" in words(html)
    assert "Version 2 is published" in words(publish(as_alice, problem))
    diff = words(as_alice.get(address("author-diff", problem, "?old=1&new=2")).content.decode())
    assert "step: 0.05" in diff
    back = as_alice.get(address("author-diff", problem, "?old=2&new=draft")).content.decode()
    assert "The two texts are the same" in words(back)


@pytest.mark.parametrize("query", ["", "?old=1", "?old=1&new=9", "?old=x&new=1", "?old=²&new=1", "?old=-1&new=1"])
def test_versions_that_there_are_not(query: str, as_alice: Client, alice: User) -> None:
    problem = with_version(alice)
    assert as_alice.get(address("author-diff", problem, query)).status_code == 404


def test_the_check_is_asked_for_waited_for_and_shown(as_alice: Client, own: Problem, published: list[str]) -> None:
    html = as_alice.post(
        address("author-check", own), {"revision": form(own, "")["revision"]}, headers={"HX-Request": "true"}
    ).content.decode()
    assert "being checked" in words(html)
    assert 'hx-trigger="load delay' in html
    own.draft.refresh_from_db()
    check_draft(own.draft.pk, own.draft.checked_digest)
    html = as_alice.get(address("author-check", own), headers={"HX-Request": "true"}).content.decode()
    assert "passes" in words(html)
    assert "hx-trigger" not in html.partition("<h2")[0]
    assert "loss.log2" in words(html)
    assert "<svg" in html


def test_seeds_are_withdrawn_and_given_back(as_alice: Client, alice: User) -> None:
    problem = with_version(alice)
    refused = as_alice.post(address("author-withdraw", problem), {"seed": "1", "reason": ""})
    assert refused.status_code == 422
    done = as_alice.post(address("author-withdraw", problem), {"seed": "1", "reason": "Too easy."}, follow=True)
    assert "Too easy." in words(done.content.decode())
    row = problem.withdrawn.get()
    as_alice.post(address("author-restore", problem), {"digest": row.digest})
    assert not problem.withdrawn.exists()


def test_sharing_licence_and_the_end(as_alice: Client, alice: User, erin: User) -> None:
    problem = with_version(alice)
    where = address("author-sharing", problem)
    assert "Other authors may use and fork it" in words(
        as_alice.post(where, {"do": "share"}, follow=True).content.decode()
    )
    listed = words(signed_in(erin).get("/author/?show=others").content.decode())
    assert "Loss of one word" in listed
    assert "by alice" in listed
    as_alice.post(where, {"do": "licence", "licence": "CC BY 4.0"})
    as_alice.post(where, {"do": "retire"})
    problem.refresh_from_db()
    assert (problem.licence, problem.retired) == ("CC BY 4.0", True)
    assert "Loss of one word" in words(as_alice.get("/author/?show=retired").content.decode())
    as_alice.post(where, {"do": "back"})
    as_alice.post(where, {"do": "unshare"})
    problem.refresh_from_db()
    assert not problem.is_shared
    assert not problem.retired
    assert as_alice.post(where, {"do": "nonsense"}).status_code == 200
    assert as_alice.post(where, {"do": "licence", "licence": "x" * 81}).status_code == 422


def test_a_fork_remembers_where_it_came_from(as_alice: Client, alice: User, erin: User) -> None:
    problem = with_version(alice)
    as_alice.post(address("author-sharing", problem), {"do": "licence", "licence": "CC BY-SA 4.0"})
    as_alice.post(address("author-sharing", problem), {"do": "share"})
    page = signed_in(erin).post(address("author-fork", problem), {"title": "My own loss"}, follow=True)
    html = words(page.content.decode())
    assert "My own loss" in html
    assert "forked from Loss of one word , version 1" in html
    fork = Problem.objects.get(owner=erin)
    assert fork.licence == "CC BY-SA 4.0"
    assert "title: My own loss" in text_of(fork)


def test_a_draft_that_was_never_published_is_thrown_away(as_alice: Client, own: Problem) -> None:
    sent = {"do": "discard", "revision": form(own, "")["revision"]}
    page = as_alice.post(address("author-sharing", own), sent, follow=True)
    assert "thrown away" in part(page.content.decode(), "main")
    assert not Problem.objects.exists()


def test_what_is_published_is_checked_again_without_a_change(as_alice: Client, alice: User) -> None:
    problem = with_version(alice)
    sent = {"revision": form(problem, "")["revision"]}
    script = {"HX-Request": "true"}
    html = as_alice.post(address("author-check", problem), sent, headers=script).content.decode()
    assert "passed already" in words(html)
    assert "notice-error" not in html
