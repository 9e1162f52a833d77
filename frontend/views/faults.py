"""For those who teach: what learners reported as faulty, with all they saw, and what could not be marked."""

import datetime as dt

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.dateparse import parse_datetime
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from exercises import access, queries
from exercises.actions.fault_report import ReportSettled, settle_report
from exercises.models import User
from exercises.refusals import Refused, TextRefused
from frontend.fault_page import fault_context, plain_answers
from frontend.limited import limited
from frontend.signed_in import reader, signed_in
from frontend.typed_number import asked_page

ROWS = 20


@never_cache
@require_safe
@signed_in
def faults(request: HttpRequest) -> HttpResponse:
    """What learners reported of the work that one may read, open ones first; the answers among it that could not be
    marked; and for authors the problems whose file has a fault."""
    user = _teaching(reader(request))
    reports = access.reports_for(user, queries.fault_reports())
    among = None if user.is_staff else access.submissions_read_by(user)
    context = {
        "reads_work": True,
        "page": Paginator(reports, ROWS).get_page(asked_page(request)),
        "ungradable": [(row, plain_answers(row)) for row in queries.ungradable(among=among)],
        "broken": queries.broken_problems(access.problems_whose_faults(user))
        if user.is_instructor or user.is_staff
        else [],
    }
    return render(request, "frontend/faults.html", context)


@never_cache
@require_safe
@signed_in
def fault(request: HttpRequest, pk: int) -> HttpResponse:
    """One report: the very variant, what was typed, and how it is marked by each version."""
    report = access.fault_report_with(reader(request), pk)
    return render(request, "frontend/fault.html", {**fault_context(report, reader(request)), "reads_work": True})


@never_cache
@require_POST
@signed_in
@limited
def settle(request: HttpRequest, pk: int) -> HttpResponse:
    """Settle a report with a reply to its learner."""
    report = access.fault_report_with(reader(request), pk)
    reply = request.POST.get("reply", "")
    try:
        settle_report(report=report, actor=reader(request), reply=reply, seen=_moment(request.POST.get("seen", "")))
    except (TextRefused, ReportSettled) as refused:
        return _again(request, report.pk, refused, reply)
    messages.success(request, "The report is settled, and its learner can read your reply.")
    return redirect("frontend:fault", pk=report.pk)


def _again(request: HttpRequest, pk: int, refused: Refused, reply: str) -> HttpResponse:
    """The page once more, with what was typed still in its box."""
    user = reader(request)
    context = fault_context(access.fault_report_with(user, pk), user)
    context |= {"refused": refused.message, "typed": reply, "reads_work": True}
    return render(request, "frontend/fault.html", context, status=409 if isinstance(refused, ReportSettled) else 422)


def _teaching(user: User) -> User:
    """The user, if they teach a course, write problems, or run the service; else Http404. One query at most."""
    return user if user.is_instructor or user.is_staff else access.reads_work(user)


def _moment(said: str) -> dt.datetime | None:
    """When the report was settled as the page showed it; what is no moment is none."""
    try:
        return parse_datetime(said)
    except ValueError:
        return None
