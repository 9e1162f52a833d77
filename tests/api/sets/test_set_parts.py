"""What a problem set is made of, as programs change it: items, pools and extensions."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from exercises.actions.sets.versions import check_version
from exercises.models import Course, Extension, Problem, ProblemSet, ProblemVersion, User
from tests.api.conftest import Client
from tests.api.sets.world import SETS, changed
from tests.exercises.courses.world import problem_set
from tests.frontend.authoring.world import with_version

pytestmark = pytest.mark.django_db


def test_extensions_are_given_once_changed_as_read_and_withdrawn(
    course: Course, quiz: ProblemSet, alice: User, bob: User, client_of: Client
) -> None:
    client = client_of(alice)
    address = f"{SETS}/{quiz.public_id}/extensions"
    group = course.groups.create(name="Monday")
    made = client.post(address, {"learner": "bob", "attempts": 1, "reason": "ill"}, format="json")
    again = client.post(address, {"learner": "bob", "attempts": 2, "reason": "ill"}, format="json")
    assert (made.status_code, again.status_code, again.json()["code"]) == (201, 409, "extension-there")
    assert (
        client.post(address, {"group": group.pk, "attempts": 2, "reason": "late bus"}, format="json").status_code == 201
    )
    listed = client.get(address).json()["results"]
    assert [(row["learner"], row["group"], row["attempts"]) for row in listed] == [
        ("bob", None, 1),
        (None, group.pk, 2),
    ]
    place, tag = made["Location"], made["ETag"]
    assert client.get(place)["ETag"] == tag
    more = changed(client, place, {"attempts": 3}, tag)
    assert (more.json()["attempts"], more.json()["reason"]) == (3, "ill")
    assert changed(client, place, {"attempts": 4}, tag).status_code == 412
    assert client.delete(place, headers={"If-Match": tag}).status_code == 412
    assert client.delete(place, headers={"If-Match": more["ETag"]}).status_code == 204
    assert list(Extension.objects.values_list("group", flat=True)) == [group.pk]


@pytest.mark.parametrize(
    "said",
    [
        {"reason": "x", "attempts": 1}, {"learner": "bob", "group": 1, "reason": "x"},
        {"learner": "bob", "attempts": 1},
        {"learner": "charlie", "attempts": 1, "reason": "x"}, {"learner": "alice", "attempts": 1, "reason": "x"},
        {"group": 99, "attempts": 1, "reason": "x"},
        {"learner": "bob", "reason": "x"}, {"learner": "bob", "attempts": 11, "reason": "x"},
        {"learner": "bob", "due_at": "2025-12-01", "reason": "x"}, {"learner": "ext:", "reason": "x", "attempts": 1},
    ],
)  # fmt: skip
def test_an_extension_that_cannot_be_given_is_refused_by_field(
    quiz: ProblemSet, alice: User, charlie: User, client_of: Client, said: dict[str, Any]
) -> None:
    answer = client_of(alice).post(f"{SETS}/{quiz.public_id}/extensions", said, format="json")
    assert answer.status_code == 400, answer.json()
    assert answer.json()["errors"]
    assert not Extension.objects.exists()


def test_an_item_is_changed_taken_out_and_put_back(quiz: ProblemSet, alice: User, client_of: Client) -> None:
    client = client_of(alice)
    pool = client.post(f"{SETS}/{quiz.public_id}/pools", {"name": "Pool", "weight": "2.5"}, format="json")
    assert (pool.status_code, pool.json()["weight"]) == (201, "2.5")
    address = f"{SETS}/{quiz.public_id}/items/{quiz.items.get().pk}"
    tag = client.get(address)["ETag"]
    said = {"weight": "0.7", "variants": 2, "asked": ["p", "loss"], "version": 1, "pool": pool.json()["id"]}
    first = changed(client, address, said, tag)
    assert first.status_code == 200, first.json()
    assert {name: first.json()[name] for name in said} == said
    assert changed(client, address, {"weight": "1"}, tag).status_code == 412
    assert changed(client, address, {"weight": "1"}, first["ETag"]).json()["asked"] == ["p", "loss"]
    free = changed(client, address, {"version": None, "pool": None, "asked": None}).json()
    assert (free["version"], free["pool"], free["asked"], free["variants"]) == (None, None, None, 2)
    assert client.delete(address, headers={"If-Match": "*"}).status_code == 204
    assert client.get(address).json()["is_retired"] is True
    assert client.post(f"{address}/put-back").json()["is_retired"] is False


def test_what_is_adapted_is_checked_before_learners_get_it(quiz: ProblemSet, alice: User, client_of: Client) -> None:
    client = client_of(alice)
    address = f"{SETS}/{quiz.public_id}/items/{quiz.items.get().pk}"
    said = {"adaptation": {"parameters": {"z": {"range": [0, 2]}}}}
    waits = changed(client, address, said)
    assert (waits.status_code, list(waits.json()["errors"])) == (400, ["checking"])
    assert check_version(ProblemVersion.objects.get(adapted_from__isnull=False).pk)
    kept = changed(client, address, said).json()
    assert (kept["adaptation"], kept["version"], kept["is_checking"]) == (said["adaptation"], 1, False)


@pytest.mark.parametrize(
    "said",
    [
        {"weight": "-1"}, {"weight": "x"}, {"variants": 0}, {"asked": ["nothing"]}, {"asked": ["powers"]},
        {"version": 9}, {"version": 2**40}, {"pool": 9}, {"adaptation": {"x": 1}}, {"adaptation": {"parameters": []}},
        *({"adaptation": {"parameters": {"z": {"range": ends}}}} for ends in ([0, 99], [0], "ab", {}, [None, "x"])),
        {"adaptation": {"parameters": {"z": {"range": [[], 1]}}}},
        *({"adaptation": {"parameters": {"z": wrong}}} for wrong in (1, [], "x", {"pick": 1}, {"size": -1})),
        *({"adaptation": {"parameters": {"words": {"choose": wrong}}}} for wrong in (0, 2**80, "x", [], 1.5, True)),
        *({"adaptation": {"parameters": {"words": {"from": wrong}}}} for wrong in (7, ["x"], [[]], [{}], {"a": 1})),
        *({"adaptation": {"digits": wrong}} for wrong in (0, 99, "x", 2.5, True, [3])),
    ],
    ids=str,
)  # fmt: skip
def test_an_item_that_cannot_be_kept_is_refused_by_field(
    quiz: ProblemSet, alice: User, client_of: Client, said: dict[str, Any]
) -> None:
    answer = changed(client_of(alice), f"{SETS}/{quiz.public_id}/items/{quiz.items.get().pk}", said)
    assert answer.status_code == 400, answer.json()
    assert answer.json()["errors"]


def test_a_number_that_no_computer_has_is_refused(quiz: ProblemSet, alice: User, client_of: Client) -> None:
    address = f"{SETS}/{quiz.public_id}/items/{quiz.items.get().pk}"
    for body in ('{"z": {"range": [0, 1e999]}}', '{"z": {"range": [-1e999, 1]}}', '{"z": {"step": 1e999}}'):
        said = f'{{"adaptation": {{"parameters": {body}}}}}'
        answer = client_of(alice).patch(address, said, content_type="application/json", headers={"If-Match": "*"})
        assert answer.status_code == 400, body


def test_only_what_may_be_used_is_put_in(
    quiz: ProblemSet, alice: User, everybody: dict[str, User], client_of: Client
) -> None:
    hers = with_version(everybody["other-instructor"], "Hers")
    client = client_of(alice)
    for slugs in ([hers.slug], ["masked", "nothing"], [], ["\x00"], ["x" * 300]):
        answer = client.post(f"{SETS}/{quiz.public_id}/items", {"problems": slugs}, format="json")
        assert answer.status_code == 400, slugs
    assert client.post(f"{SETS}/{quiz.public_id}/items", {"problems": ["ext:x"]}, format="json").status_code == 404
    assert quiz.items.count() == 1


def test_pools_are_changed_as_read_and_dropped(quiz: ProblemSet, alice: User, client_of: Client) -> None:
    client = client_of(alice)
    made = client.post(f"{SETS}/{quiz.public_id}/pools", {"name": "Pool"}, format="json")
    address = made["Location"]
    twice = client.post(f"{SETS}/{quiz.public_id}/pools", {"name": "Pool"}, format="json")
    assert (twice.status_code, list(twice.json()["errors"])) == (400, ["name"])
    more = changed(client, address, {"choose": 2}, made["ETag"])
    assert (more.json()["choose"], more.json()["name"]) == (2, "Pool")
    assert changed(client, address, {"choose": 3}, made["ETag"]).status_code == 412
    assert client.delete(address, headers={"If-Match": made["ETag"]}).status_code == 412
    assert client.delete(address, headers={"If-Match": more["ETag"]}).status_code == 204
    assert client.get(address).status_code == 404


def test_parts_of_another_set_are_not_there(course: Course, quiz: ProblemSet, alice: User, client_of: Client) -> None:
    client = client_of(alice)
    other = problem_set(course, ProblemSet.Mode.QUIZ)
    pool = quiz.pools.create(name="Pool")
    extension = Extension.objects.create(problem_set=quiz, learner=alice, attempts=1, reason="x")
    for part in (f"items/{quiz.items.get().pk}", f"pools/{pool.pk}", f"extensions/{extension.pk}"):
        assert client.get(f"{SETS}/{quiz.public_id}/{part}").status_code == 200
        assert client.get(f"{SETS}/{other.public_id}/{part}").status_code == 404
        assert client.get(f"{SETS}/{other.public_id}/{part.rpartition('/')[0]}/{10**30}").status_code == 404


@pytest.mark.parametrize("part", ["items", "extensions"])
def test_the_parts_of_a_set_take_as_many_queries_however_many(
    course: Course, quiz: ProblemSet, alice: User, client_of: Client, part: str
) -> None:
    client, counts = client_of(alice), []
    for rows in (1, 29):
        for _ in range(rows):
            learner = User.objects.create_user(f"n{User.objects.count()}")
            Extension.objects.create(problem_set=quiz, learner=learner, attempts=1, reason="x", given_by=alice)
            quiz.items.create(problem=Problem.objects.get(), position=9)
        client.get(f"{SETS}/{quiz.public_id}/{part}?limit=100")
        with CaptureQueriesContext(connection) as queries:
            assert len(client.get(f"{SETS}/{quiz.public_id}/{part}?limit=100").json()["results"]) >= rows
        counts.append(len(queries))
    assert counts == [3, 3]
