"""Keys for programs: told once, stored as a hash, revocable, and not to be guessed at."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.cache import cache
from django.db import connection
from rest_framework.test import APIClient

from exercises.limits import count
from exercises.models import AccessToken, User
from server.api import throttles
from server.api.throttles import PasswordThrottle, SharedThrottle, WorkThrottle
from tests.api.conftest import Client
from tests.authenticator import AT, STEP, clock_stands, code_at, given_second_step

pytestmark = pytest.mark.usefixtures("servers")
LOGIN = {"username": "bob", "password": "bob learns here"}


def test_a_password_gets_a_token_that_opens(bob: User) -> None:
    client = APIClient()
    issued = client.post("/api/v1/tokens", {**LOGIN, "label": "notebook"}, format="json")
    assert (issued.status_code, issued["Cache-Control"]) == (201, "no-store")
    token = issued.json()["token"]
    assert token not in str(AccessToken.objects.values().get())
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")
    [listed] = client.get("/api/v1/tokens").json()
    assert (listed["label"], "token" in listed) == ("notebook", False)
    assert client.delete(f"/api/v1/tokens/{listed['id']}").status_code == 204
    assert client.get("/api/v1/tokens").status_code == 401


@pytest.mark.parametrize(
    "wrong",
    [{"password": "guess"}, {"username": "nobody"}, {"password": "bob learns here "}],
)
def test_a_wrong_name_or_password_gets_none(bob: User, wrong: dict[str, str]) -> None:
    refused = APIClient().post("/api/v1/tokens", {**LOGIN, **wrong}, format="json")
    assert (refused.status_code, refused["Content-Type"]) == (401, "application/problem+json")
    assert not AccessToken.objects.exists()


def test_who_has_left_gets_none(bob: User) -> None:
    User.objects.update(is_active=False)
    assert APIClient().post("/api/v1/tokens", LOGIN, format="json").status_code == 401


def test_an_account_with_a_second_step_wants_its_code_as_well(bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    clock_stands(monkeypatch)
    recovery = given_second_step(bob)

    def asked(**said: str) -> tuple[int, str]:
        answer = APIClient().post("/api/v1/tokens", {**LOGIN, **said}, format="json")
        return answer.status_code, answer.json().get("code", "")

    assert asked() == asked(otp="") == (401, "code-wanted")
    assert asked(otp=code_at(AT + 5 * STEP)) == (401, "wrong-code")
    assert asked(otp=code_at(AT), password="guess") == (401, "wrong-password")
    assert not AccessToken.objects.exists()
    assert asked(otp=code_at(AT)) == (201, "")
    assert asked(otp=code_at(AT)) == (401, "wrong-code")
    assert asked(otp=recovery[0]) == (201, "")
    assert AccessToken.objects.count() == 2


@pytest.mark.parametrize("header", ["Bearer", "Bearer ", "Bearer gym_wrong", "Bearer a b", "bearer \xff", "Bearer é"])
def test_a_wrong_token_is_refused_and_never_taken_for_nobody(bob: User, header: str) -> None:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=header)
    refused = client.get("/api/v1/problems")
    assert refused.status_code == 401
    assert refused["WWW-Authenticate"].startswith("Bearer")


def test_nobody_revokes_somebody_elses(bob: User, charlie: User, client_of: Client) -> None:
    his = client_of(bob)
    token = AccessToken.objects.get(user=bob)
    assert client_of(charlie).delete(f"/api/v1/tokens/{token.public_id}").status_code == 404
    assert his.get("/api/v1/tokens").status_code == 200


@pytest.fixture
def _stopped_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """No window ends while a test counts."""
    monkeypatch.setattr(SharedThrottle, "clock", staticmethod(lambda: 1_000_000.0))


@pytest.mark.usefixtures("_stopped_clock")
def test_passwords_are_tried_slowly_per_name(bob: User) -> None:
    client = APIClient()
    tries = [client.post("/api/v1/tokens", {**LOGIN, "password": f"guess {k}"}, format="json") for k in range(12)]
    assert [one.status_code for one in tries] == [401] * PasswordThrottle.per_name + [429, 429]
    assert tries[-1].json()["code"] == "throttled"
    assert int(tries[-1]["Retry-After"]) <= PasswordThrottle.window
    assert client.post("/api/v1/tokens", LOGIN, format="json").status_code == 429  # even if this one is right
    other = client.post("/api/v1/tokens", {**LOGIN, "username": "charlie"}, format="json")
    assert other.status_code == 401  # others behind the same address go on


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("_stopped_clock")
def test_parallel_tries_do_not_slip_past_each_other() -> None:
    """Each request adds to one counter; none of them writes back what it read."""
    User.objects.create_user("bob", password="bob learns here")
    gate = threading.Barrier(20)

    def guess(number: int) -> int:
        try:
            gate.wait(timeout=10)
            return APIClient().post("/api/v1/tokens", {**LOGIN, "password": "guess"}, format="json").status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(20) as pool:
        statuses = list(pool.map(guess, range(20)))
    assert statuses.count(401) == PasswordThrottle.per_name


@pytest.mark.usefixtures("no_redis")
def test_a_password_cannot_be_tried_while_tries_cannot_be_counted(bob: User) -> None:
    assert APIClient().post("/api/v1/tokens", LOGIN, format="json").status_code == 503
    assert not AccessToken.objects.exists()


@pytest.mark.usefixtures("_stopped_clock")
def test_work_is_limited_per_user(bob: User, charlie: User, client_of: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WorkThrottle, "per_user", 2)
    busy = client_of(bob)
    statuses = [busy.post("/api/v1/problems/nowhere/variants").status_code for _ in range(3)]
    assert statuses == [404, 404, 429]
    assert client_of(charlie).post("/api/v1/problems/nowhere/variants").status_code == 404


@pytest.mark.usefixtures("no_redis")
def test_work_goes_on_while_nothing_can_be_counted(bob: User, client_of: Client) -> None:
    busy = client_of(bob)
    statuses = {busy.post("/api/v1/problems/nowhere/variants").status_code for _ in range(WorkThrottle.per_user + 1)}
    assert statuses == {404}


def test_nonsense_that_is_nested_deeply_is_a_problem_document_also_for_strangers() -> None:
    refused = APIClient().post("/api/v1/tokens", "[" * 100_000, content_type="application/json")
    assert (refused.status_code, refused["Content-Type"]) == (400, "application/problem+json")


def test_counters_count_from_one_per_window() -> None:
    at = {"now": 1_000_000.0}
    assert [count("a", 60, **at), count("a", 60, **at), count("b", 60, **at)] == [1, 2, 1]
    assert count("a", 60, now=1_000_060.0) == 1


def test_a_counter_that_is_emptied_between_two_commands_starts_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "add", lambda *_, **__: False)  # so the count is not there when it is added to
    assert count("a", 60) == 1


def test_only_a_proxy_is_believed_about_addresses(settings: object, rf: object) -> None:
    request = rf.get("/", headers={"X-Forwarded-For": "6.6.6.6, 9.9.9.9"}, REMOTE_ADDR="1.1.1.1")  # type: ignore[attr-defined]
    settings.SECURE_PROXY_SSL_HEADER = None  # type: ignore[attr-defined]
    assert throttles.address_of(request) == "1.1.1.1"
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")  # type: ignore[attr-defined]
    assert throttles.address_of(request) == "9.9.9.9"
