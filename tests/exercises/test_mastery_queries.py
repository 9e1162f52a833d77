"""Where learners stand: one selector, a constant number of queries, and nobody else's."""

import datetime as dt
from typing import Any

import pytest

from exercises import clock, queries
from exercises.actions import draw_variant, sync_catalogue
from exercises.actions.rebuild import rebuild_mastery
from exercises.mastery.choosing import Bucket
from exercises.mastery.states import Level
from exercises.models import Evidence, Mastery, StudyPlan, User, Variant
from exercises.queries.next_choice import worked_on
from exercises.tasks import grade_pending
from tests.exercises.learning import answered
from tests.exercises.world import C1, c1

pytestmark = pytest.mark.usefixtures("servers", "published")

MONDAY = dt.datetime(2026, 11, 2, 9, tzinfo=dt.UTC)


def practised(learner: User, variant: Variant, **answers: str) -> None:
    answered(learner, variant, **answers)
    grade_pending()


def next_one(learner: User) -> Variant:
    latest = Variant.objects.filter(learner=learner).order_by("-number").first()
    variant = draw_variant(learner=learner, slug="masked", after=latest)
    # With what is active in it: the drawing was another.
    variant.parameters, variant.active = C1, ["p.no-exp", "loss.log2"]
    variant.save()
    return variant


def closed(learner: User, variant: Variant, rows: int) -> None:
    """That many rows of evidence, one an hour, three right ones and a wrong one by a named mistake, five to a variant:
    the given one and as many as come after it."""
    later = Variant.objects.bulk_create(
        Variant(
            learner=learner, problem=variant.problem, version=variant.version, number=number, seed=number, parameters=C1
        )
        for number in range(variant.number + 1, variant.number + -(-rows // 5))
    )
    variants = [variant, *later]
    Evidence.objects.bulk_create(
        Evidence(
            learner=learner,
            problem=variant.problem,
            variant=variants[number // 5],
            step=f"p{number % 5}",
            reason="right" if number % 4 != 3 else "tries",
            skill=["softmax", "cross-entropy"][number % 2],
            closed_at=MONDAY + dt.timedelta(hours=number),
            study_day=(MONDAY + dt.timedelta(hours=number)).date(),
            correctness=1,
            tries=1,
            hints=0,
            e=float(number % 4 != 3),
            w=1,
            b=0,
            g=0,
            predicted=0.5,
            is_first=True,
            is_check=False,
            notes=["p.no-exp"] if number % 4 == 3 else [],
            model_version="1",
        )
        for number in range(rows)
    )


def test_everybody_stands_somewhere_at_every_skill(bob: User, charlie: User, variant: Variant) -> None:
    practised(bob, variant, p="0.665")
    found = queries.standings([bob, charlie])
    assert len(found[bob.pk]) == len(found[charlie.pk]) == 28
    assert found[bob.pk]["softmax"].level is Level.LEARNING
    assert {held.level for held in found[charlie.pk].values()} == {Level.NOT_STARTED}
    assert queries.standings([]) == {}


@pytest.mark.parametrize(("learners", "rows"), [(1, 10), (40, 10), (1, 10_000)])
def test_standings_take_two_queries(
    variant: Variant, bob: User, learners: int, rows: int, django_assert_num_queries: Any
) -> None:
    others = [User.objects.create(username=f"learner-{number}") for number in range(learners - 1)]
    closed(bob, variant, rows)
    for other in others:
        closed(other, c1(other), 10)
    assert list(rebuild_mastery())
    with django_assert_num_queries(2):
        found = queries.standings([bob, *others])
    assert all(held["softmax"].steps >= 5 for held in found.values())


@pytest.mark.parametrize(("rows", "shown"), [(10, 8), (10_000, 500)])
def test_the_rest_of_the_progress_page_is_bounded(
    variant: Variant, bob: User, rows: int, shown: int, django_assert_num_queries: Any
) -> None:
    closed(bob, variant, rows)
    list(rebuild_mastery())
    with clock.at(MONDAY + dt.timedelta(days=20)):
        with django_assert_num_queries(2):
            points = queries.history_of(bob, "softmax")
        with django_assert_num_queries(1):
            assert queries.calendar(bob)
        with django_assert_num_queries(3):
            [mistake] = queries.recent_mistakes([bob])[bob.pk]
        with django_assert_num_queries(6):
            queries.next_choice(bob)
    assert len(points) == shown
    assert (mistake.note, mistake.label) == ("p.no-exp", "likely")
    assert mistake.says.startswith("Softmax normalises")
    # The last point is what the table holds: chart and map can never say two things.
    held = Mastery.objects.get(learner=bob, skill="softmax")
    assert (points[-1].state.mean, points[-1].state.level) == (held.mean, held.level)


def test_a_history_tells_where_each_step_was_met(bob: User, variant: Variant) -> None:
    with clock.at(MONDAY):
        answered(bob, variant, p="0.1")
        answered(bob, variant, p="0.665")
    grade_pending()
    [point] = queries.history_of(bob, "softmax")
    assert (point.slug, point.title, point.variant) == ("masked", variant.problem.title, variant.public_id)
    assert (point.row.step, point.row.e, point.state.steps) == ("p", 0.6, 1)
    with pytest.raises(KeyError):
        queries.history_of(bob, "juggling")


def test_credit_to_what_a_skill_builds_on_is_in_its_history_too(bob: User, variant: Variant) -> None:
    practised(bob, variant, p="0.665")
    [point] = queries.history_of(bob, "exp-log")
    assert (point.row.skill, point.state.steps) == ("softmax", 0)


def test_a_calendar_counts_each_closed_step_once_on_the_learners_own_day(
    bob: User, charlie: User, variant: Variant
) -> None:
    StudyPlan.objects.create(learner=bob, time_zone="America/New_York")
    with clock.at(dt.datetime(2026, 11, 3, 6, tzinfo=dt.UTC)):  # one in the morning there
        answered(bob, variant, p="0.1")
        late = answered(bob, variant, p="0.665", loss="0.408")
    grade_pending()
    assert late.pk
    with clock.at(MONDAY + dt.timedelta(days=3)):
        assert queries.calendar(bob) == {dt.date(2026, 11, 2): 2}
        assert queries.calendar(charlie) == {}


def test_a_mistake_is_suspected_likely_and_resolved(bob: User, charlie: User, variant: Variant) -> None:
    def seen() -> list[tuple[str, str, int, int]]:
        return [(row.note, row.label, row.k, row.n) for row in queries.recent_mistakes([bob])[bob.pk]]

    variant.active = ["p.no-exp", "loss.log2"]
    variant.save()
    for expected in ("suspected", "likely"):
        answered(bob, variant, p="0.6667")
        practised(bob, variant, p="0.665")
        assert [(note, label) for note, label, *_ in seen()] == [("p.no-exp", expected)]
        variant = next_one(bob)
    for _ in range(3):
        practised(bob, variant, p="0.665")
        variant = next_one(bob)
    assert seen() == [("p.no-exp", "resolved", 2, 5)]
    [row] = queries.recent_mistakes([bob, charlie])[bob.pk]
    assert (row.slug, row.step) == ("masked", "p")
    assert row.says == "Softmax normalises exponentials, not the raw logits."
    assert queries.recent_mistakes([charlie]) == {charlie.pk: []}


def test_a_mistake_that_any_number_may_show_is_told_as_well(bob: User, variant: Variant) -> None:
    answered(bob, variant, loss="-0.408")
    practised(bob, variant, loss="0.408")
    [row] = queries.recent_mistakes([bob])[bob.pk]
    assert (row.note, row.label, row.says) == ("lost-sign", "suspected", "The size is right, the sign is not.")


def test_what_was_worked_on_last_goes_by_when_it_closed_and_not_by_a_regrade_of_long_ago(
    bob: User, variant: Variant
) -> None:
    def lately() -> list[tuple[str, str]]:
        return worked_on(bob, queries.standings([bob])[bob.pk])

    with clock.at(MONDAY):
        practised(bob, variant, p="0.665")
    with clock.at(MONDAY + dt.timedelta(days=30)):
        practised(bob, next_one(bob), loss="0.408")
    assert lately() == [("masked", "cross-entropy"), ("masked", "softmax")]
    # The month-old answer is judged anew, and then taken back.
    old = Evidence.objects.get(step="p")
    for revision, (reason, w) in enumerate([("tries", 1.0), ("void", 0.0)], start=1):
        old.pk, old.revision, old.reason, old.w = None, revision, reason, w
        old.save(force_insert=True)
        assert lately() == [("masked", "cross-entropy"), ("masked", "softmax")][: 3 - revision]


def test_there_is_always_a_next_exercise_for_a_beginner(bob: User) -> None:
    sync_catalogue()
    choice = queries.next_choice(bob)
    assert choice is not None
    assert choice.bucket is Bucket.FRINGE
    assert choice.reason
    assert queries.next_choice(bob) == choice
