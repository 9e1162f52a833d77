"""Letting scores follow rulings that reach many learners: in batches, each a transaction of its own.

A ruling is read whenever a score is worked out, so whatever is marked meanwhile is right already; what was there
before follows batch by batch. Until the last of them ``Ruling.applied_at`` is empty, and every page with scores of the
set says so. A worker that is killed loses nothing: the next one goes on after ``Ruling.reached``.
"""

import logging
import time

from billiard.exceptions import SoftTimeLimitExceeded
from django.core.cache import cache
from django.db import OperationalError, transaction
from django.db.models import QuerySet
from redis import RedisError

from exercises import clock
from exercises.actions.grading.moves import BATCH
from exercises.actions.grading.places import keys_of_places, reached_by
from exercises.actions.scores import keep_scores
from exercises.actions.sending import is_sent
from exercises.models import Enrolment, Ruling

log = logging.getLogger(__name__)

TASK = "exercises.tasks.settle_rulings"
#: Seconds for which a ruling rests after an error that was not foreseen: what was wrong may be mended.
REST = 900
RESTS = "grading:ruling-rests:{}"


def wake_settler() -> None:
    """Tell a worker that scores are to follow. It never raises: what is not told here is found by the sweep."""
    is_sent(TASK, otherwise="Nobody was told to work scores out, the sweep will do it")


def settle_for(seconds: float) -> bool:
    """Work scores out after the rulings that they have not followed yet, for so long; whether something is left.

    One that meets an error rests for a while, and holds up no other.
    """
    ends = time.monotonic() + seconds
    for pk in Ruling.objects.filter(applied_at=None).order_by("pk").values_list("pk", flat=True):
        if _rests(pk):
            continue
        try:
            while settle_batch(pk):
                if time.monotonic() > ends:
                    return True
        except OperationalError:
            # Nothing of the batch was written, and what was wrong is soon over: the sweep goes on from there.
            raise
        except Exception as error:
            log.exception("Scores cannot follow ruling %s: it is tried again in %s seconds.", pk, REST)
            _let_rest(pk)
            if isinstance(error, SoftTimeLimitExceeded):
                raise
        if time.monotonic() > ends:
            return True
    return False


def settle_batch(pk: int) -> bool:
    """Let the scores of the next batch of learners follow a ruling; whether there may be more. One transaction.

    Twice at once, one waits for the other and goes on after it.
    """
    with transaction.atomic():
        rows = Ruling.objects.select_for_update(no_key=True, of=("self",)).select_related("item__problem_set")
        ruling = rows.filter(pk=pk, applied_at=None).first()
        if ruling is None:
            return False
        batch = list(_waiting(ruling).values_list("user_id", flat=True)[:BATCH])
        if batch:
            keep_scores(keys_of_places(ruling.problem_set, batch, ruling.item))
            ruling.reached = batch[-1]
        if len(batch) < BATCH:
            ruling.applied_at = clock.now()
        ruling.save(update_fields=["reached", "applied_at"])
        return len(batch) == BATCH


def _waiting(ruling: Ruling) -> QuerySet[Enrolment]:
    return reached_by(ruling.item, ruling.digest).filter(user__gt=ruling.reached).order_by("user")


def _rests(pk: int) -> bool:
    try:
        return bool(cache.get(RESTS.format(pk)))
    except (RedisError, OSError) as error:
        log.warning("Rulings that met an error are tried in their turn: the cache says %s", error)
        return False


def _let_rest(pk: int) -> None:
    try:
        cache.set(RESTS.format(pk), "1", timeout=REST)
    except (RedisError, OSError) as error:
        log.warning("It is not kept that ruling %s met an error: the cache says %s", pk, error)
