"""What the workers do. Each task may be delivered twice, late or never, and may be killed at any point."""

import logging
import time

from billiard.exceptions import SoftTimeLimitExceeded
from celery import shared_task
from django.db import OperationalError

from exercises.actions import difficulty, figures, jobs
from exercises.actions.authoring import checks
from exercises.actions.claim import BATCH, RETRIED_TOGETHER, Claim, claim_pending, give_up_lost, put_back
from exercises.actions.courses import exams
from exercises.actions.delivering.deliver import deliver_due, fan_out
from exercises.actions.feed import clear_events, place_events
from exercises.actions.grading.settle import settle_for, wake_settler
from exercises.actions.kept_answers import clear_kept_answers as clear_answers
from exercises.actions.lms import columns, flows, rosters, sending, tool_keys
from exercises.actions.lms.arrivals import clear_tickets
from exercises.actions.mark import mark_submissions
from exercises.actions.privacy import end_sessions, keep_no_longer
from exercises.actions.record import record_verdicts
from exercises.actions.regrading import work as regrading
from exercises.actions.sending import is_sent
from exercises.actions.sets import versions
from exercises.actions.sitting import hand_in as handing_in
from exercises.actions.wake import lower_flag, wake_worker

log = logging.getLogger(__name__)

#: Seconds. Under the lease of a claim, so that a worker is gone before its rows are given to another.
SOFT_LIMIT, HARD_LIMIT = 8, 10
#: Seconds for the nightly fold over all evidence, which nobody waits for.
LONG_SOFT_LIMIT, LONG_HARD_LIMIT = 1500, 1560
#: Seconds for the check of a draft, which stops by itself before: only one step that is far too large takes longer.
CHECK_SOFT_LIMIT, CHECK_HARD_LIMIT = 50, 55
#: Answers of a batch that a line of the log for people names; one for machines names all.
MOST_TOLD = 10
#: Seconds after which a sweep leaves the rest to the next one.
SWEEP_LONGEST = 4
#: ... and one that calls other systems: its last call may take as long again.
SWEEP_SHORT = 2


@shared_task(soft_time_limit=SOFT_LIMIT, time_limit=HARD_LIMIT)
def grade_pending(limit: int = BATCH) -> int:
    """Mark one batch of pending rows, and wake the next worker if there may be more; how many were recorded."""
    lower_flag()
    claim = claim_pending(limit=limit)
    if claim.is_full:
        wake_worker()
    return _grade(claim)


@shared_task(soft_time_limit=SOFT_LIMIT, time_limit=HARD_LIMIT)
def sweep_pending() -> int:
    """Mark what no wake-up led to: lost messages, killed workers, rows that failed before; how many were recorded.

    It pays no heed to the flag. Rows that failed before are only ever taken here, in small groups.
    """
    recorded = 0
    lost = give_up_lost()
    if lost:
        log.error("%s submissions became ungradable: each killed its worker.", lost)
    ends = time.monotonic() + SWEEP_LONGEST
    for tries, limit in ((0, BATCH), *RETRIED_TOGETHER.items()):
        claim = claim_pending(tries=tries, limit=limit)
        recorded += _grade(claim)
        while claim.is_full and time.monotonic() < ends:
            claim = claim_pending(tries=tries, limit=limit)
            recorded += _grade(claim)
    return recorded


@shared_task(soft_time_limit=SOFT_LIMIT, time_limit=HARD_LIMIT)
def work_on_regrade(event: int) -> bool:
    """Go on with a regrade for a few seconds, and tell the next worker if there is more; whether there is."""
    return regrading.work_on(event)


@shared_task(soft_time_limit=SOFT_LIMIT, time_limit=HARD_LIMIT)
def sweep_regrades() -> int:
    """Tell workers of the regrades that were left lying, by a lost message or a killed worker; how many there are."""
    return regrading.sweep()


@shared_task(soft_time_limit=SOFT_LIMIT, time_limit=HARD_LIMIT)
def hand_in_overdue() -> int:
    """Hand in the attempts whose time is up and whose page did not; how many they were. Sent every few seconds."""
    return handing_in.hand_in_overdue()


@shared_task(soft_time_limit=SOFT_LIMIT, time_limit=HARD_LIMIT)
def work_on_figures(figures_pk: int) -> bool:
    """Go on with statistics, or with what a release makes known, for a few seconds, and tell the next worker if there
    is more; whether there is."""
    return figures.work_on_figures(figures_pk)


@shared_task(soft_time_limit=SOFT_LIMIT, time_limit=HARD_LIMIT)
def sweep_figures() -> int:
    """Tell workers of the statistics that were left lying; how many there are."""
    return figures.sweep_figures()


@shared_task(soft_time_limit=LONG_SOFT_LIMIT, time_limit=LONG_HARD_LIMIT)
def want_stale_figures() -> int:
    """Ask for the statistics of everything in which something was marked since; how much that is. Sent every night."""
    return figures.want_stale_figures()


@shared_task(soft_time_limit=LONG_SOFT_LIMIT, time_limit=LONG_HARD_LIMIT)
def fold_difficulties() -> int:
    """Make the difficulties of the items anew from the evidence so far; how many they are. Sent every night."""
    return difficulty.fold_difficulties()


@shared_task(soft_time_limit=CHECK_SOFT_LIMIT, time_limit=CHECK_HARD_LIMIT)
def check_draft(draft: int, digest: str) -> bool:
    """Check an author's draft over a thousand seeds, if it still has the text of that digest; whether it was kept."""
    return checks.check_draft(draft=draft, digest=digest)


@shared_task(soft_time_limit=CHECK_SOFT_LIMIT, time_limit=CHECK_HARD_LIMIT)
def check_adapted(version: int) -> bool:
    """Check what an item of a set changed of its problem, over a thousand seeds; whether that was done now."""
    try:
        return versions.check_version(version)
    except SoftTimeLimitExceeded:
        return versions.keep_report(version, versions.cut_short())


def _grade(claim: Claim) -> int:
    if not claim.submissions:
        return 0
    marked = mark_submissions(claim.submissions)
    try:
        recorded = record_verdicts(claim, marked)
    except OperationalError:  # no room, no connection, an end to a deadlock
        put_back(claim)
        raise
    names = [str(submission.public_id) for submission in claim.submissions]
    told = ", ".join(names[:MOST_TOLD]) + (f" and {len(names) - MOST_TOLD} more" if len(names) > MOST_TOLD else "")
    log.info("Recorded %s of %s claimed: %s", recorded, len(names), told, extra={"submissions": names})
    if marked.is_cut_short:
        # What was marked in time is safe; the rest comes back when its lease ends. There is no time to claim more.
        log.error("Time ran out: of %s answers, %s were marked.", len(claim.submissions), recorded)
        raise SoftTimeLimitExceeded
    return recorded


@shared_task(soft_time_limit=SOFT_LIMIT, time_limit=HARD_LIMIT)
def settle_rulings() -> bool:
    """Let scores follow decisions that reach many learners, for a few seconds; whether something is left, which the
    next one goes on with. Sent when one is taken, and by a sweep."""
    is_left = settle_for(SWEEP_LONGEST)
    if is_left:
        wake_settler()
    return is_left


@shared_task(soft_time_limit=SOFT_LIMIT, time_limit=HARD_LIMIT)
def follow_exam(course: int, after: int = 0) -> int | None:
    """Plan the cards of a course's learners towards its exam, for a few seconds; the enrolment that the next one goes
    on behind, None at the end. Sent when the exam moves, and by itself."""
    left = exams.follow_exam(course, after)
    if left is not None:
        exams.send(course, left)
    return left


@shared_task(soft_time_limit=SOFT_LIMIT, time_limit=HARD_LIMIT)
def sweep_exams() -> int:
    """Let cards follow the exams of courses that were changed lately, whose message may be lost; how many courses. Sent
    every few hours."""
    return exams.sweep()


@shared_task(soft_time_limit=LONG_SOFT_LIMIT, time_limit=LONG_HARD_LIMIT)
def clear_kept_answers() -> int:
    """Delete what requests with an ``Idempotency-Key`` were answered a day ago; how many. Sent every hour."""
    return clear_answers()


@shared_task(soft_time_limit=SOFT_LIMIT, time_limit=HARD_LIMIT)
def follow_events() -> int:
    """Give new events their places in the feed, and deliver what is due, for a few seconds; how many calls were made.
    Sent every few seconds."""
    place_events()
    fan_out()
    return deliver_due(SWEEP_SHORT)


@shared_task(soft_time_limit=LONG_SOFT_LIMIT, time_limit=LONG_HARD_LIMIT)
def forget_events() -> int:
    """Delete the events of more than thirty days ago; how many they were. Sent every night."""
    return clear_events()


@shared_task(soft_time_limit=LONG_SOFT_LIMIT, time_limit=LONG_HARD_LIMIT)
def clear_launches() -> int:
    """Delete what launches from learning platforms left and what is over; how many launches were begun and not ended.
    Sent every few minutes."""
    clear_tickets()
    return flows.clear_launches()


@shared_task(soft_time_limit=CHECK_SOFT_LIMIT, time_limit=CHECK_HARD_LIMIT)
def follow_platforms() -> int:
    """Tell learning platforms what is due: columns first, then the scores in them, for a few seconds; and send itself
    again where more is. How much was done. Sent every few seconds."""
    done = columns.tend_columns(SWEEP_SHORT)
    done += sending.send_due(SWEEP_LONGEST)
    if done and sending.is_anything_due():
        is_sent("exercises.tasks.follow_platforms", otherwise="The next sweep sends the rest")
    return done


@shared_task(soft_time_limit=CHECK_SOFT_LIMIT, time_limit=CHECK_HARD_LIMIT)
def read_rosters() -> int:
    """Go on with the rosters of learning platforms that are to be read, for a few seconds, and send itself again where
    there is more; how many pages were looked at. Sent every few seconds."""
    done = rosters.read_rosters(SWEEP_LONGEST)
    if done and rosters.is_roster_due():
        is_sent("exercises.tasks.read_rosters", otherwise="The next sweep goes on with the roster")
    return done


@shared_task(soft_time_limit=SOFT_LIMIT, time_limit=HARD_LIMIT)
def look_at_platforms() -> int:
    """Let rosters and columns be looked at again; how many. Sent every night."""
    return columns.look_at_all() + rosters.ask_for_all_rosters()


@shared_task(soft_time_limit=SOFT_LIMIT, time_limit=HARD_LIMIT)
def tend_tool_keys() -> int:
    """Let the next key of ours follow when it is time, and delete those that are published no longer; how many. Sent
    every day."""
    return tool_keys.tend_tool_keys()


@shared_task(soft_time_limit=CHECK_SOFT_LIMIT, time_limit=CHECK_HARD_LIMIT)
def work_on_jobs() -> int:
    """Do the jobs of programs that wait, one after the other; how many they were. Sent when one is made, and by a
    sweep."""
    ends, done = time.monotonic() + SWEEP_LONGEST, 0
    while time.monotonic() < ends and jobs.work_on_jobs():
        done += 1
    return done


@shared_task(soft_time_limit=LONG_SOFT_LIMIT, time_limit=LONG_HARD_LIMIT)
def end_sessions_of(person: int) -> int:
    """Delete the sessions of an account that was erased; how many they were. Sent when it is."""
    return end_sessions(person)


@shared_task(soft_time_limit=LONG_SOFT_LIMIT, time_limit=LONG_HARD_LIMIT)
def forget_what_is_over() -> int:
    """Delete what is kept no longer than the settings say; how much that was. Sent every night."""
    return keep_no_longer()
