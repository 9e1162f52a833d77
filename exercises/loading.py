"""The one place that turns stored rows into the grader's problems, and says so when they no longer fit it."""

import logging
from functools import lru_cache

from exercises.models import ProblemVersion, Variant
from exercises.refusals import ProblemBroken
from grader.errors import ParameterError, ProblemError
from grader.problem import Problem, load, narrowed
from grader.sampling import read_parameters

log = logging.getLogger(__name__)


def loaded(version: ProblemVersion) -> Problem:
    """The problem of that version. Raises ProblemBroken, with words for learners, if it can no longer be read."""
    try:
        return load(version.source)
    except ProblemError as error:
        log.error("Version %s of %s can no longer be read: %s", version.number, version.problem_id, error)
        raise _broken() from error


def asked_in(variant: Variant) -> Problem:
    """The problem that a variant is marked and explained by, asking the steps that this variant asks.

    That is the version it was drawn from, or the one of a regrade since. Raises ProblemBroken.
    """
    return _asked(variant, variant.key_version)


def problem_of(variant: Variant) -> Problem:
    """``asked_in``, with parameters that fit. Raises ProblemBroken if either can no longer be read."""
    return _fitting(variant, variant.key_version)


def drawn_from(variant: Variant) -> Problem:
    """The problem as its learner was shown it, whatever it is marked by since. Raises ProblemBroken."""
    return _fitting(variant, variant.version)


def _asked(variant: Variant, version: ProblemVersion) -> Problem:
    problem = loaded(version)
    if variant.asked is None:
        return problem
    try:
        return _narrowed(version.source, tuple(variant.asked))
    except ValueError as error:
        log.error("What variant %s asks is not in its problem: %s", variant.public_id, error)
        raise _broken() from error


def _fitting(variant: Variant, version: ProblemVersion) -> Problem:
    problem = _asked(variant, version)
    try:
        read_parameters(problem, variant.parameters)
    except ParameterError as error:
        log.error("What was drawn for variant %s can no longer be read: %s", variant.public_id, error)
        raise _broken() from error
    return problem


@lru_cache(maxsize=256)
def _narrowed(source: str, asked: tuple[str, ...]) -> Problem:
    """Kept, since every request and every step of the marking asks for it again."""
    return narrowed(load(source), asked)


def _broken() -> ProblemBroken:
    return ProblemBroken(
        "This problem cannot be shown at the moment: its file has a fault. What you sent is kept, and the fault is "
        "logged for those who run the service. Go on with another problem."
    )
