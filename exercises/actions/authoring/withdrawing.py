"""Variants that nobody is given any more. What was drawn stays, and is marked as ever."""

from django.db import transaction
from django.db.models import Q

from exercises.actions.audit import noted
from exercises.actions.authoring.refused import AuthoringRefused
from exercises.actions.draw import digest_of
from exercises.loading import loaded
from exercises.models import Course, Problem, User, Variant, WithdrawnVariant
from grader.errors import DrawError
from grader.sampling import draw

MOST_REASON = 500
#: Variants withdrawn of one problem: with more than this its ranges or its requirements want mending.
MOST_WITHDRAWN = 200
#: As large as a seed is stored.
MOST_SEED = 2**63 - 1


def withdraw_variant(
    *,
    author: User,
    problem: Problem,
    reason: str,
    seed: int | None = None,
    variant: Variant | None = None,
    course: Course | None = None,
) -> WithdrawnVariant:
    """Draw the variant of this seed, or this variant of somebody's, for nobody any more.

    Everywhere for one's own problem, and for a built-in one by those who run the service. Of any other problem, in the
    sets of ``course`` alone: whoever calls this has seen to it that the author manages it. A course is also where it
    came up, in whose audit trail it is noted. Withdrawn already, it stays so with the reason it has. Raises
    AuthoringRefused.
    """
    words = _reason(reason)
    drawn, number = _parameters(problem, seed, variant)
    with transaction.atomic():
        place = _place(author, problem, course)
        digest = digest_of(drawn)
        there = problem.withdrawn.filter(Q(course=None) | Q(course=place), digest=digest).first()
        if there is not None:
            return there
        if problem.withdrawn.filter(course=place).count() >= MOST_WITHDRAWN:
            raise AuthoringRefused(
                f"{MOST_WITHDRAWN} variants of this problem were withdrawn. Mend its ranges or its require lines, so "
                "that it draws none like them."
            )
        row = WithdrawnVariant.objects.create(
            problem=problem,
            course=place,
            digest=digest,
            seed=number,
            parameters=drawn,
            reason=words,
            withdrawn_by=author,
        )
        _note(author, problem, course, "withdraw-variant", row, words)
    return row


def restore_variant(*, author: User, problem: Problem, digest: str, course: Course | None = None) -> None:
    """Let a variant be drawn again where ``withdraw_variant`` would withdraw it. Raises AuthoringRefused."""
    with transaction.atomic():
        place = _place(author, problem, course)
        row = problem.withdrawn.filter(digest=digest, course=place).first()
        if row is None:
            raise AuthoringRefused("This variant is not withdrawn here.")
        _note(author, problem, course, "restore-variant", row, "")
        row.delete()


def _parameters(problem: Problem, seed: int | None, variant: Variant | None) -> tuple[dict[str, object], int]:
    """What was drawn, and the seed it was drawn from."""
    if variant is not None:
        if variant.problem_id != problem.pk:
            raise AuthoringRefused("This variant is of another problem.")
        return variant.parameters, variant.seed
    if seed is None or not 0 <= seed <= MOST_SEED:
        message = "Name the seed of the variant, a whole number."
        raise AuthoringRefused(message, {"seed": message})
    if problem.current is None:
        raise AuthoringRefused("This problem has no version yet: nothing is drawn from it.")
    try:
        return draw(loaded(problem.current), seed), seed
    except DrawError as error:
        raise AuthoringRefused(f"Nothing is drawn for seed {seed}: {error}", {"seed": str(error)}) from error


def _place(author: User, problem: Problem, course: Course | None) -> Course | None:
    """Where this author withdraws variants of a problem, which is locked: None is everywhere. Raises
    AuthoringRefused."""
    row = Problem.objects.select_for_update(of=("self",), no_key=True).get(pk=problem.pk)
    if row.owner_id == author.pk or (row.owner_id is None and author.is_staff):
        return None
    if course is None:
        raise AuthoringRefused(
            "Only its author withdraws a variant everywhere; of a built-in problem, those who run the service. "
            "Withdraw it in a course of yours."
        )
    return course


def _note(author: User, problem: Problem, course: Course | None, deed: str, row: WithdrawnVariant, reason: str) -> None:
    if course is not None:
        about = f"{problem.title}, variant of seed {row.seed}"
        noted(course=course, actor=author, deed=deed, about=about, after=row.parameters, reason=reason)


def _reason(text: str) -> str:
    words = " ".join(text.split())
    if not words or len(words) > MOST_REASON:
        message = f"Say in up to {MOST_REASON} characters why it is withdrawn."
        raise AuthoringRefused(message, {"reason": message})
    return words
