"""What the tests of the learner model ask of the tables."""

from typing import Any

from exercises.actions import send_answer
from exercises.actions.claim import claim_pending
from exercises.actions.mark import mark_submissions
from exercises.actions.rebuild import rebuild_evidence, rebuild_mastery
from exercises.actions.record import record_verdicts
from exercises.models import Evidence, Mastery, Submission, User, Variant
from exercises.stored import STATE_COLUMNS, that_count


def answered(learner: User, variant: Variant, **answers: Any) -> Submission:
    """An answer that was sent and waits."""
    sent = send_answer(learner=learner, variant=variant, answers=answers, checked=list(answers))
    assert sent.submission is not None
    return sent.submission


def record(*submissions: Submission) -> int:
    """Mark and record exactly these, as a worker does that claimed them and no other."""
    claim = claim_pending()
    wanted = {submission.pk for submission in submissions}
    Submission.objects.filter(lease_token=claim.token).exclude(pk__in=wanted).update(
        lease_token=None, claimed_until=claim.submissions[0].created_at, tries=0
    )
    return record_verdicts(claim, mark_submissions([row for row in claim.submissions if row.pk in wanted]))


def said() -> set[tuple[Any, ...]]:
    """What the counting evidence says, without what it was when it was written."""
    columns = ("variant__number", "learner", "step", "submission", "reason", "skill", "closed_at", "correctness")
    rows = that_count(Evidence.objects.exclude(reason="void"))
    return set(rows.values_list(*columns, "tries", "hints", "e", "w", "is_first", "is_check"))


def mastery() -> set[tuple[Any, ...]]:
    """The whole table, bit for bit."""
    return set(Mastery.objects.values_list("learner", "skill", *STATE_COLUMNS))


def assert_nothing_drifted() -> None:
    """Both folds, from the answers to the evidence and from there to mastery, give what stands in the tables."""
    assert rebuild_evidence(is_check=True) == 0
    assert list(rebuild_mastery(is_check=True)) == []
