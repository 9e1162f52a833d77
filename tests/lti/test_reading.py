"""The pure part: roles, addresses, and claims that may be anything."""

import json
import time
from collections.abc import Callable
from typing import Any

import jwt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exercises.lti.addresses import belongs
from exercises.lti.claims import read_launch
from exercises.lti.key_sets import KeySetRefused, read_key_set
from exercises.lti.launch import Launch
from exercises.lti.reading import Claims, is_web_address, origin_of
from exercises.lti.refusals import LaunchRefused
from exercises.lti.roles import course_role
from exercises.lti.set_up import PlatformSaid, begins_with, read_platform
from exercises.lti.verification import Expected, key_named, verified
from tests.lti.platform import MEMBERSHIP, private_key, public_entry

SUB = f"{MEMBERSHIP}/Instructor#"
ROLES = [
    ([], ""),
    (["Instructor"], "instructor"),
    (["Learner"], "learner"),
    (["Administrator"], "instructor"),
    (["instructor"], ""),
    (["TeachingAssistant"], ""),
    ([f"{MEMBERSHIP}#Instructor"], "instructor"),
    ([f"{MEMBERSHIP}#Learner", f"{MEMBERSHIP}#Instructor"], "instructor"),
    ([f"{MEMBERSHIP}#Learner", f"{MEMBERSHIP}#Mentor"], "learner"),
    ([f"{MEMBERSHIP}#ContentDeveloper"], "observer"),
    ([f"{MEMBERSHIP}#Wizard"], ""),
    ([f"{SUB}TeachingAssistant"], "assistant"),
    ([f"{SUB}TeachingAssistant", f"{MEMBERSHIP}#Instructor"], "assistant"),
    ([f"{SUB}TeachingAssistant", f"{MEMBERSHIP}#Instructor", f"{SUB}PrimaryInstructor"], "instructor"),
    ([f"{SUB}TeachingAssistant", f"{MEMBERSHIP}#Learner"], "learner"),
    ([f"{SUB}TeachingAssistant", f"{MEMBERSHIP}#Learner", f"{MEMBERSHIP}#Instructor"], "assistant"),
    ([f"{SUB}Grader"], "assistant"),
    ([f"{SUB}Lecturer"], "instructor"),
    ([f"{SUB}GuestInstructor", f"{MEMBERSHIP}#Instructor"], "observer"),
    ([f"{MEMBERSHIP}/Learner#GuestLearner"], "learner"),
    (["http://purl.imsglobal.org/vocab/lis/v2/institution/person#Instructor"], ""),
    (["http://purl.imsglobal.org/vocab/lis/v2/system/person#SysAdmin"], ""),
    (["urn:lti:role:ims/lis/Instructor"], ""),
    ([f"{MEMBERSHIP}#", f"{MEMBERSHIP}/", f"{MEMBERSHIP}/#", "", "#Instructor"], ""),
    ([f"http://evil.example/{MEMBERSHIP}#Instructor"], ""),
]


@pytest.mark.parametrize(("roles", "expected"), ROLES)
def test_a_role_in_a_course_follows_from_the_roles_in_the_context(roles: list[str], expected: str) -> None:
    assert course_role(roles) == expected
    assert course_role(reversed(roles)) == expected


@given(st.lists(st.text(max_size=80), max_size=8))
def test_whatever_a_platform_calls_a_role_gives_no_rights_unless_it_is_known(roles: list[str]) -> None:
    known = {"Instructor", "Administrator", "Learner", "Mentor", "ContentDeveloper", "Manager"}
    assert course_role(role for role in roles if role not in known) == ""


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=10), inner, max_size=3),
    max_leaves=8,
)
EXPECTED = Expected(
    issuer="https://lms.example", client_id="gym", nonce="n", target="http://testserver/lti/launch", begun=time.time()
)


def read_or_refused(read: Callable[[], Any]) -> Any:
    """What was read, or the refusal; any other error is none of either."""
    try:
        return read()
    except (LaunchRefused, KeySetRefused) as refused:
        return refused


def good() -> dict[str, Any]:
    """The claims of a good launch."""
    claim, now = "https://purl.imsglobal.org/spec/lti/claim/", time.time()
    return {
        "iss": "https://lms.example", "aud": "gym", "sub": "a", "exp": now + 300, "iat": now, "nonce": "n",
        f"{claim}message_type": "LtiResourceLinkRequest", f"{claim}version": "1.3.0", f"{claim}deployment_id": "1",
        f"{claim}target_link_uri": "http://testserver/lti/launch", f"{claim}roles": [],
        f"{claim}resource_link": {"id": "1"}, f"{claim}context": {"id": "1"},
        f"{claim}launch_presentation": {}, f"{claim}custom": {}, f"{claim}tool_platform": {},
        "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint": {"scope": []},
        "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice": {},
    }  # fmt: skip


@given(st.data())
def test_claims_may_be_anything_and_are_read_or_refused(data: st.DataObject) -> None:
    """X11, at every claim and one level below."""
    claims = good()
    for _ in range(data.draw(st.integers(1, 3))):
        holder, name = claims, data.draw(st.sampled_from(sorted(claims)))
        if isinstance(holder[name], dict) and data.draw(st.booleans()):
            inner = data.draw(st.sampled_from(["id", "title", "return_url", "scope", "lineitem", "name", "x"]))
            claims[name] = {**claims[name], inner: data.draw(ANYTHING)}
        else:
            claims[name] = data.draw(ANYTHING)
    outcome = read_or_refused(lambda: read_launch(Claims(claims)))
    assert isinstance(outcome, Launch) or (outcome.message and outcome.advice)


@settings(max_examples=50)
@given(st.sampled_from(sorted(good())), ANYTHING)
def test_a_signed_token_may_say_anything_and_is_a_launch_or_refused(name: str, value: Any) -> None:
    payload = jwt.PyJWS().encode(
        json.dumps({**good(), name: value}).encode(), private_key("first"), algorithm="RS256",
        headers={"kid": "first"},
    )  # fmt: skip
    outcome = read_or_refused(lambda: verified(payload, public_entry("first"), EXPECTED, time.time()))
    assert isinstance(outcome, Launch) or (outcome.message and outcome.advice)


@given(st.text(max_size=200))
def test_any_text_is_a_token_with_a_key_or_refused(text: str) -> None:
    with pytest.raises(LaunchRefused):
        key_named(text)


@given(st.one_of(st.text(max_size=200), ANYTHING.map(lambda value: json.dumps({"keys": value}))))
def test_any_text_is_a_key_set_or_refused(text: str) -> None:
    outcome = read_or_refused(lambda: read_key_set(text))
    assert isinstance(outcome, dict) or outcome.message


@pytest.mark.parametrize(
    ("address", "origin"),
    [
        ("https://lms.example/a?b#c", "https://lms.example"), ("https://lms.example:443/", "https://lms.example"),
        ("http://127.0.0.1:8080/x", "http://127.0.0.1:8080"), ("https://[::1]:9/", "https://[::1]:9"),
        ("https://LMS.Example/", "https://lms.example"), ("javascript:alert(1)", ""), ("//lms.example", ""),
        ("https://a;b/", ""), ("https://a b/", ""), ("https://*/", ""), ("https://x:99999/", ""), ("", ""),
    ],
)  # fmt: skip
def test_an_origin_is_written_as_browsers_write_it(address: str, origin: str) -> None:
    assert origin_of(address) == origin
    assert is_web_address(address) == bool(origin)


@pytest.mark.parametrize(
    ("issuer", "address", "expected"),
    [
        ("https://lms.example", "https://lms.example/configuration", True),
        ("https://lms.example:8443", "https://lms.example:8443/c", True),
        ("https://blackboard.com", "https://developer.blackboard.com/c", True),
        ("https://developer.blackboard.com", "https://blackboard.com/c", False),
        ("https://lms.example", "https://evil-lms.example/c", False),
        ("https://lms.example", "http://sub.lms.example/c", False),
        ("https://lms.example", "https://lms.example.evil.org/c", False),
        ("https://example", "https://lms.example/c", False),
        ("nonsense", "nonsense", False),
    ],
)
def test_a_configuration_stands_with_its_issuer_or_below(issuer: str, address: str, expected: bool) -> None:
    endpoints = ("authorization_endpoint", "token_endpoint", "jwks_uri", "registration_endpoint")
    document = {"issuer": issuer, **dict.fromkeys(endpoints, address)}
    outcome = read_or_refused(lambda: read_platform(document, asked_at=address))
    assert isinstance(outcome, PlatformSaid) is expected


@pytest.mark.parametrize(
    ("issuer", "prefix", "expected"),
    [
        ("https://lms.example", "", True), ("https://lms.example", "https://lms.example", True),
        ("https://lms.example/a", "https://lms.example", True), ("https://lms.example/a", "https://lms.example/", True),
        ("https://lms.example.org", "https://lms.example", False), ("https://other", "https://lms.example", False),
    ],
)  # fmt: skip
def test_a_prefix_ends_where_a_name_ends(issuer: str, prefix: str, expected: bool) -> None:
    assert begins_with(issuer, prefix) is expected


@pytest.mark.parametrize(
    ("address", "issuer", "expected"),
    [
        ("https://lms.example/x", "https://lms.example", True),
        ("https://eu.lms.example/x", "https://lms.example", True),
        ("http://eu.lms.example/x", "https://lms.example", False),
        ("https://other.example/x", "https://lms.example", False),
        ("https://lms.example/x", "https://lms.e[xample", False),
        ("https://[::1", "https://lms.example", False),
        ("https://lms.example/x", "lms.example", False),
    ],
)
def test_an_address_belongs_to_the_host_of_an_issuer_or_one_below_it(address: str, issuer: str, expected: bool) -> None:
    assert belongs(address, issuer) is expected
