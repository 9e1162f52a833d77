"""Work belongs to its course: whoever teaches the same learner elsewhere reads nothing of it."""

import datetime as dt

import pytest
from django.http import Http404
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from exercises import access, clock
from exercises.actions import issue_token, report_fault, send_answer
from exercises.models import AuditEntry, Course, Enrolment, FaultReport, Submission, User, Variant
from exercises.scopes import SCOPES
from tests.frontend.regrading.conftest import As
from tests.frontend.world import drawn

pytestmark = pytest.mark.usefixtures("servers")


@pytest.fixture
def erin(everybody: Course, elsewhere: Course, bob: User) -> User:
    """She teaches Bob as well, in the other course."""
    Enrolment.objects.create(course=elsewhere, user=bob)
    return User.objects.get(username="erin")


@pytest.fixture
def report(submission: Submission) -> FaultReport:
    return report_fault(learner=submission.author, variant=submission.variant, text="Of the quiz of Alice")


def api(user: User) -> APIClient:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {issue_token(user=user, scopes=SCOPES)[0]}")
    return client


def statuses(client: Client | APIClient, variant: Variant, submission: Submission) -> set[int]:
    addresses = (f"/api/v1/variants/{variant.public_id}", f"/api/v1/submissions/{submission.public_id}")
    return {client.get(one).status_code for one in addresses}


def test_an_attempt_is_read_in_its_own_course_alone(
    as_person: As, erin: User, alice: User, report: FaultReport, submission: Submission
) -> None:
    Submission.objects.update(state="ungradable", failure="why")
    variant = submission.variant
    for find, public_id in (
        (access.readable_variant, variant.public_id),
        (access.readable_submission, submission.public_id),
    ):
        assert find(alice, public_id)
        with pytest.raises(Http404):
            find(erin, public_id)
    assert statuses(api(alice), variant, submission) == {200}
    assert statuses(api(erin), variant, submission) == {404}
    page = reverse("frontend:fault", args=[report.pk])
    listed = as_person("alice").get(reverse("frontend:faults")).content.decode()
    assert page in listed
    assert "11.107" in listed
    listed = as_person("erin").get(reverse("frontend:faults")).content.decode()
    assert page not in listed
    assert "11.107" not in listed
    assert as_person("erin").get(page).status_code == 404
    settle = reverse("frontend:fault-settle", args=[report.pk])
    assert as_person("erin").post(settle, {"reply": "I am nosy."}).status_code == 404
    report.refresh_from_db()
    assert report.settled_at is None


def test_free_practice_is_read_from_the_day_the_learner_came(
    as_person: As, erin: User, elsewhere: Course, bob: User, published: list[str], submission: Submission
) -> None:
    variant = drawn(bob)
    sent = send_answer(learner=bob, variant=variant, answers={"total": "1"}).submission
    assert sent is not None
    report = report_fault(learner=bob, variant=variant, text="Of free practice")
    page = reverse("frontend:fault", args=[report.pk])
    assert statuses(api(erin), variant, sent) == {200}
    assert as_person("erin").get(page).status_code == 200
    came = Enrolment.objects.get(course=elsewhere, user=bob)
    Enrolment.objects.filter(pk=came.pk).update(created_at=clock.now() + dt.timedelta(seconds=1))
    assert statuses(api(erin), variant, sent) == {404}
    assert as_person("erin").get(page).status_code == 404
    Enrolment.objects.filter(pk=came.pk).update(created_at=came.created_at, dropped_at=clock.now())
    assert statuses(api(erin), variant, sent) == {404}
    assert as_person("erin").get(page).status_code == 404


def test_whoever_runs_the_service_sees_all(as_person: As, erin: User, report: FaultReport) -> None:
    User.objects.filter(pk=erin.pk).update(is_staff=True)
    Submission.objects.update(state="ungradable", failure="why")
    listed = as_person("erin").get(reverse("frontend:faults")).content.decode()
    assert reverse("frontend:fault", args=[report.pk]) in listed
    assert "11.107" in listed


def test_a_reply_is_noted_in_the_course_of_the_work(
    as_person: As, erin: User, everybody: Course, elsewhere: Course, alice: User, bob: User, report: FaultReport
) -> None:
    """Also where whoever replies teaches the learner in a later course as well."""
    Enrolment.objects.create(course=elsewhere, user=alice, role="instructor")
    practice = report_fault(learner=bob, variant=drawn(bob), text="Of free practice")
    Enrolment.objects.filter(course=elsewhere, user=bob).update(created_at=clock.now() + dt.timedelta(days=1))
    for one in (report, practice):
        page = reverse("frontend:fault-settle", args=[one.pk])
        assert as_person("alice").post(page, {"reply": "Mended."}).status_code == 302
    noted = AuditEntry.objects.filter(deed="fault-settled")
    assert [entry.course for entry in noted] == [everybody, everybody]
