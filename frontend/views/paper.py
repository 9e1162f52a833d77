"""Problem sets on paper, for those who teach: drawing copies, printing them and their keys, entering what came back."""

import uuid

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from exercises import access
from exercises.actions.paper import ImportedRow, enter_paper, enter_table, print_copies, void_paper
from exercises.courses.cells import TableRefused
from exercises.courses.codes import read_code
from exercises.courses.paper_codes import is_paper_code
from exercises.courses.paper_csv import written_paper
from exercises.courses.rights import Right
from exercises.models import PaperCopy, PaperRun, User
from exercises.queries import paper as queries
from exercises.refusals import Refused
from frontend.csv_file import csv_file
from frontend.limited import limited
from frontend.paper_form import AnswersForm, CodeForm, PrintForm, VoidForm, WriterForm
from frontend.paper_sheet import entry_steps, key_sheets, sheets, written_in
from frontend.signed_in import reader, signed_in
from frontend.typed_number import typed_number
from frontend.variant_page import locale_of


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@limited
def papers(request: HttpRequest, set_id: uuid.UUID) -> HttpResponse:
    """The prints of a set; a form draws another."""
    user = reader(request)
    found, enrolment = access.set_and_enrolment_with(user, set_id, Right.READ_WORK)
    may_print = access.has_right(enrolment, Right.MANAGE)
    form = PrintForm(request.POST if request.method == "POST" else None, label_suffix="")
    if request.method == "POST":
        access.require_right(enrolment, Right.MANAGE)
        if form.is_valid():
            try:
                run = print_copies(problem_set=found, made_by=user, **form.cleaned_data)
                return redirect("frontend:paper-run", run_id=run.public_id)
            except Refused as refused:
                form.add_error("copies", refused.message)
    context = {
        "course": found.course,
        "enrolment": enrolment,
        "set": found,
        "runs": queries.paper_runs(found),
        "form": form if may_print else None,
    }
    return render(request, "frontend/paper/papers.html", context, status=422 if form.errors else 200)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@limited
def run(request: HttpRequest, run_id: uuid.UUID) -> HttpResponse:
    """One print: its copies and whose they are, what to print, and the table of answers to fill in and send back."""
    user = reader(request)
    found = access.paper_run_with(user, run_id, Right.READ_WORK)
    enrolment = access.enrolment_in(user, found.problem_set.course, Right.READ_WORK)
    form = AnswersForm(request.POST if request.method == "POST" else None, request.FILES or None, label_suffix="")
    rows, is_entered = None, request.POST.get("do") == "enter"
    if request.method == "POST":
        access.require_right(enrolment, Right.GRADE)
        if form.is_valid():
            rows = _rows(request, found, form, is_preview=not is_entered)
            form = form.with_text()
    copies = queries.copies_of(found)
    context = {
        "course": found.problem_set.course,
        "enrolment": enrolment,
        "set": found.problem_set,
        "run": found,
        "copies": copies,
        "parts": [
            (first + 1, min(first + queries.COPIES_A_PAGE, len(copies)))
            for first in range(0, len(copies), queries.COPIES_A_PAGE)
        ],
        "form": form if access.has_right(enrolment, Right.GRADE) else None,
        "code_form": CodeForm(label_suffix=""),
        "rows": rows,
        "faults": sum(1 for row in rows if row.fault) if rows else 0,
        "is_entered": is_entered,
    }
    return render(request, "frontend/paper/run.html", context, status=422 if form.errors else 200)


@never_cache
@require_safe
@signed_in
def sheet(request: HttpRequest, run_id: uuid.UUID) -> HttpResponse:
    """Some copies as they are printed, each from a page of its own."""
    found = access.paper_run_with(reader(request), run_id, Right.READ_WORK)
    copies = _part(request, queries.copies_of(found))
    context = {"run": found, "set": found.problem_set, "sheets": sheets(copies)}
    return render(request, "frontend/paper/sheet.html", context)


@never_cache
@require_safe
@signed_in
def key(request: HttpRequest, run_id: uuid.UUID) -> HttpResponse:
    """The keys of some copies; with ``?solutions`` how every value comes about."""
    found = access.paper_run_with(reader(request), run_id, Right.READ_WORK)
    copies = _part(request, queries.copies_of(found))
    context = {
        "run": found,
        "set": found.problem_set,
        "sheets": key_sheets(copies),
        "with_solutions": "solutions" in request.GET,
    }
    return render(request, "frontend/paper/key.html", context)


@never_cache
@require_safe
@signed_in
def table(request: HttpRequest, run_id: uuid.UUID) -> HttpResponse:
    """The table of answers to fill in, as CSV: a row a copy, a column a box."""
    found = access.paper_run_with(reader(request), run_id, Right.GRADE)
    copies = queries.copies_of(found)
    text = written_paper(queries.columns_of(queries.printed(copies)), [copy.code for copy in copies])
    return csv_file(text, f"answers-{found.public_id}")


@never_cache
@require_safe
@signed_in
def find(request: HttpRequest) -> HttpResponse:
    """From a typed code to the copy that has it."""
    user = access.reads_work(reader(request))
    code = read_code(request.GET.get("code", ""))
    form = CodeForm(request.GET, label_suffix="")
    if is_paper_code(code):
        access.paper_copy_with(user, code, Right.GRADE)
        return redirect("frontend:paper-enter", code=code)
    form.add_error("code", "This is no code of a copy: one of its signs must be another. Look at it again.")
    return render(request, "frontend/paper/find.html", {"code_form": form}, status=422)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@limited
def enter(request: HttpRequest, code: str) -> HttpResponse:
    """Enter what stands on one copy, or correct it."""
    user = reader(request)
    found = access.paper_copy_with(user, code, Right.GRADE)
    course = found.run.problem_set.course
    enrolment = access.enrolment_in(user, course, Right.GRADE)
    shown = queries.printed([found])[0]
    typed = written_in(request.POST, shown) if request.method == "POST" else queries.entered_answers(found)
    form = WriterForm(
        request.POST if request.method == "POST" else None,
        course=course,
        is_entered=found.attempt is not None,
        initial={"written_by": found.attempt.learner.username if found.attempt else ""},
        label_suffix="",
    )
    if request.method == "POST" and form.is_valid() and _entered(request, user, found, form, typed):
        return redirect("frontend:paper-enter", code=code)
    context = {
        "course": course,
        "enrolment": enrolment,
        "set": found.run.problem_set,
        "run": found.run,
        "copy": found,
        "form": form,
        "items": entry_steps(shown, typed, locale_of(request)),
        "locale": locale_of(request),
    }
    return render(request, "frontend/paper/enter.html", context, status=422 if form.errors else 200)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@limited
def take_back(request: HttpRequest, code: str) -> HttpResponse:
    """Take back what was entered of a copy: asked with what it does, and a reason."""
    user = reader(request)
    found = access.paper_copy_with(user, code, Right.GRADE)
    if found.attempt is None:
        return redirect("frontend:paper-enter", code=code)
    form = VoidForm(request.POST if request.method == "POST" else None, label_suffix="")
    if form.is_valid():
        whose = found.attempt.learner.get_username()
        try:
            void_paper(copy=found, actor=user, reason=form.cleaned_data["reason"])
        except Refused as refused:
            form.add_error("reason", refused.message)
        else:
            messages.success(request, f"What was entered for {whose} counts nowhere any more. Enter the copy anew.")
            return redirect("frontend:paper-enter", code=code)
    course = found.run.problem_set.course
    context = {
        "course": course,
        "enrolment": access.enrolment_in(user, course, Right.GRADE),
        "set": found.run.problem_set,
        "copy": found,
        "form": form,
    }
    return render(request, "frontend/paper/take_back.html", context, status=422 if form.errors else 200)


def _entered(
    request: HttpRequest, user: User, found: PaperCopy, form: WriterForm, typed: dict[int, dict[str, str | list[str]]]
) -> bool:
    try:
        attempt = enter_paper(
            copy=found,
            learner=form.cleaned_data["written_by"],
            answers=typed,
            entered_by=user,
            written_at=form.cleaned_data["written_at"],
            locale=locale_of(request),
        )
    except Refused as refused:
        form.add_error(None, refused.message)
        return False
    messages.success(
        request, f"Copy {found.number} is entered for {attempt.learner.get_username()}. It is being marked."
    )
    return True


def _rows(request: HttpRequest, found: PaperRun, form: AnswersForm, *, is_preview: bool) -> list[ImportedRow] | None:
    """What became of each row of the table, or would; None where it is no such table, which the form then says."""
    try:
        return enter_table(
            run=found,
            text=form.cleaned_data["text"],
            entered_by=reader(request),
            locale=locale_of(request),
            is_preview=is_preview,
        )
    except TableRefused as refused:
        form.add_error(None, str(refused))
        return None


def _part(request: HttpRequest, copies: list[PaperCopy]) -> list[PaperCopy]:
    """The copies from the number that the address names on, as many as a browser sets at once."""
    first = typed_number(request.GET.get("from", ""), digits=4) or 1
    return [copy for copy in copies if first <= copy.number < first + queries.COPIES_A_PAGE]
