"""The version that an item is drawn from once something in its problem was changed, and the check of that version."""

import hashlib
import logging
import time
from collections.abc import Mapping
from typing import Any

from django.core.cache import cache
from django.db import transaction
from django.db.models import Max
from redis import RedisError

from exercises.actions.authoring.checks import LONGEST, WAIT_SECONDS, count_check, end_turn, take_turn
from exercises.actions.sending import is_sent
from exercises.actions.sets.refusals import SetRefused
from exercises.models import Problem, ProblemVersion, User
from exercises.refusals import TooMuchAtOnce
from grader.adapting import adapted
from grader.checking import check
from grader.errors import ProblemError
from grader.problem import load

log = logging.getLogger(__name__)

TASK = "exercises.tasks.check_adapted"
#: As many as before a problem of one's own is published.
SEEDS = 1000
#: For how long a check that was asked for is not asked for again.
ASKED_SECONDS = 60
#: Marks the report of a check that was not done in time: whoever keeps the item again has it done again.
CUT_SHORT = "is_cut_short"


def admit_adaptation(*, base: ProblemVersion, adaptation: Mapping[str, Any], author: User) -> None:
    """Count the check that an adaptation will take, unless its version is there already. One query.

    Call it before the transaction of ``adapted_version``: what is counted is counted in Redis, and nobody else's row is
    held while that is waited for. Raises SetRefused for too many; what cannot be read is refused later.
    """
    try:
        source = _adapted_source(base, adaptation)
    except (ProblemError, ValueError):
        return
    if not ProblemVersion.objects.filter(problem=base.problem_id, digest=_digest(source)).exists():
        admit_check(author)


def admit_check(author: User) -> None:
    """Count one check that will be asked for. Raises SetRefused for too many, with nothing kept yet."""
    try:
        count_check(author)
    except TooMuchAtOnce as refused:
        words = (
            "You have asked for many checks within a minute. Nothing is kept yet: wait a minute, then keep it again."
        )
        raise SetRefused(words, {"adaptation": words}) from refused


def adapted_version(*, base: ProblemVersion, adaptation: Mapping[str, Any], author: User) -> ProblemVersion:
    """The version made from ``base`` by an adaptation as SetItem keeps it: the one that is there already, or a new one
    whose check then begins in the background. Inside the caller's transaction, before which it was admitted; four
    queries.

    Raises SetRefused where the problem cannot be read with it.
    """
    try:
        source = _adapted_source(base, adaptation)
        load(source)
    except (ProblemError, ValueError) as error:
        words = f"The problem cannot be drawn like this: {error}"
        raise SetRefused(words, {"adaptation": words}) from error
    digest = _digest(source)
    problem = Problem.objects.select_for_update(of=("self",), no_key=True).get(pk=base.problem_id)
    found = problem.versions.filter(digest=digest).first()
    if found is None:
        last = problem.versions.aggregate(last=Max("number"))["last"] or 0
        found = problem.versions.create(
            digest=digest, source=source, number=last + 1, author=author, adapted_from=base,
            summary=_summary(base, adaptation),
        )  # fmt: skip
    if found.adapted_from_id is not None and (found.report or {}).get(CUT_SHORT):
        # It may have been the hour, and not the problem.
        found.report = None
        found.save(update_fields=["report"])
    if found.adapted_from_id is not None and found.report is None:
        pk = found.pk
        transaction.on_commit(lambda: ask_for_check(pk), robust=True)
    return found


def _summary(base: ProblemVersion, adaptation: Mapping[str, Any]) -> str:
    """What is different from the base, wherever the version comes to be used: in a set, or to mark answers again."""
    changes = []
    if adaptation.get("parameters"):
        changes.append("fewer values are drawn from")
    if digits := adaptation.get("digits"):
        changes.append(f"answers with {digits} digits are enough")
    return f"As version {base.number}, but {' and '.join(changes) or 'adapted for a problem set'}."


def _adapted_source(base: ProblemVersion, adaptation: Mapping[str, Any]) -> str:
    return adapted(base.source, parameters=adaptation.get("parameters", {}), digits=adaptation.get("digits"))


def _digest(source: str) -> str:
    return hashlib.sha256(source.encode()).hexdigest()


def ask_for_check(version_pk: int) -> None:
    """Publish the check of an adapted version, unless that was done a moment ago; never raises. What is lost is asked
    for again when somebody looks."""
    try:
        if not cache.add(f"sets:asked-check:{version_pk}", "1", timeout=ASKED_SECONDS):
            return
    except (RedisError, OSError) as error:
        log.warning("The check of version %s may be asked for twice: the cache says %s", version_pk, error)
    _send(version_pk)


def _send(version_pk: int, countdown: int = 0) -> None:
    is_sent(TASK, version_pk, otherwise=f"Version {version_pk} is not checked yet", countdown=countdown)


def check_version(version_pk: int) -> bool:
    """Check an adapted version over 1,000 seeds and keep what was found; whether it was done now. Some seconds.

    Does nothing for a version that has a report, or that nobody adapted. While another check goes on, of a draft or of
    another version, it is asked for again a little later, so that answers go on being marked. Safe twice.
    """
    version = ProblemVersion.objects.filter(pk=version_pk, adapted_from__isnull=False, report__isnull=True).first()
    if version is None:
        return False
    if not take_turn():
        _send(version_pk, countdown=WAIT_SECONDS)
        return False
    began = time.monotonic()
    try:
        report = check(load(version.source), range(SEEDS), seconds=LONGEST).to_json()
        if not report["passed"] and time.monotonic() - began >= LONGEST:
            report = cut_short()
    except ProblemError as error:
        report = {"passed": False, "failures": [str(error)]}
    finally:
        end_turn()
    return keep_report(version_pk, report)


def cut_short() -> dict[str, Any]:
    """The report of a check that was not done in time."""
    words = "the check was not done in time. Keep the item again to have it checked again, or change less."
    return {"passed": False, "failures": [words], CUT_SHORT: True}


def keep_report(version_pk: int, report: Mapping[str, Any]) -> bool:
    """Keep the report on a version that has none yet; whether it was kept. One query."""
    return bool(ProblemVersion.objects.filter(pk=version_pk, report__isnull=True).update(report=dict(report)))
