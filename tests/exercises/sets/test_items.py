"""Items and pools: changed by one editor at a time, adapted within what the problem allows, and checked."""

from decimal import Decimal
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection

from exercises import clock
from exercises.actions.authoring import checks
from exercises.actions.sets import items, pools, publishing, versions
from exercises.actions.sets.refusals import NotReady, SetChanged, SetRefused
from exercises.actions.sitting.begin import begin_attempt
from exercises.models import AuditEntry, Course, Problem, ProblemSet, ProblemVersion, SetItem, User
from exercises.queries.set_contents import item_at, item_rows, places
from exercises.queries.set_obstacles import obstacles
from exercises.set_rows import base_of, state_of
from exercises.tasks import check_adapted
from tests.exercises.courses.world import NOW
from tests.exercises.sets.world import DAY, began, details_of_item, made

pytestmark = pytest.mark.usefixtures("servers")
NARROW = {"parameters": {"z": {"range": [0, 2]}}, "digits": 4}


def first(problem_set: ProblemSet) -> SetItem:
    return problem_set.items.select_related("problem__current", "pool", "version").order_by("position")[0]


def changed(alice: User, item: SetItem, **more: Any) -> SetItem:
    return items.change_item(actor=alice, item=item, seen=state_of(item), details=details_of_item(item, **more))


def seen_again(item: SetItem) -> SetItem:
    found = item_at(item.problem_set, item.pk)
    assert found is not None
    return found


def test_an_item_is_kept_as_it_was_written(quiz: ProblemSet, alice: User) -> None:
    item = changed(alice, first(quiz), weight=Decimal("0.7"), variants=3, asked=["loss", "p"])
    item = seen_again(item)
    assert (item.weight, item.variants, item.asked) == (Decimal("0.7"), 3, ["p", "loss"])
    entry = AuditEntry.objects.get(deed="change-item")
    assert (entry.before["weight"], entry.after["weight"]) == ("1", "0.7")


def test_the_second_of_two_editors_writes_over_nothing(quiz: ProblemSet, alice: User) -> None:
    item = first(quiz)
    seen = state_of(item)
    changed(alice, item, variants=2)
    with pytest.raises(SetChanged):
        items.change_item(actor=alice, item=item, seen=seen, details=details_of_item(item, variants=5))
    assert seen_again(item).variants == 2


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"weight": Decimal(-1)}, "weight"),
        ({"weight": Decimal("NaN")}, "weight"),
        ({"weight": Decimal("0.12345")}, "weight"),
        ({"variants": 0}, "variants"),
        ({"variants": 21}, "variants"),
        ({"asked": ["gone"]}, "asked"),
        ({"asked": ["powers"]}, "asked"),
        ({"asked": []}, "asked"),
        ({"adaptation": {"parameters": {"z": {"range": [-9, 9]}}}}, "adaptation"),
        ({"adaptation": {"parameters": {"nothing": {"range": [0, 1]}}}}, "adaptation"),
    ],
)
def test_what_does_not_fit_is_refused_at_its_field(
    quiz: ProblemSet, alice: User, change: dict[str, Any], field: str
) -> None:
    item = first(quiz)
    with pytest.raises(SetRefused) as refused:
        changed(alice, item, **change)
    assert list(refused.value.faults) == [field]
    assert state_of(seen_again(item)) == state_of(item)
    assert not ProblemVersion.objects.filter(adapted_from__isnull=False).exists()


def test_a_version_or_pool_of_something_else_is_refused(
    quiz: ProblemSet, alice: User, course: Course, problems: list[Problem]
) -> None:
    with pytest.raises(SetRefused) as refused:
        changed(alice, first(quiz), base=problems[2].current)
    assert list(refused.value.faults) == ["version"]
    other = made(alice, course, title="Another")
    foreign = pools.keep_pool(actor=alice, problem_set=other, name="Easy", choose=1, weight=Decimal(1))
    with pytest.raises(SetRefused) as refused:
        changed(alice, first(quiz), pool=foreign)
    assert list(refused.value.faults) == ["pool"]


def test_practice_has_one_variant_since_there_is_no_end(course: Course, alice: User, problems: list[Problem]) -> None:
    practice = made(alice, course, mode="practice")
    items.add_items(actor=alice, problem_set=practice, problems=problems[:1])
    assert changed(alice, first(practice), variants=5).variants == 1


def test_items_move_and_go_out_and_come_back(quiz: ProblemSet, alice: User, problems: list[Problem], bob: User) -> None:
    items.add_items(actor=alice, problem_set=quiz, problems=problems[2:])
    item = first(quiz)
    items.move_item(actor=alice, item=item, by=1)
    items.move_item(actor=alice, item=item, by=9)
    order = [row.item.problem.slug for row in item_rows(quiz)]
    assert order == ["mask-counts", "neg-log", "masked-token-loss"]
    attempt = began(quiz, bob)
    place = attempt.items.create(item=item, position=1, weight=1, version=problems[0].current)
    items.take_out_item(actor=alice, item=item)
    items.take_out_item(actor=alice, item=item)
    assert [row.item.retired for row in item_rows(quiz)] == [False, False, True]
    place.refresh_from_db()
    assert place.item == item
    with pytest.raises(SetRefused):
        items.move_item(actor=alice, item=item, by=1)
    items.put_back_item(actor=alice, item=item)
    assert not seen_again(item).retired
    assert AuditEntry.objects.filter(deed="take-out-item").count() == 1


def test_nothing_and_too_much_are_not_put_in(quiz: ProblemSet, alice: User, problems: list[Problem]) -> None:
    with pytest.raises(SetRefused, match="at least one"):
        items.add_items(actor=alice, problem_set=quiz, problems=[])
    with pytest.raises(SetRefused, match="at most"):
        items.add_items(actor=alice, problem_set=quiz, problems=problems[:1] * items.MOST_ITEMS)


def test_an_adapted_version_is_made_once_pins_the_item_and_is_checked(
    quiz: ProblemSet, alice: User, published: list[str], django_capture_on_commit_callbacks: Any
) -> None:
    item = first(quiz)
    with django_capture_on_commit_callbacks(execute=True):
        changed(alice, item, adaptation=NARROW)
    item = seen_again(item)
    version = item.version
    assert version is not None
    assert (version.adapted_from, base_of(item), item.adaptation) == (
        item.problem.current,
        item.problem.current,
        NARROW,
    )
    assert published == [versions.TASK]
    assert "[0, 2]" in version.source
    assert version.summary.endswith(", but fewer values are drawn from and answers with 4 digits are enough.")
    item.problem.refresh_from_db()
    assert item.problem.current != version
    assert [row.checking for row in item_rows(quiz)] == [True, False]
    with pytest.raises(NotReady, match="being checked") as refused:
        publishing.publish_set(actor=alice, problem_set=quiz)
    assert len(refused.value.reasons) == 1
    # What a lost message forgot is asked for again, and not at each press.
    assert published == [versions.TASK]
    cache.delete(f"sets:asked-check:{version.pk}")
    for _ in range(3):
        with pytest.raises(NotReady, match="being checked"):
            publishing.publish_set(actor=alice, problem_set=quiz)
    assert published == [versions.TASK] * 2
    assert check_adapted(version.pk)
    assert not check_adapted(version.pk)
    version.refresh_from_db()
    assert version.report["passed"], version.report["failures"]
    assert version.report["seeds"] == 1000
    assert publishing.publish_set(actor=alice, problem_set=quiz).published_at
    # The same again is the same version.
    changed(alice, seen_again(item), weight=Decimal(2))
    assert seen_again(item).version == version
    # Nothing changed is the version of its author again.
    changed(alice, seen_again(item), adaptation={})
    assert seen_again(item).version == item.problem.current


def test_checks_take_turns_with_those_of_drafts_so_that_answers_are_marked(
    quiz: ProblemSet, alice: User, published: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(versions, "SEEDS", 50)
    version = changed(alice, first(quiz), adaptation=NARROW).version
    assert version is not None
    assert checks.take_turn()
    assert not check_adapted(version.pk)
    assert published == [versions.TASK]
    checks.end_turn()
    assert check_adapted(version.pk)


def test_a_check_that_was_not_done_in_time_is_done_again(
    quiz: ProblemSet, alice: User, published: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(versions, "LONGEST", 0.0)
    version = changed(alice, first(quiz), adaptation=NARROW).version
    assert version is not None
    assert check_adapted(version.pk)
    assert "not done in time" in obstacles(quiz)[0]
    monkeypatch.undo()
    monkeypatch.setattr(versions, "SEEDS", 50)
    assert changed(alice, first(quiz), adaptation=NARROW).version == version
    assert "still being checked" in obstacles(quiz)[0]
    assert check_adapted(version.pk)
    assert obstacles(quiz) == []


def test_on_a_published_set_nothing_is_in_force_before_it_has_passed(
    quiz: ProblemSet, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    monkeypatch.setattr(versions, "SEEDS", 50)
    publishing.publish_set(actor=alice, problem_set=quiz)
    before, words = first(quiz), "being checked"
    for narrow in ({"parameters": {"z": {"range": [0, 2]}}}, {"parameters": {"z": {"range": [4, 4]}}}):
        with django_capture_on_commit_callbacks(execute=True), pytest.raises(SetRefused, match=words) as refused:
            changed(alice, first(quiz), adaptation=narrow, weight=Decimal(3))
        assert list(refused.value.faults) == ["checking"]
        assert state_of(first(quiz)) == state_of(before)
    good, bad = ProblemVersion.objects.filter(adapted_from__isnull=False).order_by("number")
    assert (check_adapted(good.pk), check_adapted(bad.pk)) == (True, True)
    with pytest.raises(SetRefused, match="does not pass the check") as refused:
        changed(alice, first(quiz), adaptation={"parameters": {"z": {"range": [4, 4]}}})
    assert list(refused.value.faults) == ["adaptation"]
    assert state_of(first(quiz)) == state_of(before)
    with clock.at(NOW):
        attempt = begin_attempt(learner=bob, problem_set=quiz)
    assert attempt.items.get(position=1).version == before.problem.current
    assert changed(alice, first(quiz), adaptation={"parameters": NARROW["parameters"]}).version == good
    assert AuditEntry.objects.filter(deed="change-item").count() == 1
    # What was taken out does not come back past the gate either.
    SetItem.objects.filter(pk=before.pk).update(version=bad, retired=True)
    with pytest.raises(SetRefused, match="does not pass the check"):
        items.put_back_item(actor=alice, item=before)


@pytest.mark.parametrize("report", [None, {"passed": False, "failures": ["it failed"]}])
def test_learners_are_given_the_authors_version_until_the_check_has_passed(
    quiz: ProblemSet, alice: User, bob: User, report: dict[str, Any] | None
) -> None:
    item = changed(alice, first(quiz), adaptation=NARROW)
    adapted = item.version
    assert adapted is not None
    ProblemVersion.objects.filter(pk=adapted.pk).update(report=report)
    ProblemSet.objects.filter(pk=quiz.pk).update(published_at=NOW)
    with clock.at(NOW):
        begun = begin_attempt(learner=bob, problem_set=quiz)
        preview = begin_attempt(learner=alice, problem_set=quiz, is_preview=True)
    assert begun.items.get(position=1).version == adapted.adapted_from
    assert preview.items.get(position=1).version == adapted


def test_many_checks_at_once_are_refused(quiz: ProblemSet, alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "MOST_CHECKS", 1)
    changed(alice, first(quiz), adaptation=NARROW)
    with pytest.raises(SetRefused, match="wait a minute"):
        changed(alice, first(quiz), adaptation={"parameters": {"z": {"range": [0, 1]}}})
    assert ProblemVersion.objects.filter(adapted_from__isnull=False).count() == 1


def test_checks_are_counted_before_anything_is_locked_and_only_for_what_is_new(
    quiz: ProblemSet, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Redis may be slow to answer: nobody waits for a row meanwhile."""
    outside, inside = len(connection.savepoint_ids), []
    monkeypatch.setattr(versions, "count_check", lambda author: inside.append(len(connection.savepoint_ids)))
    item = changed(alice, first(quiz), adaptation=NARROW)
    changed(alice, seen_again(item), weight=Decimal(2))
    assert inside == [outside]


def test_what_does_not_pass_the_check_is_not_published(quiz: ProblemSet, alice: User) -> None:
    item = changed(alice, first(quiz), adaptation={"parameters": {"z": {"range": [4, 4]}}})
    assert item.version
    assert check_adapted(item.version.pk)
    reasons = obstacles(quiz)
    assert len(reasons) == 1
    assert "does not pass the check" in reasons[0]


def test_a_newer_version_is_told_of_where_an_item_is_pinned(quiz: ProblemSet, alice: User) -> None:
    item = first(quiz)
    old = item.problem.current
    changed(alice, item, base=old)
    assert [row.newer for row in item_rows(quiz)] == [None, None]
    newer = ProblemVersion.objects.create(problem=item.problem, number=99, source=old.source + "\n", digest="new")
    Problem.objects.filter(pk=item.problem_id).update(current=newer)
    assert [row.newer for row in item_rows(quiz)] == [newer, None]
    changed(alice, seen_again(item), base=None)
    assert next((row.version, row.newer) for row in item_rows(quiz)) == (newer, None)


def test_pools_have_a_name_a_number_and_one_weight(quiz: ProblemSet, alice: User) -> None:
    pool = pools.keep_pool(actor=alice, problem_set=quiz, name=" Easy  ones ", choose=1, weight=Decimal("0.5"))
    assert pool.name == "Easy ones"
    for change, field in (({"name": ""}, "name"), ({"choose": 0}, "choose"), ({"weight": Decimal(-1)}, "weight")):
        with pytest.raises(SetRefused) as refused:
            pools.keep_pool(
                **{"actor": alice, "problem_set": quiz, "name": "A", "choose": 1, "weight": Decimal(1), **change}
            )
        assert list(refused.value.faults) == [field]
    with pytest.raises(SetRefused, match="of this name"):
        pools.keep_pool(actor=alice, problem_set=quiz, name="Easy ones", choose=1, weight=Decimal(1))
    pools.keep_pool(actor=alice, problem_set=quiz, name="Easy ones", choose=2, weight=Decimal(1), pool=pool)
    for item in quiz.items.select_related("problem__current", "pool", "version"):
        changed(alice, item, pool=pool, weight=Decimal(9))
    assert {item.share for item in quiz.items.select_related("pool")} == {1}
    rows = [row.item for row in item_rows(quiz)]
    assert places(rows, list(quiz.pools.all())) == 2
    pools.drop_pool(actor=alice, pool=pool)
    assert {item.share for item in quiz.items.select_related("pool")} == {9}
    assert list(AuditEntry.objects.filter(deed__endswith="pool").values_list("deed", flat=True)) == [
        "drop-pool", "keep-pool", "keep-pool",
    ]  # fmt: skip


def test_everything_that_stands_in_the_way_is_listed(course: Course, alice: User, problems: list[Problem]) -> None:
    kept = made(alice, course)
    assert obstacles(kept) == ["It has no items: put at least one problem in."]
    items.add_items(actor=alice, problem_set=kept, problems=problems)
    assert obstacles(kept) == []
    pool = pools.keep_pool(actor=alice, problem_set=kept, name="Few", choose=3, weight=Decimal(0))
    kept.items.update(weight=0)
    rows = list(kept.items.order_by("position"))
    SetItem.objects.filter(pk__in=[rows[0].pk, rows[1].pk]).update(pool=pool)
    SetItem.objects.filter(pk=rows[0].pk).update(variants=2)
    SetItem.objects.filter(pk=rows[1].pk).update(asked=["gone"])
    Problem.objects.filter(pk=problems[2].pk).update(current=None)
    ProblemSet.objects.filter(pk=kept.pk).update(closes_at=NOW - 2 * DAY)
    kept.refresh_from_db()
    reasons = " ".join(obstacles(kept))
    for words in (
        "It closes before it opens", "asks gone, which version 1 does not have", "no version of it to draw from",
        "gives 3 of its items to each learner and has 2", "differ in their number of variants", "Everything weighs 0",
    ):  # fmt: skip
        assert words in reasons
    with pytest.raises(NotReady):
        publishing.publish_set(actor=alice, problem_set=kept)
    ProblemVersion.objects.filter(problem=problems[1]).update(source="title: broken")
    assert "cannot be read any more" in " ".join(obstacles(kept))


def test_a_set_is_taken_back_only_before_a_learner_has_begun(quiz: ProblemSet, alice: User, bob: User) -> None:
    publishing.publish_set(actor=alice, problem_set=quiz)
    began(quiz, alice, is_preview=True)
    assert publishing.take_back_set(actor=alice, problem_set=quiz).published_at is None
    publishing.publish_set(actor=alice, problem_set=quiz)
    publishing.publish_set(actor=alice, problem_set=quiz)
    began(quiz, bob)
    with pytest.raises(SetRefused, match="Learners have begun"):
        publishing.take_back_set(actor=alice, problem_set=quiz)
    deeds = AuditEntry.objects.filter(deed__in=["publish-set", "take-back-set"]).order_by("pk")
    assert list(deeds.values_list("deed", flat=True)) == ["publish-set", "take-back-set", "publish-set"]
