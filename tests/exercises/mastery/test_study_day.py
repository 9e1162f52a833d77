"""The study day: 04:00 on the learner's own wall, also where the clock is put forward or back."""

import datetime as dt
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exercises.mastery.study_day import streak, study_day, zone_of

BERLIN = "Europe/Berlin"


def local(text: str, zone: str, *, fold: int = 0) -> dt.datetime:
    """A time as a wall in ``zone`` shows it, in UTC as it would be stored."""
    return dt.datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone), fold=fold).astimezone(dt.UTC)


@pytest.mark.parametrize("zone", [BERLIN, "UTC", "Asia/Kolkata", "America/Los_Angeles", "Pacific/Kiritimati"])
def test_a_day_begins_at_four(zone: str) -> None:
    assert study_day(local("2026-11-29T03:59:59.999999", zone), zone) == dt.date(2026, 11, 28)
    assert study_day(local("2026-11-29T04:00", zone), zone) == dt.date(2026, 11, 29)
    assert study_day(local("2026-11-30T03:59", zone), zone) == dt.date(2026, 11, 29)


def test_the_same_moment_is_another_day_elsewhere() -> None:
    moment = dt.datetime(2026, 11, 29, 12, tzinfo=dt.UTC)
    assert study_day(moment, "Pacific/Kiritimati") == dt.date(2026, 11, 29)
    assert study_day(moment, "Pacific/Pago_Pago") == dt.date(2026, 11, 28)


@pytest.mark.parametrize(
    ("zone", "change"),
    [
        (BERLIN, "2026-03-29"),  # 02:00 → 03:00
        (BERLIN, "2026-10-25"),  # 03:00 → 02:00
        ("Australia/Lord_Howe", "2026-10-04"),  # half an hour forward
        ("Australia/Lord_Howe", "2026-04-05"),  # half an hour back
        ("Australia/Adelaide", "2026-10-04"),  # a zone of half hours, an hour forward
        ("America/St_Johns", "2026-11-01"),  # a zone of half hours, an hour back
        ("Pacific/Apia", "2020-09-27"),  # 03:00 → 04:00: the gap ends where the day begins
        ("Asia/Baku", "2015-03-29"),  # 04:00 → 05:00: the very time at which the day begins is left out
        ("Asia/Baku", "2015-10-25"),  # 05:00 → 04:00
        ("Antarctica/Casey", "2018-03-11"),  # 04:00 → 01:00
        ("Antarctica/Casey", "2018-10-07"),  # 04:00 → 07:00
    ],
)
def test_studying_at_half_past_three_each_night_keeps_the_streak_over_a_change_of_the_clock(
    zone: str, change: str
) -> None:
    middle = dt.date.fromisoformat(change)
    nights = [middle + dt.timedelta(days=days) for days in range(-3, 4)]
    days = [study_day(local(f"{night}T03:30", zone), zone) for night in nights]
    # At a gap 03:30 may be no time at all; whatever is shown instead belongs to one of the two days it lies between.
    around = [day for night, day in zip(nights, days, strict=True) if night != middle]
    assert around == [night - dt.timedelta(days=1) for night in nights if night != middle]
    daytime = {study_day(local(f"{night}T13:00", zone), zone) for night in nights}
    assert daytime == set(nights)
    assert streak(daytime, nights[-1]) == len(nights)


@pytest.mark.parametrize("change", ["2026-03-29", "2026-10-25"])
def test_the_night_of_the_change_belongs_to_the_evening_before(change: str) -> None:
    evening = dt.date.fromisoformat(change) - dt.timedelta(days=1)
    for fold in (0, 1):
        assert study_day(local(f"{change}T03:30", BERLIN, fold=fold), BERLIN) == evening
        assert study_day(local(f"{change}T02:30", BERLIN, fold=fold), BERLIN) == evening
    assert study_day(local(f"{change}T04:00", BERLIN), BERLIN) == evening + dt.timedelta(days=1)


def test_where_four_is_left_out_the_day_begins_with_the_first_time_after_it() -> None:
    for zone, gap in (("Asia/Baku", "2015-03-29T04:00"), ("Antarctica/Casey", "2018-10-07T04:00")):
        first = local(gap, zone)
        assert study_day(first - dt.timedelta(seconds=1), zone) == first.astimezone(
            ZoneInfo(zone)
        ).date() - dt.timedelta(1)
        assert study_day(first, zone) == first.astimezone(ZoneInfo(zone)).date()


EPOCH = dt.datetime(2000, 1, 1, tzinfo=dt.UTC)
MOMENTS = st.timedeltas(dt.timedelta(0), dt.timedelta(days=40 * 365)).map(lambda since: EPOCH + since)


@given(st.sampled_from(sorted(available_timezones())), MOMENTS, st.timedeltas(dt.timedelta(0), dt.timedelta(days=3)))
def test_time_never_leads_back_to_a_day_before(zone: str, moment: dt.datetime, later: dt.timedelta) -> None:
    assert study_day(moment, zone) <= study_day(moment + later, zone)


@given(st.text(max_size=300) | st.sampled_from(["", ".", "/", "Europe", "../Berlin", "Europe/Berlin\0", "x" * 5000]))
def test_a_zone_nobody_knows_is_utc(name: str) -> None:
    moment = dt.datetime(2026, 11, 29, 12, tzinfo=dt.UTC)
    if name not in available_timezones():
        assert study_day(moment, name) == dt.date(2026, 11, 29)


def test_a_moment_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="give it one"):
        study_day(dt.datetime(2026, 11, 29), BERLIN)  # noqa: DTZ001


def test_a_streak_runs_up_to_today_and_waits_for_it_until_it_is_over() -> None:
    today = dt.date(2026, 11, 29)
    ago = [today - dt.timedelta(days=days) for days in range(6)]
    assert streak([], today) == 0
    assert streak(ago[:3], today) == 3
    assert streak(ago[1:3], today) == 2
    assert streak(ago[2:], today) == 0
    assert streak([ago[0], ago[2]], today) == 1
    assert streak([*ago, *ago, today + dt.timedelta(days=1)], today) == 6


def test_a_zone_is_one_that_somebody_knows() -> None:
    assert zone_of(BERLIN) == ZoneInfo(BERLIN)
    for name in ("Mars/Olympus", "", "../../etc", "Europe", "/etc/localtime", "a\0b"):
        assert zone_of(name) is None
