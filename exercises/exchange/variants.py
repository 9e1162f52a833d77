"""The problems that are exported, and the variants that are drawn of them: fixed ones, each a seed."""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

from exercises.exchange.exercise import Exercise, exercise_of
from exercises.exchange.report import plural
from grader.errors import DrawError, GraderError
from grader.problem import Problem, load, narrowed
from grader.sampling import draw

MOST_VARIANTS = 100
#: Of one export altogether: some hundredths of a second each, while somebody waits.
MOST_ALTOGETHER = 500
#: Seeds that are looked at for one variant: some draw what another one drew already.
SEEDS_EACH = 4
MOST_SEED = 2**31
#: How long all variants of one export may take.
SECONDS = 20.0


class CannotExport(ValueError):
    """A problem of which nothing can be exported; the message says why."""


@dataclass(frozen=True)
class Chosen:
    """One problem to be exported, or one item of a set.

    key         tells it from the others of one export: letters, digits and hyphens
    version     the number of the version, as it is shown
    asked       the steps that are asked; None is all
    weight      of the item in its set
    withdrawn   whether a variant with these parameters is given to nobody any more
    """

    key: str
    title: str
    source: str
    version: int | None = None
    asked: tuple[str, ...] | None = None
    weight: Fraction = Fraction(1)
    licence: str = ""
    withdrawn: Callable[[Mapping[str, Any]], bool] = lambda _: False

    @cached_property
    def problem(self) -> Problem:
        """The graph, asking what is asked here. Raises ProblemError, and ValueError for a step that is not there."""
        problem = load(self.source)
        return problem if self.asked is None else narrowed(problem, self.asked)


@dataclass(frozen=True)
class Variants:
    """How many variants of each problem, from which seed on."""

    count: int = 10
    first: int = 1
    #: When drawing stops, however far it got: somebody waits. On the monotonic clock.
    ends: float = field(default_factory=lambda: time.monotonic() + SECONDS, compare=False)

    def __post_init__(self) -> None:
        if not 1 <= self.count <= MOST_VARIANTS:
            raise CannotExport(f"Between 1 and {MOST_VARIANTS} variants of a problem can be exported at once.")
        if not 0 <= self.first <= MOST_SEED:
            raise CannotExport(f"The first seed is a number from 0 to {MOST_SEED:,}.")


def drawn_exercises(chosen: Chosen, wanted: Variants) -> tuple[list[Exercise], list[str]]:
    """Different variants, and what is to be said about them. Raises CannotExport where there is none."""
    try:
        problem = chosen.problem
    except (GraderError, ValueError) as error:
        raise CannotExport(f"it cannot be read: {error}") from error
    found: list[Exercise] = []
    seen: set[str] = set()
    refused, withdrawn = "", 0
    for seed in range(wanted.first, wanted.first + wanted.count * SEEDS_EACH):
        if len(found) == wanted.count:
            break
        if time.monotonic() > wanted.ends:
            refused = "drawing took too long: export fewer variants or fewer problems at once."
            break
        try:
            parameters = draw(problem, seed)
            canon = json.dumps(parameters, sort_keys=True)
            if canon in seen:
                continue
            seen.add(canon)
            if chosen.withdrawn(parameters):
                withdrawn += 1
                continue
            found.append(exercise_of(problem, parameters, seed))
        except DrawError as error:
            refused = str(error)
            break
        except GraderError as error:
            refused = str(error)
    if not found:
        raise CannotExport(refused or "every variant of these seeds was withdrawn: begin with another seed.")
    return found, _said(found, wanted, withdrawn)


def _said(found: list[Exercise], wanted: Variants, withdrawn: int) -> list[str]:
    notes = []
    if len(found) < wanted.count:
        notes.append(
            f"{plural(wanted.count, 'variant')} were wanted, and {len(found)} that differ were found: "
            "the problem does not have more, or its seeds draw the same ones."
        )
    if len(found) < wanted.count and time.monotonic() > wanted.ends:
        notes.append("Drawing took too long: export fewer variants or fewer problems at once to have them all.")
    if withdrawn:
        notes.append(f"{plural(withdrawn, 'variant')} withdrawn by those who teach stayed out.")
    return notes


def check_amount(problems: int, wanted: Variants) -> None:
    """Raises CannotExport where so many problems with so many variants each are too much to wait for."""
    if problems * wanted.count > MOST_ALTOGETHER:
        most = max(1, MOST_ALTOGETHER // max(1, problems))
        raise CannotExport(
            f"{plural(problems, 'problem')} with {plural(wanted.count, 'variant')} each are more than "
            f"{MOST_ALTOGETHER}: take at most {most} of each, or export fewer problems at once."
        )
