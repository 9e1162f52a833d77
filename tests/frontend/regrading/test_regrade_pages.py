"""The pages of regrades: what they say, what they keep, and what they ask of the database."""

import pytest
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from exercises import queries
from exercises.actions.regrading.deciding import apply_regrade
from exercises.models import Course, Enrolment, ProblemSet, ProblemVersion, RegradeEvent, Submission, User
from tests.exercises.courses.world import person
from tests.exercises.regrading.world import MISLED, RIGHT, answered, done, made, place, publish, verdicts
from tests.exercises.world import MASKED
from tests.frontend.regrading.conftest import As
from tests.frontend.world import words

pytestmark = pytest.mark.usefixtures("servers")


def page_of(event: RegradeEvent) -> str:
    return reverse("frontend:regrade", args=[event.public_id])


def test_it_is_made_applied_and_undone_by_its_pages(
    as_person: As, everybody: Course, submission: Submission, right: ProblemVersion, quiz: ProblemSet
) -> None:
    alice = as_person("alice")
    new = reverse("frontend:regrade-new", args=[everybody.public_id])
    assert "Loss at one masked token" in words(alice.get(new).content.decode())
    form = {
        "version": str(right.pk),
        "problem_set": str(quiz.public_id),
        "reason": "The total had one too many.",
        "never_lower": "on",
    }
    made_at = alice.post(f"{new}?problem=masked", form)
    event = RegradeEvent.objects.get()
    assert made_at["Location"] == page_of(event)
    assert (event.problem_set, event.version, event.never_lower) == (quiz, right, True)
    counting = alice.get(page_of(event)).content.decode()
    assert "The dry run is going on." in words(counting)
    assert "hx-get" in counting
    done(event)
    progress = alice.get(reverse("frontend:regrade-progress", args=[event.public_id]))
    assert progress["HX-Refresh"] == "true"
    shown = words(alice.get(page_of(event)).content.decode())
    for fact in (
        "Nothing is changed yet",
        "bob",
        "75 % → 100 %",
        "+25",
        "total : not right → right",
        "answers raised 1",
    ):
        assert fact in shown
    alice.post(reverse("frontend:regrade-apply", args=[event.public_id]))
    done(event)
    assert "It was applied" in words(alice.get(page_of(event)).content.decode())
    alice.post(reverse("frontend:regrade-undo", args=[event.public_id]))
    done(event)
    assert "It was undone" in words(alice.get(page_of(event)).content.decode())
    assert [reason for reason, _, _ in verdicts(submission)] == ["first", "regrade", "undo"]
    assert "undone" in words(alice.get(reverse("frontend:regrades", args=[everybody.public_id])).content.decode())


def test_what_cannot_be_is_said_beside_its_field_and_what_was_typed_stays(
    as_person: As, everybody: Course, right: ProblemVersion
) -> None:
    page = f"{reverse('frontend:regrade-new', args=[everybody.public_id])}?problem=masked"
    form = {"version": str(right.pk), "problem_set": "all", "reason": "Rougher", "digits": "8"}
    answer = as_person("alice").post(page, form)
    assert answer.status_code == 422
    told = answer.content.decode()
    assert "ask for 2 to 4 significant digits" in words(told)
    assert "id_digits_error" in told
    assert "Rougher" in told
    assert as_person("alice").post(page, {**form, "digits": "", "reason": " "}).status_code == 422
    assert as_person("alice").post(page, {**form, "version": "999999"}).status_code == 422
    assert not RegradeEvent.objects.exists()


def test_an_assistant_sees_it_all_and_is_offered_nothing_that_changes_scores(
    as_person: As, event: RegradeEvent
) -> None:
    shown = as_person("dave").get(page_of(event)).content.decode()
    assert "75 % → 100 %" in words(shown)
    assert "regrade-apply" not in shown
    assert "/apply/" not in shown
    assert "it takes an instructor" in words(shown)


def test_a_press_that_is_refused_says_why(as_person: As, event: RegradeEvent) -> None:
    alice = as_person("alice")
    answer = alice.post(reverse("frontend:regrade-undo", args=[event.public_id]), follow=True)
    assert "Only a regrade that was applied to the end can be undone." in words(answer.content.decode())


def test_what_is_kept_is_listed_with_what_it_would_be(
    as_person: As, everybody: Course, alice: User, quiz: ProblemSet, submission: Submission
) -> None:
    dora = person(everybody, "dora")
    Enrolment.objects.filter(pk=dora.pk).update(name="Dora D.")
    answered(place(dora.user, quiz), MISLED)
    event = made(everybody, alice, publish(MASKED), never_lower=True)
    shown = words(as_person("alice").get(f"{page_of(event)}?show=kept").content.decode())
    assert "Kept as they were (1)" in shown
    assert "Dora D." in shown
    assert "of each answer the better of the old and the new verdict counts" in shown
    assert "Dora D." not in words(as_person("alice").get(page_of(event)).content.decode())


@pytest.mark.parametrize("rows", [1, 12])
def test_pages_ask_the_database_a_fixed_number_of_times(
    as_person: As,
    everybody: Course,
    alice: User,
    quiz: ProblemSet,
    submission: Submission,
    rows: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    for number in range(rows):
        answered(place(person(everybody, f"learner-{number}").user, quiz), RIGHT)
        answered(place(person(everybody, f"misled-{number}").user, quiz), MISLED)
    version = publish(MASKED)
    for number in range(rows):
        event = made(everybody, alice, version, never_lower=True, reason=f"Once more, {number}.")
    client = as_person("alice")
    with django_assert_num_queries(2 + 3):
        client.get(reverse("frontend:regrades", args=[everybody.public_id]))
    with django_assert_num_queries(2 + 8):
        client.get(page_of(event))
    with django_assert_num_queries(2 + 7):
        client.get(f"{page_of(event)}?show=kept")
    with django_assert_num_queries(2 + 4):
        client.get(f"{reverse('frontend:regrade-new', args=[everybody.public_id])}?problem=masked")


def test_somebody_who_left_is_still_called_by_their_name(as_person: As, event: RegradeEvent, bob: User) -> None:
    Enrolment.objects.filter(user=bob).update(name="Bob B.", dropped_at="2026-01-01T00:00Z")
    assert "Bob B." in words(as_person("alice").get(page_of(event)).content.decode())


def test_applied_it_explains_by_the_new_version_what_was_drawn_as_it_was(
    event: RegradeEvent, alice: User, submission: Submission
) -> None:
    before = queries.shown(submission.variant).statement
    done(apply_regrade(event=event, actor=alice))
    submission.variant.refresh_from_db()
    submission.variant.revealed_at = submission.created_at
    solution = queries.worked_solution(submission.variant)
    assert solution is not None
    assert queries.shown(submission.variant).statement == before
    assert next(step.value for step in solution.steps if step.step == "total").startswith("11.1")


def test_a_dry_run_that_changes_no_score_says_so_and_offers_first_to_drop_it(
    as_person: As, everybody: Course, alice: User, submission: Submission
) -> None:
    event = made(everybody, alice, submission.variant.version)
    shown = words(as_person("alice").get(page_of(event)).content.decode())
    assert "No score would change." in shown
    assert "changes" not in shown.partition("No score would change.")[2]
    assert shown.index("Call it off") < shown.index("Apply all the same")


def test_a_dry_run_that_changes_scores_offers_to_apply_them(as_person: As, event: RegradeEvent) -> None:
    shown = words(as_person("alice").get(page_of(event)).content.decode())
    assert "No score would change." not in shown
    assert "Apply: the score of 1 answer changes" in shown


def test_rougher_answers_are_called_what_they_are(
    as_person: As, everybody: Course, alice: User, submission: Submission
) -> None:
    event = made(everybody, alice, submission.variant.version, digits=2)
    shown = words(as_person("alice").get(page_of(event)).content.decode())
    assert "version 2: As version 1, but answers with 2 digits are enough." in shown


@pytest.mark.parametrize(("who", "sees"), [("alice", True), ("dave", True), ("eve", False), ("bob", False)])
def test_the_way_to_regrades_is_shown_to_whoever_may_begin_one(
    who: str, sees: bool, as_person: As, everybody: Course
) -> None:
    page = as_person(who).get(reverse("frontend:course", args=[everybody.public_id])).content.decode()
    assert (f'href="{reverse("frontend:regrades", args=[everybody.public_id])}"' in page) == sees
