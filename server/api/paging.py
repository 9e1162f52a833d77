"""Long lists a page at a time, in an order that rows arriving meanwhile cannot upset."""

import base64
import binascii
import datetime as dt
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any, Generic, TypeVar

from django.db.models import Model, Q, QuerySet
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from exercises.limits import MOST_ROWS
from server.api.errors import BadCursor

Row = TypeVar("Row", bound=Model)
DEFAULT_ROWS = 20
#: Where most rows have the time at which they were written last.
TOUCHED_AT = "updated_at"
#: Of a cursor; one of ours is shorter.
MOST_CHARACTERS = 300
#: The largest primary key there can be.
MOST_PK = 2**63 - 1


class Order(StrEnum):
    """By what a list goes; rows of one moment go by their primary key.

    touched  what was written longest ago first: follow it to the end, and you have seen everything
    oldest   in the order in which they were made
    newest   the other way round
    """

    TOUCHED = "touched"
    OLDEST = "oldest"
    NEWEST = "newest"


@dataclass(frozen=True)
class Place:
    """A place between two rows: right after the row with this key, or right before it."""

    is_after: bool
    pk: int
    at: dt.datetime | None = None

    def written(self, order: Order) -> str:
        """The opaque text of it in an address."""
        plain = [order, int(self.is_after), self.pk, self.at.isoformat() if self.at else None]
        return base64.urlsafe_b64encode(json.dumps(plain).encode()).decode().rstrip("=")

    @classmethod
    def read(cls, said: str, order: Order) -> "Place":
        """The place that a text names. It only ever chooses among rows that the reader may see anyway, so it is not
        signed. Raises BadCursor for any text that no page of this order gave."""
        try:
            if len(said) > MOST_CHARACTERS:
                raise ValueError("No cursor is that long.")
            name, is_after, pk, at = json.loads(base64.b64decode(said + "=" * (-len(said) % 4), b"-_", validate=True))
            moment = _moment(at) if at is not None else None
            # True is an int, and 1.0 is 1: neither was ever written by us.
            is_ours = type(pk) is int and 0 <= pk <= MOST_PK and type(is_after) is int and is_after in (0, 1)
            if name != order or not is_ours or (moment is not None) != (order == Order.TOUCHED):
                raise ValueError("Of another list.")
        except (ValueError, TypeError, binascii.Error, RecursionError, OverflowError) as error:
            raise BadCursor from error
        return cls(bool(is_after), pk, moment)


class Asked(serializers.Serializer):
    """What may be asked of any list that comes in pages."""

    cursor = serializers.CharField(required=False, max_length=MOST_CHARACTERS)
    limit = serializers.IntegerField(required=False, default=DEFAULT_ROWS, min_value=1, max_value=MOST_ROWS)


class AskedSince(Asked):
    """The same where rows say when they were written last."""

    updated_since = serializers.CharField(required=False, max_length=40)

    def validate_updated_since(self, said: str) -> dt.datetime:
        """The moment, which must have a time zone: whose midnight it is would be guessed otherwise."""
        try:
            return _moment(said)
        except (ValueError, OverflowError):
            raise serializers.ValidationError(
                "Write a moment with its time zone, such as 2026-11-30T08:00:00Z (a + as %2B)."
            ) from None


@dataclass(frozen=True)
class Page(Generic[Row]):
    """Rows in the order of the list, and the places where the pages around them begin."""

    rows: list[Row]
    following: Place | None
    previous: Place | None


def page(
    request: Request,
    rows: QuerySet[Row],
    tell: Callable[[list[Row]], Sequence[Any]],
    *,
    order: Order = Order.OLDEST,
    touched: str = TOUCHED_AT,
) -> Response:
    """One page of what ``rows`` finds, as the request asks: its query, and whatever ``tell`` needs for a page.

    ``tell`` says the rows of the page in the words of a shape; ``touched`` is where rows have the time at which they
    were written last. Raises ValidationError or BadCursor.
    """
    asked = (AskedSince if order == Order.TOUCHED else Asked)(data=request.query_params)
    asked.is_valid(raise_exception=True)
    wanted = asked.validated_data
    if wanted.get("updated_since"):
        rows = rows.filter(**{f"{touched}__gte": wanted["updated_since"]})
    place = Place.read(wanted["cursor"], order) if wanted.get("cursor") else None
    found = page_of(rows, order=order, limit=wanted["limit"], place=place, touched=touched)
    return answer(request, tell(found.rows), _written(found.following, order), _written(found.previous, order))


def answer(request: Request, results: Sequence[Any], following: str | None, previous: str | None) -> Response:
    """The body and the ``Link`` header of a page, by the cursors of the pages around it."""
    here = request.build_absolute_uri()
    urls = {name: replace_query_param(here, "cursor", text) for name, text in
            (("next", following), ("prev", previous)) if text is not None}  # fmt: skip
    body = {"results": results, "next": urls.get("next"), "previous": urls.get("prev")}
    links = ", ".join(f'<{url}>; rel="{name}"' for name, url in urls.items())
    return Response(body, headers={"Link": links} if links else None)


def page_of(
    rows: QuerySet[Row], *, order: Order, limit: int, place: Place | None, touched: str = TOUCHED_AT
) -> Page[Row]:
    """Up to ``limit`` rows after or before a place, from the beginning without one. One query."""
    is_forward = place is None or place.is_after
    is_rising = (order != Order.NEWEST) == is_forward
    names = (touched, "pk") if order == Order.TOUCHED else ("pk",)
    ordered = rows.order_by(*(name if is_rising else f"-{name}" for name in names))
    if place is not None:
        ordered = ordered.filter(_beyond(place, touched, is_rising=is_rising))
    found = list(ordered[: limit + 1])
    has_more, found = len(found) > limit, found[:limit]
    if not is_forward:
        found.reverse()
    if not found:
        return Page([], *_around_nothing(place, order))
    at = touched if order == Order.TOUCHED else None
    following = _place(found[-1], at, is_after=True) if has_more or not is_forward else None
    previous = _place(found[0], at, is_after=False) if (has_more and not is_forward) or _came_from(place) else None
    return Page(found, following, previous)


def _came_from(place: Place | None) -> bool:
    """Whether there is something before a page that was reached forwards."""
    return place is not None and place.is_after


def _around_nothing(place: Place | None, order: Order) -> tuple[Place | None, Place | None]:
    """The way back from an empty page: the same place from its other side, the row that it was taken from included."""
    if place is None:
        return None, None
    is_below = (order != Order.NEWEST) == place.is_after
    turned = Place(not place.is_after, min(max(place.pk + (1 if is_below else -1), 0), MOST_PK), place.at)
    return (None, turned) if place.is_after else (turned, None)


def _moment(said: str) -> dt.datetime:
    """A moment with its time zone. Raises ValueError or OverflowError for any other text."""
    moment = dt.datetime.fromisoformat(said)
    if moment.tzinfo is None:
        raise ValueError("No time zone.")
    return moment.astimezone(dt.UTC)


def _beyond(place: Place, touched: str, *, is_rising: bool) -> Q:
    side = "gt" if is_rising else "lt"
    beyond = Q(**{f"pk__{side}": place.pk})
    if place.at is None:
        return beyond
    # The first part repeats what the rest says, so that an index can be entered at the right place.
    return Q(**{f"{touched}__{side}e": place.at}) & (Q(**{f"{touched}__{side}": place.at}) | beyond)


def _place(row: Any, touched: str | None, *, is_after: bool) -> Place:
    return Place(is_after, row.pk, getattr(row, touched) if touched else None)


def _written(place: Place | None, order: Order) -> str | None:
    return place.written(order) if place else None


# --- How it is described ---------------------------------------------------------------------------------------------

_CURSOR = OpenApiParameter("cursor", str, description="A place in the list, as `next` and `previous` give it.")
_LIMIT = OpenApiParameter(
    "limit",
    {"type": "integer", "minimum": 1, "maximum": MOST_ROWS, "default": DEFAULT_ROWS},
    description=f"Rows a page, 1 to {MOST_ROWS}.",
)
_SINCE = OpenApiParameter(
    "updated_since",
    dt.datetime,
    description="Only rows written at this moment or later, with its time zone. Overlap a little: what was being "
    "written while you read may carry a time before that of your last row.",
)
PARAMETERS = [_CURSOR, _LIMIT]
PARAMETERS_SINCE = [*PARAMETERS, _SINCE]


@cache
def paged(shape: type[serializers.Serializer[Any]]) -> type[serializers.Serializer[Any]]:
    """The shape of a page of that shape."""
    fields: Mapping[str, Any] = {
        "results": shape(many=True),
        "next": serializers.URLField(allow_null=True, help_text="The next page; null on the last one."),
        "previous": serializers.URLField(allow_null=True, help_text="The page before; null on the first one."),
    }
    return type(f"{shape.__name__}Page", (serializers.Serializer,), {"__doc__": "", **fields})
