"""The card of a turn: as the grader has it, and what marking says of it."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from exercises.catalogue.cards import CardFile, problem_of_source
from exercises.decks.schedule import suggested
from exercises.mastery.retention import Rating
from exercises.models import CardTurn
from exercises.refusals import ProblemBroken
from grader.errors import GraderError
from grader.graph import Problem
from grader.wording import hints

log = logging.getLogger(__name__)
BROKEN = "This card cannot be shown at the moment: it has a fault, which is logged for those who run the service."


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
        return TurnCard(card, problem_of_source(source) if needs_problem else None)
    except (GraderError, ValueError) as error:
        log.error("A card can no longer be read: %s", error)
        raise ProblemBroken(BROKEN) from error


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
