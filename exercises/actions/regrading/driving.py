"""The way through the answers of a regrade, there and back: batch by batch, in one order."""

from collections.abc import Sequence
from typing import Protocol

from django.db.models import QuerySet

from exercises.actions.regrading.lease import State, advance
from exercises.actions.regrading.stragglers import (
    BEHIND_ALL,
    is_late,
    next_graded,
    next_late,
    next_variants,
    reached_late,
    waits_for_marking,
)
from exercises.models import Grading, RegradeEvent, Submission, Variant


class Way(Protocol):
    """What is done with the answers on one way, applying or undoing; each batch in one transaction with ``reached``."""

    event: RegradeEvent
    #: What the event is, once there is nothing left.
    ends_as: State

    def take(self, rows: Sequence[Submission], *, reached: int, is_again: bool) -> None:
        """Do it to marked answers; ``is_again`` to some that it may have been done to before."""

    def unanswered(self) -> QuerySet[Variant]:
        """The variants it may be done to without an answer. No query."""

    def take_unanswered(self, variants: Sequence[Variant], *, reached: int) -> None:
        """Do it to these, as far as nothing was sent on them."""

    def late(self) -> QuerySet[Grading]:
        """The verdicts that were given the other way while this went on. No query."""


def next_batch(way: Way) -> bool:
    """Go on: the answers, then the variants without one, then what was marked meanwhile; whether there is more to do
    now."""
    event = way.event
    if is_late(event):
        rows = next_late(event, way.late())
        if not rows:
            advance(event, state=way.ends_as, reached=0)
            return False
        way.take(rows, reached=reached_late(rows), is_again=True)
    elif event.reached < 0:
        variants = next_variants(event, way.unanswered())
        if variants:
            # ``reached`` goes down from -1.
            way.take_unanswered(variants, reached=-variants[-1].pk - 1)
        elif waits_for_marking(event):
            return False
        else:
            advance(event, reached=BEHIND_ALL)
    else:
        rows = next_graded(event)
        if rows:
            way.take(rows, reached=rows[-1].pk, is_again=False)
        else:
            advance(event, reached=-1)
    return True
