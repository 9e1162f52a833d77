"""A course for the demo world: thirty learners, sets in all three modes, and what became of them so far.

Everything in it is done through the actions that people's own clicks go through, at the moments they are told to be at.
"""

import datetime as dt
import random
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import exp
from typing import Any

from exercises import access, clock
from exercises.actions import report_fault, send_answer
from exercises.actions.authoring import fork_problem, publish_draft
from exercises.actions.authoring.checks import keep_report, report_on
from exercises.actions.courses import Choices, CourseFields, create_course, import_roster, plan_roster, seal_of
from exercises.actions.figures import want_stale_figures, work_on_figures
from exercises.actions.grading import Given as Graded
from exercises.actions.grading import give_override
from exercises.actions.sets.editing import create_set
from exercises.actions.sets.extensions import Given as Extended
from exercises.actions.sets.extensions import give_extension
from exercises.actions.sets.items import ItemDetails, add_items, change_item
from exercises.actions.sets.publishing import publish_set, release_results
from exercises.actions.sitting.begin import begin_attempt
from exercises.actions.sitting.check import another_variant, check_item
from exercises.actions.sitting.hand_in import hand_in
from exercises.actions.sitting.refusals import NoTryLeft
from exercises.actions.sitting.save import save_answers
from exercises.courses.set_details import SetDetails
from exercises.loading import problem_of
from exercises.management.demo_learner import mistaken, typed_as
from exercises.models import (
    Attempt,
    AttemptItem,
    Course,
    Enrolment,
    Figures,
    Problem,
    ProblemDraft,
    ProblemSet,
    User,
    Variant,
)
from exercises.queries.authoring.states import digest_of_text
from exercises.set_rows import state_of
from exercises.tasks import sweep_pending
from grader.solution import solve

ZONE = "Europe/Berlin"
#: Learners beside Bob, as they stand on the roster.
NAMES = (
    "Amara Okafor", "Anselm Vogt", "Beatriz Lima", "Chiara Conti", "Daan de Wit", "Elif Demir", "Farid Haddad",
    "Greta Lindqvist", "Hiro Tanaka", "Ines Duarte", "Jakub Nowak", "Kofi Mensah", "Leila Rahimi", "Mateo Rojas",
    "Mei Chen", "Nadia Petrova", "Noor Jansen", "Oisín Byrne", "Priya Nair", "Quentin Morel", "Rosa Keller",
    "Samir Aziz", "Sofia Rossi", "Tomasz Zając", "Uma Iyer", "Viktor Holm", "Wanjiru Kamau", "Yara Costa",
    "Zoltán Kiss",
)  # fmt: skip
AFTERNOON = 15
#: Seconds that the check of the teacher's own problem may take; it takes two on a machine that does nothing else.
UNHURRIED = 600.0
#: Of whom the last ones sit nothing.
ABSENT = 2
#: Spread of abilities in logits, and what a second try is the better for it.
SPREAD, SECOND_TRY = 1.1, 0.9
#: How likely somebody of middling ability gets a step right, in logits.
EASE = 1.4


@dataclass
class Person:
    """One learner of the course, and what they can do."""

    user: User
    ability: float


class DemoCourse:
    """The course that ``teacher`` gives; the same ``chance`` gives the same one."""

    def __init__(self, teacher: User, chance: random.Random) -> None:
        self.teacher, self.chance = teacher, chance
        # In the afternoon, and over by now.
        now = clock.now()
        afternoon = now.replace(hour=AFTERNOON, minute=0, second=0, microsecond=0)
        self.now = afternoon if afternoon <= now else afternoon - dt.timedelta(days=1)
        self.course: Course = Course()
        self.people: list[Person] = []

    def make(self, *, learner: User, assistant: User, observer: User) -> None:
        """All of it. ``learner`` is in it too, and has the latest sets still to sit."""
        with clock.at(self._ago(days=28)):
            self._open(learner, assistant, observer)
        self._practice()
        self._quiz()
        self._exam()
        self._running(learner)
        self._figures()

    def _figures(self) -> None:
        """Statistics of all of it, as a night would work them out."""
        want_stale_figures()
        for figures in Figures.objects.filter(wanted_at__isnull=False):
            while work_on_figures(figures.pk):
                pass

    def _ago(self, **span: float) -> dt.datetime:
        return self.now - dt.timedelta(**span)

    def _open(self, learner: User, assistant: User, observer: User) -> None:
        today = self.now.date()
        fields = CourseFields(
            title="BERT by hand",
            term=f"Demo term {today.year}",
            time_zone=ZONE,
            starts_on=today - dt.timedelta(days=28),
            ends_on=today + dt.timedelta(days=70),
        )
        self.course = create_course(author=self.teacher, fields=fields)
        rows = ["username,email,name,role,group,external_id"]
        rows += [
            f"{one.username},{one.email},,{role}," for one, role in ((assistant, "assistant"), (observer, "observer"))
        ]
        rows.append(f"{learner.username},{learner.email},Bob Learner,learner,Tuesday,100")
        for number, name in enumerate(NAMES):
            login = f"demo-{name.split()[0].lower()}"
            group = "Tuesday" if number % 2 else "Thursday"
            rows.append(f"{login},{login}@example.org,{name},learner,{group},{101 + number}")
        text = "\n".join(rows)
        plan = plan_roster(course=self.course, text=text)
        import_roster(
            actor=self.teacher,
            course=self.course,
            text=text,
            choices=Choices(),
            seal=seal_of(plan, text=text, choices=Choices()),
        )
        members = Enrolment.objects.filter(course=self.course, role="learner").select_related("user").order_by("pk")
        self.people = [Person(row.user, self.chance.gauss(0, SPREAD)) for row in members if row.user_id != learner.pk]

    def _practice(self) -> None:
        with clock.at(self._ago(days=27)):
            made = self._set(
                SetDetails(
                    title="Warm-up: powers, logarithms, softmax",
                    mode="practice",
                    instructions="Do each of these until it is easy. The quiz takes it for granted.",
                ),
                ["powers-and-logs", "uniform-logits", "softmax-distribution"],
            )
        for person in self.people[:12]:
            with clock.at(self._ago(days=self.chance.randint(17, 26), hours=self.chance.randint(0, 6))):
                attempt = begin_attempt(learner=person.user, problem_set=made, seed=self.chance.getrandbits(24))
                for place in self._places(attempt)[: self.chance.randint(1, 3)]:
                    variant = self._variant(place)
                    send_answer(learner=person.user, variant=variant, answers=self._answers(variant, person))
        sweep_pending()

    def _quiz(self) -> None:
        due = self._ago(days=9)
        with clock.at(self._ago(days=21)):
            made = self._set(
                SetDetails(
                    title="Quiz 1: from logits to loss",
                    mode="quiz",
                    opens_at=self._ago(days=20),
                    due_at=due,
                    credits=(Fraction(1), Fraction(1, 2), Fraction(1, 4)),
                    late=(Fraction(9, 10), Fraction(4, 5)),
                    pass_mark=Fraction(1, 2),
                ),
                ["softmax-distribution", "masked-token-loss", "neg-log"],
                weights=("1", "2", "1"),
            )
        with clock.at(self._ago(days=10)):
            until = Extended(due_at=self._ago(days=6), closes_at=self._ago(days=4), reason="Was ill for a week.")
            give_extension(actor=self.teacher, problem_set=made, given=until, learner=self.people[3].user)
        self._sit_quiz(made, self.people[:-ABSENT], lambda place: self._when(due, place))
        with clock.at(self._ago(days=8)):
            enrolment = Enrolment.objects.select_related("course", "user").get(
                course=self.course, user=self.people[5].user
            )
            graded = Graded(problem_set=made, enrolment=enrolment, score=Fraction(3, 4))
            give_override(actor=self.teacher, given=graded, reason="Explained all of it at the board.", seen=None)

    def _when(self, due: dt.datetime, place: int) -> dt.datetime:
        """Most hand in before it is due, one in nine a day late."""
        hours = -9 if place % 9 == 4 else self.chance.randint(2, 200)
        return due - dt.timedelta(hours=hours)

    def _exam(self) -> None:
        opens = self._ago(days=6)
        with clock.at(self._ago(days=12)):
            made = self._set(
                SetDetails(
                    title="Midterm: masked language modelling",
                    mode="exam",
                    instructions="Four digits in between, three in the answers. Calculators are fine.",
                    opens_at=opens,
                    due_at=opens + dt.timedelta(hours=3),
                    time_limit=60,
                    shuffle=True,
                    feedback="released",
                    pass_mark=Fraction(7, 10),
                ),
                ["masked-set", "mask-counts", "masked-token-loss", "mlm-average"],
                weights=("0.7", "0.2", "1.1", "2"),
            )
        for place, person in enumerate(self.people[:-ABSENT]):
            with clock.at(opens + dt.timedelta(minutes=self.chance.randint(1, 60))):
                attempt = begin_attempt(learner=person.user, problem_set=made, seed=self.chance.getrandbits(24))
            with clock.at(attempt.began_at + dt.timedelta(minutes=self.chance.randint(20, 55))):
                for item in self._places(attempt):
                    # Time runs out for some of them.
                    if place % 7 == 6 and item.position == 4:
                        continue
                    variant = self._variant(item)
                    save_answers(
                        attempt_item=item,
                        variant_id=str(variant.public_id),
                        answers=self._answers(variant, person),
                        based_on=0,
                    )
                hand_in(attempt=attempt)
        sweep_pending()
        with clock.at(self._ago(days=4)):
            release_results(actor=self.teacher, problem_set=made)

    def _running(self, learner: User) -> None:
        """What is open now: a quiz with the teacher's own problem, which half of them have done, and a mock exam."""
        with clock.at(self._ago(days=3)):
            quiz = self._set(
                SetDetails(
                    title="Quiz 2: does the sentence follow?",
                    mode="quiz",
                    opens_at=self._ago(days=2),
                    due_at=self.now + dt.timedelta(days=5),
                    credits=(Fraction(1), Fraction(3, 4), Fraction(1, 2)),
                    retry="new",
                    late=(Fraction(1), Fraction(1, 2)),
                    hints=True,
                ),
                [self._own_problem().slug, "sigmoid-or-softmax"],
            )
            self._set(
                SetDetails(
                    title="Mock exam",
                    mode="exam",
                    instructions="As the final will be: an hour, handed in as a whole. Results come when you hand in.",
                    opens_at=self._ago(days=2),
                    closes_at=self.now + dt.timedelta(days=12),
                    time_limit=60,
                    feedback="handed-in",
                ),
                ["masked-token-loss", "mlm-average", "nsp-loss", "pretraining-total"],
            )
        done = self.people[:13]
        self._sit_quiz(quiz, done, lambda _: self._ago(hours=self.chance.randint(3, 46)))
        first = Variant.objects.filter(attempt_item__attempt__problem_set=quiz, learner=done[0].user).first()
        if first is not None:
            with clock.at(self._ago(hours=2)):
                report_fault(
                    learner=done[0].user,
                    variant=first,
                    text="My calculator says something else in the last digit. Who is right?",
                )

    def _own_problem(self) -> Problem:
        """A problem of the teacher's own, published."""
        own = fork_problem(
            author=self.teacher,
            problem=access.usable_problem(self.teacher, "nsp-loss"),
            title="Next-sentence loss, our numbers",
        )
        # Checked before, since nobody waits here: on a slow machine it takes longer than a page or a worker may.
        draft = ProblemDraft.objects.get(problem=own)
        keep_report(draft.pk, digest_of_text(draft.source), report_on(draft.source, seconds=UNHURRIED))
        return publish_draft(author=self.teacher, problem=own, summary="For quiz 2.", revision=1).version.problem

    def _sit_quiz(
        self, made: ProblemSet, people: Sequence[Person], when: Callable[[int], dt.datetime], tries: int = 2
    ) -> None:
        """Everybody's first tries, then the second tries of those who need one, each wave marked together."""
        begun: list[tuple[Person, dt.datetime, AttemptItem]] = []
        for place, person in enumerate(people):
            moment = when(place)
            with clock.at(moment):
                attempt = begin_attempt(learner=person.user, problem_set=made, seed=self.chance.getrandbits(24))
            begun += [(person, moment, item) for item in self._places(attempt)]
        for number in range(tries):
            for person, moment, item in begun:
                item.refresh_from_db()
                if number and (item.score == 1 or self.chance.random() < 0.2):
                    continue
                with clock.at(moment + dt.timedelta(minutes=4 * item.position + 15 * number)), suppress(NoTryLeft):
                    self._try(person, item, number)
            sweep_pending()

    def _try(self, person: Person, item: AttemptItem, number: int) -> None:
        if number and item.attempt.problem_set.retry == ProblemSet.Retry.NEW:
            variant = another_variant(attempt_item=item, after=str(self._variant(item).public_id))
        else:
            variant = self._variant(item)
        check_item(
            attempt_item=item,
            variant_id=str(variant.public_id),
            answers=self._answers(variant, person, boost=SECOND_TRY * number),
            based_on=item.saved_version,
            idempotency_key=f"demo-{item.pk}-{number}",
            is_sure=True,
        )

    def _answers(self, variant: Variant, person: Person, boost: float = 0.0) -> dict[str, Any]:
        """What this person types: right, or as somebody who makes one of the named mistakes."""
        problem = problem_of(variant)
        solution = solve(problem, variant.parameters)
        answers = {step.name: typed_as(step.kind, solution.values[step.name]) for step in problem.asked}
        chance = 1 / (1 + exp(-(person.ability + EASE + boost)))
        missed = [step.name for step in problem.asked if self.chance.random() > chance]
        return {**answers, **mistaken(problem, solution, missed, self.chance)}

    def _set(self, details: SetDetails, slugs: Iterable[str], weights: Sequence[str] = ()) -> ProblemSet:
        made = create_set(actor=self.teacher, course=self.course, details=details)
        problems = [access.usable_problem(self.teacher, slug) for slug in slugs]
        items = add_items(actor=self.teacher, problem_set=made, problems=problems)
        for item, weight in zip(items, weights, strict=False):
            change_item(actor=self.teacher, item=item, seen=state_of(item), details=ItemDetails(Decimal(weight)))
        return publish_set(actor=self.teacher, problem_set=made)

    def _places(self, attempt: Attempt) -> list[AttemptItem]:
        return list(attempt.items.select_related("attempt__problem_set__course", "attempt__learner", "item", "version"))

    def _variant(self, item: AttemptItem) -> Variant:
        return item.variants.select_related("version", "problem").latest("number")
