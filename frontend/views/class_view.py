"""How a class does, for those who teach it: where it stands at every skill, who is stuck, and its mistakes."""

import uuid
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from exercises import access, catalogue
from exercises.actions.figures import want_figures
from exercises.courses.cells import written
from exercises.courses.rights import Right
from exercises.queries import statistics as queries
from exercises.queries.people import groups_of
from frontend.class_tables import heat_rows, level_rows, mistake_rows, stuck_rows
from frontend.csv_file import csv_file
from frontend.levels import WORDS
from frontend.limited import limited
from frontend.signed_in import is_fragment, reader, signed_in
from frontend.typed_number import asked_page, typed_number


@never_cache
@require_safe
@signed_in
def class_view(request: HttpRequest, course_id: uuid.UUID) -> HttpResponse:
    """Counts for whoever may see statistics; names only for those who may read the class's work."""
    enrolment = access.enrolment_with(reader(request), course_id, Right.STATISTICS)
    course = enrolment.course
    with_names = access.has_right(enrolment, Right.READ_WORK)
    figures = queries.figures_of(course)
    context: dict[str, Any] = {
        "course": course,
        "enrolment": enrolment,
        "figures": figures,
        "levels": level_rows(figures, with_small=with_names),
        "mistakes": mistake_rows(figures, with_small=with_names),
        "with_names": with_names,
    }
    if is_fragment(request):
        return render(request, "frontend/statistics/_class_figures.html", context)
    if with_names:
        text, group = request.GET.get("text", ""), typed_number(request.GET.get("group", ""))
        page, rows = queries.heat_map(course, text=text, group=group, page=asked_page(request))
        context |= {
            "page": page,
            "skills": catalogue.skills(),
            "heat": heat_rows(course, rows),
            "stuck": stuck_rows(queries.stuck_in(course)),
            "groups": groups_of(course),
            "text": text,
            "group": group,
            "query": urlencode({"text": text, "group": group or ""}),
        }
    return render(request, "frontend/statistics/class.html", context)


@never_cache
@require_POST
@signed_in
@limited
def renew(request: HttpRequest, course_id: uuid.UUID) -> HttpResponse:
    """Let the counts be worked out anew."""
    enrolment = access.enrolment_with(reader(request), course_id, Right.READ_WORK)
    want_figures(course=enrolment.course)
    return redirect("frontend:class", course_id=course_id)


@never_cache
@require_safe
@signed_in
def class_csv(request: HttpRequest, course_id: uuid.UUID) -> HttpResponse:
    """The heat map as a file: a row a learner, a column a skill."""
    enrolment = access.enrolment_with(reader(request), course_id, Right.READ_WORK)
    skills = catalogue.skills()
    rows = (
        [
            row.enrolment.user.username,
            row.enrolment.name,
            row.enrolment.external_id,
            *(WORDS[row.standings[skill.id].level] for skill in skills),
        ]
        for row in queries.everybody(enrolment.course)
    )
    text = written(["username", "name", "external_id", *(skill.title for skill in skills)], rows)
    return csv_file(text, f"class-{course_id}")
