"""A try at an item of a quiz, its verdict, a hint, and another variant."""

import uuid

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from exercises import access, queries
from exercises.actions.sitting.check import Checked, another_variant, check_item, take_attempt_hint
from exercises.actions.sitting.refusals import AttemptOver, NotInThisSet, NoTryLeft, PageOutOfDate
from exercises.models import AttemptItem, ProblemSet, Submission
from exercises.queries.attempt import latest_on, variants_of
from exercises.refusals import AnswersRefused, Refused
from frontend.limited import limited
from frontend.signed_in import is_fragment, reader, signed_in
from frontend.sitting import Posted, item_address, keeps_typed, posted
from frontend.sitting_page import item_context
from frontend.sitting_refused import told_on_page
from frontend.typed_form import form_key
from frontend.typed_number import typed_number

#: Seconds that the reply to a try waits for its verdict; after that the page asks for it.
WAIT = 1.0
#: Milliseconds before the page asks again: a little longer each time, and never more than the last.
DELAYS = (400, 700, 1000, 1500, 2500, 4000, 5000)
NOT_YET = {
    "unreadable": "Nothing was checked and no try was used: something below cannot be read. Mend it, then check again.",
    "blank": "Nothing was checked and no try was used: nothing is typed yet.",
    "some-blank": "Nothing was checked yet and no try was used, because something is still blank.",
}
ALREADY = "You tried this answer before (zeros at its end do not change it), so no try was used."


@never_cache
@require_POST
@keeps_typed
@signed_in
@limited
def check(request: HttpRequest, attempt_id: uuid.UUID, position: int) -> HttpResponse:
    """Take a try, and go to the page with its verdict: reloading that sends nothing again."""
    found = access.attempt_item_of(reader(request), attempt_id, position)
    form = posted(request, found, variants_of(found)[-1])
    try:
        checked = check_item(
            attempt_item=found,
            variant_id=form.variant,
            answers=form.answers,
            based_on=form.based_on,
            locale=form.locale,
            page=form.page,
            idempotency_key=form_key(request.POST, form.answers, None, form.locale),
            is_sure=request.POST.get("sure") == "yes",
        )
    except (AttemptOver, PageOutOfDate, AnswersRefused, NoTryLeft, NotInThisSet) as refused:
        return told_on_page(request, found, form, refused)
    if checked.kind in NOT_YET:
        return _not_yet(request, found, form, checked)
    if checked.kind == "already-tried":
        messages.info(request, ALREADY)
    elif checked.submission is not None:
        queries.verdict_within(checked.submission, WAIT)
    return redirect(f"{item_address(attempt_id, position)}?news=yes#news")


@never_cache
@require_safe
@signed_in
def verdict(request: HttpRequest, attempt_id: uuid.UUID, position: int) -> HttpResponse:
    """What the page asks for while a verdict is outstanding: that it is, or that the page is to be shown anew."""
    found = access.attempt_item_of(reader(request), attempt_id, position)
    if not is_fragment(request):
        return redirect(item_address(attempt_id, position))
    submission = latest_on(variants_of(found)[-1])
    if submission is None or submission.state != Submission.State.PENDING:
        return HttpResponse(headers={"HX-Refresh": "true"})
    asked = (typed_number(request.GET.get("asked", ""), digits=2) or 0) + 1
    context = {"attempt": found.attempt, "item": found, "asked": asked, "delay": DELAYS[min(asked, len(DELAYS)) - 1]}
    return render(request, "frontend/sitting/_pending.html", context)


@never_cache
@require_POST
@keeps_typed
@signed_in
@limited
def another(request: HttpRequest, attempt_id: uuid.UUID, position: int) -> HttpResponse:
    """Another variant of the item."""
    found = access.attempt_item_of(reader(request), attempt_id, position)
    try:
        drawn = another_variant(attempt_item=found, after=request.POST.get("after", "")[:64])
    except Refused as refused:
        messages.error(request, refused.message)
        if found.attempt.problem_set.mode == ProblemSet.Mode.PRACTICE:
            return redirect("frontend:attempt", attempt_id=attempt_id)
        return redirect(item_address(attempt_id, position))
    if found.attempt.problem_set.mode == ProblemSet.Mode.PRACTICE:
        return redirect("frontend:variant", public_id=drawn.public_id)
    return redirect(item_address(attempt_id, position))


@never_cache
@require_POST
@keeps_typed
@signed_in
@limited
def hint(request: HttpRequest, attempt_id: uuid.UUID, position: int, step: str) -> HttpResponse:
    """The next hint of a step; what stands in the boxes stays there."""
    found = access.attempt_item_of(reader(request), attempt_id, position)
    form = posted(request, found, variants_of(found)[-1])
    try:
        take_attempt_hint(
            attempt_item=found, variant_id=form.variant, step=step, answers=form.answers, locale=form.locale
        )
    except Refused as refused:
        return told_on_page(request, found, form, refused)
    return redirect(f"{item_address(attempt_id, position)}#step-{step}")


def _not_yet(request: HttpRequest, found: AttemptItem, form: Posted, checked: Checked) -> HttpResponse:
    """The page again, with what was typed and what to do about it."""
    found.refresh_from_db()
    context = item_context(
        request, found, typed=form.answers, notice=NOT_YET[checked.kind], asks_sure=checked.kind == "some-blank"
    )
    return render(request, "frontend/sitting/item.html", context, status=422)
