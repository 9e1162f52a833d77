"""Every route of a course, for everybody: who sees it, and whose forms change anything."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from exercises.models import AuditEntry, Course, Enrolment, Group
from frontend.course_urls import urlpatterns
from tests.frontend.courses.conftest import NAMES

pytestmark = pytest.mark.usefixtures("servers")

LOGIN = "/accounts/login/"
#: name: what nobody, Charlie, Erin, Eve, Bob, Dave and Alice are answered
PAGES = {
    "courses": (302, 200, 200, 200, 200, 200, 200),
    "course-new": (302, 404, 200, 404, 404, 404, 200),
    "course-join": (302, 200, 200, 200, 200, 200, 200),
    "course": (302, 404, 404, 200, 200, 200, 200),
    "course-edit": (302, 404, 404, 404, 404, 404, 200),
    "course-copy": (302, 404, 404, 404, 404, 404, 200),
    "people": (302, 404, 404, 404, 404, 200, 200),
    "member": (302, 404, 404, 404, 404, 200, 200),
    "course-leave": (302, 404, 404, 200, 200, 200, 200),
    "groups": (302, 404, 404, 404, 404, 200, 200),
    "roster": (302, 404, 404, 404, 404, 404, 200),
    "roster-export": (302, 404, 404, 404, 404, 200, 200),
    "audit": (302, 404, 404, 404, 404, 200, 200),
}
FIELDS = {"title": "Another title", "time_zone": "Europe/Berlin"}
#: (name, form): the same for whoever sends it; only Alice may.
FORMS: list[tuple[str, dict[str, Any]]] = [
    ("course-edit", FIELDS),
    ("course-edit", {"do": "new-code"}),
    ("course-edit", {"do": "close"}),
    ("course-edit", {"do": "archive"}),
    ("course-copy", FIELDS),
    ("member", {"do": "role", "role": "instructor"}),
    ("member", {"do": "factor", "time_factor": "2"}),
    ("member", {"do": "groups", "groups": "group"}),
    ("member", {"do": "drop"}),
    ("groups", {"do": "make", "name": "Tutorial 2"}),
    ("groups", {"do": "rename", "name": "Tutorial 3", "group": "group"}),
    ("groups", {"do": "delete", "group": "group"}),
    ("roster", {"do": "look", "text": "email\nnew@example.org"}),
]


@pytest.fixture
def group(course: Course) -> Group:
    return Group.objects.create(course=course, name="Tutorial 1")


def where(name: str, course: Course, member: Enrolment) -> str:
    if name in ("courses", "course-new", "course-join"):
        return reverse(f"frontend:{name}")
    return reverse(f"frontend:{name}", args=[course.public_id, *([member.pk] if name == "member" else [])])


def test_every_route_has_its_row() -> None:
    assert {route.name for route in urlpatterns} == set(PAGES)


@pytest.mark.parametrize("name", PAGES)
def test_each_sees_what_is_theirs(name: str, course: Course, member: Enrolment, people: dict[str, Client]) -> None:
    page = where(name, course, member)
    assert [people[one].get(page).status_code for one in NAMES] == list(PAGES[name])
    assert people["nobody"].get(page)["Location"].startswith(LOGIN)


@pytest.mark.parametrize(("name", "form"), FORMS, ids=lambda value: value if isinstance(value, str) else str(value))
def test_only_who_manages_changes_anything(
    name: str, form: dict[str, Any], course: Course, member: Enrolment, group: Group, people: dict[str, Client]
) -> None:
    page = where(name, course, member)
    said = {key: group.pk if value == "group" else value for key, value in form.items()}
    before = stored(course)
    others = [people[one].post(page, said).status_code for one in NAMES[:-1]]
    assert others == [302, 404, 404, 404, 404, 404]
    assert stored(course) == before
    answer = people["alice"].post(page, said)
    assert answer.status_code == (200 if name == "roster" else 302)
    assert (stored(course) == before) == (name == "roster")


@pytest.mark.parametrize("name", PAGES)
def test_other_methods_are_refused(name: str, course: Course, member: Enrolment, people: dict[str, Client]) -> None:
    takes_forms = {
        "course-new",
        "course-join",
        "course-edit",
        "course-copy",
        "course-leave",
        "member",
        "groups",
        "roster",
    }
    page = where(name, course, member)
    assert people["alice"].delete(page).status_code == 405
    if name not in takes_forms:
        assert people["alice"].post(page).status_code == 405


def test_somebody_of_another_course_is_not_found_by_number(
    course: Course, elsewhere: Course, people: dict[str, Client]
) -> None:
    theirs = Enrolment.objects.get(course=elsewhere, user__username="charlie")
    page = reverse("frontend:member", args=[course.public_id, theirs.pk])
    assert people["alice"].get(page).status_code == 404
    assert people["alice"].post(page, {"do": "drop"}).status_code == 404
    assert Enrolment.objects.get(pk=theirs.pk).dropped_at is None


def test_a_form_made_for_somebody_else_is_refused(course: Course, member: Enrolment, people: dict[str, Client]) -> None:
    before = stored(course)
    for name, form in FORMS:
        said = {**form, "learner": member.user_id}
        assert people["alice"].post(where(name, course, member), said).status_code == 403
    assert stored(course) == before


def test_who_was_dropped_sees_nothing_any_more(course: Course, member: Enrolment, people: dict[str, Client]) -> None:
    people["alice"].post(where("member", course, member), {"do": "drop"})
    assert people["bob"].get(where("course", course, member)).status_code == 404
    assert course.title not in people["bob"].get("/courses/").content.decode()


def test_names_are_for_those_who_read_work(course: Course, member: Enrolment, people: dict[str, Client]) -> None:
    for one in ("eve", "bob"):
        shown = people[one].get(where("course", course, member)).content.decode()
        assert "dave" not in shown
        assert "Join code" not in shown
        assert "/people/" not in shown


def stored(course: Course) -> list[Any]:
    return [
        list(Course.objects.order_by("pk").values()),
        list(Enrolment.objects.order_by("pk").values()),
        list(Group.objects.order_by("pk").values("pk", "name", "members")),
        AuditEntry.objects.count(),
    ]
