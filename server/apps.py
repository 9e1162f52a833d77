"""Registers what belongs to no room: the checks that guard the settings."""

from celery.signals import beat_init, worker_init
from django.apps import AppConfig


class ServerConfig(AppConfig):
    name = "server"
    verbose_name = "Wiring"

    def ready(self) -> None:
        from server import checks  # noqa: PLC0415  (registers itself, which may happen only now)

        worker_init.connect(checks.refuse_to_work)
        beat_init.connect(checks.refuse_to_work)
