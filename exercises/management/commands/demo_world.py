"""`manage.py demo_world`: people, and a history of what they did, for whoever looks at the service for the first time.

Everything in it goes through the actions that learners' own clicks go through. The same seed gives the same world.
"""

import logging
import random
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.http import Http404

from exercises.management.demo_course import DemoCourse
from exercises.management.demo_learner import DemoLearner
from exercises.models import User
from exercises.tasks import sweep_pending


@dataclass(frozen=True)
class Person:
    """Someone to log in as, and how many days ago they studied."""

    name: str
    password: str
    does: str
    studied: tuple[int, ...] = ()
    is_instructor: bool = False


PEOPLE = (
    Person("alice", "alice-teaches", "teaches, and sees what learners report", is_instructor=True),
    Person("bob", "bob-learns", "learns, and has studied for two weeks", studied=(14, 13, 11, 10, 8, 7, 5, 3, 2)),
    Person("dave", "dave-assists", "assists in Alice's course"),
    Person("eve", "eve-observes", "sees how the class does there, without names"),
    Person("charlie", "charlie-elsewhere", "learns elsewhere, and sees nothing of Bob's", studied=(1,)),
)


@contextmanager
def _quiet() -> Iterator[None]:
    """A line of the log for each of hundreds of answers would hide what the command has to say."""
    chatty = logging.getLogger("exercises")
    before = chatty.level
    chatty.setLevel(logging.WARNING)
    try:
        yield
    finally:
        chatty.setLevel(before)


class Command(BaseCommand):
    help = "Make people to log in as, with a history. Only where nobody but this machine can reach the pages."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--seed", type=int, default=1, help="another seed gives another world")

    def handle(self, *args: Any, **options: Any) -> None:
        # Their passwords are in every copy of this file. Without HTTPS only loopback is served (server.checks).
        if settings.HTTPS and not settings.DEBUG:
            raise CommandError("The demo world has passwords that everybody knows; it is made with HTTPS=0 or DEBUG=1.")
        with _quiet():
            self._make(options["seed"])
        self.stdout.write("Demo logins:")
        for person in PEOPLE:
            self.stdout.write(f"  {person.name:8} {person.password:18} {person.does}")

    def _make(self, seed: int) -> None:
        for person in PEOPLE:
            user = self._user(person)
            if person.studied and not user.variants.exists():
                learner = DemoLearner(user, random.Random(f"{seed}:{person.name}"))  # noqa: S311
                learner.study(person.studied)
                learner.leave_half_done()
        sweep_pending()
        self._course(seed)

    def _course(self, seed: int) -> None:
        """The course that Alice teaches, unless there is one."""
        people = {user.username: user for user in User.objects.filter(username__in=[one.name for one in PEOPLE])}
        if people["alice"].courses_made.exists():
            return
        made = DemoCourse(people["alice"], random.Random(f"{seed}:course"))  # noqa: S311
        try:
            made.make(learner=people["bob"], assistant=people["dave"], observer=people["eve"])
        except Http404 as error:
            # A catalogue without its problems is reported by its check, and is no reason to have no demo.
            self.stderr.write(f"There is no demo course: {error}")

    def _user(self, person: Person) -> User:
        user, is_new = User.objects.get_or_create(
            username=person.name,
            defaults={"email": f"{person.name}@example.org", "is_instructor": person.is_instructor},
        )
        if is_new:
            user.set_password(person.password)
            user.save()
        return user
