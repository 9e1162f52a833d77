"""Lists of problems: whose they are, one row a problem whatever is wrong with another, and few queries."""

import pytest
from django.db import connection
from django.http import Http404
from django.test.utils import CaptureQueriesContext

from exercises.actions import sync_catalogue
from exercises.actions.authoring import retire_problem, save_draft, set_shared
from exercises.actions.draw import fresh_variant
from exercises.models import Problem, ProblemDraft, User
from exercises.queries.authoring import own_problems, shared_problems, version_of, versions_of
from tests.exercises.authoring.world import BROKEN, SMALL, current_of, published, written

pytestmark = pytest.mark.usefixtures("quick_gate")


def _dora() -> User:
    return User.objects.create_user("dora", password="teaches as well", is_instructor=True)


def _many(author: User, count: int) -> None:
    for k in range(count):
        problem = Problem.objects.create(slug=f"p{k}", title=f"Problem {k:03}", owner=author, skills=["neg-log"])
        version = problem.versions.create(number=1, source=SMALL, digest=f"{k:064}")
        ProblemDraft.objects.create(problem=problem, source=BROKEN, revision=1)
        Problem.objects.filter(pk=problem.pk).update(current=version)


def test_a_row_tells_how_a_problem_stands(alice: User) -> None:
    rows = {
        "draft": written(alice, title="Draft"),
        "published": published(alice, title="Published"),
        "changed": published(alice, SMALL + "# other\n", title="Changed"),
    }
    save_draft(author=alice, problem=rows["changed"], source=BROKEN, revision=0)
    found = {row.problem.slug: row for row in own_problems(alice).rows}
    assert {row.state for row in found.values()} == set(rows)
    assert (found["draft"].version, found["draft"].has_draft, found["draft"].check) == (None, True, "none")
    assert (found["published"].version, found["published"].has_draft) == (1, False)
    assert (found["changed"].version, found["changed"].check, found["changed"].fault) == (1, "none", "")


def test_one_corrupt_problem_among_many_hides_no_other(alice: User) -> None:
    _many(alice, 200)
    bad = Problem.objects.get(slug="p17")
    bad.versions.update(source="{{{ no problem at all")
    Problem.objects.filter(slug="p18").update(skills={"not": "a list"})
    pages = [own_problems(alice, page=page) for page in range(1, own_problems(alice).pages + 1)]
    rows = [row for page in pages for row in page.rows]
    assert (len(rows), pages[0].total) == (200, 200)
    assert [row.problem.slug for row in rows if row.fault] == ["p17"]
    assert "can no longer be read" in next(row.fault for row in rows if row.fault)


def test_lists_take_as_many_queries_for_one_row_as_for_thirty(alice: User) -> None:
    dora = _dora()
    counts = []
    for count in (1, 30):
        Problem.objects.update(current=None)
        ProblemDraft.objects.all().delete()
        for problem in Problem.objects.all():
            problem.versions.all().delete()
        Problem.objects.all().delete()
        _many(alice, count)
        Problem.objects.update(is_shared=True)
        with CaptureQueriesContext(connection) as queries:
            assert len(own_problems(alice).rows) == count
            assert len(shared_problems(dora).rows) == count
        counts.append(len(queries))
    assert counts == [4, 4]


def test_what_others_share_is_there_to_fork_and_nothing_else_of_theirs(alice: User) -> None:
    dora = _dora()
    sync_catalogue(["neg-log"])
    shared = published(alice, title="For others")
    set_shared(author=alice, problem=shared, shared=True)
    published(alice, SMALL + "# own\n", title="Own")
    written(alice, title="Draft")
    assert {row.problem.slug for row in shared_problems(dora).rows} == {"neg-log", "for-others"}
    assert {row.problem.slug for row in shared_problems(alice).rows} == {"neg-log"}
    retire_problem(author=alice, problem=shared)
    assert {row.problem.slug for row in shared_problems(dora).rows} == {"neg-log"}
    assert [row.problem.slug for row in own_problems(alice, retired=True).rows] == ["for-others"]


@pytest.mark.parametrize(("text", "found"), [("SEVENTH", 1), ("neg-log", 1), ("by seven", 1), ("%", 0), ("\x00", 1)])
def test_problems_are_found_by_title_summary_and_skill(alice: User, text: str, found: int) -> None:
    published(alice)
    written(alice, title="Another")
    assert own_problems(alice, text=text).total >= found
    if text != "\x00":
        assert own_problems(alice, text=text).total == found


def test_a_page_that_is_not_there_is_the_nearest_one(alice: User) -> None:
    _many(alice, 31)
    assert (own_problems(alice, page=99).page, len(own_problems(alice, page=99).rows)) == (2, 1)
    assert own_problems(alice, page=-3).page == 1


def test_versions_are_listed_with_what_was_drawn_from_them(alice: User, bob: User) -> None:
    problem = published(alice)
    fresh_variant(learner=bob, version=current_of(problem)).save()
    problem.versions.create(number=2, source="adapted", digest="2" * 64, adapted_from=current_of(problem))
    with CaptureQueriesContext(connection) as queries:
        page = versions_of(problem)
    assert len(queries) == 2
    assert [(row.number, row.variants, row.is_current, row.author_name) for row in page.rows] == [(1, 1, True, "alice")]
    assert version_of(problem, 1, is_own=False).source == SMALL
    # What was made for an item of somebody's set is shown to the owner of the problem alone.
    assert version_of(problem, 2, is_own=True).source == "adapted"
    for number, is_own in ((2, False), (9, True)):
        with pytest.raises(Http404):
            version_of(problem, number, is_own=is_own)
