"""The command line for authors and tests: list, draw, solve, mark and check problems. No database."""

import json
import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from exercises.catalogue import skills, slugs, source
from exercises.catalogue.coverage import coverage_faults
from grader.checking import check, summary
from grader.errors import GraderError
from grader.graph import Problem
from grader.marking import mark
from grader.problem import json_schema, load
from grader.sampling import draw
from grader.solution import solve
from grader.wording import statement


class Command(BaseCommand):
    help = "List, draw, solve, mark and check problems, from the catalogue or from a file; no database is needed."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        actions.add_parser("schema", help="the JSON Schema of a problem file")
        listing = actions.add_parser("list", help="the problems of the catalogue")
        listing.add_argument("--json", action="store_true")
        drawing = actions.add_parser("draw", help="draw a variant")
        drawing.add_argument("problem")
        drawing.add_argument("--seed", type=int, required=True)
        drawing.add_argument("--json", action="store_true")
        solving = actions.add_parser("solve", help="values, allowances and named mistakes of variants")
        solving.add_argument("problem")
        which = solving.add_mutually_exclusive_group(required=True)
        which.add_argument("--seed", type=int)
        which.add_argument("--seeds", help="A:B, from A up to but not including B")
        which.add_argument("--parameters", help="JSON, instead of a seed")
        solving.add_argument("--json", action="store_true")
        marking = actions.add_parser("mark", help="mark answers")
        marking.add_argument("problem", nargs="?")
        marking.add_argument("--seed", type=int)
        marking.add_argument("--parameters", help="JSON, instead of a seed")
        marking.add_argument("--answers", help="JSON: step names with what was typed")
        marking.add_argument("--locale", default="en")
        marking.add_argument("--stdin", action="store_true", help="one task a line in, one verdict a line out")
        marking.add_argument("--json", action="store_true")
        actions.add_parser("skills", help="whether skills and problems hold together")
        checking = actions.add_parser("check", help="test problems against themselves over many seeds")
        checking.add_argument("problems", nargs="*")
        checking.add_argument("--seeds", type=int, default=1000)
        checking.add_argument("--json", action="store_true")

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            getattr(self, f"_{options['action']}")(options)
        except GraderError as error:
            raise CommandError(" ".join(str(error).split())) from error
        except BrokenPipeError:
            # Whoever read the lines has seen enough; nothing is left to be flushed into the closed pipe.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

    def _write(self, data: object) -> None:
        self.stdout.write(json.dumps(data, ensure_ascii=False, allow_nan=False))

    def _schema(self, _options: dict[str, Any]) -> None:
        self.stdout.write(json.dumps(json_schema(), indent=2))

    def _skills(self, _options: dict[str, Any]) -> None:
        if faults := coverage_faults():
            raise CommandError("\n".join(faults))
        self.stdout.write(f"{len(skills())} skills, each practised by two problems or more.")

    def _list(self, options: dict[str, Any]) -> None:
        problems = {slug: load(source(slug)) for slug in slugs()}
        rows = [
            {
                "slug": slug,
                "title": problem.title,
                "summary": problem.summary,
                "level": problem.level,
                "skills": list(problem.skills),
                "steps": [step.name for step in problem.asked],
                "parameters": [parameter.name for parameter in problem.parameters],
            }
            for slug, problem in problems.items()
        ]
        if options["json"]:
            self._write(rows)
            return
        for row in rows:
            self.stdout.write(f"{row['slug']:<28} {row['title']}")

    def _draw(self, options: dict[str, Any]) -> None:
        problem = _problem(options["problem"])
        parameters = draw(problem, options["seed"])
        if options["json"]:
            self._write({"seed": options["seed"], "parameters": parameters})
        else:
            self.stdout.write(statement(problem, parameters))

    def _solve(self, options: dict[str, Any]) -> None:
        problem = _problem(options["problem"])
        for seed, parameters in _variants(problem, options):
            solution = solve(problem, parameters)
            self._write(
                {
                    "seed": seed,
                    "parameters": parameters,
                    "steps": solution.values,
                    "allowance": solution.allowances,
                    "mistakes": solution.mistakes,
                }
            )

    def _mark(self, options: dict[str, Any]) -> None:
        if options["stdin"]:
            for line in sys.stdin:
                if line.strip():
                    self._write(_marked_line(line))
            return
        if not options["problem"] or options["answers"] is None:
            raise CommandError("name a problem, and give --answers as JSON")
        problem = _problem(options["problem"])
        answers = _json_object(options["answers"], "--answers")
        ((_, parameters),) = _variants(problem, options)
        verdict = mark(problem, parameters, answers, locale=options["locale"])
        if options["json"]:
            self._write(verdict.to_json())
            return
        self.stdout.write(f"score {verdict.score}")
        for given in verdict.marks:
            note = f" [{given.note}]" if given.note else ""
            self.stdout.write(f"{given.step:<12} {given.outcome:<10} {given.credit}{note} {given.message}")

    def _check(self, options: dict[str, Any]) -> None:
        if options["seeds"] < 1:
            raise CommandError("--seeds must be at least 1")
        names = options["problems"] or slugs()
        reports = {name: check(_problem(name), range(options["seeds"])) for name in names}
        if options["json"]:
            for name, report in reports.items():
                self._write({"problem": name} | report.to_json())
        else:
            self.stdout.write(summary(reports))
        failed = [name for name, report in reports.items() if not report.passed]
        if failed:
            raise CommandError(f"{len(failed)} of {len(reports)} problems failed: {', '.join(failed)}")


def _problem(name: str) -> Problem:
    """A problem of the catalogue by its slug, else a file by its path."""
    if name in slugs():
        return load(source(name))
    path = Path(name)
    try:
        return load(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        known = "manage.py problem list shows the catalogue"
        raise CommandError(f"there is no problem {name!r}, and no readable file of that name: {known}") from error


def _json_object(text: str, what: str) -> dict[str, Any]:
    try:
        data = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise CommandError(f"{what} is not valid JSON: {error}") from error
    if not isinstance(data, dict):
        raise CommandError(f"{what} must be a JSON object")
    return data


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not a number here")


def _variants(problem: Problem, options: dict[str, Any]) -> Iterator[tuple[int | None, dict[str, Any]]]:
    """Seeds and parameters as the options name them."""
    if options.get("parameters") is not None:
        yield None, _json_object(options["parameters"], "--parameters")
    elif options.get("seeds") is not None:
        try:
            first, last = (int(part) for part in options["seeds"].split(":"))
        except ValueError as error:
            raise CommandError("--seeds is written A:B, for example 0:100") from error
        for seed in range(first, last):
            yield seed, draw(problem, seed)
    elif options.get("seed") is not None:
        yield options["seed"], draw(problem, options["seed"])
    else:
        raise CommandError("give --seed or --parameters")


def _marked_line(line: str) -> dict[str, Any]:
    """The verdict on one line of ``mark --stdin``, or what is wrong with the line."""
    try:
        task = _json_object(line, "the line")
        if not isinstance(task.get("problem"), str):
            raise CommandError("problem is missing")
        problem = _problem(task["problem"])
        locale = task.get("locale") or "en"
        verdict = mark(problem, task.get("parameters", {}), task.get("answers", {}), locale=str(locale))
        return verdict.to_json()
    except (GraderError, CommandError) as error:
        return {"error": " ".join(str(error).split())}
