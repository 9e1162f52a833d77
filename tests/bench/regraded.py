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
from time import perf_counter
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
from exercises.models import (
    Attempt,
    AttemptItem,
    Course,
    Enrolment,
    Evidence,
    Grading,
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
from tests.bench.variants import SLUG, problem

BATCH = 500
#: Answers a variant, places an attempt; different variants that are drawn, and given to everybody in turn.
ANSWERS, PLACES, DRAWN = 2, 10, 400
LEARNERS = 1000
STEPS = ("p", "loss")
#: Seconds, longer than any run.
HOURS = 36_000.0
Drawn = tuple[dict[str, Any], list[tuple[dict[str, Any], Verdict]]]


def seed(total: int) -> None:
    """N answers, all marked by a version whose key was wrong, so that every one of them changes."""
    right, wrong = versions()
    drawn = list(islice(drawn_answers(wrong), DRAWN))
    teacher = User.objects.create(username="bench-teacher", is_instructor=True)
    learners = User.objects.bulk_create(User(username=f"bench-{number}") for number in range(LEARNERS))
    course = Course.objects.create(title="Bench", created_by=teacher)
    Enrolment.objects.create(course=course, user=teacher, role=Role.INSTRUCTOR)
    found = ProblemSet.objects.create(course=course, title="Bench", mode=ProblemSet.Mode.QUIZ, credits=["1", "1"])
    item = SetItem.objects.create(problem_set=found, problem=right.problem)
    for start in range(0, total, BATCH):
        with transaction.atomic():
            answered(range(start, min(start + BATCH, total)), learners, item, wrong, drawn)
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
    spent = {"dry": _timed(lambda: work_on(event.pk, seconds=HOURS))}
    event = RegradeEvent.objects.get(pk=event.pk)
    apply_regrade(event=event, actor=teacher)
    spent["apply"] = _timed(lambda: work_on(event.pk, seconds=HOURS))
    event = RegradeEvent.objects.get(pk=event.pk)
    if (event.state, event.done, Grading.objects.count()) != ("applied", total, total + RegradeChange.objects.count()):
        raise RuntimeError(f"{event.state}: {event.done} of {total} answers, {event.failure} {event.reasons}")
    peak = _memory()
    floors = _floors(event, 20_000)
    json.dump({**spent, **floors, "before": before, "peak": peak, "changed": RegradeChange.objects.count()}, sys.stdout)


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
    numbers: range, learners: list[User], item: SetItem, wrong: ProblemVersion, drawn: list[Drawn], *, before: int = 0
) -> list[Variant]:
    """So many answers in new attempts, ``PLACES`` places each and ``ANSWERS`` answers a place; their variants, which
    are numbered after so many ``before`` them."""
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
            number=before + numbers.start // ANSWERS + k + 1, parameters=chosen[k][0], digest=f"{k:064d}",
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


def _floors(event: RegradeEvent, most: int) -> dict[str, float]:
    """Seconds an answer to write the rows of the dry run, and those of applying it, in batches and nothing else.

    The same rows once more, in transactions of 500: those that are added are taken away first or last, those that are
    changed are written over by what they hold.
    """
    changes = list(RegradeChange.objects.filter(event=event).order_by("pk")[:most])
    answers = [change.submission_id for change in changes]
    variants = list(Variant.objects.filter(submissions__in=answers).distinct())
    places = [variant.attempt_item_id for variant in variants]
    moves = list(RegradeMove.objects.filter(event=event, attempt_item__in=places))
    items = list(AttemptItem.objects.filter(pk__in=places))
    gradings = list(Grading.objects.filter(pk__in=[change.grading_id for change in changes]))
    evidence = list(Evidence.objects.filter(variant__in=variants))
    RegradeChange.objects.filter(pk__in=[change.pk for change in changes]).delete()
    RegradeMove.objects.filter(pk__in=[move.pk for move in moves]).delete()
    dry = _timed(lambda: (_added(changes), _added(moves)))
    _anew(gradings)
    for row in _anew(evidence):
        row.revision += 100
    apply = _timed(
        lambda: (
            _added(gradings),
            _changed(changes, "grading_id"),
            _changed(variants, "marked_by_id"),
            _changed(items, "tries", "score_numerator", "score_denominator"),
            _added(evidence),
        )
    )
    Grading.objects.filter(pk__in=[row.pk for row in gradings]).delete()
    Evidence.objects.filter(revision__gte=100).delete()
    return {"dry_floor": dry / len(changes), "apply_floor": apply / len(changes)}


def _anew(rows: list[Any]) -> list[Any]:
    for row in rows:
        row.pk = None
    return rows


def _changed(rows: list[Any], *names: str) -> None:
    for start in range(0, len(rows), BATCH):
        with transaction.atomic():
            rewrite(rows[start : start + BATCH], names)


def _added(rows: list[Any]) -> None:
    for start in range(0, len(rows), BATCH):
        with transaction.atomic():
            type(rows[0]).objects.bulk_create(rows[start : start + BATCH])


def _timed(work: Callable[[], object]) -> float:
    starts = perf_counter()
    work()
    return perf_counter() - starts


def _memory() -> float:
    """The most memory this process has ever held, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
