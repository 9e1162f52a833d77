"""Problems and sets as files for other systems. They hold keys: whoever calls has found them by ``access``."""

import datetime as dt
from collections.abc import Sequence

from exercises import clock
from exercises.actions.audit import noted
from exercises.actions.exchange.gathering import bundle_of_problems, bundle_of_set, chosen_items, chosen_problems
from exercises.actions.exchange.refused import ExchangeRefused
from exercises.exchange.formats import FORMATS, OWN, package_of
from exercises.exchange.own.shape import MOST_PROBLEMS
from exercises.exchange.own.writing import own_package
from exercises.exchange.package import Package
from exercises.exchange.variants import CannotExport, Chosen, Variants
from exercises.models import Problem, ProblemSet, User


def export_problems(
    *,
    actor: User,
    problems: Sequence[Problem],
    form: str,
    variants: int = 10,
    first_seed: int = 1,
    at: dt.datetime | None = None,
) -> Package:
    """Problems as one file: ``form`` is a key of ``exchange.formats.FORMATS``, and of each problem so many different
    variants are drawn from ``first_seed`` on; our own form takes the problem files instead.

    ``problems`` are the actor's own or may be used by them, and come with their current versions. What is published
    goes out; of a problem that never was, its draft. ``at`` dates the export, now if left out. Nothing is written.
    Raises ExchangeRefused.
    """
    if not problems:
        raise ExchangeRefused("Choose at least one problem to export.")
    if len(problems) > MOST_PROBLEMS:
        raise ExchangeRefused(f"At most {MOST_PROBLEMS} problems can be exported at once.")
    name = problems[0].title if len(problems) == 1 else f"{len(problems)} problems"
    if form == OWN:
        bundle, left_out = bundle_of_problems(actor, problems)
        if not bundle.problems:
            raise ExchangeRefused(f"Nothing can be exported: {left_out[0].fault}")
        return own_package(bundle, name, left_out)
    return _variants(chosen_problems(problems), form, variants, first_seed, name, at)


def export_set(
    *,
    actor: User,
    problem_set: ProblemSet,
    form: str,
    variants: int = 10,
    first_seed: int = 1,
    at: dt.datetime | None = None,
    is_preview: bool = False,
) -> Package:
    """A set as one file, as of ``export_problems``: the steps that it asks of each item, and in our own form its rules,
    times, pools and items. ``problem_set`` is one whose course the actor manages. The audit trail of the course says
    that it left, but for a preview, of which only the report is looked at. Raises ExchangeRefused.
    """
    if form == OWN:
        bundle, left_out = bundle_of_set(actor, problem_set)
        package = own_package(bundle, problem_set.title, left_out)
    else:
        chosen = chosen_items(problem_set)
        if not chosen:
            raise ExchangeRefused("This set has no items yet: there is nothing to export.")
        package = _variants(chosen, form, variants, first_seed, problem_set.title, at)
    if not is_preview:
        noted(
            course=problem_set.course, actor=actor, deed="export-set", about=problem_set.title,
            problem_set=problem_set, after={"format": FORMATS[form].title, "file": package.name},
        )  # fmt: skip
    return package


def _variants(
    chosen: Sequence[Chosen], form: str, variants: int, first_seed: int, name: str, at: dt.datetime | None
) -> Package:
    try:
        return package_of(form, chosen, Variants(variants, first_seed), name=name, at=at or clock.now())
    except CannotExport as refused:
        raise ExchangeRefused(str(refused)) from refused
