"""The page of one's e-mail addresses: reached from the account, in the words of the house."""

import re
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.test import Client

from exercises.models import User

pytestmark = pytest.mark.django_db
PAGE = "/accounts/email/"


@pytest.fixture
def mallory() -> User:
    """Somebody with one address, which nobody has proven."""
    made = User.objects.create_user("mallory", "mallory@example.org", "long pass 8812x")
    EmailAddress.objects.create(user=made, email=made.email, primary=True)
    return made


@pytest.fixture
def browser(mallory: User) -> Client:
    client = Client()
    client.force_login(mallory)
    return client


def buttons(page: Any) -> list[str]:
    """What each button of the addresses does, in order."""
    return re.findall(r'name="(action_[a-z]+)"', page.content.decode())


def test_an_address_is_proven_by_a_link_that_is_sent_there(
    browser: Client, mallory: User, mailoutbox: list[Any]
) -> None:
    assert f'href="{PAGE}"' in browser.get("/accounts/password/change/").content.decode()
    page = browser.get(PAGE)
    assert "not verified" in page.content.decode()
    assert buttons(page) == ["action_send", "action_remove", "action_add"]
    assert browser.post(PAGE, {"email": mallory.email, "action_send": ""}, follow=True).status_code == 200
    link = next(word for word in str(mailoutbox[-1].body).split() if "/confirm-email/" in word)
    address = "/" + link.split("/", 3)[3]
    asked = Client().get(address).content.decode()
    assert "mallory@example.org" in asked
    assert not EmailAddress.objects.get().verified
    assert Client().post(address, follow=True).status_code == 200
    assert "not verified" not in browser.get(PAGE).content.decode()
    assert EmailAddress.objects.get().verified
    spoilt = Client().get("/accounts/confirm-email/nonsense/")
    assert "has expired" in spoilt.content.decode()


def test_the_main_address_is_changed_and_only_another_one_is_taken_off(
    browser: Client, mallory: User, mailoutbox: list[Any]
) -> None:
    EmailAddress.objects.update(verified=True)
    browser.post(PAGE, {"email": "second@example.org", "action_add": ""})
    EmailAddress.objects.update(verified=True)
    assert [mail.to for mail in mailoutbox[:1]] == [["second@example.org"]]
    assert buttons(browser.get(PAGE)) == ["action_primary", "action_remove", "action_add"]
    browser.post(PAGE, {"email": "second@example.org", "action_primary": ""})
    mallory.refresh_from_db()
    assert mallory.email == "second@example.org"
    browser.post(PAGE, {"email": "mallory@example.org", "action_remove": ""})
    assert EmailAddress.objects.get().email == "second@example.org"


def test_an_address_that_is_none_is_named_at_its_box(browser: Client) -> None:
    text = browser.post(PAGE, {"email": "nonsense", "action_add": ""}).content.decode()
    assert 'id="id_email_error"' in text
    assert not EmailAddress.objects.filter(email="nonsense").exists()


def test_who_has_no_address_reads_what_that_means(browser: Client) -> None:
    EmailAddress.objects.all().delete()
    User.objects.update(email="")
    text = browser.get(PAGE).content.decode()
    assert "no address" in text
    assert "Add an address" in text
