"""The scaffold fades as a learner grows, and never takes away what is to be shown."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exercises import catalogue
from exercises.mastery.scaffold import StepInfo, asked, steps_of
from exercises.mastery.states import Level
from grader.problem import load

C1 = steps_of(load(catalogue.source("masked-token-loss")))
SKILLS = tuple("abcd")


@st.composite
def problems(draw: st.DrawFn) -> list[StepInfo]:
    """Up to seven steps, each following from some earlier ones; at least one has a weight."""
    size = draw(st.integers(1, 7))
    optional = draw(st.lists(st.booleans(), min_size=size, max_size=size).filter(lambda found: not all(found)))
    upstream: list[frozenset[str]] = []
    for place in range(size):
        direct = draw(st.sets(st.integers(0, place - 1))) if place else set()
        upstream.append(frozenset(f"s{one}" for one in direct).union(*(upstream[one] for one in direct)))
    passed_on = frozenset().union(*(upstream[place] for place in range(size) if not optional[place]))
    return [
        StepInfo(
            f"s{place}", draw(st.sampled_from(SKILLS)), optional[place], f"s{place}" not in passed_on, upstream[place]
        )
        for place in range(size)
    ]


LEVELS = st.dictionaries(st.sampled_from(SKILLS), st.sampled_from(Level))
READY = st.none() | st.sets(st.sampled_from(SKILLS))
KEEP = st.sets(st.sampled_from(SKILLS))


def named(steps: list[StepInfo], names: list[str] | None) -> list[StepInfo]:
    return [step for step in steps if names is None or step.name in names]


def test_the_first_worked_example_fades_from_four_boxes_to_one() -> None:
    skills = ("exp-log", "softmax", "cross-entropy")
    assert asked(C1, {}) is None
    assert asked(C1, dict.fromkeys(skills, Level.LEARNING)) is None
    assert asked(C1, {"exp-log": Level.PROFICIENT}) == ["total", "p", "loss"]
    assert asked(C1, {"exp-log": Level.PROFICIENT, "softmax": Level.PROFICIENT}) == ["p", "loss"]
    assert asked(C1, {"exp-log": Level.MASTERED, "softmax": Level.MASTERED}) == ["loss"]
    assert asked(C1, dict.fromkeys(skills, Level.MASTERED)) == ["loss"]


def test_a_review_asks_for_its_skill_however_well_it_is_held() -> None:
    assert asked(C1, {"exp-log": Level.MASTERED, "softmax": Level.MASTERED}, keep={"softmax"}) == ["p", "loss"]


def test_a_check_asks_for_everything_that_counts_and_nothing_to_lean_on() -> None:
    assert asked(C1, {}, check=True) == ["p", "loss"]
    assert asked(C1, {"softmax": Level.MASTERED}, check=True) == ["p", "loss"]


def test_a_beginner_is_asked_only_for_what_they_are_ready_for() -> None:
    assert asked(C1, {}, ready={"exp-log", "softmax"}) == ["powers", "total", "p"]
    # The last step they are ready for is what the exercise comes to, so it stays.
    mastered = {"exp-log": Level.MASTERED, "softmax": Level.MASTERED}
    assert asked(C1, mastered, ready={"exp-log", "softmax"}) == ["p"]
    assert asked(C1, {}, ready=set()) == ["p"]


@pytest.mark.parametrize("slug", catalogue.slugs())
def test_every_built_in_problem_keeps_its_final_steps(slug: str) -> None:
    steps = steps_of(load(catalogue.source(slug)))
    final = {step.name for step in steps if step.is_final and not step.is_optional}
    assert final
    assert final <= {
        step.name for step in named(list(steps), asked(steps, {step.skill: Level.MASTERED for step in steps}))
    }


@given(problems(), LEVELS, READY, KEEP, st.booleans())
def test_something_that_counts_is_always_asked(
    steps: list[StepInfo], levels: dict[str, Level], ready: set[str] | None, keep: set[str], check: bool
) -> None:
    names = asked(steps, levels, ready=ready, keep=keep, check=check)
    found = named(steps, names)
    assert any(not step.is_optional for step in found)
    assert names is None or names == [step.name for step in found] != [step.name for step in steps]
    if check:
        assert not any(step.is_optional for step in found)
    if ready is not None and not ready.isdisjoint(step.skill for step in steps if not step.is_optional):
        assert {step.skill for step in found} <= ready


@given(problems(), LEVELS, KEEP)
def test_final_steps_and_those_to_keep_stay(steps: list[StepInfo], levels: dict[str, Level], keep: set[str]) -> None:
    found = named(steps, asked(steps, levels, keep=keep))
    for step in steps:
        if not step.is_optional and (step.is_final or step.skill in keep):
            assert step in found


@given(problems(), LEVELS, LEVELS, READY, KEEP, st.booleans())
def test_whoever_is_at_higher_levels_is_never_asked_more(
    steps: list[StepInfo],
    levels: dict[str, Level],
    other: dict[str, Level],
    ready: set[str] | None,
    keep: set[str],
    check: bool,
) -> None:
    start = Level.NOT_STARTED
    higher = {
        skill: max(levels.get(skill, start), other.get(skill, start), key=lambda one: one.rank) for skill in SKILLS
    }
    more = named(steps, asked(steps, levels, ready=ready, keep=keep, check=check))
    fewer = named(steps, asked(steps, higher, ready=ready, keep=keep, check=check))
    assert {step.name for step in fewer} <= {step.name for step in more}


def test_what_follows_from_a_step_one_is_not_ready_for_is_left_out_with_it() -> None:
    """W h + b, then a softmax of it: who cannot multiply matrices could not get to the softmax."""
    steps = [
        StepInfo("z", "matrix-vector", is_final=False),
        StepInfo("p", "softmax", upstream=frozenset({"z"})),
        StepInfo("size", "shapes"),
    ]
    assert asked(steps, {}, ready={"softmax", "shapes"}) == ["size"]
    assert asked(steps, {}, ready={"softmax", "shapes", "matrix-vector"}) is None


def test_a_step_without_a_skill_is_in_nobodys_way() -> None:
    steps = [
        StepInfo("total", "", is_final=False),
        StepInfo("p", "softmax", is_final=False, upstream=frozenset({"total"})),
        StepInfo("loss", "cross-entropy", upstream=frozenset({"total", "p"})),
    ]
    assert asked(steps, {}, ready={"softmax"}) == ["total", "p"]
