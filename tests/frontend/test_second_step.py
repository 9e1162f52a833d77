"""The second step of signing in: switched on by somebody, asked after their password, and not to be gone around."""

import re
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.core.management import call_command
from django.test import Client

from exercises.models import AuditEntry, Course, User
from tests.authenticator import AT, STEP, clock_stands, code_at, given_second_step

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("servers")]
PASSWORD = "alice teaches here"
LOGIN, ASKED, PAGE = "/accounts/login/", "/accounts/second-step/authenticate/", "/accounts/second-step/"
ACCOUNT = "/accounts/password/change/"


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    clock_stands(monkeypatch)


@pytest.fixture
def codes(alice: User) -> list[str]:
    """Alice has a second step; her recovery codes."""
    return given_second_step(alice)


def half_in() -> Client:
    """A browser in which Alice's password was typed, and no more."""
    client = Client()
    response = client.post(LOGIN, {"login": "alice", "password": PASSWORD})
    assert response["Location"] == ASKED
    return client


def is_in(client: Client) -> bool:
    """Whether a browser is signed in."""
    return client.get("/courses/").status_code == 200


def text_of(response: Any) -> str:
    return str(response.content.decode())


def test_the_app_of_these_tests_shows_what_the_rfc_says() -> None:
    assert [code_at(59), code_at(1_111_111_109), code_at(20_000_000_000)] == ["287082", "081804", "353130"]


def test_it_is_switched_on_and_asked_from_then_on(alice: User) -> None:
    client = Client()
    client.post(LOGIN, {"login": "alice", "password": PASSWORD})
    assert f'href="{PAGE}"' in text_of(client.get(ACCOUNT))
    asked = client.get("/accounts/second-step/totp/activate/", follow=True)
    assert "Confirm that it is you" in text_of(asked)
    shown = client.post(asked.redirect_chain[-1][0], {"password": PASSWORD}, follow=True)
    secret = re.search(r"<code[^>]*>([A-Z2-7]{32})</code>", text_of(shown))
    assert secret is not None
    assert 'src="data:image/svg+xml;base64,' in text_of(shown)
    code = code_at(AT, secret[1])
    wrong = client.post("/accounts/second-step/totp/activate/", {"code": code_at(AT + 10 * STEP, secret[1])})
    assert 'id="id_code_error"' in text_of(wrong)
    kept = client.post("/accounts/second-step/totp/activate/", {"code": code}, follow=True)
    recovery = re.findall(r"<li><code>(\d{8})</code></li>", text_of(kept))
    assert len(recovery) == 10
    assert text_of(client.get("/accounts/second-step/recovery-codes/download/")).split() == recovery
    stored = str(list(Authenticator.objects.values_list("data", flat=True)))
    assert [secret[1] in stored, *(one in stored for one in recovery)] == [False] * 11
    other = half_in()
    assert not is_in(other)
    # It was used up to switch it on.
    assert 'id="id_code_error"' in text_of(other.post(ASKED, {"code": code}))
    assert other.post(ASKED, {"code": code_at(AT + STEP, secret[1])}).status_code == 302
    assert is_in(other)


@pytest.mark.usefixtures("codes")
def test_a_password_alone_opens_nothing() -> None:
    client = half_in()
    own = [f"{PAGE}{rest}" for rest in ("", "totp/deactivate/", "recovery-codes/", "recovery-codes/download/")]
    for address in ("/courses/", ACCOUNT, *own):
        assert client.get(address)["Location"].startswith(LOGIN), address
    assert client.get("/api/v1/skills").status_code == 401
    assert client.post("/accounts/second-step/totp/deactivate/")["Location"].startswith(LOGIN)
    assert Authenticator.objects.count() == 2
    assert "_auth_user_id" not in client.session


@pytest.mark.usefixtures("codes")
def test_a_code_counts_once_and_only_in_its_time() -> None:
    code = code_at(AT)
    first, second = half_in(), half_in()
    for late in (code_at(AT - 2 * STEP), code_at(AT + 2 * STEP)):
        assert first.post(ASKED, {"code": late}).status_code == 200
    assert first.post(ASKED, {"code": code}).status_code == 302
    assert is_in(first)
    for again in (code, f"{code[:3]} {code[3:]}"):
        assert second.post(ASKED, {"code": again}).status_code == 200
    assert not is_in(second)
    assert second.post(ASKED, {"code": code_at(AT - STEP)}).status_code == 302  # a phone that is half a minute late


def test_a_recovery_code_counts_once(codes: list[str]) -> None:
    first, second = half_in(), half_in()
    assert first.post(ASKED, {"code": codes[0]}).status_code == 302
    assert is_in(first)
    assert second.post(ASKED, {"code": codes[0]}).status_code == 200
    assert not is_in(second)
    assert second.post(ASKED, {"code": codes[1]}).status_code == 302


@pytest.mark.usefixtures("codes")
def test_ten_wrong_codes_close_the_door_for_a_while() -> None:
    client = half_in()
    for number in range(10):
        assert "Too many" not in text_of(client.post(ASKED, {"code": f"x{number}"}))
    assert "Too many" in text_of(client.post(ASKED, {"code": code_at(AT)}))
    other = half_in()
    assert "Too many" in text_of(other.post(ASKED, {"code": code_at(AT)}))
    assert [is_in(client), is_in(other)] == [False, False]
    said = {"username": "alice", "password": PASSWORD, "otp": code_at(AT)}
    assert Client().post("/api/v1/tokens", said, content_type="application/json").status_code == 429


def test_it_is_switched_off_after_the_password_was_asked_once_more(codes: list[str]) -> None:
    client = half_in()
    client.post(ASKED, {"code": codes[0]})
    asked = client.get("/accounts/second-step/totp/deactivate/", follow=True)
    assert "Confirm that it is you" in text_of(asked)
    shown = client.post(asked.redirect_chain[-1][0], {"password": PASSWORD}, follow=True)
    assert "Switch off two-step sign-in" in text_of(shown)
    fresh = client.post("/accounts/second-step/recovery-codes/generate/", follow=True)
    assert set(re.findall(r"<li><code>(\d{8})</code></li>", text_of(fresh))).isdisjoint(codes)
    client.post("/accounts/second-step/totp/deactivate/")
    assert not Authenticator.objects.exists()
    other = Client()
    other.post(LOGIN, {"login": "alice", "password": PASSWORD})
    assert is_in(other)


def test_a_code_proves_it_as_well_as_the_password(codes: list[str]) -> None:
    client = half_in()
    client.post(ASKED, {"code": codes[0]})
    assert "second-step/reauthenticate/" in text_of(client.get(f"/accounts/reauthenticate/?next={PAGE}"))
    address = "/accounts/second-step/reauthenticate/"
    assert 'id="id_code_error"' in text_of(client.post(address, {"code": codes[0]}))
    assert client.post(f"{address}?next={PAGE}", {"code": codes[1]})["Location"] == PAGE
    assert client.get("/accounts/second-step/recovery-codes/").status_code == 200


def test_whose_account_opens_the_work_of_others_is_told_to_switch_it_on(
    course: Course, alice: User, bob: User, as_alice: Client, as_bob: Client
) -> None:
    hint = "gives access to other people’s work"
    assert hint in text_of(as_alice.get(ACCOUNT))
    assert hint not in text_of(as_bob.get(ACCOUNT))
    course.enrolments.filter(user=bob).update(role="assistant")
    assert hint in text_of(as_bob.get(ACCOUNT))
    given_second_step(bob)
    assert hint not in text_of(as_bob.get(ACCOUNT))
    User.objects.filter(pk=alice.pk).update(is_instructor=False, is_staff=True)
    course.enrolments.all().delete()
    assert hint in text_of(as_alice.get(ACCOUNT))


def test_whom_a_platform_signs_in_is_offered_none(bob: User) -> None:
    bob.set_unusable_password()
    bob.save()
    client = Client()
    client.force_login(bob)
    page = text_of(client.get(PAGE))
    assert "your learning platform signs you in" in page
    assert "activate" not in page


def test_who_lost_it_is_let_in_by_hand_and_it_is_noted(
    course: Course, alice: User, codes: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("person", "remove-second-step", "alice", "--reason", "showed her passport")
    assert "by the password alone" in capsys.readouterr().out
    entry = AuditEntry.objects.get(course=course)
    assert (entry.deed, entry.about, entry.learner, entry.reason) == (
        "second-step-removed", "alice", alice, "showed her passport",
    )  # fmt: skip
    client = Client()
    client.post(LOGIN, {"login": "alice", "password": PASSWORD})
    assert is_in(client)
    call_command("person", "remove-second-step", "alice", "--reason", "again")
    assert "has no second step" in capsys.readouterr().out
    assert AuditEntry.objects.count() == 1
