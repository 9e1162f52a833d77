"""One card as it stands before its learner: front, box, what was tried, and once it is turned up the back."""

import datetime as dt
import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from exercises import clock
from exercises.catalogue.cards import CardError, CardFile, filled, problem_source_of, read_card, with_gap
from exercises.decks.schedule import NEVER, CardState, Counted, allowed, comes_on, suggested, turned
from exercises.mastery.retention import Rating
from exercises.mastery.states import Memory
from exercises.models import CardMemory, CardTurn, Deck, Review
from exercises.queries.card_queue import StudyDay, cards_left, day_of
from exercises.refusals import CardRefused, ProblemBroken
from grader.answers import read_answer
from grader.errors import GraderError
from grader.graph import Problem
from grader.marking import mark
from grader.problem import load
from grader.reading import Reading
from grader.sampling import draw
from grader.verdict import Mark
from grader.wording import (
    Field,
    Figure,
    WorkedStep,
    fields,
    figure_data,
    hints,
    rounding_note,
    statement,
    worked_solution,
)

log = logging.getLogger(__name__)
BROKEN = "This card cannot be shown at the moment: it has a fault, which is logged for those who run the service."


@dataclass(frozen=True)
class Try:
    """One answer that was marked."""

    typed: str | list[str]
    mark: Mark


@dataclass(frozen=True)
class TurnView:
    """A turn of a card for its page. Texts are Markdown with ``$TeX$``.

    Before ``is_shown`` nothing tells the key: ``back``, ``expected``, ``checks`` and ``ratings`` are empty, the figure
    hides what waits for the answer, and the hint is there once it was taken (``has_hint``: whether there is one).
    ``mark`` is that of the last try; ``unread`` says why what was typed last was not marked, and ``typed`` is what to
    put into the box again. ``rounding`` says which digits are asked. ``tries_left`` counts tries that are still marked.
    ``ratings`` are those the learner may give, with what each would do; ``suggested`` is what marking says, None where
    the learner judges alone. ``left`` counts the cards of today, this one included. ``closed`` says in words what
    became of a turn that is over, and is empty while it is open.
    """

    turn: CardTurn
    kind: str
    skill: str
    front: str
    field: Field | None
    rounding: str
    figure: Figure | None
    has_hint: bool
    hint: str
    tries: tuple[Try, ...]
    tries_left: int
    mark: Mark | None
    unread: str
    typed: str | list[str]
    is_shown: bool
    back: str
    expected: str
    checks: tuple[tuple[str, bool], ...]
    ratings: list[tuple[Rating, str]]
    suggested: Rating | None
    rated: Rating | None
    is_early: bool
    left: int
    can_undo: bool
    closed: str
    reading: Reading | None


@dataclass(frozen=True)
class TurnCard:
    """The card of a turn, as the grader needs it; ``problem`` is None where nothing is read or drawn."""

    card: CardFile
    problem: Problem | None

    @property
    def step(self) -> str:
        """The name of the one step that is asked."""
        return self.problem.asked[0].name if self.problem else ""

    @property
    def most_tries(self) -> int:
        """Two; one where the second would be right by itself, since only one option is left."""
        return 1 if self.card.kind == "choice" and len(self.card.options or ()) == 2 else 2


def card_of(source: str) -> TurnCard:
    """The card of a stored text. Raises ProblemBroken, with words for learners, if it can no longer be read."""
    try:
        card = CardFile.model_validate_json(source)
        needs_problem = card.is_read or card.figure is not None
        return TurnCard(card, load(problem_source_of(source)) if needs_problem else None)
    except (GraderError, ValueError) as error:
        log.error("A card can no longer be read: %s", error)
        raise ProblemBroken(BROKEN) from error


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
    made = card_of(turn.source)
    return _field(made, turn.parameters)


def turn_reading(turn: CardTurn, typed: str | list[str], locale: str = "en") -> Reading | None:
    """How something is read that stands in the box; None where nothing is read. No query, and nothing is stored."""
    return _reading(card_of(turn.source), turn.parameters, typed, locale)


def card_preview(
    content: Mapping[str, Any], *, typed: str | list[str] | None = None, locale: str = "en", seed: int = 0
) -> TurnView:
    """A card as its learner would see it, before it is kept: with ``typed``, as it is once that was marked, else its
    front. Both sides are shown where nothing is read. No query, no row. Raises CardRefused with all that is wrong."""
    try:
        card = read_card({"id": "preview"} | dict(content))
    except CardError as error:
        raise CardRefused(str(error), error.faults) from error
    made = card_of(json.dumps(card.content(), ensure_ascii=False))
    try:
        parameters = draw(made.problem, seed) if made.problem else {}
    except GraderError as error:
        raise CardRefused(str(error)) from error
    turn = CardTurn(source="", parameters=parameters)
    if typed is None and card.is_read:
        return _side(turn, made)
    turn.shown_at = clock.now()
    reading = _reading(made, parameters, typed or "", locale)
    if made.problem is None or reading is None or typed is None:
        return _side(turn, made)
    if reading.status != "read":
        turn.shown_at = None
        return replace(_side(turn, made), reading=reading, unread=reading.message, typed=typed)
    given = mark(made.problem, parameters, {made.step: typed}, locale=locale).marks[0]
    turn.tries = [{"typed": typed, "locale": locale, "mark": given.to_json()}]
    return _side(turn, made)


def _view(turn: CardTurn, made: TurnCard, deck: Deck | None) -> TurnView:
    """What the card shows, and what belongs to the learner's day."""
    day = day_of(turn.learner)
    memory = CardMemory.objects.filter(learner_id=turn.learner_id, card_id=turn.card_id).first()
    is_open = turn.closed_at is None
    best = best_rating(turn, made)
    return replace(
        _side(turn, made),
        ratings=[(each, _words(turn, memory, each, day)) for each in allowed(best)]
        if turn.shown_at and is_open
        else [],
        rated=_rated(turn),
        left=cards_left(turn.learner, day, deck),
        can_undo=Review.objects.filter(learner_id=turn.learner_id, study_day=day.today, undone_at=None).exists(),
        closed="" if is_open else _closed(turn, memory, day),
    )


def _side(turn: CardTurn, made: TurnCard) -> TurnView:
    """What a turn shows by itself. No query."""
    card, problem, parameters = made.card, made.problem, turn.parameters
    tries = tuple(Try(each["typed"], Mark.from_json(made.step, each["mark"])) for each in turn.tries)
    asked = problem if problem and card.is_read else None
    hint = card_hint(made, parameters)
    unread = turn.unread or {}
    typed = unread["typed"] if "typed" in unread else tries[-1].typed if tries else ""
    is_right = bool(tries) and tries[-1].mark.outcome == "right"
    worked = worked_solution(asked, parameters) if asked and turn.is_shown else None
    return TurnView(
        turn=turn,
        kind=card.kind,
        skill=card.skill,
        front=_front(made, parameters, is_shown=turn.is_shown),
        field=_field(made, parameters),
        rounding=rounding_note(asked, made.step) if asked else "",
        figure=figure_data(problem, parameters, [made.step] if is_right or turn.is_shown else []) if problem else None,
        has_hint=bool(hint) and not turn.hinted and not turn.is_shown,
        hint=hint if turn.hinted else "",
        tries=tries,
        tries_left=0 if turn.is_shown or not card.is_read else made.most_tries - len(tries),
        mark=tries[-1].mark if tries else None,
        unread=str(unread.get("message", "")),
        typed=typed,
        is_shown=turn.is_shown,
        back=card.back if turn.is_shown else "",
        expected=_expected(worked.steps[-1]) if worked else "",
        checks=worked.checks if worked else (),
        ratings=[],
        suggested=best_rating(turn, made) if turn.is_shown else None,
        rated=None,
        is_early=turn.is_early,
        left=0,
        can_undo=False,
        closed="",
        reading=_reading(made, parameters, typed, turn.tries[-1]["locale"] if tries else "en"),
    )


def _field(made: TurnCard, parameters: Mapping[str, Any]) -> Field | None:
    if made.problem is None or not made.card.is_read:
        return None
    field = fields(made.problem, parameters)[0]
    # The step of a card that is not drawn has no letter of its own.
    return field if made.card.kind == "drawn" else replace(field, symbol="")


def _reading(made: TurnCard, parameters: Mapping[str, Any], typed: str | list[str], locale: str) -> Reading | None:
    if made.problem is None or not made.card.is_read:
        return None
    return read_answer(made.problem, parameters, made.step, typed, locale)


def best_rating(turn: CardTurn, made: TurnCard) -> Rating | None:
    """What marking says of a turn; None where the learner judges alone."""
    if not made.card.is_read:
        return None
    return suggested([each["mark"]["outcome"] for each in turn.tries], hinted=turn.hinted)


def card_hint(made: TurnCard, parameters: Mapping[str, Any]) -> str:
    """The hint of a card; empty if it has none."""
    if made.card.hint or made.problem is None or made.problem.asked[0].hint is None:
        return made.card.hint
    return hints(made.problem, parameters, made.step, {})[0]


def state_of(memory: CardMemory | None) -> CardState:
    """A stored memory as the fold has it."""
    if memory is None or memory.stability is None or memory.difficulty is None or memory.reviewed_on is None:
        return NEVER
    kept = Memory(memory.stability, memory.difficulty, memory.reviewed_on, memory.reviews, memory.lapses)
    is_again = memory.due_on == memory.reviewed_on
    return CardState(kept, is_again, memory.last_at, memory.leech_since)


def spread_key(learner_id: int, card_id: int) -> str:
    """By which a card's day is spread."""
    return f"{learner_id}:{card_id}"


def _front(made: TurnCard, parameters: Mapping[str, Any], *, is_shown: bool) -> str:
    card = made.card
    if card.kind == "drawn" and made.problem is not None:
        said = statement(made.problem, parameters)
        return f"{card.front}\n\n{said}" if card.front else said
    if card.kind == "cloze":
        return filled(card.front, (card.accept or [""])[0]) if is_shown else with_gap(card.front)
    return card.front


def _expected(worked: WorkedStep) -> str:
    """The answer, with the rule it comes from."""
    if worked.text:
        return worked.text
    parts = [part for part in (worked.formula, worked.numbers, worked.value) if part]
    return f"$\\displaystyle {' = '.join(dict.fromkeys(parts))}$" if parts else ""


def _words(turn: CardTurn, memory: CardMemory | None, rating: Rating, day: StudyDay) -> str:
    """What a rating would do, such as "in 3 days"."""
    state = state_of(memory)
    if turn.is_early or (state.memory and day.today < state.memory.reviewed_on):
        return "as planned before"
    after = turned(state, Counted(rating, day.today, turn.opened_at))
    return _when(comes_on(after, key=spread_key(turn.learner_id, turn.card_id), exam_on=day.exam_on), day)


def _when(due: dt.date | None, day: StudyDay) -> str:
    days = (due - day.today).days if due else 0
    if days <= 0:
        return "again today"
    return "tomorrow" if days == 1 else f"in {days} days"


def _rated(turn: CardTurn) -> Rating | None:
    review = getattr(turn, "review", None) if turn.closed_at else None
    return Rating(review.rating) if review else None


def _closed(turn: CardTurn, memory: CardMemory | None, day: StudyDay) -> str:
    review = getattr(turn, "review", None)
    if review is None:
        return "It went on elsewhere, or was set aside."
    if review.undone_at is not None:
        return "Its rating was taken back, and it was put to you again."
    said = f"You rated it {Rating(review.rating).name.capitalize()}."
    if memory is None or memory.suspended_at is not None:
        return f"{said} It is set aside."
    return f"{said} It comes back {_when(memory.due_on, day)}."
