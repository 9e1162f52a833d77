"""The process that ``gradebook`` measures: a course of 1,000 learners and 30 sets, all sat, one of them with 30 items.

Runs with Django set up, on a database that is empty and migrated; prints lists of milliseconds as JSON.
"""

import datetime as dt
import json
import sys
from fractions import Fraction
from random import Random
from time import perf_counter

from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from exercises import clock
from exercises.actions import sync_catalogue
from exercises.models import (
    Attempt,
    AttemptItem,
    Course,
    Enrolment,
    Extension,
    Group,
    Override,
    Problem,
    ProblemSet,
    Role,
    SetItem,
    User,
)
from exercises.queries.grade_roster import PAGE
from server.web import post_worker_init
from tests.bench.variants import SLUG

LEARNERS, SETS, ITEMS = 1_000, 30, 30
WARM_UP, ROUNDS = 5, 40
DAY = dt.timedelta(days=1)


def main() -> None:
    """Fill the database, ask for both pages, and print what each time took."""
    settings.ALLOWED_HOSTS = ["*"]
    course = _filled()
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")  # as PostgreSQL does by itself before long
    post_worker_init(None)  # as the web process does once it is up
    client = Client()
    client.force_login(User.objects.get(username="alice"))
    problem_set = course.problem_sets.get(position=0)
    book = reverse("frontend:gradebook", args=[course.public_id])
    items = reverse("frontend:set-grades", args=[problem_set.public_id])
    spent = {
        "book": _times(client, book),
        "items": _times(client, items),
        "averages": _times(client, book, averages="on"),
        "floor": _floor(course),
    }
    counts = [_queries(client, f"{book}{query}") for query in ("", "?search=learner-0500")]
    if counts[0] != counts[1]:
        raise RuntimeError(f"It takes {counts[0]} queries for {PAGE} learners and {counts[1]} for one.")
    json.dump({**spent, "queries": counts[0]}, sys.stdout)


def _times(client: Client, address: str, **query: str) -> list[float]:
    """Milliseconds of each page; with ``averages`` of the fragment that the page asks for after it is there."""
    found = []
    rows, headers = (1, {"HX-Request": "true"}) if query else (PAGE, {})
    for turn in range(WARM_UP + ROUNDS):
        # Another page each time, as somebody turns them.
        page = {"page": str(turn % (LEARNERS // PAGE) + 1), **query}
        starts = perf_counter()
        response = client.get(address, page, headers=headers)
        took = 1e3 * (perf_counter() - starts)
        if response.status_code != 200 or response.content.count(b"<tr>") < rows:
            raise RuntimeError(f"{address} answered {response.status_code}.")
        if turn >= WARM_UP:
            found.append(took)
    return found


def _floor(course: Course) -> list[float]:
    """To read the attempts of a page as plain values."""
    learners = list(course.enrolments.filter(role=Role.LEARNER).values_list("user", flat=True)[:PAGE])
    found = []
    for _ in range(ROUNDS):
        starts = perf_counter()
        rows = Attempt.objects.filter(problem_set__course=course, learner__in=learners).order_by()
        list(rows.values_list("public_id", "problem_set", "learner", "score_numerator", "score_denominator"))
        found.append(1e3 * (perf_counter() - starts))
    return found


def _queries(client: Client, address: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        client.get(address)
    return len(captured)


def _filled() -> Course:
    sync_catalogue([SLUG])
    chance, now = Random(0), clock.now()
    problem = Problem.objects.select_related("current").get(slug=SLUG)
    alice = User.objects.create_user("alice", password=None, is_instructor=True)
    users = User.objects.bulk_create(
        User(username=f"learner-{number:04d}", email=f"learner-{number:04d}@example.org") for number in range(LEARNERS)
    )
    course = Course.objects.create(title="A large course", created_by=alice)
    Enrolment.objects.create(course=course, user=alice, role=Role.INSTRUCTOR)
    enrolled = Enrolment.objects.bulk_create(
        Enrolment(course=course, user=user, name=f"Learner {user.username[-4:]}") for user in users
    )
    sets = ProblemSet.objects.bulk_create(
        ProblemSet(
            course=course, title=f"Set {place + 1}", position=place, mode="quiz", credits=["1", "1/2"],
            published_at=now, opens_at=now - 9 * DAY, due_at=now - DAY, closes_at=now + DAY, late=["1/2"],
            pass_mark="1/2",
        )
        for place in range(SETS)
    )  # fmt: skip
    _extended(sets, enrolled, users)
    items = SetItem.objects.bulk_create(
        SetItem(problem_set=one, problem=problem, position=place)
        for one in sets
        for place in range(ITEMS if one.position == 0 else 1)
    )
    _sat(sets, users, items, chance, now)
    return course


def _extended(sets: list[ProblemSet], enrolled: list[Enrolment], users: list[User]) -> None:
    """A group with longer time in one set of five, one learner in fifty with an extension, and some scores by hand."""
    group = Group.objects.create(course=enrolled[0].course, name="Tuesday")
    group.members.set(enrolled[::7])
    Extension.objects.bulk_create(
        Extension(problem_set=one, group=group, due_at=one.closes_at, closes_at=one.closes_at) for one in sets[::5]
    )
    Extension.objects.bulk_create(
        Extension(problem_set=one, learner=user, due_at=one.closes_at) for one in sets for user in users[::50]
    )
    Override.objects.bulk_create(
        Override(problem_set=one, learner=user, score="3/4", reason="By hand") for one in sets for user in users[::50]
    )


def _sat(sets: list[ProblemSet], users: list[User], items: list[SetItem], chance: Random, now: dt.datetime) -> None:
    """Nine in ten sat each set, one in twenty a second time."""
    attempts = []
    for one in sets:
        for user in users:
            for number in range(1, (chance.random() < 0.9) + (chance.random() < 0.05) + 1):
                score = Fraction(chance.randrange(121), 120)
                attempts.append(
                    Attempt(
                        problem_set=one, learner=user, number=number, began_at=now - 2 * DAY, handed_in_at=now - DAY,
                        score_numerator=score.numerator, score_denominator=score.denominator,
                        late_days=chance.random() < 0.1,
                    )
                )  # fmt: skip
    Attempt.objects.bulk_create(attempts, batch_size=2_000)
    version = items[0].problem.current
    AttemptItem.objects.bulk_create(
        (
            AttemptItem(
                attempt=attempt, item=item, position=place, weight=1, version=version, tries=1,
                score_numerator=chance.randrange(5), score_denominator=4,
            )
            for attempt in attempts
            if attempt.problem_set.position == 0
            for place, item in enumerate(items[:ITEMS], start=1)
        ),
        batch_size=2_000,
    )  # fmt: skip
