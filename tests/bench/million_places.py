"""What stands in an address of the service, and who asks for it: in the large course, and in the tiny one."""

from dataclasses import dataclass, field
from typing import Any

from django.test import Client

from exercises import clock
from exercises.actions import draw_variant, issue_token, open_turn, send_answer
from exercises.actions.authoring import withdraw_variant
from exercises.actions.paper import print_copies
from exercises.actions.sitting.begin import begin_attempt
from exercises.loading import asked_in
from exercises.models import (
    AccessToken,
    Attempt,
    Context,
    Course,
    Delivery,
    Enrolment,
    Extension,
    FaultReport,
    Group,
    Job,
    LineItem,
    Override,
    PaperCopy,
    Pool,
    Problem,
    ProblemSet,
    Registration,
    RegradeEvent,
    ResourceLink,
    Ruling,
    SetItem,
    Submission,
    User,
    Variant,
)
from exercises.scopes import SCOPES
from exercises.tasks import grade_pending
from tests.frontend.authoring.world import with_version
from tests.frontend.cards.world import NUMBER, deck_of
from tests.routes.world import query_of

SLUG = "masked-token-loss"


@dataclass
class Places:
    """One course with its teacher and a learner, and what stands in addresses there."""

    course: Course
    teacher: User
    learner: User
    browsers: dict[str, Client] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=dict)
    ids: dict[str, Any] = field(default_factory=dict)
    pks: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for letter, user in (("A", self.teacher), ("B", self.learner), ("R", User.objects.get(username="root"))):
            self.browsers[letter] = Client(raise_request_exception=False)
            self.browsers[letter].force_login(user)
            self.tokens[letter] = issue_token(user=user, scopes=list(SCOPES))[0]
        issue_token(user=self.learner, label="another")
        self._sat()
        self._authored()
        self._around()

    def _sat(self) -> None:
        first = ProblemSet.objects.filter(course=self.course).order_by("position")[0]
        now, problem = clock.now(), Problem.objects.get(slug=SLUG)
        opened = ProblemSet.objects.create(
            course=self.course, title="Open", position=99, mode="quiz", credits=["1", "1/2", "1/4"], published_at=now,
            hints=True,
        )  # fmt: skip
        exam = ProblemSet.objects.create(course=self.course, title="Exam", position=100, mode="exam", published_at=now)
        self.practice = ProblemSet.objects.create(
            course=self.course, title="Practice", position=98, mode="practice", published_at=now
        )
        for one in (opened, exam, self.practice):
            SetItem.objects.create(problem_set=one, problem=problem)
        self.open = begin_attempt(learner=self.learner, problem_set=opened)
        over = Attempt.objects.filter(problem_set=first, learner=self.learner).order_by("number")[0]
        sent = Submission.objects.filter(author=self.learner, variant__attempt_item=None).order_by("-pk")[0]
        variant = draw_variant(learner=self.learner, slug=SLUG)
        send_answer(learner=self.learner, variant=variant, answers={"p": "0.6667"})
        send_answer(
            learner=self.learner, variant=Variant.objects.get(attempt_item__attempt=self.open), answers={"p": "0.6667"}
        )
        grade_pending()
        self.variant, self.submission, self.over = variant, sent, over
        self.run = print_copies(problem_set=exam, made_by=self.teacher, copies=1, seed=1)
        item = first.items.order_by("position")[0]
        self.step = asked_in(Variant.objects.filter(attempt_item__item=item)[0]).asked[-1].name
        pool = Pool.objects.create(problem_set=first, name="Pool")
        ruling = Ruling.objects.create(
            problem_set=first, item=item, kind="discount", step="p", reason="x", applied_at=now
        )
        longer = Extension.objects.filter(problem_set=first)[:1] or [
            Extension.objects.create(problem_set=first, learner=self.learner)
        ]
        override = Override.objects.filter(problem_set=first).first()
        in_course = Submission.objects.filter(variant__attempt_item__attempt=over).order_by("pk")[0]
        self.ids |= {
            "set_id": first.public_id, "position": 1, "item": item.pk, "item_id": item.pk, "pool_id": pool.pk,
            "ruling_id": ruling.pk, "extension_id": longer[0].pk, "code": PaperCopy.objects.get(run=self.run).code,
            "run_id": self.run.public_id, "submission_id": in_course.public_id, "attempt_id": self.open.public_id,
        }  # fmt: skip
        self.pks |= {
            "frontend:set-item": item.pk, "frontend:set-pool": pool.pk, "frontend:ruling-withdraw": ruling.pk,
            "frontend:grade-override-withdraw": override.pk if override else 0,
        }  # fmt: skip

    def _authored(self) -> None:
        self.authored = with_version(self.teacher, f"Own {self.course.pk}")
        self.deck = deck_of(self.teacher, NUMBER, title=f"Deck {self.course.pk}")
        assert self.deck is not None
        self.turn = open_turn(learner=self.learner)
        assert self.turn is not None
        self.ids |= {
            "number": 1, "skill": "softmax", "style": "csv", "key": NUMBER["id"], "turn_id": self.turn.public_id,
            "digest": withdraw_variant(author=self.teacher, problem=self.authored, seed=3, reason="x").digest,
        }  # fmt: skip

    def _around(self) -> None:
        report = FaultReport.objects.filter(variant__attempt_item__attempt__problem_set__course=self.course).first()
        report = report or FaultReport.objects.filter(learner=self.learner)[0]
        member = Enrolment.objects.get(course=self.course, user=self.learner).pk
        context = Context.objects.get(course=self.course)
        self.ids |= {
            "course_id": self.course.public_id, "who": self.learner.username, "member": member, "report_id": report.pk,
            "job_id": Job.objects.filter(course=self.course)[0].public_id,
            "webhook_id": self.course.webhooks.get().public_id,
            "delivery_id": Delivery.objects.filter(webhook__course=self.course)[0].public_id,
            "event_id": RegradeEvent.objects.get(course=self.course).public_id,
            "regrade_id": RegradeEvent.objects.get(course=self.course).public_id,
            "column": LineItem.objects.filter(context=context).order_by("pk")[0].pk
            if LineItem.objects.filter(context=context).exists()
            else LineItem.objects.create(context=context, problem_set=self.practice, label="Practice").pk,
            "context_id": context.public_id, "link_id": ResourceLink.objects.get(context=context).public_id,
            "registration_id": Registration.objects.get(deployments=context.deployment).public_id,
            "group_id": Group.objects.filter(course=self.course)[0].pk,
        }  # fmt: skip
        self.pks |= {"frontend:member": member, "frontend:fault": report.pk}

    def query(self, name: str) -> str:
        """What an address is asked with where it says nothing without."""
        return query_of(name, self.ids, step=self.step)

    def arguments(self, name: str, wanted: list[str]) -> dict[str, Any]:
        """What stands in the address of that name."""
        found = {one: self.ids.get(one) for one in wanted}
        if "pk" in wanted:
            found["pk"] = self.pks[name]
        if "slug" in wanted:
            found["slug"] = self._slug(name)
        if "public_id" in wanted:
            of_answers = name in ("frontend:verdict", "api:submission")
            found["public_id"] = (self.submission if of_answers else self.variant).public_id
            if name == "api:token":
                found["public_id"] = AccessToken.objects.filter(label="another", user=self.learner)[0].public_id
        if name == "api:receipt":
            found["code"] = self.over.receipt
        if name in ("frontend:attempt-receipt", "api:attempt-receipt", "frontend:attempt-grade"):
            found["attempt_id"] = self.over.public_id
        return found

    def _slug(self, name: str) -> str:
        if name.startswith(("frontend:author-", "frontend:export-", "api:problem")):
            return str(self.authored.slug)
        if name.startswith(("frontend:deck", "frontend:card-", "api:deck")):
            assert self.deck is not None
            return str(self.deck.slug)
        return SLUG
