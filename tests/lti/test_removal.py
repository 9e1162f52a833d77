"""A registration is taken off for good: what goes and what stays is said before, and is so."""

from typing import Any

import pytest
from django.test import Client

from exercises.models import (
    Attempt,
    AuditEntry,
    Context,
    Enrolment,
    LineItem,
    LmsScore,
    PlatformUser,
    ProblemSet,
    Registration,
    ToolKey,
    User,
)
from tests.exercises.courses.world import problem_set
from tests.exercises.sitting.world import synced
from tests.lti.platform import arrived, assert_refused, begin, claims_of, launch, post, signed
from tests.lti.scoring import column, sat
from tests.lti.services import Services
from tests.lti.test_connections import as_user

pytestmark = pytest.mark.django_db


def page(registration: Registration) -> str:
    return f"/lms/{registration.public_id}/remove/"


def test_one_that_nobody_came_from_is_removed_by_who_made_it(
    client: Client, registration: Registration, alice: User, bob: User
) -> None:
    Registration.objects.update(made_by=alice, has_own_keys=True)
    Client().get(f"/lti/keys/{registration.public_id}")
    assert ToolKey.objects.exists()
    assert as_user(bob).post(page(registration)).status_code == 404
    teacher = as_user(alice)
    assert "Remove it" in teacher.get(f"/lms/{registration.public_id}/").content.decode()
    text = teacher.get(page(registration)).content.decode()
    assert "What goes" in text
    assert "type" not in text.split("What stays")[1].split("</form>")[0].replace('type="', "")
    shown = teacher.post(page(registration), follow=True)
    assert "is removed" in shown.content.decode()
    assert not Registration.objects.exists()
    assert not ToolKey.objects.exists()
    assert teacher.post(page(registration)).status_code == 404
    assert client.post("/lti/login", {"iss": registration.issuer}).status_code == 400


@pytest.mark.usefixtures("servers", "published", "noon")
def test_one_that_people_came_from_is_removed_by_who_runs_the_service_alone_and_their_work_stays(
    registration: Registration, served: Context, services: Services, alice: User, bob: User, operator: User
) -> None:
    Registration.objects.update(made_by=alice)
    quiz: ProblemSet = problem_set(served.course, "quiz", *synced())
    column(served, quiz, services)
    sat(bob, quiz)
    assert LmsScore.objects.count() == 1
    assert as_user(alice).post(page(registration), {"name": registration.name}).status_code == 422
    keeper = as_user(operator)
    text = keeper.get(page(registration)).content.decode()
    assert "1 column" in text
    assert "1 score that waits to be sent is never sent" in text
    # Launches are switched off first, and the name is typed.
    assert keeper.post(page(registration), {"name": registration.name}).status_code == 422
    keeper.post(f"/lms/{registration.public_id}/", {"do": "off"})
    wrong = keeper.post(page(registration), {"name": "Mooodle"})
    assert (wrong.status_code, "id_name_error" in wrong.content.decode()) == (422, True)
    assert Registration.objects.exists()
    assert keeper.post(page(registration), {"name": f" {registration.name} "}).status_code == 302
    assert not any(model._default_manager.exists() for model in (Registration, LineItem, PlatformUser))
    assert Attempt.objects.get(learner=bob).problem_set == quiz
    assert Enrolment.objects.filter(user=bob, dropped_at=None).exists()
    assert AuditEntry.objects.filter(course=served.course, deed="lms-disconnected", actor=operator).exists()


def test_who_taught_here_only_because_the_platform_said_so_does_not_any_more(
    client: Client, registration: Registration, operator: User
) -> None:
    Registration.objects.update(lets_teach=True)
    arrived(client, launch(client, registration))
    teacher = User.objects.get(platform_users__sub="alice-7")
    assert teacher.is_instructor
    keeper = as_user(operator)
    assert "can be opened by nobody" in keeper.get(page(registration)).content.decode()
    keeper.post(f"/lms/{registration.public_id}/", {"do": "off"})
    assert keeper.post(page(registration), {"name": registration.name}).status_code == 302
    assert not User.objects.get(pk=teacher.pk).is_instructor


def test_a_teacher_whom_another_platform_vouches_for_as_well_goes_on_teaching(
    client: Client, registration: Registration, platform: Any, operator: User
) -> None:
    Registration.objects.update(lets_teach=True)
    arrived(client, launch(client, registration))
    teacher = User.objects.get(platform_users__sub="alice-7")
    twin = Registration.objects.create(
        name="Twin", issuer="https://twin.example", client_id="gym", login_url=registration.login_url,
        keys_url=registration.keys_url, lets_teach=True,
    )  # fmt: skip
    twin.deployments.create(deployment_id="1", state="approved")
    PlatformUser.objects.create(registration=twin, sub="alice-7", user=teacher)
    arrived(client, launch(client, twin))
    keeper = as_user(operator)
    keeper.post(f"/lms/{registration.public_id}/", {"do": "off"})
    assert keeper.post(page(registration), {"name": registration.name}).status_code == 302
    assert User.objects.get(pk=teacher.pk).is_instructor


def test_who_taught_here_by_a_platform_whose_teachers_may_not_any_more_stops_at_once(
    client: Client, registration: Registration, operator: User
) -> None:
    Registration.objects.update(lets_teach=True)
    arrived(client, launch(client, registration))
    found = Registration.objects.get()
    names = ("name", "kind", "issuer", "client_id", "login_url", "token_url", "keys_url")
    said = {name: getattr(found, name) for name in names}
    assert as_user(operator).post(f"/lms/{found.public_id}/edit/", said).status_code == 302
    teacher = User.objects.get(platform_users__sub="alice-7")
    assert not teacher.is_instructor
    assert not teacher.platform_users.get().is_teacher_by_launch
    # One who was made a teacher here stays one.
    teacher.is_instructor = True
    teacher.save()
    arrived(client, launch(client, registration))
    assert User.objects.get(pk=teacher.pk).is_instructor


def test_a_launch_that_was_under_way_is_refused(client: Client, registration: Registration) -> None:
    begun = begin(client, registration)
    token = signed(claims_of(begun, registration))
    registration.delete()
    assert_refused(post(begun, token), "state")
