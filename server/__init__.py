"""The wiring: settings, addresses, processes. It imports every room and no room imports it."""

from server.celery import app as celery_app

__all__ = ["celery_app"]
