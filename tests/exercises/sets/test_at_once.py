"""Editors at the same moment, in threads with connections of their own."""

from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from exercises.actions.sets import editing, extensions, items, pools, publishing
from exercises.actions.sets.refusals import SetChanged, SetRefused
from exercises.models import AuditEntry, Course, Problem, ProblemSet, ProblemVersion, SetItem, User
from exercises.set_rows import state_of
from tests.exercises.sets.world import details, details_of_item
from tests.exercises.test_at_once import at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("servers")]
MANY = 8


def outcome(deed: Callable[[], Any]) -> str:
    try:
        deed()
    except (SetChanged, SetRefused) as refused:
        return refused.code
    return "done"


def test_of_many_editors_of_one_form_one_is_kept(quiz: ProblemSet, alice: User) -> None:
    told = at_once(
        MANY,
        lambda number: outcome(
            lambda: editing.edit_set(actor=alice, problem_set=quiz, revision=0, details=details(title=f"Mine {number}"))
        ),
    )
    assert Counter(told) == {"done": 1, "set-changed": MANY - 1}
    quiz.refresh_from_db()
    assert quiz.revision == 1
    entry = AuditEntry.objects.get(deed="edit-set")
    assert entry.after == {"title": quiz.title}


def test_of_many_editors_of_one_item_one_is_kept_and_adapts_it_once(quiz: ProblemSet, alice: User) -> None:
    item = SetItem.objects.select_related("problem__current", "pool").filter(problem_set=quiz)[0]
    seen = state_of(item)
    wanted = details_of_item(item, adaptation={"parameters": {"z": {"range": [0, 2]}}})
    told = at_once(
        MANY, lambda _: outcome(lambda: items.change_item(actor=alice, item=item, seen=seen, details=wanted))
    )
    assert Counter(told) == {"done": 1, "set-changed": MANY - 1}
    assert ProblemVersion.objects.filter(adapted_from__isnull=False).count() == 1


def test_the_same_adaptation_in_many_sets_at_once_is_one_version(
    course: Course, alice: User, problems: list[Problem], published: list[str]
) -> None:
    made = [editing.create_set(actor=alice, course=course, details=details(title=f"Set {n}")) for n in range(MANY)]
    rows = [items.add_items(actor=alice, problem_set=one, problems=problems[:1])[0] for one in made]
    wanted = details_of_item(rows[0], adaptation={"parameters": {"z": {"range": [0, 2]}}})
    told = at_once(
        MANY,
        lambda number: outcome(
            lambda: items.change_item(actor=alice, item=rows[number], seen=state_of(rows[number]), details=wanted)
        ),
    )
    assert Counter(told) == {"done": MANY}
    assert ProblemVersion.objects.filter(adapted_from__isnull=False).count() == 1
    assert len(set(SetItem.objects.values_list("version", flat=True))) == 1


def test_many_moves_at_once_leave_one_order(quiz: ProblemSet, alice: User, problems: list[Problem]) -> None:
    items.add_items(actor=alice, problem_set=quiz, problems=problems * 2)
    rows = list(quiz.items.all())
    at_once(MANY, lambda number: items.move_item(actor=alice, item=rows[number % len(rows)], by=(-1) ** number))
    places = list(quiz.items.order_by("position").values_list("position", flat=True))
    assert places == list(range(len(rows)))


def test_one_extension_one_pool_and_one_publishing_come_of_many_presses(
    quiz: ProblemSet, alice: User, bob: User
) -> None:
    given = extensions.Given(attempts=1, reason="ill")
    told = at_once(
        MANY,
        lambda _: outcome(lambda: extensions.give_extension(actor=alice, problem_set=quiz, learner=bob, given=given)),
    )
    assert Counter(told) == {"done": 1, "set-changed": MANY - 1}
    told = at_once(
        MANY,
        lambda _: outcome(
            lambda: pools.keep_pool(actor=alice, problem_set=quiz, name="Easy", choose=1, weight=Decimal(1))
        ),
    )
    assert Counter(told) == {"done": 1, "set-refused": MANY - 1}
    quiz.pools.all().delete()
    at_once(MANY, lambda _: publishing.publish_set(actor=alice, problem_set=quiz))
    assert AuditEntry.objects.filter(deed="publish-set").count() == 1
