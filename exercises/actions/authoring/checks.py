"""Checking a draft against itself over many seeds: at once over a few, in the background over a thousand."""

import logging
from typing import Any

from billiard.exceptions import SoftTimeLimitExceeded
from django.core.cache import cache
from django.db import transaction
from redis import RedisError

from exercises import clock, limits
from exercises.actions.authoring.own import as_kept, draft_of, lock_own
from exercises.actions.authoring.refused import AuthoringRefused
from exercises.actions.sending import is_sent
from exercises.models import Problem, ProblemDraft, User
from exercises.queries.authoring.states import SEEDS, check_state, digest_of_text, is_done
from exercises.refusals import TooMuchAtOnce
from grader.errors import ProblemError
from grader.problem import load
from grader.report import full_report
from grader.verdict import GRADER_VERSION

log = logging.getLogger(__name__)

TASK = "exercises.tasks.check_draft"
#: Seeds of the check at once.
QUICK_SEEDS = 50
#: Seconds after which a check stops and has failed: in the background or to publish, and at once.
LONGEST = 30.0
QUICK_LONGEST = 4.0
#: And while somebody waits for a page that publishes: what takes longer goes on in the background.
PAGE_LONGEST = 10.0
#: Checks that one author asks for within a minute, of any kind.
MOST_CHECKS = 20
#: Only one check in the background at a time, so that answers go on being marked; this is what it may take.
TURN = "authoring:checking"
TURN_SECONDS = 60
WAIT_SECONDS = 2

Data = dict[str, Any]


def quick_check(*, author: User, source: str) -> Data:
    """The report on a text over a few seeds, at once; nothing is kept.

    Raises AuthoringRefused, with the faults by line, for a text that is no problem, and TooMuchAtOnce.
    """
    text = as_kept(source)
    count_check(author)
    try:
        return full_report(load(text), range(QUICK_SEEDS), seconds=QUICK_LONGEST)
    except ProblemError as error:
        raise AuthoringRefused("This is no problem yet: mend the lines below.", source_faults=error.faults) from error


def ask_check(*, author: User, problem: Problem, revision: int, source: str | None = None) -> ProblemDraft:
    """Have the draft checked over a thousand seeds in the background; its report says ``waiting`` until it is done.

    With ``source`` a page whose text is the draft's goes through whatever revision it shows, as a double click does.
    Raises StaleDraft for a draft that was changed meanwhile, AuthoringRefused where there is none, TooMuchAtOnce.
    """
    count_check(author)
    with transaction.atomic():
        own = lock_own(author, problem)
        draft = draft_of(own, revision, source)
        if draft is None:
            raise AuthoringRefused("There is nothing to check: what is published passed already.")
        draft.checked_digest = digest_of_text(draft.source)
        draft.report = {"state": "waiting", "asked_at": clock.now().isoformat()}
        draft.save(update_fields=["checked_digest", "report"])
        digest = draft.checked_digest
        transaction.on_commit(lambda: send_check(draft.pk, digest), robust=True)
    return draft


def check_draft(*, draft: int, digest: str) -> bool:
    """Check the draft if it still has the text of that digest, and keep what was found; whether it was kept.

    Safe to run twice: the report of one text is the same, and one of another text is never overwritten.
    """
    row = ProblemDraft.objects.filter(pk=draft).first()
    if row is None or digest_of_text(row.source) != digest or is_done(row, digest):
        return False
    if not take_turn():
        send_check(draft, digest, countdown=WAIT_SECONDS)
        return False
    try:
        report = report_on(row.source)
    except SoftTimeLimitExceeded:
        # One single step of it took longer than all of them may.
        report = _failed(["the check was not done in time: make the problem smaller"])
    finally:
        end_turn()
    return keep_report(row.pk, digest, report)


def report_for_page(author: User, draft: ProblemDraft, digest: str) -> Data | None:
    """The report on a draft while somebody waits; None where that takes too long, and it is checked in the background.

    Raises TooMuchAtOnce.
    """
    is_on_its_way = check_state(draft.checked_digest, draft.report, digest) == "waiting"
    if is_on_its_way and draft.report.get("is_long"):
        return None
    count_check(author)
    report = report_on(draft.source, seconds=PAGE_LONGEST)
    if report["passed"] or report.get("seconds", 0.0) < PAGE_LONGEST:
        return report
    if not keep_report(draft.pk, digest, {"state": "waiting", "asked_at": clock.now().isoformat(), "is_long": True}):
        return report
    send_check(draft.pk, digest)
    return None


def report_on(source: str, *, seconds: float = LONGEST) -> Data:
    """The report on a text over a thousand seeds. For a text that is no problem, one that failed with its faults."""
    try:
        return {"state": "done", **full_report(load(source), range(SEEDS), seconds=seconds)}
    except ProblemError as error:
        return _failed([str(fault) for fault in error.faults])


def _failed(lines: list[str]) -> Data:
    faults = [{"message": line, "seed": None, "more": 0} for line in lines]
    return {
        "state": "done", "passed": False, "seeds": 0, "failures": lines, "faults": faults, "grader": GRADER_VERSION,
    }  # fmt: skip


def keep_report(draft: int, digest: str, report: Data) -> bool:
    """Keep a report with its draft if that still has the text of this digest; whether it has. Own transaction."""
    with transaction.atomic():
        row = ProblemDraft.objects.select_for_update(of=("self",), no_key=True).filter(pk=draft).first()
        if row is None or digest_of_text(row.source) != digest:
            return False
        row.checked_digest, row.report = digest, report
        row.save(update_fields=["checked_digest", "report"])
    return True


def count_check(author: User) -> None:
    """Count one check of an author's. Raises TooMuchAtOnce; while nothing can be counted, authors go on."""
    try:
        is_over = limits.count(f"check:{author.pk}", limits.MINUTE) > MOST_CHECKS
    except (RedisError, OSError) as error:
        log.warning("Checks are not limited: %s", error)
        return
    if is_over:
        raise TooMuchAtOnce("You have asked for many checks within a minute. Your text is kept: wait a minute.")


def send_check(draft: int, digest: str, countdown: int = 0) -> None:
    """Publish the task. It never raises: a check that was not sent is done when the problem is published."""
    is_sent(TASK, draft, digest, otherwise=f"Draft {draft} is not checked in the background", countdown=countdown)


def take_turn() -> bool:
    """Whether a check in the background may begin now: of drafts and of what was adapted, one at a time."""
    try:
        return bool(cache.add(TURN, "1", timeout=TURN_SECONDS))
    except (RedisError, OSError) as error:
        log.warning("Checks do not wait for one another: the cache says %s", error)
        return True


def end_turn() -> None:
    """Let the next check begin."""
    try:
        cache.delete(TURN)
    except (RedisError, OSError) as error:
        log.warning("The next check waits for at most %s s: %s", TURN_SECONDS, error)
