"""A class that is to sit a quiz: made in the service's database, with sessions that are there already."""

import json
from dataclasses import dataclass

from tests.stacks import Stack

#: Run in the service; ``wanted`` is {"learners", "title"}. Its sessions are there already: a class signs in before the
#: bell.
SEED = """
import datetime as dt, json
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from exercises import clock
wanted = json.loads({wanted!r})
teacher, _ = User.objects.get_or_create(username="load-teacher", defaults={{"is_instructor": True}})
course, _ = Course.objects.get_or_create(title="Load", defaults={{"time_zone": "UTC", "created_by": teacher}})
names = [f"load-{{number}}" for number in range(wanted["learners"])]
User.objects.bulk_create([User(username=name, password="!") for name in names], ignore_conflicts=True)
people = list(User.objects.filter(username__in=names).order_by("pk"))
members = [Enrolment(course=course, user=user, role="learner") for user in people]
Enrolment.objects.bulk_create(members, ignore_conflicts=True)
now = clock.now()
made = ProblemSet.objects.create(
    course=course, title=wanted["title"], mode="exam", opens_at=now - dt.timedelta(hours=1),
    closes_at=now + dt.timedelta(days=1), published_at=now, feedback="released",
)
for place, slug in enumerate(("masked-token-loss", "mask-counts")):
    SetItem.objects.create(problem_set=made, problem=Problem.objects.get(slug=slug), position=place)
sessions = []
for user in people:
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    sessions.append([user.pk, session.session_key])
print("CLASS " + json.dumps([str(made.public_id), sessions]))
"""
#: How many attempts were handed in, how many answers there are, how many of them were graded once, how many wait, and
#: when the last was handed in and the last verdict came, in seconds of the database's clock.
COUNT = """
from django.db.models import Count, Max
rows = Submission.objects.filter(variant__attempt_item__attempt__problem_set__public_id={problem_set!r})
first = Grading.objects.filter(submission__in=rows, reason="first")
once = rows.annotate(times=Count("gradings")).filter(times=1, state="graded").count()
attempts = Attempt.objects.filter(problem_set__public_id={problem_set!r})
told = {{
    "attempts": attempts.count(), "handed_in": attempts.exclude(handed_in_at=None).count(), "answers": rows.count(),
    "graded_once": once, "waiting": rows.filter(state="pending").count(),
    "given_up": rows.filter(state="ungradable").count(),
    "scored": attempts.exclude(score_numerator=None).count(),
    "last_sent": max((row.timestamp() for row in [rows.aggregate(at=Max("created_at"))["at"]] if row), default=0),
    "last_graded": max((row.timestamp() for row in [rows.aggregate(at=Max("graded_at"))["at"]] if row), default=0),
}}
print("COUNTED " + json.dumps(told))
"""


@dataclass(frozen=True)
class Class:
    """A published set, and who is to sit it: primary keys and session keys."""

    stack: Stack
    problem_set: str
    sessions: list[tuple[int, str]]

    def counted(self) -> dict[str, float]:
        """What ``COUNT`` says of the set now."""
        return dict(_told(self.stack, "import json\n" + COUNT.format(problem_set=self.problem_set), "COUNTED "))


def new_class(stack: Stack, *, learners: int, title: str) -> Class:
    """A set for the same class each time: whoever is not there yet is made."""
    wanted = json.dumps({"learners": learners, "title": title})
    problem_set, sessions = _told(stack, SEED.format(wanted=wanted), "CLASS ")
    return Class(stack, problem_set, [(pk, key) for pk, key in sessions])


def _told(stack: Stack, code: str, prefix: str) -> list:  # type: ignore[type-arg]
    lines = stack.run(code).splitlines()
    return json.loads(next(line for line in lines if line.startswith(prefix)).removeprefix(prefix))  # type: ignore[no-any-return]
