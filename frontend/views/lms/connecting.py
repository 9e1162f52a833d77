"""A course of a learning platform and its links, connected with what is here by who teaches it."""

import uuid

from django.contrib import messages
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from exercises import access, queries
from exercises.access import lms as lms_access
from exercises.actions.courses import CourseRefused
from exercises.actions.lms import places
from exercises.actions.lms.people import link_account
from exercises.actions.lms.refusals import ConnectionRefused
from exercises.courses.rights import Right
from exercises.models import Context, PlatformUser, User
from exercises.queries.lms import courses_to_connect, sets_to_choose
from exercises.refusals import Refused, TooMuchAtOnce
from frontend.course_form import CourseForm
from frontend.lms_form import AccountForm, OwnCourseForm, SetChoiceForm
from frontend.signed_in import reader, signed_in

BACKEND = "django.contrib.auth.backends.ModelBackend"


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def connect(request: HttpRequest, context_id: uuid.UUID) -> HttpResponse:
    """Choose the course that a course of the platform leads to, or make one."""
    user = reader(request)
    context, person = lms_access.context_taught(user, context_id)
    if context.course is not None:
        return redirect("frontend:course", context.course.public_id)
    do, sent = request.POST.get("do", ""), request.POST if request.method == "POST" else None
    among = courses_to_connect(user)
    own = OwnCourseForm(sent if do == "choose" else None, among=among, label_suffix="")
    initial = {"title": context.title, "time_zone": queries.own_plan_of(user).time_zone}
    new = CourseForm(sent if do == "make" else None, initial=initial, label_suffix="")
    try:
        if (own.is_valid() or new.is_valid()) and _connected(user, person, context, own, new):
            messages.success(request, f"{context} is connected. Now choose what each link opens, when you open it.")
            return redirect(_onward(request, context))
    except (CourseRefused, ConnectionRefused) as refused:
        form = new if do == "make" else own
        form.add_error(refused.field if refused.field in form.fields else None, refused.message)
    said = {
        "context": context, "person": person, "link": _link(request),
        "own": own if among.exists() else None, "new": new,
    }  # fmt: skip
    return render(request, "frontend/lms/connect.html", said, status=422 if own.errors or new.errors else 200)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def choose(request: HttpRequest, link_id: uuid.UUID) -> HttpResponse:
    """Choose which set a link opens."""
    user = reader(request)
    link, _ = lms_access.link_and_membership(user, link_id)
    course = link.context.course
    if course is None:
        return redirect("frontend:lms-link", link.public_id)
    enrolment = access.enrolment_in(user, course, Right.MANAGE)
    among = sets_to_choose(course)
    initial = {"problem_set": link.problem_set.public_id if link.problem_set else None}
    sent = request.POST if request.method == "POST" else None
    form = SetChoiceForm(sent, among=among, initial=initial, label_suffix="")
    if form.is_valid():
        try:
            places.choose_set(actor=user, link=link, problem_set=form.cleaned_data["problem_set"])
            return redirect("frontend:lms-link", link.public_id)
        except ConnectionRefused as refused:
            form.add_error(None, refused.message)
    said = {"link": link, "course": course, "enrolment": enrolment, "form": form, "has_sets": among.exists()}
    return render(request, "frontend/lms/choose.html", said, status=422 if form.errors else 200)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def account(request: HttpRequest, context_id: uuid.UUID) -> HttpResponse:
    """Come into an account that one has here from the platform, from now on."""
    context, membership = lms_access.context_and_membership(reader(request), context_id)
    status = 200
    form = AccountForm(request.POST if request.method == "POST" else None, label_suffix="")
    if form.is_valid():
        try:
            said = form.cleaned_data
            linked = link_account(person=membership.platform_user, **said)
            kept = request.session.get("lti")
            login(request, linked.user, backend=BACKEND)
            request.session["lti"] = kept
            messages.success(request, f"From now on the platform opens your account {linked.user.get_username()}.")
            return redirect(_onward(request, context))
        except Refused as refused:
            form.add_error(getattr(refused, "field", "") or None, refused.message)
            status = 429 if isinstance(refused, TooMuchAtOnce) else 422
    elif form.errors:
        status = 422
    shown = {"context": context, "person": membership.platform_user, "form": form, "link": _link(request)}
    return render(request, "frontend/lms/account.html", shown, status=status)


def _link(request: HttpRequest) -> str:
    """The link that somebody came by, "" for none."""
    said = request.POST.get("link", request.GET.get("link", ""))
    try:
        return str(uuid.UUID(said))
    except ValueError:
        return ""


def _onward(request: HttpRequest, context: Context) -> str:
    """Where it goes on: by the link that they came by."""
    if link := _link(request):
        return reverse("frontend:lms-link", args=[link])
    if (request.session.get("lti") or {}).get("deep_linking"):
        # They were choosing content, for which a course was missing.
        return reverse("frontend:lms-content", args=[context.public_id])
    return reverse("frontend:lms-connect", args=[context.public_id])


def _connected(user: User, person: PlatformUser, context: Context, own: OwnCourseForm, new: CourseForm) -> bool:
    """Connect with the course that was chosen, else with a new one."""
    if own.is_bound:
        course = access.enrolment_with(user, own.cleaned_data["course"].public_id, Right.MANAGE).course
        places.connect_context(actor=user, person=person, context=context, course=course)
    else:
        places.connect_new_course(actor=user, person=person, context=context, fields=new.said)
    return True
