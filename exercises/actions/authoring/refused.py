"""What an author is refused, with all that the page needs to go on from there."""

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any

from exercises.refusals import Refused
from grader.errors import Fault


class AuthoringRefused(Refused):
    """Something about a problem that cannot be kept as it is, or is not one's own to change.

    ``faults`` says what is wrong by the field of the form, ``source_faults`` by the line of the problem file.
    """

    code = "authoring-refused"

    def __init__(
        self, message: str, faults: Mapping[str, str] | None = None, source_faults: Sequence[Fault] = ()
    ) -> None:
        super().__init__(message)
        self.faults = dict(faults or {})
        self.source_faults = list(source_faults)


class StaleDraft(AuthoringRefused):
    """The draft was changed elsewhere since the page was opened. Nothing was written, and ``source`` is what stands."""

    code = "stale-draft"

    def __init__(self, *, source: str, revision: int, edited_by: str, edited_at: dt.datetime | None) -> None:
        who = f" by {edited_by}" if edited_by else ""
        super().__init__(
            f"This draft was changed{who} since you opened it, so what you have here was not saved. It is still in the "
            "editor: compare the two texts, then save again or take the other one over."
        )
        self.source = source
        self.revision = revision
        self.edited_by = edited_by
        self.edited_at = edited_at


class NotPublished(AuthoringRefused):
    """The text does not pass what is asked of a problem that learners meet; ``seed`` is one that shows it."""

    code = "not-published"

    def __init__(
        self,
        message: str,
        *,
        seed: int | None = None,
        report: Mapping[str, Any] | None = None,
        source_faults: Sequence[Fault] = (),
    ) -> None:
        super().__init__(message, source_faults=source_faults)
        self.seed = seed
        self.report = dict(report or {})
