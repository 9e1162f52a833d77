"""What is known of a draft's check: of which text it was, and whether it is done."""

import datetime as dt
import hashlib
from typing import Any, Literal

from exercises import clock
from exercises.models import ProblemDraft
from grader.verdict import GRADER_VERSION

#: Seeds that a text must pass before learners meet it.
SEEDS = 1000
#: Seconds after which a check that was asked for counts as lost.
LOST_AFTER = 120

#: other-text: what was checked is not what stands there now.
CheckState = Literal["none", "waiting", "passed", "failed", "other-text"]


def digest_of_text(source: str) -> str:
    """What a text is known again by: SHA-256, in hex, as of a version."""
    return hashlib.sha256(source.encode()).hexdigest()


def is_done(draft: ProblemDraft, digest: str) -> bool:
    """Whether the draft's report is of the text of that digest, over all the seeds, by this grader."""
    report = draft.report
    return (
        draft.checked_digest == digest
        and report.get("state") == "done"
        and report.get("grader") == GRADER_VERSION
        and (not report.get("passed") or report.get("seeds", 0) >= SEEDS)
    )


def check_state(checked_digest: str, report: dict[str, Any], digest: str) -> CheckState:
    """How the check of a text with this digest stands."""
    if not report or not checked_digest:
        return "none"
    if checked_digest != digest:
        return "other-text"
    if report.get("state") == "waiting":
        return "none" if _is_lost(str(report.get("asked_at", ""))) else "waiting"
    return "passed" if report.get("passed") else "failed"


def _is_lost(asked_at: str) -> bool:
    try:
        return clock.now() - dt.datetime.fromisoformat(asked_at) > dt.timedelta(seconds=LOST_AFTER)
    except (ValueError, TypeError):
        return True
