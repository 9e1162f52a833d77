"""Reporting that something is wrong with a problem."""

from django.db import transaction

from exercises.actions.draft import lock_and_keep_draft
from exercises.actions.typed import clean_words
from exercises.models import FaultReport, User, Variant
from grader.verdict import GRADER_VERSION

MOST_CHARACTERS = 2000


def report_fault(*, learner: User, variant: Variant, text: str) -> FaultReport:
    """Store that something is wrong with a problem, with what the learner saw: variant, version, answer, verdict.

    The same words about the same answer are one report, also when they come twice at once.
    """
    said = clean_words(text, MOST_CHARACTERS, "Say in a few words what is wrong.")
    with transaction.atomic():
        lock_and_keep_draft(variant, {})
        shown = variant.submissions.order_by("-pk").first()
        same = FaultReport.objects.filter(learner=learner, variant=variant, submission=shown, text=said)
        return same.first() or FaultReport.objects.create(
            learner=learner,
            variant=variant,
            submission=shown,
            text=said,
            version=variant.version,
            grading=shown.gradings.last() if shown else None,
            grader_version=GRADER_VERSION,
        )
