"""A draft is never overwritten by a page that shows an older one, and comes back as it was saved."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from exercises import catalogue
from exercises.actions import sync_catalogue
from exercises.actions.authoring import AuthoringRefused, StaleDraft, discard_draft, fork_problem, save_draft
from exercises.models import Problem, ProblemDraft, User
from exercises.queries.authoring import editor_of
from tests.exercises.authoring.world import BROKEN, SMALL, published, written

pytestmark = pytest.mark.usefixtures("quick_gate")


def _draft(problem: Problem) -> ProblemDraft:
    return ProblemDraft.objects.get(problem=problem)


@pytest.mark.parametrize("slug", catalogue.slugs())
def test_opened_in_the_editor_and_saved_a_text_is_the_same_byte_for_byte(alice: User, slug: str) -> None:
    sync_catalogue([slug])
    fork = fork_problem(author=alice, problem=Problem.objects.select_related("current").get(slug=slug))
    editor = editor_of(fork)
    # A text area ends lines its own way.
    save_draft(author=alice, problem=fork, source=editor.source.replace("\n", "\r\n"), revision=editor.revision)
    assert _draft(fork).source == catalogue.source(slug)
    assert _draft(fork).revision == 1


def test_any_text_is_kept_also_one_that_cannot_be_read(alice: User) -> None:
    problem = written(alice, BROKEN)
    saved = save_draft(author=alice, problem=problem, source="what: [is this", revision=2)
    assert (saved.revision, _draft(problem).source) == (3, "what: [is this")
    assert save_draft(author=alice, problem=problem, source="", revision=3).source == ""


def test_a_stale_page_overwrites_nothing_and_is_given_the_other_text(alice: User) -> None:
    problem = written(alice)
    save_draft(author=alice, problem=problem, source="the newer one", revision=2)
    with pytest.raises(StaleDraft) as refused:
        save_draft(author=alice, problem=problem, source="the older one", revision=2)
    assert (refused.value.source, refused.value.revision) == ("the newer one", 3)
    assert refused.value.edited_by == "alice"
    assert _draft(problem).source == "the newer one"


def test_a_second_click_of_save_is_no_stale_page(alice: User) -> None:
    problem = written(alice)
    first = save_draft(author=alice, problem=problem, source="text\r\n", revision=2)
    second = save_draft(author=alice, problem=problem, source="text\r\n", revision=2)
    assert first.revision == second.revision == _draft(problem).revision == 3


def test_what_is_published_already_begins_no_draft(alice: User) -> None:
    problem = published(alice)
    save_draft(author=alice, problem=problem, source=SMALL, revision=0)
    assert not ProblemDraft.objects.exists()
    begun = save_draft(author=alice, problem=problem, source=SMALL + "# more\n", revision=0)
    assert (begun.revision, begun.based_on) == (1, problem.current)


def test_a_page_opened_before_the_draft_began_or_after_it_went_is_stale(alice: User) -> None:
    problem = published(alice)
    save_draft(author=alice, problem=problem, source="mine", revision=0)
    with pytest.raises(StaleDraft):
        save_draft(author=alice, problem=problem, source="other", revision=0)
    discard_draft(author=alice, problem=problem, revision=1)
    with pytest.raises(StaleDraft) as refused:
        save_draft(author=alice, problem=problem, source="late", revision=1)
    assert (refused.value.source, refused.value.revision) == (SMALL, 0)


def test_a_discarded_draft_leaves_what_is_published(alice: User) -> None:
    problem = published(alice)
    save_draft(author=alice, problem=problem, source="mine", revision=0)
    with pytest.raises(StaleDraft):
        discard_draft(author=alice, problem=problem, revision=7)
    assert not discard_draft(author=alice, problem=problem, revision=1)
    assert editor_of(problem).source == SMALL


def test_a_problem_that_never_was_goes_with_its_draft(alice: User) -> None:
    problem = written(alice)
    assert discard_draft(author=alice, problem=problem, revision=2)
    assert not Problem.objects.exists()


@pytest.mark.parametrize(
    ("text", "says"),
    [("a\nb\x00", "Line 2"), ("a\ud800", "Line 1"), ("x" * 64_001, "64.1 kB"), ("ä" * 32_001, "64.1 kB")],
)
def test_a_text_that_cannot_be_kept_is_refused_and_the_draft_stays(alice: User, text: str, says: str) -> None:
    problem = written(alice)
    with pytest.raises(AuthoringRefused, match=says):
        save_draft(author=alice, problem=problem, source=text, revision=2)
    assert _draft(problem).source == SMALL


def test_only_its_author_writes_a_draft(alice: User, charlie: User) -> None:
    problem = written(alice)
    for act in (
        lambda: save_draft(author=charlie, problem=problem, source="mine", revision=2),
        lambda: discard_draft(author=charlie, problem=problem, revision=2),
    ):
        with pytest.raises(AuthoringRefused, match="Only its author"):
            act()
    assert _draft(problem).source == SMALL


def test_the_editor_says_when_another_version_was_published_meanwhile(alice: User) -> None:
    problem = published(alice)
    save_draft(author=alice, problem=problem, source=SMALL + "# more\n", revision=0)
    assert not editor_of(problem).is_behind
    other = problem.versions.create(number=2, source=SMALL + "# other\n", digest="2" * 64)
    Problem.objects.filter(pk=problem.pk).update(current=other)
    assert editor_of(Problem.objects.select_related("current").get(pk=problem.pk)).is_behind


def test_the_editor_takes_one_query(alice: User) -> None:
    problem = Problem.objects.select_related("current").get(pk=published(alice).pk)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        editor_of(problem)
    assert len(queries) == 1
