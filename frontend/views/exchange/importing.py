"""Files that come in: what they would bring, entry by entry, then just that."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from exercises import access
from exercises.actions.exchange import ExchangeRefused, Imported, import_file, keep_upload, kept_upload
from exercises.courses.rights import Right
from exercises.models import Course, User
from exercises.queries.set_choices import managed_by
from frontend.authoring.desk import author
from frontend.exchange.forms import ImportForm
from frontend.limited import limited
from frontend.signed_in import signed_in

GONE = "The file is not kept any more: choose it once more."


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@limited
def page(request: HttpRequest) -> HttpResponse:
    """Bring problems and sets in: first a report of what would happen, then the change."""
    person = author(request)
    courses = managed_by(person)
    if request.method != "POST":
        return _page(request, ImportForm(courses=courses, label_suffix=""))
    form = ImportForm(request.POST, request.FILES, courses=courses, label_suffix="")
    if not form.is_valid():
        return _page(request, form, status=422)
    said = form.cleaned_data
    name, content = _sent(person, said)
    if content is None:
        form.add_error("upload", GONE)
        return _page(request, form, status=422)
    # A file that is chosen on the second page is another one than the report is about.
    is_final = request.POST.get("do") == "apply" and said["upload"] is None
    try:
        done = import_file(
            author=person, content=content, name=name, into=_course(person, said["course"]), skill=said["skill"],
            is_preview=not is_final,
        )  # fmt: skip
    except ExchangeRefused as refused:
        form.add_error(None, refused.message)
        return _page(request, form, report=refused.report, status=422)
    if is_final:
        messages.success(request, _told(done))
        return redirect("frontend:set", done.sets[0].public_id) if done.sets else redirect("frontend:authoring")
    kept = keep_upload(person, name, content)
    again = ImportForm(
        initial={"kept": kept, "course": said["course"], "skill": said["skill"]}, courses=courses, label_suffix=""
    )
    more = {"name": name, "kept": kept, "imported": done, "report": done.report}
    return _page(request, again, **more, status=200 if done.is_sound else 422)


def _sent(person: User, said: dict[str, Any]) -> tuple[str, bytes | None]:
    """The name of the file and what is in it: the one that came along, else the one that was kept."""
    if upload := said["upload"]:
        return str(upload.name or "")[:200], upload.read()
    return kept_upload(person, said["kept"])


def _course(person: User, chosen: str) -> Course | None:
    return access.enrolment_with(person, chosen, Right.MANAGE).course if chosen else None


def _told(done: Imported) -> str:
    problems, sets = len(done.problems), len(done.sets)
    said = [f"{problems} problem{'' if problems == 1 else 's'}"] if problems or not sets else []
    said += [f"{sets} set{'' if sets == 1 else 's'}"] if sets else []
    return f"{' and '.join(said)} came in, as drafts of yours."


def _page(request: HttpRequest, form: ImportForm, *, status: int = 200, **more: Any) -> HttpResponse:
    context = {"form": form, "report": None, "imported": None, "kept": "", **more}
    return render(request, "frontend/exchange/import.html", context, status=status)
