"""An attempt as those who teach see it: every item with its variants as shown, every try, and what was set aside."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.db.models import Count, F, Prefetch, Q, Window
from django.db.models.functions import RowNumber

from exercises.models import (
    Attempt,
    AttemptItem,
    AuditEntry,
    Enrolment,
    Grading,
    Override,
    ProblemSet,
    RegradeEvent,
    Ruling,
    SavedAnswer,
    Submission,
    Variant,
)
from exercises.queries.history import Past

MOST_ENTRIES = 20
#: Of one attempt, the latest first: more than anybody sends, so that no page is without an end.
MOST_TRIES = 500
MOST_ASIDE = 200
#: Of one place, the latest: as many as a quiz has tries. In practice there are as many as its learner likes.
MOST_VARIANTS = 20


@dataclass(frozen=True)
class Judged(Past):
    """One submission with every judgement of it, the one that counts last; each with its version and its regrade."""

    judgements: Sequence[Grading] = ()


@dataclass
class ShownVariant:
    """One variant of a place, with what was sent on it, the latest first."""

    variant: Variant
    tries: list[Judged] = field(default_factory=list)


@dataclass
class ShownPlace:
    """One place of an attempt, with its variants, the latest first, how many ``earlier`` ones there are that are not
    shown, and the savings that were set aside."""

    place: AttemptItem
    earlier: int
    variants: list[ShownVariant] = field(default_factory=list)
    aside: list[SavedAnswer] = field(default_factory=list)


def shown_places(attempt: Attempt) -> list[ShownPlace]:
    """Everything that stands in an attempt, of practice as much as one page bears. Five queries, however much it is."""
    rows = attempt.items.select_related("item__problem", "item__pool", "version").order_by("position")
    counted = rows.annotate(drawn=Count("variants"))
    shown = {row.pk: ShownPlace(row, max(0, row.drawn - MOST_VARIANTS)) for row in counted}
    newest = Window(RowNumber(), partition_by=F("attempt_item_id"), order_by=F("number").desc())
    latest = Variant.objects.filter(attempt_item__in=shown).annotate(place=newest).filter(place__lte=MOST_VARIANTS)
    variants = Variant.objects.filter(pk__in=latest.values("pk")).select_related("problem", "version", "marked_by")
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


#: What is done for all in a set and moves scores: its learners are in none of these entries.
DONE_FOR_ALL = ("ruling", "ruling-withdrawn", "regrade-applied", "regrade-undone")


def deeds_about(problem_set: ProblemSet, learner: int, problems: Iterable[int] = ()) -> list[AuditEntry]:
    """What was done about one learner's scores in a set, for them or for all, the latest first; of regrades of the
    whole course those of these ``problems``. Two queries."""
    rows = AuditEntry.objects.filter(course=problem_set.course_id)
    events = RegradeEvent.objects.filter(course=problem_set.course_id, problem_set=None, problem__in=list(problems))
    regrades = [str(one) for one in events.order_by("-pk").values_list("public_id", flat=True)[:MOST_ASIDE]]
    of_set = Q(problem_set=problem_set) & (Q(learner=learner) | Q(learner=None, deed__in=DONE_FOR_ALL))
    of_course = Q(problem_set=None, deed__in=DONE_FOR_ALL, after__regrade__in=regrades)
    found = rows.filter((of_set | of_course) if regrades else of_set)
    return list(found.select_related("actor").order_by("-pk")[:MOST_ENTRIES])


@dataclass(frozen=True)
class Settling:
    """Decisions that the scores have not followed yet: how many they are, and of the first how many learners are
    done, of how many."""

    decisions: int
    ruling: Ruling
    done: int
    total: int


def settling(sets: Iterable[ProblemSet]) -> Settling | None:
    """What scores of these sets still have to follow, if anything. One query, three then."""
    waiting = Ruling.objects.filter(problem_set__in=list(sets), applied_at=None).order_by("pk")
    rulings = list(waiting.values_list("pk", flat=True)[:MOST_ASIDE])
    # Decided and followed meanwhile, there is none any more.
    first = Ruling.objects.select_related("item__problem").filter(pk=rulings[0]).first() if rulings else None
    if first is None:
        return None
    places = AttemptItem.objects.filter(item=first.item_id, attempt__is_preview=False)
    if first.digest:
        places = places.filter(variants__digest=first.digest)
    learners = Count("attempt__learner", distinct=True)
    done = Count("attempt__learner", distinct=True, filter=Q(attempt__learner__lte=first.reached))
    counts = places.aggregate(total=learners, done=done)
    return Settling(len(rulings), first, counts["done"], counts["total"])


def _tries(variants: Mapping[int, ShownVariant]) -> Sequence[Judged]:
    judged = Grading.objects.select_related("version", "event").order_by("pk")
    gradings = Prefetch("gradings", queryset=judged, to_attr="judgements")
    rows = Submission.objects.filter(variant__in=variants).select_related("entered_by").prefetch_related(gradings)
    return [
        Judged(row, row.judgements[-1].judged if row.judgements else None, row.judgements)
        for row in rows.order_by("-pk")[:MOST_TRIES]
    ]
