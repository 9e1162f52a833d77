"""Drawing the copies of a set that are printed."""

import random
import secrets
from collections.abc import Collection, Iterable
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q

from exercises.actions.audit import noted
from exercises.actions.draw import digest_of
from exercises.actions.paper.refusals import PaperRefused
from exercises.actions.sitting.places import Place, chosen_places
from exercises.courses.paper_codes import new_paper_code
from exercises.loading import loaded
from exercises.models import PaperCopy, PaperRun, ProblemSet, User, WithdrawnVariant
from exercises.queries.set_items import items_in_use
from exercises.refusals import NothingToDraw
from grader.errors import DrawError
from grader.sampling import draw

MOST_COPIES = 300
#: Of all copies together: each is drawn while somebody waits.
MOST_DRAWN = 6_000
#: How often another variant is drawn where one is withdrawn, or on another copy already.
REDRAWS = 12
#: How often new codes are drawn where one is taken.
RACES = 3

Taken = dict[int, set[str]]


def print_copies(
    *, problem_set: ProblemSet, made_by: User, copies: int, title: str = "", seed: int | None = None
) -> PaperRun:
    """So many copies of a set, each with variants of its own as far as its problems have them, and a code.

    The numbers are stored: what is printed can always be printed again. ``seed`` makes the drawing repeatable.
    Raises PaperRefused for too many, or where the set has nothing to print; NothingToDraw, ProblemBroken.
    """
    if not 1 <= copies <= MOST_COPIES:
        raise PaperRefused(f"Print between 1 and {MOST_COPIES} copies at once.")
    chance = random.Random(secrets.randbits(64) if seed is None else seed)  # noqa: S311 - nothing secret is drawn
    held = items_in_use(problem_set)
    sheets = [chosen_places(held, problem_set, chance) for _ in range(copies)]
    drawn = sum(map(len, sheets))
    if not drawn:
        raise PaperRefused("This set has no items yet: there is nothing to print.")
    if drawn > MOST_DRAWN:
        raise PaperRefused(f"These copies would hold {drawn:,} exercises: print at most {MOST_DRAWN:,} at once.")
    withdrawn = _withdrawn(problem_set, sheets)
    taken: Taken = {}
    items = [[_drawn(place, chance, withdrawn, taken) for place in sheet] for sheet in sheets]
    for _ in range(RACES):
        try:
            return _stored(problem_set, made_by, title, items)
        except IntegrityError:
            continue  # a code was taken already
    raise PaperRefused("No free codes were found. Try again.")


def _withdrawn(problem_set: ProblemSet, sheets: Iterable[Iterable[Place]]) -> set[tuple[int, str]]:
    problems = {place.version.problem_id for sheet in sheets for place in sheet}
    here = Q(course=None) | Q(course=problem_set.course_id)
    return set(WithdrawnVariant.objects.filter(here, problem__in=problems).values_list("problem_id", "digest"))


def _drawn(place: Place, chance: random.Random, withdrawn: Collection[tuple[int, str]], taken: Taken) -> dict[str, Any]:
    """One exercise of one copy: a variant that is on no other copy, as long as there are such."""
    problem = place.version.problem_id
    used = taken.setdefault(problem, set())
    found: tuple[int, dict[str, Any], str] | None = None
    for _ in range(REDRAWS):
        seed = chance.getrandbits(32)
        try:
            parameters = draw(loaded(place.version), seed)
        except DrawError as error:
            raise NothingToDraw(f"{place.item}: no variant could be drawn. {error}") from error
        digest = digest_of(parameters)
        if (problem, digest) in withdrawn:
            continue
        found = seed, parameters, digest
        if digest not in used:
            break
    if found is None:
        raise NothingToDraw("Every variant that was drawn of one of the problems was withdrawn by its author.")
    seed, parameters, digest = found
    used.add(digest)
    return {
        "item": place.item.pk,
        "version": place.version.pk,
        "weight": str(place.weight),
        "asked": place.asked,
        "seed": seed,
        "parameters": parameters,
    }


def _stored(problem_set: ProblemSet, made_by: User, title: str, items: list[list[dict[str, Any]]]) -> PaperRun:
    with transaction.atomic():
        run = PaperRun.objects.create(problem_set=problem_set, made_by=made_by, title=title)
        PaperCopy.objects.bulk_create(
            PaperCopy(run=run, number=number, code=new_paper_code(), items=sheet)
            for number, sheet in enumerate(items, start=1)
        )
        noted(
            course=problem_set.course,
            actor=made_by,
            deed="print",
            about=f"{len(items)} copies of {problem_set.title}",
            problem_set=problem_set,
            after={"copies": len(items), "title": title},
        )
    return run
