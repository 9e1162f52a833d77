"""Rows D1 to D7: a platform asks for content, and gets links with their columns and times."""

import datetime as dt
import re
from collections.abc import Mapping
from typing import Any

import jwt
import pytest
from django.test import Client

from exercises.lti.scores import stamp
from exercises.models import Context, Course, ProblemSet, Registration, ToolKey, User
from tests.exercises.courses.world import NOW, problem_set
from tests.exercises.sitting.world import synced
from tests.lti.platform import CLAIM, HOME, LEARNER, LEFT_OUT, arrived, begin, claims_of, post, signed

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("servers", "published", "lms_context")]
RETURN = "https://lms.example/return?id=3"
SAID = "https://purl.imsglobal.org/spec/lti-dl/claim/"


def asked(client: Client, registration: Registration, *, course_there: str = "course-1", **settings: Any) -> Any:
    """Somebody who teaches chooses the tool in a course of their platform; the page that they come to."""
    begun = begin(client, registration, target=f"{HOME}/lti/deep-link")
    said = {
        "deep_link_return_url": RETURN, "accept_types": ["link", "ltiResourceLink"],
        "accept_presentation_document_targets": ["iframe", "window"], "accept_multiple": True, "data": "csrf:47;x",
        **settings,
    }  # fmt: skip
    said = {name: value for name, value in said.items() if value is not LEFT_OUT}
    claims = claims_of(
        begun, registration, message_type="LtiDeepLinkingRequest", resource_link=LEFT_OUT,
        target_link_uri=f"{HOME}/lti/deep-link", deep_linking_settings=said, sub="teacher-1",
        context={"id": course_there, "title": "BERT by hand"},
    )  # fmt: skip
    return arrived(client, post(begun, signed(claims)))


@pytest.fixture
def sets(course: Course) -> list[ProblemSet]:
    """A quiz of three points and an exam of two."""
    problems = synced()
    return [problem_set(course, "quiz", *problems, weights=("1", "2")), problem_set(course, "exam", *problems)]


def address(context: Context) -> str:
    return f"/lms/contexts/{context.public_id}/content/"


def posts_to(page: Any) -> set[str]:
    """Where the forms of a page may go."""
    directives = [said.split() for said in page["Content-Security-Policy"].split(";")]
    return {host for name, *hosts in directives if name == "form-action" for host in hosts}


def claims_in(page: str) -> Mapping[str, Any]:
    """What the form of a page takes to the platform, verified by our key."""
    found = re.search(r'name="JWT" value="([^"]+)"', page)
    assert found
    key = ToolKey.objects.get(kid=jwt.get_unverified_header(found.group(1))["kid"])
    said: Mapping[str, Any] = jwt.decode(
        found.group(1), jwt.PyJWK(key.public_key).key, algorithms=["RS256"], audience="https://lms.example"
    )
    return said


def test_d1_to_d7_two_sets_become_two_links_signed_with_columns_and_times(
    client: Client, registration: Registration, lms_context: Context, sets: list[ProblemSet]
) -> None:
    page = asked(client, registration)
    assert page.status_code == 200
    assert "A quiz" in page.content.decode()
    teacher = User.objects.get(platform_users__sub="teacher-1")
    response = client.post(
        address(lms_context),
        {"learner": teacher.pk, "problem_sets": [one.public_id for one in sets], "with_columns": "on"},
    )
    text = response.content.decode()
    assert f'action="{RETURN}"' in text
    said = claims_in(text)
    assert (said["iss"], said["aud"], said[f"{CLAIM}deployment_id"]) == ("gym", "https://lms.example", "1")
    assert (said[f"{CLAIM}message_type"], said[f"{CLAIM}version"]) == ("LtiDeepLinkingResponse", "1.3.0")
    assert said[f"{SAID}data"] == "csrf:47;x"
    assert said["nonce"]
    assert 0 < said["exp"] - said["iat"] <= 600
    quiz, exam = said[f"{SAID}content_items"]
    assert (quiz["type"], quiz["title"], quiz["url"]) == ("ltiResourceLink", "A quiz", f"{HOME}/lti/launch")
    assert quiz["custom"]["problem_set"] == str(sets[0].public_id)
    assert quiz["custom"]["link_history"] == "$ResourceLink.id.history"
    assert quiz["custom"]["context_history"] == "$Context.id.history"
    assert quiz["lineItem"] == {
        "label": "A quiz", "scoreMaximum": 3, "resourceId": str(sets[0].public_id), "tag": "score",
    }  # fmt: skip
    assert exam["lineItem"]["scoreMaximum"] == 2
    day = dt.timedelta(days=1)
    times = {"startDateTime": stamp(NOW - day), "endDateTime": stamp(NOW + day)}
    assert (quiz["available"], quiz["submission"]) == (times, times)


def test_the_time_by_which_a_set_is_due_is_the_end_of_its_submission(
    client: Client, registration: Registration, lms_context: Context, sets: list[ProblemSet]
) -> None:
    ProblemSet.objects.update(opens_at=None, due_at=NOW, closes_at=None)
    asked(client, registration)
    teacher = User.objects.get(platform_users__sub="teacher-1")
    form = {"learner": teacher.pk, "problem_sets": [sets[0].public_id]}
    item = claims_in(client.post(address(lms_context), form).content.decode())[f"{SAID}content_items"][0]
    assert "available" not in item
    assert item["submission"] == {"endDateTime": stamp(NOW)}
    assert "lineItem" not in item


LIMITS: dict[str, tuple[dict[str, Any], int, bool]] = {
    "one alone": ({"accept_multiple": False}, 1, True),
    "one alone where nothing is said": ({"accept_multiple": LEFT_OUT}, 1, True),
    "no columns": ({"accept_lineitem": False}, 2, False),
}


@pytest.mark.parametrize("row", LIMITS)
def test_what_the_platform_does_not_take_is_not_sent(
    row: str, client: Client, registration: Registration, lms_context: Context, sets: list[ProblemSet]
) -> None:
    settings, most, has_columns = LIMITS[row]
    page = asked(client, registration, **settings).content.decode()
    assert ("grade book" in page) is has_columns
    teacher = User.objects.get(platform_users__sub="teacher-1")
    chosen = [one.public_id for one in sets][:most]
    form = {"learner": teacher.pk, "problem_sets": chosen, "with_columns": "on"}
    items = claims_in(client.post(address(lms_context), form).content.decode())[f"{SAID}content_items"]
    assert len(items) == most
    assert all(("lineItem" in one) is has_columns for one in items)


def test_a_platform_that_wants_no_links_is_told_so_and_gets_none(
    client: Client, registration: Registration, lms_context: Context, sets: list[ProblemSet]
) -> None:
    page = asked(client, registration, accept_types=["html"])
    assert "asks for something else" in page.content.decode()
    teacher = User.objects.get(platform_users__sub="teacher-1")
    form = {"learner": teacher.pk, "problem_sets": [sets[0].public_id]}
    assert client.post(address(lms_context), form).status_code == 422


def test_going_back_without_a_link_is_an_answer_too(
    client: Client, registration: Registration, lms_context: Context, sets: list[ProblemSet]
) -> None:
    asked(client, registration, data=LEFT_OUT)
    teacher = User.objects.get(platform_users__sub="teacher-1")
    said = claims_in(client.post(address(lms_context), {"learner": teacher.pk, "do": "nothing"}).content.decode())
    assert said[f"{SAID}content_items"] == []
    assert f"{SAID}data" not in said


def test_this_page_alone_may_post_to_the_platform_and_to_nobody_else(
    client: Client, registration: Registration, lms_context: Context, sets: list[ProblemSet]
) -> None:
    page = asked(client, registration)
    assert posts_to(page) == {"'self'"}
    teacher = User.objects.get(platform_users__sub="teacher-1")
    form = {"learner": teacher.pk, "problem_sets": [sets[0].public_id]}
    sent = client.post(address(lms_context), form)
    assert posts_to(sent) == {"'self'", "https://lms.example"}
    assert "'unsafe-inline'" not in sent["Content-Security-Policy"]
    assert posts_to(client.get("/courses/")) == {"'self'"}


def test_who_does_not_teach_there_finds_no_such_page(
    client: Client, registration: Registration, lms_context: Context, alice: User, charlie: User, bob: User
) -> None:
    begun = begin(client, registration)
    arrived(client, post(begun, signed(claims_of(begun, registration, roles=[LEARNER], sub="x"))))
    assert client.get(address(lms_context)).status_code == 404
    for user in (alice, bob, charlie):
        client.force_login(user)
        assert client.get(address(lms_context)).status_code == 404


def test_a_set_of_another_course_cannot_be_chosen(
    client: Client, registration: Registration, lms_context: Context, sets: list[ProblemSet], elsewhere: Course
) -> None:
    sets[0].course = elsewhere
    sets[0].save()
    asked(client, registration)
    teacher = User.objects.get(platform_users__sub="teacher-1")
    form = {"learner": teacher.pk, "problem_sets": [sets[0].public_id]}
    assert client.post(address(lms_context), form).status_code == 422


def test_without_a_question_of_the_platform_nothing_is_answered(
    client: Client, registration: Registration, lms_context: Context, sets: list[ProblemSet]
) -> None:
    begun = begin(client, registration)
    arrived(client, post(begun, signed(claims_of(begun, registration))))
    response = client.get(address(lms_context), follow=True)
    assert "once more" in response.content.decode()
    assert 'name="JWT"' not in response.content.decode()


def test_of_two_windows_that_choose_for_two_courses_the_first_sends_nothing_into_the_other(
    client: Client, registration: Registration, lms_context: Context, sets: list[ProblemSet], elsewhere: Course
) -> None:
    other = Context.objects.create(deployment=lms_context.deployment, context_id="course-2", course=elsewhere)
    asked(client, registration)
    teacher = User.objects.get(platform_users__sub="teacher-1")
    asked(client, registration, course_there="course-2", deep_link_return_url="https://lms.example/return?id=4")
    form = {"learner": teacher.pk, "problem_sets": [sets[0].public_id]}
    first = client.post(address(lms_context), form, follow=True).content.decode()
    assert 'name="JWT"' not in first
    assert "once more" in first
    assert client.get(address(other)).status_code == 200


def test_who_connects_the_course_first_goes_on_choosing(
    client: Client, registration: Registration, lms_context: Context, sets: list[ProblemSet]
) -> None:
    Registration.objects.update(lets_teach=True)
    page = asked(client, registration, course_there="a new one")
    assert "Which course is" in page.content.decode()
    teacher = User.objects.get(platform_users__sub="teacher-1")
    made = Context.objects.get(context_id="a new one")
    said = {"learner": teacher.pk, "do": "make", "title": "BERT anew", "time_zone": "UTC", "term_name": "Winter"}
    end = client.post(f"/lms/contexts/{made.public_id}/", said, follow=True)
    assert end.redirect_chain[-1][0] == address(made), end.content.decode()
    assert "open?" in end.content.decode()


@pytest.mark.parametrize(
    ("return_url", "origin"),
    [
        ("https://x;sandbox;@lms.example/return", "https://lms.example"),
        ("https://lms.example:443/return", "https://lms.example"),
        ("https://LMS.example/return;script-src", "https://lms.example"),
    ],
)
def test_whatever_the_way_back_looks_like_the_policy_of_the_page_names_its_origin_alone(
    return_url: str, origin: str, client: Client, registration: Registration, lms_context: Context,
    sets: list[ProblemSet],
) -> None:  # fmt: skip
    asked(client, registration, deep_link_return_url=return_url)
    teacher = User.objects.get(platform_users__sub="teacher-1")
    sent = client.post(address(lms_context), {"learner": teacher.pk, "problem_sets": [sets[0].public_id]})
    assert posts_to(sent) == {"'self'", origin}
    assert "sandbox" not in sent["Content-Security-Policy"]


def test_a_title_is_a_title_whatever_stands_in_it(
    client: Client, registration: Registration, lms_context: Context, sets: list[ProblemSet]
) -> None:
    title = '</script><img src=x onerror=alert(1)>"\\ \u202e{{ 7*7 }} <b>'
    ProblemSet.objects.filter(pk=sets[0].pk).update(title=title)
    page = asked(client, registration).content.decode()
    assert "<img src=x" not in page
    teacher = User.objects.get(platform_users__sub="teacher-1")
    sent = client.post(address(lms_context), {"learner": teacher.pk, "problem_sets": [sets[0].public_id]})
    assert claims_in(sent.content.decode())[f"{SAID}content_items"][0]["title"] == title
