"""Erasing one person: what goes, what stays, and under which name."""

from io import StringIO

import pytest
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.test import Client

from exercises import clock
from exercises.actions import send_answer
from exercises.actions.courses.roster_import import Choices, import_roster, plan_roster, seal_of
from exercises.actions.lms.people import person_of
from exercises.actions.privacy import ErasureRefused, end_sessions, erase_person
from exercises.actions.rebuild import rebuild_evidence, rebuild_mastery
from exercises.actions.regrade import regrade
from exercises.actions.regrading.scope import submissions_of
from exercises.lti.launch import Person
from exercises.models import (
    Attempt,
    AuditEntry,
    Course,
    Enrolment,
    Event,
    Grading,
    Override,
    PlatformUser,
    Problem,
    Role,
    Submission,
    User,
    Variant,
)
from exercises.tasks import grade_pending
from tests.exercises.courses.sat import begun, sent
from tests.exercises.courses.world import NOW, problem_set
from tests.exercises.privacy.world import NAMES, TYPED, WORDS, Bobs, everything, signed_in, tables_with
from tests.exercises.regrading.world import made
from tests.exercises.world import MASKED, c1

REASON = "he asked for it"
pytestmark = pytest.mark.usefixtures("servers")


@pytest.mark.usefixtures("bobs")
def test_the_world_holds_everything_that_is_to_go() -> None:
    found = tables_with(*NAMES, *WORDS, *TYPED)
    assert found.keys() == {*NAMES, *WORDS, *TYPED}
    assert len(found["bob"]) > 3


@pytest.mark.usefixtures("bobs")
def test_nothing_of_what_somebody_is_called_or_wrote_is_left_in_any_table(bob: User) -> None:
    erase_person(person=bob, reason=REASON)
    assert tables_with(*NAMES, *WORDS, *TYPED) == {}


@pytest.mark.usefixtures("bobs")
def test_answers_are_kept_where_that_is_chosen_and_nothing_else(bob: User) -> None:
    erase_person(person=bob, reason=REASON, keeps_answers=True)
    assert tables_with(*NAMES, *WORDS) == {}
    assert tables_with(*TYPED).keys() == set(TYPED)


def test_what_a_course_has_to_keep_stays_under_a_name_that_says_nothing(bobs: Bobs, bob: User, course: Course) -> None:
    before = scores()
    done = erase_person(person=bob, reason=REASON)
    bob.refresh_from_db()
    assert bob.username == done.name
    assert done.name.startswith("erased-")
    assert (bob.first_name, bob.last_name, bob.email, bob.is_active) == ("", "", "", False)
    assert not bob.has_usable_password()
    assert scores() == before
    assert Attempt.objects.filter(learner=bob).count() == 2
    assert Override.objects.get(learner=bob, problem_set=bobs.quiz.problem_set).score == "3/4"
    enrolment = Enrolment.objects.get(course=course, user=bob)
    assert (enrolment.name, enrolment.external_id, enrolment.dropped_at) == ("", "", None)


def scores() -> list[tuple[object, ...]]:
    """What everything is worth, and what was noted at each step."""
    marks = [
        {step: (mark["outcome"], mark["note"], mark["credit"]) for step, mark in row.verdict["marks"].items()}
        for row in Grading.objects.order_by("pk")
    ]
    return [
        *Attempt.objects.order_by("pk").values_list("pk", "score_numerator", "score_denominator", "late_days"),
        *Grading.objects.order_by("pk").values_list("pk", "score_numerator", "score_denominator"),
        *map(tuple, map(dict.items, marks)),
    ]


def test_evidence_and_mastery_made_anew_are_what_they_were(bobs: Bobs, bob: User) -> None:
    # Two more different tries before the right one: how many they were is all that counts of them.
    for typed in ("0.1", "0.2", "0.665"):
        send_answer(learner=bob, variant=bobs.practice, answers={"p": typed})
        grade_pending()
    assert bob.evidence.filter(variant=bobs.practice, step="p").latest("revision").tries > 1
    erase_person(person=bob, reason=REASON)
    assert rebuild_evidence(bob, is_check=True) == 0
    assert list(rebuild_mastery(bob, is_check=True)) == []


@pytest.mark.usefixtures("bobs")
def test_a_regrade_leaves_alone_what_has_no_answer_any_more(bob: User) -> None:
    erase_person(person=bob, reason=REASON)
    before = scores()
    assert Submission.objects.filter(author=bob).count() == 3
    assert regrade(Submission.objects.all()).looked_at == 0
    assert scores() == before


def test_a_regrade_of_a_course_goes_by_it_and_counts_it_nowhere(bobs: Bobs, bob: User, course: Course) -> None:
    version = bobs.practice.version
    event = made(course, User.objects.get(username="alice"), version)
    assert submissions_of(event).count() == 2
    erase_person(person=bob, reason=REASON)
    assert submissions_of(event).count() == 0


@pytest.mark.usefixtures("bobs")
def test_the_same_answers_stay_the_same_answer(bob: User, bobs: Bobs) -> None:
    first, second = (sent(bobs.quiz, {"p": "0.6659"}) for _ in range(2))
    Submission.objects.filter(pk__in=(first.pk, second.pk)).update(
        fingerprint="same", state="graded", claimed_until=None
    )
    erase_person(person=bob, reason=REASON)
    first.refresh_from_db()
    second.refresh_from_db()
    assert first.fingerprint == second.fingerprint != "same"


@pytest.mark.usefixtures("bobs")
def test_others_keep_what_is_theirs(bob: User, charlie: User) -> None:
    his = c1(charlie)
    Variant.objects.filter(pk=his.pk).update(draft={"p": "charlie types"})
    signed_in(charlie)
    of_alice = User.objects.get(username="alice")
    erase_person(person=bob, reason=REASON)
    end_sessions(bob.pk)
    assert tables_with("charlie types") == {"charlie types": {"exercises.Variant"}}
    assert Session.objects.count() == 1
    of_alice.refresh_from_db()
    assert of_alice.is_active


@pytest.mark.usefixtures("bobs")
def test_sessions_end(bob: User, client: Client) -> None:
    client.force_login(bob)
    assert client.get("/").context["user"] == bob
    erase_person(person=bob, reason=REASON)
    assert not client.get("/").context["user"].is_authenticated
    assert end_sessions(bob.pk) == 2
    assert Session.objects.count() == 0


@pytest.mark.django_db(transaction=True)
def test_a_worker_is_told_to_end_the_sessions(bob: User, published: list[str]) -> None:
    erase_person(person=bob, reason=REASON)
    assert published == ["exercises.tasks.end_sessions_of"]


@pytest.mark.usefixtures("bobs")
def test_done_again_it_does_nothing_and_notes_nothing(bob: User) -> None:
    first = erase_person(person=bob, reason=REASON)
    before = sorted(everything())
    again = erase_person(person=User.objects.get(pk=bob.pk), reason=REASON)
    assert again.name == first.name
    assert again.counts == {}
    assert sorted(everything()) == before


@pytest.mark.usefixtures("bobs")
def test_it_is_noted_in_the_course_and_told_to_who_follows_it(bob: User, course: Course) -> None:
    done = erase_person(person=bob, reason=f"{NAMES[1]} asked for it")
    entry = AuditEntry.objects.get(deed="erased")
    assert (entry.course, entry.about, entry.reason) == (course, done.name, f"{done.name} asked for it")
    event = Event.objects.filter(kind="enrolment.changed").latest("pk")
    assert event.data == {"deed": "erased", "about": done.name}


@pytest.mark.usefixtures("bobs")
def test_what_was_decided_stays_in_the_trail_without_its_words(bob: User) -> None:
    erase_person(person=bob, reason=REASON)
    entry = AuditEntry.objects.get(deed="time-factor")
    bob.refresh_from_db()
    assert (entry.about, entry.after, entry.reason) == (
        bob.username, {"time factor": "1.5"}, "Removed with the account.",
    )  # fmt: skip


@pytest.mark.usefixtures("bobs")
def test_a_dry_run_says_the_same_and_changes_nothing(bob: User) -> None:
    before = sorted(everything())
    said = erase_person(person=bob, reason=REASON, is_dry_run=True)
    assert sorted(everything()) == before
    assert said.counts == erase_person(person=bob, reason=REASON).counts


@pytest.mark.django_db
@pytest.mark.usefixtures("problem")
def test_of_who_only_practised_nothing_is_left(charlie: User) -> None:
    variant = c1(charlie)
    Submission.objects.create(
        variant=variant, author=charlie, answers={"p": "1"}, locale="en", idempotency_key="k", fingerprint="f",
        state="graded", claimed_until=None,
    )  # fmt: skip
    done = erase_person(person=charlie, reason=REASON)
    assert done.name == ""
    assert not User.objects.filter(pk=charlie.pk).exists()
    assert not Variant.objects.exists()
    assert not Submission.objects.exists()


@pytest.mark.django_db
def test_asked_for_twice_at_once_it_is_done_once() -> None:
    one = User.objects.create_user("twice")
    other = User.objects.get(pk=one.pk)
    assert erase_person(person=one, reason=REASON).name == ""
    assert erase_person(person=other, reason=REASON).name == ""
    assert not User.objects.filter(pk=other.pk).exists()


@pytest.mark.usefixtures("bobs")
def test_a_launch_afterwards_makes_a_new_account(bob: User) -> None:
    platform = PlatformUser.objects.get(user=bob).registration
    erase_person(person=bob, reason=REASON)
    again = person_of(platform, Person(sub=NAMES[3], name=NAMES[1], email=NAMES[2]))
    assert again.user.pk != bob.pk
    bob.refresh_from_db()
    assert not bob.is_active


@pytest.mark.usefixtures("bobs")
def test_a_roster_afterwards_makes_a_new_account(bob: User, alice: User, course: Course) -> None:
    erase_person(person=bob, reason=REASON)
    text = f"username,email,name,external_id\nbob,{NAMES[2]},{NAMES[1]},{NAMES[4]}\n"
    seal = seal_of(plan_roster(course=course, text=text), text=text, choices=Choices())
    import_roster(actor=alice, course=course, text=text, choices=Choices(), seal=seal)
    again = Enrolment.objects.get(course=course, user__username="bob")
    assert again.user_id != bob.pk
    assert not again.user.attempts.exists()


# What is refused


def test_nobody_goes_while_an_answer_waits_to_be_marked(bobs: Bobs, bob: User) -> None:
    sent(bobs.quiz, {"p": "0.5"})
    with pytest.raises(ErasureRefused, match="being marked"):
        erase_person(person=bob, reason=REASON)
    bob.refresh_from_db()
    assert bob.username == "bob"


def test_the_last_instructor_stays(course: Course, alice: User) -> None:
    with pytest.raises(ErasureRefused, match="Nobody else teaches"):
        erase_person(person=alice, reason=REASON)
    second = User.objects.create_user("erin")
    Enrolment.objects.create(course=course, user=second, role=Role.INSTRUCTOR)
    done = erase_person(person=alice, reason=REASON)
    assert Enrolment.objects.get(course=course, user=alice).dropped_at is not None
    assert done.name


def test_problems_of_who_taught_stay_for_their_courses(bobs: Bobs, course: Course, alice: User) -> None:
    Enrolment.objects.create(course=course, user=User.objects.create_user("erin"), role=Role.INSTRUCTOR)
    own = Problem.objects.create(slug="own", title="Own", owner=alice)
    own.current = own.versions.create(number=1, source=MASKED, digest="d", author=alice)
    own.save()
    done = erase_person(person=alice, reason=REASON)
    own.refresh_from_db()
    assert own.owner is not None
    assert own.owner.username == done.name
    assert tables_with("alice") == {}


@pytest.mark.usefixtures("bobs")
def test_by_themself_only_when_no_attempt_is_going_on(course: Course, bob: User, problem: Problem) -> None:
    quiz = problem_set(course, "quiz", problem, title="Another quiz")
    begun(quiz, bob)
    with clock.at(NOW), pytest.raises(ErasureRefused, match="Another quiz"):
        erase_person(person=bob, by_themself=True)
    with clock.at(NOW):
        assert erase_person(person=bob, reason=REASON).name


@pytest.mark.django_db
def test_who_runs_the_service_does_not_go_by_a_page() -> None:
    root = User.objects.create_superuser("root")
    with pytest.raises(ErasureRefused, match="command line"):
        erase_person(person=root, by_themself=True)


# The command


@pytest.mark.usefixtures("bobs")
def test_the_command_says_what_it_did_and_needs_a_reason(bob: User) -> None:
    out = StringIO()
    call_command("person", "erase", "bob", "--reason", REASON, "--dry-run", stdout=out)
    assert "Nothing was done. The account would stay, without a name, in 1 courses." in out.getvalue()
    assert User.objects.filter(username="bob").exists()
    call_command("person", "erase", "bob", "--reason", REASON, stdout=out)
    assert "bob is erased. What 1 courses keep is under erased-" in out.getvalue()
    with pytest.raises(CommandError, match="Nobody here"):
        call_command("person", "erase", "bob", "--reason", REASON)
    with pytest.raises(CommandError, match="--reason"):
        call_command("person", "erase", "alice")
