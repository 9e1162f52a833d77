"""What somebody who sits a set is refused, in words."""

from exercises.refusals import Refused


class SetNotOpen(Refused):
    """The set cannot be begun: it is not open yet, or not any more, or nothing is in it."""

    code = "set-not-open"


class AttemptOver(Refused):
    """Nothing more is taken: it was handed in, or time is up. ``is_kept``: what was typed was put beside it."""

    code = "attempt-over"

    def __init__(self, message: str, *, is_kept: bool = False) -> None:
        super().__init__(message)
        self.is_kept = is_kept


class TimeNotUp(Refused):
    """A page handed in because time is up, and by the rules as they are now it is not."""

    code = "time-not-up"


class PageOutOfDate(Refused):
    """The page shows another variant than the one that is open now: its numbers are others."""

    code = "page-out-of-date"


class NoTryLeft(Refused):
    """No try can be taken now: all are used, one is still being marked, or another variant comes first."""

    code = "no-try-left"


class NotInThisSet(Refused):
    """Something that the rules of this set do not have: checks in an exam, hints where there are none."""

    code = "not-in-this-set"
