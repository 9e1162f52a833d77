"""How the service stands, as whoever runs it sees it: what waits, what was given up, what workers counted."""

import datetime as dt

import pytest
from django.utils import timezone
from prometheus_client import REGISTRY

from exercises.actions import send_answer
from exercises.actions.claim import MOST_TRIES, claim_pending
from exercises.actions.mark import Marked, mark_submissions
from exercises.actions.record import record_verdicts
from exercises.models import Submission, Variant
from exercises.queries.standing import Backlog, backlogs, given_up, latest_waits
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
    assert (backlog.rows, round(backlog.seconds), backlog.is_late) == (1, 90, True)
    claim = claim_pending()
    assert waiting("answers").rows == 1  # whoever marks it may still be killed
    record_verdicts(claim, mark_submissions(claim.submissions))
    assert waiting("answers") == Backlog("answers", 0, 0.0)
    waits = latest_waits()
    assert (waits.answers, round(waits.median), round(waits.p95)) == (1, 90, 90)


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
