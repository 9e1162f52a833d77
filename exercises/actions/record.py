"""Recording what the marking of a claim came to, and what it shows of the learners: once, whatever the queue did."""

from collections import defaultdict
from functools import partial

from django.db import transaction

from exercises import clock
from exercises.actions.claim import MOST_TRIES, REST, Claim
from exercises.actions.events import tell_graded
from exercises.actions.evidence import keep_evidence
from exercises.actions.leases import moment
from exercises.actions.mark import Marked
from exercises.actions.scores import hold_attempts, keep_scores
from exercises.channel import announce
from exercises.measured import count_recorded
from exercises.models import Grading, ProblemVersion, Submission
from grader.verdict import Verdict


def record_verdicts(claim: Claim, marked: Marked) -> int:
    """Store the verdicts of the rows that this claim still holds; how many they were.

    A row whose lease ran out and that another worker claimed, or that has a verdict already, is left as it is. One
    transaction, in which evidence, mastery and the scores of attempts are kept as well; the pages that wait are told
    after its commit.
    """
    rows = [submission for submission, _ in (*marked.verdicts, *marked.failures)]
    with transaction.atomic():
        held = set(
            # Not for the key: evidence that only refers to an answer can still be added meanwhile.
            Submission.objects.select_for_update(no_key=True)
            .filter(pk__in=[row.pk for row in rows], lease_token=claim.token, state=Submission.State.PENDING)
            .order_by("pk")
            .values_list("pk", flat=True)
        )
        judged = [(row, verdict) for row, verdict in marked.verdicts if row.pk in held]
        # Before the learners, who are always locked last.
        places = hold_attempts(row.variant.attempt_item_id for row, _ in judged)
        # As they were marked: evidence brings the variants up to date, and a regrade may have taken them meanwhile.
        versions = [row.variant.key_version for row, _ in judged]
        keep_evidence((row.variant for row, _ in judged), judged=judged)
        _store(judged, versions)
        tell_graded(judged)
        keep_scores(places)
        failed = [row for row, _ in marked.failures if row.pk in held]
        given_up = _let_go([(row, said) for row, said in marked.failures if row.pk in held])
        told = [row.public_id for row, _ in judged] + [row.public_id for row in given_up]
        if told:
            transaction.on_commit(partial(announce, told), robust=True)
        transaction.on_commit(partial(count_recorded, judged, failed, given_up), robust=True)
    return len(judged)


def grading_of(submission: Submission, verdict: Verdict, *, version: ProblemVersion, reason: Grading.Reason) -> Grading:
    """The row, not yet saved, that says how ``submission`` was judged by ``version``."""
    return Grading(
        submission=submission,
        verdict=verdict.to_json(),
        score_numerator=verdict.score.numerator,
        score_denominator=verdict.score.denominator,
        grader_version=verdict.version,
        version=version,
        reason=reason,
    )


def _store(judged: list[tuple[Submission, Verdict]], versions: list[ProblemVersion]) -> None:
    if not judged:
        return
    Grading.objects.bulk_create(
        grading_of(row, verdict, version=version, reason=Grading.Reason.FIRST)
        for (row, verdict), version in zip(judged, versions, strict=True)
    )
    Submission.objects.filter(pk__in=[row.pk for row, _ in judged]).update(
        state=Submission.State.GRADED,
        graded_at=clock.real(),
        claimed_until=None,
        lease_token=None,
        failure="",
    )


def _let_go(failures: list[tuple[Submission, str]]) -> list[Submission]:
    """Put rows that could not be marked back into the queue, or close them after their last try; those closed."""
    alike: dict[tuple[str, bool], list[Submission]] = defaultdict(list)
    for row, said in failures:
        alike[said, row.tries >= MOST_TRIES].append(row)
    given_up: list[Submission] = []
    for (said, is_last), group in alike.items():
        rows = Submission.objects.filter(pk__in=[row.pk for row in group])
        if is_last:
            rows.update(state=Submission.State.UNGRADABLE, claimed_until=None, lease_token=None, failure=said)
            given_up += group
        else:
            rows.update(claimed_until=moment() + REST, lease_token=None, failure=said)
    return given_up
