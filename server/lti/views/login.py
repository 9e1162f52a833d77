"""The beginning of a launch: the platform says who wants where, and is asked to say it again, signed."""

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from exercises.actions.lms.flows import Begun, begin_launch, digest
from exercises.lti.reading import origin_of
from exercises.lti.refusals import LaunchRefused
from server.lti.cookies import remember_flow
from server.lti.frames import may_show
from server.lti.pages import home_of, page, refused_page


@never_cache
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def login(request: HttpRequest) -> HttpResponse:
    """Begin a launch. This browser keeps a secret for it: in a cookie, and in the storage of the platform where the
    platform offers one."""
    said = request.POST if request.method == "POST" else request.GET
    try:
        begun = begin_launch(said={name: str(value) for name, value in said.items()}, home=home_of(request))
    except LaunchRefused as refused:
        return refused_page(request, refused)
    response = _stored(request, begun) if begun.storage_target else HttpResponseRedirect(begun.address)
    remember_flow(response, digest(begun.state), begun.secret)
    return response


def _stored(request: HttpRequest, begun: Begun) -> HttpResponse:
    """A page whose script puts the secret into the platform's storage and goes on."""
    context = {
        "origin": origin_of(begun.registration.login_url), "frame": begun.storage_target, "address": begun.address,
        "name": f"gym-{digest(begun.state)[:16]}", "secret": begun.secret,
    }  # fmt: skip
    return page(request, "stored", context, origins=may_show(begun.registration))
