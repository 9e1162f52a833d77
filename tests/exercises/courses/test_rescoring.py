"""What is worked out anew when the rules of a set change: everything that can come to something else, and no more."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st

from exercises import clock
from exercises.actions.courses import CourseFields, edit_course
from exercises.actions.scores import rescore
from exercises.actions.sets.editing import edit_set
from exercises.actions.sets.extensions import Given, give_extension, withdraw_extension
from exercises.course_rules import policy_of
from exercises.courses.item_scoring import Sent, tried
from exercises.courses.rescoring import lateness_moved, same_tries
from exercises.courses.rules import Policy, Rules, days_late, effective, late_share
from exercises.courses.scoring import StepMark
from exercises.models import Attempt, Course, Problem, ProblemSet, User
from exercises.set_rows import details_of
from tests.exercises.courses.sat import ALL, DAY, HALF, begun, handed_in, marked
from tests.exercises.courses.world import NOW, person, problem_set

HOUR = dt.timedelta(hours=1)
MOMENTS = st.integers(-100, 100).map(lambda hours: NOW + hours * HOUR)
SHARES = st.lists(st.sampled_from([Fraction(1), Fraction(3, 4), Fraction(1, 2), Fraction(0)]), max_size=4).map(tuple)


@st.composite
def rules(draw: st.DrawFn) -> Rules:
    due_at = draw(st.none() | MOMENTS)
    closes_at = draw(st.none() | MOMENTS)
    mode = draw(st.sampled_from(["quiz", "exam"]))
    policy = Policy(mode=mode, due_at=due_at, closes_at=closes_at, late=draw(SHARES), credits=draw(SHARES))
    return effective(policy, time_zone=draw(st.sampled_from(["UTC", "Europe/Berlin", "Asia/Tokyo"])))


@given(rules(), rules(), MOMENTS, st.lists(MOMENTS, min_size=1))
def test_what_is_not_worked_out_anew_is_as_late_as_before(
    before: Rules, after: Rules, until: dt.datetime, sent: Sequence[dt.datetime]
) -> None:
    if not lateness_moved(before, after, until):
        for at in (min(one, until) for one in (*sent, until)):
            assert late_share(before, at) == late_share(after, at)
            assert days_late(before, at) == days_late(after, at)


@given(rules(), SHARES, st.lists(st.sampled_from([Fraction(0), Fraction(1, 3), Fraction(1)]), max_size=4))
def test_tries_that_are_worth_the_same_come_to_the_same(
    before: Rules, worths: tuple[Fraction, ...], scores: list[Fraction]
) -> None:
    after = replace(before, credits=worths)
    sent = [Sent(1, NOW + place * HOUR, (StepMark("p", Fraction(1), one),)) for place, one in enumerate(scores)]
    if len(sent) <= same_tries(before, after):
        assert tried(sent, before) == tried(sent, after)


def scores(found: ProblemSet) -> list[tuple[Fraction | None, int, list[int]]]:
    attempts = found.attempts.order_by("pk").prefetch_related("items")
    return [(one.score, one.late_days, [place.tries for place in one.items.all()]) for one in attempts]


def edited(found: ProblemSet, alice: User, **fields: Any) -> int:
    """The set after these details were kept; how often marks were read for it. Nothing may be left out of date."""
    found.refresh_from_db()
    details = replace(details_of(found), **fields)
    with clock.at(NOW + 2 * HOUR), CaptureQueriesContext(connection) as queries:
        edit_set(actor=alice, problem_set=found, revision=found.revision, details=details)
    kept = scores(found)
    rescore(found.attempts.all())
    assert scores(found) == kept
    return sum("exercises_grading" in one["sql"] for one in queries)


@pytest.fixture
def sat(servers: None, published: None, course: Course, bob: User, problem: Problem) -> ProblemSet:
    """A quiz of two tries that Bob sat in time with one, Dora with two, and Emil too late with one."""
    found = problem_set(
        course, "quiz", problem, due_at=NOW, closes_at=NOW + 3 * DAY, late=["1/2"], credits=["1", "1/2"]
    )
    for who, tries, at in (
        (bob, [HALF], NOW - HOUR), (person(course, "dora").user, [HALF, ALL], NOW - HOUR),
        (person(course, "emil").user, [ALL], NOW + HOUR),
    ):  # fmt: skip
        handed_in(marked(begun(found, who, began_at=NOW - 2 * HOUR), *tries, at=at), at + HOUR / 2)
    return ProblemSet.objects.select_related("course").get(pk=found.pk)


def test_times_that_make_nothing_late_are_kept_without_reading_a_mark(sat: ProblemSet, alice: User) -> None:
    before = scores(sat)
    assert [(score, days) for score, days, _ in before] == [
        (Fraction(1, 2), 0),
        (Fraction(1, 2), 0),
        (Fraction(1, 2), 1),
    ]
    assert edited(sat, alice, opens_at=NOW - 9 * DAY, time_limit=90, closes_at=NOW + 5 * DAY) == 0
    assert scores(sat) == before


def test_only_whoever_was_or_is_late_is_read_when_a_set_is_due_later_or_earlier(sat: ProblemSet, alice: User) -> None:
    assert edited(sat, alice, due_at=NOW + DAY) > 0
    assert [(score, days) for score, days, _ in scores(sat)] == [(Fraction(1, 2), 0), (Fraction(1, 2), 0), (1, 0)]
    assert edited(sat, alice, due_at=NOW + 2 * DAY) == 0
    assert edited(sat, alice, due_at=NOW - 3 * HOUR) > 0
    assert [days for _, days, _ in scores(sat)] == [1, 1, 1]


def test_another_worth_of_a_try_reads_only_whoever_had_it(sat: ProblemSet, alice: User) -> None:
    assert edited(sat, alice, credits=(Fraction(1), Fraction(3, 4))) > 0
    assert [score for score, *_ in scores(sat)] == [Fraction(1, 2), Fraction(3, 4), Fraction(1, 2)]
    Attempt.objects.filter(learner__username="dora").delete()
    assert edited(sat, alice, credits=(Fraction(1), Fraction(2, 3))) == 0
    assert edited(sat, alice, credits=(Fraction(1, 2), Fraction(1, 2))) > 0
    assert [score for score, *_ in scores(sat)] == [Fraction(1, 4), Fraction(1, 4)]


def test_a_try_that_counted_for_nothing_counts_once_there_are_as_many(sat: ProblemSet, alice: User) -> None:
    assert edited(sat, alice, credits=(Fraction(1),)) > 0
    assert [(score, tries) for score, _, tries in scores(sat)][1] == (Fraction(1, 2), [1])
    assert edited(sat, alice, credits=(Fraction(1), Fraction(1))) > 0
    assert [(score, tries) for score, _, tries in scores(sat)][1] == (1, [2])
    # One more that nobody had.
    assert edited(sat, alice, credits=(Fraction(1), Fraction(1), Fraction(1, 2))) == 0


def test_an_extension_moves_whom_it_makes_in_time_and_its_withdrawal_moves_them_back(
    sat: ProblemSet, alice: User
) -> None:
    emil = User.objects.get(username="emil")
    before = scores(sat)
    given = Given(due_at=NOW + DAY, reason="Ill")
    row = give_extension(actor=alice, problem_set=sat, given=given, learner=emil)
    assert scores(sat)[2][:2] == (1, 0)
    withdraw_extension(actor=alice, extension=row)
    assert scores(sat) == before
    assert policy_of(sat).due_at == NOW


@pytest.mark.usefixtures("servers", "published")
@pytest.mark.parametrize("goes_on", [True, False])
def test_other_clocks_give_a_late_try_that_earned_nothing_what_it_earns_by_them(
    goes_on: bool, alice: User, course: Course, bob: User, problem: Problem
) -> None:
    """In the night between, Berlin puts its clocks back: half past is a second day in UTC, and the first one there."""
    due_at = dt.datetime(2025, 10, 25, 12, tzinfo=dt.UTC)
    sent_at = due_at + DAY + HOUR / 2
    clocks(alice, course, "UTC")
    quiz = problem_set(course, "quiz", problem, due_at=due_at, late=["1", "0"], credits=["1", "1"])
    punctual = person(course, "dora").user
    for who, at in ((bob, sent_at), (punctual, due_at - HOUR)):
        attempt = marked(begun(quiz, who, began_at=due_at - DAY), HALF, at=due_at - 2 * HOUR)
        marked(attempt, ALL, at=at)
        if not goes_on:
            handed_in(attempt, at + HOUR / 4)
    assert scores(quiz) == [(Fraction(1, 2), 0, [2]), (1, 0, [2])]
    clocks(alice, course, "Europe/Berlin")
    kept = scores(quiz)
    assert kept == [(1, 1, [2]), (1, 0, [2])]
    rescore(quiz.attempts.all())
    assert scores(quiz) == kept
    clocks(alice, course, "UTC")
    assert scores(quiz) == [(Fraction(1, 2), 0, [2]), (1, 0, [2])]


def clocks(alice: User, course: Course, time_zone: str) -> None:
    """The course goes by other ones from now on."""
    edit_course(actor=alice, course=course, fields=CourseFields(course.title, course.term, time_zone=time_zone))
    course.refresh_from_db()
