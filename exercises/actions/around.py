"""What a learner does around the answers: asks for the solution or a hint, makes a forecast, reports a fault."""

from django.db import transaction
from django.utils import timezone

from exercises.models import FaultReport, Forecast, HintUse, Submission, User, Variant
from exercises.refusals import AnswersRefused, NoMoreHints, TextRefused
from grader.problem import load
from grader.verdict import GRADER_VERSION
from grader.wording import hints

MOST_FORECAST_CHARACTERS = 500
MOST_REPORT_CHARACTERS = 2000


def reveal_solution(*, variant: Variant) -> Variant:
    """Close the variant for credit; from then on its worked solution is shown. Answers sent before are still marked."""
    with transaction.atomic():
        locked = Variant.objects.select_for_update().get(pk=variant.pk)
        if locked.revealed_at is None:
            locked.revealed_at = timezone.now()
            locked.save(update_fields=["revealed_at"])
    variant.revealed_at = locked.revealed_at
    return variant


def take_hint(*, variant: Variant, step: str, number: int | None = None, locale: str = "en") -> HintUse:
    """The hint of that number (from 1) at a step, or the next one; asking again for one shows it as it was shown.

    Raises NoMoreHints when there is none of that number, AnswersRefused for a step that is not asked.
    """
    problem = load(variant.version.source)
    if step not in {asked.name for asked in problem.asked}:
        raise AnswersRefused(f"This problem asks no step {step[:80]!r}.")
    with transaction.atomic():
        locked = Variant.objects.select_for_update().get(pk=variant.pk)
        taken = {use.number: use for use in locked.hint_uses.filter(step=step)}
        # One at a time: a number further on is the next one.
        wanted = len(taken) + 1 if number is None else min(max(number, 1), len(taken) + 1)
        if wanted in taken:
            return taken[wanted]
        texts = hints(problem, locked.parameters, step, locked.draft, locale)
        if wanted > len(texts):
            raise NoMoreHints("You have seen every hint of this step.")
        return HintUse.objects.create(variant=locked, step=step, number=wanted, text=texts[wanted - 1])


def keep_forecast(*, variant: Variant, text: str) -> Forecast:
    """Store what the learner expects; a later text replaces an earlier one. Never graded."""
    said = _said(text, MOST_FORECAST_CHARACTERS, "Write down what you expect, in a few words.")
    return Forecast.objects.update_or_create(variant=variant, defaults={"text": said})[0]


def report_fault(*, learner: User, variant: Variant, text: str, submission: Submission | None = None) -> FaultReport:
    """Store that something is wrong with a problem, with what the learner saw: variant, version, answer, verdict.

    ``submission`` must be one of the variant's; without it the latest is taken. The same words twice are one report.
    """
    said = _said(text, MOST_REPORT_CHARACTERS, "Say in a few words what is wrong.")
    if submission is not None and submission.variant_id != variant.pk:
        raise AnswersRefused("That answer belongs to another variant.")
    shown = submission or variant.submissions.order_by("-pk").first()
    return FaultReport.objects.get_or_create(
        learner=learner,
        variant=variant,
        submission=shown,
        text=said,
        defaults={
            "version": variant.version,
            "grading": shown.gradings.last() if shown else None,
            "grader_version": GRADER_VERSION,
        },
    )[0]


def _said(text: str, most: int, ask: str) -> str:
    said = text.replace("\x00", "").strip()
    if not said:
        raise TextRefused(ask)
    if len(said) > most:
        raise TextRefused(f"Keep it under {most} characters; this has {len(said)}.")
    return said
