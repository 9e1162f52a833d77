"""Asking every step of a variant that left some out."""

import uuid

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from exercises import access, actions
from frontend.limited import limited
from frontend.signed_in import reader, signed_in
from frontend.variant_page import shown_again


@never_cache
@require_POST
@signed_in
@limited
def whole(request: HttpRequest, public_id: uuid.UUID) -> HttpResponse:
    """Ask every step; what stands in the boxes stays there."""
    found = actions.ask_whole(variant=access.variant_for(reader(request), public_id))
    return shown_again(request, found, announcement="Every step is asked now.")
