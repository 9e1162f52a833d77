"""Whom a regrade moves, and by how much: worked out by the very code that keeps scores, then written down."""

from collections.abc import Sequence
from fractions import Fraction

from django.db import transaction
from django.db.models import OuterRef, Subquery

from exercises.actions.regrading.lease import advance
from exercises.actions.regrading.scope import attempts_of, submissions_of
from exercises.bulk import write
from exercises.models import AttemptItem, RegradeChange, RegradeEvent, RegradeMove
from exercises.queries.attempt_scores import worked_out

#: Attempts that are worked out together.
BATCH = 100


def write_moves(event: RegradeEvent, *, after: int) -> int | None:
    """Write what the changes come to for the next attempts; the last of them, or None if there are none left."""
    attempts = list(attempts_of(event).filter(pk__gt=after).values_list("pk", flat=True)[:BATCH])
    if not attempts:
        return None
    moves = _moves(event, attempts)
    with transaction.atomic():
        write(RegradeMove, moves)
        advance(event, reached=-attempts[-1] - 1)
    return attempts[-1]


def _moves(event: RegradeEvent, attempts: Sequence[int]) -> list[dict[str, object]]:
    """The rows of the places of these attempts at which some verdict changes, from the scores that are kept now and
    those that would be. Some 14 queries."""
    # Each looked up by itself: joined, PostgreSQL may go through all changes of the event for every batch.
    change = RegradeChange.objects.filter(event=event, is_kept=False, submission=OuterRef("pk"))
    sent = submissions_of(event).filter(variant__attempt_item__attempt__any_of=attempts).order_by()
    found = sent.values_list("pk", "variant__attempt_item_id", Subquery(change.values("after")[:1]))
    judged, places = {}, set()
    for pk, place, verdict in found:
        if verdict is not None:
            judged[pk] = verdict
            places.add(place)
    if not places:
        return []
    after = worked_out(places, judged=judged, judged_by=event.version)
    rows = AttemptItem.objects.filter(pk__any_of=places).order_by("pk")
    columns = "score_numerator", "score_denominator", "attempt__score_numerator", "attempt__score_denominator"
    return [
        _move(event, pk, (_share(*kept[:2]), after.items[pk][1]), (_share(*kept[2:]), after.attempts[attempt][0]))
        for pk, attempt, *kept in rows.values_list("pk", "attempt_id", *columns)
    ]


def _share(numerator: int | None, denominator: int | None) -> Fraction | None:
    return None if numerator is None or not denominator else Fraction(numerator, denominator)


def _move(
    event: RegradeEvent,
    place: int,
    item: tuple[Fraction | None, Fraction | None],
    whole: tuple[Fraction | None, Fraction | None],
) -> dict[str, object]:
    by = (whole[1] or Fraction(0)) - (whole[0] or Fraction(0)), (item[1] or Fraction(0)) - (item[0] or Fraction(0))
    first = next((one for one in by if one), None)
    return {
        "event_id": event.pk,
        "attempt_item_id": place,
        "item_before": _text(item[0]),
        "item_after": _text(item[1]),
        "attempt_before": _text(whole[0]),
        "attempt_after": _text(whole[1]),
        "size": float(abs(by[0])),
        "is_raised": None if first is None else first > 0,
    }


def _text(share: Fraction | None) -> str:
    return "" if share is None else str(share)
