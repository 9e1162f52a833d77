"""How often somebody may send or draw by the pages; the REST door adds to the same count."""

import logging
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from redis import RedisError

from exercises.limits import is_over_work
from exercises.refusals import TooMuchAtOnce
from frontend.signed_in import reader

log = logging.getLogger(__name__)


def limited(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Raise TooMuchAtOnce for a form that is one too many within a minute. Stands behind ``signed_in``.

    While nothing can be counted, learners go on.
    """

    @wraps(view)
    def counted(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.method == "POST" and _is_over(request):
            raise TooMuchAtOnce(
                "You have sent a great deal within a minute, so this was not taken. What you typed is kept: wait a "
                "minute, then send it again."
            )
        return view(request, *args, **kwargs)

    return counted


def _is_over(request: HttpRequest) -> bool:
    try:
        return is_over_work(reader(request))
    except (RedisError, OSError) as error:
        log.warning("Forms are not limited: %s", error)
        return False
