"""A platform is connected, given keys of its own and removed, in a real browser and by keys alone where one presses."""

import re
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from playwright.sync_api import Page, expect

from exercises.models import Deployment, Registration, User
from tests.journeys.looking import scanned
from tests.journeys.test_lms_services import signed_in
from tests.lti.conftest import platform, published, registration
from tests.lti.test_connections import FORM

__all__ = ["platform", "published", "registration"]
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.usefixtures("platform")
def test_a_teacher_connects_a_platform_and_removes_it(page: Page, live_server: Any, alice: User) -> None:
    signed_in(page, alice, live_server.url)
    page.goto(f"{live_server.url}/courses/")
    page.get_by_role("link", name="LMS connections").click()
    page.get_by_role("link", name="Connect a platform").click()
    scanned(page)
    address = page.get_by_role("row", name="Public keyset").locator("code").inner_text()
    for label, name in (
        ("Name", "name"), ("Issuer", "issuer"), ("Client id", "client_id"), ("Public keyset URL", "keys_url"),
        ("Authentication request URL", "login_url"), ("Access token URL", "token_url"),
    ):  # fmt: skip
        page.get_by_label(re.compile(f"^{label}( \\(optional\\))?$")).fill(FORM[name])
    page.get_by_role("button", name="Register it").press("Enter")
    expect(page.get_by_role("heading", name=FORM["name"])).to_be_visible()
    expect(page.get_by_text("by keys that no other platform reads")).to_be_visible()
    assert address in page.get_by_role("main").inner_text()
    assert page.request.get(address).json()["keys"]
    page.get_by_role("button", name="Make its next key now").press("Enter")
    expect(page.get_by_text(re.compile("is published, and signs from"))).to_be_visible()
    scanned(page)
    page.get_by_role("link", name="Remove it").press("Enter")
    expect(page.get_by_role("heading", name="What stays")).to_be_visible()
    scanned(page)
    page.get_by_role("button", name="Remove it for good").press("Enter")
    expect(page.get_by_text("No platform is connected yet.")).to_be_visible()
    assert not Registration.objects.exists()


def test_the_pages_of_a_platform_that_people_came_from_are_clear_to_everybody(
    page: Page, live_server: Any, registration: Registration, operator_: User
) -> None:
    Deployment.objects.create(registration=registration, deployment_id="2", seen_as="Another Moodle")
    Registration.objects.update(state="off")
    registration.people.create(sub="7", user=User.objects.create_user("guest"))
    signed_in(page, operator_, live_server.url)
    page.goto(f"{live_server.url}/lms/{registration.public_id}/")
    expect(page.get_by_role("button", name="sign by its own keys")).to_be_visible()
    scanned(page)
    page.get_by_role("link", name="Remove it").click()
    expect(page.get_by_text("can be opened by nobody then")).to_be_visible()
    page.get_by_role("button", name="Remove it for good").click()
    expect(page.get_by_text("as it stands here")).to_be_visible()
    scanned(page)
    page.goto(f"{live_server.url}/lms/keys/")
    scanned(page)


def test_addresses_are_proven_from_the_account(page: Page, live_server: Any, alice: User) -> None:
    alice.email = "alice@example.org"
    alice.save(update_fields=["email"])
    EmailAddress.objects.create(user=alice, email=alice.email, primary=True, verified=True)
    EmailAddress.objects.create(user=alice, email="a.very.long.address.indeed@department.university.example.org")
    signed_in(page, alice, live_server.url)
    page.goto(f"{live_server.url}/courses/")
    page.get_by_role("link", name="alice").click()
    scanned(page)
    page.get_by_role("link", name="Manage email addresses").press("Enter")
    expect(page.get_by_role("heading", name="alice@example.org")).to_be_visible()
    scanned(page)


@pytest.fixture
def operator_(db: None) -> User:
    return User.objects.create_user("oscar", password="oscar runs it", is_staff=True)
