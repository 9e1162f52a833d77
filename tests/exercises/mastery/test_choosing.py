"""What is next: never out of reach, always for a reason, and the same whenever it is asked again."""

import datetime as dt
import re
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exercises import catalogue
from exercises.catalogue import Skill
from exercises.mastery.choosing import Bucket, Choice, Item, ItemStep, choose, item_of, to_refresh, unlocked
from exercises.mastery.graph import needs
from exercises.mastery.levels import Standing, is_unlocked
from exercises.mastery.states import Level
from tests.exercises.mastery.learners import NOW, Learner, built_in, class_of, held, problems

SKILLS = catalogue.skills()
ABOVE_SOFTMAX = ["exp-log", "neg-log", "softmax", "cross-entropy"]


def known(*skills: str, level: Level = Level.PROFICIENT) -> dict[str, Level | Standing]:
    return dict.fromkeys(skills, level)


def chosen(levels: Mapping[str, Level | Standing], **wish: object) -> Choice | None:
    """The choice on the real map with the real problems."""
    return choose(built_in(), class_of(levels, SKILLS), SKILLS, **wish)  # type: ignore[arg-type]


def certain(choice: Choice | None) -> Choice:
    assert choice is not None
    return choice


def test_a_fresh_learner_starts_where_nothing_else_is_needed() -> None:
    first = certain(chosen({}))
    assert first.bucket == Bucket.FRINGE
    assert not needs()[first.skill]
    assert first.reason.startswith("New for you: ")
    assert first.reason.endswith("nothing else is needed first.")


def test_a_goal_narrows_what_is_new_to_the_way_there() -> None:
    first = certain(chosen({}, goal="softmax"))
    assert first.skill == "exp-log"
    assert first.reason == (
        "New for you: exponentials and logarithms, on the way to softmax; nothing else is needed first."
    )
    then = certain(chosen(known("exp-log"), goal="softmax"))
    assert (then.skill, then.reason) == ("softmax", "New for you: softmax; everything it builds on is in place.")


def test_a_due_review_that_the_goal_needs_comes_first_the_least_remembered_before_the_others() -> None:
    levels = known(*ABOVE_SOFTMAX, "token-counting")
    levels |= {
        "softmax": held("softmax", Level.MASTERED, is_due=True, retention=0.7),
        "neg-log": held("neg-log", Level.PROFICIENT, is_due=True, retention=0.8),
        "token-counting": held("token-counting", Level.PROFICIENT, is_due=True, retention=0.2),
    }
    choice = certain(chosen(levels, goal="classifier-head"))
    assert (choice.skill, choice.bucket) == ("softmax", Bucket.NEEDED_REVIEW)
    assert choice.reason == "Due for review: softmax, needed for argmax."
    assert certain(chosen(levels, goal="classifier-head", without=["softmax"])).skill == "neg-log"
    # Without a goal the whole map is the goal.
    assert certain(chosen(levels)).skill == "token-counting"


def test_other_reviews_wait_until_nothing_is_new_on_the_way() -> None:
    levels = known("exp-log") | {"token-counting": held("token-counting", Level.PROFICIENT, is_due=True, retention=0.5)}
    assert certain(chosen(levels, goal="softmax")).bucket == Bucket.FRINGE
    reached = certain(chosen(levels | known("softmax"), goal="softmax"))
    assert (reached.skill, reached.bucket) == ("token-counting", Bucket.REVIEW)


def test_two_failures_running_lead_to_the_weakest_prerequisite_for_one_exercise() -> None:
    levels = known("exp-log", "softmax", "neg-log", level=Level.MASTERED)
    levels["neg-log"] = held("neg-log", Level.PROFICIENT, surplus=0.1)
    levels["cross-entropy"] = held("cross-entropy", Level.LEARNING, failures=2)
    before = [("masked-token-loss", "cross-entropy")]
    choice = certain(chosen(levels, recent=before, goal="cross-entropy"))
    assert (choice.skill, choice.bucket) == ("neg-log", Bucket.PREREQUISITE)
    assert choice.reason == (
        "Two steps running went wrong in cross-entropy; one exercise on what it builds on: minus the logarithm."
    )
    after = certain(chosen(levels, recent=[(choice.slug, choice.skill), *before], goal="cross-entropy"))
    assert (after.skill, after.bucket) == ("cross-entropy", Bucket.FRINGE)
    again = [("total-from-scratch", "cross-entropy"), (choice.slug, choice.skill), *before]
    assert certain(chosen(levels, recent=again, goal="cross-entropy")).bucket == Bucket.PREREQUISITE
    levels["cross-entropy"] = held("cross-entropy", Level.LEARNING, failures=1)
    assert certain(chosen(levels, recent=before, goal="cross-entropy")).bucket == Bucket.FRINGE


def test_a_due_skill_waits_for_a_prerequisite_that_was_lost() -> None:
    levels: dict[str, Level | Standing] = {"softmax": held("softmax", Level.MASTERED, is_due=True, retention=0.5)}
    levels["exp-log"] = held("exp-log", Level.LEARNING)
    assert certain(chosen(levels, goal="argmax")).skill == "exp-log"


def test_what_was_just_worked_on_gives_way() -> None:
    levels = known("exp-log")
    first = certain(chosen(levels, goal="softmax"))
    second = certain(chosen(levels, goal="softmax", recent=[(first.slug, "softmax")]))
    assert first.skill == second.skill == "softmax"
    assert first.slug != second.slug


def test_what_waits_for_its_check_is_practised_once_nothing_else_is_left() -> None:
    everything = known(*(skill.id for skill in SKILLS), level=Level.MASTERED)
    assert chosen(everything) is None
    choice = certain(chosen(everything | known("perplexity")))
    assert (choice.skill, choice.bucket) == ("perplexity", Bucket.ANYTHING)
    assert "mixed check" in choice.reason


def test_a_problem_full_of_steps_that_are_not_open_is_worth_less() -> None:
    skills = [Skill("a", "A", "a", (), (), 0, 0), Skill("b", "B", "b", ("a",), (), 1, 0)]
    open_one = Item("z", (ItemStep("s", "a", 0.0, 0.0),))
    closed_one = Item("y", (ItemStep("s", "a", 0.0, 0.0), ItemStep("t", "b", 0.0, 0.0)))
    assert certain(choose([closed_one, open_one], class_of({}, skills), skills)).slug == "z"
    both = class_of({"a": held("a", Level.LEARNING, surplus=0.5)}, skills)
    assert certain(choose([closed_one, open_one], both, skills, without=["b"])).slug == "y"  # a tie: by id


def test_a_beginner_who_is_always_right_is_not_kept_at_what_is_too_easy() -> None:
    learner, slugs = Learner(), []
    met: set[str] = set()
    for _ in range(15):
        choice = certain(choose(built_in(), learner.standings(), SKILLS, recent=learner.recent))
        assert choice.predicted < 0.91
        assert choice.slug not in slugs[-3:]
        assert choice.reason.startswith("New for you") == (learner.standings()[choice.skill].level == Level.NOT_STARTED)
        slugs.append(choice.slug)
        met.add(choice.skill)
        learner.work(choice.slug, choice.skill, is_right=lambda _: True)
    assert len(set(slugs)) >= 8
    assert {"token-counting", "exp-log", "softmax", "neg-log"} <= met


def test_what_is_said_of_practice_depends_on_how_near_it_is() -> None:
    far, near = (
        certain(
            chosen(class_of({"exp-log": held("exp-log", Level.LEARNING, surplus=z)}, SKILLS), goal="exp-log")
        ).reason
        for z in (-0.5, 0.4)
    )
    assert far.endswith("brings you nearer to proficient.")
    assert near.endswith("A few more right steps without help make you proficient.")
    for level in (Level.LEARNING, Level.PROFICIENT):
        failing = held("exp-log", level, surplus=0.4, failures=2)
        hard = certain(chosen(class_of({"exp-log": failing}, SKILLS), goal="exp-log"))
        assert hard.reason.startswith("Hard going of late: exponentials and logarithms. Take the hints"), hard


def test_the_one_nearer_to_three_in_four_is_worth_more() -> None:
    skills = [Skill("a", "A", "a", (), (), 0, 0)]
    chances = {b: choose([Item("x", (ItemStep("s", "a", b, 0.0),))], class_of({}, skills), skills) for b in (-2, 3)}
    assert certain(chances[-2]).predicted == pytest.approx(0.80, abs=0.05)
    assert certain(chances[3]).predicted == pytest.approx(0.05, abs=0.05)
    items = [Item(f"item{b}", (ItemStep("s", "a", float(b), 0.0),)) for b in range(-4, 5)]
    assert certain(choose(items, class_of({}, skills), skills)).slug == "item-2"


def test_an_item_holds_the_steps_that_count() -> None:
    item = item_of("masked-token-loss", problems()["masked-token-loss"], {"p": 0.25})
    assert item.slug == "masked-token-loss"
    assert item.steps == (
        ItemStep("p", "softmax", 0.25, 0.0, frozenset({"exp-log", "softmax"})),
        ItemStep("loss", "cross-entropy", -0.7, 0.0, frozenset({"exp-log", "softmax"})),
    )
    floors = {step.step: step.g for step in item_of("neg-log", problems()["neg-log"]).steps}
    assert floors == {"loss": 0.0, "prob": 0.0, "more": 0.0, "limit": 0.25}
    ticked = {step.step: step.g for step in item_of("s", problems()["softmax-distribution"]).steps}
    assert ticked["shift"] == 1 / 16


def test_to_refresh_are_what_is_due_and_what_failures_point_at() -> None:
    standings = class_of(
        {
            "shapes": held("shapes", Level.MASTERED, is_due=True),
            "cross-entropy": held("cross-entropy", Level.LEARNING, failures=3),
            "argmax": held("argmax", Level.LEARNING, failures=1),
        },
        SKILLS,
    )
    assert to_refresh(standings, needs()) == {"shapes", "softmax", "neg-log"}


NAMES = tuple(f"skill{n}" for n in range(7))


@st.composite
def worlds(draw: st.DrawFn) -> tuple[list[Item], dict[str, Standing], list[Skill]]:
    """A map, somebody anywhere on it, and at least one exercise for every skill."""
    skills = []
    for place, name in enumerate(NAMES[: draw(st.integers(1, len(NAMES)))]):
        direct = draw(st.sets(st.sampled_from(NAMES[:place]), max_size=3)) if place else set()
        skills.append(Skill(name, f"Title {name}", "do it", tuple(sorted(direct)), (), place, 0))
    names = [skill.id for skill in skills]
    standings = {name: draw(_standings(name)) for name in names}
    items = [Item(f"only-{name}", (ItemStep("s", name, draw(st.floats(-1, 1)), 0.0),)) for name in names]
    for number in range(draw(st.integers(0, 5))):
        trained = draw(st.lists(st.sampled_from([*names, "unheard-of"]), min_size=1, max_size=5))
        items.append(Item(f"mixed-{number}", tuple(ItemStep(f"s{n}", one, 0.0, 0.0) for n, one in enumerate(trained))))
    return draw(st.permutations(items)), standings, skills


@st.composite
def _standings(draw: st.DrawFn, name: str) -> Standing:
    level = draw(st.sampled_from(Level))
    is_known = level.rank >= Level.PROFICIENT.rank
    return held(
        name,
        level,
        is_due=is_known and draw(st.booleans()),
        retention=draw(st.floats(0, 1)) if is_known else None,
        surplus=draw(st.floats(-3, 3)),
        mean=draw(st.floats(-4, 4)),
        variance=draw(st.floats(0.01, 1)),
        failures=draw(st.integers(0, 3)),
        last_at=draw(st.none() | st.integers(0, 9).map(lambda day: NOW - dt.timedelta(days=day))),
    )


RECENT = st.lists(st.tuples(st.sampled_from([f"only-{name}" for name in NAMES]), st.sampled_from(NAMES)), max_size=8)
GOAL = st.none() | st.sampled_from([*NAMES, "", "nowhere"])


def by_id(skills: Sequence[Skill]) -> dict[str, tuple[str, ...]]:
    return {skill.id: skill.needs for skill in skills}


@settings(max_examples=300)
@given(worlds(), GOAL, RECENT, st.sets(st.sampled_from([f"only-{name}" for name in NAMES])), st.randoms())
def test_it_is_never_out_of_reach_never_excluded_and_always_the_same(
    world: tuple[list[Item], dict[str, Standing], list[Skill]],
    goal: str | None,
    recent: list[tuple[str, str]],
    exclude: set[str],
    chance: object,
) -> None:
    items, standings, skills = world
    choice = choose(items, standings, skills, goal=goal, recent=recent, exclude=exclude)
    if choice is not None:
        assert is_unlocked(choice.skill, standings, by_id(skills))
        assert choice.slug not in exclude
        assert any(item.slug == choice.slug and choice.skill in [one.skill for one in item.steps] for item in items)
        assert 0 < choice.predicted < 1
        assert 0 < len(choice.reason) <= 300
        assert standings[choice.skill].level != Level.MASTERED or choice.bucket != Bucket.ANYTHING
    shuffled = list(items)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    turned = dict(reversed(standings.items()))
    assert choose(shuffled, turned, skills, goal=goal, recent=recent, exclude=exclude) == choice


@settings(max_examples=300)
@given(worlds(), GOAL, RECENT)
def test_there_is_always_something_until_all_is_mastered_and_nothing_is_due(
    world: tuple[list[Item], dict[str, Standing], list[Skill]], goal: str | None, recent: list[tuple[str, str]]
) -> None:
    items, standings, skills = world
    is_done = all(one.level == Level.MASTERED and not one.is_due for one in standings.values())
    is_failing = any(one.failures >= 2 for one in standings.values())
    choice = choose(items, standings, skills, goal=goal, recent=recent)
    if not is_done:
        assert choice is not None
    elif not is_failing:
        assert choice is None


@given(worlds(), GOAL, RECENT)
def test_buckets_come_in_their_order(
    world: tuple[list[Item], dict[str, Standing], list[Skill]], goal: str | None, recent: list[tuple[str, str]]
) -> None:
    items, standings, skills = world
    order = []
    without: list[str] = []
    while choice := choose(items, standings, skills, goal=goal, recent=recent, without=without):
        order.append(choice.bucket)
        without.append(choice.skill)
    assert order == sorted(order)
    assert len(set(without)) == len(without) <= len(skills)
    assert set(without) <= unlocked(standings, by_id(skills))


def test_reasons_keep_the_signs_of_abbreviations_and_symbols() -> None:
    learner = Learner()
    standings = learner.standings()
    for skill in SKILLS:
        standings[skill.id] = held(skill.id, Level.PROFICIENT, is_due=True, retention=0.5)
    reasons = []
    for skill in SKILLS:
        others = [one.id for one in SKILLS if one is not skill]
        reasons.append(certain(choose(built_in(), standings, SKILLS, without=others)).reason)
    assert "Due for review: the masked set M, needed for averaging over the masked set." in reasons
    assert all(re.fullmatch(r"Due for review: [^.]+\.", reason) for reason in reasons)


def test_a_step_that_rests_on_something_closed_is_no_way_to_its_skill() -> None:
    skills = [
        catalogue.Skill("a", "Adding", "a", (), (), 0, 0),
        catalogue.Skill("b", "Binding", "b", (), (), 0, 1),
        catalogue.Skill("c", "Casting", "c", ("b",), (), 1, 1),
    ]
    behind = Item("x", (ItemStep("r", "c", 0.0, 0.0), ItemStep("s", "a", 0.0, 0.0, frozenset({"c"}))))
    plain = Item("y", (ItemStep("s", "a", 0.0, 0.0), ItemStep("t", "c", 0.0, 0.0), ItemStep("u", "c", 0.0, 0.0)))
    choice = choose([behind, plain], class_of({}, skills), skills)
    assert choice is not None
    assert (choice.slug, choice.skill) == ("y", "a")
    # Where there is no other way, it is taken all the same.
    assert choose([behind], class_of({}, skills), skills) is not None
