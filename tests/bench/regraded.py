"""The processes that ``regrading`` measures, on a PostgreSQL that is empty and migrated.

``seed N`` fills it with N marked answers of a course whose key was wrong. ``run N`` regrades them and prints seconds
and memory as JSON, with those of writing as many rows by themselves. Two processes: memory is that of the work alone.
"""

import json
import resource
import sys
import uuid
from collections.abc import Callable, Iterator
from itertools import count, islice
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np
from django.db import connection, transaction

from exercises import catalogue, clock
from exercises.actions import sync_catalogue
from exercises.actions.record import grading_of
from exercises.actions.regrading.deciding import apply_regrade, make_regrade
from exercises.actions.regrading.work import work_on
from exercises.actions.scores import keep_scores
from exercises.bulk import rewrite
from exercises.collecting import uncollected
from exercises.models import (
    Attempt,
    AttemptItem,
    Course,
    Enrolment,
    Event,
    Evidence,
    Grading,
    Mastery,
    Problem,
    ProblemSet,
    ProblemVersion,
    RegradeChange,
    RegradeEvent,
    RegradeMove,
    Role,
    SetItem,
    Submission,
    User,
    Variant,
)
from grader.marking import Task, mark_batch
from grader.problem import load
from grader.sampling import draw
from grader.verdict import Verdict
from tests.bench import by_hand
from tests.bench.copied import copy
from tests.bench.variants import SLUG, problem

#: Answers in one transaction, as the work has it.
BATCH = 1000
#: So many answers are made through the models; more are copies of these.
MADE = 2_000
#: Answers a variant, places an attempt; different variants that are drawn, and given to everybody in turn.
ANSWERS, PLACES, DRAWN = 2, 10, 400
LEARNERS = 1000
STEPS = ("p", "loss")
#: Seconds of a turn, as workers have them; and after how many of these the floor is measured.
TURN, FLOOR_EVERY = 4.0, 3
SCORE = ("score_numerator", "score_denominator")
Drawn = tuple[dict[str, Any], list[tuple[dict[str, Any], Verdict]]]


def seed(total: int) -> None:
    """N answers, all marked by a version whose key was wrong, so that every one of them changes; beyond ``MADE`` a
    multiple of it."""
    right, wrong = versions()
    drawn = list(islice(drawn_answers(wrong), DRAWN))
    teacher = User.objects.create(username="bench-teacher", is_instructor=True)
    learners = User.objects.bulk_create(User(username=f"bench-{number}") for number in range(LEARNERS))
    course = Course.objects.create(title="Bench", created_by=teacher)
    Enrolment.objects.create(course=course, user=teacher, role=Role.INSTRUCTOR)
    found = ProblemSet.objects.create(course=course, title="Bench", mode=ProblemSet.Mode.QUIZ, credits=["1", "1"])
    item = SetItem.objects.create(problem_set=found, problem=right.problem)
    made = min(total, MADE)
    for start in range(0, made, BATCH):
        with transaction.atomic():
            answered(range(start, min(start + BATCH, made)), learners, item, wrong, drawn)
    copy(total // made - 1)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")  # as PostgreSQL does by itself before long


def run(total: int) -> None:
    """Dry run, apply, and the floors; seconds of each and the peak of memory in MB."""
    before = _memory()
    course, teacher = Course.objects.get(), User.objects.get(username="bench-teacher")
    right = Problem.objects.select_related("current").get(slug=SLUG).current
    assert right is not None
    event = make_regrade(
        course=course, actor=teacher, problem=right.problem, version=right, problem_set=None, reason="x",
        never_lower=False,
    )  # fmt: skip
    dry = _in_turns(event, DryFloor(event))
    event = RegradeEvent.objects.get(pk=event.pk)
    apply_regrade(event=event, actor=teacher)
    apply = _in_turns(event, ApplyFloor(event))
    event = RegradeEvent.objects.get(pk=event.pk)
    if (event.state, event.done, Grading.objects.count()) != ("applied", total, total + RegradeChange.objects.count()):
        raise RuntimeError(f"{event.state}: {event.done} of {total} answers, {event.failure} {event.reasons}")
    memory = {"before": before, "peak": _memory()}
    json.dump({"dry": dry, "apply": apply, **memory, "changed": RegradeChange.objects.count()}, sys.stdout)


def versions() -> tuple[ProblemVersion, ProblemVersion]:
    """The version with the right key, and the one before it."""
    right = catalogue.source(SLUG)
    wrong = right.replace("is: powers[t] / total\n", "is: powers[t] / (total + 1)\n")
    for text in (wrong, right):
        sync_catalogue([SLUG], lambda slug, text=text: text)
    versions = Problem.objects.get(slug=SLUG).versions.select_related("problem")
    return versions.get(source=right), versions.get(source=wrong)


def drawn_answers(wrong: ProblemVersion) -> Iterator[Drawn]:
    """Parameters, and what is typed by somebody who slips and by somebody who is right, with its verdict by the wrong
    key."""
    marking = load(wrong.source)
    for number in count(1):
        parameters = draw(problem(), number)
        slip = by_hand.slipped(parameters)
        if slip is None:
            continue
        key = by_hand.solved(np.array([parameters["z"]], dtype=float), np.array([[parameters["t"]]]))
        right = {name: f"{key[name][0, 0]:.4g}" for name in STEPS}
        answers = [{**right, "p": slip["p"]}, right]
        verdicts = mark_batch(marking, [Task(parameters, typed, "en", STEPS) for typed in answers])
        yield parameters, list(zip(answers, verdicts, strict=True))


def answered(
    numbers: range, learners: list[User], item: SetItem, wrong: ProblemVersion, drawn: list[Drawn]
) -> list[Variant]:
    """So many answers in new attempts, ``PLACES`` places each and ``ANSWERS`` answers a place; their variants."""
    now, each = clock.now(), ANSWERS * PLACES
    attempts = Attempt.objects.bulk_create(
        Attempt(problem_set=item.problem_set, learner=learners[n // each % LEARNERS], number=n // each // LEARNERS + 1)
        for n in numbers[::each]
    )
    places = AttemptItem.objects.bulk_create(
        AttemptItem(attempt=attempt, item=item, position=place, weight=1, version=wrong)
        for attempt in attempts
        for place in range(PLACES)
    )
    chosen = [drawn[(numbers.start // ANSWERS + k) % DRAWN] for k in range(len(places))]
    variants = Variant.objects.bulk_create(
        Variant(
            learner_id=place.attempt.learner_id, problem=wrong.problem, version=wrong, attempt_item=place, seed=0,
            number=numbers.start // ANSWERS + k + 1, parameters=chosen[k][0], digest=f"{k:064d}",
            created_at=now,
        )
        for k, place in enumerate(places)
    )  # fmt: skip
    told = [(variant, *answer) for variant, (_, answers) in zip(variants, chosen, strict=True) for answer in answers]
    submissions = Submission.objects.bulk_create(
        Submission(
            variant=variant, author_id=variant.learner_id, answers=typed, checked=list(STEPS), locale="en",
            idempotency_key=uuid.uuid4().hex, fingerprint=uuid.uuid4().hex, created_at=now,
            state=Submission.State.GRADED, claimed_until=None, graded_at=now,
        )
        for variant, typed, _ in told
    )  # fmt: skip
    Grading.objects.bulk_create(
        grading_of(row, verdict, version=wrong, reason=Grading.Reason.FIRST)
        for row, (_, _, verdict) in zip(submissions, told, strict=True)
    )
    keep_scores(place.pk for place in places)
    return variants


def _in_turns(event: RegradeEvent, floor: "DryFloor | ApplyFloor") -> dict[str, Any]:
    """Work on a regrade to the end as workers do, and write the rows of every few turns once more in between, so that
    both meet the same machine: seconds an answer of each, those of CPU of this process, and memory along the way."""
    spent, cpu, turn, memory = 0.0, 0.0, 0, list[float]()
    is_more = True
    while is_more:
        starts = process_time()
        with_more: list[bool] = []
        spent += _timed(lambda found=with_more: found.append(work_on(event.pk, seconds=TURN)))
        cpu += process_time() - starts
        is_more = with_more[0]
        if turn % FLOOR_EVERY == 0 or not is_more:
            floor.measure()
        memory.append(_held())
        done = RegradeEvent.objects.get(pk=event.pk).done
        print(f"{done} answers, {1e6 * spent / max(1, done):.0f} µs each, {memory[-1]:.0f} MB", file=sys.stderr)
        turn += 1
    answers = RegradeEvent.objects.get(pk=event.pk).total
    tenth = max(1, len(memory) // 10)
    return {
        "seconds": spent / answers,
        "cpu": cpu / answers,
        "floor": floor.seconds(answers),
        "memory": [round(max(memory[k : k + tenth])) for k in range(0, len(memory), tenth)],
    }


class _Floor:
    """Seconds to write rows and nothing else: in transactions of as many as the work has, all tables in one."""

    def __init__(self, event: RegradeEvent) -> None:
        self.event = event
        self._spent: dict[str, list[float]] = {}

    def _time(self, kind: str, count: int, work: Callable[[], object]) -> None:
        def written() -> None:
            with uncollected(), transaction.atomic():
                work()

        self._spent.setdefault(kind, []).append(_timed(written) / count)

    def _each(self, kind: str) -> float:
        """The middle one of what was measured, a row."""
        return sorted(self._spent[kind])[len(self._spent[kind]) // 2]


class DryFloor(_Floor):
    """What is different, and whom it moves: the latest rows taken away and written again."""

    def measure(self) -> None:
        """Once more, of the latest batch of each."""
        for model in (RegradeChange, RegradeMove):
            rows = list(model.objects.filter(event=self.event).order_by("-pk")[:BATCH])[::-1]
            if rows:
                _taken_away(model, rows)
                self._time(model.__name__, len(rows), lambda rows=rows, model=model: model.objects.bulk_create(rows))

    def seconds(self, answers: int) -> float:
        """A row of each kind as often as there are some, for an answer."""
        return sum(
            self._each(model.__name__) * model.objects.filter(event=self.event).count() / answers
            for model in (RegradeChange, RegradeMove)
        )


class ApplyFloor(_Floor):
    """Everything that applying the latest batch of answers wrote, in one transaction.

    Rows that were added are added again and then taken away; those that were changed are written over by what they
    hold.
    """

    def measure(self) -> None:
        """Once more, of the latest batch."""
        changes = list(RegradeChange.objects.filter(event=self.event, grading__isnull=False).order_by("-pk")[:BATCH])
        if not changes:
            return
        variants = list(Variant.objects.filter(submissions__in=[one.submission_id for one in changes]).distinct())
        items = list(AttemptItem.objects.filter(pk__in=[one.attempt_item_id for one in variants]))
        attempts = list(Attempt.objects.filter(pk__in={one.attempt_id for one in items}))
        mastery = list(Mastery.objects.filter(learner__in={one.learner_id for one in attempts}))
        gradings = _anew(list(Grading.objects.filter(pk__in=[one.grading_id for one in changes])))
        evidence = _anew(list(Evidence.objects.filter(variant__in=variants)))
        for row in evidence:
            row.revision += 100
        told = _anew(list(Event.objects.order_by("-pk")[: len(attempts)]))
        for row in told:
            row.public_id, row.position = uuid.uuid4(), None

        def work() -> None:
            Grading.objects.bulk_create(gradings)
            rewrite(changes, ("grading_id",))
            rewrite(variants, ("marked_by_id",))
            rewrite(items, ("tries", *SCORE))
            rewrite(attempts, SCORE)
            Event.objects.bulk_create(told)
            Evidence.objects.bulk_create(evidence)
            rewrite(mastery, ("mean", "variance", "weight", "last_at"))

        self._time("apply", len(changes), work)
        for model, rows in ((Grading, gradings), (Evidence, evidence), (Event, told)):
            _taken_away(model, rows)

    def seconds(self, answers: int) -> float:
        """For an answer."""
        return self._each("apply")


def _taken_away(model: Any, rows: list[Any]) -> None:
    """Delete rows that nothing refers to, without looking whether something does: verdicts are never deleted, so that
    no index says who refers to them."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(f"DELETE FROM {model._meta.db_table} WHERE id = ANY(%s)", [[row.pk for row in rows]])


def _anew(rows: list[Any]) -> list[Any]:
    for row in rows:
        row.pk = None
    return rows


def _timed(work: Callable[[], object]) -> float:
    starts = perf_counter()
    work()
    return perf_counter() - starts


def _held() -> float:
    """The memory this process holds now, in MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


def _memory() -> float:
    """The most memory this process has ever held, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
