"""A literal number of queries a page, the same for one row and for thirty."""

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from exercises.models import Problem, ProblemVersion, User, WithdrawnVariant
from tests.frontend.authoring.world import address, draft, text_of, with_version

pytestmark = pytest.mark.usefixtures("servers")
#: Session and user come with every page.
SIGNED_IN = 2


def many(author: User, rows: int) -> None:
    """So many more problems, published and as drafts, without the check that each would take."""
    version = with_version(author, "Loss of one word").current
    assert version is not None
    for number in range(rows):
        problem = draft(author, f"Loss number {number}")
        if number % 2 == 0:
            made = ProblemVersion.objects.create(
                problem=problem, number=1, source=version.source, digest=f"{number:064}"
            )
            Problem.objects.filter(pk=problem.pk).update(current=made, is_shared=True)


@pytest.mark.parametrize("rows", [1, 29])
@pytest.mark.parametrize(("page", "queries"), [("/author/", 2), ("/author/?show=others", 2), ("/author/?text=loss", 2)])
def test_lists(
    page: str,
    queries: int,
    rows: int,
    alice: User,
    as_erin: Client,
    as_alice: Client,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    many(alice, rows)
    client = as_erin if "others" in page else as_alice
    client.get(page)
    with django_assert_num_queries(SIGNED_IN + queries):
        assert "Loss number" in client.get(page).content.decode()


@pytest.mark.parametrize(
    ("name", "queries"),
    [
        ("author-problem", 2),
        ("author-preview", 2),
        ("author-guided", 2),
        ("author-publish", 4),
        ("author-versions", 3),
        ("author-withdraw", 2),
        ("author-sharing", 2),
    ],
)
def test_pages_about_one(
    name: str, queries: int, alice: User, as_alice: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    problem = with_version(alice)
    for number in range(20):
        ProblemVersion.objects.create(
            problem=problem, number=number + 2, source=text_of(problem), digest=f"{number:064}", author=alice
        )
        WithdrawnVariant.objects.create(problem=problem, digest=f"{number:064}", seed=number, parameters={}, reason="x")
    as_alice.get(address(name, problem))
    with django_assert_max_num_queries(SIGNED_IN + queries):
        assert as_alice.get(address(name, problem)).status_code == 200
