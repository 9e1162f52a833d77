"""The problem sets of a course: as a learner has them, and as those who teach see them."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from django.db.models import Count, Q, QuerySet

from exercises import clock
from exercises.course_rules import policy_of, rules_of_sets, zone_of
from exercises.courses.rules import Phase, Rules, effective, may_show_feedback, phase
from exercises.courses.scoring import passed, percent
from exercises.courses.wording import moment_in_words
from exercises.models import Attempt, Course, Enrolment, ProblemSet

State = Literal["not-begun", "going-on", "handed-in"]
MOST_SETS = 300


@dataclass(frozen=True)
class SetRow:
    """One published set as one person has it.

    rules      as they are for them; ``phase`` is by these
    state      of their attempts: ``going-on`` while one is open
    attempt    the one that is open, else the latest; None before the first
    is_further another attempt may be begun after those that are over
    score      the best that may be shown, exact; None while there is none
    waits      something is handed in whose result is not shown yet
    """

    problem_set: ProblemSet
    rules: Rules
    phase: Phase
    state: State
    attempt: Attempt | None
    is_further: bool
    score: Fraction | None
    waits: bool

    @property
    def when_words(self) -> str:
        """The next moment that matters, such as ``due Sat 24 October 2026, 20:00 CEST``; empty where none does."""
        return _when(self.rules, self.phase)

    @property
    def may_begin(self) -> bool:
        """Whether a new attempt can be begun now."""
        is_there = self.problem_set.published_at is not None and self.problem_set.course.archived_at is None
        return is_there and self.state != "going-on" and self.is_further and self.phase in ("open", "late")

    @property
    def score_words(self) -> str:
        """The score for people, such as ``69.6 %``; empty while there is none to show."""
        return "" if self.score is None else percent(self.score, threshold=self.rules.pass_mark)

    @property
    def is_passed(self) -> bool | None:
        """Whether the score reaches the pass mark; None without a score or without a mark."""
        if self.score is None or self.rules.pass_mark is None:
            return None
        return passed(self.score, self.rules.pass_mark)


@dataclass(frozen=True)
class TaughtRow:
    """One set as those who teach see it: its rules as they are written, how many items, and how many learners have
    begun it and handed it in."""

    problem_set: ProblemSet
    rules: Rules
    phase: Phase
    items: int
    begun: int
    handed_in: int

    @property
    def when_words(self) -> str:
        """As of ``SetRow``, for whoever has no extension."""
        return _when(self.rules, self.phase)

    @property
    def state(self) -> str:
        """One word: ``draft`` before it is published, then its phase."""
        return self.phase if self.problem_set.published_at else "draft"


def sets_for(enrolment: Enrolment) -> list[SetRow]:
    """The published sets of the enrolment's course that its person may see, in order. Three queries."""
    return rows_for(list(visible_to(enrolment).order_by("position", "pk")[:MOST_SETS]), enrolment)


def set_for(problem_set: ProblemSet, enrolment: Enrolment) -> SetRow:
    """One set, found by ``access``, as that person has it, published or not. Two queries."""
    return rows_for([problem_set], enrolment)[0]


def sets_taught(course: Course) -> list[TaughtRow]:
    """All sets of a course, drafts too, in order. Two queries."""
    counted = Count("items", filter=Q(items__retired=False))
    sets = there_are(course).annotate(item_count=counted).order_by("position", "pk")
    learners = Count("learner", distinct=True)
    done = Count("learner", distinct=True, filter=Q(handed_in_at__isnull=False))
    attempts = Attempt.objects.filter(problem_set__course=course, is_preview=False)
    grouped = attempts.order_by().values("problem_set").annotate(begun=learners, done=done)
    numbers = {row["problem_set"]: (row["begun"], row["done"]) for row in grouped}
    found, now = [], clock.now()
    for one in sets[:MOST_SETS]:
        one.course = course
        rules = written_rules(one)
        begun, handed_in = numbers.get(one.pk, (0, 0))
        found.append(TaughtRow(one, rules, phase(rules, now), one.item_count, begun, handed_in))
    return found


def written_rules(problem_set: ProblemSet) -> Rules:
    """The rules as they are for whoever has no extension and no time factor. The set comes with its course. No
    query."""
    return effective(policy_of(problem_set), time_zone=zone_of(problem_set.course))


def visible_to(enrolment: Enrolment) -> QuerySet[ProblemSet]:
    """The published sets of a course that a member may see who learns or observes there. No query."""
    open_to = Q(groups=None) | Q(groups__members=enrolment)
    sets = ProblemSet.objects.filter(course=enrolment.course_id, retired=False, published_at__isnull=False)
    return sets.filter(open_to).distinct()


def there_are(course: Course) -> QuerySet[ProblemSet]:
    """All sets of a course that were not taken away, drafts too. No query."""
    return course.problem_sets.filter(retired=False)


def rows_for(sets: Sequence[ProblemSet], enrolment: Enrolment) -> list[SetRow]:
    """These sets of the enrolment's course as its person has them. Two queries."""
    for one in sets:
        one.course = enrolment.course
    rules = rules_of_sets(sets, enrolment)
    attempts: dict[int, list[Attempt]] = defaultdict(list)
    own = Attempt.objects.filter(problem_set__in=sets, learner=enrolment.user_id, is_preview=False)
    for attempt in own.order_by("number"):
        attempts[attempt.problem_set_id].append(attempt)
    return [_row(one, rules[one.pk], attempts[one.pk]) for one in sets]


def _row(problem_set: ProblemSet, rules: Rules, attempts: Sequence[Attempt]) -> SetRow:
    now = clock.now()
    going_on = [attempt for attempt in attempts if not attempt.is_over]
    shown = [attempt for attempt in attempts if may_show_feedback(rules, handed_in=attempt.is_over, now=now)]
    state: State = "going-on" if going_on else "handed-in" if attempts else "not-begun"
    return SetRow(
        problem_set=problem_set,
        rules=rules,
        phase=phase(rules, now),
        state=state,
        attempt=going_on[-1] if going_on else attempts[-1] if attempts else None,
        is_further=len(attempts) < rules.attempts,
        score=max(_scores(shown), default=None),
        waits=any(attempt.is_over and attempt not in shown for attempt in attempts),
    )


def _when(rules: Rules, state: Phase) -> str:
    moments = {
        "not-yet": ("opens", rules.opens_at),
        "open": ("due", rules.due_at) if rules.due_at else ("closes", rules.closes_at),
        "late": ("closes", rules.closes_at),
        "closed": ("closed", rules.closes_at),
    }
    verb, moment = moments[state]
    return f"{verb} {moment_in_words(moment, rules.time_zone)}" if moment else ""


def _scores(attempts: Iterable[Attempt]) -> list[Fraction]:
    return [attempt.score for attempt in attempts if attempt.score is not None]
