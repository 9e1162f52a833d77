"""Who may see and change what: every page about problems, for everybody."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from exercises.actions.authoring import set_shared
from exercises.models import Problem, User
from frontend import author_urls
from tests.frontend.authoring.world import ABOUT_ONE, address, draft, form, text_of, with_version

pytestmark = pytest.mark.usefixtures("servers")

LOGIN = "/accounts/login/"
#: name: (method, status for its author, for an author elsewhere while it is a draft, and once it is shared)
ROUTES = {
    "author-problem": ("get", 200, 404, 200),
    "author-save": ("post", 422, 404, 404),
    "author-faults": ("post", 200, 404, 200),
    "author-completions": ("post", 200, 404, 200),
    "author-preview": ("post", 200, 404, 200),
    "author-try": ("post", 200, 404, 200),
    "author-check": ("get", 302, 404, 404),
    "author-publish": ("get", 200, 404, 404),
    "author-versions": ("get", 200, 404, 200),
    "author-diff": ("get", 200, 404, 200),
    "author-fork": ("get", 200, 404, 200),
    "author-guided": ("get", 200, 404, 200),
    "author-withdraw": ("get", 200, 404, 404),
    "author-restore": ("post", 302, 404, 404),
    "author-sharing": ("get", 200, 404, 404),
}
#: What a form at each of these would change, if it were let.
CHANGES: dict[str, dict[str, Any]] = {
    "author-problem": {"source": "title: Mine now", "revision": "1", "do": "save"},
    "author-save": {"source": "title: Mine now", "revision": "1"},
    "author-check": {"revision": "1"},
    "author-publish": {"summary": "Mine now", "revision": "1"},
    "author-withdraw": {"seed": "1", "reason": "Mine now"},
    "author-restore": {"digest": "0" * 64},
    "author-sharing": {"do": "share"},
}


def asked(client: Client, name: str, problem: Problem) -> Any:
    method = ROUTES[name][0]
    query = "?old=1&new=1" if name == "author-diff" else ""
    return getattr(client, method)(address(name, problem, query))


def test_every_route_has_its_row() -> None:
    names = {route.name for route in author_urls.urlpatterns}
    assert names == {"authoring", "author-new", *ROUTES} == {"authoring", "author-new", *ABOUT_ONE}


@pytest.mark.parametrize("name", ROUTES)
def test_each_person_sees_what_is_theirs(
    name: str, alice: User, as_alice: Client, as_bob: Client, as_charlie: Client, as_erin: Client
) -> None:
    _, own, draft_elsewhere, shared_elsewhere = ROUTES[name]
    problem = with_version(alice)
    people = (Client(), as_bob, as_charlie, as_erin, as_alice)
    assert [asked(person, name, problem).status_code for person in people] == [302, 404, 404, draft_elsewhere, own]
    assert asked(Client(), name, problem)["Location"].startswith(LOGIN)
    set_shared(author=alice, problem=problem, shared=True)
    assert asked(as_erin, name, problem).status_code == shared_elsewhere
    assert [asked(person, name, problem).status_code for person in (as_bob, as_charlie)] == [404, 404]


@pytest.mark.parametrize("page", ["authoring", "author-new"])
def test_the_desk_is_for_those_who_teach(page: str, as_alice: Client, as_bob: Client, as_charlie: Client) -> None:
    where = reverse(f"frontend:{page}")
    statuses = [person.get(where).status_code for person in (Client(), as_bob, as_charlie, as_alice)]
    assert statuses == [302, 404, 404, 200]
    assert as_bob.post(reverse("frontend:author-new"), {"title": "Mine"}).status_code == 404
    assert not Problem.objects.exists()


@pytest.mark.parametrize("name", CHANGES)
def test_forms_about_somebody_elses_problem_do_nothing(
    name: str, alice: User, as_bob: Client, as_charlie: Client, as_erin: Client
) -> None:
    problem = with_version(alice)
    set_shared(author=alice, problem=problem, shared=True)
    before = (text_of(problem), problem.versions.count())
    for person in (as_bob, as_charlie, as_erin):
        assert person.post(address(name, problem), CHANGES[name]).status_code == 404
    problem.refresh_from_db()
    assert (text_of(problem), problem.versions.count()) == before
    assert problem.is_shared
    assert not problem.withdrawn.exists()


def test_a_draft_of_a_shared_problem_stays_with_its_author(alice: User, as_erin: Client) -> None:
    problem = with_version(alice)
    set_shared(author=alice, problem=problem, shared=True)
    source = text_of(problem).replace("What does the model lose", "SECRET what does the model lose")
    client = Client()
    client.force_login(alice)
    client.post(address("author-problem", problem), form(problem, source))
    assert "SECRET" in text_of(problem)
    for name in ("author-problem", "author-guided", "author-versions", "author-preview", "author-try"):
        assert "SECRET" not in as_erin.get(address(name, problem)).content.decode()
    assert as_erin.get(address("author-diff", problem, "?old=1&new=draft")).status_code == 404


def test_a_form_of_somebody_who_was_signed_in_before_is_refused(alice: User, erin: User, as_alice: Client) -> None:
    problem = draft(alice)
    sent = {"source": "title: other", "revision": "1", "do": "save", "learner": str(erin.pk)}
    assert as_alice.post(address("author-problem", problem), sent).status_code == 403
    assert text_of(problem) != "title: other"


def test_forms_need_their_token(alice: User, own: Problem) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(alice)
    response = strict.post(address("author-save", own), {"source": "title: other", "revision": "1"})
    assert response.status_code == 403
    assert "title: other" not in text_of(own)
