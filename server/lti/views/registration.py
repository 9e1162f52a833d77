"""A platform registers itself, by a link that is good once."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from exercises.actions.lms.registrations import accept_invite, invite_of
from exercises.lti.reading import origin_of
from exercises.lti.refusals import LaunchRefused
from server.lti.pages import home_of, page, refused_page


@never_cache
@csrf_exempt  # in a frame of the platform there is no cookie to check; the link itself is the secret, and good once
@require_http_methods(["GET", "HEAD", "POST"])
def register(request: HttpRequest, token: str) -> HttpResponse:
    """Ask whether to register with the platform that opened this page in a frame; then do it, and close the frame."""
    said = request.POST if request.method == "POST" else request.GET
    configuration = said.get("openid_configuration", "")
    origin = origin_of(configuration)
    try:
        invite = invite_of(token)
        if not origin:
            raise LaunchRefused(
                "configuration",
                "The platform did not say where its configuration stands (openid_configuration).",
                "Paste this link at the platform, where it asks for the address of a tool to register.",
            )
        if request.method != "POST":
            context = {
                "origin": origin, "invite": invite, "configuration": configuration,
                "registration_token": said.get("registration_token", ""),
            }  # fmt: skip
            return page(request, "register", context, origins=(origin,))
        made = accept_invite(
            token=token, configuration_url=configuration, registration_token=said.get("registration_token", ""),
            home=home_of(request),
        )  # fmt: skip
    except LaunchRefused as refused:
        return refused_page(request, refused)
    return page(request, "registered", {"registration": made, "origin": origin}, origins=(origin,))
