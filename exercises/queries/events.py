"""The feed of a course's events, for whoever may read its learners' work."""

from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import Max

from exercises.limits import MOST_ROWS
from exercises.models import Course, Event, ProblemSet


@dataclass(frozen=True)
class FeedPage:
    """Some events in their order. ``position`` is the cursor to go on from, also where nothing is new."""

    events: list[Event]
    position: int
    is_end: bool


@dataclass(frozen=True)
class ToldEvent:
    """An event with what its set is called, "" for none."""

    event: Event
    set_title: str


def latest(course: Course, *, limit: int) -> list[ToldEvent]:
    """The last events in the feed of a course, the newest first, at most ``limit`` of them. Two queries."""
    rows = Event.objects.filter(course=course, position__isnull=False).select_related("learner", "actor")
    found = list(rows.order_by("-position")[: min(limit, MOST_ROWS)])
    wanted = {str(event.data.get("problem_set")) for event in found} - {"None"}
    sets = ProblemSet.objects.filter(course=course, public_id__in=wanted).values_list("public_id", "title")
    titles = {str(public_id): title for public_id, title in sets}
    return [ToldEvent(event, titles.get(str(event.data.get("problem_set")), "")) for event in found]


def feed(course: Course, *, after: int = 0, kinds: Collection[str] = (), limit: int = MOST_ROWS) -> FeedPage:
    """The events of a course behind a cursor, oldest first, at most ``limit`` of them. Whoever asks again with the
    ``position`` that it was given misses none and sees none twice. One query."""
    rows = Event.objects.filter(course=course, position__gt=after).select_related("learner", "actor")
    if kinds:
        rows = rows.filter(kind__in=kinds)
    found = list(rows.order_by("position")[: min(limit, MOST_ROWS) + 1])
    page = found[: min(limit, MOST_ROWS)]
    return FeedPage(page, page[-1].position or after if page else after, len(found) == len(page))


def last_place() -> int:
    """The place of the newest event in the feed of everything, 0 where there is none yet. One query."""
    return Event.objects.aggregate(last=Max("position"))["last"] or 0
