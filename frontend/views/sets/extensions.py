"""Extensions of a set, and the rules as they come to for one learner."""

import uuid

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from exercises import clock
from exercises.actions.sets import extensions
from exercises.actions.sets.refusals import SetChanged, SetRefused
from exercises.course_rules import rules_of
from exercises.courses.rights import Right
from exercises.courses.wording import rules_in_words
from exercises.models import Enrolment, Extension, Group
from exercises.queries import set_contents, set_extensions
from exercises.queries.grade_roster import name_of
from exercises.queries.people import groups_of
from exercises.queries.sets import set_for
from exercises.set_rows import state_of_extension
from frontend.options import options
from frontend.sets.extension_form import ExtensionForm
from frontend.sets.found import Found, found_with
from frontend.signed_in import signed_in
from frontend.typed_number import asked_page, typed_number


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def page(request: HttpRequest, set_id: uuid.UUID) -> HttpResponse:
    """All extensions of a set; withdraw one, or choose for whom to give another."""
    found = found_with(request, set_id, Right.GRADE)
    if request.method == "POST":
        row = set_extensions.extension_at(found.problem_set, _known_number(request.POST.get("extension", "")))
        if row is not None:
            extensions.withdraw_extension(actor=found.enrolment.user, extension=row)
        messages.success(request, "The extension is withdrawn: the rules of the set hold again.")
        return redirect("frontend:set-extensions", set_id=found.problem_set.public_id)
    shown, listed = set_extensions.extension_rows(found.problem_set, page=asked_page(request))
    rows = [(row, extensions.said_extension(row.extension, found.problem_set)) for row in listed]
    context = found.context(
        page=shown, rows=rows, learners=options(set_extensions.learner_choices(found.course)),
        groups=groups_of(found.course),
    )  # fmt: skip
    return render(request, "frontend/sets/extensions.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def give(request: HttpRequest, set_id: uuid.UUID) -> HttpResponse:
    """Give an extension to the learner or the group of the address, or change theirs."""
    found = found_with(request, set_id, Right.GRADE)
    member, group = _whom(request, found)
    there = set_extensions.extension_for(found.problem_set, member=member, group=group)
    posted = request.POST if request.method == "POST" else None
    kept = there or Extension(problem_set=found.problem_set)
    form = ExtensionForm(posted, problem_set=found.problem_set, kept=kept, zone=found.zone)
    changed = ""
    if form.is_valid():
        try:
            extensions.give_extension(
                actor=found.enrolment.user, problem_set=found.problem_set, given=form.given(),
                seen=request.POST.get("seen", ""), learner=member.user if member else None, group=group,
            )  # fmt: skip
            messages.success(request, "The extension is given. It holds at once, also where somebody has begun.")
            return redirect("frontend:set-extensions", set_id=found.problem_set.public_id)
        except SetChanged as refused:
            # Now this form is up to date: sent again, it is kept.
            changed = refused.message
        except SetRefused as refused:
            form.take(refused.faults or {"": refused.message})
    context = found.context(
        form=form, member=member, group=group, there=there, seen=state_of_extension(there), changed=changed,
        whom=name_of(member) if member else f"Group {group}",
        said=extensions.said_extension(there, found.problem_set) if there else {},
        rules=_words(found, member) if member else [],
    )  # fmt: skip
    status = 409 if changed else 422 if form.is_bound and form.errors else 200
    return render(request, "frontend/sets/extension.html", context, status=status)


@never_cache
@require_safe
@signed_in
def rules(request: HttpRequest, set_id: uuid.UUID) -> HttpResponse:
    """The rules in words for one learner, exactly as that learner reads them; first, whose."""
    found = found_with(request, set_id, Right.READ_WORK)
    said = request.GET.get("learner", "")
    member = set_extensions.member_at(found.course, _known_number(said)) if said else None
    if said and member is None:
        raise Http404("There is no such learner in this course.")
    context = found.context(
        learners=options(set_extensions.learner_choices(found.course), member.pk if member else None),
        member=member,
        whom=name_of(member) if member else "",
        rules=_words(found, member) if member else [],
        row=set_for(found.problem_set, member) if member else None,
    )
    return render(request, "frontend/sets/rules.html", context)


def _words(found: Found, member: Enrolment) -> list[str]:
    number = set_contents.count_places(found.problem_set)
    return rules_in_words(rules_of(found.problem_set, member), now=clock.now(), items=number)


def _whom(request: HttpRequest, found: Found) -> tuple[Enrolment | None, Group | None]:
    if said := request.GET.get("learner", ""):
        member = set_extensions.member_at(found.course, _known_number(said))
        group = None
    else:
        member, group = None, set_extensions.group_at(found.course, _known_number(request.GET.get("group", "")))
    if member is None and group is None:
        raise Http404("There is no such learner or group in this course.")
    return member, group


def _known_number(said: str) -> int:
    found = typed_number(said)
    if found is None:
        raise Http404("There is nothing of that number.")
    return found
