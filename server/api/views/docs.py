"""The description of the door: as a page for people, and as OpenAPI for programs. Both are open to anybody."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from server.api.describing import described, schema


@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    """The page."""
    return render(request, "api/docs.html", {"described": described()})


@require_safe
@cache_control(public=True, max_age=300)
def openapi(request: HttpRequest) -> HttpResponse:
    """The OpenAPI 3.1 description."""
    return JsonResponse(schema(), json_dumps_params={"indent": 1})
