"""An attempt as those who teach see it: every item with its variants as shown, every try, and what was set aside."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.db.models import Count, Prefetch, Q
from django.shortcuts import get_object_or_404

from exercises.models import (
    Attempt,
    AttemptItem,
    AuditEntry,
    Enrolment,
    Grading,
    Override,
    ProblemSet,
    Ruling,
    SavedAnswer,
    SetItem,
    Submission,
    Variant,
)
from exercises.queries.history import Past

MOST_ENTRIES = 20
#: Of one attempt, the latest first: more than anybody sends, so that no page is without an end.
MOST_TRIES = 500
MOST_ASIDE = 200


@dataclass
class ShownVariant:
    """One variant of a place, with what was sent on it, the latest first."""

    variant: Variant
    tries: list[Past] = field(default_factory=list)


@dataclass
class ShownPlace:
    """One place of an attempt, with its variants, the latest first, and the savings that were set aside."""

    place: AttemptItem
    variants: list[ShownVariant] = field(default_factory=list)
    aside: list[SavedAnswer] = field(default_factory=list)


def places_of(attempt: Attempt) -> list[ShownPlace]:
    """Everything that stands in an attempt. Five queries, however much it is."""
    rows = attempt.items.select_related("item__problem", "item__pool", "version").order_by("position")
    shown = {row.pk: ShownPlace(row) for row in rows}
    variants = Variant.objects.filter(attempt_item__in=shown).select_related("problem", "version", "marked_by")
    by_pk = {row.pk: ShownVariant(row) for row in variants.order_by("-number")}
    for one in by_pk.values():
        if one.variant.attempt_item_id is not None:
            shown[one.variant.attempt_item_id].variants.append(one)
    for past in _tries(by_pk):
        by_pk[past.submission.variant_id].tries.append(past)
    for saved in SavedAnswer.objects.filter(attempt_item__in=shown).exclude(aside="").order_by("-pk")[:MOST_ASIDE]:
        shown[saved.attempt_item_id].aside.append(saved)
    return list(shown.values())


def enrolment_of(attempt: Attempt) -> Enrolment | None:
    """The enrolment of whoever made it; None for somebody who was never on the roster. One query."""
    rows = Enrolment.objects.select_related("user", "course")
    return rows.filter(course=attempt.problem_set.course_id, user=attempt.learner_id).first()


def overrides_of(problem_set: ProblemSet, learner: int) -> list[Override]:
    """The scores set by hand for one learner that hold, the whole set's first. One query."""
    rows = Override.objects.filter(problem_set=problem_set, learner=learner, withdrawn_at=None)
    return sorted(
        rows.select_related("item__problem", "given_by"), key=lambda row: (row.item_id or 0, row.step, row.pk)
    )


def rulings_of(problem_set: ProblemSet, *, is_all: bool = False) -> list[Ruling]:
    """The rulings about a set that hold, the latest first; with ``is_all`` also those taken back. One query."""
    rows = Ruling.objects.filter(problem_set=problem_set).select_related("item__problem", "given_by")
    return list((rows if is_all else rows.filter(withdrawn_at=None)).order_by("-pk")[:MOST_ASIDE])


def attempts_beside(attempt: Attempt) -> list[Attempt]:
    """All attempts of the same learner at the same set, in order. One query."""
    rows = Attempt.objects.filter(problem_set=attempt.problem_set_id, learner=attempt.learner_id, is_preview=False)
    return list(rows.order_by("number"))


def deeds_about(problem_set: ProblemSet, learner: int) -> list[AuditEntry]:
    """What was done about one learner's scores in a set, the latest first. One query."""
    rows = AuditEntry.objects.filter(course=problem_set.course_id, problem_set=problem_set, learner=learner)
    return list(rows.select_related("actor").order_by("-pk")[:MOST_ENTRIES])


@dataclass(frozen=True)
class Settling:
    """Decisions that the scores have not followed yet: how many they are, and of the first how many learners are
    done, of how many."""

    decisions: int
    ruling: Ruling
    done: int
    total: int


def settling(sets: Iterable[ProblemSet]) -> Settling | None:
    """What scores of these sets still have to follow, if anything. One query, two then."""
    waiting = Ruling.objects.filter(problem_set__in=list(sets), applied_at=None).select_related("item__problem")
    rulings = list(waiting.order_by("pk")[:MOST_ASIDE])
    if not rulings:
        return None
    first = rulings[0]
    places = AttemptItem.objects.filter(item=first.item_id, attempt__is_preview=False)
    if first.digest:
        places = places.filter(variants__digest=first.digest)
    learners = Count("attempt__learner", distinct=True)
    done = Count("attempt__learner", distinct=True, filter=Q(attempt__learner__lte=first.reached))
    counts = places.aggregate(total=learners, done=done)
    return Settling(len(rulings), first, counts["done"], counts["total"])


def ruling_in(problem_set: ProblemSet, pk: int) -> Ruling:
    """A ruling about a set, with item and problem; Http404 if there is none. One query."""
    found: Ruling = get_object_or_404(Ruling.objects.select_related("item__problem"), problem_set=problem_set, pk=pk)
    found.problem_set = found.item.problem_set = problem_set
    return found


def override_in(problem_set: ProblemSet, pk: int) -> Override:
    """A score set by hand in a set, with learner, item and problem; Http404 if there is none. One query."""
    rows = Override.objects.select_related("item__problem", "learner")
    found: Override = get_object_or_404(rows, problem_set=problem_set, pk=pk)
    found.problem_set = problem_set
    return found


def item_in(problem_set: ProblemSet, pk: int) -> SetItem:
    """An item of a set, also one taken out, with its problem; Http404 if there is none. One query."""
    found: SetItem = get_object_or_404(SetItem.objects.select_related("problem"), problem_set=problem_set, pk=pk)
    found.problem_set = problem_set
    return found


def _tries(variants: Mapping[int, ShownVariant]) -> Sequence[Past]:
    gradings = Prefetch("gradings", queryset=Grading.objects.order_by("pk"), to_attr="judgements")
    rows = Submission.objects.filter(variant__in=variants).select_related("entered_by").prefetch_related(gradings)
    return [
        Past(row, row.judgements[-1].judged if row.judgements else None) for row in rows.order_by("-pk")[:MOST_TRIES]
    ]
