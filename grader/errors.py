"""What the grader says when it cannot go on. Every message is a sentence for the person who can mend it."""

from dataclasses import dataclass, field


class GraderError(Exception):
    """Base of all errors the grader raises on purpose."""


class FormulaError(GraderError):
    """A formula that cannot be parsed or evaluated; ``position`` is a 0-based column or None."""

    def __init__(self, message: str, position: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.position = position


@dataclass(frozen=True)
class Fault:
    """One thing wrong with a problem file: where (1-based line and, if known, column; dotted key) and what."""

    line: int
    key: str
    message: str
    column: int | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return f"line {self.line}, {self.key or 'file'}: {self.message}"


class ProblemError(GraderError):
    """A problem file that does not hold together; ``faults`` is never empty."""

    def __init__(self, faults: list[Fault]) -> None:
        super().__init__("; ".join(str(fault) for fault in faults))
        self.faults = faults


class ParameterError(GraderError):
    """Parameters of the wrong names, types or sizes for the problem."""


class AnswerError(GraderError):
    """Answers that are no answers: unknown step names, or something other than strings."""


class DrawError(GraderError):
    """No acceptable variant within the bounded number of draws."""
