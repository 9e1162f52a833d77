"""Reporting that something is wrong with a problem, and what becomes of it."""

import datetime as dt

from django.db import transaction

from exercises import clock
from exercises.actions.audit import noted
from exercises.actions.draft import lock_and_keep_draft
from exercises.actions.typed import clean_words
from exercises.courses.rights import Right, roles_with
from exercises.models import Course, Enrolment, FaultReport, User, Variant
from exercises.refusals import Refused
from grader.verdict import GRADER_VERSION

MOST_CHARACTERS = 2000


class ReportSettled(Refused):
    """Somebody else replied to the report while the page was open."""

    code = "report-settled"


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


def settle_report(*, report: FaultReport, actor: User, reply: str, seen: dt.datetime | None) -> FaultReport:
    """Settle a report with a reply to its learner, or change that reply; ``seen`` is when it was settled as the page
    showed it, None for an open one.

    Noted in the audit trail of the course that the work belongs to: that of its attempt; of free practice one where the
    actor teaches the learner. Raises TextRefused for an empty or too long reply, and ReportSettled where somebody else
    replied meanwhile.
    """
    said = clean_words(reply, MOST_CHARACTERS, "Say to the learner in a few words what became of it.")
    with transaction.atomic():
        held = FaultReport.objects.select_for_update(no_key=True).get(pk=report.pk)
        if held.settled_at != seen:
            if held.reply == said:
                return held
            raise ReportSettled(
                "Somebody else replied meanwhile: their reply is shown below. Send yours again to put it in its place."
            )
        before = held.reply
        held.reply, held.settled_by, held.settled_at = said, actor, clock.now()
        held.save(update_fields=["reply", "settled_by", "settled_at"])
        course = _course_of(report, actor)
        if course is not None:
            noted(
                course=course,
                actor=actor,
                deed="fault-settled",
                about=f"report on {report.variant.problem.title}",
                learner=report.learner,
                before=before or None,
                after=said,
            )
    return held


def _course_of(report: FaultReport, actor: User) -> Course | None:
    """The course of the attempt that was reported; of free practice the latest in which the actor may read it, None for
    those who run the service and teach nobody there. One query."""
    if report.variant.attempt_item_id is not None:
        return Course.objects.get(problem_sets__attempts__items=report.variant.attempt_item_id)
    present = Enrolment.objects.filter(dropped_at=None)
    reads = present.filter(user=actor, role__in=roles_with(Right.READ_WORK))
    learns = present.filter(user=report.learner, role__in=roles_with(Right.SIT), created_at__lte=report.created_at)
    rows = Course.objects.filter(pk__in=reads.values("course")).filter(pk__in=learns.values("course"))
    return rows.order_by("-pk").first()
