"""A learner of the live service with an attempt at a set of the first worked example and another problem."""

import json
import uuid
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page, expect

from tests.journeys.learner import PASSWORD, signed_in
from tests.stacks import Stack

#: Run in the service's own database.
SEED = """
import json, datetime as dt
from exercises import clock
from exercises.actions.sitting.begin import begin_attempt
from exercises.models import Attempt, Course, Enrolment, Problem, ProblemSet, SetItem, User, Variant
wanted = json.loads({wanted!r})
teacher = User.objects.create_user("teacher-" + wanted["name"], password={password!r}, is_instructor=True)
learner = User.objects.create_user(wanted["name"], password={password!r})
course = Course.objects.create(title="BERT by hand", term="Winter 2026", time_zone="Europe/Berlin", created_by=teacher)
Enrolment.objects.create(course=course, user=teacher, role="instructor")
Enrolment.objects.create(course=course, user=learner, role="learner")
now = clock.now()
fields = {{"opens_at": now - dt.timedelta(hours=1), "closes_at": now + dt.timedelta(days=2), "published_at": now}}
fields |= {{"title": wanted["title"], "mode": wanted["mode"], **wanted["fields"]}}
made = ProblemSet.objects.create(course=course, **fields)
for place, slug in enumerate(wanted["slugs"]):
    SetItem.objects.create(problem_set=made, problem=Problem.objects.get(slug=slug), position=place)
attempt = begin_attempt(learner=learner, problem_set=made, seed=5)
parameters = {{"words": ["mat", "car", "sky"], "z": [2.0, 1.0, 0.0], "t": 0}}
Variant.objects.filter(attempt_item__attempt=attempt, problem__slug="masked-token-loss").update(parameters=parameters)
if wanted["seconds"]:
    Attempt.objects.filter(pk=attempt.pk).update(ends_at=now + dt.timedelta(seconds=wanted["seconds"]))
print("SEEDED " + json.dumps([str(attempt.public_id), str(made.public_id)]))
"""
SLUGS = ("masked-token-loss", "mask-counts", "pretraining-claims")


@dataclass(frozen=True)
class Sitter:
    """Somebody who can sign in and sit their attempt."""

    stack: Stack
    name: str
    attempt: str
    problem_set: str

    def address(self, position: int | None = None) -> str:
        """The page of the attempt, or of one of its items."""
        return f"{self.stack.url}/attempts/{self.attempt}/" + (f"{position}/" if position else "")

    def open(self, page: Page, position: int = 1) -> None:
        """Sign in and go to an item."""
        signed_in(page, self.stack, self.name, then=f"/attempts/{self.attempt}/{position}/")
        expect(page.locator("#sheet")).to_be_visible()

    def run(self, code: str) -> str:
        """Run something in the service's database; ``attempt`` is there."""
        prefix = f"from exercises.models import *\nattempt = Attempt.objects.get(public_id={self.attempt!r})\n"
        return self.stack.run(prefix + code)


def sitter(stack: Stack, mode: str, *, slugs: tuple[str, ...], seconds: int = 0, **fields: Any) -> Sitter:
    """A new learner in a new course, who has begun a set of these problems that ends in so many ``seconds``."""
    name = f"sitter-{uuid.uuid4().hex[:12]}"
    wanted = {
        "name": name,
        "mode": mode,
        "title": f"Week 3: {mode}",
        "slugs": slugs,
        "seconds": seconds,
        "fields": fields,
    }
    printed = stack.run(SEED.format(wanted=json.dumps(wanted), password=PASSWORD))
    line = next(line for line in printed.splitlines() if line.startswith("SEEDED "))
    return Sitter(stack, name, *json.loads(line.removeprefix("SEEDED ")))
