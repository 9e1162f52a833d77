"""Progress in words: three facts about a skill, days, mistakes, and the parts of a session."""

import datetime as dt
from dataclasses import replace

import pytest

from exercises.mastery.levels import Standing, standing
from exercises.mastery.mistakes import Label
from exercises.mastery.states import NOTHING, Level
from exercises.queries import MistakeRow, SessionRow, SessionView
from frontend.days import UNBROKEN, date_words, day_words, due_words
from frontend.levels import standing_words
from frontend.mistakes import MOST_OPEN, UNSAID, mistakes_of
from frontend.progress import due_lines, level_counts, percent, skill_line, skill_lines
from frontend.session import session_view
from tests.frontend.test_skill_map import NOW, catalogue

TODAY = NOW.date()
MARCH = dt.datetime(2026, 3, 3, 12, tzinfo=dt.UTC)
APRIL = dt.datetime(2026, 4, 9, 12, tzinfo=dt.UTC)


def held(level: Level, highest: Level | None = None, *, is_due: bool = False, **more: float | dt.date) -> Standing:
    """A standing since 9 April, whose highest level was reached on 3 March."""
    base = standing("softmax", NOTHING, now=NOW, today=TODAY, key="softmax")
    return replace(
        base, level=level, since=APRIL, highest=highest or level, highest_at=MARCH, is_due=is_due, steps=9, **more
    )


@pytest.mark.parametrize(
    ("level", "highest", "is_due", "said"),
    [
        (Level.LEARNING, Level.LEARNING, False, "Learning since 9 Apr"),
        (Level.PROFICIENT, Level.PROFICIENT, False, "Proficient since 9 Apr"),
        (Level.MASTERED, Level.MASTERED, True, "Mastered on 9 Apr, review due"),
        (Level.PROFICIENT, Level.MASTERED, True, "Mastered on 3 Mar, review due"),
        (Level.PROFICIENT, Level.MASTERED, False, "Mastered on 3 Mar, now proficient"),
        (Level.LEARNING, Level.MASTERED, False, "Mastered on 3 Mar, now learning"),
        (Level.LEARNING, Level.PROFICIENT, False, "Proficient on 3 Mar, now learning"),
    ],
)
def test_once_mastered_and_now_rusty_is_not_the_same_as_never(
    level: Level, highest: Level, is_due: bool, said: str
) -> None:
    told = standing_words(held(level, highest, is_due=is_due), today=TODAY, time_zone="UTC")
    assert told.replace(UNBROKEN, " ") == said
    assert UNBROKEN in told, "a day and its month stay on one line"


def test_what_was_not_started_says_no_more_than_that() -> None:
    line = skill_line(
        catalogue.skills()[0],
        standing("x", NOTHING, now=NOW, today=TODAY, key="x"),
        today=TODAY,
        time_zone="UTC",
    )
    assert line.history == "Not started"
    assert (line.chance, line.band, line.strip, line.retention, line.due) == ("", "", "", "", "")


def test_days_are_those_of_the_learners_own_zone() -> None:
    at = dt.datetime(2026, 3, 3, 23, 30, tzinfo=dt.UTC)
    assert day_words(at, today=TODAY, time_zone="Asia/Tokyo") == "4\u00a0Mar"
    assert day_words(at, today=TODAY, time_zone="UTC") == "3\u00a0Mar"
    assert day_words(at.replace(hour=2), today=TODAY, time_zone="UTC") == "2\u00a0Mar", "a study day begins at four"
    assert date_words(dt.date(2025, 12, 24), today=TODAY) == "24\u00a0Dec\u00a02025"


@pytest.mark.parametrize(
    ("ahead", "said", "in_full"),
    [
        (-3, "now", "now"),
        (0, "now", "now"),
        (1, "tomorrow", "tomorrow"),
        (5, "in 5 days", "in 5 days, on Friday 8 May"),
        (40, "on 12 Jun", "on 12 June"),
        (400, "on 7 Jun 2027", "on 7 June 2027"),
    ],
)
def test_when_something_is_due(ahead: int, said: str, in_full: str) -> None:
    day = TODAY + dt.timedelta(days=ahead)
    assert due_words(day, today=TODAY).replace(UNBROKEN, " ") == said
    assert due_words(day, today=TODAY, is_full=True).replace(UNBROKEN, " ") == in_full


@pytest.mark.parametrize(("share", "said"), [(0.0, "0%"), (0.001, "1%"), (0.5, "50%"), (0.9999, "99%"), (1.0, "100%")])
def test_what_is_nearly_certain_is_not_called_certain(share: float, said: str) -> None:
    assert percent(share) == said


def test_what_is_due_is_listed_the_most_faded_first_and_levels_are_counted() -> None:
    standings = {
        skill.id: standing(skill.id, NOTHING, now=NOW, today=TODAY, key=skill.id) for skill in catalogue.skills()
    }
    standings["softmax"] = held(Level.MASTERED, is_due=True, retention=0.7)
    standings["argmax"] = held(Level.PROFICIENT, is_due=True, retention=0.4)
    lines = skill_lines(standings, today=TODAY, time_zone="UTC")
    assert [line.skill.id for line in lines] == [skill.id for skill in catalogue.skills()]
    assert [line.skill.id for line in due_lines(lines)] == ["argmax", "softmax"]
    assert [(count.word, count.count) for count in level_counts(standings)] == [
        ("Mastered", 1),
        ("Proficient", 1),
        ("Learning", 0),
        ("Not started", len(lines) - 2),
    ]


def row(label: Label, *, k: int = 1, n: int = 1, days: int = 1, says: str = "In *bits*.") -> MistakeRow:
    return MistakeRow("loss.log2", label, k, n, NOW - dt.timedelta(days=days), "masked", "At one token", "loss", says)


def test_mistakes_that_may_still_be_made_come_before_those_that_were_left_behind() -> None:
    rows = [
        row(Label.RESOLVED, k=2, n=5),
        row(Label.SUSPECTED),
        row(Label.LIKELY, k=2, n=3, days=9, says=""),
        row(Label.LIKELY, k=3, n=5, days=2),
    ]
    told = mistakes_of(rows, today=TODAY, time_zone="UTC")
    assert [(line.word, line.count, line.last) for line in told.open] == [
        ("Likely", "3 times in the last 5 variants it could show in", "1\u00a0May"),
        ("Likely", "2 times in the last 3 variants it could show in", "24\u00a0Apr"),
        ("Suspected", "once", "2\u00a0May"),
    ]
    assert [line.count for line in told.resolved] == ["not made the last 3 times it could show"]
    assert told.open[1].says == UNSAID


def test_of_many_open_mistakes_the_likely_and_the_latest_come_first_and_the_rest_apart() -> None:
    suspected = [row(Label.SUSPECTED, days=days) for days in range(1, 12)]
    likely = [row(Label.LIKELY, k=2, n=3, days=days) for days in (40, 50)]
    told = mistakes_of([*suspected, *likely], today=TODAY, time_zone="UTC")
    assert len(told.open) == MOST_OPEN
    assert [line.last for line in told.open[:3]] == ["24\u00a0Mar", "14\u00a0Mar", "2\u00a0May"]
    assert len(told.more) == 13 - MOST_OPEN
    assert {line.label for line in told.more} == {Label.SUSPECTED}
    assert told.more[-1].last == "22\u00a0Apr"


def item(position: int, kind: str, state: str) -> SessionRow:
    return SessionRow(position, kind, "softmax", "masked", "At one token", "Because.", state, None)  # type: ignore[arg-type]


def test_a_session_goes_on_with_what_was_begun_and_ends_when_all_is_done() -> None:
    items = (item(1, "check", "todo"), item(2, "review", "done"), item(3, "new", "todo"), item(4, "new", "begun"))
    shown = session_view(SessionView(TODAY, items))
    assert [part.kind for part in shown.parts] == ["review", "new", "check"]
    assert (shown.done, shown.total, shown.is_finished) == (1, 4, False)
    assert shown.following is not None
    assert shown.following.position == 4
    finished = session_view(SessionView(TODAY, tuple(replace(one, state="done") for one in items)))
    assert finished.is_finished
    assert session_view(SessionView(TODAY, ())).parts == ()


def test_what_was_taken_out_of_a_session_is_shown_and_keeps_nobody_from_finishing() -> None:
    items = (item(1, "review", "gone"), item(2, "new", "done"), item(3, "new", "todo"))
    shown = session_view(SessionView(TODAY, items))
    assert [[one.state for one in part.items] for part in shown.parts] == [["gone"], ["done", "todo"]]
    assert (shown.done, shown.total, shown.is_finished) == (1, 2, False)
    assert shown.following is not None
    assert shown.following.position == 3
    finished = session_view(SessionView(TODAY, items[:2]))
    assert (finished.done, finished.total, finished.is_finished) == (1, 1, True)
