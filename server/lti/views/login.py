"""The beginning of a launch: the platform says who wants where, and is asked to say it again, signed."""

import logging

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods
from redis import RedisError

from exercises.actions.lms.flows import Begun, begin_launch, digest
from exercises.limits import MINUTE, count
from exercises.lti.reading import origin_of
from exercises.lti.refusals import AGAIN, LaunchRefused
from server.callers import address_of
from server.lti.cookies import remember_flow
from server.lti.frames import may_show
from server.lti.pages import home_of, page, refused_page

log = logging.getLogger(__name__)
#: Launches that begin at one address, behind which whole schools sit. Each writes a row before anybody is known.
MOST_A_MINUTE = 600
TOO_MANY = LaunchRefused(
    "too-many", "More launches have begun at your address within a minute than are taken.", "Wait a minute. " + AGAIN
)


@never_cache
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def login(request: HttpRequest) -> HttpResponse:
    """Begin a launch. This browser keeps a secret for it: in a cookie, and in the storage of the platform where the
    platform offers one."""
    said = request.POST if request.method == "POST" else request.GET
    if _is_flood(request):
        return refused_page(request, TOO_MANY, status=429)
    try:
        begun = begin_launch(said={name: str(value) for name, value in said.items()}, home=home_of(request))
    except LaunchRefused as refused:
        return refused_page(request, refused)
    response = _stored(request, begun) if begun.storage_target else HttpResponseRedirect(begun.address)
    remember_flow(response, digest(begun.state), begun.secret)
    return response


def _is_flood(request: HttpRequest) -> bool:
    """Count a beginning of its address. Where nothing can be counted, learners go on."""
    try:
        return count(f"launch:{address_of(request)}", MINUTE) > MOST_A_MINUTE
    except (RedisError, OSError) as error:
        log.warning("Launches are not limited: %s", error)
        return False


def _stored(request: HttpRequest, begun: Begun) -> HttpResponse:
    """A page whose script puts the secret into the platform's storage and goes on."""
    context = {
        "origin": origin_of(begun.registration.login_url), "frame": begun.storage_target, "address": begun.address,
        "name": f"gym-{digest(begun.state)[:16]}", "secret": begun.secret,
    }  # fmt: skip
    return page(request, "stored", context, origins=may_show(begun.registration))
