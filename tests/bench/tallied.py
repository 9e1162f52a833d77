"""The process that ``statistics`` measures: a course of 1,000 learners, quizzes of 20,000 answers each, and N in all.

Runs with Django set up, on a database that is empty and migrated; prints milliseconds, seconds and MB as JSON.
"""

import json
import os
import resource
import sys
from itertools import islice
from time import perf_counter, process_time

from django.conf import settings
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from exercises import clock
from exercises.actions.evidence import keep_evidence
from exercises.actions.figures import want_figures, work_on_figures
from exercises.models import (
    Course,
    Enrolment,
    Figures,
    Grading,
    ProblemSet,
    Role,
    SetItem,
    Submission,
    User,
    Variant,
)
from server.web import post_worker_init
from tests.bench.copied import copy
from tests.bench.regraded import ANSWERS, BATCH, DRAWN, LEARNERS, MADE, PLACES, answered, drawn_answers, versions

#: How many answers there are is told by this variable: ``main`` takes nothing.
TOTAL, DEFAULT = "BENCH_ANSWERS", 20_000
A_SET = LEARNERS * PLACES * ANSWERS
WARM_UP, ROUNDS = 5, 40
#: Seconds, longer than any run.
HOURS = 36_000.0


def main() -> None:
    """Fill the database, work the figures out, ask for both pages, and print what all that took."""
    settings.ALLOWED_HOSTS = ["*"]
    course = _filled(int(os.environ.get(TOTAL, DEFAULT)))
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")  # as PostgreSQL does by itself before long
    first = course.problem_sets.order_by("position")[0]
    before = _memory()
    spent = {"items": _worked_out(course, first), "class": _worked_out(course, None)}
    peak = _memory()
    post_worker_init(None)  # as the web process does once it is up
    client = Client()
    client.force_login(User.objects.get(username="bench-teacher"))
    pages = {
        "set_page": reverse("frontend:set-statistics", args=[first.public_id]),
        "class_page": reverse("frontend:class", args=[course.public_id]),
    }
    told = {name: _times(client, address) for name, address in pages.items()}
    queries = {f"{name}_queries": _queries(client, address) for name, address in pages.items()}
    rest = {"floor": _floor(course, first), "read": _read(), "before": before, "peak": peak}
    json.dump({**told, **queries, **spent, **rest, "answers": Submission.objects.count(), "a_set": A_SET}, sys.stdout)


def _worked_out(course: Course, problem_set: ProblemSet | None) -> dict[str, float]:
    """Work figures out to the end, in one turn; seconds, and seconds of CPU of this process."""
    row = want_figures(course=course, problem_set=problem_set)
    starts, cpu = perf_counter(), process_time()
    if work_on_figures(row.pk, seconds=HOURS) or Figures.objects.get(pk=row.pk).computed_at is None:
        raise RuntimeError("The figures were not worked out.")
    return {"seconds": perf_counter() - starts, "cpu": process_time() - cpu}


def _times(client: Client, address: str) -> list[float]:
    """Milliseconds of each page."""
    found = []
    for turn in range(WARM_UP + ROUNDS):
        # Another page of learners each time, as somebody turns them.
        starts = perf_counter()
        response = client.get(address, {"page": str(turn % 20 + 1)})
        took = 1e3 * (perf_counter() - starts)
        if response.status_code != 200:
            raise RuntimeError(f"{address} answered {response.status_code}.")
        if turn >= WARM_UP:
            found.append(took)
    return found


def _queries(client: Client, address: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        client.get(address)
    return len(captured)


def _floor(course: Course, problem_set: ProblemSet) -> list[float]:
    """To read the figures that the page of the set shows, and nothing else."""
    found = []
    for _ in range(ROUNDS):
        starts = perf_counter()
        Figures.objects.filter(course=course, problem_set=problem_set).values_list("figures", flat=True).get()
        found.append(1e3 * (perf_counter() - starts))
    return found


def _read() -> float:
    """Seconds an answer to read what was typed, and its verdict, as plain values, so many at a time."""
    starts, last, count = perf_counter(), 0, 0
    while count < A_SET:
        rows = Grading.objects.filter(pk__gt=last).order_by("pk")
        found = list(rows.values_list("pk", "verdict", "submission__answers", "submission__created_at")[:BATCH])
        if not found:
            break
        last, count = found[-1][0], count + len(found)
    return (perf_counter() - starts) / count


def _memory() -> float:
    """The most memory this process has ever held, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _filled(total: int) -> Course:
    right, wrong = versions()
    drawn = list(islice(drawn_answers(wrong), DRAWN))
    teacher = User.objects.create(username="bench-teacher", is_instructor=True)
    learners = User.objects.bulk_create(User(username=f"bench-{number:04d}") for number in range(LEARNERS))
    course = Course.objects.create(title="Bench", created_by=teacher)
    Enrolment.objects.create(course=course, user=teacher, role=Role.INSTRUCTOR)
    Enrolment.objects.bulk_create(Enrolment(course=course, user=one, name=one.username) for one in learners)
    now, made = clock.now(), min(total, MADE)
    sets = [
        ProblemSet.objects.create(
            course=course, title=f"Set {place + 1}", position=place, mode=ProblemSet.Mode.QUIZ, credits=["1", "1"],
            published_at=now,
        )
        for place in range(max(1, total // A_SET))
    ]  # fmt: skip
    items = [SetItem.objects.create(problem_set=found, problem=right.problem) for found in sets]
    with transaction.atomic():
        answered(range(made), learners, items[0], wrong, drawn)
    copy(min(total, A_SET) // made - 1)
    # What a learner showed does not grow with the sets that others look at.
    shown = Variant.objects.filter(attempt_item__position=0).order_by("pk")
    for last in range(0, shown.count(), BATCH):
        with transaction.atomic():
            keep_evidence(shown[last : last + BATCH])
    copy(len(sets) - 1, is_apart=True)
    return course
