"""The staff's pages of what platforms were told: who sees them, what stands there, and what the buttons do."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from exercises.actions.lms import rosters
from exercises.models import AuditEntry, Context, Course, LineItem, LmsScore, ProblemSet, User
from exercises.queries.lms_scores import contexts_of
from tests.exercises.courses.world import NOW, person, problem_set
from tests.exercises.sitting.world import synced
from tests.lti.scoring import column, later, sat, sent
from tests.lti.services import Fails, Services, member

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("servers", "published", "noon")]


@pytest.fixture
def quiz(course: Course, served: Context, services: Services) -> ProblemSet:
    made = problem_set(course, "quiz", *synced())
    column(served, made, services)
    return made


def as_user(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def page_of(course: Course) -> str:
    return f"/lms/courses/{course.public_id}/"


def column_page(course: Course) -> str:
    return f"{page_of(course)}columns/{LineItem.objects.get().pk}/"


def words(response: Any) -> str:
    """What stands on a page, without its tags."""
    assert response.status_code == 200
    return " ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split())


def test_a12_each_score_stands_there_as_sent_as_answered_and_as_shown(
    quiz: ProblemSet, course: Course, alice: User, bob: User, services: Services
) -> None:
    services.by_hand["1", "7"] = 15
    sat(bob, quiz)
    sent()
    said = words(as_user(alice).get(column_page(course)))
    assert "50 of 100" in said
    assert "15 of 100 other than sent" in said
    assert " 200 " in said
    assert f"{NOW:%Y-%m-%d} 11:00:05" in said


def test_a_score_that_stopped_says_why_and_is_sent_again_by_its_button(
    quiz: ProblemSet, course: Course, alice: User, bob: User, services: Services
) -> None:
    services.fails["POST scores"] = Fails(422, times=1, body=b'{"detail": "not gradable"}')
    sat(bob, quiz)
    sent()
    client = as_user(alice)
    said = words(client.get(column_page(course)))
    assert "failed The platform does not grade this person (422)." in said
    assert "not gradable" in client.get(column_page(course)).content.decode()
    assert "1" in words(client.get(page_of(course)))
    with later(minutes=1):
        form = {"learner": alice.pk, "do": "one", "score": LmsScore.objects.get().pk}
        assert "1 score will be sent" in words(client.post(column_page(course), form, follow=True))
        sent()
    assert [one["scoreGiven"] for one in services.posted["1"]] == [50]
    assert AuditEntry.objects.filter(deed="lms-resend", actor=alice).count() == 1


def test_a_platform_that_fails_is_told_on_the_page(
    quiz: ProblemSet, course: Course, alice: User, bob: User, services: Services
) -> None:
    services.fails["everything"] = Fails(503)
    sat(bob, quiz)
    sent()
    said = words(as_user(alice).get(page_of(course)))
    assert "fails (503)" in said
    assert "Nothing is lost" in said


def test_the_roster_is_read_by_a_button_and_its_report_stands_there(
    quiz: ProblemSet, course: Course, served: Context, alice: User, services: Services
) -> None:
    services.members = [{"user_id": "7", "roles": ["Learner"]}, {"user_id": "8", "roles": ["Learner"]}, {"roles": []}]
    client = as_user(alice)
    form = {"learner": alice.pk, "do": "roster", "context": served.public_id}
    assert "within a minute" in words(client.post(page_of(course), form, follow=True))
    rosters.read_rosters(10)
    said = words(client.get(page_of(course)))
    assert "2 people on it, 1 came in, 0 changed, 0 dropped, 1 could not be read" in said
    assert "Row 3: it has no user id" in said


def test_a_column_is_asked_for_by_a_button(
    quiz: ProblemSet, course: Course, served: Context, alice: User, services: Services
) -> None:
    other = problem_set(course, "exam", *synced())
    client = as_user(alice)
    form = {"learner": alice.pk, "do": "column", "context": served.public_id, "problem_set": other.public_id}
    assert "gets a column for A exam" in words(client.post(page_of(course), form, follow=True))
    sent()
    assert services.columns["2"]["label"] == "A exam"


def test_learners_and_strangers_find_none_of_it_and_assistants_change_nothing(
    quiz: ProblemSet, course: Course, served: Context, bob: User, charlie: User, elsewhere: Course, services: Services
) -> None:
    sat(bob, quiz)
    sent()
    dave = person(course, "dave", "assistant").user
    erin = User.objects.get(username="erin")
    for user in (bob, charlie, erin):
        assert [as_user(user).get(one).status_code for one in (page_of(course), column_page(course))] == [404, 404]
        posted = as_user(user).post(column_page(course), {"learner": user.pk, "do": "all"})
        assert posted.status_code == 404
    assert Client().get(page_of(course)).status_code == 302
    client = as_user(dave)
    assert 'value="one"' not in client.get(column_page(course)).content.decode()
    assert client.post(column_page(course), {"learner": dave.pk, "do": "all"}).status_code in (403, 404)
    # Erin teaches: but nothing of Alice's can be reached through her own course.
    own = as_user(erin)
    there = page_of(elsewhere)
    assert own.get(there).status_code == 200
    assert own.get(f"{there}columns/{LineItem.objects.get().pk}/").status_code == 404
    for form in ({"do": "roster", "context": served.public_id}, {"do": "again", "column": LineItem.objects.get().pk}):
        assert own.post(there, {"learner": erin.pk, **form}).status_code == 404


def test_the_pages_cost_the_same_however_many_scores(
    quiz: ProblemSet, course: Course, served: Context, alice: User, bob: User, django_assert_max_num_queries: Any
) -> None:
    sat(bob, quiz)
    client = as_user(alice)
    counts = []
    for number in range(2):
        for address in (page_of(course), column_page(course)):
            with django_assert_max_num_queries(20) as found:
                client.get(address)
            counts.append(len(found))
        for more in range(5):
            learner = person(course, f"learner-{number}-{more}").user
            member(served, learner, f"s{number}-{more}")
            sat(learner, quiz)
    assert counts[:2] == counts[2:]


def test_the_scores_of_a_column_are_counted_where_they_are_and_no_row_of_them_is_fetched(
    quiz: ProblemSet, course: Course, served: Context, bob: User
) -> None:
    def fetched() -> int:
        rows: list[int] = []

        def look(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
            result = execute(sql, params, many, context)
            rows.append(context["cursor"].rowcount)
            return result

        with connection.execute_wrapper(look):
            (found,) = contexts_of(course)
        counts.append([getattr(one, "counts", None) for one in found.line_items.all()])
        return sum(rows)

    counts: list[Any] = []
    only, states = LineItem.objects.get(), ("sent", "pending", "failed")
    rows = []
    for number in range(2):
        for more in range(number * 30 + 3):
            learner = member(served, bob, f"s{number}-{more}")
            LmsScore.objects.create(line_item=only, platform_user=learner, state=states[more % 3])
        rows.append(fetched())
    assert counts == [[dict.fromkeys(states, 1)], [dict.fromkeys(states, 12)]]
    assert rows[0] == rows[1]
