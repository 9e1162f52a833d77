"""Row X8, further: heads that bring their own key, names of keys that mean something elsewhere, and key sets in which
the right key is there and must not be taken."""

import json
import time
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django.test import Client
from jwt.algorithms import ECAlgorithm

from exercises.models import PlatformUser, Registration
from tests.lti.platform import (
    LEFT_OUT,
    FakePlatform,
    assert_refused,
    begin,
    claims_of,
    launch,
    post,
    private_key,
    public_entry,
    registered,
    send,
    signed,
)


def headed(claims: Any, *, key: str, **headers: Any) -> str:
    """A token with whatever stands in its head."""
    return jwt.PyJWS().encode(json.dumps(claims).encode(), private_key(key), algorithm="RS256", headers=headers)


def test_x8_a_key_that_the_launch_brings_itself_is_not_looked_at(
    client: Client, registration: Registration, platform: FakePlatform
) -> None:
    evil = public_entry("evil", kid="first")
    platform.pages["/evil"] = lambda handler: send(handler, json.dumps({"keys": [evil]}).encode())
    pem = private_key("evil").public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )  # fmt: skip
    brought: list[dict[str, Any]] = [
        {"jwk": evil}, {"jku": f"{platform.url}/evil"}, {"x5u": f"{platform.url}/evil"},
        {"x5c": [pem.decode()]}, {"cty": "JWT", "typ": "at+jwt"},
    ]  # fmt: skip
    for more in brought:
        begun = begin(client, registration)
        token = headed(claims_of(begun, registration), key="evil", kid="first", **more)
        assert_refused(post(begun, token), "signature")
    assert not platform.times_asked("/evil")


@pytest.mark.parametrize("crit", [["exp"], [], ["b64"]])
def test_x8_a_head_that_asks_for_more_than_is_understood_is_refused(
    crit: list[str], client: Client, registration: Registration
) -> None:
    begun = begin(client, registration)
    token = headed(claims_of(begun, registration), key="first", kid="first", crit=crit, exp=time.time() + 60)
    assert_refused(post(begun, token), "no-token")


@pytest.mark.parametrize(
    "kid",
    ["../../../../dev/null", "first' OR '1'='1", "first\x00", "FIRST", " first", "first ", "x" * 5000, "__proto__"],
)
def test_x8_the_name_of_a_key_is_a_name_and_no_more(kid: str, client: Client, registration: Registration) -> None:
    begun = begin(client, registration)
    assert_refused(post(begun, headed(claims_of(begun, registration), key="first", kid=kid)), "unknown-kid")


def test_x8_a_curve_of_the_right_name_is_refused(
    client: Client, registration: Registration, platform: FakePlatform
) -> None:
    curve = ec.generate_private_key(ec.SECP256R1())
    entry = {**json.loads(ECAlgorithm.to_jwk(curve.public_key())), "kid": "first", "use": "sig"}
    platform.answer = (200, json.dumps({"keys": [entry]}).encode())
    begun = begin(client, registration)
    claims = json.dumps(claims_of(begun, registration)).encode()
    assert_refused(post(begun, jwt.PyJWS().encode(claims, curve, "ES256", headers={"kid": "first"})), "algorithm")
    # Nor is it taken for one of RSA.
    assert_refused(launch(client, registration), "unknown-kid")


#: Key sets that hold the very key, as something that it must not be used as.
NOT_FOR_THIS: dict[str, tuple[list[dict[str, Any]], str]] = {
    "for encryption": ([{**public_entry("first"), "use": "enc"}], "unknown-kid"),
    "for another algorithm": ([{**public_entry("first"), "alg": "RS512"}], "unknown-kid"),
    "of another kind": ([{**public_entry("first"), "kty": "oct"}], "unknown-kid"),
    "without a name": ([{**public_entry("first"), "kid": ""}], "unknown-kid"),
    "of a number as its name": ([{**public_entry("first"), "kid": 1}], "unknown-kid"),
    "behind another of its name": ([public_entry("second", kid="first"), public_entry("first")], "signature"),
    "among too many": ([public_entry("first", kid=str(n)) for n in range(51)] + [public_entry("first")], "keys-unread"),
}  # fmt: skip


@pytest.mark.parametrize("row", NOT_FOR_THIS)
def test_x8_the_right_key_is_not_taken_as_what_it_is_not(
    row: str, client: Client, registration: Registration, platform: FakePlatform
) -> None:
    keys, reason = NOT_FOR_THIS[row]
    platform.answer = (200, json.dumps({"keys": keys}).encode())
    assert_refused(launch(client, registration), reason)


@pytest.mark.filterwarnings("ignore::jwt.warnings.InsecureKeyLengthWarning")
def test_x8_a_key_that_is_too_short_is_refused(
    client: Client, registration: Registration, platform: FakePlatform
) -> None:
    short = private_key("short", 1024)
    entry = {**json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(short.public_key())), "kid": "first", "use": "sig"}
    platform.answer = (200, json.dumps({"keys": [entry]}).encode())
    begun = begin(client, registration)
    claims = json.dumps(claims_of(begun, registration)).encode()
    assert_refused(post(begun, jwt.PyJWS().encode(claims, short, "RS256", headers={"kid": "first"})), "key")


def test_x8_of_fifty_keys_the_last_is_found(client: Client, registration: Registration, platform: FakePlatform) -> None:
    keys = [public_entry("second", kid=str(number)) for number in range(49)] + [public_entry("first")]
    platform.answer = (200, json.dumps({"keys": keys}).encode())
    assert launch(client, registration).status_code == 303


def test_x6_in_two_tabs_each_launch_ends_with_its_own_state_alone(registration: Registration) -> None:
    client = Client()
    first, second = begin(client, registration), begin(client, registration)
    # The token is good, and comes back in the wrong tab.
    assert_refused(post(first, signed(claims_of(first, registration)), state=second.state), "nonce")
    assert post(first, signed(claims_of(first, registration))).status_code == 303
    PlatformUser.objects.all().delete()
    client.logout()
    # The other one was ended by the crossed launch, so that it cannot be tried until it fits.
    assert_refused(post(second, signed(claims_of(second, registration))), "state")


def test_x14_a_nonce_of_one_platform_is_nothing_at_another(registration: Registration, platform: FakePlatform) -> None:
    client = Client()
    twin = registered(platform, issuer="https://twin.example", client_id="gym")
    mine, theirs = begin(client, registration), begin(client, twin)
    stolen = signed(claims_of(mine, registration, iss=twin.issuer))
    assert_refused(post(theirs, stolen), "nonce")
    assert_refused(post(mine, signed(claims_of(mine, twin))), "issuer")


def test_a_launch_with_almost_nothing_of_a_person_and_a_course_is_taken(
    client: Client, registration: Registration
) -> None:
    bare = dict.fromkeys(
        ("name", "given_name", "family_name", "email", "context", "launch_presentation", "tool_platform", "custom",
         "endpoint", "namesroleservice"), LEFT_OUT,
    )  # fmt: skip
    odd = ["", "  ", "#", "membership#", "learner", "INSTRUCTOR"]
    assert launch(client, registration, roles=odd, **bare).status_code == 303
    assert PlatformUser.objects.get().user.has_usable_password() is False
