"""What cannot be printed or entered."""

from exercises.refusals import Refused


class PaperRefused(Refused):
    """Copies that cannot be drawn, or a copy that cannot be entered so; the message says why, and what to do."""

    code = "paper-refused"
