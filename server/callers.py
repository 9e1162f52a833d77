"""Where a request comes from."""

from django.conf import settings
from django.http import HttpRequest
from rest_framework.request import Request


def address_of(request: HttpRequest | Request) -> str:
    """The address that it comes from: told by the proxy only if there is one, since anybody can send that header."""
    if getattr(settings, "SECURE_PROXY_SSL_HEADER", None):
        return str(request.META.get("HTTP_X_FORWARDED_FOR", "")).rpartition(",")[2].strip()
    return str(request.META.get("REMOTE_ADDR", ""))
