"""Every route about regrades and fault reports for every role."""

import pytest
from django.urls import reverse

from exercises.actions import report_fault
from exercises.models import Course, FaultReport, Grading, RegradeEvent, Submission
from frontend import fault_urls, regrade_urls
from tests.frontend.regrading.conftest import As

pytestmark = pytest.mark.usefixtures("servers")
PEOPLE = ("", "charlie", "erin", "eve", "bob", "dave", "alice")
#: For each route the method, and what these people are answered.
ROUTES = {
    "regrades": ("get", 302, 404, 404, 404, 404, 200, 200),
    "regrade-new": ("get", 302, 404, 404, 404, 404, 200, 200),
    "regrade": ("get", 302, 404, 404, 404, 404, 200, 200),
    "regrade-progress": ("get", 302, 404, 404, 404, 404, 200, 200),
    "regrade-apply": ("post", 302, 404, 404, 404, 404, 404, 302),
    "regrade-undo": ("post", 302, 404, 404, 404, 404, 404, 302),
    "regrade-drop": ("post", 302, 404, 404, 404, 404, 404, 302),
    "faults": ("get", 302, 404, 200, 404, 404, 200, 200),  # Erin teaches elsewhere, and sees nothing of Bob's there
    "fault": ("get", 302, 404, 404, 404, 404, 200, 200),
    "fault-settle": ("post", 302, 404, 404, 404, 404, 302, 302),
}


@pytest.fixture
def report(submission: Submission) -> FaultReport:
    return report_fault(learner=submission.author, variant=submission.variant, text="The sky is no word.")


def test_every_route_has_its_row() -> None:
    assert {route.name for route in (*regrade_urls.urlpatterns, *fault_urls.urlpatterns)} == set(ROUTES)


@pytest.mark.parametrize("name", ROUTES)
def test_each_role_meets_what_it_may(
    name: str, as_person: As, everybody: Course, event: RegradeEvent, report: FaultReport
) -> None:
    if name in ("regrades", "regrade-new"):
        page = reverse(f"frontend:{name}", args=[everybody.public_id])
    elif name.startswith("regrade"):
        page = reverse(f"frontend:{name}", args=[event.public_id])
    else:
        page = reverse(f"frontend:{name}", args=[] if name == "faults" else [report.pk])
    method, *expected = ROUTES[name]
    form = {"reply": "Thank you: it is a word now."} if name == "fault-settle" else {}
    found = []
    for who in PEOPLE:
        RegradeEvent.objects.filter(pk=event.pk).update(state="ready")
        FaultReport.objects.update(reply="", settled_at=None, settled_by=None)
        found.append(getattr(as_person(who), method)(page, form).status_code)
    assert found == expected


def test_nobody_without_the_right_begins_or_applies_anything(
    as_person: As, everybody: Course, event: RegradeEvent
) -> None:
    page = f"{reverse('frontend:regrade-new', args=[everybody.public_id])}?problem=masked"
    form = {"version": str(event.version_id), "problem_set": "all", "reason": "x"}
    for who in ("charlie", "erin", "eve", "bob"):
        assert as_person(who).post(page, form).status_code == 404
    for who in ("charlie", "erin", "eve", "bob", "dave"):
        assert as_person(who).post(reverse("frontend:regrade-apply", args=[event.public_id])).status_code == 404
    assert RegradeEvent.objects.get().state == "ready"
    assert Grading.objects.count() == 1


def test_erin_sees_no_report_of_a_learner_of_alices(as_person: As, report: FaultReport) -> None:
    assert b"The sky is no word." not in as_person("erin").get(reverse("frontend:faults")).content
    assert b"The sky is no word." in as_person("dave").get(reverse("frontend:faults")).content
