"""The page on which something about scores is decided: what it means, the form, and whom it would move."""

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from exercises.actions.grading import GradeRefused, Moves
from exercises.models import Attempt, Enrolment, Override, ProblemSet
from exercises.refusals import Refused
from frontend.grade_forms import ReasonForm


@dataclass(frozen=True)
class Asked:
    """What is decided: ``lead`` says in sentences what it means, ``hidden`` what the form carries along, ``back`` where
    it leads to afterwards. ``held`` is the score by hand that holds now."""

    title: str
    here: str
    lead: tuple[str, ...]
    back: str
    enrolment: Enrolment
    problem_set: ProblemSet
    apply: str
    hidden: Mapping[str, str] = field(default_factory=dict)
    held: Override | None = None
    is_direct: bool = False  # whom it moves is shown at once: nothing has to be typed before


def answered(
    request: HttpRequest,
    asked: Asked,
    form: forms.Form,
    moves: Moves | None = None,
    refused: Refused | None = None,
) -> HttpResponse:
    """The page, with what was typed still in its boxes."""
    if refused is not None:
        name = refused.field if isinstance(refused, GradeRefused) and refused.field in form.fields else None
        form.add_error(name, refused.message)
    context = {
        "asked": asked,
        "form": form,
        "moves": moves,
        "course": asked.enrolment.course,
        "enrolment": asked.enrolment,
        "attempt_id": _attempt(request) or "",
    }
    status = 422 if form.is_bound and form.errors else 200
    return render(request, "frontend/grading/decide.html", context, status=status)


def by_reason(
    request: HttpRequest, asked: Asked, do: Callable[[str], str], *, preview: Callable[[], Moves] | None = None
) -> HttpResponse:
    """A decision that takes a reason alone: its page, with whom ``preview`` says that it moves. Given a reason, ``do``
    takes it and says what is told of it; what it refuses stands on the page."""
    form = ReasonForm(request.POST if request.method == "POST" else None, label_suffix="")
    if not form.is_valid():
        return answered(request, asked, form, preview() if preview else None)
    try:
        messages.success(request, do(form.cleaned_data["reason"]))
    except GradeRefused as refused:
        return answered(request, asked, form, refused=refused)
    return redirect(asked.back)


def back_of(request: HttpRequest, problem_set: ProblemSet, about: Attempt | None = None) -> str:
    """Where somebody came from: the attempt in question, or that the address or the form names, else the grade book of
    the set."""
    attempt = about.public_id if about else _attempt(request)
    if attempt is not None:
        return reverse("frontend:attempt-grade", args=[attempt])
    return reverse("frontend:set-grades", args=[problem_set.public_id])


def said(request: HttpRequest, name: str, most: int) -> str:
    """A text that the form carries, or the address that led to it."""
    held = request.POST if request.method == "POST" else request.GET
    return held.get(name, "").replace("\0", "")[:most]


def _attempt(request: HttpRequest) -> uuid.UUID | None:
    try:
        return uuid.UUID(said(request, "attempt", 40))
    except ValueError:
        return None
