"""A course whose exams are sat during a run of faults, with a platform and a webhook; and what is left of it."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tests.load.others import COLUMNS, Came, Others
from tests.stacks import Stack

SITTERS = 12
#: Run in the service: exams of a minute each, which the learners of the platform sit; the keys of the tool.
WORLD = """
import json
from exercises import clock
from exercises.actions.delivering.webhooks import make_webhook
from exercises.actions.lms.tool_keys import signing_key
from exercises.actions.tokens import issue_token
from exercises.lti import services
platform, receiver, sitters, columns = json.loads({given!r})
teacher = User.objects.create(username="faults-teacher", is_instructor=True)
course = Course.objects.create(title="Faults", time_zone="UTC", created_by=teacher)
Enrolment.objects.create(course=course, user=teacher, role="instructor")
registration = Registration.objects.create(
    name="Moodle", issuer="https://lms.example", client_id="faults", login_url=platform + "/auth",
    keys_url=platform + "/keys", token_url=platform + "/token",
)
deployment = Deployment.objects.create(registration=registration, deployment_id="1", state="approved")
context = Context.objects.create(
    deployment=deployment, context_id="faults", course=course, lineitems_url=platform + "/items?type_id=1",
    scopes=[services.LINE_ITEM, services.LINE_ITEM_READ, services.SCORE, services.RESULT_READ],
)
tokens, sets = [], []
for number in range(sitters):
    user = User.objects.create(username=f"sits-{{number}}", password="!")
    Enrolment.objects.create(course=course, user=user, role="learner")
    person = PlatformUser.objects.create(registration=registration, sub=str(number), user=user)
    Membership.objects.create(context=context, platform_user=person, role="learner")
    tokens.append(issue_token(user=user, label="load", scopes=["practice"])[0])
for number in range(columns):
    made = ProblemSet.objects.create(
        course=course, title=f"Exam {{number}}", position=number, mode="exam", published_at=clock.now(), time_limit=1,
        feedback="handed-in",
    )
    for place, slug in enumerate(("masked-token-loss", "mask-counts")):
        SetItem.objects.create(problem_set=made, problem=Problem.objects.get(slug=slug), position=place)
    LineItem.objects.create(
        context=context, problem_set=made, url=platform + f"/items/{{number}}/lineitem?type_id=1", is_coupled=True,
        maximum=100, due_at=None,
    )
    sets.append(str(made.public_id))
make_webhook(actor=teacher, course=course, url=receiver, kinds=[])
signing_key()
print("EXAMS " + json.dumps([tokens, sets, {{key.kid: key.public_key for key in ToolKey.objects.all()}}]))
"""
#: Run in the service; nothing of it stays, although scores are worked out anew.
COUNT = """
import json
from django.db import transaction
from exercises.actions.scores import rescore
attempts = Attempt.objects.filter(problem_set__course__title="Faults")
with transaction.atomic():
    moved = rescore(attempts)
    transaction.set_rollback(True)
told = {"moved": moved, "attempts": {}, "scores": {}, "events": {}}
rows = Submission.objects.filter(variant__attempt_item__attempt__in=attempts)
sent = {}
for attempt, place, answers in rows.values_list(
    "variant__attempt_item__attempt__public_id", "variant__attempt_item__position", "answers"
):
    sent.setdefault(str(attempt), []).append([str(place), answers])
for one in attempts:
    told["attempts"][str(one.public_id)] = {
        "by": one.handed_in_by, "receipt": one.receipt, "score": None if one.score is None else str(one.score),
        "is_in_time": bool(one.handed_in_at and one.ends_at and one.handed_in_at <= one.ends_at),
        "answers": sent.get(str(one.public_id), []),
        "pair": f"{one.problem_set.title.split()[1]} {one.learner.username.split('-')[1]}",
    }
for one in LmsScore.objects.select_related("line_item__problem_set", "platform_user"):
    if one.line_item.context.context_id == "faults":
        name = f"{one.line_item.problem_set.title.split()[1]} {one.platform_user.sub}"
        told["scores"][name] = [one.state, one.due_at is not None, one.lease_token is not None, one.why]
for one in Event.objects.filter(course__title="Faults").select_related("course"):
    delivered = list(one.deliveries.values_list("state", "tries"))
    told["events"][str(one.public_id)] = [one.kind, one.data.get("attempt"), one.position, delivered]
told["held"] = LmsScore.objects.exclude(lease_token=None).count() + Delivery.objects.exclude(lease_token=None).count()
print("LEFT " + json.dumps(told))
"""


@dataclass(frozen=True)
class Left:
    """What the service has of the exams after a run."""

    moved: int
    held: int
    attempts: dict[str, dict[str, Any]]
    scores: dict[str, list[Any]]
    events: dict[str, list[Any]]

    @classmethod
    def of(cls, stack: Stack) -> "Left":
        """As it stands now."""
        return cls(**json.loads(said(stack.run(COUNT), "LEFT ")))

    def waiting(self) -> list[str]:
        """What is still to come by itself, in words."""
        found = [f"attempt {one} goes on" for one, told in self.attempts.items() if not told["by"]]
        found += [f"the score {pair} is {told}" for pair, told in self.scores.items() if told[1]]
        for one, (kind, _, position, delivered) in self.events.items():
            if position is None or [state for state, _ in delivered] != ["delivered"]:
                found.append(f"the event {one} ({kind}) has the place {position} and is {delivered}")
        return found

    def wrong(self, sat: dict[str, dict[str, Any]], came: Came) -> list[str]:
        """Everything that should not be, beside what learners know of their attempts and what came to other systems."""
        found = self.waiting()
        if self.moved:
            found.append(f"{self.moved} scores are not what their answers come to")
        if self.held:
            found.append(f"{self.held} calls are held by nobody who lives")
        found += [f"attempt {one} was begun and is not there" for one in sat if one not in self.attempts]
        for one, told in self.attempts.items():
            found += [f"attempt {one} {what}" for what in self._wrong_with(one, told, sat.get(one))]
        found += self._not_told(came)
        found += [f"the event {one} never came" for one in self.events if one not in came.events]
        return found

    def _wrong_with(self, one: str, told: dict[str, Any], known: dict[str, Any] | None) -> Iterator[str]:
        if not told["is_in_time"]:
            yield "counts as handed in after its end"
        kinds = Counter(kind for kind, of, *_ in self.events.values() if of == one)
        if (kinds["attempt.begun"], kinds["attempt.handed-in"]) != (1, 1):
            yield f"has the events {dict(kinds)}"
        if kinds["submission.graded"] != len(told["answers"]):
            yield f"has {len(told['answers'])} answers and {kinds['submission.graded']} events of them"
        if told["score"] is None:
            yield "has no score"
        if known is None:
            return
        if known["early"]:
            yield f"was refused before its end: {known['early']}"
        if known["receipt"] and known["receipt"] != told["receipt"]:
            yield "has another receipt than its learner"
        if known["receipt"] and known["by"] != told["by"]:
            yield f"was handed in by {known['by']} for its learner, and counts as by {told['by']}"
        answers = sorted(told["answers"])
        if known["is_sure"] and answers != sorted([place, typed] for place, typed in known["saved"].items()):
            yield f"has the answers {answers}, and saved was {known['saved']}"

    def _not_told(self, came: Came) -> Iterator[str]:
        for told in self.attempts.values():
            pair = told["pair"]
            state, said = self.scores.get(pair, ["missing"])[0], came.scores.get(pair)
            if state != "sent" or said is None:
                yield f"the score {pair} is {self.scores.get(pair)}, and the platform has {said}"
            elif said["gradingProgress"] != "FullyGraded" or told["score"] is None:
                yield f"the platform was told {said} of {pair}, which is {told['score']}"
            elif abs(said["scoreGiven"] / said["scoreMaximum"] - Fraction(told["score"])) > 1e-6:
                yield f"the platform was told {said['scoreGiven']} of {pair}, which is {told['score']}"


def new_exams(stack: Stack, others: Others) -> tuple[list[str], list[str]]:
    """The tokens of those who sit, and the ids of the sets; the platform knows the tool from then on."""
    given = json.dumps([others.platform, others.receiver, SITTERS, COLUMNS])
    tokens, sets, keys = json.loads(said(stack.run(WORLD.format(given=given)), "EXAMS "))
    others.learn(keys)
    return tokens, sets


def said(printed: str, prefix: str) -> str:
    """What follows that word in what was printed."""
    return next(line for line in printed.splitlines() if line.startswith(prefix)).removeprefix(prefix)
