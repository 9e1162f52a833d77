"""One of each thing that an address can name: Alice teaches, Dave assists, Bob learns and owns; Erin and Charlie belong
to another course, and Root runs the service."""

import datetime as dt
from collections.abc import Mapping
from typing import Any

from django.test import Client

from exercises import clock
from exercises.actions import draw_variant, issue_token, report_fault, send_answer, sync_catalogue
from exercises.actions.authoring import withdraw_variant
from exercises.actions.paper import print_copies
from exercises.models import (
    AccessToken,
    Course,
    Delivery,
    Enrolment,
    Event,
    Extension,
    Group,
    Job,
    Override,
    PaperCopy,
    Pool,
    Problem,
    ProblemSet,
    Registration,
    Role,
    Ruling,
    User,
    Webhook,
)
from exercises.models.lms import Context, Deployment, Membership, PlatformUser, ResourceLink
from exercises.models.lms_scores import LineItem
from exercises.scopes import SCOPES
from exercises.sealed import seal
from tests.exercises.courses.sat import begun
from tests.exercises.courses.world import person, problem_set
from tests.exercises.regrading.world import made
from tests.exercises.world import MASKED, c1
from tests.frontend.authoring.world import with_version
from tests.frontend.cards.world import NUMBER, deck_of, opened

#: Nobody, another learner, the owner, an assistant, another instructor, the instructor, who runs the service.
ROLES = {"N": "", "C": "charlie", "B": "bob", "D": "dave", "E": "erin", "A": "alice", "R": "root"}
DAY = dt.timedelta(days=1)


def query_of(name: str, ids: Mapping[str, Any], *, step: str) -> str:
    """What an address is asked with where it says nothing without."""
    return {
        "frontend:set-extension": f"?learner={ids['member']}",
        "frontend:ruling-new": f"?kind=discount&item={ids['item']}&step={step}",
        "frontend:author-diff": "?old=1&new=1",
        "api:problem-difference": "?old=1&new=1",
        "api:problem-compatibility": "?text=1",
    }.get(name, "")


class World:
    """The people, with what each brings along, and ``ids``: what may stand in an address, by its name there."""

    def __init__(self, course: Course, bob: User, alice: User) -> None:
        person(course, "dave", Role.ASSISTANT)
        User.objects.create_superuser("root")
        Enrolment.objects.filter(course=course, user=bob).update(name="Bob")
        self.browsers: dict[str, Client] = {}
        self.tokens: dict[str, str] = {}
        for letter, name in ROLES.items():
            self.browsers[letter] = Client(raise_request_exception=False)
            if name:
                user = User.objects.get(username=name)
                self.browsers[letter].force_login(user)
                self.tokens[letter] = issue_token(user=user, scopes=list(SCOPES))[0]
        assert not sync_catalogue(["masked"], lambda slug: MASKED).faults
        self.ids: dict[str, Any] = {
            "slug": "masked",
            "step": "p",
            "position": 1,
            "skill": "softmax",
            "style": "csv",
            "aside": 1,
            "review_id": 1,
        }
        self._practised(bob)
        self._course(course, bob, alice)
        self._followed(course, bob, alice)
        self._platform(course, alice)
        authored = with_version(alice)
        self.authored = authored.slug
        self.ids["number"] = 1
        self.ids["digest"] = withdraw_variant(author=alice, problem=authored, seed=3, reason="x").digest
        self.deck = deck_of(alice, NUMBER, shared=False)

    def _practised(self, bob: User) -> None:
        variant = c1(bob)
        sent = send_answer(learner=bob, variant=variant, answers={"p": "0.6667"}).submission
        assert sent is not None
        self.variant, self.submission = variant, sent
        self.fault = report_fault(learner=bob, variant=variant, text="The sky is no word.")
        shared = deck_of(User.objects.get(username="alice"), {**NUMBER, "id": "open"}, title="Open")
        assert shared is not None
        self.turn = opened(bob)
        draw_variant(learner=bob, slug="masked", seed=7)

    def _course(self, course: Course, bob: User, alice: User) -> None:
        problem = Problem.objects.select_related("current").get(slug="masked")
        now = clock.now()
        open_now = {"opens_at": now - DAY, "closes_at": now + DAY, "published_at": now - DAY}
        quiz = problem_set(course, ProblemSet.Mode.QUIZ, problem, **open_now)
        item = quiz.items.get()
        self.practice = problem_set(course, ProblemSet.Mode.PRACTICE, problem, **open_now)
        attempt = begun(quiz, bob, began_at=now)
        over = begun(quiz, bob, began_at=now, number=2, handed_in_at=now, receipt="ABCD-EFGH")
        self.handed_in = over.public_id
        assert problem.current is not None
        run = print_copies(
            problem_set=problem_set(course, ProblemSet.Mode.EXAM, problem), made_by=alice, copies=1, seed=1
        )
        event = made(course, alice, problem.current)
        override = Override.objects.create(problem_set=quiz, learner=bob, score="1", reason="x", given_by=alice)
        ruling = Ruling.objects.create(problem_set=quiz, item=item, kind="discount", step="p", reason="x")
        self.ids |= {
            "course_id": course.public_id, "set_id": quiz.public_id, "attempt_id": attempt.public_id,
            "event_id": event.public_id, "regrade_id": event.public_id, "override_id": override.pk,
            "ruling_id": ruling.pk, "report_id": self.fault.pk, "submission_id": self.submission.public_id,
            "run_id": run.public_id, "code": PaperCopy.objects.get().code,
            "member": Enrolment.objects.get(course=course, user=bob).pk, "item": item.pk,
            "group_id": Group.objects.create(course=course, name="Tutorial 1").pk,
        }  # fmt: skip
        pool = Pool.objects.create(problem_set=quiz, name="Pool").pk
        longer = Extension.objects.create(problem_set=quiz, learner=bob, attempts=1, reason="x")
        self.ids |= {"item_id": item.pk, "pool_id": pool, "extension_id": longer.pk}
        self.pks = {
            "frontend:member": self.ids["member"], "frontend:set-item": item.pk,
            "frontend:set-practise": self.practice.items.get().pk, "frontend:fault": self.fault.pk,
            "frontend:set-pool": pool,
            "frontend:grade-override-withdraw": override.pk, "frontend:ruling-withdraw": ruling.pk,
            "frontend:fault-settle": self.fault.pk,
        }  # fmt: skip

    def _followed(self, course: Course, bob: User, alice: User) -> None:
        hook = Webhook.objects.create(
            course=course, owner=alice, url="https://sis.example/hook", secret=seal("whsec_eA==")
        )
        event = Event.objects.create(course=course, kind="course.changed", position=10_000)
        job = Job.objects.create(course=course, made_by=alice, kind="roster", text="username\n", is_dry_run=True)
        self.ids |= {
            "webhook_id": hook.public_id, "job_id": job.public_id, "who": "bob",
            "delivery_id": Delivery.objects.create(webhook=hook, event=event).public_id,
        }  # fmt: skip
        issue_token(user=bob, label="another")

    def _platform(self, course: Course, alice: User) -> None:
        platform = Registration.objects.create(
            name="Campus", issuer="https://lms.example", client_id="1", login_url="https://lms.example/auth",
            keys_url="https://lms.example/keys", made_by=alice,
        )  # fmt: skip
        place = Deployment.objects.create(registration=platform, deployment_id="1", state="approved")
        context = Context.objects.create(deployment=place, context_id="1", course=course, title="BERT")
        her = PlatformUser.objects.create(registration=platform, sub="1", user=alice, is_made_here=False)
        Membership.objects.create(context=context, platform_user=her, role="instructor")
        link = ResourceLink.objects.create(context=context, link_id="1", title="Quiz")
        column = LineItem.objects.create(context=context, problem_set=self.practice, label="Practice")
        self.ids["column"] = column.pk
        self.ids |= {
            "registration_id": platform.public_id, "link_id": link.public_id, "context_id": context.public_id,
            "ticket": "x", "token": "x",
        }  # fmt: skip

    def query(self, name: str) -> str:
        """What an address is asked with where it says nothing without."""
        return query_of(name, self.ids, step="p")

    def form(self, name: str) -> dict[str, Any]:
        """What is sent along where nothing happens without."""
        return {
            "frontend:lms-course": {"do": "again", "column": self.ids["column"]},
            "frontend:lms-column": {"do": "read"},
            "frontend:ruling-new": {"kind": "discount", "item": self.ids["item"], "step": "p"},
            "frontend:set-act": {"do": "release"},
            "frontend:webhook": {"do": "pause"},
            "frontend:set-copy": {"course": self.ids["course_id"]},
            "frontend:set-items": {"do": "add", "problem": "masked"},
        }.get(name, {})

    def arguments(self, name: str, wanted: list[str]) -> dict[str, Any]:
        """What stands in the address of that name."""
        found = {one: self.ids.get(one) for one in wanted}
        if "pk" in wanted:
            found["pk"] = self.pks[name]
        if "turn_id" in wanted:
            found["turn_id"] = self.turn.public_id
        if "key" in wanted:
            found["key"] = NUMBER["id"]
        if "slug" in wanted and name.startswith(("frontend:author-", "frontend:export-", "api:problem")):
            found["slug"] = self.authored
        if "slug" in wanted and name.startswith(("frontend:deck", "frontend:card-", "api:deck")):
            found["slug"] = self.deck.slug
        if "public_id" in wanted:
            own = {"api:token": AccessToken.objects.filter(label="another").first()}
            of_answers = name in ("frontend:verdict", "api:submission")
            thing: Any = own.get(name) or (self.submission if of_answers else self.variant)
            found["public_id"] = thing.public_id
        if name == "frontend:set-practise":
            found["set_id"] = self.practice.public_id
        if name == "api:receipt":
            found["code"] = "ABCD-EFGH"
        if name in ("frontend:attempt-receipt", "api:attempt-receipt"):
            found["attempt_id"] = self.handed_in
        return found
