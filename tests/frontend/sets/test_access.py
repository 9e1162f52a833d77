"""Who may see and do what with sets: every route for everybody, with sets that are hidden from some."""

from typing import Any

import pytest

from exercises import clock
from exercises.models import Attempt, AuditEntry, Course, Extension, Pool, ProblemSet, SetItem
from frontend.set_urls import urlpatterns
from tests.exercises.courses.world import NOW
from tests.frontend.sets.world import QUIZ, People, where

pytestmark = pytest.mark.usefixtures("servers", "quiz")
WHO = ("nobody", "charlie", "erin", "eve", "bob", "dave", "alice")
#: name: (method, status for each of WHO)
ROUTES: dict[str, tuple[Any, ...]] = {
    "set-new": ("get", 302, 404, 404, 404, 404, 404, 200),
    "set": ("get", 302, 404, 404, 200, 200, 200, 200),
    "set-act": ("post", 302, 404, 404, 404, 404, 404, 404),  # without a word what to do
    "set-preview": ("post", 302, 404, 404, 404, 404, 302, 302),
    "set-practise": ("post", 302, 404, 404, 404, 404, 404, 404),  # nothing to practise in a quiz
    "set-edit": ("get", 302, 404, 404, 404, 404, 404, 200),
    "set-copy": ("get", 302, 404, 404, 404, 404, 404, 200),
    "set-items": ("get", 302, 404, 404, 404, 404, 404, 200),
    "set-item": ("get", 302, 404, 404, 404, 404, 404, 200),
    "set-pool-new": ("get", 302, 404, 404, 404, 404, 404, 200),
    "set-pool": ("get", 302, 404, 404, 404, 404, 404, 200),
    "set-extensions": ("get", 302, 404, 404, 404, 404, 200, 200),
    "set-extension": ("get", 302, 404, 404, 404, 404, 200, 200),
    "set-rules": ("get", 302, 404, 404, 404, 404, 200, 200),
}
#: What would change something, if it were let in.
DEEDS: dict[str, list[dict[str, Any]]] = {
    "set-new": [QUIZ],
    "set-act": [{"do": do} for do in ("publish", "take-back", "release", "withhold", "retire", "up", "down")],
    "set-edit": [{**QUIZ, "revision": "0"}],
    "set-items": [{"do": "add", "problem": "neg-log"}, *({"do": do, "item": "1"} for do in ("up", "out", "back"))],
    "set-item": [{"do": "keep", "weight": "9", "version": "current", "asked-kind": "all"}],
    "set-pool-new": [{"name": "New", "choose": "1", "weight": "1"}],
    "set-pool": [{"do": "drop"}, {"name": "New", "choose": "1", "weight": "1"}],
    "set-extensions": [{"extension": "1"}],
    "set-extension": [{"attempts": "3", "reason": "for me", "seen": ""}],
    "set-preview": [{}],
    "set-practise": [{}],
}


def stored() -> list[Any]:
    """All that these pages could change."""
    tables: tuple[Any, ...] = (ProblemSet, SetItem, Pool, Extension, Attempt, AuditEntry)
    return [list(model.objects.order_by("pk").values()) for model in tables]


def test_every_route_has_its_row() -> None:
    assert {route.name for route in urlpatterns} == set(ROUTES)


@pytest.mark.parametrize("name", ROUTES)
def test_each_person_sees_what_is_theirs(name: str, quiz: ProblemSet, course: Course, people: People) -> None:
    method, *expected = ROUTES[name]
    address = where(name, quiz, course)
    with clock.at(NOW):
        found = [getattr(people[who], method)(address).status_code for who in WHO]
    assert found == expected
    assert getattr(people["nobody"], method)(address)["Location"].startswith("/accounts/login/")


@pytest.mark.parametrize("name", DEEDS)
def test_nobody_changes_what_is_not_theirs(name: str, quiz: ProblemSet, course: Course, people: People) -> None:
    allowed = {"set-extensions": ("dave",), "set-extension": ("dave",), "set-preview": ("dave",)}.get(name, ())
    address = where(name, quiz, course)
    before = stored()
    for who in WHO[:-1]:
        if who not in allowed:
            statuses = {people[who].post(address, deed).status_code for deed in DEEDS[name]}
            assert statuses == ({302} if who == "nobody" else {404})
    assert stored() == before


@pytest.mark.parametrize("hidden", ["draft", "others"])
@pytest.mark.parametrize("name", [name for name in ROUTES if name != "set-new"])
def test_a_set_that_is_not_for_them_is_nowhere_for_learners(
    name: str, hidden: str, course: Course, people: People, request: pytest.FixtureRequest
) -> None:
    found: ProblemSet = request.getfixturevalue(hidden)
    address = where(name, found, course)
    for who in ("charlie", "erin", "eve", "bob"):
        answer = getattr(people[who], ROUTES[name][0])(address)
        assert answer.status_code == 404
        assert found.title not in answer.content.decode()
    if ROUTES[name][0] == "get":
        assert people["alice"].get(address).status_code == 200


def test_whoever_left_the_course_sees_nothing(quiz: ProblemSet, course: Course, people: People) -> None:
    course.enrolments.update(dropped_at=NOW)
    for who in ("eve", "bob", "dave", "alice"):
        for name in ROUTES:
            if name != "set-extension":
                assert getattr(people[who], ROUTES[name][0])(where(name, quiz, course)).status_code == 404


def test_a_set_that_was_taken_away_is_nowhere(quiz: ProblemSet, course: Course, people: People) -> None:
    ProblemSet.objects.filter(pk=quiz.pk).update(retired=True)
    for name in ROUTES:
        if name != "set-new":
            assert getattr(people["alice"], ROUTES[name][0])(where(name, quiz, course)).status_code == 404


def test_items_pools_and_extensions_of_another_set_are_not_there(
    quiz: ProblemSet, draft: ProblemSet, course: Course, people: People
) -> None:
    alice, other = people["alice"], draft.items.get()
    pool = Pool.objects.create(problem_set=draft, name="Other")
    at = f"/sets/{quiz.public_id}"
    assert alice.get(f"{at}/items/{other.pk}/").status_code == 404
    assert alice.get(f"{at}/pools/{pool.pk}/").status_code == 404
    before = stored()
    answers = [alice.post(f"{at}/items/", {"do": do, "item": str(other.pk)}) for do in ("up", "out", "back")]
    answers += [alice.post(f"{at}/items/", {"do": "out", "item": said}) for said in ("", "x", "9" * 30)]
    answers += [alice.get(f"{at}/rules/?learner={said}") for said in ("x", "0", "9" * 30)]
    answers += [alice.get(f"{at}/extensions/for/?{said}=999999") for said in ("learner", "group", "nothing")]
    assert {answer.status_code for answer in answers} == {404}
    assert stored() == before


@pytest.mark.parametrize("name", ROUTES)
def test_other_methods_are_refused(name: str, quiz: ProblemSet, course: Course, people: People) -> None:
    address = where(name, quiz, course)
    assert people["alice"].delete(address).status_code == 405
    if name not in DEEDS and name != "set-copy":
        assert people["alice"].post(address).status_code == 405
    if ROUTES[name][0] == "post":
        assert people["alice"].get(address).status_code == 405


def test_a_form_made_for_somebody_else_is_refused(quiz: ProblemSet, people: People) -> None:
    before = stored()
    answer = people["alice"].post(f"/sets/{quiz.public_id}/do/", {"do": "retire", "learner": "0"})
    assert answer.status_code == 403
    assert stored() == before


def test_a_copy_goes_only_where_one_may(quiz: ProblemSet, elsewhere: Course, people: People) -> None:
    before = stored()
    for said in (str(elsewhere.public_id), "x", ""):
        assert people["alice"].post(f"/sets/{quiz.public_id}/copy/", {"course": said}).status_code == 404
    assert stored() == before
