"""How an attempt stands: each of its places, for who sits it; and what came too late, for those who teach as well.

What an answer earned is told only where the caller says that the rules allow it by now.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from django.db.models import F, QuerySet, Window
from django.db.models.functions import RowNumber

from exercises.course_rules import rules_of
from exercises.courses.rules import Rules
from exercises.loading import problem_of
from exercises.models import Attempt, AttemptItem, Grading, ProblemSet, SavedAnswer, Submission, User, Variant
from exercises.refusals import ProblemBroken
from grader.answers import read_answer
from grader.reading import Reading

#: What of the things set aside is offered to be taken up, the latest first.
MOST_OFFERED = 3
#: In practice there are as many variants of a place as one likes: no more than these are looked at, the latest.
MOST_VARIANTS = 20

State = Literal["blank", "partly", "typed", "unreadable", "pending", "tried", "right", "used"]


@dataclass(frozen=True)
class PlaceRow:
    """One place of an attempt.

    state  blank       nothing is typed
           unreadable  something typed cannot be read
           partly      a step that counts is left blank
           typed       everything is there, and was not sent
           pending     sent, and not marked yet
           tried       marked, or waiting for its results to be told; another try is left
           right       everything is right
           used        marked, and no try is left
    best   what it counts so far, in [0, 1]; None where nothing is marked, or it may not be told
    steps  the places of the steps that are left blank or cannot be read

    ``variants`` are all of the place, in practice the latest.
    """

    item: AttemptItem
    title: str
    weight: Fraction
    variants: tuple[Variant, ...]
    state: State
    tries: int
    best: Fraction | None
    is_saved: bool
    is_unsent: bool
    steps: tuple[int, ...]

    @property
    def position(self) -> int:
        """Its number in the attempt, from 1."""
        return self.item.position

    @property
    def variant(self) -> Variant:
        """The variant that is open there."""
        return self.variants[-1]


def places_in(attempt: Attempt, rules: Rules, *, tells: bool) -> list[PlaceRow]:
    """The places of an attempt in their order. ``tells``: results may be told. Three queries, one more then."""
    items = list(attempt.items.select_related("item__problem", "version").order_by("position"))
    variants: dict[int, list[Variant]] = defaultdict(list)
    place_of_variant: dict[int, int] = {}
    for variant in _variants_in(attempt, rules):
        place = place_of_variant[variant.pk] = variant.attempt_item_id or 0
        variants[place].append(variant)
    sent: dict[int, list[Submission]] = defaultdict(list)
    for submission in Submission.objects.filter(variant__any_of=list(place_of_variant)).order_by("pk"):
        sent[place_of_variant[submission.variant_id]].append(submission)
    scores = _scores(place_of_variant) if tells else {}
    return [_place(item, tuple(variants[item.pk]), sent[item.pk], scores, rules, tells=tells) for item in items]


def _variants_in(attempt: Attempt, rules: Rules) -> QuerySet[Variant]:
    """The variants of all places, the first first; in practice the latest of each."""
    rows = Variant.objects.filter(attempt_item__attempt=attempt)
    if rules.mode == "practice":
        age = Window(RowNumber(), partition_by=F("attempt_item"), order_by=F("number").desc())
        rows = rows.annotate(age=age).filter(age__lte=MOST_VARIANTS)
    return rows.select_related("problem", "version", "marked_by").order_by("number")


def offered(item: AttemptItem) -> list[SavedAnswer]:
    """What was set aside at a place because something newer stands there, and can be taken up; the latest first. One
    query."""
    saved: Mapping[str, Any] = item.saved or {}
    rows = item.saves.filter(aside=SavedAnswer.Aside.STALE, pk__gt=saved.get("seen", 0))
    return list(rows.exclude(pk__in=saved.get("dealt", [])).order_by("-pk")[:MOST_OFFERED])


def places_with_asides(attempt: Attempt) -> list[int]:
    """The positions at which something that was set aside was neither taken up nor left. One query."""
    rows = SavedAnswer.objects.filter(attempt_item__attempt=attempt, aside=SavedAnswer.Aside.STALE)
    found = rows.values_list("pk", "attempt_item__position", "attempt_item__saved")
    waiting = {
        position
        for pk, position, saved in found
        if pk > (saved or {}).get("seen", 0) and pk not in (saved or {}).get("dealt", [])
    }
    return sorted(waiting)


def late_drafts(attempt: Attempt) -> dict[int, SavedAnswer]:
    """What came after time was up, by position: of each place the latest. It counts nothing by itself. One query."""
    rows = SavedAnswer.objects.filter(attempt_item__attempt=attempt, aside=SavedAnswer.Aside.LATE)
    return {row.attempt_item.position: row for row in rows.select_related("attempt_item").order_by("pk")}


def variants_of(item: AttemptItem) -> list[Variant]:
    """The variants of a place, the first first; the last one is open. One query."""
    return list(item.variants.select_related("problem", "version", "marked_by").order_by("number"))


def place_of(variant: Variant) -> AttemptItem | None:
    """The place of an attempt that a variant was drawn for, with attempt, set and course. One query, none for a variant
    of free practice."""
    if variant.attempt_item_id is None:
        return None
    return AttemptItem.objects.select_related("attempt__problem_set__course").get(pk=variant.attempt_item_id)


def latest_on(variant: Variant) -> Submission | None:
    """The last answer to a variant. One query."""
    return variant.submissions.order_by("-pk").first()


def _place(
    item: AttemptItem,
    variants: tuple[Variant, ...],
    sent: list[Submission],
    scores: Mapping[int, Fraction],
    rules: Rules,
    *,
    tells: bool,
) -> PlaceRow:
    saved: Mapping[str, Any] = item.saved or {}
    answers = saved.get("answers", {}) if saved.get("variant") == str(variants[-1].public_id) else {}
    counting = [row for row in sent if row.state != Submission.State.UNGRADABLE]
    unsent = bool(answers) and not any(row.answers == answers for row in counting if row.variant_id == variants[-1].pk)
    typed, steps = _typed(variants[-1], answers, saved.get("locale", "en"))
    return PlaceRow(
        item=item,
        title=item.item.problem.title,
        weight=Fraction(item.weight),
        variants=variants,
        state=_sent_state(counting, scores, rules) or typed,
        tries=_tries(item, counting, rules),
        best=item.score if tells else None,
        is_saved=bool(answers),
        is_unsent=unsent and typed != "blank",
        steps=steps,
    )


def _tries(item: AttemptItem, counting: list[Submission], rules: Rules) -> int:
    """How many were taken. In practice those that are marked were counted with the score: not all of them are here."""
    if rules.mode != "practice":
        return len(counting)
    return item.tries + sum(row.state == Submission.State.PENDING for row in counting)


def _sent_state(counting: list[Submission], scores: Mapping[int, Fraction], rules: Rules) -> State | None:
    """How a place stands by what was sent; None where nothing was."""
    if not counting:
        return None
    if any(scores.get(row.pk) == 1 for row in counting):
        return "right"
    if any(row.state == Submission.State.PENDING for row in counting):
        return "pending"
    return "used" if rules.credits and len(counting) >= len(rules.credits) else "tried"


def _typed(variant: Variant, answers: Mapping[str, Any], locale: str) -> tuple[State, tuple[int, ...]]:
    """How a place stands by what is typed, and at which steps something is missing."""
    if not answers:
        return "blank", ()
    try:
        asked = problem_of(variant).asked
        readings = [
            read_answer(problem_of(variant), variant.parameters, step.name, answers.get(step.name, ""), locale)
            for step in asked
        ]
    except ProblemBroken:
        return "typed", ()
    return _read_state(readings, [bool(step.weight) for step in asked])


def _read_state(readings: Iterable[Reading], counts: Iterable[bool]) -> tuple[State, tuple[int, ...]]:
    statuses = [
        (place, reading.status, counts_here)
        for place, (reading, counts_here) in enumerate(zip(readings, counts, strict=True), start=1)
    ]
    unread = tuple(place for place, status, _ in statuses if status == "unreadable")
    if unread:
        return "unreadable", unread
    if all(status == "blank" for _, status, _ in statuses):
        return "blank", ()
    missing = tuple(place for place, status, counts_here in statuses if status == "blank" and counts_here)
    return ("partly", missing) if missing else ("typed", ())


def _scores(variants: Iterable[int]) -> dict[int, Fraction]:
    """The score that the grader gave each submission on these last. One query."""
    rows = Grading.objects.filter(submission__variant__any_of=list(variants)).order_by("pk")
    return {
        submission: Fraction(numerator, denominator)
        for submission, numerator, denominator in rows.values_list("submission", "score_numerator", "score_denominator")
    }


def asks_for_another(problem_set: ProblemSet, learner: User) -> int:
    """The number of the attempt that pressing *begin* would add to those handed in; 0 where it adds none, or the first.
    Three queries at most."""
    rows = Attempt.objects.filter(problem_set=problem_set, learner=learner, is_preview=False)
    handed_in = list(rows.values_list("handed_in_at", flat=True))
    if not handed_in or None in handed_in or len(handed_in) >= rules_of(problem_set, learner).attempts:
        return 0
    return len(handed_in) + 1
