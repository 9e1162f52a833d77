"""Times as they are typed: every clock change of a zone, and what comes back as it was."""

import datetime as dt
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exercises.courses.local_time import LocalTimeError, local_text, read_local

BERLIN = "Europe/Berlin"
ZONES = (BERLIN, "UTC", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia")


def utc(text: str) -> dt.datetime:
    return dt.datetime.fromisoformat(text).replace(tzinfo=dt.UTC)


@pytest.mark.parametrize(
    ("text", "zone", "moment"),
    [
        ("2026-11-30T12:00", BERLIN, "2026-11-30 11:00"),
        ("2026-07-01 12:00", BERLIN, "2026-07-01 10:00"),
        (" 2026-11-30T12:00 ", "UTC", "2026-11-30 12:00"),
        ("2026-11-30T12:00:59", "UTC", "2026-11-30 12:00"),
        # Around the hour that is left out, and around the one that comes twice.
        ("2027-03-28T01:59", BERLIN, "2027-03-28 00:59"),
        ("2027-03-28T03:00", BERLIN, "2027-03-28 01:00"),
        ("2026-10-25T01:59", BERLIN, "2026-10-24 23:59"),
        ("2026-10-25T03:00", BERLIN, "2026-10-25 02:00"),
    ],
)
def test_a_time_is_that_of_the_clocks_of_the_zone(text: str, zone: str, moment: str) -> None:
    assert read_local(text, zone) == utc(moment)


@pytest.mark.parametrize(
    ("text", "zone", "words"),
    [
        ("2027-03-28T02:30", BERLIN, "never show 02:30. Write 01:30 or 03:30"),
        ("2027-03-28T02:00", BERLIN, "never show 02:00"),
        ("2026-10-25T02:00", BERLIN, "show 02:00 twice, in CEST and again in CET"),
        ("2026-10-25T02:59", BERLIN, "twice"),
        # Half an hour is left out there.
        ("2026-10-04T02:15", "Australia/Lord_Howe", "Write 01:45 or 02:45"),
        # A whole day is.
        ("2011-12-30T12:00", "Pacific/Apia", "never show 12:00"),
        ("2026-02-30T10:00", BERLIN, "There is no 2026-02-30 10:00"),
        ("2026-11-30T24:00", BERLIN, "There is no"),
        ("0026-11-30T12:00", BERLIN, "between 2000 and 2200"),
        ("tomorrow", BERLIN, "Write the day and the time of day"),
        ("2026-11-30", BERLIN, "Write the day and the time of day"),
        ("٢٠٢٦-١١-٣٠T12:00", BERLIN, ""),
    ],
)
def test_what_says_no_one_moment_is_refused_with_what_to_write(text: str, zone: str, words: str) -> None:
    if text.isascii():
        with pytest.raises(LocalTimeError, match=r".*") as refused:
            read_local(text, zone)
        assert words in str(refused.value)
    else:  # digits of another script are digits
        assert read_local(text, zone) == utc("2026-11-30 11:00")


def test_no_time_is_none() -> None:
    assert read_local("", BERLIN) is None
    assert read_local("  ", BERLIN) is None
    assert local_text(None, BERLIN) == ""


@given(
    st.datetimes(dt.datetime(2001, 1, 1), dt.datetime(2099, 12, 31)),  # noqa: DTZ001
    st.sampled_from(ZONES),
)
def test_what_is_kept_comes_back_as_it_was(naive: dt.datetime, zone: str) -> None:
    """Also a moment in an hour that comes twice, and one with seconds: an unchanged form changes nothing."""
    moment = naive.replace(tzinfo=dt.UTC)
    assert read_local(local_text(moment, zone), zone, kept=moment) == moment


@given(
    st.datetimes(dt.datetime(2001, 1, 1), dt.datetime(2099, 12, 31)),  # noqa: DTZ001
    st.sampled_from(ZONES),
)
def test_a_time_that_is_read_is_what_the_clocks_show_then(naive: dt.datetime, zone: str) -> None:
    text = naive.strftime("%Y-%m-%dT%H:%M")
    try:
        moment = read_local(text, zone)
    except LocalTimeError:
        # Only where the clocks are moved within a day of it.
        near = [naive.replace(tzinfo=dt.UTC) + dt.timedelta(hours=hours) for hours in (-40, 40)]
        assert near[0].astimezone(ZoneInfo(zone)).utcoffset() != near[1].astimezone(ZoneInfo(zone)).utcoffset()
    else:
        assert local_text(moment, zone) == text
