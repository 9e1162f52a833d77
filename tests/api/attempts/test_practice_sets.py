"""An attempt at a set for practice, in which there are as many variants and answers as one likes."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from django.db.models import Model
from django.db.models.signals import post_init
from rest_framework.test import APIClient

from exercises.models import Course, Grading, ProblemSet, Submission, Variant
from tests.api.sat import API, begun, check, item
from tests.exercises.courses.world import problem_set
from tests.exercises.sitting.world import graded, synced
from tests.exercises.world import ALL_RIGHT

pytestmark = pytest.mark.usefixtures("servers")
MANY = 40


@pytest.fixture
def practice(course: Course) -> ProblemSet:
    return problem_set(course, "practice", *synced())


@pytest.fixture
def made() -> Iterator[Counter[type[Model]]]:
    """How many rows of which tables were read."""
    counted: Counter[type[Model]] = Counter()

    def count(sender: type[Model], **_: Any) -> None:
        counted[sender] += 1

    post_init.connect(count, weak=False)
    yield counted
    post_init.disconnect(count)


def practised(api: APIClient, address: str) -> dict[str, Any]:
    """What the item says after one answer, all right, to the variant that is open."""
    variant = api.get(address).json()["variant"]
    sent = api.post(f"{API}/variants/{variant}/answers", {"answers": ALL_RIGHT}, format="json")
    assert sent.status_code == 202, sent.json()
    graded()
    told: dict[str, Any] = api.get(address).json()
    return told


def before(variant: Variant, count: int) -> None:
    """So many variants with an answer each in the time before this one."""
    variant.number += count
    variant.save()
    names = [field.name for field in Variant._meta.fields if field.name not in ("id", "public_id", "number")]
    same = {name: getattr(variant, name) for name in names}
    older = Variant.objects.bulk_create(Variant(**same, number=number) for number in range(1, count + 1))
    Submission.objects.bulk_create(
        Submission(
            variant=one, author=variant.learner, answers={"p": "1"}, idempotency_key=f"{one.number}",
            state=Submission.State.GRADED,
        )
        for one in older
    )  # fmt: skip
    place = variant.attempt_item
    assert place is not None
    place.tries += count
    place.save()


def test_what_an_attempt_and_an_item_read_does_not_grow_with_what_was_practised(
    practice: ProblemSet, api: APIClient, made: Counter[type[Model]]
) -> None:
    told = begun(api, practice)
    first = practised(api, item(told))
    assert (first["state"], first["tries"], first["score"], len(first["variants"])) == ("right", 1, "1", 1)
    before(Variant.objects.get(public_id=first["variant"]), MANY)
    read = []
    for address in (item(told), f"{API}/attempts/{told['id']}"):
        made.clear()
        assert api.get(address).status_code == 200
        read.append(max(made[table] for table in (Variant, Submission, Grading)))
    assert max(read) <= MANY / 2 + 3
    now = api.get(item(told)).json()
    assert (now["state"], now["tries"], now["score"], len(now["variants"])) == ("right", MANY + 1, "1", MANY / 2)
    assert now["variants"][-1] == now["variant"] == first["variant"]


def test_another_variant_comes_as_soon_as_this_one_was_begun_however_many_there_were(
    practice: ProblemSet, api: APIClient, made: Counter[type[Model]]
) -> None:
    address = item(begun(api, practice))
    there = api.get(address).json()["variant"]
    assert api.post(f"{address}/variants", {"after": there}, format="json").json()["variant"] == there
    before(Variant.objects.get(public_id=practised(api, address)["variant"]), MANY)
    made.clear()
    drawn = api.post(f"{address}/variants", {"after": there}, format="json").json()
    assert (drawn["variant"] != there, drawn["state"], drawn["tries"]) == (True, "right", MANY + 1)
    assert made[Submission] <= MANY / 2 + 3


def test_nothing_in_it_is_a_try_of_a_quiz(practice: ProblemSet, api: APIClient) -> None:
    assert check(api, item(begun(api, practice)), ALL_RIGHT).json()["code"] == "not-in-this-set"
