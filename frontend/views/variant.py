"""The page of a variant, and the way of an answer: sent, waited for briefly, then asked after."""

import uuid
from collections.abc import Collection

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from exercises import access, actions, queries
from exercises.loading import problem_of
from exercises.models import Submission, Variant
from exercises.refusals import AnswersRefused, LeftCourse, TriedTooOften, VariantClosed
from frontend.limited import limited
from frontend.signed_in import is_fragment, reader, signed_in
from frontend.typed_form import checked_steps, form_key, typed_answers
from frontend.typed_number import typed_number
from frontend.variant_page import locale_of, page_context

#: Seconds that the reply to an answer waits for its verdict; after that the page asks for it.
WAIT = 1.0
#: Milliseconds before the page asks again: a little longer each time, and never more than the last.
DELAYS = (300, 450, 700, 1000, 1500, 2200, 3000, 4000, 5000)


@never_cache
@require_safe
@signed_in
def variant(request: HttpRequest, public_id: uuid.UUID) -> HttpResponse:
    """The page."""
    found = access.variant_for(reader(request), public_id)
    return render(request, "frontend/variant.html", page_context(request, found, announced=_sent_just_now(request)))


@never_cache
@require_POST
@signed_in
@limited
def answers(request: HttpRequest, public_id: uuid.UUID) -> HttpResponse:
    """Take an answer and show what came of it."""
    found = access.variant_for(reader(request), public_id)
    problem = problem_of(found)
    typed = typed_answers(request.POST, problem)
    checked, locale = checked_steps(request.POST), locale_of(request)
    try:
        sent = actions.send_answer(
            learner=reader(request),
            variant=found,
            answers=typed,
            checked=checked,
            locale=locale,
            idempotency_key=form_key(request.POST, typed, checked, locale),
        )
    except AnswersRefused as refused:
        return _answered(request, found, notice=refused.message, typed={}, status=422)
    except (VariantClosed, LeftCourse, TriedTooOften) as refused:
        return _answered(request, found, notice=refused.message, typed=typed, status=409)
    if sent.submission is not None:
        queries.verdict_within(sent.submission, WAIT)
    if not is_fragment(request):
        return _back(found, sent.submission.public_id if sent.submission else None, checked)
    return _answered(
        request,
        found,
        notice="You tried this answer before (zeros at its end do not change it), so it was not counted again."
        if sent.kind == "already-tried"
        else "",
        typed=typed,
        announced=sent.submission.public_id if sent.submission else None,
        sent_now=checked or [step.name for step in problem.asked],
    )


@never_cache
@require_safe
@signed_in
def verdict(request: HttpRequest, public_id: uuid.UUID) -> HttpResponse:
    """What the page asks for while a verdict is outstanding: that it is, or the whole workbench with the verdict."""
    submission = access.submission_for(reader(request), public_id)
    if not is_fragment(request):
        return _back(submission.variant, submission.public_id, None)
    if submission.state != Submission.State.PENDING:
        return _workbench(request, submission.variant, announced=submission.public_id)
    asked = _asked(request) + 1
    context = {
        "variant": submission.variant,
        "pending": submission,
        "asked": asked,
        "delay": DELAYS[min(asked, len(DELAYS)) - 1],
    }
    response = render(request, "frontend/_pending.html", context)
    response["HX-Retarget"] = "#pending"
    return response


@never_cache
@require_POST
@signed_in
def reading(request: HttpRequest, public_id: uuid.UUID, step: str) -> HttpResponse:
    """How something is read while it is being typed. Nothing is stored."""
    found = access.variant_for(reader(request), public_id)
    typed = typed_answers(request.POST, problem_of(found)).get(step, "")
    try:
        read = queries.reading_of(found, step, typed, locale_of(request))
    except KeyError:
        raise Http404("This problem asks no such step.") from None
    return render(request, "frontend/_reading.html", {"reading": read})


def _sent_just_now(request: HttpRequest) -> uuid.UUID | None:
    try:
        return uuid.UUID(request.GET.get("sent", ""))
    except ValueError:
        return None


def _asked(request: HttpRequest) -> int:
    return typed_number(request.GET.get("asked", ""), digits=2) or 0


def _back(found: Variant, sent: uuid.UUID | None, checked: list[str] | None) -> HttpResponse:
    """To the page again, so that reloading it sends nothing a second time; at the step that was checked."""
    address = reverse("frontend:variant", kwargs={"public_id": found.public_id})
    query = f"?sent={sent}" if sent else ""
    return redirect(address + query + (f"#step-{checked[0]}" if checked and len(checked) == 1 else "#work-title"))


def _workbench(request: HttpRequest, found: Variant, *, announced: uuid.UUID | None) -> HttpResponse:
    return render(request, "frontend/_workbench_news.html", page_context(request, found, announced=announced))


def _answered(
    request: HttpRequest,
    found: Variant,
    *,
    notice: str,
    typed: dict[str, str | list[str]],
    announced: uuid.UUID | None = None,
    sent_now: Collection[str] = (),
    status: int = 200,
) -> HttpResponse:
    """The workbench with what was typed still in its boxes; as a whole page where no script asked."""
    found.refresh_from_db(fields=["draft", "revealed_at"])
    context = page_context(request, found, notice=notice, typed=typed, announced=announced, sent_now=sent_now)
    context["notice_is_error"] = status >= 400
    template = "frontend/_workbench_news.html" if is_fragment(request) else "frontend/variant.html"
    return render(request, template, context, status=status)
