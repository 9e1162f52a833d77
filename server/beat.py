"""Beat's memory of when each periodic task was last sent: it can do without, and does not trust it blindly."""

import datetime as dt
import logging
from typing import Any

from celery.beat import PersistentScheduler

log = logging.getLogger(__name__)


#: So much later than now nothing was ever sent: the clock has been put back since.
IN_THE_FUTURE = dt.timedelta(seconds=2)


class PatientScheduler(PersistentScheduler):
    """Goes on where its file cannot be written, as on a full disk: what is sent is what matters. Celery's own would
    end, and with it everything that `make run` started.

    It goes on as well where the clock was minutes ahead and is put right, while it runs or before it starts: Celery's
    own would wait until it is as late again as it was when each task was last sent.
    """

    def tick(self, *arguments: Any, **named: Any) -> float:
        """Send what is due, once; seconds until something is."""
        ahead = [one for one in self.schedule.values() if one.last_run_at > one.default_now() + IN_THE_FUTURE]
        for entry in ahead:
            entry.last_run_at = entry.default_now()
        if ahead:
            log.warning("The clock was put back: %s periodic tasks count from now on.", len(ahead))
            self._heap = None  # it holds the moments of before
        return float(super().tick(*arguments, **named))

    def sync(self) -> None:
        """Write the file if that can be done; else the next time, which is minutes away."""
        try:
            super().sync()
        except OSError as error:
            # A shelf that broke off in the middle would never write again.
            self._store.writeback = True
            log.error("When tasks were last sent could not be kept, a restart may send some again: %s", error)
