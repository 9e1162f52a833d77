"""Beginning: one attempt, drawn as a whole, when the set is open."""

import datetime as dt
from decimal import Decimal

import pytest

from exercises import clock
from exercises.actions.sitting.begin import begin_attempt
from exercises.actions.sitting.hand_in import hand_in
from exercises.actions.sitting.refusals import SetNotOpen
from exercises.models import Attempt, Course, Enrolment, Extension, Pool, ProblemSet, SetItem, User, Variant
from tests.exercises.courses.world import problem_set
from tests.exercises.sitting.world import NOW, synced

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("servers")]
HOUR = dt.timedelta(hours=1)


def begun(learner: User, of: ProblemSet, **more: object) -> Attempt:
    with clock.at(NOW):
        return begin_attempt(learner=learner, problem_set=of, **more)  # type: ignore[arg-type]


def test_beginning_again_is_going_on(quiz: ProblemSet, bob: User) -> None:
    first = begun(bob, quiz)
    assert begun(bob, quiz) == first
    assert Attempt.objects.count() == 1
    assert Variant.objects.count() == 2
    assert [item.position for item in first.items.all()] == [1, 2]


def test_after_handing_in_there_is_no_other_unless_it_was_granted(quiz: ProblemSet, bob: User) -> None:
    first = begun(bob, quiz)
    with clock.at(NOW):
        hand_in(attempt=first)
    assert begun(bob, quiz) == first
    Extension.objects.create(problem_set=quiz, learner=bob, attempts=1)
    second = begun(bob, quiz)
    assert (second.number, begun(bob, quiz)) == (2, second)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"opens_at": NOW + HOUR}, "opens on Mon 1 December 2025, 13:00 CET"),
        ({"closes_at": NOW - HOUR}, "was closed on Mon 1 December 2025, 11:00 CET"),
        ({"published_at": None}, "not published"),
        ({"retired": True}, "not published"),
    ],
)
def test_what_is_not_open_is_refused_in_words(
    quiz: ProblemSet, bob: User, fields: dict[str, object], words: str
) -> None:
    ProblemSet.objects.filter(pk=quiz.pk).update(**fields)
    quiz.refresh_from_db()
    with pytest.raises(SetNotOpen, match=words):
        begun(bob, quiz)
    assert not Attempt.objects.exists()


def test_a_course_that_is_over_begins_nothing(quiz: ProblemSet, bob: User, course: Course) -> None:
    Course.objects.update(archived_at=NOW)
    quiz.course.refresh_from_db()
    with pytest.raises(SetNotOpen, match="over"):
        begun(bob, quiz)


def test_strangers_begin_nothing(quiz: ProblemSet, charlie: User) -> None:
    with pytest.raises(SetNotOpen, match="not in the course"):
        begun(charlie, quiz)


@pytest.mark.parametrize(
    ("limit", "factor", "closes", "ends"),
    [
        (None, "1", NOW + HOUR, NOW + HOUR),
        (30, "1", NOW + HOUR, NOW + HOUR / 2),
        (30, "1.5", NOW + HOUR, NOW + HOUR * 3 / 4),
        (30, "3", NOW + HOUR, NOW + HOUR),  # the hard end is one for all
        (None, "1", None, None),
    ],
)
def test_when_it_ends(
    course: Course, bob: User, limit: int | None, factor: str, closes: dt.datetime | None, ends: dt.datetime | None
) -> None:
    of = problem_set(course, "exam", *synced(), time_limit=limit, closes_at=closes)
    Enrolment.objects.filter(user=bob).update(time_factor=Decimal(factor))
    assert begun(bob, of).ends_at == ends


def test_a_soft_due_date_ends_nothing(course: Course, bob: User) -> None:
    """BR-071: due in half an hour, closed in two, an hour from the beginning."""
    of = problem_set(course, "exam", *synced(), time_limit=60, due_at=NOW + HOUR / 2, closes_at=NOW + 2 * HOUR)
    assert begun(bob, of).ends_at == NOW + HOUR


def test_of_a_pool_so_many_are_chosen_and_all_weigh_the_same(course: Course, bob: User) -> None:
    masked, counts = synced()
    of = problem_set(course, "exam", masked)
    pool = Pool.objects.create(problem_set=of, name="either", choose=1, weight=Decimal("2.5"))
    for place, problem in enumerate((masked, counts), start=1):
        SetItem.objects.create(problem_set=of, problem=problem, position=place, pool=pool, weight=Decimal(place))
    SetItem.objects.filter(pool=None).update(variants=2)
    items = list(begun(bob, of).items.all())
    assert [item.weight for item in items] == [Decimal(1), Decimal(1), Decimal("2.5")]
    # Two variants of one item differ.
    assert len({variant.digest for variant in Variant.objects.filter(attempt_item__in=items[:2])}) == 2


def test_a_seed_gives_the_same_attempt(course: Course, bob: User, alice: User) -> None:
    of = problem_set(course, "exam", *synced(), shuffle=True)
    drawn = []
    for learner in (bob, alice):
        attempt = begun(learner, of, seed=7, is_preview=learner == alice)
        rows = Variant.objects.filter(attempt_item__attempt=attempt).order_by("attempt_item__position")
        drawn.append([(variant.problem_id, variant.digest) for variant in rows])
    assert drawn[0] == drawn[1]


def test_a_preview_is_begun_at_any_time_and_is_of_its_own_kind(exam: ProblemSet, alice: User) -> None:
    ProblemSet.objects.update(opens_at=NOW + HOUR, published_at=None)
    exam.refresh_from_db()
    found = begun(alice, exam, is_preview=True)
    assert (found.is_preview, found.ends_at) == (True, None)
    with clock.at(NOW):
        hand_in(attempt=found)
    assert begun(alice, exam, is_preview=True).number == 2


def test_a_set_without_items_is_refused(course: Course, bob: User) -> None:
    synced()
    with pytest.raises(SetNotOpen, match="nothing in this set"):
        begun(bob, problem_set(course, "exam"))


def test_where_three_skills_come_together_it_is_a_check(course: Course, bob: User) -> None:
    with_hints = problem_set(course, "quiz", *synced(), hints=True)
    without = problem_set(course, "quiz", *synced())
    checks = [
        set(Variant.objects.filter(attempt_item__attempt=begun(bob, of)).values_list("is_check", flat=True))
        for of in (with_hints, without)
    ]
    assert checks == [{False}, {True}]


def test_an_older_page_begins_by_the_rules_as_they_are_now(quiz: ProblemSet, bob: User) -> None:
    ends = NOW + dt.timedelta(hours=1)
    ProblemSet.objects.filter(pk=quiz.pk).update(closes_at=ends)
    with clock.at(NOW):
        assert begin_attempt(learner=bob, problem_set=quiz).ends_at == ends
    Attempt.objects.all().delete()
    ProblemSet.objects.filter(pk=quiz.pk).update(published_at=None)
    with clock.at(NOW), pytest.raises(SetNotOpen, match="not published"):
        begin_attempt(learner=bob, problem_set=quiz)
