"""Problems and sets as files: first what is lost on the way, then the file. They hold keys, so learners get none."""

import uuid
from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from exercises import access
from exercises.actions.exchange import ExchangeRefused, export_problems, export_set
from exercises.courses.rights import Right
from exercises.exchange.formats import FORMATS
from exercises.exchange.package import Package
from exercises.queries.exchange import exportable, exportable_of
from frontend.authoring.desk import author, desk
from frontend.exchange.forms import ExportForm
from frontend.limited import limited
from frontend.sets.found import found_with
from frontend.signed_in import signed_in

Export = Callable[..., Package]


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@limited
def problem(request: HttpRequest, slug: str) -> HttpResponse:
    """One problem of one's own, or one that may be used."""
    found = desk(request, slug)

    def export(**said: Any) -> Package:
        return export_problems(actor=found.author, problems=[found.problem], **said)

    context = {**found.context, "tab": "export", "back": reverse("frontend:author-problem", args=[slug])}
    return _answer(request, export, "frontend/exchange/export_problem.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@limited
def several(request: HttpRequest) -> HttpResponse:
    """Problems chosen from all that one may use."""
    person = author(request)
    chosen = request.POST.getlist("problem") if request.method == "POST" else request.GET.getlist("problem")

    def export(**said: Any) -> Package:
        problems = exportable_of(person, access.usable_problems(person), chosen)
        return export_problems(actor=person, problems=problems, **said)

    own, others = exportable(person, access.usable_problems(person))
    context = {"own": own, "others": others, "chosen": chosen, "back": reverse("frontend:authoring")}
    return _answer(request, export, "frontend/exchange/export_problems.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@limited
def problem_set(request: HttpRequest, set_id: uuid.UUID) -> HttpResponse:
    """A set, for those who manage its course."""
    found = found_with(request, set_id, Right.MANAGE)

    def export(**said: Any) -> Package:
        is_preview = request.POST.get("do") != "download"
        return export_set(actor=found.enrolment.user, problem_set=found.problem_set, is_preview=is_preview, **said)

    back = reverse("frontend:set", args=[set_id])
    return _answer(request, export, "frontend/exchange/export_set.html", found.context(back=back))


def _answer(request: HttpRequest, export: Export, template: str, context: dict[str, Any]) -> HttpResponse:
    form = ExportForm(request.POST if request.method == "POST" else None, label_suffix="")
    context |= {"form": form, "formats": FORMATS.values(), "package": None}
    if form.is_valid():
        try:
            package = export(**form.cleaned_data)
        except ExchangeRefused as refused:
            form.add_error(None, refused.message)
        else:
            if request.POST.get("do") == "download":
                return _file(package)
            context["package"] = package
    return render(request, template, context, status=422 if form.errors else 200)


def _file(package: Package) -> HttpResponse:
    return HttpResponse(
        package.content,
        content_type=package.content_type,
        headers={"Content-Disposition": f'attachment; filename="{package.name}"'},
    )
