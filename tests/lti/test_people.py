"""Rows X13 and X14: who somebody is, and what they may do, follows from each launch anew."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from exercises import clock
from exercises.models import (
    Context,
    Course,
    Enrolment,
    Membership,
    PlatformUser,
    ProblemSet,
    Registration,
    ResourceLink,
    User,
)
from tests.lti.platform import (
    INSTRUCTOR,
    LEARNER,
    MEMBERSHIP,
    FakePlatform,
    arrived,
    begin,
    claims_of,
    launch,
    post,
    registered,
    signed,
)


def role_of(sub: str) -> str:
    """What somebody is in the course; "" for nothing."""
    rows = Enrolment.objects.filter(user__platform_users__sub=sub, dropped_at=None)
    return rows.values_list("role", flat=True).first() or ""


@pytest.mark.usefixtures("link")
def test_x13_rights_go_when_the_platform_takes_them(client: Client, registration: Registration, course: Course) -> None:
    arrived(client, launch(client, registration, roles=[INSTRUCTOR], sub="a"))
    assert role_of("a") == "instructor"
    assert client.get(f"/courses/{course.public_id}/people/").status_code == 200
    arrived(client, launch(client, registration, roles=[LEARNER], sub="a"))
    assert role_of("a") == "learner"
    assert client.get(f"/courses/{course.public_id}/people/").status_code == 404
    arrived(client, launch(client, registration, roles=[], sub="a"))
    assert role_of("a") == ""
    assert client.get(f"/courses/{course.public_id}/").status_code == 404
    arrived(client, launch(client, registration, roles=[INSTRUCTOR], sub="a"))
    assert role_of("a") == "instructor"


@pytest.mark.usefixtures("link")
def test_x13_also_the_last_instructor_of_a_course_becomes_what_the_platform_says(
    client: Client, registration: Registration, course: Course
) -> None:
    arrived(client, launch(client, registration, roles=[INSTRUCTOR], sub="a"))
    Enrolment.objects.filter(user__username="alice").delete()
    arrived(client, launch(client, registration, roles=[LEARNER], sub="a"))
    assert role_of("a") == "learner"


ROLES = {
    "an institution's instructor": (["http://purl.imsglobal.org/vocab/lis/v2/institution/person#Instructor"], ""),
    "a platform's administrator": (["http://purl.imsglobal.org/vocab/lis/v2/system/person#Administrator"], ""),
    "a teaching assistant": ([f"{MEMBERSHIP}/Instructor#TeachingAssistant"], "assistant"),
    "a teaching assistant of Canvas": ([INSTRUCTOR, f"{MEMBERSHIP}/Instructor#TeachingAssistant"], "assistant"),
    "a learner": ([f"{MEMBERSHIP}/Learner#NonCreditLearner"], "learner"),
    "a mentor": ([f"{MEMBERSHIP}#Mentor"], "observer"),
}


@pytest.mark.usefixtures("link")
@pytest.mark.parametrize("row", ROLES)
def test_x13_only_roles_in_the_course_itself_count(row: str, client: Client, registration: Registration) -> None:
    roles, expected = ROLES[row]
    arrived(client, launch(client, registration, roles=roles, sub="a"))
    assert role_of("a") == expected


@pytest.mark.usefixtures("link")
def test_x13_each_change_stands_in_the_audit_trail(client: Client, registration: Registration, course: Course) -> None:
    for roles in ([INSTRUCTOR], [INSTRUCTOR], [LEARNER], []):
        arrived(client, launch(client, registration, roles=roles, sub="a"))
    assert list(course.audit.order_by("pk").values_list("deed", flat=True)) == ["lms-added", "lms-role", "lms-dropped"]


def test_where_several_courses_lead_to_one_somebody_is_the_most_that_they_are_in_any(
    client: Client, registration: Registration, lms_context: Context, link: ResourceLink
) -> None:
    second = Context.objects.create(deployment=lms_context.deployment, context_id="course-2", course=lms_context.course)
    there = {"context": {"id": second.context_id}, "resource_link": {"id": "link-2"}, "sub": "a"}
    arrived(client, launch(client, registration, roles=[INSTRUCTOR], sub="a"))
    arrived(client, launch(client, registration, roles=[LEARNER], **there))
    assert role_of("a") == "instructor"
    arrived(client, launch(client, registration, roles=[LEARNER], sub="a"))
    assert role_of("a") == "learner"


@pytest.mark.usefixtures("link")
def test_x14_the_same_sub_of_two_registrations_is_two_people(
    client: Client, registration: Registration, platform: FakePlatform
) -> None:
    other_client = registered(platform, client_id="gym-2")
    elsewhere = registered(platform, issuer="https://other.example")
    for one in (registration, other_client, elsewhere):
        assert launch(Client(), one, sub="7").status_code == 303
    assert PlatformUser.objects.filter(sub="7").count() == 3
    assert User.objects.filter(platform_users__sub="7").distinct().count() == 3


@pytest.mark.usefixtures("link")
def test_x14_the_same_course_id_of_another_client_is_another_course(
    client: Client, registration: Registration, platform: FakePlatform, course: Course
) -> None:
    other = registered(platform, client_id="gym-2")
    page = arrived(client, launch(client, other, roles=[LEARNER], sub="eve")).content.decode()
    assert "not connected yet" in page
    assert role_of("eve") == ""
    assert client.get(f"/courses/{course.public_id}/").status_code == 404


@pytest.mark.usefixtures("link")
def test_an_account_is_never_found_by_an_address_that_nobody_has_proven(
    client: Client, registration: Registration, bob: User
) -> None:
    bob.email = "bob@lms.example"
    bob.save()
    arrived(client, launch(client, registration, roles=[LEARNER], sub="x", email=bob.email, name="bob"))
    made = User.objects.get(platform_users__sub="x")
    assert made != bob
    assert (made.email, made.has_usable_password()) == ("", False)


@pytest.mark.usefixtures("link")
def test_an_account_that_was_closed_is_not_opened_by_a_launch(client: Client, registration: Registration) -> None:
    arrived(client, launch(client, registration, sub="x"))
    User.objects.filter(platform_users__sub="x").update(is_active=False)
    response = launch(client, registration, sub="x")
    assert response.status_code == 400
    assert "closed" in response.content.decode()


def test_who_teaches_there_may_make_courses_here_only_where_it_was_said_and_as_long_as_they_do(
    client: Client, registration: Registration
) -> None:
    def is_teacher() -> bool:
        return User.objects.get(platform_users__sub="a").is_instructor

    arrived(client, launch(client, registration, roles=[INSTRUCTOR], sub="a"))
    assert not is_teacher()
    Registration.objects.update(lets_teach=True)
    arrived(client, launch(client, registration, roles=[INSTRUCTOR], sub="a"))
    assert is_teacher()
    arrived(client, launch(client, registration, roles=[LEARNER], sub="a"))
    assert not is_teacher()


def test_bob_does_not_see_charlies_course_by_its_link(
    client: Client, registration: Registration, link: ResourceLink, charlie: User
) -> None:
    client.force_login(charlie)
    for address in (f"/lms/links/{link.public_id}/", f"/lms/links/{link.public_id}/set/"):
        assert client.get(address).status_code == 404
    for address in ("", "account/"):
        assert client.get(f"/lms/contexts/{link.context.public_id}/{address}").status_code == 404


@pytest.mark.usefixtures("link")
def test_br_105_a_second_launch_takes_the_browser_over_and_the_first_page_says_so(
    client: Client, registration: Registration, course: Course
) -> None:
    arrived(client, launch(client, registration, roles=[LEARNER], sub="a"))
    first = User.objects.get(platform_users__sub="a")
    arrived(client, launch(client, registration, roles=[LEARNER], sub="b", name="Bea"))
    response = client.post("/plan/", {"learner": first.pk})
    assert response.status_code == 403
    assert User.objects.get(platform_users__sub="b").username in response.content.decode()
    assert ProblemSet.objects.count() == 0


@pytest.mark.usefixtures("link")
def test_a_launch_costs_the_same_in_a_course_of_one_and_of_thirty(registration: Registration, course: Course) -> None:
    def queries() -> int:
        browser = Client()
        arrived(browser, launch(browser, registration, roles=[LEARNER], sub="a"))
        begun = begin(browser, registration)
        token = signed(claims_of(begun, registration, roles=[LEARNER], sub="a"))
        with CaptureQueriesContext(connection) as counted:
            arrived(browser, post(begun, token))
        return len(counted)

    alone = queries()
    for number in range(30):
        user = User.objects.create(username=f"one-of-many-{number}")
        person = PlatformUser.objects.create(registration=registration, sub=f"many-{number}", user=user)
        Membership.objects.create(context=course.contexts.get(), platform_user=person, role="learner")
        Enrolment.objects.create(course=course, user=user, role="learner")
    assert queries() == alone
    assert alone < 60


def test_a_page_that_is_opened_again_undoes_nothing_that_was_changed_by_hand(
    client: Client, registration: Registration, link: ResourceLink, course: Course
) -> None:
    arrived(client, launch(client, registration, roles=[INSTRUCTOR], sub="a"))
    address = f"/lms/links/{link.public_id}/"
    Enrolment.objects.filter(user__platform_users__sub="a").update(role="learner")
    client.get(address)
    assert role_of("a") == "learner"
    Enrolment.objects.filter(user__platform_users__sub="a").update(dropped_at=clock.now())
    page = client.get(address, follow=True)
    assert page.status_code == 200
    assert "You are not in this course any more" in page.content.decode()
    assert role_of("a") == ""
    assert client.get(f"/courses/{course.public_id}/").status_code == 404
    arrived(client, launch(client, registration, roles=[LEARNER], sub="a"))
    assert role_of("a") == "learner"


def test_who_came_before_a_course_was_connected_comes_in_when_they_look_again(
    client: Client, registration: Registration, link: ResourceLink, course: Course
) -> None:
    Context.objects.update(course=None)
    arrived(client, launch(client, registration, roles=[LEARNER], sub="a"))
    assert role_of("a") == ""
    Context.objects.update(course=course)
    client.get(f"/lms/links/{link.public_id}/")
    assert role_of("a") == "learner"
