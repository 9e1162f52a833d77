"""The page of a set: for learners its rules, their state and the way in; for those who teach everything about it."""

import uuid
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from exercises import access, clock
from exercises.actions.sets import editing, publishing
from exercises.actions.sets.refusals import NotReady, SetRefused
from exercises.actions.sitting.begin import begin_attempt
from exercises.courses.rights import Right
from exercises.courses.rules import phase
from exercises.courses.wording import rules_in_words
from exercises.models import ProblemSet
from exercises.queries import set_contents, set_learners, set_obstacles
from exercises.queries.sets import set_for, written_rules
from frontend.limited import limited
from frontend.sets.beginning import beginning_words
from frontend.sets.found import Found, found_with
from frontend.signed_in import reader, signed_in

#: What the buttons of a set's page do, and what is said afterwards.
DEEDS = {
    "publish": (publishing.publish_set, "It is published: learners see it now."),
    "take-back": (publishing.take_back_set, "It is a draft again: no learner sees it."),
    "release": (publishing.release_results, "The results are released: whoever is done sees them now."),
    "withhold": (publishing.withhold_results, "The results are hidden again."),
}
MOVES = {"up": -1, "down": 1}


@never_cache
@require_safe
@signed_in
def page(request: HttpRequest, set_id: uuid.UUID) -> HttpResponse:
    """One set, as the reader may see it."""
    found = found_with(request, set_id, Right.VIEW)
    if access.has_right(found.enrolment, Right.READ_WORK):
        return render(request, "frontend/sets/taught.html", _taught(found))
    return render(request, "frontend/sets/set.html", _own(found))


@never_cache
@require_POST
@signed_in
def act(request: HttpRequest, set_id: uuid.UUID) -> HttpResponse:
    """Publish, take back, release, withhold, take away, or move in the list of the course."""
    found = found_with(request, set_id, Right.MANAGE)
    actor, row, do = found.enrolment.user, found.problem_set, request.POST.get("do", "")
    try:
        if do in DEEDS:
            deed, words = DEEDS[do]
            deed(actor=actor, problem_set=row)
            messages.success(request, words)
        elif do in MOVES:
            editing.move_set(actor=actor, problem_set=row, by=MOVES[do])
            return redirect("frontend:course", found.course.public_id)
        elif do == "retire":
            editing.retire_set(actor=actor, problem_set=row)
            messages.success(request, f"{row.title} is taken away. What was done in it stays in the grade book.")
            return redirect("frontend:course", found.course.public_id)
        else:
            raise Http404("There is nothing of that name to do.")
    except NotReady:
        # The page lists the reasons itself.
        messages.error(request, "It is not published: see below what stands in the way.")
    except SetRefused as refused:
        messages.error(request, refused.message)
    return redirect("frontend:set", set_id=row.public_id)


@never_cache
@require_POST
@signed_in
@limited
def preview(request: HttpRequest, set_id: uuid.UUID) -> HttpResponse:
    """Begin an attempt that counts nowhere, to see what learners will see."""
    found = found_with(request, set_id, Right.READ_WORK)
    attempt = begin_attempt(learner=found.enrolment.user, problem_set=found.problem_set, is_preview=True)
    return redirect("frontend:attempt", attempt.public_id)


@never_cache
@require_POST
@signed_in
@limited
def practise(request: HttpRequest, set_id: uuid.UUID, pk: int) -> HttpResponse:
    """Go to an item of a practice set; the first time, that begins it."""
    learner = reader(request)
    problem_set = access.problem_set_with(learner, set_id, Right.SIT)
    if problem_set.mode != ProblemSet.Mode.PRACTICE:
        raise Http404("Only practice is begun item by item.")
    attempt = begin_attempt(learner=learner, problem_set=problem_set)
    position = set_learners.position_of(attempt, pk)
    if position is None:
        return redirect("frontend:attempt", attempt.public_id)
    return redirect("frontend:attempt-item", attempt.public_id, position)


def _own(found: Found) -> dict[str, Any]:
    """What a learner sees, and in the same way an observer, who cannot begin."""
    row = set_for(found.problem_set, found.enrolment)
    number = set_contents.count_places(found.problem_set)
    now = clock.now()
    is_practice = found.problem_set.mode == ProblemSet.Mode.PRACTICE
    attempt = row.attempt
    return found.context(
        row=row,
        rules=rules_in_words(row.rules, now=now, items=number),
        beginning=beginning_words(row.rules),
        may_sit=access.has_right(found.enrolment, Right.SIT),
        is_practice=is_practice,
        items=set_learners.practice_items(found.problem_set, attempt) if is_practice else [],
        places=number,
        next_number=attempt.number + 1 if attempt else 1,
    )


def _taught(found: Found) -> dict[str, Any]:
    rows = set_contents.item_rows(found.problem_set)
    pools = set_contents.pools_of(found.problem_set)
    items = [row.item for row in rows]
    rules = written_rules(found.problem_set)
    number, now = set_contents.places(items, pools), clock.now()
    state = phase(rules, now) if found.problem_set.published_at else "draft"
    return found.context(
        rules=rules_in_words(rules, now=now, items=number),
        state=state,
        rows=[row for row in rows if not row.item.retired],
        pools=pools,
        places=number,
        begun=set_learners.begun_by(found.problem_set),
        reasons=set_obstacles.obstacles(found.problem_set, items, pools),
        groups=set_learners.groups_for(found.problem_set),
        extensions=found.problem_set.extensions.count(),
        waits=found.problem_set.feedback == ProblemSet.Feedback.RELEASED,
    )
