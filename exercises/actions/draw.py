"""Drawing a variant."""

import secrets

from django.db import IntegrityError, transaction

from exercises.access import problem_for
from exercises.loading import loaded
from exercises.models import Problem, User, Variant
from exercises.refusals import NothingToDraw
from grader.errors import DrawError
from grader.sampling import draw

#: Variants of late that a new one should not repeat, and how often another is drawn for that.
REMEMBERED = 20
REDRAWS = 16
RACES = 5


def draw_variant(*, learner: User, slug: str, after: Variant | None = None, seed: int | None = None) -> Variant:
    """The variant of ``draw_or_find``, whether drawn just now or found."""
    return draw_or_find(learner=learner, slug=slug, after=after, seed=seed)[0]


def draw_or_find(
    *, learner: User, slug: str, after: Variant | None = None, seed: int | None = None
) -> tuple[Variant, bool]:
    """The variant the learner works on next: a fresh one, other than those of late as far as the problem allows; and
    whether it was drawn just now.

    A variant that was drawn since ``after`` and not begun yet is handed out again, so two clicks, two tabs or two
    requests at once give one variant, and nobody draws until an easy one comes. Without ``after``, that is any variant
    not begun. ``seed`` makes the drawing repeatable, as the demo world and tests need it.

    Raises Http404 for an unknown slug, NothingToDraw when no acceptable variant can be drawn, ProblemBroken for a file
    with a fault.
    """
    problem = problem_for(slug)
    for _ in range(RACES):
        latest = list(Variant.objects.filter(learner=learner, problem=problem).order_by("-number")[:REMEMBERED])
        if latest and _serves(latest[0], problem, after):
            return latest[0], False
        fresh = _drawn(learner, problem, latest, seed)
        try:
            with transaction.atomic():
                fresh.save(force_insert=True)
        except IntegrityError:
            continue  # another request of this learner's drew that number first: theirs serves
        return fresh, True
    raise NothingToDraw("Too many variants are being drawn for you at once. Try again in a moment.")


def _serves(variant: Variant, problem: Problem, after: Variant | None) -> bool:
    """Whether this variant, the learner's latest, is the one that comes after ``after``."""
    if after is not None and after.problem_id == problem.pk and variant.number <= after.number:
        return False
    if variant.version_id != problem.current_id or variant.is_closed:
        return False
    return not variant.submissions.exists()


def _drawn(learner: User, problem: Problem, latest: list[Variant], seed: int | None) -> Variant:
    version = problem.current
    if version is None:
        raise NothingToDraw(f"{problem.title} has no version that can be drawn from.")
    drawable = loaded(version)
    seen = [variant.parameters for variant in latest]
    for tried in range(REDRAWS):
        chosen = secrets.randbits(32) if seed is None or tried else seed
        try:
            parameters = draw(drawable, chosen)
        except DrawError as error:
            raise NothingToDraw(f"{problem.title}: no variant could be drawn. {error}") from error
        if parameters not in seen:
            break
    return Variant(
        learner=learner,
        problem=problem,
        version=version,
        number=latest[0].number + 1 if latest else 1,
        seed=chosen,
        parameters=parameters,
    )
