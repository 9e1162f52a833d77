"""Housekeeping that belongs to no room."""

from celery import shared_task
from django.core.management import call_command


@shared_task
def clear_sessions() -> None:
    """Delete the sessions that have ended: nobody can come back to them."""
    call_command("clearsessions")


@shared_task
def clear_tokens() -> None:
    """Delete the tokens of systems that have expired."""
    call_command("cleartokens")
