"""Deleting what is kept no longer than the settings say; 0 keeps for ever."""

import datetime as dt
import logging

from django.conf import settings

from exercises import clock
from exercises.actions.privacy.batches import delete_all
from exercises.actions.privacy.erase import ErasureRefused, erase_person
from exercises.models import AuditEntry, Job, SavedAnswer, User, Variant
from exercises.queries.personal import idle_accounts

log = logging.getLogger(__name__)

#: Rows that go together, so that none waits long for a lock.
CLEARED = 5000
#: Accounts that are erased in one night.
MOST_ERASED = 200
IDLE = "Not used for {years} years."


def keep_no_longer() -> int:
    """Delete audit entries, drafts and reports that are older than ``KEEP_…_DAYS`` says, and erase accounts that were
    not used for ``ERASE_IDLE_YEARS``; how many rows and accounts that was. In batches, each by itself."""
    return forget_audit() + forget_drafts() + forget_reports() + erase_idle()


def forget_audit() -> int:
    """Delete entries of the audit trail that are too old; how many."""
    before = _before(settings.KEEP_AUDIT_DAYS)
    return 0 if before is None else delete_all(AuditEntry.objects.filter(at__lt=before), CLEARED)


def forget_drafts() -> int:
    """Delete what only ever stood in boxes: each saving of an attempt that was handed in so long ago, and what stands
    in those of an exercise that was drawn so long ago; how much."""
    before = _before(settings.KEEP_DRAFTS_DAYS)
    if before is None:
        return 0
    done = delete_all(SavedAnswer.objects.filter(attempt_item__attempt__handed_in_at__lt=before), CLEARED)
    drafts = Variant.objects.filter(created_at__lt=before).exclude(draft={}).order_by("pk")
    while some := list(drafts.values_list("pk", flat=True)[:CLEARED]):
        done += Variant.objects.filter(pk__any_of=some).update(draft={})
    return done


def forget_reports() -> int:
    """Delete jobs that were done so long ago: their reports name the people of a roster; how many."""
    before = _before(settings.KEEP_REPORTS_DAYS)
    return 0 if before is None else delete_all(Job.objects.filter(finished_at__lt=before), CLEARED)


def erase_idle() -> int:
    """Erase accounts that nobody uses any more, if that is set; how many. Of those that cannot be the log says so."""
    years = settings.ERASE_IDLE_YEARS
    if not years:
        return 0
    erased = 0
    for person in list[User](idle_accounts(years)[:MOST_ERASED]):
        # Two hundred take their time, in which somebody may come back, or another run be faster.
        if not idle_accounts(years).filter(pk=person.pk).exists():
            continue
        try:
            erase_person(person=person, reason=IDLE.format(years=f"{years:g}"))
            erased += 1
        except ErasureRefused as refused:
            log.warning("Account %s is not used any more and was not erased: %s", person.pk, refused.message)
    return erased


def _before(days: float) -> dt.datetime | None:
    return clock.now() - dt.timedelta(days=days) if days else None
