"""Our own file: out, in by somebody else, and out again as the same bytes."""

from decimal import Decimal
from fractions import Fraction

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from exercises import catalogue
from exercises.actions.authoring import checks, fork_problem, publish_draft, set_licence, set_shared
from exercises.actions.catalogue import sync_catalogue
from exercises.actions.exchange import ExchangeRefused, export_problems, export_set, import_file
from exercises.actions.exchange.importing import NO_COURSE
from exercises.actions.sets import items, pools
from exercises.actions.sets.items import ItemDetails
from exercises.models import AuditEntry, Course, Problem, ProblemSet, ProblemVersion, SetItem, User
from exercises.set_rows import details_of, state_of
from tests.exercises.authoring.world import SMALL, published, written
from tests.exercises.exchange.opened import files_of
from tests.exercises.sets.world import details, made

pytestmark = pytest.mark.usefixtures("quick_gate", "published")


@pytest.fixture
def erin(elsewhere: Course) -> User:
    """Teaches elsewhere: nothing of Alice's is hers."""
    return User.objects.get(username="erin")


def again(problem: Problem) -> Problem:
    return Problem.objects.select_related("current").get(pk=problem.pk)


@pytest.mark.django_db
def test_all_built_in_problems_leave_and_come_back_without_a_copy(alice: User) -> None:
    sync_catalogue()
    problems = list(Problem.objects.listed().select_related("current"))
    package = export_problems(actor=alice, problems=problems, form="own")
    files = files_of(package)
    sources = {name: data.decode() for name, data in files.items() if name.startswith("problems/")}
    assert sorted(sources.values()) == sorted(catalogue.source(slug) for slug in catalogue.slugs())
    found = import_file(author=alice, content=package.content, is_preview=False)
    assert found.problems == []
    assert {entry.done for entry in found.report.entries} == {"It is here already, built in: nothing is copied."}
    assert export_problems(actor=alice, problems=problems[::-1], form="own").content == package.content


def test_a_colleague_takes_problems_over_and_exports_the_same_bytes(alice: User, erin: User) -> None:
    first = written(alice, SMALL + "# ünïcode, no end of line", "One")
    second = published(alice, SMALL.replace("/ 7", "/ 9").replace("/ 8", "/ 5"), "Two")
    set_licence(author=alice, problem=second, licence="CC BY 4.0")
    package = export_problems(actor=alice, problems=[again(first), again(second)], form="own")
    preview = import_file(author=erin, content=package.content)
    assert preview.is_sound
    assert not Problem.objects.filter(owner=erin).exists()  # a dry run keeps nothing
    imported = import_file(author=erin, content=package.content, is_preview=False)
    assert [problem.owner for problem in imported.problems] == [erin, erin]
    assert [problem.draft.source for problem in imported.problems] != ["", ""]
    assert {problem.licence for problem in imported.problems} == {"", "CC BY 4.0"}
    assert not any(problem.current for problem in imported.problems)  # only a check makes a version
    assert export_problems(actor=erin, problems=imported.problems, form="own").content == package.content
    twice = import_file(author=erin, content=package.content, is_preview=False)
    assert twice.problems == []
    assert Problem.objects.filter(owner=erin).count() == 2


def test_ancestry_comes_along_with_the_text_and_licence_that_it_began_with(alice: User, erin: User) -> None:
    original = published(alice, title="Original")
    set_licence(author=alice, problem=original, licence="CC BY-SA 4.0")
    fork = fork_problem(author=alice, problem=again(original), title="Fork of it")
    package = export_problems(actor=alice, problems=[fork], form="own")
    imported = import_file(author=erin, content=package.content, is_preview=False).problems[0]
    assert imported.forked_from is not None
    origin = imported.forked_from.problem
    assert (imported.forked_from.source, origin.licence, origin.owner) == (SMALL, "CC BY-SA 4.0", erin)
    assert origin.retired  # nobody draws from what was not checked here
    assert origin.current is None
    assert export_problems(actor=erin, problems=[imported], form="own").content == package.content


def test_an_original_that_its_author_keeps_to_herself_does_not_leave_by_a_fork_of_a_fork(
    alice: User, erin: User
) -> None:
    private = published(alice, SMALL.replace("Divide by seven.", "SECRET"), "Private")
    shared = fork_problem(author=alice, problem=again(private), title="Shared")
    shared = published_as(alice, shared)
    set_shared(author=alice, problem=shared, shared=True)
    fork = fork_problem(author=erin, problem=again(shared), title="Erin's")
    files = files_of(export_problems(actor=erin, problems=[fork], form="own"))
    assert sum(name.startswith("origins/") for name in files) == 1
    assert not any("Private" in data.decode() for data in files.values())


def published_as(author: User, problem: Problem) -> Problem:
    publish_draft(author=author, problem=problem, summary="", revision=1)
    return again(problem)


@pytest.fixture
def full(alice: User, course: Course, problems: list[Problem]) -> ProblemSet:
    """A quiz with everything: a pool, an item that is pinned and asks one step, one that is adapted, an own problem."""
    own = published(alice, title="Own")
    kept = made(alice, course, late=(Fraction(1), Fraction(1, 2)), pass_mark=Fraction(7, 10), hints=True)
    there = items.add_items(actor=alice, problem_set=kept, problems=[*problems, own])
    pool = pools.keep_pool(actor=alice, problem_set=kept, name="Two of them", choose=1, weight=Decimal("1.5"))
    changed = {
        0: ItemDetails(asked=["p", "loss"], base=problems[0].current, pool=pool),
        1: ItemDetails(adaptation={"parameters": {"rate": {"pick": [0.1, 0.2]}}}, base=problems[1].current, pool=pool),
        2: ItemDetails(weight=Decimal("0.7"), variants=2),
    }
    for place, said in changed.items():
        row = SetItem.objects.select_related("pool", "problem").get(pk=there[place].pk)
        items.change_item(actor=alice, item=row, seen=state_of(row), details=said)
    return kept


def test_a_set_comes_into_another_course_with_its_rules_pools_and_items_and_leaves_as_the_same_bytes(
    alice: User, erin: User, elsewhere: Course, full: ProblemSet
) -> None:
    package = export_set(actor=alice, problem_set=full, form="own")
    imported = import_file(author=erin, content=package.content, into=elsewhere, is_preview=False)
    there = imported.sets[0]
    assert (there.course, there.published_at) == (elsewhere, None)
    assert details_of(there) == details_of(full)
    assert [problem.title for problem in imported.problems] == ["A seventh"]
    rows = list(there.items.select_related("problem", "version", "pool").order_by("position"))
    assert [row.problem.slug for row in rows[:3]] == ["masked-token-loss", "mask-counts", "neg-log"]
    assert [row.pool.name if row.pool else None for row in rows] == ["Two of them", "Two of them", None, None]
    assert rows[1].version is not None
    assert rows[1].version.adapted_from == rows[1].problem.current
    assert export_set(actor=erin, problem_set=there, form="own").content == package.content
    deeds = list(AuditEntry.objects.filter(course=elsewhere).values_list("deed", flat=True))
    assert {"import-set", "export-set"} <= set(deeds)


def test_looking_at_a_file_first_asks_for_no_check_and_taking_it_over_for_one(
    alice: User, erin: User, elsewhere: Course, full: ProblemSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = export_set(actor=alice, problem_set=full, form="own")
    # As where nobody has adapted it like this before.
    ProblemVersion.objects.filter(adapted_from__isnull=False).update(digest="another")
    monkeypatch.setattr(checks, "MOST_CHECKS", 1)
    for is_preview in (True, True, False):
        assert import_file(author=erin, content=package.content, into=elsewhere, is_preview=is_preview).is_sound
    with pytest.raises(ExchangeRefused, match="wait a minute"):
        import_file(author=erin, content=package.content, into=elsewhere, is_preview=False)
    assert ProblemSet.objects.filter(course=elsewhere).count() == 1


def test_a_set_without_a_course_for_it_is_left_out_and_its_problems_come(
    alice: User, erin: User, full: ProblemSet
) -> None:
    package = export_set(actor=alice, problem_set=full, form="own")
    done = import_file(author=erin, content=package.content, is_preview=False)
    assert [entry.left for entry in done.report.entries if entry.left] == [NO_COURSE]
    assert done.sets == []
    assert [problem.title for problem in Problem.objects.filter(owner=erin)] == ["A seventh"]


def test_what_a_set_changed_of_a_problem_comes_along_once_that_problem_is_published(
    alice: User, erin: User, course: Course, elsewhere: Course
) -> None:
    theirs = made(alice, course)
    own = published(alice, title="Own")
    row = items.add_items(actor=alice, problem_set=theirs, problems=[own])[0]
    narrowed = ItemDetails(adaptation={"parameters": {"x": {"range": [10, 20]}}}, base=own.current)
    items.change_item(actor=alice, item=row, seen=state_of(SetItem.objects.get(pk=row.pk)), details=narrowed)
    package = export_set(actor=alice, problem_set=theirs, form="own")
    first = import_file(author=erin, content=package.content, into=elsewhere, is_preview=False)
    assert "Publish it" in first.report.entries[-1].lost[0]
    assert first.sets[0].items.get().adaptation == {}
    published_as(erin, first.problems[0])
    second = import_file(author=erin, content=package.content, into=elsewhere, is_preview=False)
    assert (second.problems, second.report.entries[-1].lost) == ([], ())
    kept = second.sets[0].items.get()
    assert kept.version is not None
    assert "[10, 20]" in kept.version.source
    assert export_set(actor=erin, problem_set=second.sets[0], form="own").content == package.content


def test_a_problem_whose_author_does_not_share_it_stays_out_of_the_file_of_a_set(
    alice: User, erin: User, course: Course, elsewhere: Course, full: ProblemSet
) -> None:
    theirs = made(erin, elsewhere)
    items.add_items(actor=erin, problem_set=theirs, problems=[Problem.objects.get(owner=alice)])
    package = export_set(actor=erin, problem_set=theirs, form="own")
    assert [entry.fault for entry in package.report.faults] == ["its author does not share it, so its text stays here."]
    assert not any(name.startswith("problems/") for name in files_of(package))


def test_what_an_archived_course_says_no_to_is_told_and_nothing_is_kept(
    alice: User, course: Course, full: ProblemSet
) -> None:
    package = export_set(actor=alice, problem_set=full, form="own")
    Course.objects.filter(pk=course.pk).update(archived_at=details().opens_at)
    preview = import_file(author=alice, content=package.content, into=course)
    assert ["archived" in entry.fault for entry in preview.report.faults] == [True]


def test_queries_do_not_grow_with_the_problems(alice: User, problems: list[Problem]) -> None:
    def count(many: list[Problem]) -> int:
        with CaptureQueriesContext(connection) as seen:
            export_problems(actor=alice, problems=many, form="own")
            export_problems(actor=alice, problems=many, form="moodle", variants=1)
        return len(seen)

    rows = [again(problem) for problem in problems]
    assert count(rows[:1]) == count(rows)


@pytest.mark.parametrize("form", ["own", "moodle", "canvas", "qti3"])
def test_queries_do_not_grow_with_the_items_of_a_set(
    form: str, alice: User, course: Course, problems: list[Problem]
) -> None:
    def count(number: int) -> int:
        kept = made(alice, course)
        items.add_items(actor=alice, problem_set=kept, problems=problems[:number])
        with CaptureQueriesContext(connection) as seen:
            export_set(actor=alice, problem_set=kept, form=form, variants=1)
        return len(seen)

    assert count(1) == count(3)


def test_learners_import_nothing(bob: User, alice: User) -> None:
    package = export_problems(actor=alice, problems=[written(alice)], form="own")
    with pytest.raises(ExchangeRefused, match="Only teachers"):
        import_file(author=bob, content=package.content, is_preview=False)
    assert not Problem.objects.filter(owner=bob).exists()


def test_a_draft_that_cannot_be_read_is_refused_with_its_line(alice: User) -> None:
    broken = written(alice, SMALL.replace("is: x / 7", "is: x /"))
    for form in ("own", "moodle"):
        with pytest.raises(ExchangeRefused, match="steps"):
            export_problems(actor=alice, problems=[broken], form=form)


def test_editing_goes_on_where_an_import_left_a_draft(alice: User, erin: User) -> None:
    package = export_problems(actor=alice, problems=[written(alice)], form="own")
    made_one = import_file(author=erin, content=package.content, is_preview=False).problems[0]
    assert published_as(erin, made_one).current is not None
