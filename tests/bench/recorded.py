"""The process that ``recording`` measures: verdicts recorded on PostgreSQL, in turn with evidence kept and without.

Runs with Django set up, on a database that is empty and migrated; prints two lists of milliseconds as JSON.
"""

import datetime as dt
import json
import sys
import uuid
from collections.abc import Iterable, Iterator
from time import perf_counter

import numpy as np
from django.db import connection

from exercises import clock
from exercises.actions import record, sync_catalogue
from exercises.actions.claim import BATCH, claim_pending
from exercises.actions.evidence import keep_evidence
from exercises.actions.mark import mark_submissions
from exercises.models import Evidence, Mastery, Problem, Submission, User, Variant
from grader.sampling import draw
from tests.bench import by_hand
from tests.bench.variants import SLUG, problem

LEARNERS, ROUNDS, WARM_UP = 100, 24, 4
Answers = dict[str, str | list[str]]


def main() -> None:
    """Record so many batches of 500 answers of 100 learners, each learner's on two variants."""
    sync_catalogue([SLUG])
    learners = User.objects.bulk_create(User(username=f"bench-{number}") for number in range(LEARNERS))
    spent: dict[bool, list[float]] = {True: [], False: []}
    now = clock.now() - dt.timedelta(days=2 * (WARM_UP + ROUNDS))
    for turn in range(2 * (WARM_UP + ROUNDS)):
        is_kept = turn % 2 == 0
        now += dt.timedelta(days=1)
        _hand_in(learners, turn, now)
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")  # as PostgreSQL does by itself before long
        claim = claim_pending()
        marked = mark_submissions(claim.submissions)
        # Not at all, in every other batch: its variants are never met again.
        record.keep_evidence = keep_evidence if is_kept else _keep_nothing
        starts = perf_counter()
        recorded = record.record_verdicts(claim, marked)
        took = perf_counter() - starts
        if recorded != BATCH:
            raise RuntimeError(f"Of {BATCH} answers {recorded} were recorded.")
        if turn >= 2 * WARM_UP:
            spent[is_kept].append(1e3 * took)
    rows = [Evidence.objects.count() // (WARM_UP + ROUNDS), Mastery.objects.count()]
    json.dump({"kept": spent[True], "floor": spent[False], "rows": rows}, sys.stdout)


def _keep_nothing(variants: Iterable[Variant], *, judged: object = ()) -> int:
    return 0


def _hand_in(learners: Iterable[User], turn: int, now: dt.datetime) -> None:
    """Five answers of each learner wait, who work out two variants with a slip at each: four steps close."""
    row = Problem.objects.select_related("current").get(slug=SLUG)
    seeds = iter(range(turn * 100_000, (turn + 1) * 100_000))
    variants, submissions = [], []
    for learner in learners:
        for number, answers in enumerate(_sittings()):
            parameters, slipped, right = _drawn(seeds)
            variant = Variant(
                learner=learner,
                problem=row,
                version=row.current,
                number=2 * turn + number + 1,
                seed=0,
                parameters=parameters,
                created_at=now + dt.timedelta(minutes=5 * number),
            )
            variants.append(variant)
            for place, (steps, is_right) in enumerate(answers, start=1):
                typed = {step: (right if is_right else slipped)[step] for step in steps}
                submissions.append(_waiting(variant, typed, variant.created_at + dt.timedelta(minutes=place)))
    Variant.objects.bulk_create(variants)
    Submission.objects.bulk_create(submissions)


def _sittings() -> tuple[tuple[tuple[tuple[str, ...], bool], ...], ...]:
    """The answers on each variant: which steps, and whether they are right."""
    return (
        ((("p",), False), (("p",), True), (("loss",), True)),
        ((("p",), False), (("p", "loss"), True)),
    )


def _drawn(seeds: Iterator[int]) -> tuple[dict[str, object], Answers, Answers]:
    """Parameters, an answer to them that holds a named mistake, and the right one."""
    for seed in seeds:
        parameters = draw(problem(), seed)
        slipped = by_hand.slipped(parameters)
        if slipped is not None:
            z, t = np.array([parameters["z"]], dtype=float), np.array([[parameters["t"]]])
            key = by_hand.solved(z, t)
            return parameters, slipped, {step: f"{key[step][0, 0]:.4g}" for step in ("p", "loss")}
    raise RuntimeError("No seed gives a variant that a slip can be made in.")


def _waiting(variant: Variant, typed: Answers, sent_at: dt.datetime) -> Submission:
    return Submission(
        variant=variant,
        author=variant.learner,
        answers=typed,
        checked=list(typed),
        locale="en",
        idempotency_key=uuid.uuid4().hex,
        fingerprint=uuid.uuid4().hex,
        created_at=sent_at,
    )
