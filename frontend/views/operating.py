"""For whoever runs the service: what waits, who works, and what was given up."""

import datetime as dt
import platform
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import django
from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from redis import RedisError

from exercises import access, pulse
from exercises.queries.standing import backlogs, given_up, latest_waits, stopped_scores
from frontend.signed_in import reader, signed_in

#: Of the times that a periodic task may be late before it is called so, and seconds on top of it for a long one.
MISSED, SLACK = 3, 60
DAY = 24 * 3600
QUEUES = {
    "answers": "Answers to be marked",
    "attempts": "Attempts whose time is up, to be handed in",
    "events": "Events without a place in the feed",
    "deliveries": "Deliveries to webhooks",
    "scores": "Scores for learning platforms",
    "rosters": "Rosters to be read from learning platforms",
    "columns": "Columns to be made or looked at on learning platforms",
    "regrades": "Regrades",
    "jobs": "Jobs of programs",
}


@dataclass(frozen=True)
class Periodic:
    """A periodic task and when it last ended well; None if that is not known."""

    name: str
    every: float
    seconds: float | None

    @property
    def is_late(self) -> bool:
        """Whether it should have ended since."""
        return self.seconds is not None and self.seconds > MISSED * self.every + SLACK


@never_cache
@require_safe
@signed_in
def operating(request: HttpRequest) -> HttpResponse:
    """The whole page; it asks for itself again every few seconds and takes the figures out of the answer."""
    access.operator(reader(request))
    context: dict[str, Any] = {
        "queues": [(QUEUES[backlog.name], backlog) for backlog in backlogs()],
        "given_up": given_up(),
        "stopped_scores": stopped_scores(),
        "waits": latest_waits(),
        "parts": _parts(),
        **_alive(),
    }
    return render(request, "frontend/operating.html", context)


def _alive() -> dict[str, Any]:
    """The signs of life; without Redis there are none to be had."""
    try:
        workers = [(name, age, age > pulse.LATE) for name, age in pulse.seconds_since_workers().items()]
        return {"has_redis": True, "workers": workers, "tasks": list(_tasks(pulse.seconds_since_tasks()))}
    except (RedisError, OSError):
        return {"has_redis": False, "workers": [], "tasks": []}


def _tasks(ended: Any) -> Iterator[Periodic]:
    for entry in settings.CELERY_BEAT_SCHEDULE.values():
        schedule = entry["schedule"]
        every = float(schedule) if isinstance(schedule, (int, float)) else _seconds_of(schedule)
        yield Periodic(entry["task"].rpartition(".")[2].replace("_", " "), every, ended.get(entry["task"]))


def _seconds_of(schedule: Any) -> float:
    """How often a crontab of ours comes round: its hours decide, since none names days."""
    return DAY / len(schedule.hour)


def _parts() -> list[tuple[str, str]]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT sqlite_version()" if connection.vendor == "sqlite" else "SHOW server_version")
        told = cursor.fetchone()[0]
    return [
        ("Product", _product()),
        ("Database", f"{connection.display_name} {told}"),
        ("Python", platform.python_version()),
        ("Django", django.get_version()),
        ("Time here", dt.datetime.now(dt.UTC).strftime("%-d %b %Y, %H:%M:%S UTC")),
    ]


def _product() -> str:
    try:
        return version("bert-gym")
    except PackageNotFoundError:
        return "from its source"
