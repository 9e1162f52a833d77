"""A learner's report from its sending to its reply."""

import pytest
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from exercises.actions import report_fault
from exercises.actions.regrading.deciding import apply_regrade
from exercises.models import AuditEntry, Course, FaultReport, ProblemVersion, RegradeEvent, Submission, User
from tests.exercises.regrading.world import done
from tests.frontend.regrading.conftest import As
from tests.frontend.world import address, drawn, synced, words

pytestmark = pytest.mark.usefixtures("servers")


@pytest.fixture
def report(submission: Submission) -> FaultReport:
    return report_fault(learner=submission.author, variant=submission.variant, text="My <b>total</b> is right.")


def shown(as_person: As, report: FaultReport, who: str = "alice") -> str:
    return words(as_person(who).get(reverse("frontend:fault", args=[report.pk])).content.decode())


def test_one_click_shows_the_variant_the_answer_and_the_verdict_then(as_person: As, report: FaultReport) -> None:
    listed = as_person("alice").get(reverse("frontend:faults")).content.decode()
    assert reverse("frontend:fault", args=[report.pk]) in listed
    page = shown(as_person, report)
    for fact in (
        "My <b>total</b> is right.",
        "The true word is mat",
        "Add them up.",
        "11.107",
        "Told to the learner version 1",
        "not right",
        "The same version, by the grader of today (version 1): as told.",
        "Worked solution of version 1",
    ):
        assert fact in page
    assert "{" not in page


def test_the_current_version_and_what_counts_now_stand_beside_it(
    as_person: As, report: FaultReport, right: ProblemVersion, event: RegradeEvent, alice: User
) -> None:
    page = shown(as_person, report)
    assert "The current version (version 2): otherwise than told at total, p, loss." in page
    assert "What counts now" not in page
    done(apply_regrade(event=event, actor=alice))
    assert "What counts now (version 2): otherwise than told at total, p, loss." in shown(as_person, report)


def test_a_version_that_does_not_fit_any_more_says_so(
    as_person: As, report: FaultReport, right: ProblemVersion
) -> None:
    source = right.source.replace("  t: {index", "  k: {range: [1, 3]}\n  t: {index").replace("exp(z)", "exp(k * z)")
    ProblemVersion.objects.filter(pk=right.pk).update(source=source)
    assert "What was drawn does not fit this version." in shown(as_person, report)
    ProblemVersion.objects.update(source="title: [")
    page = shown(as_person, report)
    assert "This version can no longer be read." in page
    assert "11.107" in page


def test_a_report_before_any_answer_opens_as_well(as_person: As, everybody: Course, bob: User) -> None:
    synced()
    early = report_fault(learner=bob, variant=drawn(bob), text="What is a logit?")
    assert "Nothing was sent yet" in shown(as_person, early)


def test_a_reply_reaches_the_learner_and_is_noted(as_person: As, everybody: Course, bob: User) -> None:
    synced()
    variant = drawn(bob)
    report = report_fault(learner=bob, variant=variant, text="What is a logit?")
    page = reverse("frontend:fault-settle", args=[report.pk])
    assert as_person("dave").post(page, {"reply": " "}).status_code == 422
    assert as_person("dave").post(page, {"reply": "The number before softmax."}).status_code == 302
    report.refresh_from_db()
    assert report.settled_by is not None
    assert report.settled_by.username == "dave"
    told = words(as_person("bob").get(address("report", variant)).content.decode())
    assert "The number before softmax." in told
    assert AuditEntry.objects.get(deed="fault-settled").learner == bob
    assert "settled" in words(as_person("alice").get(reverse("frontend:faults")).content.decode())


def test_a_page_that_is_older_than_a_reply_overwrites_nothing(as_person: As, report: FaultReport) -> None:
    page = reverse("frontend:fault-settle", args=[report.pk])
    as_person("dave").post(page, {"reply": "It is a word now.", "seen": ""})
    late = as_person("alice").post(page, {"reply": "No.", "seen": ""})
    assert late.status_code == 409
    told = words(late.content.decode())
    assert "Somebody else replied meanwhile" in told
    assert "It is a word now." in told
    assert "No." in told
    report.refresh_from_db()
    assert report.reply == "It is a word now."
    assert report.settled_at is not None
    again = {"reply": "No.", "seen": report.settled_at.isoformat()}
    assert as_person("alice").post(page, again).status_code == 302
    report.refresh_from_db()
    assert report.reply == "No."


def test_what_is_open_stands_first(as_person: As, report: FaultReport, submission: Submission) -> None:
    later = report_fault(learner=submission.author, variant=submission.variant, text="And the loss.")
    as_person("alice").post(reverse("frontend:fault-settle", args=[later.pk]), {"reply": "It is right."})
    listed = words(as_person("alice").get(reverse("frontend:faults")).content.decode())
    assert listed.index("My <b>total</b>") < listed.index("And the loss.")


@pytest.mark.parametrize("rows", [1, 15])
def test_the_list_asks_the_database_a_fixed_number_of_times(
    as_person: As, submission: Submission, rows: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(rows):
        report_fault(learner=submission.author, variant=submission.variant, text=f"report {number}")
    client = as_person("alice")
    with django_assert_num_queries(2 + 5):
        client.get(reverse("frontend:faults"))
    with django_assert_num_queries(2 + 5):
        client.get(reverse("frontend:fault", args=[FaultReport.objects.latest("pk").pk]))


@pytest.mark.parametrize(("who", "sees"), [("alice", True), ("dave", True), ("eve", False), ("bob", False)])
def test_the_way_to_the_reports_is_shown_to_whoever_reads_work(
    who: str, sees: bool, as_person: As, everybody: Course, report: FaultReport
) -> None:
    pages = [reverse("frontend:courses"), reverse("frontend:course", args=[everybody.public_id])]
    if sees:
        pages += [reverse("frontend:faults"), reverse("frontend:fault", args=[report.pk])]
    for page in pages:
        header = as_person(who).get(page).content.decode().partition("</header>")[0]
        assert (f'href="{reverse("frontend:faults")}"' in header) == sees
    assert (as_person(who).get(reverse("frontend:faults")).status_code == 200) == sees
