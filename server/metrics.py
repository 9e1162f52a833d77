"""Figures for Prometheus: what the processes of this host counted, and how the whole service stands.

Each process counts in a file of its own, in the folder PROMETHEUS_MULTIPROC_DIR; whoever is asked adds them up. What
waits is read from the database, so that every web process tells the same of it: alert on the maximum.
"""

import logging
import os
from collections.abc import Iterator
from hmac import compare_digest

from django.conf import settings
from django.db import DatabaseError
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector
from redis import RedisError

from exercises import pulse
from exercises.queries.standing import backlogs, given_up

log = logging.getLogger(__name__)

FOLDER = "PROMETHEUS_MULTIPROC_DIR"


def counted() -> CollectorRegistry:
    """What the processes of this host counted; without a folder, this one alone."""
    if not os.environ.get(FOLDER):
        return REGISTRY
    registry = CollectorRegistry()
    MultiProcessCollector(registry)
    return registry


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Everything, in the text format of Prometheus; 404 unless METRICS_TOKEN is set and sent as a bearer token."""
    said = request.headers.get("Authorization", "")
    wanted = f"Bearer {settings.METRICS_TOKEN}"
    if not settings.METRICS_TOKEN or not compare_digest(said.encode(), wanted.encode()):
        raise Http404("There is no such page.")
    told = generate_latest(counted()) + generate_latest(_standing())
    return HttpResponse(told, content_type=CONTENT_TYPE_LATEST)


def _standing() -> CollectorRegistry:
    registry = CollectorRegistry()
    registry.register(_Standing())
    return registry


class _Standing(Collector):
    """What is the same whichever process tells it."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """The database first: if it is away, that is all that can be told of it."""
        try:
            yield from _waiting()
            is_up = 1
        except DatabaseError:
            log.exception("The database does not answer.")
            is_up = 0
        yield GaugeMetricFamily("gym_database_up", "Whether the database answers.", is_up)
        try:
            yield from _alive()
            is_up = 1
        except (RedisError, OSError) as error:
            log.warning("Redis does not answer: %s", error)
            is_up = 0
        yield GaugeMetricFamily("gym_redis_up", "Whether Redis answers.", is_up)


def _waiting() -> Iterator[GaugeMetricFamily]:
    rows = GaugeMetricFamily("gym_waiting", "Rows that wait for a worker, by queue.", labels=["queue"])
    ages = GaugeMetricFamily("gym_waiting_seconds", "How long the first of them has waited.", labels=["queue"])
    for backlog in backlogs():
        rows.add_metric([backlog.name], backlog.rows)
        ages.add_metric([backlog.name], backlog.seconds)
    yield rows
    yield ages
    lost = GaugeMetricFamily("gym_given_up", "What workers gave up, by queue: a person has to look.", labels=["queue"])
    told = given_up()
    for name, number in (("answers", told.answers), ("webhooks", told.webhooks), ("regrades", told.regrades)):
        lost.add_metric([name], number)
    yield lost


def _alive() -> Iterator[GaugeMetricFamily]:
    since = GaugeMetricFamily(
        "gym_task_seconds", "Seconds since a periodic task last ended well, by task.", labels=["task"]
    )
    for name, seconds in pulse.seconds_since_tasks().items():
        since.add_metric([name.rpartition(".")[2]], seconds)
    yield since
    workers = [
        name
        for name, age in pulse.seconds_since_workers().items()
        if age <= pulse.LATE and not name.startswith("outside@")  # it marks nothing
    ]
    yield GaugeMetricFamily("gym_workers", "Workers for answers that were heard of lately.", len(workers))
