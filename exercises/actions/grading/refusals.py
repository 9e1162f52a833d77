"""What somebody who decides about scores is refused, in words."""

from exercises.refusals import Refused

MOST_REASON = 500


class GradeRefused(Refused):
    """A decision that cannot be taken as it is; ``field`` names what is wrong with it, "" is the whole."""

    code = "grade-refused"

    def __init__(self, message: str, field: str = "") -> None:
        super().__init__(message)
        self.field = field


class ChangedMeanwhile(Refused):
    """Somebody decided otherwise since the page was made: what it showed is no longer what would happen."""

    code = "changed-meanwhile"


def checked_reason(reason: str) -> str:
    """The reason, which every decision has. Raises GradeRefused."""
    said = " ".join(reason.split())
    if not said:
        raise GradeRefused("Say why: the reason stands in the audit trail, and whoever asks later reads it.", "reason")
    if len(said) > MOST_REASON:
        raise GradeRefused(f"A reason has at most {MOST_REASON} characters; this has {len(said)}.", "reason")
    return said
