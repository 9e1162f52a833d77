"""How a class does; of counts that would point at somebody nothing, for who may not read the class's work."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from exercises import catalogue
from exercises.courses.statistics import FEW, SMALL
from exercises.mastery.states import Level
from exercises.models import Enrolment, Figures
from exercises.queries.mastery import standings
from exercises.queries.statistics import ItemView
from server.api.shapes import statistics as shapes
from server.api.telling.practice import skills_told

_FIGURES = ("facility", "low", "high", "discrimination", "upper_lower")


def course_statistics_told(figures: Figures | None, *, with_small: bool) -> dict[str, Any]:
    """Skills and mistakes of a course. No query."""
    data: Mapping[str, Any] = figures.figures if figures else {}
    levels: Mapping[str, Mapping[str, int]] = data.get("levels", {})
    skills = [
        {
            "skill": skill.id,
            "levels": {
                str(level): _count(levels[skill.id].get(str(level), 0), with_small=with_small) for level in Level
            },
            "due": _count(data.get("due", {}).get(skill.id, 0), with_small=with_small),
            "stuck": _count(data.get("stuck", {}).get(skill.id, 0), with_small=with_small),
        }
        for skill in catalogue.skills()
        if skill.id in levels
    ]
    mistakes = [row for row in data.get("mistakes", []) if with_small or row["likely"] >= SMALL]
    told = {**_computed(figures), "learners": data.get("learners", 0), "skills": skills, "mistakes": mistakes}
    return dict(shapes.CourseStatistics(told).data)


def set_statistics_told(figures: Figures | None, items: Iterable[ItemView], *, with_small: bool) -> dict[str, Any]:
    """The items of a set. No query."""
    told = {**_computed(figures), "items": [_item(view, with_small=with_small) for view in items]}
    return dict(shapes.SetStatistics(told).data)


def mastery_told(rows: Sequence[Enrolment]) -> list[dict[str, Any]]:
    """Where these learners stand at every skill. Two queries."""
    held = standings(row.user for row in rows)
    return [
        {
            "learner": row.user.get_username(),
            "name": row.name,
            "external_id": row.external_id,
            "skills": skills_told(held[row.user_id])["results"],
        }
        for row in rows
    ]


def _computed(figures: Figures | None) -> dict[str, Any]:
    return {
        "computed_at": figures.computed_at if figures else None,
        "is_going_on": bool(figures and figures.wanted_at is not None),
    }


def _item(view: ItemView, *, with_small: bool) -> dict[str, Any]:
    report = view.report or {}
    figures = report.get("figures", {})
    learners = figures.get("learners", 0)
    is_told = learners > 0 and (with_small or learners >= SMALL)
    return {
        "item": view.item.pk,
        "problem": view.item.problem.slug,
        "title": view.item.problem.title,
        "learners": _count(learners, with_small=with_small),
        **{name: figures.get(name) if is_told else None for name in _FIGURES},
        "tries": report.get("tries") if is_told else None,
        "seconds": report.get("seconds") if is_told else None,
        "flags": figures.get("flags", ()) if is_told else (),
        "scores": report.get("scores", ()) if is_told and (with_small or learners >= FEW) else (),
        "steps": _steps(report, with_small=with_small) if is_told else (),
        "notes": [one for one in report.get("notes", ()) if is_told and (with_small or one["k"] >= SMALL)],
        "variants": view.variants if with_small else (),
    }


def _steps(report: Mapping[str, Any], *, with_small: bool) -> list[dict[str, Any]]:
    return [
        {**step, "clusters": [one for one in step["clusters"] if with_small or one["learners"] >= SMALL]}
        for step in report.get("steps", ())
        if with_small or step["answered"] >= SMALL
    ]


def _count(number: int, *, with_small: bool) -> int | None:
    return number if with_small or not 0 < number < SMALL else None
