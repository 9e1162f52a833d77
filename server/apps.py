"""Registers what belongs to no room: the checks that guard the settings."""

from django.apps import AppConfig


class ServerConfig(AppConfig):
    name = "server"
    verbose_name = "Wiring"

    def ready(self) -> None:
        from server import checks  # noqa: F401, PLC0415  (registers itself, and may only once the apps are loaded)
