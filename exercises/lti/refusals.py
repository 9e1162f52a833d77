"""Launches that are refused, in words for whoever sees the page: what is wrong, and what to do about it."""

from exercises.refusals import Refused

AGAIN = "Go back to your course and open the link once more."
ASK = "Tell whoever looks after the learning platform; the words above say what they need to know."
SET_UP = (
    "Whoever looks after the learning platform or this service has to compare the two set-ups: "
    "“LMS connections” here shows what belongs there."
)


class LaunchRefused(Refused):
    """A launch that is not taken. ``reason`` is stable and for programs, ``advice`` says what to do now."""

    code = "launch-refused"

    def __init__(self, reason: str, message: str, advice: str = ASK) -> None:
        super().__init__(message)
        self.reason = reason
        self.advice = advice
