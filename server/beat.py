"""Beat's memory of when each periodic task was last sent, which it can do without for a while."""

import logging

from celery.beat import PersistentScheduler

log = logging.getLogger(__name__)


class PatientScheduler(PersistentScheduler):
    """Goes on where its file cannot be written, as on a full disk: what is sent is what matters. Celery's own would
    end, and with it everything that `make run` started."""

    def sync(self) -> None:
        """Write the file if that can be done; else the next time, which is minutes away."""
        try:
            super().sync()
        except OSError as error:
            # A shelf that broke off in the middle would never write again.
            self._store.writeback = True
            log.error("When tasks were last sent could not be kept, a restart may send some again: %s", error)
