"""New problems and forks: whose they are, where they stand, and under which licence."""

import pytest

from exercises import catalogue
from exercises.access import usable_problem
from exercises.actions import sync_catalogue
from exercises.actions.authoring import (
    AuthoringRefused,
    bring_back,
    fork_problem,
    new_problem,
    retire_problem,
    set_licence,
    set_shared,
)
from exercises.models import Problem, User
from grader.problem import load
from grader.report import full_report
from tests.exercises.authoring.world import SMALL, current_of, published, written

pytestmark = pytest.mark.usefixtures("quick_gate")


def _other(name: str = "dora") -> User:
    return User.objects.create_user(name, password="teaches as well", is_instructor=True)


def test_a_new_problem_has_a_draft_that_passes_as_it_is(alice: User) -> None:
    problem = new_problem(author=alice, title="Loss: the first #1")
    assert (problem.slug, problem.owner, problem.current, problem.is_shared) == ("loss-the-first-1", alice, None, False)
    assert problem.draft.revision == 1
    first = load(problem.draft.source)
    assert first.title == "Loss: the first #1"
    assert full_report(first, range(200))["failures"] == []


def test_two_of_one_title_have_two_addresses(alice: User) -> None:
    slugs = [new_problem(author=alice, title="The same").slug for _ in range(3)]
    assert slugs == ["the-same", "the-same-2", "the-same-3"]


@pytest.mark.parametrize("title", ["new", "Masked token loss", "日本語", "!!!"])
def test_an_address_is_nobody_elses(alice: User, title: str) -> None:
    slug = new_problem(author=alice, title=title).slug
    assert slug not in {"new", *catalogue.slugs()}
    assert slug.isascii()


@pytest.mark.parametrize(
    ("fields", "at"),
    [
        ({"title": ""}, "title"),
        ({"title": "x" * 201}, "title"),
        ({"title": "a\x00b"}, "title"),
        ({"title": "T", "slug": "../../x"}, "slug"),
        ({"title": "T", "slug": "--"}, "slug"),
        ({"title": "T", "slug": "x" * 81}, "slug"),
        ({"title": "T", "slug": "new"}, "slug"),
        ({"title": "T", "slug": "masked-token-loss"}, "slug"),
        ({"title": "T", "licence": "x" * 81}, "licence"),
    ],
)
def test_what_cannot_be_kept_is_told_at_its_field(alice: User, fields: dict[str, str], at: str) -> None:
    with pytest.raises(AuthoringRefused) as refused:
        new_problem(author=alice, **fields)
    assert list(refused.value.faults) == [at]
    assert not Problem.objects.exists()


def test_learners_write_no_problems(bob: User) -> None:
    with pytest.raises(AuthoringRefused, match="Only teachers"):
        new_problem(author=bob, title="Mine")


def test_a_fork_begins_with_the_very_text_and_remembers_whose_it_was(alice: User) -> None:
    sync_catalogue(["masked-token-loss"])
    original = Problem.objects.get(slug="masked-token-loss")
    fork = fork_problem(author=alice, problem=original)
    assert fork.draft.source == catalogue.source("masked-token-loss")
    assert (fork.forked_from, fork.draft.based_on) == (original.current, original.current)
    assert (fork.owner, fork.current, fork.built_in) == (alice, None, False)
    renamed = fork_problem(author=alice, problem=original, title="Mine: own words")
    old, new = fork.draft.source.splitlines(), renamed.draft.source.splitlines()
    assert [b for a, b in zip(old, new, strict=True) if a != b] == ['title: "Mine: own words"']


def test_the_licence_of_the_original_stays_with_every_fork(alice: User) -> None:
    original = published(alice)
    set_licence(author=alice, problem=original, licence="CC BY-SA 4.0")
    set_shared(author=alice, problem=original, shared=True)
    dora = _other()
    shared = usable_problem(dora, original.slug)
    fork = fork_problem(author=dora, problem=shared)
    assert fork.licence == "CC BY-SA 4.0"
    with pytest.raises(AuthoringRefused, match="every fork"):
        fork_problem(author=dora, problem=shared, licence="All rights reserved")
    with pytest.raises(AuthoringRefused, match="every fork"):
        set_licence(author=dora, problem=fork, licence="")
    fork.refresh_from_db()
    assert fork.licence == "CC BY-SA 4.0"


def test_a_fork_of_something_without_a_licence_may_be_given_one(alice: User) -> None:
    original = published(alice)
    fork = fork_problem(author=alice, problem=original, title="Another", licence="CC BY 4.0")
    assert fork.licence == "CC BY 4.0"


def test_a_text_that_can_no_longer_be_read_is_forked_to_be_mended(alice: User) -> None:
    original = published(alice)
    original.versions.update(source=SMALL.replace("is: x / 7", "is: gone(x)"))
    fork = fork_problem(author=alice, problem=usable_problem(alice, original.slug), title="Mended")
    assert fork.draft.source == current_of(original).source


def test_what_was_never_published_is_not_forked(alice: User) -> None:
    with pytest.raises(AuthoringRefused, match="no version"):
        fork_problem(author=alice, problem=written(alice))


def test_only_its_author_shares_or_puts_away_a_problem(alice: User) -> None:
    problem = published(alice)
    dora = _other()
    for act in (retire_problem, bring_back):
        with pytest.raises(AuthoringRefused, match="Only its author"):
            act(author=dora, problem=problem)
    with pytest.raises(AuthoringRefused, match="Only its author"):
        set_shared(author=dora, problem=problem, shared=True)
    with pytest.raises(AuthoringRefused, match="Only its author"):
        set_licence(author=dora, problem=problem, licence="CC0")
    problem.refresh_from_db()
    assert (problem.retired, problem.is_shared, problem.licence) == (False, False, "")


def test_a_problem_put_away_can_be_brought_back(alice: User) -> None:
    problem = published(alice)
    assert retire_problem(author=alice, problem=problem).retired
    assert not bring_back(author=alice, problem=problem).retired
