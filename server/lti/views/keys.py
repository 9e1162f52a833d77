"""What platforms read of us: our key set, and how we want to be set up."""

from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from exercises.actions.lms.tool_keys import key_set
from exercises.lti.set_up import Addresses, canvas_configuration
from server.lti.pages import home_of


@require_safe
@cache_control(public=True, max_age=3600)
def keys(request: HttpRequest) -> JsonResponse:
    """Our key set (RFC 7517)."""
    return JsonResponse({"keys": key_set()})


@require_safe
def canvas(request: HttpRequest) -> JsonResponse:
    """The configuration that Canvas reads."""
    return JsonResponse(canvas_configuration(Addresses(home_of(request))))
