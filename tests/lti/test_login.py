"""Row X12: the beginning of a launch."""

from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from redis import RedisError

from exercises.models import LaunchFlow, Registration
from server.lti.views import login
from tests.lti.platform import HOME, ISSUER, LEFT_OUT, FakePlatform, begin, claims_of, post, registered, signed

GOOD = {"iss": ISSUER, "client_id": "gym", "login_hint": "42", "target_link_uri": f"{HOME}/lti/launch"}


def said(**changes: Any) -> dict[str, str]:
    """What a platform says, with changes."""
    return {name: value for name, value in {**GOOD, **changes}.items() if value is not LEFT_OUT}


def assert_refused(response: Any, reason: str) -> None:
    """A 4xx page in words; nothing was begun."""
    assert 400 <= response.status_code < 500
    assert f"<code>{reason}</code>" in response.content.decode()
    assert not LaunchFlow.objects.exists()


@pytest.mark.parametrize("way", ["get", "post"])
def test_a_launch_begins_by_get_and_by_post(way: str, client: Client, registration: Registration) -> None:
    response = getattr(client, way)("/lti/login", said(lti_message_hint="a/b+c=&d"))
    assert response.status_code == 302
    address = urlsplit(response["Location"])
    asked = {name: values for name, values in parse_qs(address.query).items() if name not in ("state", "nonce")}
    assert f"{address.scheme}://{address.netloc}{address.path}" == registration.login_url
    assert asked == {
        "scope": ["openid"], "response_type": ["id_token"], "response_mode": ["form_post"], "prompt": ["none"],
        "client_id": ["gym"], "redirect_uri": [f"{HOME}/lti/launch"], "login_hint": ["42"],
        "lti_message_hint": ["a/b+c=&d"],
    }  # fmt: skip


def test_an_address_of_the_platform_that_has_parameters_keeps_them(client: Client, registration: Registration) -> None:
    Registration.objects.update(login_url="https://lms.example/auth?tenant=7&x=")
    asked = parse_qs(urlsplit(client.get("/lti/login", said())["Location"]).query, keep_blank_values=True)
    assert (asked["tenant"], asked["x"], asked["client_id"]) == (["7"], [""], ["gym"])


def test_without_a_client_id_the_one_registration_of_the_issuer_is_meant(
    client: Client, registration: Registration
) -> None:
    assert client.get("/lti/login", said(client_id=LEFT_OUT)).status_code == 302


def test_without_a_client_id_several_registrations_of_an_issuer_are_not_told_apart(
    client: Client, registration: Registration, platform: FakePlatform
) -> None:
    registered(platform, client_id="friend")
    assert_refused(client.get("/lti/login", said(client_id=LEFT_OUT)), "client-id")
    response = client.get("/lti/login", said(client_id="friend"))
    assert "client_id=friend" in response["Location"]


@pytest.mark.parametrize("changes", [{"iss": "https://nobody.example"}, {"client_id": "nobody"}])
def test_an_unknown_platform_is_told_so_inside_its_own_frame(
    changes: dict[str, str], client: Client, registration: Registration
) -> None:
    response = client.get("/lti/login", said(**changes))
    assert_refused(response, "unknown-platform")
    assert "X-Frame-Options" not in response.headers


@pytest.mark.parametrize("name", ["iss", "login_hint", "target_link_uri"])
@pytest.mark.parametrize("value", [LEFT_OUT, "", "a\x00b", "x" * 9000])
def test_a_parameter_that_is_missing_or_nonsense_is_named(
    name: str, value: Any, client: Client, registration: Registration
) -> None:
    response = client.post("/lti/login", said(**{name: value}))
    assert_refused(response, "login-parameter")
    assert name in response.content.decode()


@pytest.mark.parametrize(
    "target",
    ["https://evil.example/lti/launch", f"{HOME}.evil.example/lti/launch", f"{HOME}@evil.example/lti/launch",
     f"{HOME}/", f"{HOME}/courses/", "/lti/launch", "javascript:alert(1)", f"{HOME}:99/lti/launch", "https:///"],
)  # fmt: skip
def test_a_target_that_is_not_ours_to_launch_is_refused(
    target: str, client: Client, registration: Registration
) -> None:
    assert_refused(client.get("/lti/login", said(target_link_uri=target)), "target")


@pytest.mark.parametrize("target", [f"{HOME}/lti/launch?set=1", f"{HOME}/lti/deep-link"])
def test_a_target_of_ours_may_say_more(target: str, client: Client, registration: Registration) -> None:
    assert client.get("/lti/login", said(target_link_uri=target)).status_code == 302


def test_what_the_browser_keeps_is_kept_in_frames_and_by_no_script(client: Client, registration: Registration) -> None:
    cookies = client.get("/lti/login", said()).cookies
    morsel = next(iter(cookies.values()))
    assert (morsel["samesite"], morsel["secure"], morsel["httponly"], morsel["path"]) == ("None", True, True, "/")
    assert "; Partitioned" in morsel.OutputString()
    assert LaunchFlow.objects.get().browser_digest not in morsel.OutputString()


def test_with_https_no_neighbour_can_plant_that_cookie(
    client: Client, registration: Registration, settings: Any
) -> None:
    settings.HTTPS = True
    response = client.get("/lti/login", said(target_link_uri="https://testserver/lti/launch"), secure=True)
    assert all(name.startswith("__Host-") for name in response.cookies)


def test_a_platform_that_lends_storage_gets_a_page_that_uses_it(client: Client, registration: Registration) -> None:
    response = client.post("/lti/login", said(lti_storage_target="_parent"))
    text = response.content.decode()
    assert response.status_code == 200
    assert f'data-origin="{registration.login_url.removesuffix("/auth")}"' in text
    assert "frame-ancestors http://127.0.0.1:" in response["Content-Security-Policy"]
    assert response.cookies


def test_a_stranger_writes_no_rows_without_end(
    client: Client, registration: Registration, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("exercises.limits.time", SimpleNamespace(time=lambda: 1_000_000.0))
    monkeypatch.setattr(login, "MOST_A_MINUTE", 3)
    answers = [client.get("/lti/login", said()) for _ in range(5)]
    assert [one.status_code for one in answers] == [302] * 3 + [429] * 2
    assert "Wait a minute" in answers[-1].content.decode()
    assert "X-Frame-Options" not in answers[-1].headers
    assert LaunchFlow.objects.count() == 3
    assert client.get("/lti/login", said(), REMOTE_ADDR="192.0.2.7").status_code == 302


def test_a_class_behind_one_address_comes_in_at_once() -> None:
    assert login.MOST_A_MINUTE >= 300


def test_while_nothing_can_be_counted_launches_go_on(
    client: Client, registration: Registration, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> int:
        raise RedisError("down")

    monkeypatch.setattr(login, "count", fail)
    assert client.get("/lti/login", said()).status_code == 302


def test_of_a_launch_no_more_is_kept_than_a_platform_needs(client: Client, registration: Registration) -> None:
    def kept(size: int) -> dict[str, str]:
        hint = "x" * size
        response = client.post("/lti/login", said(lti_message_hint=hint, lti_deployment_id=hint))
        assert parse_qs(urlsplit(response["Location"]).query)["lti_message_hint"] == [hint]
        return LaunchFlow.objects.latest("pk").said

    assert kept(900)["lti_message_hint"] == "x" * 900
    assert kept(8000) == {}


def test_a_launch_of_which_too_much_was_said_is_begun_again_in_the_course(registration: Registration) -> None:
    begun = begin(Client(), registration, lti_message_hint="x" * 8000)
    response = post(begun, signed(claims_of(begun, registration)), client=Client())
    assert response.status_code == 403
    assert "let the link open in a new window" in response.content.decode()
    assert "/lti/login" not in response.content.decode()
