"""A small catalogue in the tables: brought there once by the product, and from then on written down as it left it.

A test begins with empty tables, and bringing three problems into them takes forty statements, most to find out that
nothing is there.
"""

from collections.abc import Mapping
from typing import Any

from django.db.models import Model, OuterRef, Subquery

from exercises.actions import sync_catalogue
from exercises.models import Problem, ProblemVersion

Row = dict[str, Any]
#: What bringing a catalogue left, by its texts: of each problem the row and that of its version.
_left: dict[tuple[tuple[str, str], ...], list[tuple[Row, Row]]] = {}
#: What is another one in each database, and what goes by the time.
OWN = {"id", "current_id", "problem_id", "created_at", "updated_at"}


def catalogued(sources: Mapping[str, str]) -> list[Problem]:
    """The problems with these texts, by slug, from a catalogue that holds nothing else."""
    texts = tuple(sources.items())
    is_empty = not Problem.objects.exists()
    if is_empty and texts in _left:
        _write(_left[texts])
        return _read(sources)
    report = sync_catalogue(list(sources), sources.__getitem__)
    assert not report.faults, report.faults
    problems = _read(sources)
    if is_empty:
        _left[texts] = [(kept(problem), kept(problem.versions.get())) for problem in problems]
    return problems


def kept(row: Model) -> Row:
    """What stands in a row, but for what is its own."""
    return {
        field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields if field.attname not in OWN
    }


def _write(rows: list[tuple[Row, Row]]) -> None:
    problems = Problem.objects.bulk_create(Problem(**of_problem) for of_problem, _ in rows)
    ProblemVersion.objects.bulk_create(
        ProblemVersion(problem=problem, **of_version) for problem, (_, of_version) in zip(problems, rows, strict=True)
    )
    own = ProblemVersion.objects.filter(problem=OuterRef("pk")).values("pk")
    Problem.objects.update(current=Subquery(own))


def _read(slugs: Mapping[str, str]) -> list[Problem]:
    found = Problem.objects.in_bulk(list(slugs), field_name="slug")
    return [found[slug] for slug in slugs]
