"""Every route of practice and keys for every role: nobody, another learner, the owner, an instructor."""

import uuid
from typing import Any

import pytest

from exercises.actions import send_answer
from exercises.models import AccessToken, Course, Submission, User, Variant
from server.api.paging import Order, Place
from server.api.urls import keys, practice
from tests.api.conftest import Client

pytestmark = pytest.mark.usefixtures("servers")
ANSWER = {"answers": {"p": "0.987"}}

#: Route, method and body, and what the anonymous, another learner, the owner and an instructor get.
#: {variant}, {submission} and {token} are Bob's.
MATRIX: list[tuple[str, str, str, Any, tuple[int, int, int, int]]] = [
    ("tokens", "get", "tokens", None, (401, 200, 200, 200)),
    ("token", "delete", "tokens/{token}", None, (401, 404, 204, 404)),
    ("problems", "get", "problems", None, (401, 200, 200, 200)),
    ("variants", "post", "problems/masked/variants", {}, (401, 201, 201, 201)),
    ("variants", "post", "problems/masked/variants", {"after": "{variant}"}, (401, 404, 201, 404)),
    ("variant", "get", "variants/{variant}", None, (401, 404, 200, 200)),
    ("answers", "post", "variants/{variant}/answers", ANSWER, (401, 404, 202, 404)),
    ("whole", "post", "variants/{variant}/whole", None, (401, 404, 200, 404)),
    ("skills", "get", "skills", None, (401, 200, 200, 200)),
    ("next", "get", "next", None, (401, 200, 200, 200)),
    ("submissions", "get", "submissions", None, (401, 200, 200, 200)),
    ("submission", "get", "submissions/{submission}", None, (401, 404, 200, 200)),
]


def test_the_matrix_names_every_route() -> None:
    """Of practice and of keys; that no address at all is left out is held by tests/routes."""
    assert {row[0] for row in MATRIX} >= {pattern.name for pattern in (*keys.urlpatterns, *practice.urlpatterns)}


@pytest.fixture
def ids(bob: User, variant: Variant) -> dict[str, str]:
    submission = send_answer(learner=bob, variant=variant, answers={"p": "0.665"}).submission
    assert submission is not None
    return {"variant": str(variant.public_id), "submission": str(submission.public_id)}


@pytest.mark.parametrize(("name", "method", "path", "body", "statuses"), MATRIX, ids=lambda value: str(value)[:30])
@pytest.mark.parametrize("role", ["nobody", "charlie", "bob", "alice"])
def test_who_gets_what(
    name: str,
    method: str,
    path: str,
    body: Any,
    statuses: tuple[int, int, int, int],
    role: str,
    bob: User,
    charlie: User,
    alice: User,
    course: Course,
    ids: dict[str, str],
    client_of: Client,
) -> None:
    client_of(bob)  # Bob's other token, which is the one to be taken away
    ids["token"] = str(AccessToken.objects.get(user=bob).public_id)
    who = {"nobody": None, "charlie": charlie, "bob": bob, "alice": alice}[role]
    before = Submission.objects.count()
    client = client_of(who)
    sent = {key: value.format(**ids) if isinstance(value, str) else value for key, value in (body or {}).items()}
    answer = getattr(client, method)(f"/api/v1/{path.format(**ids)}", sent or None, format="json")
    assert answer.status_code == statuses[["nobody", "charlie", "bob", "alice"].index(role)]
    if role != "bob":
        assert Submission.objects.count() == before
    if answer.status_code in (401, 404):
        assert answer["Content-Type"] == "application/problem+json"
        assert not {"answers", "parameters", "verdict", "draft"} & set(answer.json())


@pytest.mark.parametrize("path", ["variants/{}", "variants/{}/answers", "variants/{}/whole", "submissions/{}"])
def test_an_unknown_id_is_answered_like_somebody_elses(
    path: str, charlie: User, ids: dict[str, str], client_of: Client
) -> None:
    method = "post" if path.endswith(("answers", "whole")) else "get"
    foreign = ids["submission" if path.startswith("submissions") else "variant"]
    told = [
        getattr(client_of(charlie), method)(f"/api/v1/{path.format(one)}", ANSWER, format="json").json()
        for one in (foreign, uuid.uuid4())
    ]
    assert told[0] | {"request_id": ""} == told[1] | {"request_id": ""}


def test_others_see_only_their_own_history(bob: User, charlie: User, ids: dict[str, str], client_of: Client) -> None:
    assert len(client_of(bob).get("/api/v1/submissions").json()["results"]) == 1
    assert client_of(charlie).get("/api/v1/submissions").json()["results"] == []
    for here in (True, False):
        cursor = Place(here, Submission.objects.get().pk + (1 if here else -1)).written(Order.NEWEST)
        assert client_of(charlie).get(f"/api/v1/submissions?cursor={cursor}").json()["results"] == []


def test_a_key_for_practice_reads_no_work_of_others_though_its_owner_may(
    alice: User, bob: User, course: Course, ids: dict[str, str], client_of: Client
) -> None:
    for path in (f"variants/{ids['variant']}", f"submissions/{ids['submission']}"):
        assert client_of(bob, "practice").get(f"/api/v1/{path}").status_code == 200
        assert client_of(alice, "attempts.read").get(f"/api/v1/{path}").status_code == 200
        for narrow in (client_of(alice, "practice"), client_of(bob, "attempts.read")):
            assert narrow.get(f"/api/v1/{path}").json()["code"] == "insufficient-scope"
