"""Letting scores follow rulings that reach many learners: in batches, each a transaction of its own.

A ruling is read whenever a score is worked out, so whatever is marked meanwhile is right already; what was there
before follows batch by batch. Until the last of them ``Ruling.applied_at`` is empty, and every page with scores of the
set says so. A worker that is killed loses nothing: the next one goes on after ``Ruling.reached``.
"""

import logging
import time

from celery import current_app
from django.db import transaction
from django.db.models import QuerySet
from kombu.exceptions import OperationalError
from redis import RedisError

from exercises import clock
from exercises.actions.grading.moves import BATCH
from exercises.actions.grading.places import keys_of_places, reached_by
from exercises.actions.scores import keep_scores
from exercises.models import Enrolment, Ruling

log = logging.getLogger(__name__)

TASK = "exercises.tasks.settle_rulings"


def wake_settler() -> None:
    """Tell a worker that scores are to follow. It never raises: what is not told here is found by the sweep."""
    try:
        current_app.send_task(TASK, retry=False, ignore_result=True)
    except (OperationalError, RedisError, OSError) as error:
        log.warning("Nobody was told to work scores out, the sweep will do it: the broker says %s", error)


def settle_for(seconds: float) -> bool:
    """Work scores out after the rulings that they have not followed yet, for so long; whether something is left."""
    ends = time.monotonic() + seconds
    while (pk := _next()) is not None:
        while settle_batch(pk):
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


def _next() -> int | None:
    return Ruling.objects.filter(applied_at=None).order_by("pk").values_list("pk", flat=True).first()
