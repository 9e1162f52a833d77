"""What workers tell of themselves: that they are there, which periodic tasks ended well, and what they counted."""

import logging
import time
from typing import Any

from celery.signals import heartbeat_sent, task_success, worker_ready
from django.conf import settings
from prometheus_client import start_http_server

from exercises import pulse
from server.metrics import counted

log = logging.getLogger(__name__)

#: Celery sends one every two seconds.
BEAT_SECONDS = 10.0
_last_beat = 0.0
_PERIODIC = frozenset(entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values())


def connect() -> None:
    """Have Celery's signals lead here. In other processes than a worker none is ever sent."""
    worker_ready.connect(_serve_figures)
    heartbeat_sent.connect(_note_worker)
    task_success.connect(_note_task)


def _serve_figures(sender: Any = None, **_: Any) -> None:
    if settings.METRICS_PORT:
        start_http_server(settings.METRICS_PORT, addr=settings.METRICS_HOST, registry=counted())
        log.info("What this worker counts is told on port %s.", settings.METRICS_PORT)
    _note_worker(getattr(sender, "hostname", None))


def _note_worker(sender: Any = None, **_: Any) -> None:
    global _last_beat  # noqa: PLW0603  (one worker a process)
    now = time.monotonic()
    if _last_beat and now - _last_beat < BEAT_SECONDS:
        return
    _last_beat = now
    name = sender if isinstance(sender, str) else sender.eventer.hostname
    pulse.worker_beats(name)


def _note_task(sender: Any = None, **_: Any) -> None:
    if sender is not None and sender.name in _PERIODIC:
        pulse.task_ended(sender.name)
