"""What platforms read of us: our key set, and how we want to be set up."""

import uuid

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.cache import patch_cache_control
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from exercises.actions.lms.tool_keys import key_set, key_set_at
from exercises.lti.set_up import Addresses, canvas_configuration
from server.lti.pages import home_of


@require_safe
@cache_control(public=True, max_age=3600)
def keys(request: HttpRequest) -> JsonResponse:
    """The key set (RFC 7517) of those who were registered before each had one of its own."""
    return JsonResponse({"keys": key_set()})


@require_safe
def own_keys(request: HttpRequest, owner: uuid.UUID) -> HttpResponse:
    """The key set of one registration."""
    found = key_set_at(owner)
    if found is None:
        # Asked for before the connection is saved here: not to be kept by anybody.
        said = "There is no such connection here yet: save it at this service first."
        return JsonResponse({"error": said}, status=404, headers={"Cache-Control": "no-store"})
    response = JsonResponse({"keys": found})
    patch_cache_control(response, public=True, max_age=3600)
    return response


@require_safe
def canvas(request: HttpRequest, owner: uuid.UUID | None = None) -> JsonResponse:
    """The configuration that Canvas reads; it may, before the connection is saved here."""
    return JsonResponse(canvas_configuration(Addresses(home_of(request), str(owner or ""))))
