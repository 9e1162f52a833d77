"""Who may see grades and decide about them: every route, for everybody."""

from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import reverse

from exercises.models import Attempt, AuditEntry, Course, Enrolment, Extension, Override, ProblemSet, Ruling, User
from frontend.grade_urls import urlpatterns
from tests.exercises.courses.sat import begun, place_of

pytestmark = pytest.mark.usefixtures("servers")

READ = ("gradebook", "grades-csv", "set-grades", "set-grades-csv", "set-rulings", "attempt-grade")
#: What takes a form; the assistant may, since deciding about scores is what grading is.
GRADE = (
    "grades-import",
    "set-grades-import",
    "grade-override",
    "grade-override-withdraw",
    "grade-another",
    "ruling-new",
    "ruling-withdraw",
    "attempt-count-as",
)
FORM = {"reason": "Because", "score": "1/2", "text": "username,percent\nbob,50\n", "do": "apply", "granted": "1"}


@pytest.fixture
def where(attempt: Attempt, quiz: ProblemSet, enrolled: Enrolment, alice: User) -> dict[str, str]:
    """The address of each route, about Bob's attempt, one score by hand and one decision for all."""
    item = place_of(attempt).item
    ruling = Ruling.objects.create(
        problem_set=quiz, item=item, kind=Ruling.Kind.DISCOUNT, step="loss", reason="Why", applied_at=quiz.created_at
    )
    override = Override.objects.create(
        problem_set=quiz, learner=enrolled.user, item=item, score="1", reason="Why", given_by=alice
    )
    Attempt.objects.filter(pk=attempt.pk).update(handed_in_at=attempt.began_at)
    course_id, set_id = quiz.course.public_id, quiz.public_id
    arguments: dict[str, list[object]] = {
        "gradebook": [course_id],
        "grades-csv": [course_id],
        "grades-import": [course_id],
        "grade-override": [set_id, enrolled.pk],
        "grade-another": [set_id, enrolled.pk],
        "grade-override-withdraw": [set_id, override.pk],
        "ruling-withdraw": [set_id, ruling.pk],
        "attempt-grade": [attempt.public_id],
        "attempt-count-as": [attempt.public_id],
    }
    found = {name: reverse(f"frontend:{name}", args=arguments.get(name, [set_id])) for name in (*READ, *GRADE)}
    found["ruling-new"] += f"?item={item.pk}&kind=accept&step=p&note=p.no-exp"
    return found


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def strangers(elsewhere: Course, charlie: User, bob: User, eve: User) -> list[Client]:
    """Charlie, Erin, the observer, who sees no names, and Bob himself, whose results have a page of their own."""
    erin = User.objects.get(username="erin")
    return [client_of(user) for user in (charlie, erin, eve, bob)]


def test_every_route_has_its_row() -> None:
    assert {route.name for route in urlpatterns} == {*READ, *GRADE}


@pytest.mark.parametrize("name", [*READ, *GRADE])
def test_each_person_sees_what_is_theirs(
    name: str, where: dict[str, str], strangers: list[Client], as_dave: Client, as_alice: Client
) -> None:
    response = Client().get(where[name])
    assert response.status_code == 302
    assert response["Location"].startswith("/accounts/login/")
    assert [who.get(where[name]).status_code for who in strangers] == [404] * 4
    assert [who.get(where[name]).status_code for who in (as_dave, as_alice)] == [200, 200]


@pytest.mark.parametrize("name", GRADE)
def test_forms_of_a_stranger_do_nothing(name: str, where: dict[str, str], strangers: list[Client]) -> None:
    assert Client().post(where[name], FORM).status_code == 302
    assert [who.post(where[name], FORM).status_code for who in strangers] == [404] * 4
    assert not AuditEntry.objects.exists()
    assert Override.objects.filter(withdrawn_at=None).count() == 1
    assert Ruling.objects.filter(withdrawn_at=None).count() == 1
    assert not Extension.objects.exists()


def wrong_methods() -> Iterator[tuple[str, str]]:
    for name in READ:
        yield name, "post"
    for name in (*READ, *GRADE):
        yield name, "delete"


@pytest.mark.parametrize(("name", "method"), list(wrong_methods()))
def test_other_methods_are_refused(name: str, method: str, where: dict[str, str], as_alice: Client) -> None:
    assert getattr(as_alice, method)(where[name]).status_code == 405


def test_a_preview_is_no_attempt_to_grade(quiz: ProblemSet, alice: User, as_alice: Client) -> None:
    shown = begun(quiz, alice, is_preview=True)
    for name in ("attempt-grade", "attempt-count-as"):
        assert as_alice.get(reverse(f"frontend:{name}", args=[shown.public_id])).status_code == 404


def test_what_belongs_to_another_set_or_course_is_not_there(
    where: dict[str, str], quiz: ProblemSet, elsewhere: Course, enrolled: Enrolment, alice: User, as_alice: Client
) -> None:
    other = ProblemSet.objects.create(course=quiz.course, title="Another", mode="quiz")
    ruling, override = Ruling.objects.get(), Override.objects.get()
    charlie = elsewhere.enrolments.get(role="learner")
    staff = Enrolment.objects.get(course=quiz.course, user=alice)
    for name, arguments in (
        ("ruling-withdraw", [other.public_id, ruling.pk]),
        ("grade-override-withdraw", [other.public_id, override.pk]),
        ("grade-override", [quiz.public_id, charlie.pk]),
        ("grade-override", [quiz.public_id, staff.pk]),
        ("grade-another", [quiz.public_id, charlie.pk]),
    ):
        assert as_alice.get(reverse(f"frontend:{name}", args=arguments)).status_code == 404
    there = where["ruling-new"]
    for query in ("", "?item=x&kind=accept", "?item=1&kind=nothing", f"?item={ruling.item_id}&kind=accept&step=p"):
        assert as_alice.get(there.partition("?")[0] + query).status_code == 404
    mine = reverse("frontend:grade-override", args=[quiz.public_id, enrolled.pk])
    assert as_alice.get(f"{mine}?item=999999").status_code == 404
    assert as_alice.get(f"{mine}?item=x").status_code == 404


def test_a_form_made_for_somebody_else_is_refused(where: dict[str, str], as_alice: Client, bob: User) -> None:
    assert as_alice.post(where["grade-override"], FORM | {"learner": bob.pk}).status_code == 403
    assert not AuditEntry.objects.exists()
