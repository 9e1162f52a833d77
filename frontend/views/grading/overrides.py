"""Scores set by hand: of a set, an item or a step, for one learner; and taking them back."""

import uuid

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from exercises import access
from exercises.actions.grading import (
    ChangedMeanwhile,
    Given,
    GradeRefused,
    give_override,
    preview_override,
    preview_override_withdrawal,
    withdraw_override,
)
from exercises.courses.rights import Right, may
from exercises.courses.scoring import percent
from exercises.courses.shares import share_words
from exercises.models import Enrolment, Override, ProblemSet, SetItem
from exercises.queries.grade_roster import name_of
from exercises.queries.graded_attempt import overrides_of
from frontend.grade_decisions import Asked, answered, back_of, by_reason, said
from frontend.grade_forms import ScoreForm
from frontend.limited import limited
from frontend.signed_in import reader, signed_in
from frontend.typed_number import typed_number


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@limited
def override(request: HttpRequest, set_id: uuid.UUID, member: int) -> HttpResponse:
    """Set a score by hand: whom it moves and how far first, then the score."""
    user = reader(request)
    found, enrolment = access.set_and_enrolment_with(user, set_id, Right.GRADE)
    whose = access.member_of(found.course, member)
    if not may(whose.role, Right.SIT):
        raise Http404("There is no such learner.")
    item, step = _place(request, found)
    asked = _asked(request, enrolment, found, whose, item, step)
    start = {"score": share_words(asked.held.share)} if asked.held else {}
    form = ScoreForm(request.POST if request.method == "POST" else None, label_suffix="", initial=start)
    if not form.is_valid():
        return answered(request, asked, form)
    given = Given(found, whose, form.cleaned_data["score"], item, step)
    try:
        if request.POST.get("do") != "apply":
            return answered(request, asked, form, preview_override(given))
        seen = typed_number(request.POST.get("seen", ""))
        give_override(actor=user, given=given, reason=form.cleaned_data["reason"], seen=seen)
    except (GradeRefused, ChangedMeanwhile) as refused:
        return answered(request, asked, form, refused=refused)
    messages.success(request, f"The score of {name_of(whose)} is set by hand. It stands until it is taken back.")
    return redirect(asked.back)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@limited
def withdraw(request: HttpRequest, set_id: uuid.UUID, pk: int) -> HttpResponse:
    """Take back a score that was set by hand."""
    found, enrolment = access.set_and_enrolment_with(reader(request), set_id, Right.GRADE)
    row = access.override_in(found, pk)
    asked = Asked(
        title="Take back a score by hand",
        here="Take back",
        lead=(
            f"{percent(row.share)} was set by hand for {row.learner.get_username()}.",
            f"It is about {_about(found, row.item, row.step)}.",
            "What the grader says, now and later, counts again.",
        ),
        back=back_of(request, found),
        enrolment=enrolment,
        problem_set=found,
        apply="Take it back",
        is_direct=True,
    )

    def take_back(reason: str) -> str:
        withdraw_override(actor=enrolment.user, override=row, reason=reason)
        return "The score by hand is taken back."

    return by_reason(request, asked, take_back, preview=lambda: preview_override_withdrawal(row))


def _place(request: HttpRequest, found: ProblemSet) -> tuple[SetItem | None, str]:
    wanted = said(request, "item", 20)
    if not wanted:
        return None, ""
    pk = typed_number(wanted)
    if pk is None:
        raise Http404("There is no such item.")
    return access.item_in(found, pk), said(request, "step", 80)


def _asked(
    request: HttpRequest,
    enrolment: Enrolment,
    found: ProblemSet,
    whose: Enrolment,
    item: SetItem | None,
    step: str,
) -> Asked:
    held = _held(found, whose, item, step)
    return Asked(
        title=f"Score of {name_of(whose)} by hand",
        here="Score by hand",
        lead=(
            f"It is about {_about(found, item, step)}.",
            "A score by hand outranks the grader: no later verdict and no regrade changes it until it is taken back.",
        ),
        back=back_of(request, found),
        enrolment=enrolment,
        problem_set=found,
        apply="Set this score",
        hidden={
            "item": str(item.pk) if item else "",
            "step": step,
            "seen": str(held.pk) if held else "",
        },
        held=held,
    )


def _held(found: ProblemSet, whose: Enrolment, item: SetItem | None, step: str) -> Override | None:
    wanted = item.pk if item else None
    rows = overrides_of(found, whose.user_id)
    return next((row for row in rows if row.item_id == wanted and row.step == step), None)


def _about(found: ProblemSet, item: SetItem | None, step: str) -> str:
    if item is None:
        return f"the whole of {found.title}"
    if step:
        return f"the credit of step {step} in {item.problem.title}, for this learner alone"
    return f"the item {item.problem.title}, before its weight"
