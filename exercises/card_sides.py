"""The two sides of a card as a turn of it shows them, and of one that is not kept yet."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from exercises import clock
from exercises.card_turns import TurnCard, best_rating, card_hint, card_of
from exercises.catalogue.cards import CardError, answer_text, filled, read_card, with_gap
from exercises.mastery.retention import Rating
from exercises.models import CardTurn
from exercises.refusals import CardRefused
from grader.answers import read_answer
from grader.errors import GraderError
from grader.marking import mark
from grader.reading import Reading
from grader.sampling import draw
from grader.verdict import Mark
from grader.wording import (
    Field,
    Figure,
    fields,
    figure_data,
    rounding_note,
    statement,
    worked_solution,
)


@dataclass(frozen=True)
class Try:
    """One answer that was marked."""

    typed: str | list[str]
    mark: Mark


@dataclass(frozen=True)
class TurnSide:
    """What a turn shows by itself, whatever else the learner has to do. Texts are Markdown with ``$TeX$``.

    Before ``is_shown`` nothing tells the key: ``back``, ``expected`` and ``checks`` are empty, the figure hides what
    waits for the answer, and the hint is there once it was taken (``has_hint``: whether there is one). ``mark`` is that
    of the last try; ``unread`` says why what was typed last was not marked, and ``typed`` is what to put into the box
    again. ``rounding`` says which digits are asked. ``tries_left`` counts tries that are still marked. ``suggested`` is
    what marking says, None where the learner judges alone.
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
    suggested: Rating | None
    reading: Reading | None


def side_of(turn: CardTurn, made: TurnCard) -> TurnSide:
    """What a turn shows by itself. No query."""
    card, problem, parameters = made.card, made.problem, turn.parameters
    tries = tuple(Try(each["typed"], Mark.from_json(made.step, each["mark"])) for each in turn.tries)
    asked = problem if problem and card.is_read else None
    hint = card_hint(made, parameters)
    unread = turn.unread or {}
    typed = unread["typed"] if "typed" in unread else tries[-1].typed if tries else ""
    is_right = bool(tries) and tries[-1].mark.outcome == "right"
    worked = worked_solution(asked, parameters) if asked and turn.is_shown else None
    return TurnSide(
        turn=turn,
        kind=card.kind,
        skill=card.skill,
        front=_front(made, parameters, is_shown=turn.is_shown),
        field=field_of(made, parameters),
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
        expected=answer_text(worked.steps[-1], is_display=True) if worked else "",
        checks=worked.checks if worked else (),
        suggested=best_rating(turn, made) if turn.is_shown else None,
        reading=reading_of(made, parameters, typed, turn.tries[-1]["locale"] if tries else "en"),
    )


def card_preview(
    content: Mapping[str, Any], *, typed: str | list[str] | None = None, locale: str = "en", seed: int = 0
) -> TurnSide:
    """A card as its learner would see it, before it is kept: with ``typed``, as it is once that was marked, else its
    front. Both sides are shown where nothing is read. No query, no row. Raises CardRefused with all that is wrong."""
    try:
        card = read_card({**content, "id": content.get("id") or "preview"})
    except CardError as error:
        raise CardRefused(str(error), error.faults) from error
    made = card_of(json.dumps(card.content(), ensure_ascii=False))
    try:
        parameters = draw(made.problem, seed) if made.problem else {}
    except GraderError as error:
        raise CardRefused(str(error)) from error
    turn = CardTurn(source="", parameters=parameters)
    if typed is None and card.is_read:
        return side_of(turn, made)
    turn.shown_at = clock.now()
    reading = reading_of(made, parameters, typed or "", locale)
    if made.problem is None or reading is None or typed is None:
        return side_of(turn, made)
    if reading.status != "read":
        turn.shown_at = None
        return replace(side_of(turn, made), reading=reading, unread=reading.message, typed=typed)
    given = mark(made.problem, parameters, {made.step: typed}, locale=locale).marks[0]
    turn.tries = [{"typed": typed, "locale": locale, "mark": given.to_json()}]
    return side_of(turn, made)


def field_of(made: TurnCard, parameters: Mapping[str, Any]) -> Field | None:
    """The box of a card; None where nothing is read."""
    if made.problem is None or not made.card.is_read:
        return None
    field = fields(made.problem, parameters)[0]
    # The step of a card that is not drawn has no letter of its own.
    return field if made.card.kind == "drawn" else replace(field, symbol="")


def reading_of(made: TurnCard, parameters: Mapping[str, Any], typed: str | list[str], locale: str) -> Reading | None:
    """How something is read that stands in the box; None where nothing is read."""
    if made.problem is None or not made.card.is_read:
        return None
    return read_answer(made.problem, parameters, made.step, typed, locale)


def _front(made: TurnCard, parameters: Mapping[str, Any], *, is_shown: bool) -> str:
    card = made.card
    if card.kind == "drawn" and made.problem is not None:
        said = statement(made.problem, parameters)
        return f"{card.front}\n\n{said}" if card.front else said
    if card.kind == "cloze":
        return filled(card.front, (card.accept or [""])[0]) if is_shown else with_gap(card.front)
    return card.front
