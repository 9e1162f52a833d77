"""The named mistakes that learners made of late, and whether they have overcome them."""

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import F, QuerySet, Window
from django.db.models.expressions import RawSQL
from django.db.models.functions import RowNumber

from exercises.loading import problem_of
from exercises.mastery.mistakes import Label, Labelled, Seen, labels
from exercises.models import Evidence, User, Variant
from exercises.refusals import ProblemBroken
from exercises.stored import that_count
from grader import remarks
from grader.errors import FormulaError, ParameterError
from grader.sampling import read_parameters

#: Variants of each learner that are looked at, the latest.
LATEST_VARIANTS = 60
LATEST = (
    "SELECT latest.id FROM unnest(%s::bigint[]) AS own (learner), LATERAL "
    "(SELECT id FROM exercises_variant WHERE learner_id = own.learner ORDER BY id DESC LIMIT %s) AS latest"
)


@dataclass(frozen=True)
class MistakeRow:
    """One named mistake of one learner: made in ``k`` of the latest ``n`` variants in which it could show.

    ``slug``, ``title`` and ``step`` say where it was made last, at ``last_at``; ``says`` is what was said of it there
    (Markdown with $TeX$), empty where nothing general can be said.
    """

    note: str
    label: Label
    k: int
    n: int
    last_at: dt.datetime
    slug: str
    title: str
    step: str
    says: str


@dataclass(frozen=True)
class _Step:
    """One closed step, as far as mistakes go."""

    name: str
    notes: tuple[str, ...]
    is_right: bool
    closed_at: dt.datetime


@dataclass(frozen=True)
class _Met:
    """One variant with its closed steps that were tried."""

    pk: int
    active: tuple[str, ...]
    slug: str
    title: str
    steps: tuple[_Step, ...]


def recent_mistakes(learners: Iterable[User]) -> dict[int, list[MistakeRow]]:
    """The mistakes of each learner that are suspected, likely or resolved, the latest first, by primary key. Three
    queries. Nothing of it is kept anywhere: a label is worked out anew each time, and never a fact about a person."""
    met = _met([learner.pk for learner in learners])
    found = {learner: labels(_seen(variants)) for learner, variants in met.items()}
    last = {
        (learner, note): _last(met[learner], note)
        for learner, labelled in found.items()
        for note, one in labelled.items()
        if one.label is not None and one.last_at is not None
    }
    variants = Variant.objects.select_related("version").in_bulk({variant.pk for variant, _ in last.values()})
    return {
        learner: sorted(
            (_row(one, *last[learner, note], variants) for note, one in labelled.items() if (learner, note) in last),
            key=lambda row: (row.last_at, row.note),
            reverse=True,
        )
        for learner, labelled in found.items()
    }


@dataclass(frozen=True)
class ClassMistake:
    """One named mistake of one learner, made or not: in ``k`` of the ``n`` latest variants in which it could show. The
    last variant in which it was made, and the step there; None and empty where it never was."""

    learner: int
    note: str
    label: Label | None
    k: int
    n: int
    variant: int | None = None
    step: str = ""


def class_mistakes(learners: Iterable[User]) -> list[ClassMistake]:
    """Every named mistake that could have shown with these learners, for counting over a class. Two queries."""
    found = []
    for learner, variants in _met([learner.pk for learner in learners]).items():
        for note, one in labels(_seen(variants)).items():
            made = _last(variants, note) if one.k else None
            found.append(
                ClassMistake(
                    learner, note, one.label, one.k, one.n, made[0].pk if made else None, made[1] if made else ""
                )
            )
    return found


def said_of(variant: Variant, note: str) -> str:
    """What is said of a mistake, with the numbers of a variant (Markdown with $TeX$); empty where nothing general can
    be said. ``variant`` comes with its version."""
    return _says(variant, note)


def _met(learners: Collection[int]) -> dict[int, list[_Met]]:
    """The latest variants of each learner with the steps they closed there. Two queries."""
    names = ("pk", "learner_id", "active", "problem__slug", "problem__title")
    found = list(_latest(learners).order_by("pk").values_list(*names))
    steps = _steps([pk for pk, *_ in found])
    met: dict[int, list[_Met]] = {learner: [] for learner in learners}
    for pk, learner, active, slug, title in found:
        if pk in steps:
            met[learner].append(_Met(pk, tuple(active), slug, title, tuple(steps[pk])))
    return met


def _latest(learners: Collection[int]) -> QuerySet[Variant]:
    """The latest variants of each learner. No query yet."""
    if connection.vendor == "postgresql":
        # However many there are, so many of each are looked at; numbered by a window, it is all that they ever had.
        return Variant.objects.filter(pk__in=RawSQL(LATEST, [list(learners), LATEST_VARIANTS]))  # noqa: S611 - ours
    newest = Window(RowNumber(), partition_by=F("learner_id"), order_by=F("pk").desc())
    return Variant.objects.filter(learner__in=learners).annotate(place=newest).filter(place__lte=LATEST_VARIANTS)


def _steps(variants: Collection[int]) -> Mapping[int, list[_Step]]:
    kept = that_count(Evidence.objects.filter(variant__in=variants, tries__gt=0)).exclude(reason=Evidence.Reason.VOID)
    found: dict[int, list[_Step]] = defaultdict(list)
    for variant, name, notes, reason, closed_at in kept.order_by("closed_at", "pk").values_list(
        "variant_id", "step", "notes", "reason", "closed_at"
    ):
        found[variant].append(_Step(name, tuple(notes), reason == Evidence.Reason.RIGHT, closed_at))
    return found


def _seen(met: Iterable[_Met]) -> Iterator[Seen]:
    """Where each mistake could have shown: in the step it belongs to, or, where that was not tried, in what followed.

    Mistakes that any number may show, such as a lost sign, have no step of their own and could show everywhere.
    """
    met = list(met)
    anywhere = {note for one in met for step in one.steps for note in step.notes if "." not in note}
    for one in met:
        made = {note for step in one.steps for note in step.notes}
        for note in {*one.active, *made, *anywhere}:
            own = [step for step in one.steps if step.name == note.partition(".")[0]]
            shown = [step for step in one.steps if note in step.notes] or own or list(one.steps)
            yield Seen(
                note=note,
                problem=one.slug,
                variant=one.pk,
                closed_at=shown[-1].closed_at,
                is_match=note in made,
                is_right=all(step.is_right for step in shown),
            )


def _last(met: Iterable[_Met], note: str) -> tuple[_Met, str]:
    """Where a mistake was made last: the variant, and the step."""
    made = [(step.closed_at, one.pk, one, step.name) for one in met for step in one.steps if note in step.notes]
    *_, one, step = max(made, key=lambda entry: entry[:2])
    return one, step


def _row(one: Labelled, met: _Met, step: str, variants: Mapping[int, Variant]) -> MistakeRow:
    if one.label is None or one.last_at is None:
        raise ValueError(f"Nothing is to be said of {one.note}.")
    return MistakeRow(
        note=one.note,
        label=one.label,
        k=one.k,
        n=one.n,
        last_at=one.last_at,
        slug=met.slug,
        title=met.title,
        step=step,
        says=_says(variants[met.pk], one.note),
    )


def _says(variant: Variant, note: str) -> str:
    if note in remarks.UNIVERSAL:
        return remarks.UNIVERSAL[note]
    try:
        problem = problem_of(variant)
        drawn: Any = read_parameters(problem, variant.parameters)
        return next((one.says.fill(drawn) for one in problem.mistakes if one.note == note), "")
    except (ProblemBroken, ParameterError, FormulaError):
        return ""
