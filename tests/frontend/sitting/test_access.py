"""Every page of an attempt for every role: nobody, somebody elsewhere, who observes, assists and teaches, and its own
learner."""

from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, reverse

from exercises.actions.sitting.hand_in import hand_in
from exercises.models import Attempt, Course, FaultReport, SavedAnswer, Submission, User
from frontend.sitting_urls import urlpatterns
from tests.exercises.sitting.world import WRONG, place, save, variant_id
from tests.frontend.sitting.conftest import client_of
from tests.frontend.sitting.world import form, page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("servers")]

LOGIN = 302
PEOPLE = ("nobody", "charlie", "erin", "eve", "dave", "alice", "bob")
OWN = (LOGIN, 404, 404, 404, 404, 404)
#: Method, then what each of PEOPLE is answered.
ROUTES: dict[str, tuple[str, tuple[int, ...]]] = {
    "attempt-begin": ("post", (LOGIN, 404, 404, 404, 404, 404, 302)),
    "receipt-verify": ("get", (LOGIN, 404, 200, 404, 200, 200, 404)),
    "attempt": ("get", (*OWN, 200)),
    "attempt-clock": ("get", (*OWN, 200)),
    "attempt-hand-in": ("get", (*OWN, 200)),
    "attempt-receipt": ("get", (*OWN, 302)),  # not handed in: back to the attempt
    "attempt-item": ("get", (*OWN, 200)),
    "attempt-reading": ("post", (*OWN, 200)),
    "attempt-save": ("post", (*OWN, 302)),
    "attempt-aside": ("post", (*OWN, 404)),  # nothing is set aside
    "attempt-check": ("post", (*OWN, 422)),  # nothing is typed
    "attempt-verdict": ("get", (*OWN, 302)),  # no script asked
    "attempt-another": ("post", (*OWN, 302)),
    "attempt-report": ("get", (*OWN, 200)),
    "attempt-hint": ("post", (*OWN, 422)),  # this set has no hints
}
ALSO_POST = ("attempt-hand-in", "attempt-report")
OF_A_PLACE = ("item", "reading", "save", "aside", "check", "verdict", "another", "hint", "report")


def where(name: str, attempt: Attempt) -> str:
    if name == "attempt-begin":
        return reverse("frontend:attempt-begin", args=[attempt.problem_set.public_id])
    if name == "receipt-verify":
        return reverse("frontend:receipt-verify")
    position = 1 if name.removeprefix("attempt-") in OF_A_PLACE else None
    step = {"step": "p"} if name in ("attempt-reading", "attempt-hint") else {}
    return page(name, attempt, position, **step)


@pytest.fixture
def people(bob: User, charlie: User, elsewhere: Course, alice: User, dave: User, eve: User) -> dict[str, Client]:
    users = {"charlie": charlie, "erin": User.objects.get(username="erin"), "eve": eve, "dave": dave}
    users |= {"alice": alice, "bob": bob}
    return {"nobody": Client(), **{name: client_of(user) for name, user in users.items()}}


def sent(client: Client, method: str, address: str, attempt: Attempt) -> Any:
    fields: dict[str, Any] = {**form(attempt)} if method == "post" else {}
    # Made for whoever sends it: what is refused is refused for another reason than that.
    fields.pop("learner", None)
    return getattr(client, method)(address, fields)


def test_every_route_has_its_row() -> None:
    assert {route.name for route in urlpatterns if isinstance(route, URLPattern)} == set(ROUTES)


@pytest.mark.parametrize("name", ROUTES)
def test_each_person_sees_what_is_theirs(name: str, quizzed: Attempt, people: dict[str, Client]) -> None:
    method, expected = ROUTES[name]
    address = where(name, quizzed)
    answered = {person: sent(people[person], method, address, quizzed).status_code for person in PEOPLE}
    assert answered == dict(zip(PEOPLE, expected, strict=True))
    response = sent(people["nobody"], method, address, quizzed)
    assert response["Location"].startswith("/accounts/login/")


@pytest.mark.parametrize("person", [person for person in PEOPLE if person != "bob"])
def test_nobody_else_changes_anything(person: str, quizzed: Attempt, people: dict[str, Client]) -> None:
    save(place(quizzed), 0, p="0.6")
    before = (place(quizzed).saved, SavedAnswer.objects.count(), place(quizzed).variants.count())
    fields = {**form(quizzed, **{**WRONG, "sure": "yes"}), "text": "Something is wrong."}
    # Made for whoever sends it: what is refused is refused for another reason than that.
    del fields["learner"]
    for name, (method, _) in ROUTES.items():
        if method == "post" or name in ALSO_POST:
            people[person].post(where(name, quizzed), fields)
    quizzed.refresh_from_db()
    assert not quizzed.is_over
    assert not Submission.objects.exists()
    assert not FaultReport.objects.exists()
    assert (place(quizzed).saved, SavedAnswer.objects.count(), place(quizzed).variants.count()) == before


@pytest.mark.parametrize("name", ROUTES)
def test_other_methods_are_refused(name: str, quizzed: Attempt, people: dict[str, Client]) -> None:
    methods = {"get", "post", "delete"} - {ROUTES[name][0]} - ({"post"} if name in ALSO_POST else set())
    assert {getattr(people["bob"], method)(where(name, quizzed)).status_code for method in methods} == {405}


def test_a_receipt_is_verified_by_those_who_teach_its_course(quizzed: Attempt, people: dict[str, Client]) -> None:
    code = hand_in(attempt=quizzed).receipt
    address = reverse("frontend:receipt-verify")
    told = {
        name: people[name].get(address, {"code": code.lower()}).content.decode() for name in ("erin", "dave", "alice")
    }
    assert "Genuine." in told["alice"]
    assert "Genuine." in told["dave"]
    assert "There is no hand-in with this code" in told["erin"]
    Attempt.objects.update(learner=User.objects.get(username="charlie"))
    assert "Not what was handed in." in people["alice"].get(address, {"code": code}).content.decode()


def test_somebody_who_left_keeps_their_work(quizzed: Attempt, people: dict[str, Client]) -> None:
    quizzed.learner.enrolments.update(dropped_at=quizzed.began_at)
    assert people["bob"].get(page("attempt", quizzed)).status_code == 200
    assert people["bob"].post(where("attempt-begin", quizzed)).status_code == 404


def test_the_practice_doors_do_not_know_of_a_quiz(quizzed: Attempt, people: dict[str, Client]) -> None:
    variant = variant_id(place(quizzed))
    for name, more in (("variant", {}), ("answers", {}), ("reveal", {}), ("hint", {"step": "p"}), ("whole", {})):
        address = reverse(f"frontend:{name}", kwargs={"public_id": variant, **more})
        method = "get" if name in ("variant", "reveal") else "post"
        assert getattr(people["bob"], method)(address).status_code == 404, name


def test_forms_need_their_token(quizzed: Attempt) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(quizzed.learner)
    assert strict.post(where("attempt-save", quizzed), form(quizzed, p="0.5")).status_code == 403
    assert not place(quizzed).saved
