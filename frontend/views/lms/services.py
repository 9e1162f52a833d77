"""What learning platforms know of a course: for its staff, with what was sent and what came back."""

import uuid

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from exercises import access
from exercises.access import lms as lms_access
from exercises.actions.lms import columns, outbox, rosters
from exercises.actions.lms.refusals import ConnectionRefused
from exercises.courses.rights import Right
from exercises.models import Course, LmsScore, User
from exercises.queries import lms_scores as queries
from frontend.signed_in import reader, signed_in
from frontend.typed_number import typed_number


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def course(request: HttpRequest, course_id: uuid.UUID) -> HttpResponse:
    """The courses of platforms that lead to a course: their rosters, and their columns with what state each is in."""
    user = reader(request)
    enrolment = access.enrolment_with(user, course_id, Right.READ_WORK)
    found = enrolment.course
    if request.method == "POST":
        access.enrolment_with(user, course_id, Right.MANAGE)
        try:
            messages.success(request, _done(request, user, found))
        except ConnectionRefused as refused:
            messages.error(request, refused.message)
        return redirect("frontend:lms-course", found.public_id)
    rows = [
        {"context": one, "links": queries.links_of(one), "sets": queries.sets_without_column(one)}
        for one in queries.contexts_of(found)
    ]
    context = {"course": found, "enrolment": enrolment, "rows": rows}
    return render(request, "frontend/lms/course.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def column(request: HttpRequest, course_id: uuid.UUID, column: int) -> HttpResponse:
    """One column: each score as it was sent, what the platform answered, and what it shows now."""
    user = reader(request)
    enrolment = access.enrolment_with(user, course_id, Right.READ_WORK)
    found = lms_access.column_of(enrolment.course, column)
    if request.method == "POST":
        access.enrolment_with(user, course_id, Right.MANAGE)
        do, score = request.POST.get("do", ""), typed_number(request.POST.get("score", ""))
        if do == "read":
            said = f"What the platform shows of {outbox.read_again(found)} is read within a minute."
        elif do in ("failed", "all") or (do == "one" and score is not None):
            count = outbox.resend(
                actor=user, column=found, score=score if do == "one" else None, only_failed=do == "failed"
            )
            said = f"{count} score{'' if count == 1 else 's'} will be sent within a minute."
        else:
            raise Http404("There is nothing of that name to do.")
        messages.success(request, said)
        return redirect("frontend:lms-column", enrolment.course.public_id, found.pk)
    only = request.GET.get("only", "")
    only = only if only in LmsScore.State.values else ""
    rows = queries.score_rows(found, only=only, after=typed_number(request.GET.get("after", "")) or 0)
    shown = rows[: queries.MOST_PEOPLE]
    context = {
        "course": enrolment.course, "enrolment": enrolment, "column": found, "rows": shown, "only": only,
        "states": LmsScore.State.values, "after": shown[-1].score.pk if len(rows) > len(shown) else None,
        "registration": found.context.deployment.registration,
    }  # fmt: skip
    return render(request, "frontend/lms/column.html", context)


def _done(request: HttpRequest, user: User, found: Course) -> str:
    """Do what a button says; the words for it."""
    do, said = request.POST.get("do", ""), request.POST
    if do == "again":
        columns.make_again(lms_access.column_of(found, typed_number(said.get("column", "")) or 0))
        return "The column is tried once more, and everything in it is sent again."
    context = lms_access.context_of(found, _uuid(said.get("context", "")))
    if do in ("roster", "drop"):
        link = context.links.filter(public_id=_uuid(said["link"])).first() if said.get("link") else None
        rosters.ask_for_roster(actor=user, context=context, link=link, drops_many=do == "drop")
        return "The roster is read within a minute; this page says then what came of it."
    if do == "column":
        problem_set = access.problem_set_with(user, said.get("problem_set", ""), Right.MANAGE)
        columns.ask_for_column(actor=user, context=context, problem_set=problem_set)
        return f"The platform gets a column for {problem_set.title}, within a minute."
    if do == "items":
        parent = lms_access.column_of(found, typed_number(said.get("column", "")) or 0)
        made = columns.ask_for_item_columns(actor=user, column=parent)
        return f"The platform gets {made} columns, one an item, within a minute."
    raise Http404("There is nothing of that name to do.")


def _uuid(said: str) -> uuid.UUID:
    try:
        return uuid.UUID(said)
    except ValueError:
        raise Http404("There is no such page.") from None
