"""Registers what belongs to no room: the checks that guard the settings, the signs of life of workers, and the counting
of sign-ins."""

from celery.signals import beat_init, worker_init
from django.apps import AppConfig


class ServerConfig(AppConfig):
    name = "server"
    verbose_name = "Wiring"

    def ready(self) -> None:
        from server import checks, counted, signs  # noqa: PLC0415  (checks register themselves, which may happen only now)

        worker_init.connect(checks.refuse_to_work)
        beat_init.connect(checks.refuse_to_work)
        signs.connect()
        counted.connect()
