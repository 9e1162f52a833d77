"""The page of an attempt as a whole, and its clock."""

import uuid

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from exercises import access
from exercises import clock as time
from exercises.course_rules import zone_of
from exercises.courses.wording import moment_in_words
from frontend.signed_in import reader, signed_in
from frontend.sitting_page import overview_context
from frontend.templatetags.sitting import time_in


@never_cache
@require_safe
@signed_in
def attempt(request: HttpRequest, attempt_id: uuid.UUID) -> HttpResponse:
    """What there is to do, what is blank, and what came of it once that may be told."""
    found = access.attempt_of(reader(request), attempt_id)
    return render(request, "frontend/sitting/attempt.html", overview_context(request, found))


@never_cache
@require_safe
@signed_in
def clock(request: HttpRequest, attempt_id: uuid.UUID) -> HttpResponse:
    """What time it is for the service, and when the attempt ends by the rules as they are now; in milliseconds."""
    found = access.attempt_of(reader(request), attempt_id)
    ends = None if found.ends_at is None else int(found.ends_at.timestamp() * 1000)
    zone = zone_of(found.problem_set.course)
    told = {
        "now": int(time.now().timestamp() * 1000),
        "endsAt": ends,
        "words": f"Ends {moment_in_words(found.ends_at.replace(microsecond=0), zone)}" if found.ends_at else "",
        "until": f"until {time_in(found.ends_at, zone)}" if found.ends_at else "",
        "handedIn": found.handed_in_at is not None,
    }
    return JsonResponse(told)
