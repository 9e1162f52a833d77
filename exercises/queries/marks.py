"""How the steps of a variant stand."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from exercises.courses.scoring import StepMark, verdict_score
from exercises.loading import asked_in
from exercises.models import Grading, Submission, Variant
from grader.problem import Problem
from grader.verdict import Mark, Verdict


@dataclass(frozen=True)
class Standing:
    """Where one step stands: how it was marked last, and its best mark, which is the one that counts."""

    latest: Mark
    best: Mark


def verdict_of(submission: Submission) -> Verdict | None:
    """The verdict that counts, which is the latest; None as long as there is none. One query."""
    latest = Grading.objects.filter(submission=submission).order_by("-pk").first()
    return latest.judged if latest else None


def marks_of(variant: Variant) -> dict[str, Standing]:
    """The standing of every step of a variant that was marked, by name, in the order of the problem. One query."""
    return marks_of_all([variant])[variant.pk]


def marks_of_all(variants: Iterable[Variant]) -> dict[int, dict[str, Standing]]:
    """``marks_of`` for several variants at once, by primary key. One query."""
    variants = list(variants)
    gradings = Grading.objects.filter(submission__variant__in=[variant.pk for variant in variants])
    counting: dict[int, dict[int, Verdict]] = {variant.pk: {} for variant in variants}
    # In the order of submission; of several verdicts on one submission only the latest stays.
    for variant, submission, verdict in gradings.order_by("submission", "pk").values_list(
        "submission__variant", "submission", "verdict"
    ):
        counting[variant][submission] = Verdict.from_json(verdict)
    return {variant.pk: _standings(asked_in(variant), counting[variant.pk].values()) for variant in variants}


def score_of(problem: Problem, marks: Mapping[str, Standing]) -> Fraction:
    """The best credit of every asked step, by weight: in [0, 1], and exactly 1 if everything is right."""
    return share_of(problem, {name: standing.best.credit for name, standing in marks.items()})


def share_of(problem: Problem, credits_of: Mapping[str, Fraction]) -> Fraction:
    """What the credits of asked steps come to, added up as the grader and the scores of attempts do; a step without one
    earned nothing. No query."""
    return verdict_score(
        [StepMark(step.name, step.weight, credits_of.get(step.name, Fraction(0))) for step in problem.asked]
    )


def _standings(problem: Problem, verdicts: Iterable[Verdict]) -> dict[str, Standing]:
    standings: dict[str, Standing] = {}
    for verdict in verdicts:
        for mark in verdict.marks:
            # A box left blank says nothing about the step.
            if mark.outcome in ("blank", "unreadable"):
                continue
            before = standings.get(mark.step)
            is_best = before is None or _rank(mark) >= _rank(before.best)
            standings[mark.step] = Standing(latest=mark, best=mark if is_best or before is None else before.best)
    return {step.name: standings[step.name] for step in problem.asked if step.name in standings}


def _rank(mark: Mark) -> tuple[Fraction, bool]:
    """By credit; and right beats carried, which may earn as much."""
    return mark.credit, mark.outcome == "right"
