"""What is believed of the addresses of a platform: from people who teach less than from who runs the service."""

from typing import Any

import pytest

from exercises.lti.addresses import is_own_audience
from exercises.models import Registration, User
from tests.lti.test_connections import FORM, Registrar, accept, as_user, invited, registrar

__all__ = ["registrar"]

ELSEWHERE = "https://lms.example/token"


# --- what we sign, and for whom ---------------------------------------------------------------------------------------


@pytest.mark.usefixtures("platform")
@pytest.mark.parametrize("audience", [ELSEWHERE, "lms", "http://127.0.0.1/token", "https://127.0.0.1:8443/token"])
def test_nobody_who_teaches_has_us_sign_for_one_place_and_send_it_to_another(
    audience: str, alice: User, operator: User
) -> None:
    form = {**FORM, "token_audience": audience}
    response = as_user(alice).post("/lms/new/", form)
    assert response.status_code == 422
    assert "id_token_audience_error" in response.content.decode()
    assert not Registration.objects.exists()
    assert as_user(operator).post("/lms/new/", form).status_code == 302
    assert Registration.objects.get().token_audience == audience


@pytest.mark.usefixtures("platform")
def test_an_audience_that_was_put_in_for_them_stays_when_they_edit_and_no_other_comes(alice: User) -> None:
    client = as_user(alice)
    assert client.post("/lms/new/", {**FORM, "token_audience": "https://127.0.0.1/oauth"}).status_code == 302
    made = Registration.objects.get()
    address = f"/lms/{made.public_id}/edit/"
    assert client.post(address, {**FORM, "token_audience": ELSEWHERE}).status_code == 422
    Registration.objects.update(token_audience=ELSEWHERE)
    assert client.post(address, {**FORM, "token_audience": ELSEWHERE, "name": "Ours"}).status_code == 302
    moved = {**FORM, "token_audience": ELSEWHERE, "token_url": "https://127.0.0.1/other"}
    assert client.post(address, moved).status_code == 422
    made.refresh_from_db()
    assert (made.name, made.token_audience, made.token_url) == ("Ours", ELSEWHERE, FORM["token_url"])


@pytest.mark.parametrize("is_by_operator", [False, True])
def test_no_platform_that_registers_itself_has_us_sign_for_another(
    is_by_operator: bool, registrar: Registrar, alice: User, operator: User
) -> None:
    address = invited(as_user(operator if is_by_operator else alice))
    configuration: Any = registrar.configuration
    configuration["authorization_server"] = ELSEWHERE
    platform_said = configuration["https://purl.imsglobal.org/spec/lti-platform-configuration"]
    platform_said["authorization_server"] = ELSEWHERE
    response = accept(address, registrar)
    assert response.status_code == 400
    assert "<code>audience</code>" in response.content.decode()
    assert not registrar.sent
    assert not Registration.objects.exists()
    configuration["authorization_server"] = f"{registrar.platform.url}/oauth"
    assert accept(address, registrar).status_code == 200
    assert Registration.objects.get().token_audience == f"{registrar.platform.url}/oauth"


@pytest.mark.parametrize(
    ("audience", "token_url", "expected"),
    [
        ("", "https://lms.example/token", True),
        ("https://lms.example/token", "https://lms.example/token", True),
        ("https://LMS.example:443/other", "https://lms.example/token", True),
        ("https://api.brightspace.com/auth/token", "https://auth.brightspace.com/core/connect/token", True),
        ("https://api.brightspace.com/auth/token", "https://auth.brightspace.com.evil.example/token", False),
        ("https://api.brightspace.com/auth/token", "https://evil.example/token", False),
        ("https://lms.example.org/token", "https://lms.example/token", False),
        ("https://lms.example@evil.example/", "https://lms.example/token", False),
        ("https://lms.example/token", "", False),
        ("anything", "", False),
    ],
)
def test_an_audience_is_at_the_origin_that_it_is_sent_to(audience: str, token_url: str, expected: bool) -> None:
    assert is_own_audience(audience, token_url) is expected
