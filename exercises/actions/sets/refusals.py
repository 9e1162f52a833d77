"""What is refused to whoever makes problem sets."""

from collections.abc import Mapping, Sequence

from exercises.refusals import Refused


class SetRefused(Refused):
    """Something about a set that cannot be kept as it is; ``faults`` say what, by field, "" for the whole."""

    code = "set-refused"

    def __init__(self, message: str, faults: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.faults = dict(faults or {})


class SetChanged(Refused):
    """Somebody else changed it since the page was made, so nothing was written over."""

    code = "set-changed"


class CourseAway(Refused):
    """A course that is put away, in which no set is made or changed."""

    code = "course-away"


class NotReady(Refused):
    """A set that cannot be published; ``reasons`` say why, each with what to do."""

    code = "set-not-ready"

    def __init__(self, reasons: Sequence[str]) -> None:
        super().__init__("It cannot be published yet. " + " ".join(reasons))
        self.reasons = list(reasons)


CHANGED = (
    "Somebody else changed this while you were editing. What stands there now is shown beside what you typed: nothing "
    "is written over until you keep yours."
)
GONE = "This problem set was taken away meanwhile, or its course is archived: nothing was changed."
