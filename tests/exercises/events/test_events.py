"""What is told of a course: with what happened or not at all, in an order behind which nothing is missed."""

import datetime as dt
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection, transaction

from exercises import clock
from exercises.actions.courses.joining import join_course, renew_code
from exercises.actions.courses.people import drop_member
from exercises.actions.events import tell
from exercises.actions.feed import KEPT, clear_events, place_events
from exercises.actions.sets.publishing import publish_set, release_results
from exercises.actions.sitting.begin import begin_attempt
from exercises.actions.sitting.hand_in import hand_in
from exercises.courses.deeds import DEEDS
from exercises.courses.events import KINDS, OF_DEED
from exercises.models import Course, Event, ProblemSet, User
from exercises.queries.events import feed
from tests.exercises.courses.world import NOW, problem_set
from tests.exercises.sitting.world import ALL_RIGHT, fixed, graded, place, save, synced

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("servers", "published")]


@pytest.fixture(autouse=True)
def _now() -> Iterator[None]:
    with clock.at(NOW):
        yield


def told(course: Course) -> list[tuple[str, str]]:
    """Kinds, and whom each is about, in their order."""
    place_events()
    return [(event.kind, event.learner.username if event.learner else "") for event in feed(course).events]


def test_a_sitting_is_told_from_begin_to_score(course: Course, bob: User, alice: User) -> None:
    exam = problem_set(course, "exam", *synced())
    attempt = fixed(begin_attempt(learner=bob, problem_set=exam))
    save(place(attempt), 0, **ALL_RIGHT)
    hand_in(attempt=attempt)
    graded()
    release_results(actor=alice, problem_set=exam)
    kinds = [kind for kind, _ in told(course)]
    assert kinds[:2] == ["attempt.begun", "attempt.handed-in"]
    assert kinds[-1] == "results.released"
    assert "submission.graded" in kinds
    last = Event.objects.filter(kind="score.changed").latest("pk")
    assert last.data["attempt"] == str(attempt.public_id)
    assert last.data["problem_set"] == str(exam.public_id)
    assert last.data["score"] == "1/2"
    assert last.learner == bob


def test_the_same_score_is_told_once(course: Course, bob: User) -> None:
    quiz = problem_set(course, "quiz", *synced())
    attempt = fixed(begin_attempt(learner=bob, problem_set=quiz))
    save(place(attempt), 0, **ALL_RIGHT)
    hand_in(attempt=attempt)
    graded()
    count = Event.objects.filter(kind="score.changed").count()
    graded()
    assert Event.objects.filter(kind="score.changed").count() == count


def test_a_preview_is_in_no_feed(course: Course, alice: User) -> None:
    quiz = problem_set(course, "quiz", *synced())
    attempt = fixed(begin_attempt(learner=alice, problem_set=quiz, is_preview=True))
    save(place(attempt), 0, **ALL_RIGHT)
    hand_in(attempt=attempt)
    graded()
    assert told(course) == []


def test_people_come_and_go(course: Course, alice: User, charlie: User) -> None:
    enrolment = join_course(user=charlie, code=renew_code(actor=alice, course=course))
    drop_member(actor=alice, enrolment=enrolment)
    assert told(course) == [("enrolment.added", "charlie"), ("enrolment.dropped", "charlie")]


def test_what_is_rolled_back_did_not_happen(course: Course, bob: User) -> None:
    with transaction.atomic():
        tell("enrolment.added", course=course.pk, learner=bob.pk, data={})
        transaction.set_rollback(True)
    assert told(course) == []


def test_a_kind_without_a_meaning_is_refused(course: Course) -> None:
    with pytest.raises(ValueError, match="no such kinds"):
        tell("attempt.exploded", course=course.pk, data={})


def test_every_deed_that_is_an_event_is_a_deed_and_has_its_kind() -> None:
    assert OF_DEED.keys() <= DEEDS.keys()
    assert set(OF_DEED.values()) <= KINDS.keys()


def test_a_reader_behind_a_cursor_misses_nothing_and_sees_nothing_twice(course: Course) -> None:
    seen: list[int] = []
    cursor = 0
    for batch in range(7):
        for number in range(batch):
            tell("course.changed", course=course.pk, data={"number": batch * 10 + number})
        place_events(limit=3)
        while (page := feed(course, after=cursor, limit=2)).events:
            seen += [event.data["number"] for event in page.events]
            cursor = page.position
    while place_events(limit=3):
        page = feed(course, after=cursor)
        seen += [event.data["number"] for event in page.events]
        cursor = page.position
    assert seen == [batch * 10 + number for batch in range(7) for number in range(batch)]


def test_an_event_that_has_no_place_yet_is_not_shown(course: Course) -> None:
    tell("course.changed", course=course.pk, data={})
    page = feed(course)
    assert (page.events, page.position, page.is_end) == ([], 0, True)


def test_another_course_is_another_feed(course: Course, alice: User) -> None:
    other = Course.objects.create(title="Another")
    tell("course.changed", course=other.pk, data={})
    assert told(course) == []
    assert len(told(other)) == 1


def test_after_thirty_days_events_go_and_places_are_counted_on(course: Course) -> None:
    for number in range(3):
        tell("course.changed", course=course.pk, data={"number": number})
    place_events()
    with clock.at(NOW + KEPT + dt.timedelta(minutes=1)):
        assert clear_events() == 2
        tell("course.changed", course=course.pk, data={"number": 3})
        place_events()
        assert [event.data["number"] for event in feed(course, after=3).events] == [3]


def test_a_page_of_the_feed_is_one_query(course: Course, bob: User, django_assert_num_queries: Any) -> None:
    for rows in (1, 30):
        for _ in range(rows):
            tell("course.changed", course=course.pk, learner=bob.pk, data={})
        place_events()
        with django_assert_num_queries(1):
            [event.learner for event in feed(course).events]


def test_a_set_that_is_published_is_told(course: Course, alice: User) -> None:
    made = problem_set(course, "practice", *synced(), published_at=None)
    publish_set(actor=alice, problem_set=made)
    assert [kind for kind, _ in told(course)] == ["problem-set.published"]
    assert ProblemSet.objects.get(pk=made.pk).published_at


@pytest.mark.django_db(transaction=True)
def test_places_stay_as_they_were_read_whoever_gives_them_at_once(course: Course) -> None:
    """Eight workers give places while events keep coming: no event changes its place, and none is left without."""
    seen: dict[int, int] = {}
    faults: list[str] = []
    is_over = threading.Event()

    def work() -> None:
        try:
            while not is_over.is_set():
                place_events(limit=3)
                for pk, position in Event.objects.filter(position__isnull=False).values_list("pk", "position"):
                    if seen.setdefault(pk, position) != position:
                        faults.append(f"{pk} moved from {seen[pk]} to {position}")
        finally:
            connection.close()

    workers = [threading.Thread(target=work) for _ in range(8)]
    for worker in workers:
        worker.start()
    for number in range(60):
        tell("course.changed", course=course.pk, data={"number": number})
    is_over.set()
    for worker in workers:
        worker.join()
    while place_events():
        pass
    assert faults == []
    positions = list(Event.objects.values_list("position", flat=True))
    assert sorted(position or 0 for position in positions) == list(range(1, 61))
