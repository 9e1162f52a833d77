"""What programs send to the REST door beside bodies: cursors, filters, headers; and bodies as JSON."""

import datetime as dt
import io
from typing import Any

from django.core.exceptions import SuspiciousOperation
from django.http import QueryDict
from hypothesis import strategies as st
from rest_framework.exceptions import APIException
from rest_framework.parsers import JSONParser
from rest_framework.request import Request
from rest_framework.test import APIRequestFactory

from server.api import conditional, idempotency
from server.api.errors import BadCursor
from server.api.paging import Asked, AskedSince, Order, Place
from server.api.parsers import ShallowJSONParser
from server.api.waiting import seconds_asked
from server.callers import address_of
from server.headers import RequestIdMiddleware
from tests.fuzz.reader import Reader, ensure
from tests.fuzz.shapes import JSON, TEXTS, encoded, written_json

ETAG = conditional.tag("a", 1)


def read_cursor(data: bytes) -> object:
    """A place that is written as it was read, or BadCursor."""
    said = data.decode("utf-8", "replace")
    for order in Order:
        try:
            place = Place.read(said, order)
        except BadCursor:
            continue
        ensure(Place.read(place.written(order), order) == place, "another place than was written")
    return said


def read_query(data: bytes) -> object:
    """How long a page is and since when, or errors in words."""
    try:
        query = QueryDict(data.decode("utf-8", "replace").encode())
    except (
        SuspiciousOperation
    ) as refused:  # more fields than anybody fills in; Django answers 400, and the door in words
        return refused
    for shape in (Asked, AskedSince):
        asked: Any = shape(data=query)
        if asked.is_valid():
            ensure(1 <= asked.validated_data["limit"] <= 100, "a page without a bound")
            since = asked.validated_data.get("updated_since")
            ensure(not since or since.utcoffset() is not None, "a moment of no zone")
        else:
            ensure(asked.errors, "refused for nothing")
    return query


def read_headers(data: bytes) -> object:
    """What headers ask for, or an error of the door."""
    factory = APIRequestFactory()
    meta = {}
    for line in data.decode("latin-1").split("\n")[:20]:
        name, _, value = line.partition(":")
        if name.replace("-", "").isalpha():
            meta["HTTP_" + name.upper().replace("-", "_")] = value.strip(" \r")
    request = Request(factory.post("/", **meta))  # type: ignore[arg-type]
    ensure(0 <= seconds_asked(request) <= 5, "a request that waits without a bound")
    ensure(conditional.is_known(request, ETAG) in (True, False), "neither known nor not")
    for read in (lambda: conditional.require_match(request, ETAG), lambda: idempotency._key(request)):
        try:
            read()
        except APIException as refused:
            ensure(400 <= refused.status_code < 500, f"status {refused.status_code}")
    ensure(isinstance(address_of(request), str), "no address")
    kept = RequestIdMiddleware.given.fullmatch(request.headers.get("X-Request-Id", ""))
    ensure(kept is None or kept[0].isascii(), "an id that would break the log")
    return meta


def read_body(data: bytes) -> object:
    """JSON as it may be worked with, or an error of the door."""
    try:
        return ShallowJSONParser().parse(
            io.BytesIO(data), "application/json", {"encoding": "utf-8", "view": JSONParser}
        )
    except APIException as refused:
        ensure(refused.status_code == 400, f"status {refused.status_code}")
        return refused


_HEADER = st.sampled_from(
    ["Prefer", "If-Match", "If-None-Match", "Idempotency-Key", "X-Request-Id", "X-Forwarded-For", "Accept-Language"]
)
_VALUE = st.sampled_from(
    [
        "wait=2",
        "wait = 999",
        "respond-async; wait=5",
        "wait=٣",
        "*",
        ETAG,
        f"W/{ETAG}",
        '"a", ' * 50,
        "",
        "a" * 65,
        "x, 1.2.3.4",
    ]
)
_PLACE = st.tuples(
    st.sampled_from(list(Order)),
    st.booleans(),
    st.integers(0, 2**63 - 1),
    st.datetimes().map(lambda at: at.isoformat() + "+00:00") | st.none(),
)
_QUERY = st.lists(
    st.tuples(
        st.sampled_from(["limit", "cursor", "updated_since", "x"]),
        st.sampled_from(
            [
                "1",
                "100",
                "0",
                "-1",
                "1e3",
                "2026-11-30T08:00:00Z",
                "2026-11-30",
                "9999-12-31T23:59:59-23:59",
                "0001-01-01T00:00:00%2B23:59",
                "%00",
                "٣",
            ]
        )
        | TEXTS,
    ).map("=".join),
    max_size=4,
).map("&".join)


def _cursor(parts: tuple[Any, ...]) -> bytes:
    order, is_after, pk, at = parts
    return Place(is_after, pk, dt.datetime.fromisoformat(at) if at else None).written(order).encode()


READERS = (
    Reader("rest-cursor", read_cursor, _PLACE.map(_cursor) | encoded(TEXTS), ("WyJ0b3VjaGVkIiwg", "==", "-_")),
    Reader(
        "rest-query", read_query, encoded(_QUERY), ("limit=", "&cursor=", "updated_since=", "%2B", "9999-12-31", "%ff")
    ),
    Reader(
        "rest-headers",
        read_headers,
        encoded(st.lists(st.tuples(_HEADER, _VALUE | TEXTS).map(": ".join), max_size=5).map("\n".join)),
        ("Prefer: wait=", "If-Match: ", "Idempotency-Key: "),
    ),
    Reader("rest-body", read_body, written_json(JSON) | encoded(TEXTS), ("[" * 50, '{"a":', "1e999", "NaN", "\\ud800")),
)
