"""Beginning to sit a set."""

import uuid

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from exercises import access
from exercises.actions.sitting.begin import begin_attempt
from exercises.actions.sitting.refusals import SetNotOpen
from exercises.courses.rights import Right
from exercises.queries.attempt import asks_for_another
from exercises.refusals import ProblemBroken
from frontend.limited import limited
from frontend.signed_in import reader, signed_in


@never_cache
@require_POST
@signed_in
@limited
def begin(request: HttpRequest, set_id: uuid.UUID) -> HttpResponse:
    """Begin, or go on. One more attempt after one that was handed in is asked about first: a tab that was left open
    must not begin it."""
    found = access.problem_set_with(reader(request), set_id, Right.SIT)
    number = asks_for_another(found, reader(request))
    if number and request.POST.get("number") != str(number):
        context = {"problem_set": found, "course": found.course, "number": number}
        return render(request, "frontend/sitting/begin_again.html", context)
    try:
        attempt = begin_attempt(learner=reader(request), problem_set=found)
    except (SetNotOpen, ProblemBroken) as refused:
        messages.error(request, refused.message)
        return redirect("frontend:set", set_id)
    return redirect("frontend:attempt", attempt_id=attempt.public_id)
