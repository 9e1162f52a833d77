"""Addresses that are none."""

from typing import Any

from django.http import Http404
from rest_framework.permissions import AllowAny
from rest_framework.request import Request

from server.api.base import View


class Nowhere(View):
    """Keeps wrong addresses in the one shape of errors."""

    scopes = {}
    permission_classes = (AllowAny,)
    schema = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        raise Http404("There is no such address. See docs/openapi.yaml for those that are.")
