"""Row X8: launches that are not signed as they should be, and key sets that will do for nothing."""

import base64
import json
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from django.test import Client
from jwt.utils import base64url_encode

from exercises.actions.lms import platform_keys
from exercises.models import Registration
from tests.lti.platform import (
    FakePlatform,
    assert_refused,
    begin,
    claims_of,
    launch,
    post,
    private_key,
    public_entry,
    signed,
)


def _hand_made(header: dict[str, Any], claims: dict[str, Any], signature: bytes = b"") -> str:
    parts = (base64url_encode(json.dumps(part).encode()).decode() for part in (header, claims))
    return ".".join([*parts, base64url_encode(signature).decode()])


def test_x8_an_unsigned_launch_is_refused(client: Client, registration: Registration) -> None:
    begun = begin(client, registration)
    claims = claims_of(begun, registration)
    assert_refused(post(begun, _hand_made({"alg": "none", "kid": "first"}, claims)), "algorithm")


def test_x8_the_public_key_as_a_shared_secret_is_refused(client: Client, registration: Registration) -> None:
    begun = begin(client, registration)
    public = private_key("first").public_key()
    pem = public.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    head, _, _ = _hand_made({"alg": "HS256", "kid": "first"}, claims_of(begun, registration)).rpartition(".")
    signature = jwt.algorithms.HMACAlgorithm(jwt.algorithms.HMACAlgorithm.SHA256).sign(head.encode(), pem)
    assert_refused(post(begun, f"{head}.{base64url_encode(signature).decode()}"), "algorithm")


@pytest.mark.parametrize("alg", ["RS512", "PS256"])
def test_x8_another_algorithm_is_refused(alg: str, client: Client, registration: Registration) -> None:
    begun = begin(client, registration)
    assert_refused(post(begun, signed(claims_of(begun, registration), alg=alg)), "algorithm")


def test_x8_a_known_name_of_a_key_with_another_key_is_refused(client: Client, registration: Registration) -> None:
    begun = begin(client, registration)
    assert_refused(post(begun, signed(claims_of(begun, registration), key="second", kid="first")), "signature")


def test_x8_a_payload_that_was_changed_is_refused(client: Client, registration: Registration) -> None:
    begun = begin(client, registration)
    head, _, tail = signed(claims_of(begun, registration)).split(".")
    body = base64url_encode(json.dumps(claims_of(begun, registration, sub="root")).encode()).decode()
    assert_refused(post(begun, f"{head}.{body}.{tail}"), "signature")


@pytest.mark.parametrize("body", [b"[1]", b'"text"', b"[" * 20_000, b"\xff", b"not json", b"12"])
def test_x8_a_signed_payload_that_is_no_object_is_refused(
    body: bytes, client: Client, registration: Registration
) -> None:
    begun = begin(client, registration)
    token = jwt.PyJWS().encode(body, private_key("first"), algorithm="RS256", headers={"kid": "first"})
    assert_refused(post(begun, token), "no-token")


def test_x8_a_head_that_is_nested_without_end_is_refused(client: Client, registration: Registration) -> None:
    head = base64.urlsafe_b64encode(b"[" * 20_000).decode().rstrip("=")
    assert_refused(post(begin(client, registration), f"{head}.e30.e30"), "no-token")


def test_x8_a_key_without_alg_is_taken_as_rs256(
    client: Client, registration: Registration, platform: FakePlatform
) -> None:
    platform.entry = {}
    assert launch(client, registration).status_code == 303


KEY_SETS: dict[str, tuple[int, bytes]] = {
    "down": (500, b"oops"), "not there": (404, b"{}"), "redirected": (302, b""), "not JSON": (200, b"<html>"),
    "no key set": (200, b'{"key": 1}'), "a list": (200, b"[]"), "keys no list": (200, b'{"keys": {}}'),
    "keys of nonsense": (200, b'{"keys": [1, null, {"kty": "RSA"}, {"kid": 7}]}'), "empty": (200, b""),
    "nested without end": (200, b"[" * 100_000), "far too large": (200, b" " * 300_000),
    "a broken key": (200, b'{"keys": [{"kty": "RSA", "kid": "first", "n": "AQ", "e": "AQAB"}]}'),
    "a key of no number": (200, b'{"keys": [{"kty": "RSA", "kid": "first", "n": "%%", "e": "AQAB"}]}'),
    "for encryption": (200, b'{"keys": [{"kty": "RSA", "kid": "first", "use": "enc", "n": "AQ", "e": "AQAB"}]}'),
}  # fmt: skip


def test_x8_names_of_keys_that_cannot_be_stored_are_passed_over(
    client: Client, registration: Registration, platform: FakePlatform
) -> None:
    keys = [public_entry("first"), *({**public_entry("second"), "kid": kid} for kid in ("\x00", "\ud800", "x" * 300))]
    platform.answer = (200, json.dumps({"keys": keys}).encode())
    assert launch(client, registration).status_code == 303
    assert list(Registration.objects.get().keys) == ["first"]


@pytest.mark.parametrize("row", KEY_SETS)
def test_x8_a_key_set_that_will_do_for_nothing_refuses_the_launch_in_words(
    row: str, client: Client, registration: Registration, platform: FakePlatform
) -> None:
    platform.answer = KEY_SETS[row]
    assert_refused(launch(client, registration))


def test_x8_a_key_set_that_takes_too_long_refuses_the_launch_in_words(
    client: Client, registration: Registration, platform: FakePlatform, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(platform_keys, "SECONDS", 0.2)
    platform.delay = 2
    response = launch(client, registration)
    assert_refused(response, "keys-unread")
    assert "it took too long" in response.content.decode()
