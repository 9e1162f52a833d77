"""Where a link of a learning platform leads to."""

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from exercises.access import lms as access
from exercises.actions.lms.places import come_in
from exercises.queries.lms import landing
from frontend.signed_in import reader, signed_in


@never_cache
@require_safe
@signed_in
def link(request: HttpRequest, link_id: uuid.UUID) -> HttpResponse:
    """Go on to the sitting, the set or its staff page; or say what has to happen first."""
    user = reader(request)
    found, membership = access.link_and_membership(user, link_id)
    enrolment = come_in(context=found.context, person=membership.platform_user)
    place = landing(user, found, enrolment=enrolment, role=membership.role)
    if place.kind == "connect":
        address = reverse("frontend:lms-connect", args=[found.context.public_id])
        return redirect(f"{address}?link={found.public_id}")
    if place.kind == "choose":
        return redirect("frontend:lms-choose", found.public_id)
    if place.attempt is not None:
        return redirect("frontend:attempt", place.attempt.public_id)
    if place.problem_set is not None and place.kind in ("staff", "set"):
        return redirect("frontend:set", place.problem_set.public_id)
    context = {"link": found, "kind": place.kind, "enrolment": enrolment, "membership": membership}
    return render(request, "frontend/lms/waiting.html", context)
