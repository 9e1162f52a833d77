"""The rules of a set at frozen moments: what opens, ends and is late when, for whom."""

import datetime as dt
from dataclasses import replace
from fractions import Fraction
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exercises.courses.rules import (
    Exemption,
    Feedback,
    Mode,
    Policy,
    Rules,
    days_late,
    effective,
    ends_at,
    late_share,
    may_show_feedback,
    may_show_solution,
    phase,
)

BERLIN = "Europe/Berlin"
HALF = Fraction(1, 2)


def at(told: str, zone: str = BERLIN, fold: int = 0) -> dt.datetime:
    """A moment by the clock on the wall there."""
    return dt.datetime.fromisoformat(told).replace(tzinfo=ZoneInfo(zone), fold=fold)


def rules(policy: Policy, *exemptions: Exemption, factor: str = "1", zone: str = BERLIN) -> Rules:
    return effective(policy, time_zone=zone, time_factor=Fraction(factor), exemptions=exemptions)


@pytest.mark.parametrize(
    ("moment", "expected"),
    [
        ("2026-11-30 08:59:59", "not-yet"),
        ("2026-11-30 09:00", "open"),
        ("2026-11-30 10:00", "open"),
        ("2026-11-30 10:00:01", "late"),
        ("2026-11-30 12:00", "late"),
        ("2026-11-30 12:00:01", "closed"),
    ],
)
def test_a_set_opens_is_late_and_closes(moment: str, expected: str) -> None:
    policy = Policy(
        "quiz", opens_at=at("2026-11-30 09:00"), due_at=at("2026-11-30 10:00"), closes_at=at("2026-11-30 12:00")
    )
    assert phase(rules(policy), at(moment)) == expected


@pytest.mark.parametrize(
    ("began", "factor", "end"),
    [
        # Due is soft: it ends nothing.
        ("2026-11-30 09:30", "1", "2026-11-30 10:30"),
        ("2026-11-30 09:30", "1.25", "2026-11-30 10:45"),
        ("2026-11-30 09:30", "1.01", "2026-11-30 10:30:36"),
        ("2026-11-30 11:30", "1", "2026-11-30 12:00"),
        ("2026-11-30 11:30", "2", "2026-11-30 12:00"),
    ],
)
def test_an_attempt_ends_with_its_time_or_with_the_set(began: str, factor: str, end: str) -> None:
    policy = Policy("quiz", due_at=at("2026-11-30 10:00"), closes_at=at("2026-11-30 12:00"), time_limit=60)
    assert ends_at(rules(policy, factor=factor), at(began)) == at(end)


def test_after_due_and_before_the_end_it_is_only_late() -> None:
    found = rules(Policy("quiz", due_at=at("2026-11-30 10:00"), closes_at=at("2026-11-30 12:00"), time_limit=60))
    assert [phase(found, at(f"2026-11-30 {told}")) for told in ("09:59", "10:29")] == ["open", "late"]
    assert late_share(found, at("2026-11-30 10:29")) == 1
    assert days_late(found, at("2026-11-30 10:29")) == 1


def test_without_an_end_nothing_ends() -> None:
    assert ends_at(rules(Policy("practice")), at("2026-11-30 10:00")) is None
    assert rules(Policy("quiz", due_at=at("2026-11-30 10:00"))).closes_at == at("2026-11-30 10:00")


def test_a_time_limit_passes_by_the_clock_and_not_by_the_wall() -> None:
    night = rules(Policy("exam", time_limit=120))
    assert ends_at(night, at("2026-10-25 01:30")) == dt.datetime(2026, 10, 25, 1, 30, tzinfo=dt.UTC)
    assert ends_at(night, at("2027-03-28 01:30")) == at("2027-03-28 04:30")


@pytest.mark.parametrize(
    ("due", "moment", "days"),
    [
        # In time, to the second.
        ("2026-10-24 20:00", "2026-10-24 20:00", 0),
        ("2026-10-24 20:00", "2026-10-24 20:00:00.000001", 1),
        # The clock goes back: the day has 25 hours, and 24.5 of them are within it.
        ("2026-10-24 20:00", "2026-10-25 19:30", 1),
        ("2026-10-24 20:00", "2026-10-25 20:00", 1),
        ("2026-10-24 20:00", "2026-10-25 20:00:01", 2),
        ("2026-10-24 20:00", "2026-10-26 19:59", 2),
        # It goes forward: the day has 23.
        ("2027-03-27 20:00", "2027-03-28 20:00", 1),
        ("2027-03-27 20:00", "2027-03-28 20:30", 2),
        # 02:30 does not exist on that day: the border is 03:30.
        ("2027-03-27 02:30", "2027-03-28 03:30", 1),
        ("2027-03-27 02:30", "2027-03-28 03:31", 2),
        # The day before it, in the evening: only the date has changed.
        ("2026-11-30 23:59", "2026-12-01 00:01", 1),
        ("2026-11-30 00:00", "2026-11-30 23:59", 1),
        ("2026-11-30 00:00", "2026-12-01 00:00", 1),
    ],
)
def test_days_late_are_those_of_the_calendar(due: str, moment: str, days: int) -> None:
    assert days_late(rules(Policy("quiz", due_at=at(due))), at(moment)) == days


def test_where_the_time_of_day_comes_twice_the_second_is_the_border() -> None:
    found = rules(Policy("quiz", due_at=at("2026-10-24 02:30"), late=(Fraction(1), HALF)))
    assert days_late(found, at("2026-10-25 02:30", fold=0)) == 1
    assert days_late(found, at("2026-10-25 02:30", fold=1)) == 1
    assert days_late(found, at("2026-10-25 02:31", fold=1)) == 2


def test_due_itself_is_the_moment_that_was_set_and_no_other_of_that_name() -> None:
    found = rules(Policy("quiz", due_at=at("2026-10-25 02:30", fold=0)))
    assert days_late(found, at("2026-10-25 02:30", fold=1)) == 1


def test_one_day_of_grace_over_the_night_of_the_clock_change() -> None:
    found = rules(Policy("quiz", due_at=at("2026-10-24 20:00"), late=(Fraction(1),)))
    sunday = at("2026-10-25 19:30")
    assert sunday.astimezone(dt.UTC) - at("2026-10-24 20:00").astimezone(dt.UTC) == dt.timedelta(hours=24.5)
    assert late_share(found, sunday) == 1
    assert phase(found, sunday) == "late"
    assert found.closes_at == at("2026-10-25 20:00")
    assert phase(found, at("2026-10-25 20:01")) == "closed"


def test_the_same_moment_is_as_late_as_it_is_where_the_course_is() -> None:
    due = dt.datetime(2026, 10, 24, 18, 0, tzinfo=dt.UTC)
    moment = dt.datetime(2026, 10, 25, 18, 30, tzinfo=dt.UTC)
    assert days_late(rules(Policy("quiz", due_at=due), zone=BERLIN), moment) == 1
    assert days_late(rules(Policy("quiz", due_at=due), zone="UTC"), moment) == 2


@pytest.mark.parametrize(
    ("late", "closes", "moment", "share"),
    [
        ((), None, "2026-12-05 10:00", Fraction(1)),
        ((Fraction(1), HALF), None, "2026-12-01 10:00", Fraction(1)),
        ((Fraction(1), HALF), None, "2026-12-01 10:01", HALF),
        # Still open after the last day that is written: as on that day.
        ((Fraction(1), HALF), "2026-12-24 10:00", "2026-12-20 10:00", HALF),
    ],
)
def test_what_is_left_late(late: tuple[Fraction, ...], closes: str | None, moment: str, share: Fraction) -> None:
    policy = Policy("quiz", due_at=at("2026-11-30 10:00"), closes_at=at(closes) if closes else None, late=late)
    assert late_share(rules(policy), at(moment)) == share
    assert late_share(rules(replace(policy, mode="practice")), at(moment)) == 1


GROUP = Exemption(due_at=at("2026-12-02 10:00"), time_limit=90, attempts=1, is_own=False)
OTHER_GROUP = Exemption(due_at=at("2026-12-01 10:00"), time_limit=100, is_own=False)
OWN = Exemption(due_at=at("2026-12-01 12:00"))


@pytest.mark.parametrize(
    ("exemptions", "due", "minutes", "attempts"),
    [
        ((), "2026-11-30 10:00", 60, 1),
        ((OWN,), "2026-12-01 12:00", 60, 1),
        ((GROUP,), "2026-12-02 10:00", 90, 2),
        # Of two groups the kinder word on each, and one's own before either; what it leaves empty is the groups'.
        ((OTHER_GROUP, GROUP), "2026-12-02 10:00", 100, 2),
        ((GROUP, OWN, OTHER_GROUP), "2026-12-01 12:00", 100, 2),
        ((GROUP, replace(OWN, attempts=3)), "2026-12-01 12:00", 90, 4),
        ((Exemption(),), "2026-11-30 10:00", 60, 1),
    ],
)
def test_an_extension_of_ones_own_beats_those_of_groups(
    exemptions: tuple[Exemption, ...], due: str, minutes: int, attempts: int
) -> None:
    policy = Policy("exam", due_at=at("2026-11-30 10:00"), time_limit=60)
    found = rules(policy, *exemptions, factor="1.5")
    assert found.due_at == at(due)
    assert found.time_limit == dt.timedelta(minutes=minutes) * 3 / 2
    assert found.attempts == attempts
    assert found.is_extended == (exemptions not in ((), (Exemption(),)))


def test_due_moved_past_the_end_takes_the_end_along() -> None:
    policy = Policy("quiz", due_at=at("2026-11-30 10:00"), closes_at=at("2026-11-30 12:00"), late=(HALF,))
    assert rules(policy, Exemption(due_at=at("2026-12-03 10:00"))).closes_at == at("2026-12-03 10:00")
    assert rules(policy, Exemption(due_at=at("2026-11-30 11:00"))).closes_at == at("2026-11-30 12:00")
    assert rules(policy, Exemption(closes_at=at("2026-12-04 10:00"))).closes_at == at("2026-12-04 10:00")


def test_later_days_follow_the_extended_due() -> None:
    found = rules(Policy("quiz", due_at=at("2026-10-20 20:00"), late=(HALF,)), Exemption(due_at=at("2026-10-24 20:00")))
    assert found.closes_at == at("2026-10-25 20:00")
    assert late_share(found, at("2026-10-24 19:00")) == 1
    assert late_share(found, at("2026-10-25 19:00")) == HALF


@pytest.mark.parametrize(
    ("mode", "given_credits", "worth"),
    [
        ("practice", (Fraction(1), HALF), ()),
        ("quiz", (Fraction(1), HALF), (Fraction(1), HALF)),
        ("quiz", (), (Fraction(1),)),
        ("exam", (Fraction(1), HALF), (Fraction(1),)),
    ],
)
def test_how_many_tries_count(mode: Mode, given_credits: tuple[Fraction, ...], worth: tuple[Fraction, ...]) -> None:
    assert rules(Policy(mode, credits=given_credits)).credits == worth


CLOSES = at("2026-11-30 12:00")
BEFORE, AFTER = at("2026-11-30 11:00"), at("2026-11-30 13:00")
RELEASED = at("2026-11-30 10:00")


@pytest.mark.parametrize(
    ("mode", "feedback", "released", "handed_in", "now", "marks", "solution"),
    [
        ("practice", "released", None, False, BEFORE, True, True),
        ("quiz", "at-once", None, False, BEFORE, True, False),
        ("quiz", "at-once", None, True, BEFORE, True, False),
        ("quiz", "at-once", None, False, AFTER, True, True),
        ("quiz", "handed-in", None, False, BEFORE, False, False),
        ("quiz", "handed-in", None, True, BEFORE, True, False),
        ("quiz", "handed-in", None, True, AFTER, True, True),
        ("exam", "at-once", None, False, BEFORE, False, False),
        ("exam", "at-once", None, True, BEFORE, True, False),
        ("exam", "released", None, True, AFTER, False, False),
        ("exam", "released", RELEASED, True, AFTER, True, True),
        # Released while one with an extension is still at it, or while it is open to those who handed in.
        ("exam", "released", RELEASED, False, BEFORE, False, False),
        ("exam", "released", RELEASED, True, BEFORE, True, False),
        ("exam", "released", AFTER, True, BEFORE, False, False),
    ],
)
def test_who_may_see_what_when(
    mode: Mode,
    feedback: Feedback,
    released: dt.datetime | None,
    handed_in: bool,
    now: dt.datetime,
    marks: bool,
    solution: bool,
) -> None:
    found = rules(Policy(mode, closes_at=CLOSES, feedback=feedback, released_at=released))
    assert may_show_feedback(found, handed_in=handed_in, now=now) == marks
    assert may_show_solution(found, handed_in=handed_in, now=now) == solution


def test_a_set_without_an_end_is_closed_for_whoever_handed_in() -> None:
    found = rules(Policy("quiz", feedback="at-once"))
    assert not may_show_solution(found, handed_in=False, now=BEFORE)
    assert may_show_solution(found, handed_in=True, now=BEFORE)


START = dt.datetime(2026, 10, 1, tzinfo=dt.UTC)
moments = st.integers(0, 400 * 24 * 60).map(lambda minutes: START + dt.timedelta(minutes=minutes))
zones = st.sampled_from([BERLIN, "UTC", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu"])
shares = st.lists(st.fractions(0, 1, max_denominator=10), max_size=4).map(lambda found: tuple(sorted(found)[::-1]))
factors = st.integers(100, 1000).map(lambda hundredths: Fraction(hundredths, 100))


@st.composite
def policies(draw: st.DrawFn) -> Policy:
    opens, due, closes = sorted(draw(st.lists(moments, min_size=3, max_size=3)))
    return Policy(
        draw(st.sampled_from(("quiz", "exam"))),
        opens_at=draw(st.sampled_from((None, opens))),
        due_at=draw(st.sampled_from((None, due))),
        closes_at=draw(st.sampled_from((None, closes))),
        time_limit=draw(st.none() | st.integers(1, 600)),
        late=draw(shares),
    )


@given(policies(), zones, factors, moments)
def test_nothing_ends_after_the_hard_end(policy: Policy, zone: str, factor: Fraction, began: dt.datetime) -> None:
    found = effective(policy, time_zone=zone, time_factor=factor)
    end = ends_at(found, began)
    if found.closes_at is not None:
        assert end is not None
        assert end <= found.closes_at
        assert phase(found, found.closes_at + dt.timedelta(microseconds=1)) in ("closed", "not-yet")
    if policy.time_limit is None:
        assert end == found.closes_at
    elif end is not None and end != found.closes_at:
        assert end - began == dt.timedelta(minutes=policy.time_limit) * factor.numerator / factor.denominator


@given(policies(), zones, moments, moments)
def test_later_is_never_worth_more(policy: Policy, zone: str, one: dt.datetime, other: dt.datetime) -> None:
    found = effective(policy, time_zone=zone)
    sooner, later = sorted((one, other))
    assert days_late(found, sooner) <= days_late(found, later)
    assert 0 <= late_share(found, later) <= late_share(found, sooner) <= 1


@given(moments, zones, st.integers(0, 5), st.integers(0, 24 * 60 - 1))
def test_days_late_agrees_with_a_calendar(due: dt.datetime, zone: str, days: int, minutes: int) -> None:
    """By the date and the time on the wall alone, wherever neither is in the hour of a clock change."""
    place = ZoneInfo(zone)
    local = due.astimezone(place).replace(tzinfo=None)
    wall = local + dt.timedelta(days=days, minutes=minutes)
    moment = wall.replace(tzinfo=place).astimezone(dt.UTC)
    is_plain = moment.astimezone(place).replace(tzinfo=None) == wall and moment == wall.replace(
        tzinfo=place, fold=1
    ).astimezone(dt.UTC)
    border = (local + dt.timedelta(days=days)).replace(tzinfo=place)
    if is_plain and border.astimezone(dt.UTC) == border.replace(fold=1).astimezone(dt.UTC) and moment >= due:
        found = effective(Policy("quiz", due_at=due), time_zone=zone)
        assert days_late(found, moment) == days + (1 if minutes else 0)


@given(policies(), zones, factors, st.data())
def test_exemptions_that_are_kinder_leave_nobody_worse_off(
    policy: Policy, zone: str, factor: Fraction, data: st.DataObject
) -> None:
    later = st.integers(0, 90 * 24 * 60).map(lambda minutes: dt.timedelta(minutes=minutes))

    def moved(moment: dt.datetime | None, sign: int) -> dt.datetime | None:
        by = data.draw(st.none() | later)
        return None if moment is None or by is None else moment + sign * by

    given_to = [
        Exemption(
            opens_at=moved(policy.opens_at, -1),
            due_at=moved(policy.due_at, 1),
            closes_at=moved(policy.closes_at, 1),
            time_limit=policy.time_limit and policy.time_limit + data.draw(st.integers(0, 60)),
            attempts=data.draw(st.integers(0, 2)),
            is_own=data.draw(st.booleans()),
        )
        for _ in range(data.draw(st.integers(0, 3)))
    ]
    plain = effective(policy, time_zone=zone)
    found = effective(policy, time_zone=zone, time_factor=factor, exemptions=given_to)
    moment = data.draw(moments)
    kinder = {"open": 2, "late": 1, "closed": 0, "not-yet": 0}
    assert kinder[phase(found, moment)] >= kinder[phase(plain, moment)]
    assert found.attempts >= plain.attempts
    before, after = ends_at(plain, moment), ends_at(found, moment)
    assert after is None or (before is not None and after >= before)
    assert days_late(found, moment) <= days_late(plain, moment)
