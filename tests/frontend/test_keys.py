"""The page of one's keys: made and shown once, seen again by their heads, and taken away."""

import re

import pytest
from django.test import Client

from exercises.actions import issue_token, make_client
from exercises.models import AccessToken, Course, User
from exercises.models import Client as System
from exercises.scopes import SCOPES
from tests.frontend.world import words

pytestmark = pytest.mark.usefixtures("servers")
#: What only somebody who teaches can give away.
TEACHING = "set grades"


def secret_of(html: str) -> str:
    found = re.search(r'<code id="secret"[^>]*>([^<]+)</code>', html)
    assert found
    return found[1]


def test_a_token_is_made_shown_once_and_opens(as_bob: Client, bob: User, course: Course) -> None:
    form = {"name": "notebook", "scopes": ["practice"], "days": "30", "course": "", "learner": bob.pk}
    made = as_bob.post("/keys/new/", form)
    assert made.status_code == 200
    assert "no-store" in made["Cache-Control"]
    token = secret_of(made.content.decode())
    assert as_bob.get("/api/v1/skills", headers={"Authorization": f"Bearer {token}"}).status_code == 200
    page = words(as_bob.get("/keys/").content.decode())
    assert token not in page
    assert token[:10] in page
    assert "notebook" in page
    assert "practise, sit sets and review cards as yourself" in page
    row = AccessToken.objects.get()
    assert (row.scopes, row.course) == (["practice"], None)
    assert (row.expires_at - row.created_at).total_seconds() == pytest.approx(30 * 86_400, abs=60)


def test_a_token_for_one_course(as_alice: Client, alice: User, course: Course, elsewhere: Course) -> None:
    form = {"name": "roster", "scopes": ["roster.read", "roster.write"], "days": "90", "learner": alice.pk}
    assert as_alice.post("/keys/new/", {**form, "course": str(elsewhere.public_id)}).status_code == 422
    assert as_alice.post("/keys/new/", {**form, "course": str(course.public_id)}).status_code == 200
    assert AccessToken.objects.get().course == course
    assert "BERT by hand" in words(as_alice.get("/keys/").content.decode())


def test_each_scope_stands_there_by_the_name_that_guides_and_refusals_give_it(as_alice: Client) -> None:
    for address in ("/keys/new/", "/keys/systems/new/"):
        page = as_alice.get(address).content.decode()
        assert re.findall(r"<code>([a-z.]+)</code></label>", page) == list(SCOPES)


def test_what_a_learner_may_not_do_is_not_offered_to_their_programs(as_bob: Client, as_alice: Client) -> None:
    assert TEACHING not in as_bob.get("/keys/new/").content.decode()
    assert TEACHING in as_alice.get("/keys/new/").content.decode()


@pytest.mark.parametrize(
    "wrong", [{"name": ""}, {"scopes": []}, {"scopes": ["root"]}, {"days": "366"}, {"days": "x"}, {"course": "x"}]
)
def test_a_form_that_will_not_do_says_why_and_makes_none(as_alice: Client, wrong: dict[str, object]) -> None:
    form = {"name": "notebook", "scopes": ["practice"], "days": "30", "course": "", **wrong}
    refused = as_alice.post("/keys/new/", form)
    assert refused.status_code == 422
    assert "form-error" in refused.content.decode()
    assert not AccessToken.objects.exists()


def test_a_token_is_revoked_by_its_owner_alone(as_bob: Client, as_charlie: Client, bob: User) -> None:
    token, row = issue_token(user=bob, label="notebook")
    form = {"do": "revoke", "token": str(row.public_id)}
    assert as_charlie.post("/keys/", form).status_code == 404
    assert as_bob.get("/api/v1/skills", headers={"Authorization": f"Bearer {token}"}).status_code == 200
    assert "is revoked" in words(as_bob.post("/keys/", form, follow=True).content.decode())
    assert Client().get("/api/v1/skills", headers={"Authorization": f"Bearer {token}"}).status_code == 401
    assert as_bob.post("/keys/", form).status_code == 404


def test_who_teaches_lets_a_system_in_changes_its_secret_and_shuts_it_out(
    as_alice: Client, as_bob: Client, as_charlie: Client, alice: User
) -> None:
    form = {"name": "Campus", "scopes": ["roster.read"], "course": ""}
    assert as_bob.get("/keys/systems/new/").status_code == 404
    assert as_bob.post("/keys/systems/new/", form).status_code == 404
    first = secret_of(as_alice.post("/keys/systems/new/", form).content.decode())
    system = System.objects.get()
    assert (system.user, system.scopes) == (alice, ["roster.read"])
    page = words(as_alice.get("/keys/").content.decode())
    assert system.client_id in page
    assert first not in page

    def opens(secret: str) -> int:
        said = {"grant_type": "client_credentials", "client_id": system.client_id, "client_secret": secret}
        return Client().post("/oauth/token", said).status_code

    assert opens(first) == 200
    for do in ("rotate", "remove"):
        assert as_charlie.post("/keys/", {"do": do, "client": system.client_id}).status_code == 404
    second = secret_of(as_alice.post("/keys/", {"do": "rotate", "client": system.client_id}).content.decode())
    assert (opens(first), opens(second)) == (401, 200)
    as_alice.post("/keys/", {"do": "remove", "client": system.client_id})
    assert opens(second) == 401
    assert not System.objects.exists()


@pytest.mark.parametrize("form", [{}, {"do": "everything"}, {"do": "revoke", "token": "x"}, {"do": "rotate"}])
def test_nonsense_changes_nothing(as_alice: Client, alice: User, form: dict[str, str]) -> None:
    issue_token(user=alice)
    make_client(user=alice, name="Campus", scopes=["practice"])
    assert as_alice.post("/keys/", form).status_code == 404
    assert AccessToken.objects.filter(revoked_at=None).count() == System.objects.count() == 1


def test_strangers_are_asked_to_sign_in(client: Client) -> None:
    for address in ("/keys/", "/keys/new/", "/keys/systems/new/"):
        assert client.get(address).status_code == 302


def test_the_account_leads_to_the_keys_and_they_to_the_description(as_bob: Client, client: Client) -> None:
    assert "/keys/" in as_bob.get("/accounts/password/change/").content.decode()
    assert "/api/v1/docs" in as_bob.get("/keys/").content.decode()
    described = client.get("/api/v1/docs")
    assert described.status_code == 200
    html = described.content.decode()
    assert "/api/v1/variants/{public_id}/answers" in html
    assert "insufficient-scope" in html
    linked = set(re.findall(r'href="#([^"]+)"', html)) - {"main"}
    assert linked <= set(re.findall(r' id="([^"]+)"', html))


@pytest.mark.parametrize("rows", [1, 20])
def test_the_page_costs_the_same_however_many_keys(
    rows: int, as_alice: Client, alice: User, course: Course, django_assert_num_queries: object
) -> None:
    for number in range(rows):
        issue_token(user=alice, label=str(number), course=course)
        make_client(user=alice, name=f"System {number}", scopes=["practice"], course=course)
    with django_assert_num_queries(4):  # type: ignore[operator]
        as_alice.get("/keys/")
