"""The feed of events: each gets its place in one order, and goes after thirty days."""

import datetime as dt

from django.db import IntegrityError, transaction

from exercises import clock
from exercises.bulk import rewrite
from exercises.models import Event
from exercises.queries.events import last_place

#: Events that get their places together.
BATCH = 1000
KEPT = dt.timedelta(days=30)
#: Rows that are deleted together, so that none waits long for a lock.
CLEARED = 5000


def place_events(limit: int = BATCH) -> int:
    """Give the events that are committed and have none yet their places; how many got one.

    A cursor is a place, and a program that reads behind it must see everything: so places are given in committed
    batches, each after the one before. Of two workers that do it at once one is refused by the table itself, and leaves
    it to the other. Four queries.
    """
    try:
        with transaction.atomic():
            free = Event.objects.select_for_update(no_key=True, skip_locked=True).filter(position=None)
            rows = list(free.order_by("pk").only("pk", "position")[:limit])
            last = last_place()
            for place, row in enumerate(rows, start=last + 1):
                row.position = place
            rewrite(rows, ("position",))
    except IntegrityError:
        return 0
    return len(rows)


def clear_events() -> int:
    """Delete events of more than thirty days ago, and what was said of their delivery; how many they were.

    The last one of all stays, whatever its age: places are counted on from it.
    """
    last = last_place()
    old = Event.objects.filter(at__lt=clock.now() - KEPT, position__lt=last).order_by("pk")
    cleared = 0
    while some := list(old.values_list("pk", flat=True)[:CLEARED]):
        Event.objects.filter(pk__in=some).delete()
        cleared += len(some)
    return cleared
