"""The grade books: of a course, learners by sets; and of one set, learners by items."""

import uuid
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from exercises import access
from exercises.course_rules import policy_of
from exercises.courses.rights import Right
from exercises.models import Course, Enrolment
from exercises.queries.averages import Average, averages
from exercises.queries.grade_roster import PAGE, Wanted, learners_of
from exercises.queries.gradebook import book_rows, sets_of
from exercises.queries.graded_attempt import settling
from exercises.queries.set_grades import set_rows
from exercises.queries.set_items import items_with_columns
from frontend.grade_cells import book_cells, item_cells, name_cell, override_cells, score_words, set_addresses
from frontend.signed_in import is_fragment, reader, signed_in
from frontend.typed_number import asked_page


@never_cache
@require_safe
@signed_in
def gradebook(request: HttpRequest, course_id: uuid.UUID) -> HttpResponse:
    """Learners by sets. Eighteen queries at most, however many there are; the averages, which look at everybody, are
    asked for by themselves, and take ten."""
    enrolment = access.enrolment_with(reader(request), course_id, Right.READ_WORK)
    sets = sets_of(enrolment.course)
    context = _roster(request, enrolment)
    pass_marks = [policy_of(one).pass_mark for one in sets]
    context["columns"] = [{"set": one, "address": at} for one, at in zip(sets, set_addresses(sets), strict=True)]
    learners = context.pop("learners")
    if request.GET.get("averages") == "on":
        means = averages(sets, learners)
        for column, one in zip(context["columns"], sets, strict=True):
            column.update(_average(means[one.pk]))
        if is_fragment(request):
            return render(request, "frontend/grading/_averages.html", context)
    context["rows"] = [
        {"head": name_cell(row.enrolment), "cells": book_cells(row.cells, pass_marks)}
        for row in book_rows(sets, list(context["page"]))
    ]
    context["settling"] = settling(sets)
    return render(request, "frontend/grading/gradebook.html", context)


@never_cache
@require_safe
@signed_in
def set_grades(request: HttpRequest, set_id: uuid.UUID) -> HttpResponse:
    """Learners by items. Twenty-five queries at most, however many there are."""
    found, enrolment = access.set_and_enrolment_with(reader(request), set_id, Right.READ_WORK)
    items = items_with_columns(found)
    context = _roster(request, enrolment)
    pass_mark = policy_of(found).pass_mark
    average = averages([found], context.pop("learners"))[found.pk]
    shown = list(context["page"])
    context["may_grade"] = access.has_right(enrolment, Right.GRADE)
    by_hand = override_cells(found, shown) if context["may_grade"] else [""] * len(shown)
    context["rows"] = [
        {
            "head": name_cell(row.enrolment),
            "whole": book_cells([row.whole], [pass_mark]),
            "items": item_cells(row.items, row.whole.attempt),
            "by_hand": last,
        }
        for row, last in zip(set_rows(found, items, shown), by_hand, strict=True)
    ]
    context |= {"set": found, "items": items, "pass_mark": pass_mark, **_average(average)}
    context["settling"] = settling([found])
    return render(request, "frontend/grading/set_grades.html", context)


def _roster(request: HttpRequest, enrolment: Enrolment) -> dict[str, Any]:
    """Which learners are shown, and what says so in the address."""
    course: Course = enrolment.course
    groups = list(course.groups.order_by("name"))
    asked = request.GET.get("group", "")
    group = next((one for one in groups if str(one.pk) == asked), None)
    wanted = Wanted(
        group=group.pk if group else None,
        search=request.GET.get("search", "").replace("\0", "")[:100].strip(),
        is_descending=request.GET.get("order") == "down",
        with_dropped=request.GET.get("left") == "on",
    )
    learners = learners_of(course, wanted)
    said = {
        "group": wanted.group,
        "search": wanted.search,
        "order": "down" if wanted.is_descending else "",
        "left": "on" if wanted.with_dropped else "",
    }
    turned = said | {"order": "" if wanted.is_descending else "down"}
    return {
        "course": course,
        "enrolment": enrolment,
        "groups": groups,
        "wanted": wanted,
        "learners": learners,
        "page": Paginator(learners, PAGE).get_page(asked_page(request)),
        "query": urlencode({name: value for name, value in said.items() if value}),
        "turned": urlencode({name: value for name, value in turned.items() if value}),
    }


def _average(average: Average) -> dict[str, Any]:
    return {"average": score_words(average.share, None), "scored": average.learners}
