"""How a learner wants to study: where their days begin, when the exam is, what they are after."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from exercises import actions, queries
from exercises.models import User
from frontend.plan_form import PlanForm, zone_groups
from frontend.signed_in import reader, signed_in


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def plan(request: HttpRequest) -> HttpResponse:
    """The study plan, and its form."""
    learner = reader(request)
    if request.method != "POST":
        return _shown(request, learner, PlanForm.of(queries.own_plan_of(learner)))
    form = PlanForm.typed(request.POST)
    if form.is_valid(lambda **said: actions.set_study_plan(learner=learner, **said)):
        messages.success(request, "Your study plan is kept. Days, reviews and the next exercise follow it from now on.")
        return redirect("frontend:plan")
    return _shown(request, learner, form, status=422)


def _shown(request: HttpRequest, learner: User, form: PlanForm, status: int = 200) -> HttpResponse:
    plan = queries.plan_of(learner)
    is_ahead = plan.exam_on is not None and plan.exam_on >= queries.study_day_of(plan)
    context: dict[str, Any] = {
        "form": form,
        "zones": zone_groups(form.values["time_zone"]),
        # Of a course, where there is none of one's own.
        "planned_for": plan.exam_on if is_ahead else None,
    }
    return render(request, "frontend/plan.html", context, status=status)
