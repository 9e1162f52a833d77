"""Lists that come in pages: every row once, forwards and back, whatever their times are and whatever arrives."""

import base64
import datetime as dt
import json

import pytest
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import DjangoAssertNumQueries
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.test import APIRequestFactory

from exercises.models import Course, User
from exercises.models.touched import install_trigger
from server.api.errors import BadCursor
from server.api.paging import Order, Place, page

pytestmark = pytest.mark.usefixtures("servers")
MOMENT = dt.datetime(2026, 1, 30, 8, tzinfo=dt.UTC)
HERE = "https://gym.example/api/v1/courses"


@pytest.fixture
def many(db: None) -> list[int]:
    """250 courses that were all written at one moment, in the order of their keys."""
    Course.objects.bulk_create(Course(title=f"Course {number}") for number in range(250))
    _written_at(MOMENT)
    assert Course.objects.filter(updated_at=MOMENT).count() == 250
    return list(Course.objects.order_by("pk").values_list("pk", flat=True))


def _written_at(moment: dt.datetime) -> None:
    """Let all courses have been written at another time: their table keeps its own, so it must look away."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("DROP TRIGGER exercises_course_touched")
            Course.objects.update(updated_at=moment)
            install_trigger(connection, "exercises_course")
        else:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute("ALTER TABLE exercises_course DISABLE TRIGGER touched")
            Course.objects.update(updated_at=moment)
            cursor.execute("ALTER TABLE exercises_course ENABLE TRIGGER touched")


def asked(address: str, order: Order) -> Response:
    request = Request(APIRequestFactory().get(address, secure=True, headers={"host": "testserver"}))
    return page(request, Course.objects.all(), lambda rows: [row.pk for row in rows], order=order)


def walked(address: str | None, order: Order, side: str) -> list[int]:
    """Everything that following ``next`` or ``previous`` tells, in the order of the list."""
    found: list[int] = []
    for _ in range(300):
        if address is None:
            return found
        body = asked(address, order).data
        found = [*found, *body["results"]] if side == "next" else [*body["results"], *found]
        address = body[side]
    raise AssertionError("The pages go round in a circle.")


@pytest.mark.parametrize("order", list(Order))
@pytest.mark.parametrize("limit", [1, 7, 50, 100])
def test_rows_of_one_moment_page_through_completely_forward_and_back(many: list[int], order: Order, limit: int) -> None:
    expected = many[::-1] if order == Order.NEWEST else many
    first = f"{HERE}?limit={limit}"
    assert walked(first, order, "next") == expected
    last = first
    while (following := asked(last, order).data["next"]) is not None:
        last = following
    assert walked(last, order, "previous") == expected


def test_the_first_page_has_none_before_and_the_last_none_after_it(many: list[int]) -> None:
    for order in Order:
        first = asked(f"{HERE}?limit=100", order)
        assert first.data["previous"] is None
        assert first["Link"] == f'<{first.data["next"]}>; rel="next"'
        second = asked(first.data["next"], order)
        assert asked(second.data["previous"], order).data == first.data
        third = asked(second.data["next"], order)
        assert third.data["next"] is None
        assert third["Link"] == f'<{third.data["previous"]}>; rel="prev"'
    assert "Link" not in asked(f"{HERE}?updated_since=2999-01-01T00:00:00Z", Order.TOUCHED)


def test_a_row_that_is_written_while_one_reads_is_seen_again_and_no_other_is_missed(many: list[int]) -> None:
    first = asked(f"{HERE}?limit=100", Order.TOUCHED).data
    Course.objects.filter(pk=many[3]).update(title="Changed")
    rest = walked(first["next"], Order.TOUCHED, "next")
    assert rest == [*many[100:], many[3]]


def test_a_place_whose_rows_are_gone_leads_back(many: list[int]) -> None:
    for order in Order:
        after_all = Place(True, 2**60 if order != Order.NEWEST else 0, MOMENT if order == Order.TOUCHED else None)
        nothing = asked(f"{HERE}?limit=100&cursor={after_all.written(order)}", order).data
        assert (nothing["results"], nothing["next"]) == ([], None)
        assert walked(nothing["previous"], order, "previous") == (many[::-1] if order == Order.NEWEST else many)


def test_an_emptied_page_leads_back_to_the_very_row_that_it_came_from(many: list[int]) -> None:
    first = asked(f"{HERE}?limit=100", Order.OLDEST).data
    Course.objects.filter(pk__in=many[100:]).delete()
    nothing = asked(first["next"], Order.OLDEST).data
    assert nothing["results"] == []
    assert asked(nothing["previous"], Order.OLDEST).data["results"] == many[:100]


def test_only_what_was_written_since_is_told_when_asked_for(many: list[int]) -> None:
    Course.objects.filter(pk=many[5]).update(title="Changed")
    later = (MOMENT + dt.timedelta(seconds=1)).isoformat().replace("+", "%2B")
    assert asked(f"{HERE}?updated_since={later}", Order.TOUCHED).data["results"] == [many[5]]
    body = asked(f"{HERE}?updated_since=2026-01-30T09:00:00%2B01:00&limit=100", Order.TOUCHED).data
    assert len(body["results"]) == 100
    assert "updated_since=2026-01-30T09" in body["next"]


@pytest.mark.parametrize(
    "said", ["yesterday", "2026-11-30", "2026-11-30T08:00:00", "0001-01-01T00:00:00%2B23:00", "2026-13-01T00:00Z"]
)
def test_a_moment_without_a_time_zone_is_not_guessed(db: None, said: str) -> None:
    with pytest.raises(ValidationError, match="time zone"):
        asked(f"{HERE}?updated_since={said}", Order.TOUCHED)


def test_a_page_costs_one_query_however_long(
    many: list[int], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    cursor = Place(False, many[200], MOMENT).written(Order.TOUCHED)
    for limit in (1, 100):
        with django_assert_num_queries(1):
            assert len(asked(f"{HERE}?limit={limit}&cursor={cursor}", Order.TOUCHED).data["results"]) == limit


def _encoded(plain: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(plain).encode()).decode().rstrip("=")


@pytest.mark.parametrize(
    "said",
    [
        "x", "===", "é", "\x00", "A" * 300, _encoded([]), _encoded({}), _encoded(None), _encoded("oldest"),
        _encoded(["newest", 1, 3, None]), _encoded(["oldest", 1, -1, None]), _encoded(["oldest", 1, 2**63, None]),
        _encoded(["oldest", True, 3, None]), _encoded(["oldest", 1, True, None]), _encoded(["oldest", 2, 3, None]),
        _encoded(["oldest", 1, "3", None]), _encoded(["oldest", 1, 3.0, None]), _encoded([["oldest"], 1, 3, None]),
        _encoded(["oldest", 1, 3, "2026-11-30T08:00:00+00:00"]), _encoded(["touched", 1, 3, None]),
        _encoded(["oldest", 1, float("nan"), None]), _encoded([[[[]]]]),
    ],
    ids=range(22),
)  # fmt: skip
def test_a_cursor_that_no_page_gave_is_refused(said: str) -> None:
    with pytest.raises(BadCursor, match="no such place"):
        Place.read(said, Order.OLDEST)


@given(said=st.text(max_size=400) | st.text("ABCDEFGHabcdefgh0123_-=", max_size=60))
def test_any_text_is_a_place_or_refused(said: str) -> None:
    for order in Order:
        try:
            Place.read(said, order)
        except BadCursor:
            continue


@given(is_after=st.booleans(), pk=st.integers(0, 2**63 - 1), at=st.datetimes(timezones=st.just(dt.UTC)))
def test_a_place_is_read_as_it_was_written(is_after: bool, pk: int, at: dt.datetime) -> None:
    for order in Order:
        place = Place(is_after, pk, at if order == Order.TOUCHED else None)
        assert Place.read(place.written(order), order) == place


def test_lists_of_the_door_come_in_pages_with_absolute_addresses(bob: User, client_of: object) -> None:
    """One list, by the door itself; that all lists are like it is said by the schema."""
    body = client_of(bob).get("/api/v1/submissions?limit=1").json()  # type: ignore[operator]
    assert body == {"results": [], "next": None, "previous": None}


def test_more_parameters_than_anybody_asks_by_are_refused_as_a_document(bob: User, client_of: object) -> None:
    refused = client_of(bob).get("/api/v1/submissions?limit=1" + "&x" * 1001)  # type: ignore[operator]
    assert (refused.status_code, refused["Content-Type"]) == (400, "application/problem+json")
    assert refused.json()["code"] == "bad-request"
