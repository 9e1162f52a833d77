"""A learning platform that forges: it signs whatever it is told to, with whatever it is told to."""

import copy
import json
import time
from collections.abc import Callable, Mapping
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from django.test import Client
from jwt.algorithms import RSAAlgorithm

from exercises.models import Deployment, PlatformUser, Registration
from tests.loopback import serving

CLAIM = "https://purl.imsglobal.org/spec/lti/claim/"
DEEP_LINKING = "https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings"
GRADES = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint"
ROSTER = "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice"
MEMBERSHIP = "http://purl.imsglobal.org/vocab/lis/v2/membership"
INSTRUCTOR = f"{MEMBERSHIP}#Instructor"
LEARNER = f"{MEMBERSHIP}#Learner"
ISSUER = "https://lms.example"
HOME = "http://testserver"
#: Instead of a value: take the claim out.
LEFT_OUT = object()


@cache
def private_key(name: str, bits: int = 2048) -> rsa.RSAPrivateKey:
    """A key of that name; made once, since making one takes a while."""
    return rsa.generate_private_key(public_exponent=65537, key_size=bits)


def public_entry(name: str, kid: str | None = None, **more: Any) -> dict[str, Any]:
    """The public half in a key set."""
    entry = json.loads(RSAAlgorithm.to_jwk(private_key(name).public_key()))
    entry.pop("key_ops", None)
    return {**entry, "kid": kid or name, "use": "sig", **more}


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Whoever asked is gone by the time of the answer: that is what some tests are about."""


class FakePlatform:
    """A platform on loopback. ``keys`` are the names of the keys in its key set; ``answer`` replaces what it sends."""

    def __init__(self) -> None:
        self.keys = ["first"]
        self.entry: Mapping[str, Any] = {"alg": "RS256"}
        self.answer: tuple[int, bytes] | None = None
        self.delay = 0.0
        self.asked: list[str] = []
        self.pages: dict[str, Callable[[BaseHTTPRequestHandler], None]] = {}
        self._server = _Server(("127.0.0.1", 0), _handler_of(self))
        serving(self._server)

    @property
    def url(self) -> str:
        """Its origin."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def times_asked(self, path: str) -> int:
        """How often something was asked for."""
        return sum(asked.split("?")[0] == path for asked in self.asked)

    def stop(self) -> None:
        """End it."""
        self._server.shutdown()
        self._server.server_close()

    def key_set(self) -> bytes:
        """What stands at its key set address."""
        return json.dumps({"keys": [public_entry(name, **self.entry) for name in self.keys]}).encode()


def _handler_of(platform: FakePlatform) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            platform.asked.append(self.path)
            path = self.path.split("?")[0]
            if path in platform.pages:
                platform.pages[path](self)
                return
            time.sleep(platform.delay)
            status, body = platform.answer or (200, platform.key_set())
            send(self, body, status=status, kind="application/json")

        do_POST = do_GET  # noqa: N815

        def log_message(self, *_: Any) -> None:
            pass

    return Handler


def send(handler: BaseHTTPRequestHandler, body: bytes, *, status: int = 200, kind: str = "text/html") -> None:
    """Answer a request of a page."""
    handler.send_response(status)
    handler.send_header("Content-Type", kind)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)


def registered(platform: FakePlatform, *, issuer: str = ISSUER, client_id: str = "gym", **more: Any) -> Registration:
    """A registration of it with one approved deployment, "1"."""
    found = Registration.objects.create(
        name="Moodle", issuer=issuer, client_id=client_id, login_url=f"{platform.url}/auth",
        keys_url=f"{platform.url}/keys", token_url=f"{platform.url}/token", **more,
    )  # fmt: skip
    Deployment.objects.create(registration=found, deployment_id="1", state=Deployment.State.APPROVED)
    return found


class Begun:
    """A launch that was begun in a browser, and what the platform was asked with."""

    def __init__(self, client: Client, address: str) -> None:
        self.client = client
        self.asked = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
        self.state, self.nonce = self.asked["state"], self.asked["nonce"]


def begin(client: Client, registration: Registration, *, target: str = f"{HOME}/lti/launch", **more: str) -> Begun:
    """Begin a launch as the platform does."""
    said = {
        "iss": registration.issuer, "client_id": registration.client_id, "login_hint": "42",
        "target_link_uri": target, **more,
    }  # fmt: skip
    response = client.post("/lti/login", said)
    assert response.status_code == 302, response.content.decode()
    return Begun(client, response["Location"])


def claims_of(begun: Begun, registration: Registration, **changes: Any) -> dict[str, Any]:
    """The claims of a good launch of an instructor, with changes. A change is named as the claim, without its
    address; ``sub__x`` changes ``x`` within ``sub``; LEFT_OUT takes it out."""
    now = int(time.time())
    found: dict[str, Any] = {
        "iss": registration.issuer, "aud": registration.client_id, "sub": "alice-7", "exp": now + 300, "iat": now,
        "nonce": begun.nonce, "name": "Alice Teacher", "given_name": "Alice", "family_name": "Teacher",
        "email": "alice@lms.example",
        f"{CLAIM}message_type": "LtiResourceLinkRequest", f"{CLAIM}version": "1.3.0", f"{CLAIM}deployment_id": "1",
        f"{CLAIM}target_link_uri": f"{HOME}/lti/launch", f"{CLAIM}roles": [INSTRUCTOR],
        f"{CLAIM}resource_link": {"id": "link-1", "title": "Week 1"},
        f"{CLAIM}context": {"id": "course-1", "title": "BERT by hand"},
        f"{CLAIM}launch_presentation": {"document_target": "window", "return_url": "https://lms.example/back?a=1"},
        f"{CLAIM}tool_platform": {"guid": "g", "name": "The faculty's Moodle", "product_family_code": "moodle"},
        f"{CLAIM}custom": {"week": "1"},
        GRADES: {
            "scope": ["https://purl.imsglobal.org/spec/lti-ags/scope/score"],
            "lineitems": "https://lms.example/items", "lineitem": "https://lms.example/items/1",
        },
        ROSTER: {"context_memberships_url": "https://lms.example/members", "service_versions": ["2.0"]},
    }  # fmt: skip
    found = copy.deepcopy(found)
    for name, value in changes.items():
        place, *within = name.split("__")
        key = _claim_named(found, place)
        holder: Any = found
        for inner in within:
            holder, key = holder[key], inner
        if value is LEFT_OUT:
            holder.pop(key, None)
        else:
            holder[key] = value
    return found


def _claim_named(found: dict[str, Any], name: str) -> str:
    if name in ("endpoint", "namesroleservice", "deep_linking_settings"):
        return {"endpoint": GRADES, "namesroleservice": ROSTER, "deep_linking_settings": DEEP_LINKING}[name]
    return name if name in found or f"{CLAIM}{name}" not in found else f"{CLAIM}{name}"


def signed(claims: Mapping[str, Any], *, key: str = "first", kid: str | None = "first", alg: str = "RS256") -> str:
    """The claims as a token, by a key of ours under whatever name."""
    headers = {"kid": kid} if kid is not None else {}
    # Not by jwt.encode, which refuses what a forger would send.
    return jwt.PyJWS().encode(json.dumps(dict(claims)).encode(), private_key(key), algorithm=alg, headers=headers)


def post(begun: Begun, token: str, *, state: str | None = None, client: Client | None = None, **more: Any) -> Any:
    """Send the token back as the platform does."""
    said = {"state": begun.state if state is None else state, "id_token": token}
    return (client or begun.client).post("/lti/launch", {**said, **more.pop("form", {})}, **more)


def launch(client: Client, registration: Registration, *, key: str = "first", **changes: Any) -> Any:
    """A whole launch up to the answer of the tool."""
    begun = begin(client, registration)
    return post(begun, signed(claims_of(begun, registration, **changes), key=key, kid=key))


def arrived(client: Client, response: Any) -> Any:
    """Follow a launch that was taken to the page that it leads to."""
    assert response.status_code == 303, response.content.decode()
    return client.get(response["Location"], follow=True)


def assert_refused(response: Any, reason: str = "") -> None:
    """A 4xx page that says what is wrong and what to do; nobody is signed in, nobody written down."""
    text = response.content.decode()
    assert 400 <= response.status_code < 500, text
    assert "What to do:" in text
    if reason:
        assert f"<code>{reason}</code>" in text, text
    assert "_auth_user_id" not in response.wsgi_request.session
    assert not PlatformUser.objects.exists()
