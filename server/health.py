"""Two questions for whoever runs the service: does the process live, and should it be sent requests?"""

import logging

from django.core.cache import cache
from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from redis.exceptions import RedisError

log = logging.getLogger(__name__)


@never_cache
@require_safe
def live(request: HttpRequest) -> JsonResponse:
    """200 as long as the process answers at all; touches nothing else."""
    return JsonResponse({"status": "ok"})


@never_cache
@require_safe
def ready(request: HttpRequest) -> JsonResponse:
    """200 when answers can be taken, 503 when they cannot.

    Only the database decides: without Redis an answer is still stored and is marked by the next sweep, so taking every
    web process out of service for it would turn a delay into an outage. Its state is told all the same.
    """
    parts = {"database": _database_answers(), "redis": _redis_answers()}
    told = {name: "ok" if answers else "down" for name, answers in parts.items()}
    return JsonResponse(told, status=200 if parts["database"] else 503)


def _database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        log.exception("The database does not answer.")
        return False
    return True


def _redis_answers() -> bool:
    try:
        cache.get("health")
    except (RedisError, OSError):
        log.warning("Redis does not answer.", exc_info=True)
        return False
    return True
