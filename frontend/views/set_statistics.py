"""How a class did at the items of a set, and what may be done about a variant that was not fair."""

import uuid
from collections.abc import Iterator
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from exercises import access
from exercises.actions.authoring import AuthoringRefused, withdraw_variant
from exercises.actions.figures import want_figures
from exercises.courses.cells import written
from exercises.courses.rights import Right
from exercises.models import Figures, ProblemSet
from exercises.queries import statistics as queries
from frontend.csv_file import csv_file
from frontend.item_tables import ItemTable, item_table
from frontend.limited import limited
from frontend.signed_in import is_fragment, reader, signed_in

COLUMNS = (
    "item", "learners", "facility", "low", "high", "discrimination", "upper_lower", "tries", "seconds", "flags",
)  # fmt: skip


class WithdrawForm(forms.Form):
    """Why a variant is drawn for nobody any more."""

    digest = forms.CharField(max_length=64, widget=forms.HiddenInput)
    reason = forms.CharField(max_length=500, label="Reason", help_text="It is kept in the audit trail.")


@never_cache
@require_safe
@signed_in
def statistics(request: HttpRequest, set_id: uuid.UUID) -> HttpResponse:
    """Every item of a set with its figures."""
    found, context = _shown(request, set_id)
    figures = queries.figures_of(found.course, found)
    context |= {"figures": figures, "items": _tables(found, figures, with_small=context["may_work"])}
    template = "_items.html" if is_fragment(request) else "items.html"
    return render(request, f"frontend/statistics/{template}", context)


@never_cache
@require_POST
@signed_in
@limited
def renew(request: HttpRequest, set_id: uuid.UUID) -> HttpResponse:
    """Let the figures be worked out anew."""
    found = access.problem_set_with(reader(request), set_id, Right.READ_WORK)
    want_figures(course=found.course, problem_set=found)
    return redirect("frontend:set-statistics", set_id=set_id)


@never_cache
@require_safe
@signed_in
def statistics_csv(request: HttpRequest, set_id: uuid.UUID) -> HttpResponse:
    """The figures of the items as a file: a row an item."""
    found = access.problem_set_with(reader(request), set_id, Right.READ_WORK)
    figures = queries.figures_of(found.course, found)
    text = written(COLUMNS, _lines(_tables(found, figures, with_small=True)))
    return csv_file(text, f"items-{found.public_id}")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@limited
def withdraw(request: HttpRequest, set_id: uuid.UUID, item: int) -> HttpResponse:
    """Draw one variant of an item for nobody in the course any more."""
    user = reader(request)
    found, enrolment = access.set_and_enrolment_with(user, set_id, Right.MANAGE)
    chosen = access.item_in(found, item)
    given = request.POST if request.method == "POST" else None
    form = WithdrawForm(given, initial={"digest": request.GET.get("digest", "")}, label_suffix="")
    digest = (request.POST if request.method == "POST" else request.GET).get("digest", "")
    variant = queries.variant_had(found, chosen, digest)
    if variant is None:
        raise Http404("Nobody had such a variant.")
    if form.is_valid():
        try:
            withdraw_variant(
                author=user,
                problem=chosen.problem,
                variant=variant,
                course=found.course,
                reason=form.cleaned_data["reason"],
            )
        except AuthoringRefused as refused:
            form.add_error(None, refused.message)
        else:
            messages.success(
                request, "It is drawn for nobody any more. Who has it keeps it: compensate them if need be."
            )
            return redirect("frontend:set-statistics", set_id=set_id)
    context = {
        "set": found,
        "course": found.course,
        "enrolment": enrolment,
        "item": chosen,
        "variant": variant,
        "form": form,
    }
    return render(request, "frontend/statistics/withdraw.html", context, status=422 if form.errors else 200)


def _shown(request: HttpRequest, set_id: uuid.UUID) -> tuple[ProblemSet, dict[str, Any]]:
    found, enrolment = access.set_and_enrolment_with(reader(request), set_id, Right.STATISTICS)
    return found, {
        "set": found,
        "course": found.course,
        "enrolment": enrolment,
        "may_manage": access.has_right(enrolment, Right.MANAGE),
        "may_grade": access.has_right(enrolment, Right.GRADE),
        "may_work": access.has_right(enrolment, Right.READ_WORK),
    }


def _tables(found: ProblemSet, figures: Figures | None, *, with_small: bool) -> list[ItemTable]:
    return [item_table(view, with_small=with_small) for view in queries.item_views(found, figures)]


def _lines(tables: list[ItemTable]) -> Iterator[list[str]]:
    for table in tables:
        yield [
            table.title, str(table.learners), table.facility, table.low, table.high, table.discrimination,
            table.upper_lower, table.tries, table.seconds, "; ".join(table.flags),
        ]  # fmt: skip
