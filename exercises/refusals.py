"""What the domain refuses, in words for whoever asked. A door shows ``message`` and picks a status by ``code``."""

from collections.abc import Mapping


class Refused(Exception):
    """Base of every refusal. ``code`` is stable and for programs, ``message`` is a sentence for people."""

    code = "refused"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class AnswersRefused(Refused):
    """What was sent is no set of answers to this problem: unknown steps, wrong types, or far too long."""

    code = "answers-refused"


class VariantClosed(Refused):
    """The solution of this variant was shown, so nothing typed after that is marked."""

    code = "variant-closed"


class LeftCourse(Refused):
    """Work in a set of a course that its learner was taken out of."""

    code = "left-course"


class NothingToDraw(Refused):
    """No acceptable variant could be drawn; the problem's author has to widen its ranges."""

    code = "nothing-to-draw"


class TextRefused(Refused):
    """A text that is empty or too long."""

    code = "text-refused"


class NoMoreHints(Refused):
    """Every hint of the step was taken."""

    code = "no-more-hints"


class ProblemBroken(Refused):
    """A stored problem that can no longer be read, as after an upgrade that reads problem files more strictly."""

    code = "problem-broken"


class TriedTooOften(Refused):
    """So many answers were sent on one variant that no more are taken."""

    code = "tried-too-often"


class TooMuchAtOnce(Refused):
    """More was sent or drawn within a minute than a person does."""

    code = "throttled"


class UnknownUser(Refused):
    """A name that nobody here has."""

    code = "unknown-user"


class CardRefused(Refused):
    """A deck or a card that cannot be kept as it is, or is not one's own to change."""

    code = "card-refused"

    def __init__(self, message: str, faults: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        #: What is wrong, by the key of the card or the field of the deck; "" is the whole.
        self.faults = dict(faults or {})


class TurnClosed(Refused):
    """This turn of a card was rated already, or another has taken its place."""

    code = "turn-closed"


class PlanRefused(Refused):
    """A study plan that will not do; ``field`` names what is wrong with it."""

    code = "plan-refused"

    def __init__(self, message: str, field: str) -> None:
        super().__init__(message)
        self.field = field
