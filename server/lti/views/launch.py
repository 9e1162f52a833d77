"""The end of a launch: the signed message, a session, and the page that it leads to."""

import datetime as dt
from dataclasses import asdict
from urllib.parse import urlencode

from django.contrib.auth import login as sign_in
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from exercises.actions.lms.arrivals import Arrival, take_ticket, ticket_of
from exercises.actions.lms.flows import AnotherBrowser, digest, end_launch, flow_of
from exercises.lti.launch import Launch, Message
from exercises.lti.reading import origin_of
from exercises.lti.refusals import AGAIN, LaunchRefused
from exercises.models import Context, LaunchFlow, Registration, ResourceLink, User
from exercises.queries.lms import name_on
from server.lti.cookies import flow_secret, forget_flow
from server.lti.frames import (
    ANYBODY,
    FRAMES,
    KEPT,
    SHARED,
    comes_from_frame,
    enter_frame,
    is_framed,
    is_of_one_site,
    may_show,
)
from server.lti.pages import home_of, page, refused_page

BACKEND = "django.contrib.auth.backends.ModelBackend"
#: Of a session that a launch began: a shared computer forgets it over night.
SESSION = dt.timedelta(hours=12)


@never_cache
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def launch(request: HttpRequest) -> HttpResponse:
    """Take a launch. Whatever is wrong with it is said on a page; nothing of it is taken then."""
    said, flow = request.POST, None
    try:
        _refuse_early(request)
        flow = flow_of(said.get("state", ""))
        secret = _lent(request, flow) or flow_secret(request, flow.state_digest)
        arrival = end_launch(flow=flow, token=said.get("id_token", ""), secret=secret, lead=_lead, kept=_kept)
    except AnotherBrowser as refused:
        return _elsewhere(request, refused)
    except LaunchRefused as refused:
        return refused_page(request, refused, origins=may_show(flow.registration) if flow else ANYBODY)
    return _arrived(request, flow, arrival)


@never_cache
@require_safe
def arrive(request: HttpRequest, ticket: str) -> HttpResponse:
    """Go on to where the launch leads, if this browser kept the session; else offer a tab of its own."""
    try:
        found = ticket_of(ticket)
        if request.user.pk == found.user_id:
            return HttpResponseRedirect(take_ticket(ticket).target)
    except LaunchRefused as refused:
        return refused_page(request, refused)
    address = reverse("lti:enter", args=[ticket])
    return page(request, "new_tab", {"address": address}, origins=may_show(found.registration), status=403)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def enter(request: HttpRequest, ticket: str) -> HttpResponse:
    """Go on in a tab of its own. It is asked first, so that nobody ends up in somebody else's session by a link that
    they were sent."""
    try:
        if request.method != "POST":
            found = ticket_of(ticket)
            context = {"ticket": found, "name": name_on(found), "platform": found.registration.name}
            return page(request, "enter", context, origins=("'none'",))
        found = take_ticket(ticket)
    except LaunchRefused as refused:
        return refused_page(request, refused)
    _sign_in(request, found.user)
    request.session[KEPT] = found.kept
    return HttpResponseRedirect(found.target)


def _refuse_early(request: HttpRequest) -> None:
    if request.method != "POST":
        raise LaunchRefused("no-launch", "This address takes launches of a learning platform, and this is none.", AGAIN)
    if error := request.POST.get("error"):
        words = " ".join((request.POST.get("error_description") or error)[:300].split())
        raise LaunchRefused("platform-error", f"The platform did not launch it: {words}", AGAIN)


def _lent(request: HttpRequest, flow: LaunchFlow) -> str:
    """What the storage of the platform kept of a flow; "" unless our own page inside a frame has fetched it there.

    Whoever began a flow knows what was kept of it: a page of theirs could send it along from the browser of somebody
    else, who would go on as them without noticing. At the top of a window cookies are kept, so it is not needed there.
    """
    is_ours = request.headers.get("Origin", "") == home_of(request)
    if not (flow.storage_target and is_ours) or request.headers.get("Sec-Fetch-Dest", "iframe") not in FRAMES:
        return ""
    return request.POST.get("kept", "")


def _arrived(request: HttpRequest, flow: LaunchFlow, arrival: Arrival) -> HttpResponse:
    """A session of whoever was launched, in place of the one that was here."""
    taken = arrival.launch
    is_shared = False
    if comes_from_frame(request, taken):
        is_shared = is_of_one_site(request) and not is_framed(request)
        if not is_shared:
            enter_frame(request)
    _sign_in(request, arrival.user)
    request.session[KEPT] = {**arrival.kept, SHARED: is_shared}
    response = HttpResponseRedirect(reverse("lti:arrive", args=[arrival.ticket]))
    response.status_code = 303
    forget_flow(response, flow.state_digest)
    return response


def _kept(registration: Registration, taken: Launch) -> dict[str, object]:
    """What a session keeps of its launch: who may show it in a frame, and where content that is chosen goes."""
    settings = taken.deep_linking
    return {
        "registration": registration.pk,
        "deployment": taken.deployment_id,
        "context": taken.context.id if taken.context else "",
        "origins": may_show(registration, taken.return_url, settings.return_url if settings else ""),
        "return_url": taken.return_url,
        "deep_linking": asdict(settings) if settings else None,
    }


def _sign_in(request: HttpRequest, user: User) -> None:
    """Whoever was here before leaves nothing; of the same person everything stays, under a new key."""
    sign_in(request, user, backend=BACKEND)
    request.session.cycle_key()
    request.session.set_expiry(SESSION)


def _elsewhere(request: HttpRequest, refused: AnotherBrowser) -> HttpResponse:
    """This browser brought no cookie: ask the platform's storage, if there is one and it was not asked yet, else offer
    to begin anew in a tab of its own."""
    flow, said = refused.flow, request.POST
    # Begun with more than is kept, it is begun again where it came from.
    again = f"{reverse('lti:login')}?{urlencode(flow.said)}" if flow.said else ""
    origins = may_show(flow.registration)
    if not flow.storage_target or "kept" in said:
        return page(request, "new_tab", {"address": again, "refused": refused}, origins=origins, status=403)
    context = {
        "origin": origin_of(flow.registration.login_url), "frame": flow.storage_target, "again": again,
        "name": f"gym-{digest(said['state'])[:16]}", "state": said["state"], "token": said.get("id_token", ""),
        "action": f"{home_of(request)}{reverse('lti:launch')}",
    }  # fmt: skip
    return page(request, "fetched", context, origins=origins, status=403)


def _lead(taken: Launch, context: Context | None, link: ResourceLink | None) -> str:
    """Where a launch leads to."""
    if taken.message is Message.DEEP_LINKING and context is not None:
        return reverse("frontend:lms-content", args=[context.public_id])
    return reverse("frontend:lms-link", args=[link.public_id]) if link else reverse("frontend:home")
