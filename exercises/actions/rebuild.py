"""Making the learner model anew from what it rests on: mastery from evidence, and evidence from graded answers."""

from collections.abc import Iterator

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from exercises.actions.draw import digest_of
from exercises.actions.evidence import Place, keep_evidence, refold
from exercises.loading import loaded
from exercises.models import Evidence, Mastery, Submission, User, Variant
from exercises.refusals import ProblemBroken
from grader.errors import GraderError
from grader.solution import active_mistakes

#: Learners, and variants, that are looked at in one transaction: memory and locks stay small however many there are.
LEARNERS, VARIANTS = 20, 200


def rebuild_mastery(learner: User | None = None, *, is_check: bool = False) -> Iterator[Place]:
    """Fold the mastery of one learner, or of everybody, anew from their evidence; yields (learner, skill) wherever the
    table said something else.

    With ``is_check`` nothing is written. Safe beside running workers: each learner's rows are taken meanwhile.
    """
    last = 0
    known = Exists(Evidence.objects.filter(learner=OuterRef("pk"))) | Exists(
        Mastery.objects.filter(learner=OuterRef("pk"))
    )
    everybody = User.objects.filter(known).order_by("pk")
    if learner is not None:
        everybody = everybody.filter(pk=learner.pk)
    while pks := list(everybody.filter(pk__gt=last).values_list("pk", flat=True)[:LEARNERS]):
        with transaction.atomic():
            wrong = refold(pks, is_check=is_check)
        yield from wrong
        last = pks[-1]


def complete_variants() -> int:
    """Write down what variants of earlier versions of this service do not hold: by what a variant is known again, and
    which mistakes can show in it; how many they were. Those whose problem can no longer be read stay as they are."""
    completed, last = 0, 0
    rows = Variant.objects.filter(digest="").select_related("version").order_by("pk")
    while batch := list(rows.filter(pk__gt=last)[:VARIANTS]):
        last = batch[-1].pk
        readable = [variant for variant in batch if _is_completed(variant)]
        completed += Variant.objects.bulk_update(readable, ["digest", "active"])
    return completed


def _is_completed(variant: Variant) -> bool:
    try:
        variant.active = active_mistakes(loaded(variant.version), variant.parameters)
    except (ProblemBroken, GraderError):
        return False
    variant.digest = digest_of(variant.parameters)
    return True


def rebuild_evidence(learner: User | None = None, *, is_check: bool = False) -> int:
    """Derive anew which steps are closed, from graded answers, hints and solutions shown, and add the revisions that
    are missing, with mastery; how many they were.

    With ``is_check`` they are only counted.
    """
    begun = Exists(Submission.objects.filter(variant=OuterRef("pk")))
    rows = Variant.objects.filter(begun | Q(revealed_at__isnull=False)).select_related("version").order_by("pk")
    if learner is not None:
        rows = rows.filter(learner=learner)
    added, last = 0, 0
    while batch := list(rows.filter(pk__gt=last)[:VARIANTS]):
        with transaction.atomic():
            added += keep_evidence(batch)
            if is_check:
                transaction.set_rollback(True)
        last = batch[-1].pk
    return added
