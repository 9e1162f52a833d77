"""What is kept about oneself: seen, taken along, erased."""

from typing import Any

from django.contrib import messages
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from exercises import clock
from exercises.actions.privacy import ErasureRefused, erase_myself, export_myself, export_name, stands_in_a_course
from exercises.queries.personal import kept_about
from frontend.personal_form import EraseForm
from frontend.signed_in import reader, signed_in


@never_cache
@require_http_methods(["GET", "HEAD"])
@signed_in
def personal(request: HttpRequest) -> HttpResponse:
    """What is kept, counted, and the two ways on."""
    return render(request, "frontend/personal/personal.html", {"kept": kept_about(reader(request))})


@never_cache
@require_http_methods(["POST"])
@signed_in
def export(request: HttpRequest) -> Any:  # a streaming answer, for which signed_in has no type
    """All of it as a file, which is written while it is sent."""
    user = reader(request)
    return StreamingHttpResponse(
        export_myself(user),
        content_type="application/zip",
        headers={"Content-Disposition": f'attachment; filename="{clock.now():%Y-%m-%d}-{export_name(user)}"'},
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def erase(request: HttpRequest) -> HttpResponse:
    """What erasing comes to, and the form that does it."""
    user = reader(request)
    form = EraseForm(request.POST or None, user=user)
    if request.method == "POST" and form.is_valid():
        try:
            erase_myself(user, **form.said)
        except ErasureRefused as refused:
            form.add_error(None, refused.message)
        else:
            logout(request)
            messages.success(request, "Your account is erased, and you are signed out.")
            return redirect("frontend:home")
    context = {"form": form, "has_work": stands_in_a_course(user)}
    status = 422 if request.method == "POST" else 200
    return render(request, "frontend/personal/erase.html", context, status=status)
