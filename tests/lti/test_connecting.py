"""A course of a platform and its links, connected with what is here."""

import re
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client

from exercises import clock
from exercises.models import (
    Attempt,
    Context,
    Course,
    Enrolment,
    LineItem,
    PlatformUser,
    ProblemSet,
    Registration,
    ResourceLink,
    Submission,
    User,
)
from tests.authenticator import AT, STEP, clock_stands, code_at, given_second_step
from tests.lti.platform import INSTRUCTOR, LEARNER, arrived, launch


def made_set(course: Course, **more: Any) -> ProblemSet:
    """A set that is published."""
    return ProblemSet.objects.create(
        course=course, **{"title": "Losses", "mode": "quiz", "published_at": clock.now(), **more}
    )


def where(page: Any) -> str:
    """The address that a launch came to."""
    return str(page.redirect_chain[-1][0])


def test_a_learner_before_the_teacher_reads_what_it_waits_for(client: Client, registration: Registration) -> None:
    page = arrived(client, launch(client, registration, roles=[LEARNER], sub="bob"))
    text = page.content.decode()
    assert page.status_code == 200
    assert "This course is not connected yet" in text
    assert "BERT by hand" in text
    assert not Course.objects.exists()


def test_the_teacher_makes_a_course_and_a_set_and_then_the_learner_comes_straight_to_it(
    client: Client, registration: Registration
) -> None:
    Registration.objects.update(lets_teach=True)
    bob = Client()
    arrived(bob, launch(bob, registration, roles=[LEARNER], sub="bob", name="Bob Learner"))
    page = arrived(client, launch(client, registration))
    assert where(page).startswith("/lms/contexts/")
    link = ResourceLink.objects.get()
    form = {"do": "make", "link": link.public_id, "title": "BERT by hand", "time_zone": "Europe/Berlin"}
    page = client.post(where(page), form, follow=True)
    course = Course.objects.get()
    assert (course.title, where(page)) == ("BERT by hand", f"/lms/links/{link.public_id}/set/")
    assert Enrolment.objects.get().role == "instructor"
    chosen = made_set(course)
    page = client.post(where(page), {"problem_set": chosen.public_id}, follow=True)
    assert page.status_code == 200, page.content.decode()
    assert where(page) == f"/sets/{chosen.public_id}/"
    page = bob.get(f"/lms/links/{link.public_id}/", follow=True)
    assert where(page) == f"/sets/{chosen.public_id}/"
    assert page.status_code == 200
    enrolment = Enrolment.objects.get(role="learner")
    assert (enrolment.name, enrolment.course) == ("Bob Learner", course)
    item = LineItem.objects.get()
    assert (item.problem_set, item.url, item.is_coupled) == (chosen, "https://lms.example/items/1", True)


def test_an_attempt_that_is_going_on_is_gone_on_with(
    client: Client, registration: Registration, link: ResourceLink, course: Course
) -> None:
    link.problem_set = made_set(course)
    link.save()
    arrived(client, launch(client, registration, roles=[LEARNER], sub="bob"))
    user = User.objects.get(platform_users__sub="bob")
    attempt = Attempt.objects.create(problem_set=link.problem_set, learner=user, began_at=clock.now())
    page = arrived(client, launch(client, registration, roles=[LEARNER], sub="bob"))
    assert where(page) == f"/attempts/{attempt.public_id}/"


def test_a_set_that_is_not_published_makes_a_learner_wait_and_not_its_teacher(
    client: Client, registration: Registration, link: ResourceLink, course: Course
) -> None:
    link.problem_set = made_set(course, published_at=None)
    link.save()
    page = arrived(client, launch(client, registration, roles=[LEARNER], sub="bob"))
    assert "Losses is not open for you" in page.content.decode()
    page = arrived(client, launch(client, registration, roles=[INSTRUCTOR], sub="a"))
    assert where(page) == f"/sets/{link.problem_set.public_id}/"


def test_a_learner_of_a_link_without_a_set_waits_and_may_go_to_the_course(
    client: Client, registration: Registration, link: ResourceLink, course: Course
) -> None:
    page = arrived(client, launch(client, registration, roles=[LEARNER], sub="bob")).content.decode()
    assert "Nothing is chosen for this link yet" in page
    assert f"/courses/{course.public_id}/" in page
    assert client.get(f"/lms/links/{link.public_id}/set/").status_code == 404


def test_a_link_that_says_its_set_needs_no_choosing(
    client: Client, registration: Registration, lms_context: Context, course: Course
) -> None:
    chosen = made_set(course)
    custom = {"custom": {"problem_set": str(chosen.public_id)}}
    page = arrived(client, launch(client, registration, roles=[LEARNER], sub="bob", **custom))
    assert where(page) == f"/sets/{chosen.public_id}/"
    assert LineItem.objects.get().problem_set == chosen


def test_a_link_says_no_set_of_another_course(
    client: Client, registration: Registration, lms_context: Context, elsewhere: Course
) -> None:
    custom = {"custom": {"problem_set": str(made_set(elsewhere).public_id)}}
    page = arrived(client, launch(client, registration, roles=[LEARNER], sub="bob", **custom))
    assert "Nothing is chosen" in page.content.decode()


def test_in_a_course_that_was_copied_a_link_finds_the_copy_of_its_set(
    client: Client, registration: Registration, lms_context: Context, course: Course, elsewhere: Course
) -> None:
    original = made_set(elsewhere)
    copy = made_set(course, copied_from=original)
    custom = {"custom": {"problem_set": str(original.public_id)}}
    page = arrived(client, launch(client, registration, roles=[LEARNER], sub="bob", **custom))
    assert where(page) == f"/sets/{copy.public_id}/"


def test_a_link_that_was_copied_with_its_course_opens_the_copy_of_its_set(
    client: Client, registration: Registration, lms_context: Context, link: ResourceLink, elsewhere: Course
) -> None:
    link.problem_set = made_set(lms_context.course or elsewhere)
    link.save()
    copy = made_set(elsewhere, copied_from=link.problem_set)
    Context.objects.create(deployment=lms_context.deployment, context_id="course-2", course=elsewhere)
    said = {
        "context": {"id": "course-2"}, "resource_link": {"id": "link-2"},
        "custom": {"link_history": f"unknown,{link.link_id},older"},
    }  # fmt: skip
    page = arrived(client, launch(client, registration, roles=[LEARNER], sub="bob", **said))
    assert where(page) == f"/sets/{copy.public_id}/"


def test_a_platform_that_knows_no_history_says_nothing_by_it(
    client: Client, registration: Registration, link: ResourceLink
) -> None:
    custom = {"custom": {"link_history": "$ResourceLink.id.history"}}
    page = arrived(client, launch(client, registration, roles=[LEARNER], sub="bob", **custom))
    assert "Nothing is chosen" in page.content.decode()


def test_a_teacher_with_an_account_here_links_it_by_its_password_and_chooses_their_course(
    client: Client, registration: Registration, course: Course, alice: User
) -> None:
    page = arrived(client, launch(client, registration, sub="alice-7"))
    made = User.objects.get(platform_users__sub="alice-7")
    text = page.content.decode()
    assert "You cannot make courses here" in text
    account = re.search(r'href="(/lms/contexts/[^"]*account/[^"]*)"', text)
    assert account
    wrong = client.post(account[1], {"name": "alice", "password": "a guess"})
    assert wrong.status_code == 422
    assert "no account of this name with this password" in wrong.content.decode()
    page = client.post(account[1], {"name": "alice", "password": "alice teaches here"}, follow=True)
    assert page.wsgi_request.user == alice
    link = ResourceLink.objects.get()
    form = {"do": "choose", "link": link.public_id, "course": course.public_id}
    page = client.post(where(page), form, follow=True)
    assert where(page) == f"/lms/links/{link.public_id}/set/"
    assert Context.objects.get().course == course
    made.refresh_from_db()
    assert not made.is_active
    again = Client()
    arrived(again, launch(again, registration, sub="alice-7"))
    assert again.get("/").wsgi_request.user == alice


def test_no_platform_opens_an_account_that_runs_the_service(
    client: Client, registration: Registration, operator: User, alice: User
) -> None:
    arrived(client, launch(client, registration, sub="mallory"))
    address = f"/lms/contexts/{Context.objects.get().public_id}/account/"
    response = client.post(address, {"name": operator.username, "password": "oscar runs it"})
    assert response.status_code == 422
    assert "by its password alone" in response.content.decode()
    PlatformUser.objects.update(user=alice)
    alice.is_staff = True
    alice.save()
    assert "account-kept" in launch(Client(), registration, sub="mallory").content.decode()


def test_an_account_with_a_second_step_is_linked_by_its_code_as_well(
    client: Client, registration: Registration, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock_stands(monkeypatch)
    given_second_step(alice)
    arrived(client, launch(client, registration, sub="mallory"))
    address = f"/lms/contexts/{Context.objects.get().public_id}/account/"
    said = {"name": "alice", "password": "alice teaches here"}
    for code in ("", code_at(AT + 5 * STEP)):
        response = client.post(address, {**said, "code": code})
        assert response.status_code == 422
        assert 'id="id_code_error"' in response.content.decode()
    assert PlatformUser.objects.get().user != alice
    assert client.post(address, {**said, "code": code_at(AT)}).status_code == 302
    assert PlatformUser.objects.get().user == alice


def test_nobody_guesses_a_password_by_linking(
    client: Client, registration: Registration, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("exercises.limits.time", SimpleNamespace(time=lambda: 1_000_000.0))
    arrived(client, launch(client, registration, sub="mallory"))
    address = f"/lms/contexts/{Context.objects.get().public_id}/account/"
    answers = [client.post(address, {"name": "alice", "password": f"guess {n}"}).status_code for n in range(7)]
    assert answers == [422] * 5 + [429] * 2
    assert client.post(address, {"name": "alice", "password": "alice teaches here"}).status_code == 429


def test_nobody_guesses_a_password_by_linking_as_many_people_nor_by_tokens_beside_that(
    registration: Registration, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    # One window for the whole test, whenever it runs.
    monkeypatch.setattr("exercises.limits.time", SimpleNamespace(time=lambda: 1_000_000.0))
    answers = []
    for sub in ("a", "b", "c", "d"):
        client = Client()
        arrived(client, launch(client, registration, sub=sub))
        address = f"/lms/contexts/{Context.objects.get().public_id}/account/"
        for number in range(3):
            said = {"name": " Alice"[number % 2 :], "password": f"guess {number}"}
            answers.append(client.post(address, said).status_code)
    assert answers == [422] * 10 + [429] * 2
    monkeypatch.setattr("server.api.throttles.SharedThrottle.clock", staticmethod(lambda: 1_000_000.0))
    said = {"username": "alice", "password": "alice teaches here"}
    assert Client().post("/api/v1/tokens", said, content_type="application/json").status_code == 429


@pytest.mark.usefixtures("link")
def test_an_account_with_work_is_not_given_up_for_another(
    client: Client, registration: Registration, course: Course, alice: User
) -> None:
    arrived(client, launch(client, registration, roles=[LEARNER], sub="bob"))
    user = User.objects.get(platform_users__sub="bob")
    Attempt.objects.create(problem_set=made_set(course), learner=user, began_at=clock.now())
    address = f"/lms/contexts/{Context.objects.get().public_id}/account/"
    response = client.post(address, {"name": "alice", "password": "alice teaches here"})
    assert "it stays yours" in response.content.decode()
    assert PlatformUser.objects.get(sub="bob").user == user
    assert not Submission.objects.exists()


@pytest.mark.usefixtures("course")
def test_a_teacher_connects_no_course_of_somebody_else(
    client: Client, registration: Registration, alice: User, elsewhere: Course
) -> None:
    Registration.objects.update(lets_teach=True)
    page = arrived(client, launch(client, registration))
    response = client.post(where(page), {"do": "choose", "course": elsewhere.public_id})
    assert response.status_code == 422
    assert Context.objects.get().course is None


@pytest.mark.usefixtures("link")
def test_a_learner_connects_nothing(client: Client, registration: Registration) -> None:
    other = {"context": {"id": "course-9"}, "resource_link": {"id": "link-9"}}
    arrived(client, launch(client, registration, roles=[LEARNER], sub="bob", **other))
    context = Context.objects.get(context_id="course-9")
    assert client.get(f"/lms/contexts/{context.public_id}/").status_code == 404
    assert client.post(f"/lms/contexts/{context.public_id}/", {"do": "make", "title": "x"}).status_code == 404
