"""What is believed of the addresses of a platform: from people who teach less than from who runs the service."""

from typing import Any
from unittest.mock import patch

import pytest
from django.test import Client

from exercises.lti.addresses import is_own_audience
from exercises.models import Registration, ResourceLink, User
from tests.lti.platform import FakePlatform, arrived, launch
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


# --- which platforms people who teach register ------------------------------------------------------------------------


@pytest.mark.usefixtures("platform")
@pytest.mark.parametrize(
    ("field", "address"),
    [
        ("keys_url", "https://evil.example/keys"),
        ("login_url", "https://127.0.0.1.evil.example/auth"),
        ("token_url", "https://127.0.0.1:8443/token"),
        ("keys_url", "http://127.0.0.1/keys"),
    ],
)
def test_nobody_who_teaches_registers_an_issuer_with_addresses_elsewhere(
    field: str, address: str, alice: User, operator: User
) -> None:
    form = {**FORM, field: address}
    with patch("exercises.outgoing.refuse_address"):
        response = as_user(alice).post("/lms/new/", form)
        assert response.status_code == 422
        assert f"id_{field}_error" in response.content.decode()
        assert not Registration.objects.exists()
        assert as_user(operator).post("/lms/new/", form).status_code == 302


@pytest.mark.usefixtures("platform")
@pytest.mark.parametrize("issuer", ["https://127.0.0.1", "https://127.0.0.1/"])
def test_nobody_who_teaches_registers_another_client_of_an_issuer(issuer: str, alice: User, operator: User) -> None:
    assert as_user(operator).post("/lms/new/", FORM).status_code == 302
    form = {**FORM, "issuer": issuer, "client_id": "another"}
    response = as_user(alice).post("/lms/new/", form)
    assert response.status_code == 422
    assert "Only whoever runs this service registers another client" in response.content.decode()
    assert Registration.objects.count() == 1
    own = as_user(alice)
    other = {
        name: value.replace("127.0.0.1", "127.0.0.2") if isinstance(value, str) else value
        for name, value in FORM.items()
    }
    assert own.post("/lms/new/", other).status_code == 302
    mine = Registration.objects.get(made_by=alice)
    assert own.post(f"/lms/{mine.public_id}/edit/", form).status_code == 422
    assert own.post(f"/lms/{mine.public_id}/edit/", {**other, "name": "Mine"}).status_code == 302
    assert as_user(operator).post("/lms/new/", form).status_code == 302


@pytest.mark.usefixtures("platform")
def test_the_companies_behind_platforms_answer_for_all_of_their_customers(alice: User) -> None:
    form = {**FORM, "token_url": "https://auth.brightspace.com/core/connect/token"}
    form["token_audience"] = "https://api.brightspace.com/auth/token"
    with patch("exercises.outgoing.refuse_address"):
        assert as_user(alice).post("/lms/new/", form).status_code == 302


def test_a_link_that_somebody_who_teaches_has_made_registers_no_second_client_and_no_address_elsewhere(
    registrar: Registrar, alice: User, operator: User
) -> None:
    link_of_alice = invited(as_user(alice))
    right = registrar.configuration["jwks_uri"]
    registrar.configuration["jwks_uri"] = "https://evil.example/keys"
    assert accept(link_of_alice, registrar).status_code == 400
    registrar.configuration["jwks_uri"] = right
    Registration.objects.create(
        name="Ours", issuer=registrar.platform.url, client_id="first", login_url=right, keys_url=right
    )
    assert accept(link_of_alice, registrar).status_code == 400
    assert not registrar.sent
    assert accept(invited(as_user(operator)), registrar).status_code == 200
    assert Registration.objects.count() == 2


# --- what is settled once others rely on it ---------------------------------------------------------------------------


@pytest.fixture
def own(registration: Registration, platform: FakePlatform, alice: User) -> Registration:
    """A platform that Alice has registered, with all of its addresses at its issuer."""
    Registration.objects.update(made_by=alice, issuer=platform.url)
    registration.refresh_from_db()
    return registration


@pytest.fixture
def kept(own: Registration, link: ResourceLink) -> Registration:
    """The same, after somebody came from it."""
    arrived(Client(), launch(Client(), own, sub="victim"))
    own.refresh_from_db()
    return own


def form_of(registration: Registration, **changes: str) -> dict[str, str]:
    """The form of a registration as it is, with changes."""
    names = ("name", "kind", "issuer", "client_id", "login_url", "token_url", "keys_url", "token_audience")
    return {**{name: getattr(registration, name) for name in names}, **changes}


@pytest.mark.parametrize("field", ["issuer", "client_id", "login_url", "keys_url", "token_url", "token_audience"])
def test_who_registered_a_platform_puts_no_other_in_its_place_once_people_came_from_it(
    field: str, kept: Registration, alice: User, operator: User, caplog: pytest.LogCaptureFixture
) -> None:
    address, before = f"/lms/{kept.public_id}/edit/", getattr(kept, field)
    other = f"{kept.issuer}/other"
    response = as_user(alice).post(address, form_of(kept, **{field: other}))
    assert response.status_code == 422
    assert f"id_{field}_error" in response.content.decode()
    assert "People have come from this platform" in response.content.decode()
    assert getattr(Registration.objects.get(), field) == before
    assert as_user(alice).post(address, form_of(kept, name="Ours")).status_code == 302
    with caplog.at_level("WARNING"):
        assert as_user(operator).post(address, form_of(kept, **{field: other})).status_code == 302
    assert getattr(Registration.objects.get(), field) == other
    assert field in caplog.text


def test_the_platform_of_which_teachers_may_teach_is_settled_before_anybody_came(
    own: Registration, alice: User
) -> None:
    address, form = f"/lms/{own.public_id}/edit/", form_of(own, keys_url=f"{own.keys_url}/2")
    Registration.objects.update(lets_teach=True)
    assert as_user(alice).post(address, form).status_code == 422
    Registration.objects.update(lets_teach=False)
    assert as_user(alice).post(address, form).status_code == 302


def test_an_access_token_url_that_is_missing_is_put_in_also_later(kept: Registration, alice: User) -> None:
    token_url = kept.token_url
    Registration.objects.update(token_url="")
    assert as_user(alice).post(f"/lms/{kept.public_id}/edit/", form_of(kept, token_url=token_url)).status_code == 302
    assert Registration.objects.get().token_url == token_url


def test_a_platform_that_who_runs_the_service_has_switched_off_stays_off(
    kept: Registration, alice: User, operator: User
) -> None:
    address, keeper = f"/lms/{kept.public_id}/", as_user(alice)
    for do, state in (("off", "off"), ("on", "active")):
        keeper.post(address, {"do": do})
        assert Registration.objects.get().state == state
    as_user(operator).post(address, {"do": "off"})
    page = keeper.post(address, {"do": "on"}, follow=True).content.decode()
    assert Registration.objects.get().state == "off"
    assert "Whoever runs this service has switched it off" in page
    assert "Take launches again" not in page
    as_user(operator).post(address, {"do": "on"})
    assert Registration.objects.get().state == "active"


def test_a_deployment_that_who_runs_the_service_has_refused_stays_refused(
    kept: Registration, alice: User, operator: User
) -> None:
    address, found = f"/lms/{kept.public_id}/", kept.deployments.get()
    for user, do, state in (
        (alice, "refuse", "refused"), (alice, "approve", "approved"), (operator, "refuse", "refused"),
        (alice, "approve", "refused"), (operator, "approve", "approved"),
    ):  # fmt: skip
        as_user(user).post(address, {"do": do, "deployment": found.pk})
        found.refresh_from_db()
        assert found.state == state
