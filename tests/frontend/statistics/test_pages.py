"""The pages about how a class does: who sees which, and what they keep to themselves."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from exercises.actions.draw import digest_of
from exercises.actions.figures import want_figures, work_on_figures
from exercises.models import (
    Attempt,
    AttemptItem,
    AuditEntry,
    Course,
    Enrolment,
    Figures,
    Problem,
    ProblemSet,
    ProblemVersion,
    Role,
    User,
    Variant,
    WithdrawnVariant,
)
from tests.exercises.conftest import problem
from tests.exercises.courses.world import person, problem_set
from tests.exercises.world import C1
from tests.frontend.world import words as in_words

__all__ = ["problem"]
pytestmark = pytest.mark.usefixtures("servers", "published")

DIGEST = digest_of(C1)


@pytest.fixture
def quiz(course: Course, problem: Problem) -> ProblemSet:
    return problem_set(course, "quiz", problem)


@pytest.fixture
def as_who(course: Course, elsewhere: Course, alice: User, bob: User, charlie: User) -> dict[str, Client]:
    people = {"nobody": None, "alice": alice, "bob": bob, "charlie": charlie}
    people["erin"] = User.objects.get(username="erin")
    people["dave"] = person(course, "dave", Role.ASSISTANT).user
    people["eve"] = person(course, "eve", Role.OBSERVER).user
    clients = {name: Client() for name in people}
    for name, user in people.items():
        if user is not None:
            clients[name].force_login(user)
    return clients


@pytest.fixture
def figures(quiz: ProblemSet, course: Course, bob: User) -> Figures:
    """Figures of forty learners, three of whom made a mistake; one variant stands out, and Bob had it."""
    item = quiz.items.get()
    version = item.problem.current
    assert version is not None
    attempt = Attempt.objects.create(problem_set=quiz, learner=bob)
    place = AttemptItem.objects.create(attempt=attempt, item=item, position=1, weight=1, version=version)
    Variant.objects.create(
        learner=bob, problem=item.problem, version=version, number=1, seed=7, parameters=C1, digest=DIGEST,
        attempt_item=place,
    )  # fmt: skip
    report = {
        "figures": {
            "learners": 40, "facility": 0.15, "low": 0.1, "high": 0.2, "discrimination": -0.2, "upper_lower": None,
            "flags": ["too-hard", "check-the-key"],
        },
        "aided": 3, "tries": 1.5, "seconds": 95.0, "scores": [30, 0, 0, 0, 0, 0, 0, 0, 0, 10],
        "steps": [
            {
                "step": "loss", "answered": 40, "wrong": 34, "first_wrong": 34,
                "clusters": [
                    {
                        "kind": "ratio", "value": 2.0, "answers": 4, "learners": 4, "variants": 2, "part": 0.12,
                        "says": "it is 2 of the key", "examples": [[0.8152, 0.4076]],
                    }
                ],
            }
        ],
        "notes": [{"note": "loss.log2", "k": 3, "n": 40, "low": 0.02, "high": 0.2}],
        "variants": {DIGEST: {"learners": 12, "effect": -0.9, "deviation": -4.1, "grade": "C"}},
    }  # fmt: skip
    made = {"learners": 40, "items": {str(item.pk): report}, "mode": "quiz"}
    row = want_figures(course=course, problem_set=quiz)
    work_on_figures(row.pk)
    Figures.objects.filter(pk=row.pk).update(figures=made)
    return row


def shown(name: str, course: Course, quiz: ProblemSet) -> str:
    if name.startswith("class"):
        return reverse(f"frontend:{name}", kwargs={"course_id": course.public_id})
    return reverse(f"frontend:{name}", kwargs={"set_id": quiz.public_id})


@pytest.mark.parametrize(
    ("name", "statuses"),
    [
        ("class", {"eve": 200, "dave": 200, "alice": 200}),
        ("class-csv", {"dave": 200, "alice": 200}),
        ("set-statistics", {"eve": 200, "dave": 200, "alice": 200}),
        ("statistics-csv", {"dave": 200, "alice": 200}),
    ],
)
def test_who_gets_which_page(
    name: str, statuses: dict[str, int], course: Course, quiz: ProblemSet, as_who: dict[str, Client]
) -> None:
    for who, client in as_who.items():
        expected = {401, 302} if who == "nobody" else {statuses.get(who, 404)}
        assert client.get(shown(name, course, quiz)).status_code in expected, who


@pytest.mark.parametrize("name", ["class-renew", "statistics-renew"])
def test_who_lets_it_be_worked_out(name: str, course: Course, quiz: ProblemSet, as_who: dict[str, Client]) -> None:
    for who in ("bob", "charlie", "erin", "eve"):
        user = User.objects.get(username=who)
        assert as_who[who].post(shown(name, course, quiz), {"learner": user.pk}).status_code == 404
    assert not Figures.objects.exists()
    alice = User.objects.get(username="alice")
    assert as_who["alice"].post(shown(name, course, quiz), {"learner": alice.pk}).status_code == 302
    page = as_who["alice"].get(
        shown(name.replace("statistics-renew", "set-statistics").removesuffix("-renew"), course, quiz)
    )
    assert "Being calculated" in page.content.decode()


def test_an_observer_sees_no_name_and_no_small_number(
    course: Course, quiz: ProblemSet, bob: User, as_who: dict[str, Client], figures: Figures
) -> None:
    Enrolment.objects.filter(user=bob).update(name="Robert Unmistakable")
    work_on_figures(want_figures(course=course).pk)
    alices, eves = (as_who[who].get(shown("class", course, quiz)).content.decode() for who in ("alice", "eve"))
    assert "Robert Unmistakable" in alices
    assert "Robert" not in eves
    assert "bob" not in re.sub(r"<header.*?</header>", "", eves, flags=re.DOTALL)
    # One learner of one: no count below five is told, nor shown by a bar.
    assert "under 5" in eves
    assert "under 5" not in alices
    assert "bar-not-started" not in eves
    items = as_who["eve"].get(shown("set-statistics", course, quiz)).content.decode()
    assert "15 %" in items
    assert "loss.log2" not in items, "Three learners made it."
    assert "alike" not in items, "Four learners are in it."
    assert "Withdraw it" not in items


def test_figures_are_flagged_and_an_unfair_variant_can_be_dealt_with(
    course: Course, quiz: ProblemSet, alice: User, as_who: dict[str, Client], figures: Figures
) -> None:
    page = as_who["alice"].get(shown("set-statistics", course, quiz)).content.decode()
    for words in ("check the key", "very hard", "2 of the key", "loss.log2", "1 min 35 s", "seed 7", "harder"):
        assert words in page, words
    item = quiz.items.get()
    address = reverse("frontend:statistics-withdraw", kwargs={"set_id": quiz.public_id, "item": item.pk})
    assert f"{address}?digest={DIGEST}" in page
    assert f"kind=compensate&amp;item={item.pk}&amp;digest={DIGEST}" in page
    assert as_who["dave"].get(f"{address}?digest={DIGEST}").status_code == 404
    assert as_who["alice"].get(f"{address}?digest={'e' * 64}").status_code == 404
    form = {"learner": alice.pk, "digest": DIGEST}
    assert as_who["alice"].post(address, form).status_code == 422
    done = as_who["alice"].post(address, {**form, "reason": "The numbers are too close."}, follow=True)
    assert "withdrawn" in done.content.decode()
    assert WithdrawnVariant.objects.get().course == course
    assert AuditEntry.objects.filter(reason="The numbers are too close.").exists()


def test_steps_and_mistakes_are_told_in_words_and_their_names_stand_beside_them(
    course: Course, quiz: ProblemSet, as_who: dict[str, Client], figures: Figures
) -> None:
    page = in_words(as_who["alice"].get(shown("set-statistics", course, quiz)).content.decode())
    assert "Loss at this slot, in nats loss 40 34" in page
    assert "Loss at this slot, in nats loss Here 4 learners on 2 variants gave answers that are alike" in page
    assert "this course uses natural logs. loss.log2 3 40" in page
    # As its author left it, a broken file still has its names.
    ProblemVersion.objects.update(source="title: [")
    broken = in_words(as_who["alice"].get(shown("set-statistics", course, quiz)).content.decode())
    assert "loss 40 34" in broken


def test_files_are_safe_for_spreadsheets(
    course: Course, quiz: ProblemSet, bob: User, as_who: dict[str, Client], figures: Figures
) -> None:
    Enrolment.objects.filter(user=bob).update(name="=HYPERLINK(1)")
    text = as_who["alice"].get(shown("class-csv", course, quiz)).content.decode("utf-8-sig")
    assert "'=HYPERLINK(1)" in text
    assert "Not started" in text
    items = as_who["alice"].get(shown("statistics-csv", course, quiz)).content.decode("utf-8-sig")
    assert items.splitlines()[1].startswith("Loss at one masked token,40,15 %,10 %,20 %")


def test_pages_cost_the_same_for_one_learner_and_for_thirty(
    course: Course, quiz: ProblemSet, as_who: dict[str, Client], figures: Figures, django_assert_max_num_queries: Any
) -> None:
    work_on_figures(want_figures(course=course).pk)
    for learners in (0, 30):
        for place in range(learners):
            person(course, f"learner{place}")
        for name, most in (("class", 13), ("set-statistics", 12)):
            with django_assert_max_num_queries(most):
                as_who["alice"].get(shown(name, course, quiz))
