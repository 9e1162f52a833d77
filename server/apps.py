"""Registers what belongs to no room: the checks that guard the settings, and the signs of life of workers."""

from celery.signals import beat_init, worker_init
from django.apps import AppConfig


class ServerConfig(AppConfig):
    name = "server"
    verbose_name = "Wiring"

    def ready(self) -> None:
        from server import checks, signs  # noqa: PLC0415  (checks register themselves, which may happen only now)

        worker_init.connect(checks.refuse_to_work)
        beat_init.connect(checks.refuse_to_work)
        signs.connect()
