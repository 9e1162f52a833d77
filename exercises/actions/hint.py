"""Giving a hint."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from exercises.actions.draft import lock_and_keep_draft
from exercises.actions.left import LEFT, is_left_behind
from exercises.actions.typed import clean_answers, clean_locale
from exercises.loading import problem_of
from exercises.models import HintUse, Variant
from exercises.refusals import AnswersRefused, LeftCourse, NoMoreHints, VariantClosed
from grader.wording import hints


def take_hint(*, variant: Variant, step: str, answers: Mapping[str, Any] | None = None, locale: str = "en") -> HintUse:
    """The next hint at a step, kept as it was shown.

    Hints point at what the learner has typed so far, so ``answers``, what stands in the boxes now, becomes the
    variant's draft first. Raises NoMoreHints when every hint was taken, VariantClosed once the solution was shown,
    LeftCourse in a set of a course that the learner was taken out of, AnswersRefused for a step that is not asked or
    for what is no answer to this problem.
    """
    problem = problem_of(variant)
    if step not in {asked.name for asked in problem.asked}:
        raise AnswersRefused(f"This problem asks no step {step[:80]!r}.")
    typed = clean_answers(problem, answers or {})
    with transaction.atomic():
        lock_and_keep_draft(variant, typed)
        if variant.is_closed:
            raise VariantClosed("The solution is shown, which says more than any hint. Draw another variant to go on.")
        is_left = is_left_behind(variant)
        taken = variant.hint_uses.filter(step=step).count()
        texts = hints(problem, variant.parameters, step, variant.draft, clean_locale(locale))
        if taken < len(texts) and not is_left:
            return HintUse.objects.create(variant=variant, step=step, number=taken + 1, text=texts[taken])
    # Only now: the draft is kept all the same.
    if is_left:
        raise LeftCourse(LEFT)
    raise NoMoreHints("You have seen every hint of this step.")
