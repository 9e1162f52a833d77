"""What follows from verdicts that changed: scores, evidence, and the version that variants are marked by."""

from collections.abc import Collection, Iterable

from exercises.actions.evidence import keep_evidence
from exercises.actions.scores import hold_attempts, keep_scores
from exercises.models import ProblemVersion, Submission, Variant
from exercises.queries.attempt_scores import VerdictData


def mark_by(variants: Iterable[Variant], version: ProblemVersion | None) -> list[Variant]:
    """Let variants be marked and explained by a version from now on, None: the one each was drawn from; those it is
    news for. One query, if there are any. Call it in the transaction of the verdicts, behind ``hold``."""
    wanted = version.pk if version else None
    moved = [one for one in variants if (one.marked_by_id or one.version_id) != (wanted or one.version_id)]
    if moved:
        Variant.objects.filter(pk__any_of=[one.pk for one in moved]).order_by().update(marked_by=version)
        for one in moved:
            one.marked_by = version
    return moved


def hold(variants: Iterable[Variant]) -> None:
    """Take the attempts of these variants for the transaction, before any of the variants is written: a learner who
    takes a hint comes to the two in this order as well. One query at most."""
    hold_attempts(one.attempt_item_id for one in variants)


def keep_up(
    judged: Collection[Variant],
    explained: Collection[Variant] = (),
    *,
    verdicts: Collection[tuple[Submission, VerdictData]] = (),
    version: ProblemVersion | None = None,
) -> None:
    """Let scores and evidence follow the verdicts of ``judged``, and scores what steps of ``explained`` weigh now.
    Verdicts that are given, all by ``version``, are not read back.

    Call it in the transaction of the verdicts, after them: submissions are locked before attempts, and these before
    learners.
    """
    places = (one.attempt_item_id for one in (*judged, *explained) if one.attempt_item_id is not None)
    keep_scores(places, judged={row.pk: verdict for row, verdict in verdicts}, judged_by=version)
    keep_evidence(judged, judged=verdicts)
