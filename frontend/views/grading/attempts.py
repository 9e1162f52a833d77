"""One attempt for those who teach; what it counts as handed in at; and another attempt for its learner."""

import uuid
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from exercises import access, clock
from exercises.actions.grading import GradeRefused, count_attempt_as, grant_attempt, preview_count_as, words_of
from exercises.course_rules import rules_of, zone_of
from exercises.courses.rights import Right, may
from exercises.courses.rules import may_show_feedback
from exercises.courses.scoring import passed
from exercises.courses.wording import moment_in_words
from exercises.models import Attempt, Enrolment, User
from exercises.queries import graded_attempt as graded
from exercises.queries.grade_roster import name_of
from frontend.grade_attempt import attempt_page
from frontend.grade_decisions import Asked, answered, back_of, by_reason
from frontend.grade_forms import CountAsForm
from frontend.limited import limited
from frontend.signed_in import reader, signed_in
from frontend.typed_number import typed_number


@never_cache
@require_safe
@signed_in
def attempt(request: HttpRequest, attempt_id: uuid.UUID) -> HttpResponse:
    """Every item with its variants, tries and marks. Twenty-one queries, however much was sent."""
    found, enrolment = _attempt(reader(request), attempt_id, Right.READ_WORK)
    problem_set, learner = found.problem_set, found.learner_id
    whose = graded.enrolment_of(found)
    overrides, rulings = graded.overrides_of(problem_set, learner), graded.rulings_of(problem_set)
    places = graded.shown_places(found)
    may_grade = access.has_right(enrolment, Right.GRADE)
    rules = rules_of(problem_set, whose or found.learner)
    context: dict[str, Any] = {
        "attempt": found,
        "set": problem_set,
        "course": problem_set.course,
        "enrolment": enrolment,
        "whose": whose,
        "name": name_of(whose) if whose else found.learner.get_username(),
        "beside": graded.attempts_beside(found),
        "places": attempt_page(found, whose, places, overrides, rulings, may_grade=may_grade),
        "overrides": overrides,
        "rulings": [(row, words_of(row)) for row in rulings],
        "deeds": graded.deeds_about(problem_set, learner, {one.place.item.problem_id for one in places}),
        "settling": graded.settling([problem_set]),
        "may_grade": may_grade,
        "pass_mark": rules.pass_mark,
        "is_failed": found.is_over and found.score is not None and not passed(found.score, rules.pass_mark),
        "is_withheld": found.is_over and not may_show_feedback(rules, handed_in=True, now=clock.now()),
        **_moments(found),
    }
    return render(request, "frontend/grading/attempt.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@limited
def count_as(request: HttpRequest, attempt_id: uuid.UUID) -> HttpResponse:
    """Let an attempt count as handed in at another moment."""
    user = reader(request)
    found, enrolment = _attempt(user, attempt_id, Right.GRADE)
    zone = zone_of(found.problem_set.course)
    whose = graded.enrolment_of(found)
    posted = request.POST if request.method == "POST" else None
    form = CountAsForm(posted, time_zone=zone, kept=found.count_as_at or found.handed_in_at)
    asked = Asked(
        title=f"When {name_of(whose) if whose else found.learner.get_username()} counts as having handed in",
        here="Counts as",
        lead=(
            f"It is about attempt {found.number} at {found.problem_set.title}.",
            "Days late and what they cost go by this moment. The real one stays on record.",
        ),
        back=back_of(request, found.problem_set, found),
        enrolment=enrolment,
        problem_set=found.problem_set,
        apply="Let it count so",
    )
    if not form.is_valid():
        return answered(request, asked, form)
    at = form.cleaned_data["at"]
    try:
        if request.POST.get("do") != "apply":
            return answered(request, asked, form, preview_count_as(found, at))
        count_attempt_as(actor=user, attempt=found, at=at, reason=form.cleaned_data["reason"])
    except GradeRefused as refused:
        return answered(request, asked, form, refused=refused)
    messages.success(
        request, f"It counts as handed in on {moment_in_words(at, zone)}." if at else "The real time counts."
    )
    return redirect(asked.back)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@limited
def another(request: HttpRequest, set_id: uuid.UUID, member: int) -> HttpResponse:
    """Let a learner sit a set once more."""
    found, enrolment = access.set_and_enrolment_with(reader(request), set_id, Right.GRADE)
    whose = access.member_of(found.course, member)
    if not may(whose.role, Right.SIT):
        raise Http404("There is no such learner.")
    sittings = rules_of(found, whose).attempts
    asked = Asked(
        title=f"Another attempt for {name_of(whose)}",
        here="Another attempt",
        lead=(
            f"{name_of(whose)} may sit {found.title} {_times(sittings)} now, and {_times(sittings + 1)} then.",
            "It has other variants. The best attempt counts, and it must be begun while the set is open for them.",
        ),
        back=back_of(request, found),
        enrolment=enrolment,
        problem_set=found,
        apply="Grant one more",
        hidden={"granted": str(sittings)},
        is_direct=True,
    )

    def grant(reason: str) -> str:
        granted = typed_number(request.POST.get("granted", "")) or 0
        grant_attempt(actor=enrolment.user, problem_set=found, enrolment=whose, granted=granted, reason=reason)
        return f"{name_of(whose)} may sit it {_times(granted + 1)} in all."

    return by_reason(request, asked, grant)


def _attempt(user: User, attempt_id: uuid.UUID, right: Right) -> tuple[Attempt, Enrolment]:
    """An attempt that counts; a preview is nobody's work. Two queries."""
    found = access.attempt_with(user, attempt_id, right)
    if found.is_preview:
        raise Http404("There is no such attempt.")
    return found, access.enrolment_in(user, found.problem_set.course, right)


def _moments(found: Attempt) -> dict[str, str]:
    """When it was, by the clocks of the course; empty for what was not."""
    zone = zone_of(found.problem_set.course)
    moments = {"began": found.began_at, "handed_in": found.handed_in_at, "counts_as": found.count_as_at}
    return {name: moment_in_words(at, zone) if at else "" for name, at in moments.items()}


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")
