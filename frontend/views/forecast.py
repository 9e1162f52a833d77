"""What a learner expects of a variant before working it out."""

import uuid

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from exercises import access, actions
from exercises.refusals import Refused
from frontend.limited import limited
from frontend.signed_in import reader, signed_in
from frontend.variant_page import shown_again


@never_cache
@require_POST
@signed_in
@limited
def forecast(request: HttpRequest, public_id: uuid.UUID) -> HttpResponse:
    """Keep what the learner expects. It is never graded."""
    found = access.variant_for(reader(request), public_id)
    try:
        actions.keep_forecast(variant=found, text=request.POST.get("text", ""))
    except Refused as refused:
        return shown_again(request, found, notice=refused.message)
    return shown_again(request, found)
