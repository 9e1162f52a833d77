"""Systems come in by OAuth2 client credentials: as the person who let them in, and no further than they were let."""

import base64
import datetime as dt

import pytest
from django.test import Client as Browser
from django.utils import timezone
from oauth2_provider.models import get_access_token_model
from rest_framework.test import APIClient

from exercises.actions import KeyRefused, make_client, remove_client, rotate_client_secret
from exercises.models import Client, Course, User
from server.api import oauth
from server.tasks import clear_tokens

pytestmark = pytest.mark.usefixtures("servers")
TOKEN = "/oauth/token"


@pytest.fixture
def system(alice: User) -> tuple[str, Client]:
    """Alice's student information system, with its secret."""
    return make_client(user=alice, name="Campus", scopes=["roster.read", "practice"])


def ask(client: Client | str, secret: str, *, by_header: bool = True, **more: str) -> object:
    """What the token endpoint says."""
    name = client if isinstance(client, str) else client.client_id
    said = {"grant_type": "client_credentials", **more}
    if by_header:
        pair = base64.b64encode(f"{name}:{secret}".encode()).decode()
        return Browser().post(TOKEN, said, headers={"Authorization": f"Basic {pair}"})
    return Browser().post(TOKEN, {**said, "client_id": name, "client_secret": secret})


def opened(token: str) -> APIClient:
    made = APIClient()
    made.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")
    return made


@pytest.mark.parametrize("by_header", [True, False])
def test_a_secret_gets_a_short_lived_token_that_acts_as_its_person(
    alice: User, system: tuple[str, Client], by_header: bool
) -> None:
    secret, client = system
    said = ask(client, secret, by_header=by_header)
    assert (said.status_code, said["Cache-Control"]) == (200, "no-store")
    body = said.json()
    assert (body["token_type"], body["expires_in"], set(body["scope"].split())) == (
        "Bearer",
        3600,
        {"roster.read", "practice"},
    )
    assert "refresh_token" not in body
    api = opened(body["access_token"])
    assert api.get("/api/v1/skills").status_code == 200
    assert api.get("/api/v1/tokens").status_code == 200
    client.refresh_from_db()
    assert client.last_used_at is not None


def test_neither_the_secret_nor_a_token_is_stored(system: tuple[str, Client]) -> None:
    secret, client = system
    token = ask(client, secret).json()["access_token"]
    kept = f"{Client.objects.values().get()} {get_access_token_model().objects.values().get()}"
    assert secret not in kept
    assert token not in kept


def test_a_token_may_be_asked_for_less_and_never_for_more(system: tuple[str, Client]) -> None:
    secret, client = system
    narrow = ask(client, secret, scope="roster.read").json()
    assert narrow["scope"] == "roster.read"
    refused = opened(narrow["access_token"]).get("/api/v1/skills")
    assert (refused.status_code, refused.json()["code"]) == (403, "insufficient-scope")
    more = ask(client, secret, scope="roster.read grades.write")
    assert (more.status_code, more.json()["error"]) == (400, "invalid_scope")


def test_what_is_taken_from_a_system_is_taken_from_its_tokens_at_once(
    alice: User, course: Course, system: tuple[str, Client]
) -> None:
    secret, client = system
    api = opened(ask(client, secret).json()["access_token"])
    Client.objects.update(scopes=["roster.read"])
    assert api.get("/api/v1/skills").json()["code"] == "insufficient-scope"
    Client.objects.update(scopes=["practice"], course=course)
    assert api.get("/api/v1/skills").json()["code"] == "course-limited"


def test_another_secret_or_none_closes_the_door_at_once(alice: User, system: tuple[str, Client]) -> None:
    secret, client = system
    api = opened(ask(client, secret).json()["access_token"])
    other = rotate_client_secret(client)
    assert api.get("/api/v1/skills").status_code == 401
    assert ask(client, secret).status_code == 401
    api = opened(ask(client, other).json()["access_token"])
    assert api.get("/api/v1/skills").status_code == 200
    remove_client(client)
    assert api.get("/api/v1/skills").status_code == 401
    assert ask(client, other).status_code == 401


def test_a_system_gives_a_token_back(system: tuple[str, Client]) -> None:
    secret, client = system
    token = ask(client, secret).json()["access_token"]
    said = {"token": token, "client_id": client.client_id, "client_secret": secret}
    assert Browser().post("/oauth/revoke", {**said, "client_secret": "wrong"}).status_code == 401
    assert opened(token).get("/api/v1/skills").status_code == 200
    assert Browser().post("/oauth/revoke", said).status_code == 200
    assert opened(token).get("/api/v1/skills").status_code == 401


def test_the_systems_of_somebody_who_left_stop(alice: User, system: tuple[str, Client]) -> None:
    secret, client = system
    api = opened(ask(client, secret).json()["access_token"])
    User.objects.update(is_active=False)
    assert api.get("/api/v1/skills").status_code == 401
    assert ask(client, secret).status_code == 401


def test_a_token_ends_and_is_cleared_away(system: tuple[str, Client]) -> None:
    secret, client = system
    api = opened(ask(client, secret).json()["access_token"])
    clear_tokens()
    assert api.get("/api/v1/skills").status_code == 200
    get_access_token_model().objects.update(expires=timezone.now() - dt.timedelta(seconds=1))
    assert api.get("/api/v1/skills").status_code == 401
    clear_tokens()
    assert not get_access_token_model().objects.exists()


@pytest.mark.parametrize("address", [TOKEN, "/oauth/revoke"])
@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        ("a=" + "b" * 3_000_000, "application/x-www-form-urlencoded", 413),
        ("&".join(f"a{number}=b" for number in range(1_100)), "application/x-www-form-urlencoded", 400),
        ("no parts", "multipart/form-data; boundary=", 400),
    ],
)
def test_what_is_too_large_or_no_form_is_refused_as_a_document(address: str, body: str, kind: str, status: int) -> None:
    said = Browser().post(address, body, content_type=kind)
    assert (said.status_code, said["Content-Type"]) == (status, "application/json")
    assert (said.json()["error"], "Retry-After" in said) == ("invalid_request", False)


@pytest.mark.parametrize(
    "grant", ["password", "authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code", ""]
)
def test_there_is_no_other_grant(system: tuple[str, Client], grant: str) -> None:
    secret, client = system
    refused = ask(client, secret, grant_type=grant, username="alice", password="alice teaches here", device_code="x")
    assert refused.status_code == 400
    assert refused.json()["error"] in ("unsupported_grant_type", "invalid_request")


@pytest.mark.parametrize(
    "said",
    [
        {},
        {"grant_type": "client_credentials"},
        {"grant_type": "client_credentials", "client_id": "nobody", "client_secret": "x"},
        {"grant_type": "client_credentials", "client_id": "a\x00b", "client_secret": "x"},
        {"grant_type": "client_credentials", "client_id": "nobody", "client_secret": "x", "scope": "\x00"},
    ],
)
def test_nonsense_gets_no_token(db: None, said: dict[str, str]) -> None:
    refused = Browser().post(TOKEN, said)
    assert refused.status_code in (400, 401)
    assert refused.json()["error"]


@pytest.mark.parametrize("header", ["Basic", "Basic !", "Basic AAAA", "Basic /w==", "Bearer x", "Basic YQBiOmM="])
def test_a_header_that_is_nonsense_gets_no_token(db: None, header: str) -> None:
    refused = Browser().post(TOKEN, {"grant_type": "client_credentials"}, headers={"Authorization": header})
    assert refused.status_code in (400, 401)


def test_no_page_of_the_library_is_reachable(db: None) -> None:
    for address in ("/oauth/authorize", "/oauth/applications/", "/oauth/introspect", "/o/token/"):
        assert APIClient().get(address).status_code == 404
    assert APIClient().get(TOKEN).status_code == 405


def test_secrets_are_tried_slowly_whichever_way_they_come(
    system: tuple[str, Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    secret, client = system
    monkeypatch.setattr(oauth, "PER_CLIENT", 3)
    statuses = [ask(client, f"guess {k}", by_header=k % 2 == 0).status_code for k in range(5)]
    assert statuses == [401, 401, 401, 429, 429]
    refused = ask(client, secret)
    assert (refused.status_code, refused.json()["error"]) == (429, "temporarily_unavailable")
    assert int(refused["Retry-After"]) > 0


@pytest.mark.usefixtures("no_redis")
def test_no_secret_is_tried_while_tries_cannot_be_counted(system: tuple[str, Client]) -> None:
    secret, client = system
    assert ask(client, secret).status_code == 503


def test_a_system_needs_a_name_and_a_use(alice: User) -> None:
    for name, scopes in (("", ["practice"]), ("Campus", []), ("Campus", ["root"])):
        with pytest.raises(KeyRefused):
            make_client(user=alice, name=name, scopes=scopes)
