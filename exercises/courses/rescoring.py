"""Whether scores can be otherwise after the rules of a set changed: pure, so that only these are worked out anew."""

import datetime as dt
from itertools import takewhile

from exercises.courses.rules import Rules


def lateness_moved(before: Rules, after: Rules, until: dt.datetime) -> bool:
    """Whether something that was sent by ``until`` may count as late otherwise than before, or at all.

    Whatever was in time by both counts as ever. In practice only the end decides what counts.
    """
    if before.mode != after.mode:
        return True
    if before.mode == "practice":
        ends, is_same = (before.closes_at, after.closes_at), before.closes_at == after.closes_at
    else:
        ends = before.due_at, after.due_at
        is_same = (before.due_at, before.late, before.time_zone) == (after.due_at, after.late, after.time_zone)
    earliest = min((end for end in ends if end is not None), default=None)
    return not is_same and earliest is not None and until > earliest


def same_tries(before: Rules, after: Rules) -> int:
    """How many of the first tries are worth what they were."""
    pairs = zip(before.credits, after.credits, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
