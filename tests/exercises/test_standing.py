"""How the service stands, as whoever runs it sees it: what waits, what was given up, what workers counted."""

import datetime as dt

import pytest
from django.utils import timezone
from prometheus_client import REGISTRY

from exercises import clock
from exercises.actions import send_answer
from exercises.actions.claim import MOST_TRIES, claim_pending
from exercises.actions.mark import Marked, mark_submissions
from exercises.actions.record import record_verdicts
from exercises.models import (
    Context,
    Course,
    Deployment,
    LineItem,
    LmsScore,
    PlatformUser,
    Registration,
    Submission,
    User,
    Variant,
)
from exercises.queries.standing import Backlog, backlogs, given_up, latest_waits
from tests.exercises.courses.world import problem_set
from tests.exercises.world import ALL_RIGHT

pytestmark = pytest.mark.django_db


def waiting(name: str) -> Backlog:
    return next(backlog for backlog in backlogs() if backlog.name == name)


def counted(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0.0


@pytest.fixture
def sent(variant: Variant, published: list[str]) -> Submission:
    answer = send_answer(learner=variant.learner, variant=variant, answers=ALL_RIGHT).submission
    assert answer is not None
    return answer


def test_an_answer_waits_until_it_is_marked_and_how_long_is_told(sent: Submission) -> None:
    Submission.objects.update(created_at=timezone.now() - dt.timedelta(seconds=90))
    backlog = waiting("answers")
    assert (backlog.rows, 90 <= backlog.seconds < 150, backlog.is_late) == (1, True, True)
    claim = claim_pending()
    assert waiting("answers").rows == 1  # whoever marks it may still be killed
    record_verdicts(claim, mark_submissions(claim.submissions))
    assert waiting("answers") == Backlog("answers", 0, 0.0)
    waits = latest_waits()
    assert (waits.answers, 90 <= waits.median < 150, waits.p95) == (1, True, waits.median)


@pytest.fixture
def owed(course: Course, alice: User) -> LmsScore:
    """A score, a column and a roster that a platform is owed."""
    platform = Registration.objects.create(issuer="https://lms.example", client_id="x")
    deployment = Deployment.objects.create(registration=platform, deployment_id="1")
    context = Context.objects.create(deployment=deployment, context_id="1", course=course, sync_due_at=clock.now())
    person = PlatformUser.objects.create(registration=platform, sub="1", user=alice)
    column = LineItem.objects.create(context=context, problem_set=problem_set(course, "quiz"))
    return LmsScore.objects.create(line_item=column, platform_user=person, due_at=clock.now())


def test_what_a_platform_is_owed_waits_for_as_long_as_it_fails_however_often_it_is_tried(owed: LmsScore) -> None:
    late = ("scores", "rosters", "columns")
    # It was told something a week ago, which says nothing of what it is owed now.
    LmsScore.objects.update(last_timestamp=clock.now() - dt.timedelta(days=7))
    assert [(waiting(name).rows, waiting(name).is_late) for name in late] == [(1, False)] * 3
    Registration.objects.update(failing_since=clock.now() - dt.timedelta(hours=2))
    LmsScore.objects.update(due_at=clock.now() + dt.timedelta(hours=1), last_timestamp=clock.now())
    assert [(waiting(name).rows, waiting(name).is_late) for name in late] == [(1, True)] * 3


def test_a_score_that_nobody_has_ever_tried_to_send_waits_as_well(owed: LmsScore) -> None:
    LmsScore.objects.update(due_at=clock.now() - dt.timedelta(hours=2))
    assert waiting("scores").is_late


@pytest.mark.parametrize("what", ["platform", "column"])
def test_what_is_owed_to_nobody_does_not_wait(owed: LmsScore, what: str) -> None:
    LmsScore.objects.update(due_at=clock.now() - dt.timedelta(hours=2))
    if what == "platform":
        Registration.objects.update(state=Registration.State.OFF)
        assert [waiting(name).rows for name in ("rosters", "columns")] == [0, 0]
    else:
        LineItem.objects.update(state=LineItem.State.GONE)
    assert waiting("scores") == Backlog("scores", 0, 0.0)


def test_nothing_waits_in_an_empty_service() -> None:
    assert {(one.rows, one.seconds, one.is_late) for one in backlogs()} == {(0, 0.0, False)}
    assert (latest_waits().answers, given_up().answers) == (0, 0)


def test_workers_count_verdicts_and_what_they_say(sent: Submission, django_capture_on_commit_callbacks: object) -> None:
    names = [("gym_verdict_seconds_count", {}), ("gym_marks_total", {"outcome": "right", "note": ""})]
    before = [counted(name, **labels) for name, labels in names]
    claim = claim_pending()
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        record_verdicts(claim, mark_submissions(claim.submissions))
    assert [counted(name, **labels) - old for (name, labels), old in zip(names, before, strict=True)] == [1, 4]


def test_workers_count_what_could_not_be_marked(sent: Submission, django_capture_on_commit_callbacks: object) -> None:
    before = counted("gym_answers_not_marked_total", tried_again="no")
    Submission.objects.update(tries=MOST_TRIES - 1)
    claim = claim_pending(tries=MOST_TRIES - 1)
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        record_verdicts(claim, Marked(failures=[(claim.submissions[0], "It fell over.")]))
    assert counted("gym_answers_not_marked_total", tried_again="no") == before + 1
    assert given_up().answers == 1
