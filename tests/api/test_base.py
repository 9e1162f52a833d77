"""What holds for every view alike: scopes, keys for one course, external ids, and the one shape of errors."""

from collections.abc import Iterator

import pytest
from django.urls import URLPattern, include, path
from pytest_django import Settings
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.test import APIClient

from exercises.actions import NameTaken, give_external_id, put_named
from exercises.courses.rights import Right
from exercises.models import Course, ExternalId, ProblemSet, User
from server.api.addresses import Ref
from server.api.base import View
from server.api.conditional import tag
from server.api.urls import urlpatterns as ours
from server.api.views.nowhere import Nowhere
from tests.api.conftest import Client

pytestmark = pytest.mark.usefixtures("servers")


class ACourse(View):
    scopes = {"GET": "roster.read", "PATCH": "roster.write"}
    of_course = True

    def get(self, request: Request, course_id: Ref) -> Response:
        course = self.course(course_id, Right.READ_WORK)
        return self.answer({"title": course.title}, tag=tag(course.pk, course.updated_at))

    def patch(self, request: Request, course_id: Ref) -> Response:
        course = self.course(course_id, Right.MANAGE)
        is_guarded = self.require_match(tag(course.pk, course.updated_at))
        return self.answer({"guarded": is_guarded})


class Narrowed(ACourse):
    scopes = {"GET": "roster.read"}


class ASet(View):
    scopes = {"GET": None}
    of_course = True

    def get(self, request: Request, set_id: Ref) -> Response:
        return self.answer({"title": self.problem_set(set_id, Right.VIEW).title})


class Careless(View):
    scopes = {"GET": None}
    of_course = True

    def get(self, request: Request) -> Response:
        return self.answer({"courses": Course.objects.count()})


api_patterns = [
    path("courses/<ref:course_id>", ACourse.as_view()),
    path("narrowed/<ref:course_id>", Narrowed.as_view()),
    path("sets/<ref:set_id>", ASet.as_view()),
    path("careless", Careless.as_view()),
    path("", include("server.api.urls")),
]
urlpatterns = [path("api/v1/", include(api_patterns))]
handler400, handler500 = "server.fallen.bad_request", "server.fallen.server_error"


@pytest.fixture(autouse=True)
def _addresses(settings: Settings) -> Iterator[None]:
    settings.ROOT_URLCONF = __name__
    return


@pytest.fixture
def keyed(alice: User, client_of: Client) -> Client:
    """A function that gives a client with a key of Alice's for these scopes, and for that course only."""

    def client(*scopes: str, course: Course | None = None, user: User = alice) -> APIClient:
        return client_of(user, *(scopes or ("events.read",)), course=course)

    return client


def test_every_view_says_which_scope_each_of_its_methods_takes() -> None:
    for pattern in ours:
        assert isinstance(pattern, URLPattern)
        if pattern.name in ("docs", "openapi"):  # for anybody, and no part of what they describe
            continue
        view = pattern.callback.view_class  # type: ignore[attr-defined]
        methods = {name.upper() for name in ("get", "post", "put", "patch", "delete") if hasattr(view, name)}
        assert issubclass(view, View)
        assert view is Nowhere or set(view.scopes) & methods, view


def test_a_method_that_is_only_inherited_is_not_there(course: Course, keyed: Client) -> None:
    address = f"/api/v1/narrowed/{course.public_id}"
    refused = keyed("roster.read", "roster.write").patch(address, headers={"If-Match": "*"})
    assert (refused.status_code, refused["Allow"]) == (405, "GET, HEAD, OPTIONS")
    assert keyed("roster.read").get(address).status_code == 200


def test_a_key_without_the_scope_is_told_which_one_it_takes(course: Course, keyed: Client) -> None:
    refused = keyed("practice", "roster.write").get(f"/api/v1/courses/{course.public_id}")
    assert (refused.status_code, refused["Content-Type"]) == (403, "application/problem+json")
    assert refused.json()["code"] == "insufficient-scope"
    assert "roster.read" in refused.json()["detail"]
    assert refused["WWW-Authenticate"] == 'Bearer realm="api", error="insufficient_scope", scope="roster.read"'
    assert keyed("roster.read").get(f"/api/v1/courses/{course.public_id}").json() == {"title": "BERT by hand"}
    assert keyed("roster.read").patch(f"/api/v1/courses/{course.public_id}").status_code == 403


def test_a_key_opens_no_more_than_its_owner_may_do(course: Course, bob: User, charlie: User, keyed: Client) -> None:
    every = ("roster.read", "roster.write")
    for user in (bob, charlie):
        assert keyed(*every, user=user).get(f"/api/v1/courses/{course.public_id}").status_code == 404


def test_a_page_of_somebody_signed_in_may_ask_whatever_they_may(course: Course, alice: User) -> None:
    browser = APIClient()
    browser.force_login(alice)
    assert browser.get(f"/api/v1/courses/{course.public_id}").status_code == 200


def test_a_key_for_one_course_finds_nothing_of_another(
    course: Course, alice: User, elsewhere: Course, keyed: Client
) -> None:
    other = Course.objects.create(title="Alice's other course", created_by=alice)
    other.enrolments.create(user=alice, role="instructor")
    sets = [ProblemSet.objects.create(course=one, title=f"Of {one.title}", mode="quiz") for one in (course, other)]
    key = keyed("roster.read", course=course)
    assert [key.get(f"/api/v1/courses/{one.public_id}").status_code for one in (course, other, elsewhere)] == [
        200,
        404,
        404,
    ]
    assert [key.get(f"/api/v1/sets/{one.public_id}").status_code for one in sets] == [200, 404]
    assert [keyed().get(f"/api/v1/sets/{one.public_id}").status_code for one in sets] == [200, 200]


def test_a_key_for_one_course_is_good_for_nothing_outside_of_courses(course: Course, keyed: Client) -> None:
    refused = keyed("practice", course=course).get("/api/v1/skills")
    assert (refused.status_code, refused.json()["code"]) == (403, "course-limited")
    assert keyed("practice").get("/api/v1/skills").status_code == 200


def test_a_view_that_looks_past_the_limit_of_a_key_tells_nothing(course: Course, keyed: Client) -> None:
    assert keyed().get("/api/v1/careless").status_code == 200
    key = keyed(course=course)
    key.raise_request_exception = False
    fault = key.get("/api/v1/careless")
    assert (fault.status_code, fault["Content-Type"]) == (500, "application/problem+json")
    assert "courses" not in fault.json()
    assert fault.json()["request_id"] == fault["X-Request-Id"]


def test_things_are_found_by_what_the_owner_of_the_key_calls_them(
    course: Course, alice: User, elsewhere: Course, keyed: Client
) -> None:
    erin = User.objects.get(username="erin")
    kind = ExternalId.Kind.COURSE
    give_external_id(owner=alice, kind=kind, external_id="BERT 1: ä?", target=course.pk)
    give_external_id(owner=erin, kind=kind, external_id="BERT 1: ä?", target=elsewhere.pk)
    # What Erin calls so is hers to see; that Alice's program named it so opens nothing.
    give_external_id(owner=alice, kind=kind, external_id="guessed", target=elsewhere.pk)
    key = keyed("roster.read")
    address = "/api/v1/courses/ext:BERT 1: %C3%A4%3F"
    assert key.get(address).json()["title"] == "BERT by hand"
    assert keyed("roster.read", user=erin).get(address).json()["title"] == "Another course"
    for nothing in ("ext:guessed", "ext:BERT", "ext:", "ext:a/b", "ext:a%00b", f"ext:{'x' * 201}", "x", "ext:a%0Ab"):
        assert key.get(f"/api/v1/courses/{nothing}").status_code == 404, nothing
    assert keyed("roster.read", course=elsewhere).get(address).status_code == 404


def test_a_thing_is_made_once_and_changed_from_then_on(alice: User, bob: User) -> None:
    def put(owner: User, title: str) -> tuple[Course, bool]:
        def change(pk: int) -> Course:
            Course.objects.filter(pk=pk).update(title=title)
            return Course.objects.get(pk=pk)

        return put_named(
            owner=owner,
            kind=ExternalId.Kind.COURSE,
            external_id="one",
            make=lambda: Course.objects.create(title=title),
            change=change,
        )

    made, changed, others = put(alice, "First"), put(alice, "Second"), put(bob, "Bob's")
    assert (made[1], changed[1], others[1]) == (True, False, True)
    assert made[0] == changed[0] != others[0]
    assert changed[0].title == "Second"
    with pytest.raises(NameTaken):
        give_external_id(owner=alice, kind=ExternalId.Kind.COURSE, external_id="one", target=others[0].pk)
    with pytest.raises(NameTaken):
        give_external_id(owner=alice, kind=ExternalId.Kind.COURSE, external_id="two", target=made[0].pk)
    give_external_id(owner=alice, kind=ExternalId.Kind.COURSE, external_id="one", target=made[0].pk)


def test_what_is_known_is_not_told_again_and_only_what_was_read_is_changed(course: Course, keyed: Client) -> None:
    address, key = f"/api/v1/courses/{course.public_id}", keyed("roster.read", "roster.write")
    first = key.get(address)["ETag"]
    known = key.get(address, headers={"If-None-Match": f'"x", W/{first}'})
    assert (known.status_code, known.content, known["ETag"]) == (304, b"", first)
    assert key.patch(address, headers={"If-Match": first}).json() == {"guarded": True}
    assert key.patch(address, headers={"If-Match": "*"}).json() == {"guarded": False}
    Course.objects.update(title="Changed")
    assert key.get(address, headers={"If-None-Match": first}).status_code == 200
    for said, status, code in (
        ({}, 428, "if-match-wanted"),
        ({"If-Match": first}, 412, "changed-meanwhile"),
        ({"If-Match": f"W/{key.get(address)['ETag']}"}, 412, "changed-meanwhile"),
        ({"If-Match": "nonsense"}, 412, "changed-meanwhile"),
    ):
        refused = key.patch(address, headers=said)
        assert (refused.status_code, refused.json()["code"]) == (status, code)


def test_every_error_is_a_problem_document_with_the_id_of_its_request(bob: User, client_of: Client) -> None:
    api = client_of(bob)
    named = {"X-Request-Id": "from-the-proxy.1"}
    refused = {
        404: api.get("/api/v1/nowhere", headers=named),
        405: api.put("/api/v1/skills", {}, format="json", headers=named),
        406: api.get("/api/v1/skills", headers={**named, "Accept": "text/html"}),
        415: api.post("/api/v1/tokens", "a=b", content_type="text/plain", headers=named),
        401: APIClient().get("/api/v1/skills", headers=named),
    }
    for status, answer in refused.items():
        assert (answer.status_code, answer["Content-Type"]) == (status, "application/problem+json")
        body = answer.json()
        assert (body["status"], body["request_id"], answer["X-Request-Id"]) == (status, *["from-the-proxy.1"] * 2)
        assert body["detail"]
        assert body["code"]
    assert refused[405]["Allow"] == "GET, HEAD, OPTIONS"
    odd = api.get("/api/v1/nowhere", headers={"X-Request-Id": "x" * 65})
    assert odd["X-Request-Id"] == odd.json()["request_id"] != "x" * 65


def test_a_request_that_django_takes_for_an_attack_is_answered_with_a_document() -> None:
    refused = APIClient().get("/api/v1/skills", headers={"host": "evil.example"})
    assert (refused.status_code, refused["Content-Type"]) == (400, "application/problem+json")


@pytest.mark.usefixtures("no_redis")
def test_a_request_that_needs_redis_is_told_so_while_it_is_away(
    bob: User, client_of: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert client_of(bob).get("/api/v1/skills").status_code == 200
    refused = APIClient().post("/api/v1/tokens", {"username": "bob", "password": "x"}, format="json")
    assert (refused.status_code, refused.json()["code"], refused["Retry-After"]) == (503, "unavailable", "60")


def test_options_names_the_methods(bob: User, client_of: Client) -> None:
    said = client_of(bob).options("/api/v1/skills")
    assert (said.status_code, said["Allow"], said.content) == (204, "GET, HEAD, OPTIONS", b"")
    assert APIClient().options("/api/v1/skills").status_code == 401
