"""Bodies that come in pieces, whose length nobody says beforehand."""

from io import BytesIO

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest
from rest_framework.exceptions import ParseError


def take_in(request: HttpRequest) -> None:
    """Read a body that is sent chunked, as clients do that write while they send: Django goes by ``Content-Length``
    alone and would take it for an empty one, so that a change would be answered and not made.

    Raises RequestDataTooBig, and ParseError where the server cannot say where the body ends.
    """
    environ = request.META
    if environ.get("CONTENT_LENGTH") or "HTTP_TRANSFER_ENCODING" not in environ:
        return
    if not environ.get("wsgi.input_terminated"):
        raise ParseError("Send Content-Length: a body without it is not read.")
    most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    body = environ["wsgi.input"].read(most + 1)
    if len(body) > most:
        raise RequestDataTooBig
    environ["CONTENT_LENGTH"] = str(len(body))
    request._stream = BytesIO(body)  # noqa: SLF001  # where Django reads it from
