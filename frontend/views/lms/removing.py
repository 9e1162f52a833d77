"""Taking a learning platform off for good."""

import uuid

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from exercises.access import lms as access
from exercises.actions.lms.guards import has_people
from exercises.actions.lms.refusals import ConnectionRefused
from exercises.actions.lms.removal import remove_platform, what_goes, why_not
from frontend.lms_form import RemovalForm
from frontend.signed_in import reader, signed_in


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def remove(request: HttpRequest, registration_id: uuid.UUID) -> HttpResponse:
    """Say what goes with a platform and what stays; then remove it."""
    keeper = reader(request)
    found = access.registration_kept_by(keeper, registration_id)
    form = RemovalForm(request.POST if request.method == "POST" else None, label_suffix="")
    if form.is_valid():
        try:
            remove_platform(actor=keeper, registration=found, typed=form.cleaned_data["name"])
            messages.success(request, f"{found.name} is removed.")
            return redirect("frontend:lms")
        except ConnectionRefused as refused:
            form.add_error(refused.field or None, refused.message)
    context = {
        "registration": found, "form": form, "goes": what_goes(found), "why": why_not(keeper, found),
        "is_used": has_people(found),
    }  # fmt: skip
    return render(request, "frontend/lms/remove.html", context, status=422 if form.errors else 200)
