"""What is refused about courses and the people in them."""

from exercises.refusals import Refused


class CourseRefused(Refused):
    """A course, or what somebody is in it, that will not do; ``field`` names what is wrong, "" is the whole."""

    code = "course-refused"

    def __init__(self, message: str, field: str = "") -> None:
        super().__init__(message)
        self.field = field


class CodeRefused(Refused):
    """A join code that opens nothing."""

    code = "code-refused"


class RosterRefused(Refused):
    """A roster that cannot be used as a whole."""

    code = "roster-refused"


class RosterMoved(Refused):
    """What an import would do is no longer what was shown."""

    code = "roster-moved"
