"""The rows B, T and S of the official certification: bad launches, and good ones of every kind of person."""

import time
from typing import Any

import pytest
from django.test import Client

from exercises.models import Context, Enrolment, PlatformUser, Registration, ResourceLink, User
from tests.lti.platform import LEARNER, LEFT_OUT, MEMBERSHIP, arrived, begin, claims_of, launch, post, signed

INSTRUCTORS = {"plain": [f"{MEMBERSHIP}#Instructor"], "short": ["Instructor"]}


def assert_refused(response: Any, *words: str) -> None:
    """A 4xx page with words, and nobody signed in."""
    text = response.content.decode()
    assert 400 <= response.status_code < 500, text
    assert "This could not be opened" in text
    assert "What to do:" in text
    for word in words:
        assert word in text
    assert "_auth_user_id" not in response.wsgi_request.session
    assert not PlatformUser.objects.exists()


BAD: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "B3 wrong version": ({"version": "1.1"}, {}, "version"),
    "B4 no version": ({"version": LEFT_OUT}, {}, "version"),
    "B6 no claims of LTI": (
        dict.fromkeys(("message_type", "version", "deployment_id", "roles", "resource_link"), LEFT_OUT), {}, "LTI",
    ),
    "B7 expired": ({"exp": time.time() - 3600, "iat": time.time() - 3700}, {}, "expired"),
    "B7 made in the future": ({"iat": time.time() + 3600, "exp": time.time() + 7200}, {}, "future"),
    "B8 no message type": ({"message_type": LEFT_OUT}, {}, "message_type"),
    "B9 no roles": ({"roles": LEFT_OUT}, {}, "roles"),
    "B10 no deployment": ({"deployment_id": LEFT_OUT}, {}, "deployment_id"),
    "B11 no id of the link": ({"resource_link": {"title": "Week 1"}}, {}, "resource_link.id"),
    "B11 no link": ({"resource_link": LEFT_OUT}, {}, "resource_link"),
    "B12 no user": ({"sub": LEFT_OUT}, {}, "sub"),
    "B12 empty user": ({"sub": ""}, {}, "sub"),
}  # fmt: skip


@pytest.mark.parametrize("row", BAD)
def test_a_bad_launch_is_refused_in_words(row: str, client: Client, registration: Registration) -> None:
    changes, _, word = BAD[row]
    assert_refused(launch(client, registration, **changes), word)


def test_b1_a_token_without_kid_is_refused(client: Client, registration: Registration) -> None:
    begun = begin(client, registration)
    assert_refused(post(begun, signed(claims_of(begun, registration), kid=None)), "kid")


def test_b2_an_unknown_kid_is_looked_for_once_and_then_refused(
    client: Client, registration: Registration, platform: Any
) -> None:
    assert launch(Client(), registration).status_code == 303
    PlatformUser.objects.all().delete()
    asked = platform.times_asked("/keys")
    begun = begin(client, registration)
    assert_refused(post(begun, signed(claims_of(begun, registration), kid="another")), "kid", "key set")
    assert platform.times_asked("/keys") == asked + 1


@pytest.mark.parametrize("token", ["", "hello", "a.b.c", "{}", "e30.e30.", "." * 50])
def test_b5_what_is_no_token_is_refused(token: str, client: Client, registration: Registration) -> None:
    assert_refused(post(begin(client, registration), token))


#: What the nine rows send of a person; the roles are those of the kind of person.
NOBODY = dict.fromkeys(("name", "given_name", "family_name", "email"), LEFT_OUT)
PEOPLE: dict[str, dict[str, Any]] = {
    "1 plain": {},
    "2 several roles": {"also": ["http://purl.imsglobal.org/vocab/lis/v2/institution/person#Staff"]},
    "3 short role": {"short": True},
    "4 unknown role": {"roles": ["http://example.org/roles#Wizard"]},
    "5 no role": {"roles": []},
    "6 email only": {**NOBODY, "email": "p@lms.example"},
    "7 names only": {"email": LEFT_OUT},
    "8 no names, no email": NOBODY,
    "9 email without context": {**NOBODY, "email": "p@lms.example", "context": LEFT_OUT},
}


@pytest.mark.parametrize("row", PEOPLE)
@pytest.mark.parametrize("kind", ["Instructor", "Learner"])
def test_t_and_s_every_kind_of_person_is_taken_as_what_they_are(
    kind: str, row: str, client: Client, registration: Registration, lms_context: Context, link: ResourceLink
) -> None:
    said = dict(PEOPLE[row])
    full, also, short = f"{MEMBERSHIP}#{kind}", said.pop("also", []), said.pop("short", False)
    said.setdefault("roles", [kind if short else full, *also])
    page = arrived(client, launch(client, registration, sub="somebody", **said))
    assert page.status_code == 200
    user = User.objects.get(platform_users__sub="somebody")
    assert page.wsgi_request.user == user
    assert not user.has_usable_password()
    assert user.email == ""
    roles = list(Enrolment.objects.filter(user=user, dropped_at=None).values_list("role", flat=True))
    counts = row[0] not in "459"
    assert roles == ([kind.lower()] if counts else [])
    assert not user.is_instructor


def test_a_learner_without_a_role_reads_why_nothing_is_open(
    client: Client, registration: Registration, lms_context: Context, link: ResourceLink
) -> None:
    page = arrived(client, launch(client, registration, roles=[])).content.decode()
    assert "did not say what you are here" in page
    assert "BERT by hand" in page


def test_the_first_launch_of_a_learner_keeps_everything_that_scores_need(
    client: Client, registration: Registration
) -> None:
    """BR-115: also before anybody has connected the course."""
    arrived(client, launch(client, registration, roles=[LEARNER], sub="bob"))
    found = ResourceLink.objects.select_related("context").get()
    assert found.lineitem_url == "https://lms.example/items/1"
    assert found.context.lineitems_url == "https://lms.example/items"
    assert found.context.memberships_url == "https://lms.example/members"
    assert found.context.scopes == ["https://purl.imsglobal.org/spec/lti-ags/scope/score"]
