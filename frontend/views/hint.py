"""A hint at a step of a variant."""

import uuid

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from exercises import access, actions
from exercises.loading import problem_of
from exercises.refusals import Refused
from frontend.limited import limited
from frontend.signed_in import reader, signed_in
from frontend.typed_form import typed_answers
from frontend.variant_page import locale_of, shown_again


@never_cache
@require_POST
@signed_in
@limited
def hint(request: HttpRequest, public_id: uuid.UUID, step: str) -> HttpResponse:
    """Show the next hint of a step; what stands in the boxes stays there."""
    found = access.variant_for(reader(request), public_id)
    try:
        typed = typed_answers(request.POST, problem_of(found))
        use = actions.take_hint(variant=found, step=step, answers=typed, locale=locale_of(request))
    except Refused as refused:
        return shown_again(request, found, notice=refused.message, step=step)
    return shown_again(request, found, step=step, announcement=f"Hint {use.number}: {use.text}")
