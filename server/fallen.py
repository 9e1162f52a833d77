"""What is answered where no view could: a document below the REST door's address, Django's page elsewhere."""

import logging
import sys

from django.http import HttpRequest, HttpResponse
from django.views import defaults

from server.api.errors import plain
from server.outage import no_storage

log = logging.getLogger(__name__)
DOOR = "/api/"


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """A request that Django itself takes for nonsense or for an attack."""
    if answer := no_storage(request, exception):
        return answer
    if request.path.startswith(DOOR):
        return plain(request, 400, "bad-request", "This request cannot be read.")
    return defaults.bad_request(request, exception)


def server_error(request: HttpRequest) -> HttpResponse:
    """A fault of ours, or storage that failed outside any view, as while a session was read or kept."""
    if answer := no_storage(request, sys.exc_info()[1]):
        return answer
    if request.path.startswith(DOOR):
        said = "This is a fault of ours, and it is written down. Name the request_id when you report it."
        log.error("Request %s to %s ended in a fault.", getattr(request, "request_id", ""), request.path)
        return plain(request, 500, "fault", said)
    return defaults.server_error(request)
