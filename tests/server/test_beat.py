"""Beat on a disk that cannot be written to."""

from pathlib import Path

import pytest

from server.beat import PatientScheduler
from server.celery import app


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
