"""The worked solution of a variant: asked for once, plainly."""

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from exercises import access, actions
from frontend.signed_in import is_fragment, reader, signed_in
from frontend.typed_form import keep_typed


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def reveal(request: HttpRequest, public_id: uuid.UUID) -> HttpResponse:
    """Ask once, plainly, then show the worked solution and close the variant for credit."""
    found = access.variant_for(reader(request), public_id)
    address = reverse("frontend:variant", kwargs={"public_id": found.public_id})
    if found.is_closed:
        return redirect(f"{address}#solution")
    if request.method == "POST":
        keep_typed(request.session, str(found.public_id), request.POST)
        if request.POST.get("sure") == "yes":
            actions.reveal_solution(variant=found)
            return redirect(f"{address}#solution")
        if is_fragment(request):
            return HttpResponse(headers={"HX-Redirect": request.path})
    return render(request, "frontend/reveal.html", {"variant": found})
