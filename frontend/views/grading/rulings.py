"""Decisions for all: an answer is accepted, a part discounted, a variant compensated; listed, and taken back."""

import uuid
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from exercises import access
from exercises.actions.grading import (
    Decision,
    GradeRefused,
    give_ruling,
    preview_ruling,
    preview_ruling_withdrawal,
    withdraw_ruling,
    words_of,
)
from exercises.courses.rights import Right
from exercises.models import ProblemSet, Ruling
from exercises.queries.graded_attempt import rulings_of, settling
from frontend.grade_decisions import Asked, answered, back_of, by_reason, said
from frontend.grade_forms import ReasonForm
from frontend.limited import limited
from frontend.signed_in import reader, signed_in
from frontend.typed_number import typed_number

MEANS = {
    Ruling.Kind.ACCEPT: "It earns full credit at this step, for everybody who was put this item.",
    Ruling.Kind.DISCOUNT: "What the other steps weigh makes up the whole then, for everybody.",
    Ruling.Kind.COMPENSATE: "Whoever had this variant keeps the item only where it raises the score of the set.",
}


@never_cache
@require_safe
@signed_in
def rulings(request: HttpRequest, set_id: uuid.UUID) -> HttpResponse:
    """What was decided for all, the latest first, also what was taken back."""
    found, enrolment = access.set_and_enrolment_with(reader(request), set_id, Right.READ_WORK)
    context: dict[str, Any] = {
        "set": found,
        "course": found.course,
        "enrolment": enrolment,
        "rows": [(row, words_of(row)) for row in rulings_of(found, is_all=True)],
        "may_grade": access.has_right(enrolment, Right.GRADE),
        "settling": settling([found]),
    }
    return render(request, "frontend/grading/rulings.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@limited
def new_ruling(request: HttpRequest, set_id: uuid.UUID) -> HttpResponse:
    """Decide for all: whom it moves first, then the decision."""
    user = reader(request)
    found, enrolment = access.set_and_enrolment_with(user, set_id, Right.GRADE)
    decision = _decision(request, found)
    asked = Asked(
        title="Decide for all",
        here="Decide for all",
        lead=(f"{_sentence(words_of(decision))}.", MEANS[decision.kind], "It can be taken back at any time."),
        back=back_of(request, found),
        enrolment=enrolment,
        problem_set=found,
        apply="Decide so for all",
        hidden={
            "item": str(decision.item.pk),
            "kind": str(decision.kind),
            "step": decision.step,
            "note": decision.note,
            "read_as": decision.read_as,
            "digest": decision.digest,
        },
        is_direct=True,
    )
    form = ReasonForm(request.POST if request.method == "POST" else None, label_suffix="")
    try:
        if not form.is_valid():
            return answered(request, asked, form, preview_ruling(decision))
        ruling = give_ruling(actor=user, decision=decision, reason=form.cleaned_data["reason"])
    except GradeRefused as refused:
        raise Http404(refused.message) from None
    messages.success(request, _told(ruling, "It is decided."))
    return redirect(asked.back)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@limited
def withdraw(request: HttpRequest, set_id: uuid.UUID, pk: int) -> HttpResponse:
    """Take a decision for all back: whom that moves first."""
    found, enrolment = access.set_and_enrolment_with(reader(request), set_id, Right.GRADE)
    ruling = access.ruling_in(found, pk)
    asked = Asked(
        title="Take a decision back",
        here="Take back",
        lead=(f"{_sentence(words_of(ruling))}.", "Taken back, every score is as if it had never been decided."),
        back=back_of(request, found),
        enrolment=enrolment,
        problem_set=found,
        apply="Take it back",
        is_direct=True,
    )

    def take_back(reason: str) -> str:
        return _told(withdraw_ruling(actor=enrolment.user, ruling=ruling, reason=reason), "The decision is taken back.")

    return by_reason(request, asked, take_back, preview=lambda: preview_ruling_withdrawal(ruling))


def _decision(request: HttpRequest, found: ProblemSet) -> Decision:
    pk = typed_number(said(request, "item", 20))
    kind = said(request, "kind", 10)
    if pk is None or kind not in Ruling.Kind.values:
        raise Http404("There is nothing to decide.")
    return Decision(
        access.item_in(found, pk),
        Ruling.Kind(kind),
        step=said(request, "step", 80),
        note=said(request, "note", 120),
        read_as=said(request, "read_as", 500),
        digest=said(request, "digest", 64),
    )


def _told(ruling: Ruling, words: str) -> str:
    follows = (
        "The scores follow." if ruling.applied_at else "The scores are being worked out anew; this takes a moment."
    )
    return f"{words} {follows}"


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]
