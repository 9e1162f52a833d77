"""`manage.py demo_world`: people, and a history of what they did, for whoever looks at the service for the first time.

Everything in it goes through the actions that learners' own clicks go through. The same seed gives the same world.
"""

import random
from argparse import ArgumentParser
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from exercises.actions import draw_variant, keep_forecast, reveal_solution, send_answer, take_hint
from exercises.models import User, Variant
from exercises.queries import ProblemRow, problem_list
from exercises.refusals import Refused
from exercises.tasks import sweep_pending
from grader.problem import Problem, load
from grader.solution import Solution, solve


@dataclass(frozen=True)
class Person:
    """Someone to log in as, and how many problems they have tried."""

    name: str
    password: str
    does: str
    tried: int = 0
    is_instructor: bool = False


PEOPLE = (
    Person("alice", "alice-teaches", "teaches, and sees what learners report", is_instructor=True),
    Person("bob", "bob-learns", "learns, and has tried some problems", tried=8),
    Person("charlie", "charlie-elsewhere", "learns elsewhere, and sees nothing of Bob's", tried=2),
)


class Command(BaseCommand):
    help = "Make people to log in as, with a history. Only where nobody but this machine can reach the pages."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--seed", type=int, default=1, help="another seed gives another world")

    def handle(self, *args: Any, **options: Any) -> None:
        # Their passwords are in every copy of this file. Without HTTPS only loopback is served (server.checks).
        if settings.HTTPS and not settings.DEBUG:
            raise CommandError("The demo world has passwords that everybody knows; it is made with HTTPS=0 or DEBUG=1.")
        for person in PEOPLE:
            user = self._user(person)
            if person.tried and not user.variants.exists():
                _practise(user, person.tried, random.Random(f"{options['seed']}:{person.name}"))  # noqa: S311
        sweep_pending()
        self.stdout.write("Demo logins:")
        for person in PEOPLE:
            self.stdout.write(f"  {person.name:8} {person.password:18} {person.does}")

    def _user(self, person: Person) -> User:
        user, is_new = User.objects.get_or_create(
            username=person.name,
            defaults={"email": f"{person.name}@example.org", "is_instructor": person.is_instructor},
        )
        if is_new:
            user.set_password(person.password)
            user.save()
        return user


def _practise(learner: User, tried: int, chance: random.Random) -> None:
    """Work through the first problems: some at once, some with mistakes, some given up, the last one half done."""
    rows = problem_list(None)[:tried]
    for place, row in enumerate(rows):
        _try_problem(learner, row, chance, is_last=place == len(rows) - 1)


def _try_problem(learner: User, row: ProblemRow, chance: random.Random, *, is_last: bool) -> None:
    try:
        variant = draw_variant(learner=learner, slug=row.problem.slug, seed=chance.getrandbits(32))
    except Refused:
        return  # a problem that cannot be drawn is reported by its check, and is no reason to have no demo
    problem = load(variant.version.source)
    solution = solve(problem, variant.parameters)
    steps = [step.name for step in problem.asked]
    if problem.forecast:
        keep_forecast(variant=variant, text="I would say it is rather small.")
    if chance.random() < 0.6:
        _send(learner, variant, _mistaken(problem, solution, chance))
    if chance.random() < 0.3:
        take_hint(variant=variant, step=steps[-1])
    right = {name: _typed(problem.step(name).kind, solution.values[name]) for name in steps}
    if is_last:
        _send(learner, variant, {steps[0]: right[steps[0]]}, checked=[steps[0]])
    elif chance.random() < 0.75:
        _send(learner, variant, right)
    else:
        reveal_solution(variant=variant)


def _send(learner: User, variant: Variant, answers: dict[str, Any], checked: list[str] | None = None) -> None:
    send_answer(learner=learner, variant=variant, answers=answers, checked=checked)
    sweep_pending()


def _mistaken(problem: Problem, solution: Solution, chance: random.Random) -> dict[str, Any]:
    """What somebody types who makes one of the named mistakes and goes on from it; a guess where there is none."""
    active = [note for note, mistake in solution.mistakes.items() if mistake["active"]]
    if not active:
        return {step.name: "1" for step in problem.asked if step.kind in ("number", "count")}
    wrong = solution.mistakes[chance.choice(active)]["steps"]
    values = {**solution.values, **wrong}
    return {step.name: _typed(step.kind, values[step.name]) for step in problem.asked}


def _typed(kind: str, value: Any) -> str | list[str]:
    """A value as somebody types it who writes down five digits."""
    if value is None:
        return ""
    if kind == "shape":
        return " x ".join(str(size) for size in value)
    if isinstance(value, list):
        return [_typed("number", entry) if kind == "vector" else str(entry) for entry in value]  # type: ignore[misc]
    return f"{value:.5g}" if isinstance(value, float) else str(value)
