"""Beat on a disk that cannot be written to, and with a clock that is wrong for a while."""

import datetime as dt
from pathlib import Path
from typing import Any

import pytest

from server.beat import PatientScheduler
from server.celery import app
from server.schedule import SWEEP_SECONDS


def test_it_goes_on_without_its_file_and_writes_it_once_it_can(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scheduler = PatientScheduler(app, schedule_filename=str(tmp_path / "kept"))
    shelf = scheduler._store

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as broken:
        broken.setattr(type(shelf), "__setitem__", full)
        scheduler.sync()
    scheduler.schedule["sweep-pending"].total_run_count = 7
    scheduler.close()
    again = PatientScheduler(app, schedule_filename=str(tmp_path / "kept"))
    assert again.schedule["sweep-pending"].total_run_count == 7
    again.close()


def test_a_clock_that_was_ahead_keeps_no_task_waiting_once_it_is_put_right(tmp_path: Path) -> None:
    sent: list[str] = []

    class Counting(PatientScheduler):
        def apply_entry(self, entry: Any, producer: Any = None) -> None:
            sent.append(entry.name)

    hour = dt.timedelta(hours=1)
    for restarts in (False, True):
        scheduler = Counting(app, schedule_filename=str(tmp_path / f"kept-{restarts}"))
        scheduler.tick()
        # As if everything had been sent by a clock that is an hour ahead, and planned by it.
        for entry in scheduler.schedule.values():
            entry.last_run_at += hour
        scheduler._heap = [one._replace(time=one.time + 3600) for one in scheduler._heap]
        if restarts:
            scheduler.close()
            scheduler = Counting(app, schedule_filename=str(tmp_path / f"kept-{restarts}"))
        assert scheduler.tick() <= SWEEP_SECONDS
        scheduler.close()
    assert sent == []
