"""Reading what attempts come to by: what was sent, how it was judged, what people decided. It is decided in
``exercises.courses.attempt_scoring``."""

import datetime as dt
import logging
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from itertools import chain
from typing import Any

from django.db.models import Q

from exercises.course_rules import rules_of_pairs
from exercises.courses.attempt_scoring import Part, Sitting, attempt_score, fitting, is_anything_left, place_score
from exercises.courses.item_scoring import ItemScore, Sent, decisions_of
from exercises.courses.rules import Rules
from exercises.courses.scoring import UNDECIDED, Decisions, StepMark, verdict_score
from exercises.models import Attempt, AttemptItem, Grading, ProblemSet, ProblemVersion, Submission
from exercises.models.variant import Variant
from exercises.queries.decided import NOTHING, Supposed, overrides_of, rulings_of
from grader.errors import ProblemError
from grader.problem import load, narrowed

log = logging.getLogger(__name__)

#: Plain data of a verdict, as it stands in Grading.
VerdictData = Mapping[str, Any]


@dataclass(frozen=True)
class Worked:
    """What places and attempts come to, by primary key: (tries, score) of a place, (score, days late) of an attempt.

    A score is None as long as nothing is marked.
    """

    items: Mapping[int, tuple[int, Fraction | None]] = field(default_factory=dict)
    attempts: Mapping[int, tuple[Fraction | None, int]] = field(default_factory=dict)


def worked_out(
    attempt_items: Iterable[int],
    *,
    attempts: Iterable[int] = (),
    judged: Mapping[int, VerdictData] | None = None,
    judged_by: ProblemVersion | None = None,
    supposed: Supposed = NOTHING,
) -> Worked:
    """What these places, and the attempts they are in, come to; and ``attempts``, by what their places come to already.
    Nothing is written or locked.

    The other places of an attempt count as they were kept last, unless something was sent late there. ``judged`` are
    verdicts, by submission, that count instead of those in the table: what a regrade would do. They are by
    ``judged_by``, or by what each variant is marked by now. ``supposed`` are decisions that nobody took yet.
    Scores fit the columns of the tables. Fourteen queries at most, however many places.
    """
    wanted = set(attempt_items)
    of_wanted = AttemptItem.objects.filter(pk__any_of=wanted).values("attempt")
    found = Attempt.objects.filter(Q(pk__in=of_wanted) | Q(pk__in=list(attempts))).in_bulk()
    if not found:
        return Worked()
    read = _Read(found, supposed)
    read.judge(wanted, judged or {}, judged_by)
    scores = {place.pk: read.score_of(place) for place in chain.from_iterable(read.places.values())}
    begun = {pk for pk in found if read.is_marked(pk, scores)}
    waiting = read.waiting(begun)
    return Worked(
        items={pk: (score.tries, fitting(score.score)) for pk, score in scores.items() if pk in read.marked},
        attempts={
            pk: attempt_score(
                read.sittings[pk],
                [read.part_of(place, scores[place.pk]) for place in read.places[pk]],
                is_marked=pk in begun,
                waits=pk in waiting,
                by_hand=read.by_hand(pk).get((None, "")),
            )
            for pk in found
        },
    )


@dataclass(frozen=True, slots=True)
class _Place:
    """A place of an attempt as it was kept last. Light: of a batch of verdicts most places say only that."""

    pk: int
    attempt: int
    item: int
    weight: Fraction
    tries: int
    numerator: int | None
    denominator: int | None

    @property
    def kept(self) -> ItemScore:
        if self.numerator is None or not self.denominator:
            return ItemScore(self.tries)
        return ItemScore(self.tries, Fraction(self.numerator, self.denominator))


@dataclass(frozen=True)
class _Drawn:
    """A variant as far as scores go by it."""

    pk: int
    place: int
    digest: str
    asked: tuple[str, ...] | None
    version: int


class _Read:
    """What is read of some attempts, in a constant number of queries."""

    def __init__(self, attempts: Mapping[int, Attempt], supposed: Supposed) -> None:
        self.attempts = attempts
        sets = ProblemSet.objects.select_related("course").in_bulk({one.problem_set_id for one in attempts.values()})
        for attempt in attempts.values():
            # One object a set, however many attempts there are at it.
            attempt.problem_set = sets[attempt.problem_set_id]
            attempt.count_as_at = supposed.counted_as.get(attempt.pk, attempt.count_as_at)
        self.places = _places(attempts)
        rules = rules_of_pairs((one.problem_set, one.learner_id) for one in attempts.values())
        self.sittings = {pk: _sitting(one, rules[one.problem_set_id, one.learner_id]) for pk, one in attempts.items()}
        self.rulings = rulings_of(sets, supposed)
        self.overrides = overrides_of(sets, {attempt.learner_id for attempt in attempts.values()}, supposed)
        self.drawn: dict[int, list[_Drawn]] = defaultdict(list)
        # Of the places that are worked out from their answers: what was marked, and where something else was sent.
        self.marked: dict[int, list[Sent]] = {}
        self.unmarked: set[int] = set()
        self.versions: dict[int, ProblemVersion] = {}

    def _to_work_out(self, wanted: set[int]) -> list[_Place]:
        """The places to be worked out from their answers: those wanted, and all of a quiz in which something came late,
        since how late it counts is not kept with a place. One query, where anything is due."""
        due = {pk: one.rules.due_at for pk, one in self.sittings.items() if one.is_quiz}
        moments = {pk: at for pk, at in due.items() if at is not None}
        late: set[int] = set()
        if moments:
            after = Submission.objects.filter(
                variant__attempt_item__attempt__any_of=list(moments), created_at__gt=min(moments.values())
            ).order_by()
            sent = after.values_list("variant__attempt_item__attempt_id", "created_at")
            late = {pk for pk, at in sent if pk is not None and at > moments[pk]}
        places = chain.from_iterable(self.places.values())
        return [place for place in places if place.pk in wanted or place.attempt in late]

    def judge(self, wanted: set[int], judged: Mapping[int, VerdictData], judged_by: ProblemVersion | None) -> None:
        """Read how the answers of these places were marked: what ``marked`` holds then. Up to five queries."""
        places = {place.pk: place for place in self._to_work_out(wanted)}
        ruled = {item for item, said in self.rulings.items() if any(kind != "accept" for kind, *_ in said)}
        also = {place.pk for place in chain.from_iterable(self.places.values()) if place.item in ruled}
        variants = {one.pk: one for one in _drawn(places.keys() | also)}
        for one in variants.values():
            self.drawn[one.place].append(one)
        sent = self._sent_of([one for one in variants.values() if one.place in places])
        # Of several verdicts on one submission the latest stays.
        rows = Grading.objects.filter(submission__any_of=[pk for _, pk, _ in sent if pk not in judged]).order_by("pk")
        latest = {
            submission: (version, verdict)
            for submission, version, verdict in rows.values_list("submission_id", "version_id", "verdict")
        }
        for _, pk, variant in sent:
            if pk in judged:
                latest[pk] = (judged_by.pk if judged_by else variants[variant].version), judged[pk]
        self.versions = ProblemVersion.objects.in_bulk(
            {version for version, _ in latest.values()}
            | {one.version for one in variants.values() if one.place in also}
        )
        self.marked = {pk: [] for pk in places}
        for at, pk, variant in sent:
            if pk in latest:
                drawn = variants[variant]
                self.marked[drawn.place].append(self._sent(places[drawn.place], at, drawn, *latest[pk]))

    def _sent_of(self, variants: Iterable[_Drawn]) -> list[tuple[dt.datetime, int, int]]:
        """(moment, submission, variant) of what is graded, in the order of sending. One query."""
        place_of = {one.pk: one.place for one in variants}
        rows = Submission.objects.filter(variant__any_of=list(place_of)).order_by("created_at", "pk")
        found = []
        for pk, variant, at, state in rows.values_list("pk", "variant_id", "created_at", "state"):
            if state == Submission.State.GRADED:
                found.append((at, pk, variant))
            else:
                self.unmarked.add(place_of[variant])
        return found

    def waiting(self, begun: Collection[int]) -> set[int]:
        """The attempts that are over, not among those ``begun`` to be marked, and in which something waits to be. One
        query, if any might be."""
        over = [pk for pk, one in self.sittings.items() if one.is_over and pk not in begun]
        if not over:
            return set()
        rows = Submission.objects.filter(
            variant__attempt_item__attempt__any_of=over, state=Submission.State.PENDING
        ).order_by()
        return {pk for pk in rows.values_list("variant__attempt_item__attempt_id", flat=True) if pk is not None}

    def _sent(self, place: _Place, at: dt.datetime, drawn: _Drawn, version: int, verdict: VerdictData) -> Sent:
        steps = _steps(self.versions[version].source, drawn.asked)
        decisions = self._decisions(place, drawn)
        if steps is None:
            # Its problem can no longer be read: what it came to stays, as a whole.
            return Sent(drawn.pk, at, (StepMark("", Fraction(1), Fraction(verdict["score"])),), decisions)
        marks = verdict["marks"]
        if decisions is UNDECIDED:
            # Then only the credits say something, of which there are few different ones.
            told = tuple(mark["credit"] if (mark := marks.get(name)) else "" for name, _ in steps)
            plain, score = _plain(self.versions[version].source, drawn.asked, told)
            return Sent(drawn.pk, at, plain, decisions, score)
        return Sent(drawn.pk, at, tuple(_mark(name, weight, marks.get(name)) for name, weight in steps), decisions)

    def _decisions(self, place: _Place, drawn: _Drawn) -> Decisions:
        rulings, by_hand = self.rulings.get(place.item, ()), self.by_hand(place.attempt)
        if not rulings and not by_hand:
            return UNDECIDED
        return decisions_of(
            rulings,
            digest=drawn.digest,
            overridden={step: share for (item, step), share in by_hand.items() if item == place.item and step},
        )

    def by_hand(self, pk: int) -> Mapping[tuple[int | None, str], Fraction]:
        """The scores by hand that hold in an attempt, by (item, step)."""
        attempt = self.attempts[pk]
        return self.overrides.get((attempt.problem_set_id, attempt.learner_id), {})

    def score_of(self, place: _Place) -> ItemScore:
        """What one place comes to; as it was kept, where nothing of it was read."""
        if place.pk not in self.marked:
            return place.kept
        return place_score(
            self.marked[place.pk],
            self.sittings[place.attempt],
            by_hand=self.by_hand(place.attempt).get((place.item, "")),
            waits=place.pk in self.unmarked,
        )

    def part_of(self, place: _Place, score: ItemScore) -> Part:
        """How it counts in its attempt."""
        rulings = self.rulings.get(place.item)
        if not rulings:
            return Part(place.weight, score)
        digests = {digest for kind, _, _, _, digest in rulings if kind == "compensate"}
        gone = frozenset(step for kind, step, *_ in rulings if kind == "discount")
        drawn = self.drawn[place.pk]
        steps = [_steps(self.versions[one.version].source, one.asked) for one in drawn] if gone else []
        return Part(
            place.weight,
            score,
            helps=any(one.digest in digests for one in drawn),
            counts=(place.item, "") in self.by_hand(place.attempt) or is_anything_left(steps, gone),
        )

    def is_marked(self, pk: int, scores: Mapping[int, ItemScore]) -> bool:
        """Whether anything of an attempt that counts is marked, or was given by hand; ``scores`` are of its places.

        By tries, which are kept: it is the same whichever places were worked out. What was practised once the set was
        closed is no try.
        """
        by_hand = self.by_hand(pk)
        return any(scores[place.pk].tries or (place.item, "") in by_hand for place in self.places[pk])


def _places(attempts: Iterable[int]) -> dict[int, list[_Place]]:
    """The places of these attempts in their order. One query."""
    found: dict[int, list[_Place]] = {pk: [] for pk in attempts}
    rows = AttemptItem.objects.filter(attempt__any_of=list(found)).order_by("position")
    columns = ("pk", "attempt_id", "item_id", "weight", "tries", "score_numerator", "score_denominator")
    for pk, attempt, item, weight, *kept in rows.values_list(*columns):
        found[attempt].append(_Place(pk, attempt, item, _exact(weight), kept[0] or 0, kept[1], kept[2]))
    return found


@lru_cache(maxsize=1024)
def _exact(weight: Decimal) -> Fraction:
    return Fraction(weight)


def _drawn(places: Iterable[int]) -> list[_Drawn]:
    """The variants of these places. One query."""
    rows = Variant.objects.filter(attempt_item__any_of=list(places)).order_by("number")
    return [
        _Drawn(pk, place or 0, digest, None if asked is None else tuple(asked), marked_by or version)
        for pk, place, digest, asked, marked_by, version in rows.values_list(
            "pk", "attempt_item_id", "digest", "asked", "marked_by_id", "version_id"
        )
    ]


def _sitting(attempt: Attempt, rules: Rules) -> Sitting:
    return Sitting(
        mode=rules.mode,
        rules=rules,
        is_over=attempt.is_over,
        on_paper=attempt.handed_in_by == Attempt.HandedInBy.STAFF,
        ended_at=attempt.count_as_at or attempt.handed_in_at,
    )


@lru_cache(maxsize=512)
def _steps(source: str, asked: tuple[str, ...] | None) -> tuple[tuple[str, Fraction], ...] | None:
    """The asked steps with their weights; None where the problem can no longer be read, or has no such steps."""
    try:
        problem = load(source) if asked is None else narrowed(load(source), asked)
    except (ProblemError, ValueError):
        log.exception("A problem that answers were marked by can no longer be read.")
        return None
    return tuple((step.name, step.weight) for step in problem.asked)


@lru_cache(maxsize=4096)
def _plain(source: str, asked: tuple[str, ...] | None, told: tuple[str, ...]) -> tuple[tuple[StepMark, ...], Fraction]:
    """The asked steps with these credits, empty for a step that was not marked, and what they come to."""
    steps = _steps(source, asked) or ()
    marks = tuple(
        StepMark(name, weight, _share(credit or "0")) for (name, weight), credit in zip(steps, told, strict=True)
    )
    return marks, verdict_score(marks)


def _mark(name: str, weight: Fraction, mark: Mapping[str, Any] | None) -> StepMark:
    """What stands in a verdict of one step; a step that it does not speak of earned nothing."""
    if mark is None:
        return StepMark(name, weight, Fraction(0))
    return StepMark(name, weight, _share(mark["credit"]), mark["note"], mark["read_as"])


@lru_cache(maxsize=1024)
def _share(told: str) -> Fraction:
    """Of a thousand marks most say one of a few shares."""
    return Fraction(told)
