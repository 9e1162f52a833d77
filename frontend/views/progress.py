"""What a learner can do, still can, and where it came from: the overview, and the page of one skill."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from exercises import catalogue, queries
from frontend.charts import study_calendar
from frontend.mistakes import mistakes_of
from frontend.progress import due_lines, level_counts, skill_address, skill_lines
from frontend.signed_in import reader, signed_in
from frontend.skill_map import skill_map_picture
from frontend.skill_page import skill_context
from frontend.study_days import study_days


@never_cache
@require_safe
@signed_in
def progress(request: HttpRequest) -> HttpResponse:
    """Everything about the reader's own progress."""
    learner = reader(request)
    plan = queries.plan_of(learner)
    today = queries.study_day_of(plan)
    standings = queries.standings([learner])[learner.pk]
    lines = skill_lines(standings, today=today, time_zone=plan.time_zone)
    days = study_days(learner, today=today)
    context = {
        "map": skill_map_picture(queries.skill_map(queries.problem_list(learner)), standings, address=skill_address),
        "counts": level_counts(standings),
        "lines": lines,
        "due": due_lines(lines),
        "days": days,
        "calendar": study_calendar(days.done, today=today),
        "mistakes": mistakes_of(queries.recent_mistakes([learner])[learner.pk], today=today, time_zone=plan.time_zone),
        "plan": plan,
        "is_new": not any(standing.steps for standing in standings.values()),
    }
    return render(request, "frontend/progress.html", context)


@never_cache
@require_safe
@signed_in
def skill(request: HttpRequest, skill: str) -> HttpResponse:
    """One skill: how it grew, what it builds on, what trains it."""
    found = next((known for known in catalogue.skills() if known.id == skill), None)
    if found is None:
        raise Http404("There is no such skill.")
    return render(request, "frontend/skill.html", skill_context(reader(request), found))
