"""Sessions inside a frame: their cookies, and who may show them."""

from typing import Any

import pytest
from django.test import Client

from exercises.models import Registration, ResourceLink, User
from tests.lti.platform import DEEP_LINKING, HOME, LEARNER, Begun, arrived, begin, claims_of, launch, post, signed

IN_FRAME = {"HTTP_SEC_FETCH_DEST": "iframe"}


def launched(client: Client, registration: Registration, **changes: Any) -> Any:
    """A launch inside a frame."""
    begun = begin(client, registration)
    return post(begun, signed(claims_of(begun, registration, **changes)), **IN_FRAME)


@pytest.mark.usefixtures("link")
def test_a_session_inside_a_frame_has_a_jar_of_its_own(client: Client, registration: Registration) -> None:
    response = launched(client, registration, roles=[LEARNER])
    morsel = response.cookies["gym-frame"]
    assert (morsel["samesite"], morsel["secure"], morsel["httponly"]) == ("None", True, True)
    assert morsel.OutputString().endswith("Partitioned") or "; Partitioned;" in morsel.OutputString()
    assert "sessionid" not in response.cookies
    for cookie in response.cookies.values():
        assert "; Partitioned" in cookie.OutputString()
    assert arrived(client, response).status_code == 200


@pytest.mark.usefixtures("link")
def test_every_cookie_of_such_a_session_is_kept_there_also_that_of_forms(
    client: Client, registration: Registration
) -> None:
    arrived(client, launched(client, registration, roles=[LEARNER]))
    response = client.get("/plan/")
    assert "; Partitioned" in response.cookies["csrftoken"].OutputString()


@pytest.mark.usefixtures("link")
def test_the_platform_alone_may_show_its_pages(client: Client, registration: Registration) -> None:
    arrived(client, launched(client, registration, roles=[LEARNER]))
    for address in ("/", "/courses/", "/cards/", "/nowhere/"):
        response = client.get(address)
        policy = response["Content-Security-Policy"]
        origin = registration.login_url.removesuffix("/auth")
        assert f"frame-ancestors https://lms.example {origin};" in f"{policy};"
        assert "X-Frame-Options" not in response.headers


@pytest.mark.usefixtures("link")
def test_nobody_shows_the_pages_of_an_ordinary_session(client: Client, registration: Registration, bob: User) -> None:
    arrived(client, launch(client, registration, roles=[LEARNER]))
    own = Client()
    own.force_login(bob)
    for browser in (client, own, Client()):
        response = browser.get("/courses/")
        assert "frame-ancestors 'none'" in response["Content-Security-Policy"]
        assert response["X-Frame-Options"] == "DENY"
        assert not any("Partitioned" in cookie.OutputString() for cookie in response.cookies.values())


@pytest.mark.usefixtures("link")
def test_a_launch_in_a_frame_leaves_the_ordinary_session_of_the_browser_alone(
    client: Client, registration: Registration, bob: User
) -> None:
    client.force_login(bob)
    arrived(client, launched(client, registration, roles=[LEARNER], sub="x"))
    assert client.get("/courses/").wsgi_request.user != bob
    del client.cookies["gym-frame"]
    assert client.get("/courses/").wsgi_request.user == bob


@pytest.mark.usefixtures("link")
def test_each_launch_has_a_session_key_of_its_own(client: Client, registration: Registration) -> None:
    keys = set()
    for sub in ("a", "a", "b"):
        launched(client, registration, roles=[LEARNER], sub=sub)
        keys.add(client.cookies["gym-frame"].value)
    assert len(keys) == 3


@pytest.mark.usefixtures("link")
def test_signing_out_in_a_frame_deletes_the_cookie_of_the_frame(client: Client, registration: Registration) -> None:
    arrived(client, launched(client, registration, roles=[LEARNER]))
    response = client.post("/accounts/logout/")
    morsel = response.cookies["gym-frame"]
    assert (morsel.value, morsel["max-age"]) == ("", 0)
    assert "; Partitioned" in morsel.OutputString()


def test_a_hostile_address_of_a_launch_opens_no_hole_in_the_policy(client: Client, registration: Registration) -> None:
    for address in ("https://a;script-src *", "https://a b", "https://*", "https://a,b", "https://a'b"):
        response = launched(client, registration, launch_presentation__return_url=f"{address}/")
        assert response.status_code == 400
        assert "script-src 'self'" in response["Content-Security-Policy"]


def test_a_request_for_content_keeps_what_the_answer_takes(
    client: Client, registration: Registration, link: ResourceLink
) -> None:
    target = f"{HOME}/lti/deep-link"
    begun = begin(client, registration, target=target)
    settings = {
        "deep_link_return_url": "https://lms.example/dl?x=1", "accept_types": ["ltiResourceLink", "link"],
        "accept_presentation_document_targets": ["iframe"], "accept_multiple": True, "data": "opaque:1",
    }  # fmt: skip
    claims = claims_of(begun, registration, message_type="LtiDeepLinkingRequest", target_link_uri=target)
    response = post(begun, signed(claims | {DEEP_LINKING: settings}), **IN_FRAME)
    assert response.status_code == 303
    kept = response.wsgi_request.session["lti"]
    assert kept["deep_linking"]["return_url"] == "https://lms.example/dl?x=1"
    assert kept["deep_linking"]["data"] == "opaque:1"
    assert kept["deployment"] == "1"


@pytest.mark.usefixtures("link")
def test_with_https_every_cookie_of_a_frame_is_one_that_no_neighbour_can_plant(
    client: Client, registration: Registration, settings: Any
) -> None:
    settings.HTTPS = True
    home = "https://testserver"
    said = {
        "iss": registration.issuer, "client_id": "gym", "login_hint": "1", "target_link_uri": f"{home}/lti/launch",
    }  # fmt: skip
    begun = Begun(client, client.post("/lti/login", said, secure=True)["Location"])
    assert begun.asked["redirect_uri"] == f"{home}/lti/launch"
    token = signed(claims_of(begun, registration, roles=[LEARNER], target_link_uri=f"{home}/lti/launch"))
    response = post(begun, token, secure=True, **IN_FRAME)
    assert response.cookies["__Host-gym-frame"]["path"] == "/"
    assert response.cookies["__Host-gym-frame"]["domain"] == ""
    page = client.get(response["Location"], secure=True, follow=True)
    assert page.status_code == 200
    assert page.wsgi_request.user.is_authenticated


@pytest.mark.usefixtures("link")
@pytest.mark.parametrize("address", ["/courses/", "/", "/accounts/login/"])
def test_a_frame_that_lost_its_session_says_so_instead_of_staying_empty(
    address: str, client: Client, registration: Registration
) -> None:
    arrived(client, launched(client, registration, roles=[LEARNER]))
    client.post("/accounts/logout/", **IN_FRAME)
    response = client.get(address, follow=True, **IN_FRAME)
    assert response.status_code == 401
    assert "open the link once more" in response.content.decode()
    assert "X-Frame-Options" not in response.headers
    assert "X-Frame-Options" in client.get(address).headers


@pytest.mark.usefixtures("link")
def test_a_launch_goes_its_whole_way_inside_a_frame(client: Client, registration: Registration) -> None:
    said = {"iss": registration.issuer, "login_hint": "1", "target_link_uri": f"{HOME}/lti/launch"}
    begun = Begun(client, client.get("/lti/login", said, **IN_FRAME)["Location"])
    response = post(begun, signed(claims_of(begun, registration, roles=[LEARNER])), **IN_FRAME)
    assert client.get(response["Location"], follow=True, **IN_FRAME).status_code == 200
    assert client.get("/lti/login", **IN_FRAME).status_code == 400


# --- platform and service in one site: both jars are sent -------------------------------------------------------------

AT_TOP = {"HTTP_SEC_FETCH_DEST": "document"}


@pytest.mark.usefixtures("link")
def test_a_page_at_the_top_of_a_window_has_the_ordinary_session_also_where_both_cookies_are_sent(
    client: Client, registration: Registration, bob: User
) -> None:
    client.force_login(bob)
    arrived(client, launched(client, registration, roles=[LEARNER], sub="x"))
    assert client.get("/courses/", **AT_TOP).wsgi_request.user == bob
    assert client.get("/courses/", **IN_FRAME).wsgi_request.user != bob


@pytest.mark.usefixtures("link")
@pytest.mark.parametrize("place", [AT_TOP, IN_FRAME])
def test_whoever_signs_out_is_nobody_any_more_in_this_browser(
    place: dict[str, str], client: Client, registration: Registration, bob: User
) -> None:
    client.force_login(bob)
    arrived(client, launched(client, registration, roles=[LEARNER], sub="x"))
    client.post("/accounts/logout/", **place)
    for where in (AT_TOP, IN_FRAME):
        assert not client.get("/courses/", **where).wsgi_request.user.is_authenticated


@pytest.mark.usefixtures("link")
def test_a_platform_of_the_same_site_has_one_session_with_the_rest_of_the_browser(
    client: Client, registration: Registration, bob: User
) -> None:
    client.force_login(bob)
    begun = begin(client, registration)
    token = signed(claims_of(begun, registration, roles=[LEARNER], sub="x"))
    response = post(begun, token, HTTP_SEC_FETCH_SITE="same-site", **IN_FRAME)
    assert "gym-frame" not in response.cookies
    user = arrived(client, response).wsgi_request.user
    assert user != bob
    for where in (AT_TOP, IN_FRAME, {}):
        assert client.get("/courses/", **where).wsgi_request.user == user
    assert "frame-ancestors https://lms.example " in client.get("/courses/", **IN_FRAME)["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in client.get("/courses/", **AT_TOP)["Content-Security-Policy"]
