"""For those who teach: what learners reported as faulty, with all they saw, and what could not be marked."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from exercises import access, queries
from frontend.marks import mark_view
from frontend.signed_in import reader, signed_in


@never_cache
@require_safe
@signed_in
def faults(request: HttpRequest) -> HttpResponse:
    """The latest reports, the answers that could not be marked, and the problems whose file has a fault."""
    access.instructor(reader(request))
    rows = [
        {
            "report": report,
            "marks": [(mark.step, mark_view(mark)) for mark in report.grading.judged.marks] if report.grading else [],
        }
        for report in queries.fault_reports()
    ]
    return render(
        request,
        "frontend/faults.html",
        {"rows": rows, "ungradable": queries.ungradable(), "broken": queries.broken_problems()},
    )
