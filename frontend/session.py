"""The session of the day in words: its parts, what each exercise is for, and how far one is."""

from collections.abc import Sequence
from dataclasses import dataclass

from exercises.queries import SessionRow, SessionView

CHECK = (
    "Several skills mixed, a day or more after you learnt them, without help. Who shows a skill again here has "
    "mastered it; an answer that goes wrong costs one level, never all of it."
)
#: The parts in their order, each with its heading and what it is for.
PARTS = {
    "review": ("Reviews", "What you could do, before it slips away."),
    "new": ("New work", "The next steps on the map."),
    "check": ("Mixed check", CHECK),
}


@dataclass(frozen=True)
class Part:
    """One part of the session."""

    kind: str
    heading: str
    says: str
    items: tuple[SessionRow, ...]


@dataclass(frozen=True)
class SessionShown:
    """The whole session. ``following``: the exercise to go on with; None once all is done. What was taken out of the
    exercises since is shown in its part, and counts neither as done nor in ``total``. ``day`` is its study day, as
    forms send it back."""

    day: str
    parts: tuple[Part, ...]
    done: int
    total: int
    following: SessionRow | None

    @property
    def is_finished(self) -> bool:
        """Whether nothing is left to do."""
        return self.following is None


def session_view(session: SessionView) -> SessionShown:
    """The session by its parts; a part without an exercise is left out."""
    items: Sequence[SessionRow] = session.items
    parts = tuple(
        Part(kind, heading, says, held)
        for kind, (heading, says) in PARTS.items()
        if (held := tuple(item for item in items if item.kind == kind))
    )
    in_order = [item for part in parts for item in part.items]
    begun = next((item for item in in_order if item.state == "begun"), None)
    return SessionShown(
        day=session.study_day.isoformat(),
        parts=parts,
        done=sum(item.state == "done" for item in items),
        total=sum(item.state != "gone" for item in items),
        following=begun or next((item for item in in_order if item.state == "todo"), None),
    )
