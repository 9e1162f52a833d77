"""How log lines look: for people, or as JSON for a machine, with the request or the task that they belong to."""

import json
import logging
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

from celery import current_task

#: Of the request that is being answered in this thread, as RequestIdMiddleware gave it.
request_id: ContextVar[str] = ContextVar("request_id", default="")
#: What every record has by itself; everything else came by ``extra``.
_OWN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "request_id", "task", "taskName"}

#: Controls, of which some begin a line and others colour or overwrite what a terminal shows.
_UNSEEN = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160))} | {0x2028: " ", 0x2029: " "}


class Origin(logging.Filter):
    """Puts into each record which request or task it belongs to; it lets all of them through."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Always true."""
        record.request_id = request_id.get() or "-"
        task = current_task
        record.task = f"{task.name.rpartition('.')[2]}:{task.request.id}" if task and task.request.id else "-"
        return True


class Lines(logging.Formatter):
    """A line for people: when, how bad, where, which request or task, what."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)-7s %(name)s%(origin)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """The line, with what failed below it."""
        told = [getattr(record, name, "-") for name in ("request_id", "task")]
        record.origin = "".join(f" [{one}]" for one in told if one != "-")
        return super().format(record)

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  (logging calls it so)
        """The line itself, in which nothing begins another: a path that somebody asks for may hold anything."""
        return super().formatMessage(record).translate(_UNSEEN)


class Json(logging.Formatter):
    """One JSON object a line, with whatever was given as ``extra``."""

    def format(self, record: logging.LogRecord) -> str:
        """The object; what it cannot hold is told in words."""
        told: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            "process": record.process,
        }
        for name in ("request_id", "task"):
            if getattr(record, name, "-") != "-":
                told[name] = getattr(record, name)
        told |= {name: value for name, value in vars(record).items() if name not in _OWN}
        if record.exc_info:
            told["error"] = self.formatException(record.exc_info)
        return json.dumps(told, default=str)
