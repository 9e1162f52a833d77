"""Each registration has a key set of its own; those of before share one until somebody changes that."""

import datetime as dt
import re
import uuid
from typing import Any

import jwt
import pytest
from django.test import Client
from django.utils import timezone

from exercises import clock
from exercises.actions.lms.service_client import Unavailable, signed
from exercises.actions.lms.tool_keys import rotate_tool_key, signing_key, tend_tool_keys
from exercises.models import Registration, ToolKey, User
from tests.lti.platform import HOME
from tests.lti.test_connections import FORM, Registrar, accept, as_user, invited

pytestmark = pytest.mark.django_db


def kids(address: str) -> set[str]:
    """The names of the keys at an address."""
    return {key["kid"] for key in Client().get(address).json()["keys"]}


def kid_of(registration: Registration) -> str:
    """By which key we sign for a platform now."""
    return str(jwt.get_unverified_header(signed({"sub": "gym"}, Registration.objects.get(pk=registration.pk)))["kid"])


@pytest.mark.usefixtures("platform")
def test_a_platform_is_registered_with_the_very_address_of_keys_that_the_page_has_shown(alice: User) -> None:
    teacher = as_user(alice)
    text = teacher.get("/lms/new/?kind=moodle").content.decode()
    address = re.search(rf"{HOME}(/lti/keys/[0-9a-f-]+)", text)
    assert address
    # Opened once more, in a browser that was closed meanwhile, it is the same.
    assert address[0] in as_user(alice).get("/lms/new/?kind=canvas").content.decode().replace(
        "/lti/canvas/", "/lti/keys/"
    )
    owner = address[1].rpartition("/")[2]
    before = Client().get(address[1])
    assert (before.status_code, before["Cache-Control"]) == (404, "no-store")
    assert not ToolKey.objects.exists()
    assert teacher.post("/lms/new/", {**FORM, "public_id": owner}).status_code == 302
    made = Registration.objects.get()
    assert str(made.public_id) == owner
    assert kids(address[1]) == {kid_of(made)}
    assert not kids("/lti/keys") & kids(address[1])
    assert address[0] in teacher.get(f"/lms/{owner}/").content.decode()
    # The next one gets another, and a form that was left open with the old one is not taken.
    assert address[0] not in teacher.get("/lms/new/").content.decode()
    stale = teacher.post("/lms/new/", {**FORM, "issuer": "https://127.0.0.2", "public_id": owner})
    assert (stale.status_code, Registration.objects.count()) == (422, 1)


def test_what_is_signed_for_one_platform_is_worth_nothing_at_another(registration: Registration) -> None:
    twin = Registration.objects.create(name="Twin", issuer="https://twin.example", client_id="a", has_own_keys=True)
    Registration.objects.update(has_own_keys=True)
    assert kid_of(twin) not in kids(f"/lti/keys/{registration.public_id}")
    assert kid_of(registration) in kids(f"/lti/keys/{registration.public_id}")


def test_a_platform_of_before_goes_on_with_the_shared_keys_and_moves_without_a_gap(
    registration: Registration, alice: User
) -> None:
    Registration.objects.update(made_by=alice)
    address = f"/lti/keys/{registration.public_id}"
    shared = kid_of(registration)
    assert shared in kids("/lti/keys")
    # At the new address both stand, whichever way round platform and service are changed.
    ahead = kids(address)
    assert shared in ahead
    page = as_user(alice).post(f"/lms/{registration.public_id}/", {"do": "own-keys"}, follow=True)
    assert "its own keys" in page.content.decode()
    assert kid_of(registration) in ahead - {shared}
    assert kids(address) == ahead - {shared}
    # Who keeps it does not lead it back; who runs the service does.
    as_user(alice).post(f"/lms/{registration.public_id}/", {"do": "shared-keys"})
    assert kid_of(registration) != shared


def test_who_runs_the_service_leads_a_platform_back_to_the_shared_keys(
    registration: Registration, operator: User
) -> None:
    shared = kid_of(registration)
    keeper, address = as_user(operator), f"/lms/{registration.public_id}/"
    assert registration.name in keeper.get("/lms/keys/").content.decode()
    keeper.post(address, {"do": "own-keys"})
    assert "No platform reads them" in keeper.get("/lms/keys/").content.decode()
    keeper.post(address, {"do": "shared-keys"})
    assert kid_of(registration) == shared


def test_each_set_has_its_next_key_and_loses_what_belongs_to_nobody(registration: Registration, alice: User) -> None:
    Registration.objects.update(has_own_keys=True, made_by=alice)
    own, shared, stray = kid_of(registration), signing_key().kid, uuid.uuid4()
    signing_key(stray)
    as_user(alice).post(f"/lms/{registration.public_id}/", {"do": "next-key"})
    assert len(kids(f"/lti/keys/{registration.public_id}")) == 2
    assert kids("/lti/keys") == {shared}
    assert rotate_tool_key(registration.public_id).kid in kids(f"/lti/keys/{registration.public_id}") - {own}
    now = timezone.now()
    with clock.at(now + dt.timedelta(hours=25)):
        assert tend_tool_keys() == 1
        assert not ToolKey.objects.filter(key_set=stray).exists()
    with clock.at(now + dt.timedelta(days=93)):
        tend_tool_keys()
        assert (ToolKey.objects.filter(key_set=None).count(), ToolKey.objects.exclude(key_set=None).count()) == (2, 2)
    assert Client().get(f"/lti/keys/{stray}").status_code == 404


def test_a_platform_that_registers_itself_is_told_its_own_address(platform: Any, operator: User) -> None:
    registrar = Registrar(platform)
    assert accept(invited(as_user(operator)), registrar).status_code == 200
    made = Registration.objects.get()
    assert registrar.sent[0][1]["jwks_uri"] == f"{HOME}/lti/keys/{made.public_id}"
    # Made before it was told of them: it may look at once.
    assert ToolKey.objects.get().created_at < made.created_at
    assert kids(f"/lti/keys/{made.public_id}") == {kid_of(made)}


def test_a_platform_that_does_not_register_us_leaves_no_keys(platform: Any, operator: User) -> None:
    registrar = Registrar(platform)
    registrar.answer = {}
    assert accept(invited(as_user(operator)), registrar).status_code == 400
    assert registrar.sent[0][1]["jwks_uri"].startswith(f"{HOME}/lti/keys/")
    assert not ToolKey.objects.exists()


def test_canvas_reads_the_address_of_its_own_keys(client: Client) -> None:
    owner = uuid.uuid4()
    said = client.get(f"/lti/canvas/{owner}.json").json()
    assert said["public_jwk_url"] == f"{HOME}/lti/keys/{owner}"


def test_a_key_that_cannot_be_opened_signs_nothing_and_says_so(registration: Registration, settings: Any) -> None:
    kid_of(registration)
    settings.SECRET_KEY = "another one"
    with pytest.raises(Unavailable, match="SECRET_KEY"):
        kid_of(registration)
