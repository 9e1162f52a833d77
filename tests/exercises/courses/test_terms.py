"""Times from one term to the next, across changes of the clocks; and join codes."""

import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from exercises.courses.codes import LENGTH, LETTERS, new_code, read_code, shown_code
from exercises.courses.terms import moved

BERLIN, NEW_YORK = "Europe/Berlin", "America/New_York"
CASES = [
    # when in the first zone, days, second zone, when there
    ("2026-10-01 12:00", BERLIN, 182, BERLIN, "2027-04-01 12:00"),  # summer time both
    ("2026-10-24 20:00", BERLIN, 7, BERLIN, "2026-10-31 20:00"),  # over the change: the same time of day
    ("2026-12-01 23:59", BERLIN, -365, BERLIN, "2025-12-01 23:59"),
    ("2026-12-01 23:59", BERLIN, 0, NEW_YORK, "2026-12-01 23:59"),
    ("2026-03-22 02:30", BERLIN, 7, BERLIN, "2026-03-29 03:30"),  # left out on that day
    ("2026-10-18 02:30", BERLIN, 7, BERLIN, "2026-10-25 02:30"),  # twice on that day: the first
]


@pytest.mark.parametrize(("before", "zone", "days", "other", "after"), CASES)
def test_the_same_time_of_day(before: str, zone: str, days: int, other: str, after: str) -> None:
    moment = dt.datetime.fromisoformat(before).replace(tzinfo=ZoneInfo(zone)).astimezone(dt.UTC)
    found = moved(moment, days=days, from_zone=zone, to_zone=other)
    assert found is not None
    assert found.tzinfo is dt.UTC
    assert f"{found.astimezone(ZoneInfo(other)):%Y-%m-%d %H:%M}" == after


def test_the_first_of_two_is_meant() -> None:
    first = dt.datetime(2026, 10, 18, 0, 30, tzinfo=dt.UTC)
    assert moved(first, days=7, from_zone=BERLIN, to_zone=BERLIN) == dt.datetime(2026, 10, 25, 0, 30, tzinfo=dt.UTC)


def test_what_is_not_set_stays_so() -> None:
    assert moved(None, days=7, from_zone=BERLIN, to_zone=BERLIN) is None


def test_codes_are_read_as_they_are_said() -> None:
    code = new_code()
    assert len(code) == LENGTH
    assert set(code) <= set(LETTERS)
    for typed in (code, code.lower(), shown_code(code), f"  {code[:3]} {code[3:]}\n"):
        assert read_code(typed) == code
    assert read_code("") == read_code("- -") == ""
    assert len(read_code("X" * 1000)) < 20
    assert len({new_code() for _ in range(100)}) == 100
