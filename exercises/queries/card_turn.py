"""One card as it stands before its learner: what it shows, what each rating would do, and what became of it."""

import datetime as dt
import logging
from dataclasses import dataclass

from exercises.card_memory import due_of, state_of
from exercises.card_sides import TurnSide, field_of, reading_of, side_of
from exercises.card_turns import BROKEN, TurnCard, card_of
from exercises.decks.schedule import Counted, allowed, turned
from exercises.mastery.retention import Rating
from exercises.models import CardMemory, CardTurn, Deck
from exercises.queries.card_queue import StudyDay, cards_left, day_of, undoable_reviews
from exercises.refusals import ProblemBroken
from grader.errors import GraderError
from grader.reading import Reading
from grader.wording import Field

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Ending:
    """What became of a turn that is over: it was ``rated`` or, if that is None, went on elsewhere or was set aside.

    ``is_undone``: the rating was taken back. ``due_on`` is the study day on which the card comes again; None where it
    does not, since it is set aside.
    """

    rated: Rating | None = None
    is_undone: bool = False
    due_on: dt.date | None = None


@dataclass(frozen=True)
class TurnView(TurnSide):
    """A turn of a card for its page: what it shows, and what belongs to the learner's day.

    ``ratings`` are those the learner may give, with the study day on which the card would come again, None where the
    rating moves nothing; there are none before the back is up. ``left`` counts the cards of ``today``, this one
    included. ``undoable`` is the id of the last review of today, which can be taken back; None if there is none.
    ``ending`` is None while the turn is open.
    """

    ratings: list[tuple[Rating, dt.date | None]]
    is_early: bool
    today: dt.date
    left: int
    undoable: int | None
    ending: Ending | None


def turn_view(turn: CardTurn, deck: Deck | None = None) -> TurnView:
    """The turn for its page; ``deck`` narrows what is counted as left.

    Six queries for a turn as ``access.turn_for`` finds it. Raises ProblemBroken for a card that can no longer be shown.
    """
    made = card_of(turn.source)
    try:
        return _view(turn, made, deck)
    except GraderError as error:
        log.error("Turn %s can no longer be shown: %s", turn.public_id, error)
        raise ProblemBroken(BROKEN) from error


def turn_field(turn: CardTurn) -> Field | None:
    """The box of a turn; None where nothing is read. No query. Raises ProblemBroken."""
    return field_of(card_of(turn.source), turn.parameters)


def turn_reading(turn: CardTurn, typed: str | list[str], locale: str = "en") -> Reading | None:
    """How something is read that stands in the box; None where nothing is read. No query, and nothing is stored."""
    return reading_of(card_of(turn.source), turn.parameters, typed, locale)


def _view(turn: CardTurn, made: TurnCard, deck: Deck | None) -> TurnView:
    day = day_of(turn.learner)
    memory = CardMemory.objects.filter(learner_id=turn.learner_id, card_id=turn.card_id).first()
    side = side_of(turn, made)
    is_ratable = turn.is_shown and turn.closed_at is None
    return TurnView(
        **vars(side),
        ratings=[(each, _would_come(turn, memory, each, day)) for each in allowed(side.suggested)]
        if is_ratable
        else [],
        is_early=turn.is_early,
        today=day.today,
        left=cards_left(turn.learner, day, deck),
        undoable=undoable_reviews(turn.learner, day).values_list("pk", flat=True).first(),
        ending=None if turn.closed_at is None else _ending(turn, memory),
    )


def _would_come(turn: CardTurn, memory: CardMemory | None, rating: Rating, day: StudyDay) -> dt.date | None:
    """The day that a rating would give; None where it would move nothing."""
    state = state_of(memory)
    if turn.is_early or (state.memory and day.today < state.memory.reviewed_on):
        return None
    after = turned(state, Counted(rating, day.today, turn.opened_at))
    return due_of(after, learner_id=turn.learner_id, card_id=turn.card_id, exam_on=day.exam_on)


def _ending(turn: CardTurn, memory: CardMemory | None) -> Ending:
    review = getattr(turn, "review", None)
    if review is None:
        return Ending()
    is_aside = memory is None or memory.suspended_at is not None
    return Ending(
        Rating(review.rating),
        is_undone=review.undone_at is not None,
        due_on=None if memory is None or is_aside else memory.due_on,
    )
