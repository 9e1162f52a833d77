"""What happened on some variants, read from the tables by a constant number of queries, and which steps it closed."""

import datetime as dt
import logging
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import chain
from typing import Any

from exercises.loading import loaded
from exercises.mastery.closing import Answer, AskedStep, Closing, History, Try, closings
from exercises.mastery.difficulty import guess_floor
from exercises.models import AttemptItem, Grading, HintUse, ProblemVersion, Submission, Variant
from exercises.refusals import ProblemBroken
from grader.answers import options_of
from grader.errors import ParameterError
from grader.problem import Problem, Step
from grader.sampling import read_parameters
from grader.verdict import Mark, Verdict

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Closed:
    """The closed steps of one variant, and what their evidence has to say of the variant itself."""

    variant: Variant
    problem: Problem
    closings: tuple[Closing, ...]

    def guess_floor(self, step: str) -> float:
        """How often somebody who knows nothing is right at a step: 0 unless there are options to choose from."""
        return _guess_floor(self.problem, self.problem.step(step), self.variant.parameters)


#: A submission and its verdict, as the grader gave it or as plain data.
Judged = tuple[Submission, Verdict | Mapping[str, Any]]


def closed_steps(variants: Iterable[Variant], judged: Collection[Judged] = ()) -> dict[int, Closed]:
    """Which steps of these variants are closed, by primary key. Three queries, one for versions not loaded yet, and one
    where some are of attempts.

    ``judged`` are verdicts that the open transaction writes or has written: they count instead of those in the table.
    Each variant's ``asked``, ``revealed_at``, ``scaffolded_at`` and ``marked_by`` are brought up to date. One whose
    problem can no longer be read is left out: what is known of it stays as it is.
    """
    by_pk = {variant.pk: variant for variant in variants}
    drawn_later = _refresh(by_pk)
    handed_in = _handed_in(by_pk.values())
    tries, hints = _tries(by_pk, judged), _hints(by_pk)
    versions = _versions(by_pk.values())
    steps: dict[tuple[int, tuple[str, ...] | None], tuple[AskedStep, ...]] = {}
    found = {}
    for pk, variant in by_pk.items():
        try:
            problem = loaded(versions[variant.marked_by_id or variant.version_id])
        except ProblemBroken:
            log.error("No evidence is kept of variant %s: its problem can no longer be read.", variant.public_id)
            continue
        asked = None if variant.asked is None else tuple(variant.asked)
        key = variant.marked_by_id or variant.version_id, asked
        if key not in steps:
            steps[key] = _asked(problem, asked)
        # Whoever hands in leaves what they had tried, as whoever draws on.
        left = drawn_later[pk] + handed_in.get(variant.attempt_item_id, [])
        history = History(tries[pk], hints[pk], left, variant.revealed_at, variant.scaffolded_at)
        found[pk] = Closed(variant, problem, tuple(closings(steps[key], history)))
    return found


def _refresh(variants: Mapping[int, Variant]) -> dict[int, list[dt.datetime]]:
    """Bring the variants up to date; for each, when later ones of its problem were drawn. One query, two where some are
    of attempts and some are not."""
    rows = chain.from_iterable(_beside(variants.values()))
    # By number, not by time: a clock may have gone back.
    # Of one place: what is drawn for an exam takes nobody away from what they practise.
    drawn: dict[tuple[int, int, int | None], list[tuple[int, dt.datetime]]] = defaultdict(list)
    for pk, learner, problem, place, number, created_at, asked, revealed_at, scaffolded_at, marked_by in rows:
        drawn[learner, problem, place].append((number, created_at))
        if pk in variants:
            variant = variants[pk]
            variant.asked, variant.revealed_at, variant.scaffolded_at = asked, revealed_at, scaffolded_at
            variant.marked_by_id = marked_by
    return {
        pk: [
            at
            for number, at in drawn[variant.learner_id, variant.problem_id, variant.attempt_item_id]
            if number > variant.number
        ]
        for pk, variant in variants.items()
    }


def _beside(variants: Iterable[Variant]) -> Iterator[Iterable[tuple[Any, ...]]]:
    """These variants with all later ones at their places, and in practice of their problems: of what somebody practises
    at several places, no more is read than that. One query for each of the two."""
    columns = (
        "pk", "learner_id", "problem_id", "attempt_item_id", "number", "created_at", "asked", "revealed_at",
        "scaffolded_at", "marked_by_id",
    )  # fmt: skip
    rows = Variant.objects.order_by()
    if places := {one.attempt_item_id for one in variants if one.attempt_item_id is not None}:
        yield rows.filter(attempt_item__any_of=places).values_list(*columns)
    if practised := [one for one in variants if one.attempt_item_id is None]:
        learners, problems = {one.learner_id for one in practised}, {one.problem_id for one in practised}
        first = min(one.number for one in practised)
        later = rows.filter(learner__any_of=learners, problem__in=problems, number__gte=first, attempt_item=None)
        yield later.values_list(*columns)


def _handed_in(variants: Iterable[Variant]) -> dict[int | None, list[dt.datetime]]:
    """When the attempts of these places were handed in. One query, if there are any."""
    places = {variant.attempt_item_id for variant in variants if variant.attempt_item_id is not None}
    if not places:
        return {}
    rows = AttemptItem.objects.filter(pk__any_of=places, attempt__handed_in_at__isnull=False)
    return {place: [at] for place, at in rows.values_list("pk", "attempt__handed_in_at") if at is not None}


def _tries(variants: Iterable[int], judged: Collection[Judged]) -> Mapping[int, list[Try]]:
    """The graded submissions of each variant, under the verdict that counts. One query."""
    gradings = Grading.objects.filter(submission__variant__any_of=list(variants)).order_by("pk")
    if judged:
        gradings = gradings.exclude(submission__any_of=[row.pk for row, _ in judged])
    # Of several verdicts on one submission the latest stays.
    latest = {
        submission: (variant, at, verdict)
        for variant, submission, at, verdict in gradings.values_list(
            "submission__variant_id", "submission_id", "submission__created_at", "verdict"
        )
    }
    found: dict[int, dict[int, Try]] = defaultdict(dict)
    for submission, (variant, at, verdict) in latest.items():
        found[variant][submission] = Try(submission, at, _said(verdict))
    for row, fresh in judged:
        answers = _answers(fresh) if isinstance(fresh, Verdict) else _said(fresh)
        found[row.variant_id][row.pk] = Try(row.pk, row.created_at, answers)
    return defaultdict(list, {variant: list(tries.values()) for variant, tries in found.items()})


def _answers(verdict: Verdict) -> dict[str, Answer]:
    """What a verdict says of the steps that were answered."""
    return {
        mark.step: Answer(mark.outcome, mark.note, mark.read_as, _correctness(mark))
        for mark in verdict.marks
        if mark.outcome not in ("blank", "unreadable")
    }


def _said(verdict: Mapping[str, Any]) -> dict[str, Answer]:
    """The same of a verdict as it stands in the table: a mark as an object takes longer than to read it."""
    return {
        step: Answer(mark["outcome"], mark["note"], mark["read_as"], _shown(mark))
        for step, mark in verdict["marks"].items()
        if mark["outcome"] not in ("blank", "unreadable")
    }


def _shown(mark: Mapping[str, Any]) -> float:
    """``_correctness`` of plain data."""
    if mark["outcome"] in ("right", "carried"):
        return 1.0
    entries = mark.get("entries")
    return sum(entries) / len(entries) if entries else _share(mark["credit"])


@lru_cache(maxsize=1024)
def _share(told: str) -> float:
    return float(Fraction(told))


def _correctness(mark: Mark) -> float:
    """r: all of it if right by the learner's own values, of a vector the share of right entries, else the credit."""
    if mark.outcome in ("right", "carried"):
        return 1.0
    return sum(mark.entries) / len(mark.entries) if mark.entries else float(mark.credit)


def _hints(variants: Iterable[int]) -> Mapping[int, list[tuple[str, dt.datetime]]]:
    """The hints taken on each variant. One query."""
    found: dict[int, list[tuple[str, dt.datetime]]] = defaultdict(list)
    uses = HintUse.objects.filter(variant__any_of=list(variants)).order_by()
    for variant, step, at in uses.values_list("variant_id", "step", "created_at"):
        found[variant].append((step, at))
    return found


def _versions(variants: Iterable[Variant]) -> dict[int, ProblemVersion]:
    """The versions the variants are marked by. One query for those that are not loaded, if there are any."""
    variants = list(variants)
    found = {one.version_id: one.version for one in variants if Variant.version.is_cached(one)}
    missing = {one.marked_by_id or one.version_id for one in variants} - found.keys()
    return found | ProblemVersion.objects.in_bulk(missing) if missing else found


def _asked(problem: Problem, asked: tuple[str, ...] | None) -> tuple[AskedStep, ...]:
    """The steps that are asked and train a skill, as the learner model sees them."""
    return tuple(
        AskedStep(
            name=step.name,
            skill=step.skill,
            is_optional=not step.must_be_answered,
            blame={
                mistake.note: mistake.skill
                for mistake in problem.mistakes
                if mistake.skill is not None and mistake.skill != step.skill
            },
        )
        for step in problem.asked
        if step.skill is not None and (asked is None or step.name in asked)
    )


def _guess_floor(problem: Problem, step: Step, parameters: Mapping[str, Any]) -> float:
    if step.options is None:
        return 0.0
    if isinstance(step.options, tuple):
        count = len(step.options)
    else:
        try:
            count = len(options_of(step, read_parameters(problem, parameters)))
        except ParameterError:
            return 0.0
    return guess_floor(step.kind, count)
