"""The daily session, and where it leads somebody who keeps to it."""

import datetime as dt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exercises import catalogue
from exercises.mastery.choosing import Item, ItemStep, choose
from exercises.mastery.composing import Kind, Planned, compose
from exercises.mastery.graph import needs
from exercises.mastery.levels import Standing, is_unlocked
from exercises.mastery.states import Level
from tests.exercises.mastery.learners import NOW, TODAY, Learner, built_in, class_of, held

SKILLS = catalogue.skills()
HOUR = dt.timedelta(hours=1)
EVERYTHING = {skill.id: Level.MASTERED for skill in SKILLS}


def session(levels: dict[str, Level | Standing], **wish: object) -> list[Planned]:
    """The session on the real map with the real problems."""
    return compose(built_in(), class_of(levels, SKILLS), SKILLS, now=NOW, today=TODAY, **wish)  # type: ignore[arg-type]


def of(kind: Kind, planned: list[Planned]) -> list[Planned]:
    return [one for one in planned if one.kind == kind]


def due(skill: str, level: Level = Level.MASTERED, retention: float = 0.8) -> Standing:
    return held(skill, level, is_due=True, retention=retention)


def test_a_fresh_learner_gets_new_work_and_nothing_else() -> None:
    planned = session({})
    assert [one.kind for one in planned] == [Kind.NEW, Kind.NEW]
    assert all(not needs()[one.skill] for one in planned)


def test_what_is_met_twice_in_a_session_is_new_only_once() -> None:
    skills = [catalogue.Skill("a", "Adding", "a", (), (), 0, 0)]
    items = [Item(slug, (ItemStep("s", "a", 0.0, 0.0),)) for slug in ("x", "y")]
    first, second = compose(items, class_of({}, skills), skills, now=NOW, today=TODAY)
    assert first.reason == "New for you: adding; nothing else is needed first."
    assert (
        second.reason == "You are learning this: adding. Each right step without help brings you nearer to proficient."
    )


def test_within_a_week_of_sessions_a_beginner_has_met_every_root_of_the_map() -> None:
    learner = Learner()
    met: list[str] = []
    for _ in range(7):
        planned = compose(
            built_in(), learner.standings(), SKILLS, now=learner.now, today=learner.today, recent=learner.recent
        )
        for one in planned:
            met += learner.work(one.slug, one.skill, check=one.kind == Kind.CHECK, is_right=lambda _: True)
        # No day is all of one kind.
        new = [one.skill for one in of(Kind.NEW, planned)]
        assert len(set(new)) == len(new)
        learner.now = learner.now.replace(hour=12, minute=0, second=0) + dt.timedelta(days=1)
    assert {skill.id for skill in SKILLS if not skill.needs} <= set(met)


def test_reviews_come_first_the_least_remembered_before_the_others_and_three_at_most() -> None:
    levels: dict[str, Level | Standing] = dict(EVERYTHING)
    retentions = {"shapes": 0.85, "sigmoid": 0.5, "softmax": 0.6, "neg-log": 0.7}
    levels |= {skill: due(skill, retention=kept) for skill, kept in retentions.items()}
    planned = session(levels)
    assert [one.skill for one in planned] == ["sigmoid", "softmax", "neg-log"]
    assert {one.kind for one in planned} == {Kind.REVIEW}


def test_in_the_last_week_before_an_exam_reviews_come_before_new_work() -> None:
    levels: dict[str, Level | Standing] = dict(EVERYTHING) | {
        "perplexity": Level.LEARNING,
        "uniform-loss": Level.LEARNING,
    }
    some = ["sigmoid", "softmax", "neg-log", "shapes", "argmax", "token-counting", "exp-log"]

    def counts(reviews: int, days: int) -> tuple[int, int]:
        waiting = levels | {skill: due(skill) for skill in some[:reviews]}
        planned = session(waiting, exam_on=TODAY + dt.timedelta(days=days))
        assert all(("exam" in one.reason) == (0 <= days <= 7) for one in planned if one.kind == Kind.REVIEW), planned
        return len(of(Kind.REVIEW, planned)), len(of(Kind.NEW, planned))

    assert counts(7, 8) == (3, 2)
    assert counts(7, 7) == (6, 0)
    assert counts(4, 3) == (4, 1)
    assert counts(0, 1) == (0, 2)
    assert counts(7, -1) == (3, 2)
    today = of(Kind.REVIEW, session(levels | {"sigmoid": due("sigmoid")}, exam_on=TODAY))
    assert today[0].reason.endswith("The exam is today, so reviews come before new work.")


def test_the_check_waits_for_a_night() -> None:
    levels: dict[str, Level | Standing] = dict(EVERYTHING)
    levels["sigmoid"] = held("sigmoid", Level.PROFICIENT, since=NOW - 19.9 * HOUR)
    assert session(levels) == []
    levels["sigmoid"] = held("sigmoid", Level.PROFICIENT, since=NOW - 20 * HOUR)
    check = session(levels)
    assert {one.kind for one in check} == {Kind.CHECK}
    assert check[0].skill == "sigmoid"
    # Nothing that is said tells which of them is wanted.
    assert len({one.reason for one in check}) == 1
    assert "igmoid" not in check[0].reason
    assert len(_skills_in(check)) >= 3


def test_a_check_takes_along_what_is_mastered_and_due_beyond_the_reviews() -> None:
    levels: dict[str, Level | Standing] = dict(EVERYTHING) | {"sigmoid": Level.PROFICIENT}
    four = {"shapes": 0.85, "exp-log": 0.5, "softmax": 0.6, "neg-log": 0.7}
    levels |= {skill: due(skill, retention=kept) for skill, kept in four.items()}
    planned = session(levels)
    assert "shapes" not in [one.skill for one in of(Kind.REVIEW, planned)]
    assert "shapes" in _skills_in(of(Kind.CHECK, planned))
    # By itself it would be no reason for a check.
    assert not of(Kind.CHECK, session(levels | {"sigmoid": Level.MASTERED}))


def test_there_is_no_check_where_it_cannot_be_mixed() -> None:
    two: dict[str, Level | Standing] = {"token-counting": Level.PROFICIENT, "special-tokens": Level.LEARNING}
    # What was never practised is no company for it.
    assert not of(Kind.CHECK, session(two))
    three = of(Kind.CHECK, session(two | {"vocabulary-notation": Level.LEARNING}))
    assert len(_skills_in(three)) >= 3
    few = [item for item in built_in() if item.slug in {"token-slots"}]
    standings = class_of({"token-counting": Level.PROFICIENT, "special-tokens": Level.LEARNING}, SKILLS)
    assert not of(Kind.CHECK, compose(few, standings, SKILLS, now=NOW, today=TODAY))


def test_once_the_goal_is_reached_new_work_goes_on_elsewhere() -> None:
    planned = session({"exp-log": Level.MASTERED, "softmax": Level.MASTERED}, goal="softmax")
    assert len(of(Kind.NEW, planned)) == 2


LEVELS = st.fixed_dictionaries({skill.id: st.sampled_from(Level) for skill in SKILLS})


@settings(max_examples=60, deadline=None)
@given(
    LEVELS,
    st.sets(st.sampled_from([skill.id for skill in SKILLS])),
    st.none() | st.integers(-2, 20).map(lambda days: TODAY + dt.timedelta(days=days)),
    st.none() | st.sampled_from([skill.id for skill in SKILLS]),
    st.integers(0, 60),
)
def test_a_session_keeps_its_promises_wherever_a_learner_stands(
    levels: dict[str, Level], wants_review: set[str], exam_on: dt.date | None, goal: str | None, hours: int
) -> None:
    standings = {
        skill: held(
            skill,
            level,
            is_due=level.rank >= 2 and skill in wants_review,
            since=NOW - hours * HOUR,
            surplus=-1.0 if level.rank < 2 else 1.2,
        )
        for skill, level in levels.items()
    }
    planned = compose(built_in(), standings, SKILLS, now=NOW, today=TODAY, goal=goal, exam_on=exam_on)
    slugs = [one.slug for one in planned]
    assert len(set(slugs)) == len(slugs) <= 6 + 2 + 3
    assert [one.kind for one in planned] == sorted((one.kind for one in planned), key=list(Kind).index)
    assert all(is_unlocked(one.skill, standings, needs()) for one in planned)
    assert all(0 < len(one.reason) <= 300 for one in planned)
    assert all(standings[one.skill].is_due for one in of(Kind.REVIEW, planned))
    assert not any(standings[one.skill].is_due for one in of(Kind.NEW, planned))
    check = of(Kind.CHECK, planned)
    if check:
        asked = {skill for skill in _skills_in(check) if is_unlocked(skill, standings, needs())}
        assert len(asked) >= 3
        assert len(check) <= 3
        assert hours >= 20
        assert standings[check[0].skill].level == Level.PROFICIENT
    turned = dict(reversed(standings.items()))
    items = tuple(reversed(built_in()))
    assert compose(items, turned, SKILLS, now=NOW, today=TODAY, goal=goal, exam_on=exam_on) == planned


@pytest.mark.parametrize(("seed", "growth"), [(1, 0.35), (2, 0.35), (3, 0.1)])
def test_keeping_to_the_sessions_leads_from_nothing_to_everything_mastered(seed: int, growth: float) -> None:
    learner = Learner(seed=seed, growth=growth)
    for _ in range(250):
        standings = learner.standings()
        planned = compose(built_in(), standings, SKILLS, now=learner.now, today=learner.today, recent=learner.recent)
        check_skills: set[str] = set()
        for one in planned:
            skills = learner.work(one.slug, one.skill, check=one.kind == Kind.CHECK)
            assert one.skill in skills  # what it is there for is asked, however well it is held
            check_skills |= set(skills) if one.kind == Kind.CHECK else set()
        assert len(check_skills) >= 3 or not of(Kind.CHECK, planned)
        for _ in range(4):
            choice = choose(built_in(), learner.standings(), SKILLS, recent=learner.recent)
            if choice is None:
                break
            assert choice.skill in learner.work(choice.slug, choice.skill)
        if learner.is_done():
            return
        learner.now = learner.now.replace(hour=12, minute=0, second=0) + dt.timedelta(days=1)
    raise AssertionError(
        {skill: one.level for skill, one in learner.standings().items() if one.level != Level.MASTERED}
    )


def test_who_is_always_right_has_everything_mastered_within_three_months_by_the_sessions_alone() -> None:
    learner = Learner()
    for day in range(90):
        standings = learner.standings()
        planned = compose(built_in(), standings, SKILLS, now=learner.now, today=learner.today, recent=learner.recent)
        assert planned or day
        for one in planned:
            learner.work(one.slug, one.skill, check=one.kind == Kind.CHECK, is_right=lambda _: True)
        if all(one.level == Level.MASTERED for one in learner.standings().values()):
            return
        learner.now = learner.now.replace(hour=12, minute=0, second=0) + dt.timedelta(days=1)
    raise AssertionError(
        {skill: one.level for skill, one in learner.standings().items() if one.level != Level.MASTERED}
    )


def test_who_is_always_wrong_still_gets_something_every_day() -> None:
    learner = Learner()
    for _ in range(15):
        standings = learner.standings()
        planned = compose(built_in(), standings, SKILLS, now=learner.now, today=learner.today, recent=learner.recent)
        assert planned
        for one in planned:
            learner.work(one.slug, one.skill, check=one.kind == Kind.CHECK, is_right=lambda _: False)
        assert choose(built_in(), learner.standings(), SKILLS, recent=learner.recent)
        learner.now += dt.timedelta(days=1)


def _skills_in(planned: list[Planned]) -> set[str]:
    by_slug = {item.slug: item for item in built_in()}
    return {step.skill for one in planned for step in by_slug[one.slug].steps}
