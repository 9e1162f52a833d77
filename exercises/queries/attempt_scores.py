"""What attempts come to: worked out from what was sent, how it was judged, and what people decided about it."""

import logging
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from itertools import chain
from typing import Any

from exercises.course_rules import Pair, rules_of_pairs
from exercises.courses.item_scoring import ItemScore, Sent, decisions_of, handed_over, practised, tried
from exercises.courses.rules import Rules, days_late, late_share
from exercises.courses.scoring import Decisions, StepMark, compensated_score, weighs
from exercises.models import Attempt, AttemptItem, Grading, Override, ProblemSet, ProblemVersion, Ruling, Submission
from exercises.models.variant import Variant
from grader.errors import ProblemError
from grader.problem import load, narrowed

log = logging.getLogger(__name__)

#: Plain data of a verdict, as it stands in Grading.
VerdictData = Mapping[str, Any]
#: What a numerator or denominator may be at most; and what a share that needs more is rounded down to parts of, which
#: tenths, thirds, sevenths and so on are whole numbers of: it stays on its side of any pass mark.
MOST_STORED = 2**63 - 1
PARTS = 720720 * 10**12


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
    judged: Mapping[int, VerdictData] | None = None,
    judged_by: ProblemVersion | None = None,
) -> Worked:
    """What these places, and the attempts they are in, come to. Nothing is written or locked.

    The other places of an attempt count as they were kept last, unless something was sent late there. ``judged`` are
    verdicts, by submission, that count instead of those in the table: what a regrade would do. They are by
    ``judged_by``, or by what each variant is marked by now.
    Scores fit the columns of the tables. Twelve queries at most, however many places.
    """
    wanted = set(attempt_items)
    attempts = {
        attempt.pk: attempt
        for attempt in Attempt.objects.filter(
            pk__in=AttemptItem.objects.filter(pk__in=wanted).values("attempt")
        ).select_related("problem_set__course")
    }
    if not attempts:
        return Worked()
    read = _Read(attempts)
    read.judge(read.to_work_out(wanted), judged or {}, judged_by)
    scores = {item.pk: read.score_of(item) for item in chain.from_iterable(read.places.values())}
    return Worked(
        items={pk: (score.tries, fitting(score.score)) for pk, score in scores.items() if pk in read.marked},
        attempts={pk: read.attempt_score(attempt, scores) for pk, attempt in attempts.items()},
    )


def fitting(share: Fraction | None) -> Fraction | None:
    """The share itself, or, where its numerator or denominator is too large for the tables, the next one below that
    is not."""
    if share is None or share.denominator <= MOST_STORED:
        return share
    return Fraction(share.numerator * PARTS // share.denominator, PARTS)


@dataclass(frozen=True)
class _Drawn:
    """A variant as far as scores go by it."""

    pk: int
    item: int
    digest: str
    asked: tuple[str, ...] | None
    version: int


class _Read:
    """What is read of some attempts, in a constant number of queries."""

    def __init__(self, attempts: Mapping[int, Attempt]) -> None:
        self.attempts = attempts
        self.places: dict[int, list[AttemptItem]] = {pk: [] for pk in attempts}
        # What stands in the boxes can be long, and says nothing here.
        for item in AttemptItem.objects.filter(attempt__any_of=list(attempts)).defer("saved").order_by("position"):
            self.places[item.attempt_id].append(item)
        self.drawn = {one.pk: one for one in _drawn(chain.from_iterable(self.places.values()))}
        self.of_item: dict[int, list[_Drawn]] = defaultdict(list)
        for one in self.drawn.values():
            self.of_item[one.item].append(one)
        self.sent: dict[int, list[tuple[Any, int, int]]] = defaultdict(list)
        self.unmarked: set[int] = set()
        self.pending: set[int] = set()
        self._read_sent()
        self.rules = _rules(attempts.values())
        sets = {attempt.problem_set_id for attempt in attempts.values()}
        self.rulings = _rulings(sets)
        self.overrides = _overrides(sets, {attempt.learner_id for attempt in attempts.values()})
        self.marked: dict[int, list[Sent]] = {}
        self.versions: dict[int, ProblemVersion] = {}

    def _read_sent(self) -> None:
        """(moment, submission, variant) of what is graded, by place; the places where something else was sent, and the
        attempts in which something of it still waits."""
        item_of = {pk: one.item for pk, one in self.drawn.items()}
        attempt_of = {item.pk: attempt for attempt, items in self.places.items() for item in items}
        rows = Submission.objects.filter(variant__any_of=list(self.drawn)).order_by("created_at", "pk")
        for pk, variant, at, state in rows.values_list("pk", "variant_id", "created_at", "state"):
            if state == Submission.State.GRADED:
                self.sent[item_of[variant]].append((at, pk, variant))
                continue
            self.unmarked.add(item_of[variant])
            if state == Submission.State.PENDING:
                self.pending.add(attempt_of[item_of[variant]])

    def to_work_out(self, wanted: set[int]) -> list[AttemptItem]:
        """The places to be worked out from their answers: those wanted, and all of a quiz in which something came late,
        since how late it counts is not kept with a place."""
        found = []
        for pk, items in self.places.items():
            due_at = self.rules_of(self.attempts[pk]).due_at if self._is_quiz(self.attempts[pk]) else None
            is_late = due_at is not None and any(
                at > due_at for item in items for at, _, _ in self.sent.get(item.pk, ())
            )
            found += [item for item in items if is_late or item.pk in wanted]
        return found

    def judge(
        self, items: list[AttemptItem], judged: Mapping[int, VerdictData], judged_by: ProblemVersion | None
    ) -> None:
        """Read how the answers of these places were marked: what ``marked`` holds then. Two queries."""
        submissions = [pk for item in items for _, pk, _ in self.sent.get(item.pk, ())]
        # Of several verdicts on one submission the latest stays.
        rows = Grading.objects.filter(submission__any_of=submissions).order_by("pk")
        latest = {
            submission: (version, verdict)
            for submission, version, verdict in rows.values_list("submission_id", "version_id", "verdict")
        }
        for item in items:
            for _, pk, variant in self.sent.get(item.pk, ()):
                if pk in judged:
                    latest[pk] = (judged_by.pk if judged_by else self.drawn[variant].version), judged[pk]
        discounting = {item for item, found in self.rulings.items() if any(row[0] == "discount" for row in found)}
        wanted = {version for version, _ in latest.values()} | {
            one.version
            for placed in chain.from_iterable(self.places.values())
            if placed.item_id in discounting
            for one in self.of_item[placed.pk]
        }
        self.versions = ProblemVersion.objects.in_bulk(wanted)
        for item in items:
            self.marked[item.pk] = [
                self._sent(item, at, self.drawn[variant], *latest[pk])
                for at, pk, variant in self.sent.get(item.pk, ())
                if pk in latest
            ]

    def _sent(self, item: AttemptItem, at: Any, drawn: _Drawn, version: int, verdict: VerdictData) -> Sent:
        steps = _steps(self.versions[version].source, drawn.asked)
        decisions = self._decisions(item, drawn)
        if steps is None:
            # Its problem can no longer be read: what it came to stays, as a whole.
            return Sent(drawn.pk, at, (StepMark("", Fraction(1), Fraction(verdict["score"])),), decisions)
        marks = verdict["marks"]
        return Sent(drawn.pk, at, tuple(_mark(name, weight, marks.get(name)) for name, weight in steps), decisions)

    def _decisions(self, item: AttemptItem, drawn: _Drawn) -> Decisions:
        by_hand = self._by_hand(item)
        return decisions_of(
            self.rulings.get(item.item_id, ()),
            digest=drawn.digest,
            overridden={step: share for (place, step), share in by_hand.items() if place == item.item_id and step},
        )

    def _by_hand(self, item: AttemptItem) -> Mapping[tuple[int | None, str], Fraction]:
        attempt = self.attempts[item.attempt_id]
        return self.overrides.get((attempt.problem_set_id, attempt.learner_id), {})

    def rules_of(self, attempt: Attempt) -> Rules:
        return self.rules[attempt.problem_set_id, attempt.learner_id]

    def _is_quiz(self, attempt: Attempt) -> bool:
        is_paper = attempt.handed_in_by == Attempt.HandedInBy.STAFF
        return attempt.problem_set.mode == ProblemSet.Mode.QUIZ and not is_paper

    def score_of(self, item: AttemptItem) -> ItemScore:
        """What one place comes to, by its mode; by hand outranks it. As it was kept, where nothing of it was read."""
        attempt = self.attempts[item.attempt_id]
        if item.pk not in self.marked:
            return ItemScore(item.tries, item.score)
        sent = self.marked[item.pk]
        if self._is_quiz(attempt):
            found = tried(sent, self.rules_of(attempt), attempt.count_as_at or attempt.handed_in_at)
        elif attempt.problem_set.mode == ProblemSet.Mode.PRACTICE and attempt.handed_in_by != Attempt.HandedInBy.STAFF:
            found = practised(sent)
        else:
            found = handed_over(sent)
        by_hand = self._by_hand(item).get((item.item_id, ""))
        if by_hand is not None:
            return replace(found, score=by_hand)
        if found.score is None and attempt.is_over and item.pk not in self.unmarked:
            # Left out. What could not be marked is not: it costs nothing, and waits for staff.
            return replace(found, score=Fraction(0))
        return found

    def attempt_score(self, attempt: Attempt, scores: Mapping[int, ItemScore]) -> tuple[Fraction | None, int]:
        """What an attempt comes to, and how many days late it counts as."""
        items = self.places[attempt.pk]
        share, days = Fraction(1), max((scores[item.pk].days_late for item in items), default=0)
        moment = attempt.count_as_at or attempt.handed_in_at
        if moment is not None and attempt.problem_set.mode != ProblemSet.Mode.PRACTICE and not self._is_quiz(attempt):
            rules = self.rules_of(attempt)
            share, days = late_share(rules, moment), days_late(rules, moment)
        by_hand = self.overrides.get((attempt.problem_set_id, attempt.learner_id), {}).get((None, ""))
        if by_hand is not None:
            return fitting(by_hand), days
        if not self._is_marked(items) and (not attempt.is_over or attempt.pk in self.pending):
            return None, days
        counting, compensated = [], []
        for item in items:
            part = Fraction(item.weight), scores[item.pk].score
            if self._is_compensated(item):
                compensated.append(part)
            elif self._counts(item):
                counting.append(part)
        return fitting(compensated_score(counting, compensated) * share), days

    def _is_marked(self, items: Iterable[AttemptItem]) -> bool:
        """Whether anything of an attempt was, or was given by hand."""
        return any(self.sent.get(item.pk) or (item.item_id, "") in self._by_hand(item) for item in items)

    def _is_compensated(self, item: AttemptItem) -> bool:
        digests = {digest for kind, _, _, _, digest in self.rulings.get(item.item_id, ()) if kind == "compensate"}
        return bool(digests) and any(one.digest in digests for one in self.of_item[item.pk])

    def _counts(self, item: AttemptItem) -> bool:
        """Whether anything of it is left that counts for anybody."""
        gone = frozenset(step for kind, step, *_ in self.rulings.get(item.item_id, ()) if kind == "discount")
        if not gone or (item.item_id, "") in self._by_hand(item):
            return True
        for one in self.of_item[item.pk]:
            steps = _steps(self.versions[one.version].source, one.asked)
            if steps is None or weighs(
                [_mark(name, weight, None) for name, weight in steps], Decisions(discounted=gone)
            ):
                return True
        return False


def _drawn(items: Iterable[AttemptItem]) -> list[_Drawn]:
    rows = Variant.objects.filter(attempt_item__any_of=[item.pk for item in items]).order_by("number")
    return [
        _Drawn(pk, item, digest, None if asked is None else tuple(asked), marked_by or version)
        for pk, item, digest, asked, marked_by, version in rows.values_list(
            "pk", "attempt_item_id", "digest", "asked", "marked_by_id", "version_id"
        )
    ]


def _rules(attempts: Iterable[Attempt]) -> dict[Pair, Rules]:
    """Of those in whose mode moments or tries count."""
    return rules_of_pairs(
        (attempt.problem_set, attempt.learner_id)
        for attempt in attempts
        if attempt.problem_set.mode != ProblemSet.Mode.PRACTICE
    )


def _rulings(sets: Iterable[int]) -> dict[int, list[tuple[str, str, str, str, str]]]:
    """(kind, step, note, read as, digest), by item. One query."""
    found: dict[int, list[tuple[str, str, str, str, str]]] = defaultdict(list)
    rows = Ruling.objects.filter(problem_set__in=sets, withdrawn_at=None).order_by()
    for item, *said in rows.values_list("item_id", "kind", "step", "note", "read_as", "digest"):
        found[item].append((said[0], said[1], said[2], said[3], said[4]))
    return found


def _overrides(sets: Iterable[int], learners: set[int]) -> dict[Pair, dict[tuple[int | None, str], Fraction]]:
    """Scores by hand by (item, step), of each learner in each set; what cannot be read is logged. One query."""
    found: dict[Pair, dict[tuple[int | None, str], Fraction]] = defaultdict(dict)
    rows = Override.objects.filter(problem_set__in=sets, learner__any_of=sorted(learners), withdrawn_at=None)
    for row in rows:
        try:
            share = row.share
        except (ValueError, ZeroDivisionError):
            log.error("Override %s: %r is no share, and does not count.", row.pk, row.score)
            continue
        found[row.problem_set_id, row.learner_id][row.item_id, row.step] = min(max(share, Fraction(0)), Fraction(1))
    return found


@lru_cache(maxsize=512)
def _steps(source: str, asked: tuple[str, ...] | None) -> tuple[tuple[str, Fraction], ...] | None:
    """The asked steps with their weights; None where the problem can no longer be read, or has no such steps."""
    try:
        problem = load(source) if asked is None else narrowed(load(source), asked)
    except (ProblemError, ValueError):
        log.exception("A problem that answers were marked by can no longer be read.")
        return None
    return tuple((step.name, step.weight) for step in problem.asked)


def _mark(name: str, weight: Fraction, mark: Mapping[str, Any] | None) -> StepMark:
    """What stands in a verdict of one step; a step that it does not speak of earned nothing."""
    if mark is None:
        return StepMark(name, weight, Fraction(0))
    return StepMark(name, weight, Fraction(mark["credit"]), mark["note"], mark["read_as"])
