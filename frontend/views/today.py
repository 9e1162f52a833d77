"""The session of the day: put together once, then begun exercise by exercise."""

import datetime as dt

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from exercises import actions, queries
from exercises.refusals import Refused
from frontend.card_day import today_of
from frontend.limited import limited
from frontend.session import session_view
from frontend.signed_in import reader, signed_in


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@limited
def today(request: HttpRequest) -> HttpResponse:
    """What is to be done today; a form puts it together."""
    learner = reader(request)
    if request.method == "POST":
        actions.compose_session(learner=learner)
        return redirect("frontend:today")
    plan = queries.plan_of(learner)
    session = queries.session_of(learner, queries.study_day_of(plan))
    context = {
        "zone": plan.time_zone.replace("_", " "),
        "session": session_view(session) if session else None,
        "cards": today_of(queries.card_day(learner)),
    }
    return render(request, "frontend/today.html", context)


@never_cache
@require_POST
@signed_in
@limited
def begin(request: HttpRequest, position: int) -> HttpResponse:
    """Go to the variant of one exercise of today's session; it is drawn the first time. Where that is refused, today's
    page says why."""
    try:
        variant = actions.begin_item(learner=reader(request), position=position, day=_day(request))
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect("frontend:today")
    return redirect("frontend:variant", public_id=variant.public_id)


def _day(request: HttpRequest) -> dt.date | None:
    """The study day whose session the form showed; None for a form that says none."""
    try:
        return dt.date.fromisoformat(request.POST.get("day", ""))
    except ValueError:
        return None
