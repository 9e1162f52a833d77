"""The pages of connections, and registering by a link."""

import json
import re
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest
from django.test import Client

from exercises.models import Deployment, Registration, RegistrationInvite, User
from tests.lti.platform import HOME, FakePlatform, launch, send

FORM = {
    "name": "Moodle of the faculty", "kind": "moodle", "issuer": "https://127.0.0.1", "client_id": "abc",
    "login_url": "https://127.0.0.1/auth", "token_url": "https://127.0.0.1/token",
    "keys_url": "https://127.0.0.1/keys", "deployment_id": "7",
}  # fmt: skip


def as_user(user: User) -> Client:
    """Their browser."""
    client = Client()
    client.force_login(user)
    return client


@pytest.mark.usefixtures("platform")
def test_a_teacher_registers_a_platform_by_hand(alice: User) -> None:
    client = as_user(alice)
    for kind in Registration.Kind.values:
        text = client.get(f"/lms/new/?kind={kind}").content.decode()
        assert f"{HOME}/lti/" in text
    page = client.post("/lms/new/", FORM, follow=True)
    assert page.status_code == 200
    made = Registration.objects.get()
    assert (made.name, made.made_by, made.lets_teach) == ("Moodle of the faculty", alice, False)
    assert made.deployments.get().state == "approved"
    assert "Moodle of the faculty" in client.get("/lms/").content.decode()
    again = client.post("/lms/new/", FORM)
    assert again.status_code == 422
    assert "registered already" in again.content.decode()


def test_what_is_the_same_everywhere_is_filled_in(alice: User) -> None:
    page = as_user(alice).get("/lms/new/?kind=canvas").content.decode()
    assert 'name="issuer" value="https://canvas.instructure.com"' in page
    assert 'name="keys_url" value="https://sso.canvaslms.com/api/lti/security/jwks"' in page
    assert 'value="https://api.brightspace.com/auth/token"' in as_user(alice).get("/lms/new/?kind=d2l").content.decode()
    assert 'name="issuer" value=' not in as_user(alice).get("/lms/new/?kind=moodle").content.decode()


@pytest.mark.parametrize(
    ("field", "value"),
    [("issuer", "moodle"), ("login_url", "javascript:alert(1)"), ("keys_url", "ftp://lms.example/"), ("name", " "),
     ("client_id", ""), ("frame_origins", "nonsense"), ("kind", "webct"), ("token_url", "http://user:pw@lms.example/")],
)  # fmt: skip
@pytest.mark.usefixtures("platform")
def test_an_address_that_will_not_do_is_named(field: str, value: str, alice: User) -> None:
    response = as_user(alice).post("/lms/new/", {**FORM, field: value})
    assert response.status_code == 422
    assert f"id_{field}_error" in response.content.decode()
    assert not Registration.objects.exists()


def test_an_address_inside_our_own_network_is_not_taken(alice: User, settings: Any) -> None:
    settings.ALLOW_PRIVATE_ADDRESSES = False
    response = as_user(alice).post("/lms/new/", FORM)
    assert response.status_code == 422
    assert "private network" in response.content.decode()


def test_only_who_runs_the_service_makes_teachers_of_a_platform(
    registration: Registration, alice: User, operator: User
) -> None:
    Registration.objects.update(made_by=alice)
    address = f"/lms/{registration.public_id}/edit/"
    form = {**FORM, "lets_teach": "on"}
    assert as_user(alice).post(address, form).status_code == 302
    assert not Registration.objects.get().lets_teach
    assert as_user(operator).post(address, form).status_code == 302
    assert Registration.objects.get().lets_teach
    assert as_user(alice).post(address, FORM).status_code == 302
    assert Registration.objects.get().lets_teach


def test_x7_a_deployment_that_waits_is_approved_on_the_page(
    client: Client, registration: Registration, operator: User
) -> None:
    launch(client, registration, deployment_id="2")
    keeper, address = as_user(operator), f"/lms/{registration.public_id}/"
    assert "1 to approve" in keeper.get("/lms/").content.decode()
    waiting = Deployment.objects.get(deployment_id="2")
    keeper.post(address, {"do": "approve", "deployment": waiting.pk})
    assert launch(client, registration, deployment_id="2").status_code == 303
    keeper.post(address, {"do": "refuse", "deployment": waiting.pk})
    assert launch(client, registration, deployment_id="2").status_code == 400
    keeper.post(address, {"do": "off"})
    assert "switched off" in keeper.get(address).content.decode()


def test_who_keeps_no_registration_sees_nothing_of_it(
    registration: Registration, alice: User, bob: User, charlie: User
) -> None:
    Registration.objects.update(name="Secret platform")
    addresses = ("/lms/", "/lms/new/", f"/lms/{registration.public_id}/", f"/lms/{registration.public_id}/edit/")
    for user in (bob, charlie):
        assert [as_user(user).get(address).status_code for address in addresses] == [404] * 4
    assert [as_user(alice).get(address).status_code for address in addresses] == [200, 200, 404, 404]
    assert "Secret platform" not in as_user(alice).get("/lms/").content.decode()
    assert as_user(alice).post(addresses[2], {"do": "off"}).status_code == 404
    assert as_user(alice).get("/lms/keys/").status_code == 404
    assert Client().get("/lms/").status_code == 302


def test_a_list_of_connections_costs_the_same_however_long_it_is(
    registration: Registration, operator: User, django_assert_num_queries: Any
) -> None:
    keeper = as_user(operator)
    keeper.get("/lms/")
    with django_assert_num_queries(3):
        keeper.get("/lms/")
    for number in range(3):
        Registration.objects.create(name="x", issuer="https://x.example", client_id=str(number))
    with django_assert_num_queries(3):
        keeper.get("/lms/")


def test_our_keys_are_changed_by_who_runs_the_service(operator: User, alice: User) -> None:
    keeper = as_user(operator)
    assert keeper.post("/lms/keys/", follow=True).status_code == 200
    assert len(Client().get("/lti/keys").json()["keys"]) == 1
    assert as_user(alice).post("/lms/keys/").status_code == 404


def test_canvas_reads_how_we_want_to_be_set_up(client: Client) -> None:
    said = client.get("/lti/canvas.json").json()
    assert said["oidc_initiation_url"] == f"{HOME}/lti/login"
    assert said["public_jwk_url"] == f"{HOME}/lti/keys"
    placements = said["extensions"][0]["settings"]["placements"]
    assert {one["target_link_uri"] for one in placements} == {f"{HOME}/lti/deep-link"}
    assert len(said["scopes"]) == 5


# --- a platform registers itself --------------------------------------------------------------------------------------


class Registrar:
    """The side of the platform: its configuration, and what it was sent."""

    def __init__(self, platform: FakePlatform) -> None:
        self.platform = platform
        self.configuration: dict[str, Any] = {
            "issuer": platform.url, "authorization_endpoint": f"{platform.url}/auth",
            "token_endpoint": f"{platform.url}/token", "jwks_uri": f"{platform.url}/keys",
            "registration_endpoint": f"{platform.url}/register",
            "https://purl.imsglobal.org/spec/lti-platform-configuration": {"product_family_code": "moodle"},
        }  # fmt: skip
        self.answer: Any = {
            "client_id": "given", "https://purl.imsglobal.org/spec/lti-tool-configuration": {"deployment_id": "9"},
        }  # fmt: skip
        self.sent: list[tuple[str, dict[str, Any]]] = []
        platform.pages = {"/configuration": self._tell, "/register": self._register}

    def _tell(self, handler: BaseHTTPRequestHandler) -> None:
        send(handler, json.dumps(self.configuration).encode(), kind="application/json")

    def _register(self, handler: BaseHTTPRequestHandler) -> None:
        body = handler.rfile.read(int(handler.headers["Content-Length"]))
        self.sent.append((handler.headers.get("Authorization", ""), json.loads(body)))
        send(handler, json.dumps(self.answer).encode(), status=201, kind="application/json")


@pytest.fixture
def registrar(platform: FakePlatform) -> Iterator[Registrar]:
    return Registrar(platform)


def invited(keeper: Client, prefix: str = "") -> str:
    """A link, without the host."""
    text = keeper.post("/lms/", {"issuer_prefix": prefix}).content.decode()
    found = re.search(rf"{HOME}(/lti/register/[^<]+)", text)
    assert found, text
    return found[1]


def accept(address: str, registrar: Registrar, **more: str) -> Any:
    """Open the link as the platform does, and press the button."""
    said = {"openid_configuration": f"{registrar.platform.url}/configuration", "registration_token": "tok", **more}
    asked = Client().get(address, said)
    if asked.status_code != 200:
        return asked
    if not more:
        assert f"frame-ancestors {registrar.platform.url}" in asked["Content-Security-Policy"]
    return Client(enforce_csrf_checks=True).post(address, said)


def test_a_platform_registers_itself_once_by_a_link(registrar: Registrar, operator: User) -> None:
    address = invited(as_user(operator), registrar.platform.url)
    response = accept(address, registrar)
    assert response.status_code == 200, response.content.decode()
    made = Registration.objects.get()
    assert (made.issuer, made.client_id, made.kind) == (registrar.platform.url, "given", "moodle")
    assert made.deployments.get(deployment_id="9").state == "approved"
    bearer, sent = registrar.sent[0]
    assert bearer == "Bearer tok"
    assert sent["initiate_login_uri"] == f"{HOME}/lti/login"
    assert sent["redirect_uris"] == [f"{HOME}/lti/launch"]
    assert sent["token_endpoint_auth_method"] == "private_key_jwt"
    assert accept(address, registrar).status_code == 400
    assert len(registrar.sent) == 1
    assert RegistrationInvite.objects.get().registration == made


@pytest.mark.parametrize(
    ("prefix", "changes"),
    [
        ("https://lms.example", {}),
        ("", {"issuer": "https://lms.example"}),
        ("", {"issuer": 7}),
        ("", {"jwks_uri": "javascript:x"}),
        ("", {"registration_endpoint": "https://evil.example/register"}),
        ("", {"token_endpoint": None}),
    ],
)
def test_a_platform_that_is_another_than_the_invited_one_is_refused_and_the_link_stays_good(
    prefix: str, changes: dict[str, Any], registrar: Registrar, operator: User
) -> None:
    address = invited(as_user(operator), prefix)
    right = dict(registrar.configuration)
    registrar.configuration |= changes
    response = accept(address, registrar)
    assert response.status_code == 400
    assert "What to do" in response.content.decode()
    assert not registrar.sent
    assert not Registration.objects.exists()
    registrar.configuration = right
    assert accept(address, registrar).status_code == (400 if prefix else 200)


@pytest.mark.parametrize("answer", [[], {}, {"client_id": 7}, {"client_id": ""}, "text"])
def test_a_platform_that_answers_nonsense_is_not_registered(answer: Any, registrar: Registrar, operator: User) -> None:
    registrar.answer = answer
    assert accept(invited(as_user(operator)), registrar).status_code == 400
    assert not Registration.objects.exists()


def test_a_link_for_one_host_is_none_for_a_host_that_begins_alike(registrar: Registrar, operator: User) -> None:
    assert accept(invited(as_user(operator), registrar.platform.url[:-1]), registrar).status_code == 400


def test_a_link_calls_nothing_inside_our_own_network(registrar: Registrar, operator: User, settings: Any) -> None:
    address = invited(as_user(operator))
    settings.ALLOW_PRIVATE_ADDRESSES = False
    response = accept(address, registrar, openid_configuration="https://127.0.0.1/configuration")
    assert response.status_code == 400
    assert "private network, which is not called.<" in response.content.decode().replace("</p>", "<")
    assert registrar.platform.asked == []


@pytest.mark.parametrize("address", ["/lti/register/guess/", "/lti/register/guess/?openid_configuration=x"])
def test_a_guessed_link_opens_nothing(address: str, client: Client, db: None) -> None:
    assert client.get(address).status_code == 400
