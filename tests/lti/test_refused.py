"""The rows X1 to X11: what is refused although it looks like a launch, and the little beside it that is taken."""

import time
from typing import Any

import pytest
from django.test import Client

from exercises import clock
from exercises.models import Deployment, LaunchFlow, PlatformUser, Registration, ResourceLink
from tests.lti.platform import (
    CLAIM,
    DEEP_LINKING,
    HOME,
    LEFT_OUT,
    FakePlatform,
    assert_refused,
    begin,
    claims_of,
    launch,
    post,
    registered,
    signed,
)

OTHER = "https://other.example"


# --- X1: issuer ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("issuer", ["https://nobody.example", OTHER, f"{OTHER}/", "", 7, None, LEFT_OUT])
def test_x1_a_launch_of_another_issuer_is_refused_although_the_key_fits(
    issuer: Any, client: Client, registration: Registration, platform: FakePlatform
) -> None:
    registered(platform, issuer=OTHER)
    assert_refused(launch(client, registration, iss=issuer))


# --- X2, X3: audience ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("audience", "party"),
    [
        ("somebody", LEFT_OUT), (["somebody"], LEFT_OUT), ([], LEFT_OUT), (LEFT_OUT, LEFT_OUT), ("", LEFT_OUT),
        (["gym", "stranger"], "gym"), (["gym", "friend"], LEFT_OUT), (["gym", "friend"], "friend"), ("gym", "friend"),
        (["gym"], "friend"), (["gym", "gym"], LEFT_OUT), ("gym", ["gym"]), ("gym", None), ({"gym": 1}, "gym"),
    ],
)  # fmt: skip
def test_x2_a_launch_for_another_audience_is_refused(
    audience: Any, party: Any, client: Client, registration: Registration, platform: FakePlatform
) -> None:
    registered(platform, client_id="friend")
    begun = begin(client, registration)
    claims = claims_of(begun, registration, aud=audience)
    if party is not LEFT_OUT:
        claims["azp"] = party
    assert_refused(post(begun, signed(claims)))


@pytest.mark.parametrize("audience", ["gym", ["gym"], ["friend", "gym"]])
def test_x3_we_may_stand_in_an_audience_beside_a_client_that_is_known_if_the_launch_is_for_us(
    audience: Any, client: Client, registration: Registration, platform: FakePlatform
) -> None:
    registered(platform, client_id="friend")
    begun = begin(client, registration)
    claims = {**claims_of(begun, registration, aud=audience), "azp": "gym"}
    assert post(begun, signed(claims)).status_code == 303


# --- X4: times -------------------------------------------------------------------------------------------------------


TIMES: dict[str, dict[str, Any]] = {
    "exp missing": {"exp": LEFT_OUT}, "iat missing": {"iat": LEFT_OUT}, "exp past": {"exp": -100, "iat": -400},
    "exp long past": {"exp": -4000, "iat": -4300}, "iat in the future": {"iat": 200, "exp": 500},
    "iat too old": {"iat": -400}, "exp before iat": {"iat": 30, "exp": 20}, "nbf in the future": {"nbf": 200},
}  # fmt: skip


@pytest.mark.parametrize("row", TIMES)
def test_x4_a_launch_at_another_time_is_refused(row: str, client: Client, registration: Registration) -> None:
    begun = begin(client, registration)
    claims = claims_of(begun, registration)
    for name, away in TIMES[row].items():
        if away is LEFT_OUT:
            del claims[name]
        else:
            claims[name] = int(time.time()) + away
    assert_refused(post(begun, signed(claims)))


@pytest.mark.parametrize("changes", [{"exp": -50, "iat": -55}, {"iat": 50}, {"iat": -50}, {"nbf": 50}])
def test_x4_clocks_may_differ_by_a_minute(changes: dict[str, int], client: Client, registration: Registration) -> None:
    begun = begin(client, registration)
    claims = claims_of(begun, registration) | {name: int(time.time()) + away for name, away in changes.items()}
    assert post(begun, signed(claims)).status_code == 303


@pytest.mark.parametrize("value", [True, "1790000000", [], {}, None, 1e400, -1e300, 10**30, float("nan")])
@pytest.mark.parametrize("name", ["exp", "iat"])
def test_x4_a_time_that_is_none_is_refused(name: str, value: Any, client: Client, registration: Registration) -> None:
    assert_refused(launch(client, registration, **{name: value}))


# --- X5, X6: nonce and state ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("nonce", [LEFT_OUT, "", "unknown", 7, None, ["a"]])
def test_x5_a_launch_with_another_nonce_is_refused(nonce: Any, client: Client, registration: Registration) -> None:
    assert_refused(launch(client, registration, nonce=nonce))


def test_x5_the_nonce_of_another_flow_is_refused(client: Client, registration: Registration) -> None:
    first, second = begin(client, registration), begin(client, registration)
    assert_refused(post(second, signed(claims_of(first, registration))), "nonce")


def test_x5_a_nonce_in_a_new_token_is_refused(client: Client, registration: Registration) -> None:
    first = begin(client, registration)
    assert post(first, signed(claims_of(first, registration))).status_code == 303
    PlatformUser.objects.all().delete()
    again = begin(Client(), registration)
    assert_refused(post(again, signed(claims_of(first, registration, sub="mallory"))), "nonce")


@pytest.mark.parametrize("state", ["", "unknown", "x" * 10_000, "\x00"])
def test_x6_an_unknown_state_is_refused(state: str, client: Client, registration: Registration) -> None:
    begun = begin(client, registration)
    assert_refused(post(begun, signed(claims_of(begun, registration)), state=state), "state")


def test_x6_a_state_is_over_after_ten_minutes(client: Client, registration: Registration) -> None:
    begun = begin(client, registration)
    LaunchFlow.objects.update(expires_at=clock.now())
    assert_refused(post(begun, signed(claims_of(begun, registration))), "state-expired")


def test_x6_another_browser_cannot_end_a_launch_and_is_offered_a_tab_of_its_own(
    client: Client, registration: Registration
) -> None:
    begun = begin(client, registration)
    token = signed(claims_of(begun, registration))
    other = Client()
    response = post(begun, token, client=other)
    assert response.status_code == 403
    assert "Open in a new tab" in response.content.decode()
    assert "/lti/login?" in response.content.decode()
    assert not PlatformUser.objects.exists()
    begin(other, registration)
    assert post(begun, token, client=other).status_code == 403
    assert post(begun, token, form={"kept": "a guess"}, client=other).status_code == 403
    assert post(begun, token).status_code == 303


# --- X7: deployment --------------------------------------------------------------------------------------------------


def test_x7_an_unknown_deployment_waits_to_be_approved(client: Client, registration: Registration) -> None:
    assert_refused(launch(client, registration, deployment_id="2"), "deployment")
    found = Deployment.objects.get(deployment_id="2")
    assert (found.state, found.seen_as) == ("pending", "The faculty's Moodle")
    assert_refused(launch(Client(), registration, deployment_id="2"), "deployment")


def test_x7_the_deployment_of_another_client_is_unknown(
    client: Client, registration: Registration, platform: FakePlatform
) -> None:
    other = registered(platform, client_id="friend")
    Deployment.objects.create(registration=other, deployment_id="theirs", state=Deployment.State.APPROVED)
    assert_refused(launch(client, registration, deployment_id="theirs"), "deployment")


def test_x7_a_deployment_that_was_refused_stays_out(client: Client, registration: Registration) -> None:
    Deployment.objects.update(state=Deployment.State.REFUSED)
    assert_refused(launch(client, registration), "deployment")


def test_x7_no_stranger_fills_the_list_of_those_that_wait(client: Client, registration: Registration) -> None:
    rows = [Deployment(registration=registration, deployment_id=f"many-{number}") for number in range(50)]
    Deployment.objects.bulk_create(rows)
    assert_refused(launch(client, registration, deployment_id="one-more"), "deployment")
    assert Deployment.objects.count() == 51


def test_x7_a_platform_that_is_switched_off_launches_nothing(client: Client, registration: Registration) -> None:
    begun = begin(client, registration)
    Registration.objects.update(state=Registration.State.OFF)
    assert_refused(post(begun, signed(claims_of(begun, registration))), "platform-off")
    said = {"iss": registration.issuer, "login_hint": "1", "target_link_uri": f"{HOME}/lti/launch"}
    assert_refused(client.post("/lti/login", said), "platform-off")


# --- X9: target ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "target",
    [LEFT_OUT, "", "https://evil.example/lti/launch", f"{HOME}/lti/launch?set=1", f"{HOME}/lti/deep-link", 7, None,
     f"{HOME}/", "javascript:alert(1)"],
)  # fmt: skip
def test_x9_a_launch_that_leads_elsewhere_is_refused(target: Any, client: Client, registration: Registration) -> None:
    assert_refused(launch(client, registration, target_link_uri=target))


# --- X10: messages ---------------------------------------------------------------------------------------------------

SETTINGS = {
    "deep_link_return_url": "https://lms.example/dl", "accept_types": ["ltiResourceLink"],
    "accept_presentation_document_targets": ["iframe"],
}  # fmt: skip


@pytest.mark.parametrize("kind", ["", "LtiSubmissionReviewRequest", "basic-lti-launch-request", 7, None, []])
def test_x10_an_unknown_message_is_refused(kind: Any, client: Client, registration: Registration) -> None:
    assert_refused(launch(client, registration, message_type=kind))


def test_x10_a_request_for_content_at_the_address_of_launches_is_refused(
    client: Client, registration: Registration
) -> None:
    begun = begin(client, registration)
    claims = claims_of(begun, registration, message_type="LtiDeepLinkingRequest") | {DEEP_LINKING: SETTINGS}
    assert_refused(post(begun, signed(claims)), "message-type")


def test_x10_a_launch_at_the_address_of_requests_for_content_is_refused(
    client: Client, registration: Registration
) -> None:
    target = f"{HOME}/lti/deep-link"
    begun = begin(client, registration, target=target)
    assert_refused(post(begun, signed(claims_of(begun, registration, target_link_uri=target))), "message-type")


@pytest.mark.parametrize(
    "changes",
    [{name: LEFT_OUT} for name in SETTINGS]
    + [{"deep_link_return_url": value} for value in ("", "javascript:alert(1)", 7, None, [])]
    + [{"accept_types": value} for value in ([], "ltiResourceLink", [7], None, {})]
    + [{"accept_multiple": value} for value in ("yes", 1, None)]
    + [{"data": value} for value in (7, None, [], "x" * 30_000)],
)
def test_x10_a_request_for_content_without_what_it_takes_is_refused(
    changes: dict[str, Any], client: Client, registration: Registration
) -> None:
    target = f"{HOME}/lti/deep-link"
    begun = begin(client, registration, target=target)
    settings = {name: value for name, value in {**SETTINGS, **changes}.items() if value is not LEFT_OUT}
    claims = claims_of(begun, registration, message_type="LtiDeepLinkingRequest", target_link_uri=target)
    assert_refused(post(begun, signed(claims | {DEEP_LINKING: settings})))


def test_x10_a_request_for_content_without_settings_is_refused(client: Client, registration: Registration) -> None:
    target = f"{HOME}/lti/deep-link"
    begun = begin(client, registration, target=target)
    claims = claims_of(begun, registration, message_type="LtiDeepLinkingRequest", target_link_uri=target)
    assert_refused(post(begun, signed(claims)), "claim-missing")


# --- X11: types ------------------------------------------------------------------------------------------------------

READ = (
    "iss", "aud", "sub", "exp", "iat", "nonce", "name", "given_name", "family_name", "email", "message_type", "version",
    "deployment_id", "target_link_uri", "roles", "resource_link", "resource_link__id", "resource_link__title",
    "context", "context__id", "context__title", "launch_presentation", "launch_presentation__return_url",
    "launch_presentation__document_target", "tool_platform", "tool_platform__name", "custom", "custom__week",
    "endpoint", "endpoint__scope", "endpoint__lineitems", "endpoint__lineitem", "namesroleservice",
    "namesroleservice__context_memberships_url",
)  # fmt: skip
WRONG: dict[str, Any] = {"null": None, "list": [[]], "number": 7, "object": {"a": 1}, "bool": True, "text": "\x00"}
#: What is of the right type after all, or read as what it means.
FINE = {("custom__week", "number"), ("custom__week", "text"), *((name, "number") for name in ("exp", "iat"))}
FINE |= {
    (name, "object") for name in ("custom", "endpoint", "namesroleservice", "launch_presentation", "tool_platform")
}
#: Texts that are only shown: what cannot be shown is taken out.
SHOWN = {
    "name", "given_name", "family_name", "email", "resource_link__title", "context__title",
    "launch_presentation__document_target", "tool_platform__name",
}  # fmt: skip
FINE |= {(name, "text") for name in SHOWN}
TYPES = [(name, kind) for name in READ for kind in WRONG if (name, kind) not in FINE]


@pytest.mark.parametrize(("name", "kind"), TYPES)
def test_x11_a_claim_of_another_type_is_refused(
    name: str, kind: str, client: Client, registration: Registration
) -> None:
    assert_refused(launch(client, registration, **{name: WRONG[kind]}))


@pytest.mark.parametrize("name", sorted(SHOWN))
def test_x11_a_text_that_is_only_shown_may_hold_anything(name: str, client: Client, registration: Registration) -> None:
    assert launch(client, registration, **{name: "a\x00b" * 1000}).status_code == 303


@pytest.mark.parametrize("said", ["\x00", "a,\x00,b", "\ud800", "," * 5000, "$ResourceLink.id.history"])
@pytest.mark.parametrize("name", ["problem_set", "link_history"])
def test_x11_what_a_link_says_of_itself_may_be_anything(
    name: str, said: str, client: Client, registration: Registration, link: ResourceLink
) -> None:
    assert launch(client, registration, custom={name: said}).status_code == 303


@pytest.mark.parametrize("roles", [[7], [None], [["a"]], ["a"] * 1000, ["x" * 1000], ["\ud800"]])
def test_x11_a_list_of_anything_else_is_refused(roles: Any, client: Client, registration: Registration) -> None:
    assert_refused(launch(client, registration, roles=roles))


def test_a_refusal_leads_back_to_the_platform_with_its_words(client: Client, registration: Registration) -> None:
    text = launch(client, registration, version="1.1").content.decode()
    assert 'href="https://lms.example/back?a=1&amp;lti_errormsg=The+platform+says' in text


@pytest.mark.parametrize("address", ["javascript:alert(1)", "data:text/html,x", "//evil.example", "https://a b/"])
def test_a_refusal_leads_to_no_address_that_is_none(address: str, client: Client, registration: Registration) -> None:
    response = launch(client, registration, launch_presentation__return_url=address)
    assert_refused(response)
    assert "Back to the learning platform" not in response.content.decode()


def test_a_platform_that_did_not_launch_is_quoted(client: Client, registration: Registration) -> None:
    response = client.post("/lti/launch", {"error": "login_required", "error_description": "Sign in first."})
    assert_refused(response, "platform-error")
    assert "Sign in first." in response.content.decode()


def test_the_address_of_launches_opened_by_itself_says_what_it_is(client: Client, db: None) -> None:
    assert_refused(client.get("/lti/launch"), "no-launch")
    assert f"{CLAIM}" not in client.get("/lti/launch").content.decode()
