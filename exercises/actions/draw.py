"""Drawing a variant."""

import hashlib
import json
import secrets
from collections.abc import Collection, Mapping
from enum import StrEnum
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Max, Q, QuerySet

from exercises import clock
from exercises.access import problem_for
from exercises.actions.evidence import keep_evidence
from exercises.loading import loaded
from exercises.mastery import scaffold
from exercises.mastery.choosing import to_refresh, unlocked
from exercises.mastery.graph import needs
from exercises.models import Course, Problem, ProblemVersion, User, Variant
from exercises.queries.mastery import standings
from exercises.refusals import NothingToDraw
from grader.errors import DrawError
from grader.problem import Problem as Drawable
from grader.sampling import draw
from grader.solution import active_mistakes

#: How often another is drawn where this person was shown one before, and how often another request may be first.
REDRAWS = 16
RACES = 5


class Way(StrEnum):
    """What a variant is drawn for, which decides what it asks.

    practice     every step, except those that the learner has outgrown
    recommended  of these, only what the learner is ready for
    check        of these, only what counts, to be worked out without help
    """

    PRACTICE = "practice"
    RECOMMENDED = "recommended"
    CHECK = "check"


def draw_variant(
    *,
    learner: User,
    slug: str,
    after: Variant | None = None,
    seed: int | None = None,
    way: Way = Way.PRACTICE,
    skill: str = "",
) -> Variant:
    """The variant of ``draw_or_find``, whether drawn just now or found."""
    return draw_or_find(learner=learner, slug=slug, after=after, seed=seed, way=way, skill=skill)[0]


def draw_or_find(
    *,
    learner: User,
    slug: str,
    after: Variant | None = None,
    seed: int | None = None,
    way: Way = Way.PRACTICE,
    skill: str = "",
) -> tuple[Variant, bool]:
    """The variant the learner works on next, and whether it was drawn just now: a fresh one, other than every one they
    were shown before, as long as the problem has others.

    A variant that was drawn since ``after`` and not begun yet is handed out again, so two clicks, two tabs or two
    requests at once give one variant, and nobody draws until an easy one comes; it then asks what this way asks.
    Without ``after``, that is any variant not begun. Only a check is never handed out for practice, nor the reverse.
    ``seed`` makes the drawing repeatable, as the demo world and tests need it. ``skill`` is the one it was proposed
    for, which is then asked whatever the learner can do; an unknown one means nothing.

    Raises Http404 for an unknown slug, NothingToDraw when no acceptable variant can be drawn, ProblemBroken for a file
    with a fault.
    """
    problem = problem_for(slug)
    asked = _steps_asked(learner, problem, way, skill)
    for _ in range(RACES):
        # Read before what is there is looked at: whoever draws in between takes the number that would be ours.
        last = _last_number(learner, problem)
        practised = Variant.objects.filter(learner=learner, problem=problem, attempt_item=None)
        latest = practised.order_by("-number").first()
        if latest and _serves(latest, problem, after, way):
            return _asking(latest, asked), False
        if problem.current is None:
            raise NothingToDraw(f"{problem.title} has no version that can be drawn from.")
        fresh = fresh_variant(learner=learner, version=problem.current, seed=seed, last=last)
        fresh.asked, fresh.is_check = asked, way == Way.CHECK
        if _is_stored(fresh, instead_of=latest):
            return fresh, True
    raise NothingToDraw("Too many variants are being drawn for you at once. Try again in a moment.")


def _is_stored(fresh: Variant, *, instead_of: Variant | None) -> bool:
    """Store a variant, and close what was tried on the one before it and left; False where another request of this
    learner's drew that number first: theirs serves."""
    with transaction.atomic():
        try:
            with transaction.atomic():
                fresh.save(force_insert=True)
        except IntegrityError:
            return False
        if instead_of is not None:
            keep_evidence([instead_of])
    return True


def _last_number(learner: User, problem: Problem) -> int:
    return Variant.objects.filter(learner=learner, problem=problem).aggregate(last=Max("number"))["last"] or 0


def fresh_variant(
    *,
    learner: User,
    version: ProblemVersion,
    seed: int | None = None,
    last: int | None = None,
    course: Course | None = None,
) -> Variant:
    """A variant of this version that this learner was not shown before, as long as there are others, and that nobody
    withdrew; not yet saved. ``version`` comes with its problem. Two queries, and one for each drawing.

    ``course`` is the one it is drawn for, which may have withdrawn some for itself. ``last`` is the number of this
    learner's last variant of the problem as it was when the caller decided to draw; None reads it now, for callers that
    hold the learner's row.

    Raises NothingToDraw when no acceptable variant can be drawn, ProblemBroken for a file with a fault. Saving it
    raises IntegrityError where another request of this learner's took its number first.
    """
    drawable = loaded(version)
    problem = version.problem
    last = _last_number(learner, problem) if last is None else last
    shown = Variant.objects.filter(learner=learner, problem=problem) if last else Variant.objects.none()
    withdrawn = set(problem.withdrawn.filter(Q(course=None) | Q(course=course)).values_list("digest", flat=True))
    chosen, parameters, digest = _drawn(problem, drawable, seed=seed, shown=shown, withdrawn=withdrawn)
    return Variant(
        learner=learner,
        problem=problem,
        version=version,
        number=last + 1,
        seed=chosen,
        parameters=parameters,
        digest=digest,
        active=active_mistakes(drawable, parameters),
    )


def _drawn(
    problem: Problem, drawable: Drawable, *, seed: int | None, shown: QuerySet[Variant], withdrawn: Collection[str]
) -> tuple[int, dict[str, Any], str]:
    """Seed, parameters and their digest of the first drawing that is none of ``shown``; of the last where all of them
    are. One query for each. Raises NothingToDraw."""
    found: tuple[int, dict[str, Any], str] | None = None
    for tried in range(REDRAWS):
        chosen = secrets.randbits(32) if seed is None else seed + tried
        try:
            parameters = draw(drawable, chosen)
        except DrawError as error:
            raise NothingToDraw(f"{problem.title}: no variant could be drawn. {error}") from error
        digest = digest_of(parameters)
        if digest in withdrawn:
            continue
        found = chosen, parameters, digest
        if not shown.filter(digest=digest).exists():
            break
    if found is None:
        raise NothingToDraw(f"{problem.title}: every variant that could be drawn was withdrawn by its author.")
    return found


def digest_of(parameters: Mapping[str, Any]) -> str:
    """What a variant is known again by: SHA-256 of its parameters, in hex."""
    return hashlib.sha256(json.dumps(parameters, sort_keys=True).encode()).hexdigest()


def _steps_asked(learner: User, problem: Problem, way: Way, skill: str) -> list[str] | None:
    """The steps to ask this learner; None where that is all of them. Two queries."""
    if problem.current is None:
        return None
    held = standings([learner])[learner.pk]
    proposed = {skill} & held.keys()
    return scaffold.asked(
        scaffold.steps_of(loaded(problem.current)),
        {name: standing.level for name, standing in held.items()},
        ready=None if way is Way.PRACTICE else unlocked(held, needs()) | proposed,
        keep=to_refresh(held, needs()) | proposed,
        check=way is Way.CHECK,
    )


def ask_whole(*, variant: Variant) -> Variant:
    """Ask every step of a variant after all: its learner wants the steps in between that were left out.

    What they show from then on counts as done with a scaffold. Does nothing where everything is asked already, or the
    solution was shown.
    """
    with transaction.atomic():
        # Not for the key: evidence refers to the variant, and its writer must not wait.
        locked = Variant.objects.select_for_update(no_key=True).get(pk=variant.pk)
        if locked.asked is not None and not locked.is_closed:
            locked.asked, locked.scaffolded_at = None, clock.now()
            locked.save(update_fields=["asked", "scaffolded_at"])
    variant.asked, variant.scaffolded_at = locked.asked, locked.scaffolded_at
    return variant


def _serves(variant: Variant, problem: Problem, after: Variant | None, way: Way) -> bool:
    """Whether this variant, the learner's latest, is the one that comes after ``after``."""
    if after is not None and after.problem_id == problem.pk and variant.number <= after.number:
        return False
    if variant.version_id != problem.current_id or variant.is_closed:
        return False
    if variant.is_check != (way == Way.CHECK):
        return False
    return not variant.submissions.exists()


def _asking(variant: Variant, asked: list[str] | None) -> Variant:
    """A variant not begun, asking these steps; one whose learner wanted all of them goes on asking all."""
    if variant.asked != asked and variant.scaffolded_at is None:
        variant.asked = asked
        variant.save(update_fields=["asked"])
    return variant
