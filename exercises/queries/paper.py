"""Printed copies: what stands on them, and which of them were entered."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db.models import Count, Q

from exercises.courses.item_details import weight_text
from exercises.loading import problem_of
from exercises.models import PaperCopy, PaperRun, ProblemSet, ProblemVersion, Submission, Variant
from grader import wording
from grader.problem import Problem

#: Copies that are set for one printing: a browser lays out no hundreds of pages at once.
COPIES_A_PAGE = 20


@dataclass(frozen=True)
class PrintedItem:
    """One exercise of a copy. ``weight`` is in text."""

    place: int
    weight: str
    problem: Problem
    parameters: dict[str, Any]
    statement: str
    fields: list[wording.Field]
    figure: wording.Figure | None


@dataclass(frozen=True)
class PrintedCopy:
    """One copy as it is printed, with whose it is, once it was entered."""

    copy: PaperCopy
    items: tuple[PrintedItem, ...]


def paper_runs(problem_set: ProblemSet) -> list[PaperRun]:
    """The prints of a set, newest first, each with how many copies it has (``size``) and how many were entered
    (``entered``). One query."""
    rows = PaperRun.objects.filter(problem_set=problem_set).select_related("made_by")
    counted = rows.annotate(size=Count("copies"), entered=Count("copies", filter=Q(copies__attempt__isnull=False)))
    return list(counted.order_by("-pk")[:100])


def copies_of(run: PaperRun) -> list[PaperCopy]:
    """Every copy of a print, with who wrote it. One query."""
    return list(run.copies.select_related("attempt__learner").order_by("number"))


def printed(copies: Iterable[PaperCopy]) -> list[PrintedCopy]:
    """Copies with everything on them. One query. Raises ProblemBroken."""
    copies = list(copies)
    wanted = {sheet["version"] for copy in copies for sheet in copy.items}
    versions = ProblemVersion.objects.in_bulk(wanted)
    return [
        PrintedCopy(
            copy, tuple(_item(place, sheet, versions[sheet["version"]]) for place, sheet in enumerate(copy.items, 1))
        )
        for copy in copies
    ]


def _item(place: int, sheet: dict[str, Any], version: ProblemVersion) -> PrintedItem:
    problem = problem_of(Variant(version=version, asked=sheet["asked"], parameters=sheet["parameters"]))
    parameters = sheet["parameters"]
    return PrintedItem(
        place=place,
        weight=weight_text(Decimal(sheet["weight"])),
        problem=problem,
        parameters=parameters,
        statement=wording.statement(problem, parameters),
        fields=wording.fields(problem, parameters),
        figure=wording.figure_data(problem, parameters, ()),
    )


def columns_of(copies: Iterable[PrintedCopy]) -> list[str]:
    """The columns of a table of answers: every box of every place, over all copies."""
    names: dict[str, None] = {}
    for copy in copies:
        for item in copy.items:
            for field in item.fields:
                boxes = [f".{number}" for number in range(1, field.size + 1)] if field.kind == "vector" else [""]
                names |= dict.fromkeys(f"{item.place}.{field.step}{box}" for box in boxes)
    return sorted(names, key=lambda name: int(name.partition(".")[0]))


def entered_answers(copy: PaperCopy) -> dict[int, dict[str, Any]]:
    """What was entered of a copy last, by place and step. One query."""
    found: dict[int, dict[str, Any]] = {}
    rows = Submission.objects.filter(variant__attempt_item__attempt=copy.attempt_id).select_related(
        "variant__attempt_item"
    )
    for row in sorted(rows, key=lambda one: one.pk):
        if row.variant.attempt_item is not None:
            found[row.variant.attempt_item.position] = dict(row.answers)
    return found
