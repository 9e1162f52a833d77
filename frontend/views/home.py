"""Where practice starts: the skill map, one problem, a new variant, and what was answered before."""

import uuid
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from exercises import access, actions, queries
from exercises.actions import Way
from exercises.refusals import NothingToDraw, ProblemBroken
from frontend.limited import limited
from frontend.marks import mark_view, share_words
from frontend.next_steps import next_steps
from frontend.session import session_view
from frontend.signed_in import reader, signed_in
from frontend.skill_map import skill_map_picture
from frontend.welcome import FORMULA, welcome_figures

HISTORY_PAGE = 20


@never_cache
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The practice page for those signed in, a welcome for everybody else."""
    if not request.user.is_authenticated:
        return render(request, "frontend/welcome.html", {"figures": welcome_figures(), "formula": FORMULA})
    learner = reader(request)
    rows = queries.problem_list(learner)
    standings = queries.standings([learner])[learner.pk]
    plan = queries.plan_of(learner)
    session = queries.session_of(learner, queries.study_day_of(plan))
    context = {
        "map": skill_map_picture(queries.skill_map(rows), standings, address=lambda skill: f"#skill-{skill.id}"),
        "rows": rows,
        "session": session_view(session) if session else None,
        "next_steps": next_steps(rows, queries.next_choice(learner, held=standings, plan=plan)),
    }
    return render(request, "frontend/home.html", context)


@never_cache
@require_safe
@signed_in
def problem(request: HttpRequest, slug: str) -> HttpResponse:
    """One problem: what it trains, and the variant to go on with."""
    found = access.problem_for(slug)
    current = queries.current_variant(reader(request), slug)
    return render(request, "frontend/problem.html", {"problem": found, "current": current})


@never_cache
@require_POST
@signed_in
@limited
def draw(request: HttpRequest, slug: str) -> HttpResponse:
    """Draw a variant and go to its page. ``skill`` comes with what the practice page recommends, and says for what."""
    after = request.POST.get("after") or request.GET.get("after", "")
    skill = request.POST.get("skill", "")
    try:
        drawn = actions.draw_variant(
            learner=reader(request),
            slug=slug,
            after=access.variant_for(reader(request), after) if after else None,
            way=Way.RECOMMENDED if skill else Way.PRACTICE,
            skill=skill,
        )
    except (NothingToDraw, ProblemBroken) as refused:
        messages.error(request, refused.message)
        return redirect("frontend:home")
    return redirect("frontend:variant", public_id=drawn.public_id)


@never_cache
@require_safe
@signed_in
def history(request: HttpRequest) -> HttpResponse:
    """The learner's own answers on all problems, newest first, page by page."""
    past = queries.own_history(reader(request), before=_uuid(request.GET.get("before")), limit=HISTORY_PAGE + 1)
    rows: list[dict[str, Any]] = [
        {
            "submission": sent.submission,
            "score": share_words(sent.verdict.score) if sent.verdict else "",
            "marks": [(mark.step, mark_view(mark)) for mark in sent.verdict.marks] if sent.verdict else [],
        }
        for sent in past[:HISTORY_PAGE]
    ]
    older = past[HISTORY_PAGE - 1].submission.public_id if len(past) > HISTORY_PAGE else None
    return render(request, "frontend/history.html", {"rows": rows, "older": older})


def _uuid(text: str | None) -> uuid.UUID | None:
    try:
        return uuid.UUID(text or "")
    except ValueError:
        return None
