"""Bob with everything that the service can know of somebody, beside Alice who teaches and others who learn."""

import datetime as dt
import json
import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from allauth.account.models import EmailAddress
from django.apps import apps
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session

from exercises import actions, clock
from exercises.actions.courses.people import set_time_factor
from exercises.actions.privacy.batches import in_batches
from exercises.models import (
    Attempt,
    AttemptItem,
    Context,
    Course,
    DailySession,
    Deployment,
    Enrolment,
    Event,
    Extension,
    ExternalId,
    FaultReport,
    Job,
    LineItem,
    LmsScore,
    Membership,
    Override,
    PlatformUser,
    Problem,
    ProblemSet,
    Registration,
    SavedAnswer,
    StudyPlan,
    User,
)
from exercises.tasks import grade_pending
from tests.authenticator import given_second_step
from tests.exercises.courses.sat import HALF, begun, handed_in, marked, place_of
from tests.exercises.courses.world import NOW, problem_set
from tests.exercises.world import c1
from tests.frontend.cards.world import NUMBER, deck_of, opened

#: What Bob is called, wherever that is.
NAMES = ("bob", "Robert Baumeister", "bob.baumeister@uni.example", "sub-4711", "matrikel-815", "sis-bob-9")
#: What was written in words, by him or about him.
WORDS = ("zebra-forecast", "zebra-fault", "zebra-reply", "zebra-draft", "zebra-reason", "zebra-because")
#: What he typed into boxes: one in practice, one on the page of an exam.
TYPED = ("0.66674711", "11.1074711", "zebra-box", "zebra-saved")


class Bobs:
    """What is Bob's, by what it is."""

    practice: Any
    quiz: Attempt
    exam: Attempt


def filled(course: Course, bob: User, alice: User, problem: Problem) -> Bobs:
    """Let Bob leave something in every table that can hold anything of somebody."""
    found = Bobs()
    User.objects.filter(pk=bob.pk).update(first_name="Robert", last_name="Baumeister", email=NAMES[2])
    bob.refresh_from_db()
    EmailAddress.objects.create(user=bob, email=NAMES[2], verified=True, primary=True)
    given_second_step(bob)
    Enrolment.objects.filter(course=course, user=bob).update(name=NAMES[1], external_id=NAMES[4])
    with clock.at(NOW):
        _practised(found, bob, alice)
        _sat(found, course, bob, problem)
        _decided(found, course, bob, alice)
        _known_elsewhere(course, bob, alice)
        _cards(bob, alice)
    signed_in(bob)
    return found


def _practised(found: Bobs, bob: User, alice: User) -> None:
    found.practice = c1(bob)
    actions.keep_forecast(variant=found.practice, text=WORDS[0])
    actions.send_answer(learner=bob, variant=found.practice, answers={"p": TYPED[0]})
    grade_pending()
    type(found.practice).objects.filter(pk=found.practice.pk).update(draft={"loss": WORDS[3]})
    actions.report_fault(learner=bob, variant=found.practice, text=WORDS[1])
    FaultReport.objects.update(reply=WORDS[2], settled_by=alice, settled_at=NOW)
    actions.take_hint(variant=found.practice, step="p")
    StudyPlan.objects.create(learner=bob, goal="softmax")
    DailySession.objects.create(learner=bob, study_day=NOW.date())


def _sat(found: Bobs, course: Course, bob: User, problem: Problem) -> None:
    quiz = problem_set(course, ProblemSet.Mode.QUIZ, problem, title="First quiz")
    exam = problem_set(course, ProblemSet.Mode.EXAM, problem, title="The exam")
    found.quiz = handed_in(marked(begun(quiz, bob), HALF))
    found.exam = handed_in(marked(begun(exam, bob), {"total": TYPED[1], "p": "0.6667"}))
    place = place_of(found.quiz)
    AttemptItem.objects.filter(pk=place.pk).update(saved={"answers": {"p": TYPED[2]}})
    SavedAnswer.objects.create(attempt_item=place, version=1, answers={"p": TYPED[3]})


def _decided(found: Bobs, course: Course, bob: User, alice: User) -> None:
    enrolment = Enrolment.objects.get(course=course, user=bob)
    quiz = found.quiz.problem_set
    set_time_factor(actor=alice, enrolment=enrolment, time_factor=Decimal("1.5"), reason=WORDS[4])
    Override.objects.create(problem_set=quiz, learner=bob, score="3/4", reason=WORDS[5], given_by=alice)
    Extension.objects.create(problem_set=quiz, learner=bob, attempts=1, reason=WORDS[4], given_by=alice)
    Override.objects.create(problem_set=found.exam.problem_set, learner=bob, score="2/7", reason="x", given_by=alice)
    Event.objects.create(
        course=course, kind="grade.decided", learner=bob, actor=alice,
        data={"deed": "override", "about": f"{NAMES[1]}: The exam", "after": {"score": "2/7"}},
    )  # fmt: skip


def _known_elsewhere(course: Course, bob: User, alice: User) -> None:
    actions.issue_token(user=bob, label="my script")
    ExternalId.objects.create(owner=alice, kind="person", external_id=NAMES[5], target=bob.pk)
    Job.objects.create(
        course=course, made_by=alice, kind="roster", text="", finished_at=NOW, state="done",
        report={"added": 1, "moves": [{"username": "bob", "email": NAMES[2]}]},
    )  # fmt: skip
    platform = Registration.objects.create(
        name="Campus", issuer="https://lms.example", client_id="1", login_url="https://lms.example/auth",
        keys_url="https://lms.example/keys", made_by=alice,
    )  # fmt: skip
    place = Deployment.objects.create(registration=platform, deployment_id="1", state="approved")
    context = Context.objects.create(
        deployment=place, context_id="1", course=course, sync_report={"seen": 2, "faults": [f"{NAMES[1]}: closed"]}
    )
    him = PlatformUser.objects.create(
        registration=platform, sub=NAMES[3], user=bob, name=NAMES[1], email=NAMES[2], is_made_here=False, seen_at=NOW
    )
    Membership.objects.create(context=context, platform_user=him, role="learner")
    column = LineItem.objects.create(context=context, problem_set=ProblemSet.objects.latest("pk"), label="Exam")
    LmsScore.objects.create(line_item=column, platform_user=him, comment="2/7 by hand", sent={"userId": NAMES[3]})


def _cards(bob: User, alice: User) -> None:
    deck_of(alice, NUMBER, title="Shared")
    actions.answer_card(turn=opened(bob), typed="1.0986")


def signed_in(user: User) -> None:
    """A session of that person."""
    store = SessionStore()
    store[SESSION_KEY] = str(user.pk)
    store["kept"] = "what was typed"
    store.save()


def everything() -> Iterator[tuple[str, str]]:
    """Every row of every table as text, with the table's name; sessions as what is in them."""
    for model in apps.get_models(include_auto_created=True):
        if model is Session:
            continue
        for batch in in_batches(model._base_manager.all()):
            for row in batch:
                values = {field.name: field.value_from_object(row) for field in model._meta.concrete_fields}
                yield model._meta.label, json.dumps(values, default=str, ensure_ascii=False)


def tables_with(*needles: str) -> dict[str, set[str]]:
    """In which tables each of these stands as a word of its own; those that stand nowhere are left out."""
    found: dict[str, set[str]] = {}
    wanted = {needle: re.compile(rf"(?<![A-Za-z0-9]){re.escape(needle)}(?![A-Za-z0-9])", re.I) for needle in needles}
    for table, text in everything():
        for needle, pattern in wanted.items():
            if pattern.search(text):
                found.setdefault(needle, set()).add(table)
    return found


LONG_AGO = dt.timedelta(days=4000)
