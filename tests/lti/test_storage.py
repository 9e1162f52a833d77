"""Row X6 where no cookies are kept: what the storage of the platform kept of a launch, and from whom it is taken."""

import html
import re

import pytest
from django.test import Client

from exercises.models import PlatformUser, Registration, User
from tests.lti.platform import HOME, Begun, claims_of, post, signed


@pytest.mark.parametrize(
    ("storage", "origin", "place"),
    [
        ({}, HOME, "iframe"),
        ({"lti_storage_target": "_parent"}, "https://evil.example", "iframe"),
        ({"lti_storage_target": "_parent"}, "null", "iframe"),
        ({"lti_storage_target": "_parent"}, "", "iframe"),
        ({"lti_storage_target": "_parent"}, HOME, "document"),
    ],
)
def test_x6_nobody_goes_on_as_somebody_else_by_a_launch_that_those_began(
    storage: dict[str, str], origin: str, place: str, registration: Registration, bob: User
) -> None:
    begun, secret = begun_with_storage(Client(), registration, **storage)
    token = signed(claims_of(begun, registration, sub="mallory"))
    browser = Client()
    browser.force_login(bob)
    headers = {"HTTP_ORIGIN": origin} if origin else {}
    response = post(begun, token, client=browser, form={"kept": secret}, HTTP_SEC_FETCH_DEST=place, **headers)
    assert response.status_code == 403
    assert "Open in a new tab" in response.content.decode()
    assert not PlatformUser.objects.exists()
    assert browser.get("/courses/").wsgi_request.user == bob


def test_x6_our_own_page_in_a_frame_brings_what_the_storage_of_the_platform_kept(registration: Registration) -> None:
    begun, secret = begun_with_storage(Client(), registration, lti_storage_target="_parent")
    token = signed(claims_of(begun, registration))
    response = post(
        begun, token, client=Client(), form={"kept": secret}, HTTP_ORIGIN=HOME, HTTP_SEC_FETCH_DEST="iframe"
    )
    assert response.status_code == 303


def begun_with_storage(browser: Client, registration: Registration, **more: str) -> tuple[Begun, str]:
    """A launch that was begun in a browser, and the secret that is kept of it."""
    said = {
        "iss": registration.issuer, "client_id": registration.client_id, "login_hint": "42",
        "target_link_uri": f"{HOME}/lti/launch", **more,
    }  # fmt: skip
    response = browser.post("/lti/login", said)
    address = response.get("Location") or html.unescape(
        re.search(r'data-address="([^"]+)"', response.content.decode())[1]  # type: ignore[index]
    )
    secret = next(morsel.value for name, morsel in browser.cookies.items() if name.startswith("gym-flow"))
    return Begun(browser, address), secret
