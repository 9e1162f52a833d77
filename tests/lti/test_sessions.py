"""How long a session holds that a launch began: as long as launches from there are taken."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from exercises.actions.lms.registrations import decide_deployment, switch_platform
from exercises.models import Deployment, Registration, User
from tests.lti.platform import LEARNER, arrived, launch
from tests.lti.test_frames import IN_FRAME, launched

pytestmark = pytest.mark.usefixtures("link")
Deed = Callable[[Registration, User], Any]


def switch_off(registration: Registration, operator: User) -> None:
    switch_platform(actor=operator, registration=registration, is_on=False)


def refuse(registration: Registration, operator: User) -> None:
    decide_deployment(actor=operator, deployment=Deployment.objects.get(registration=registration), is_approved=False)


def remove(registration: Registration, operator: User) -> None:
    registration.delete()


DEEDS = pytest.mark.parametrize("deed", [switch_off, refuse, remove])


def is_somebody(client: Client, **headers: Any) -> bool:
    return bool(client.get("/courses/", **headers).wsgi_request.user.is_authenticated)


@DEEDS
def test_a_session_ends_with_what_let_it_in_and_does_not_come_back(
    deed: Deed, client: Client, registration: Registration, operator: User
) -> None:
    arrived(client, launch(client, registration, roles=[LEARNER]))
    assert is_somebody(client)
    deed(registration, operator)
    refused = client.get("/courses/")
    assert (refused.status_code, refused["Location"].split("?")[0]) == (302, "/accounts/login/")
    if deed is switch_off:
        switch_platform(actor=operator, registration=registration, is_on=True)
        assert not is_somebody(client)


@DEEDS
def test_a_session_inside_a_frame_ends_as_well_and_says_so(
    deed: Deed, client: Client, registration: Registration, operator: User
) -> None:
    arrived(client, launched(client, registration, roles=[LEARNER]))
    deed(registration, operator)
    over = client.get("/courses/", follow=True, **IN_FRAME)
    assert (over.status_code, "open the link once more" in over.content.decode()) == (401, True)


def test_the_session_by_a_password_beside_it_goes_on(
    client: Client, registration: Registration, operator: User, bob: User
) -> None:
    client.force_login(bob)
    arrived(client, launched(client, registration, roles=[LEARNER], sub="x"))
    switch_off(registration, operator)
    assert not is_somebody(client, **IN_FRAME)
    assert client.get("/courses/", HTTP_SEC_FETCH_DEST="document").wsgi_request.user == bob


def test_a_program_that_uses_such_a_session_is_nobody_either(
    client: Client, registration: Registration, operator: User
) -> None:
    arrived(client, launch(client, registration, roles=[LEARNER]))
    assert client.get("/api/v1/skills").status_code == 200
    switch_off(registration, operator)
    assert client.get("/api/v1/skills").status_code == 401


def test_what_is_switched_off_elsewhere_ends_nobodys_session(
    client: Client, registration: Registration, operator: User
) -> None:
    arrived(client, launch(client, registration, roles=[LEARNER]))
    other = Registration.objects.create(name="Another", issuer="https://other.example", client_id="gym")
    switch_off(other, operator)
    own = Client()
    own.force_login(operator)
    assert is_somebody(client)
    assert is_somebody(own)
