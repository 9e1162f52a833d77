"""Putting a card to a learner, and what happens with it until it is rated."""

import logging
import secrets

from django.db import transaction

from exercises import clock
from exercises.actions.cards.turn_lock import close_open_turns, lock_learner, lock_open_turn
from exercises.actions.typed import clean_answers, clean_locale, fingerprint
from exercises.card_turns import TurnCard, card_hint, card_of
from exercises.models import Card, CardMemory, CardTurn, Deck, User
from exercises.queries.card_queue import StudyDay, ahead_of_time, day_of, live_cards, upcoming
from exercises.refusals import CardRefused, ProblemBroken
from grader.answers import read_answer
from grader.errors import DrawError
from grader.marking import mark
from grader.sampling import draw

log = logging.getLogger(__name__)

#: Cards of the queue that are looked at, should the first ones be broken.
LOOKED_AT = 20
TURNED_UP = "The back is turned up already, so nothing more is marked. Rate the card to go on."
NOT_READ = "This card reads no answer: say it to yourself, turn up the back, and rate how it went."
BLANK = "Type or choose an answer first, or turn up the back."
TRIED = "You tried that already; it costs nothing. Try another answer, or turn up the back."


def open_turn(*, learner: User, deck: Deck | None = None, ahead: bool = False) -> CardTurn | None:
    """The turn the learner goes on with: the one that is open, else the next card of the queue; None when there is
    nothing left today.

    Due cards come first, then new ones up to the number of the learner's plan, then what was wrong today. Two tabs or
    devices get the same open turn. ``deck`` narrows it to one deck. With ``ahead``, cards come before their day when
    nothing is due: such a turn is early, and its review is logged without moving anything.
    """
    with transaction.atomic():
        lock_learner(learner)
        day = day_of(learner)
        found = _still_open(learner, day, deck, ahead=ahead)
        if found is not None:
            return found
        for card in upcoming(learner, day, deck, LOOKED_AT):
            if turn := _opened(learner, card, is_early=False):
                return turn
        for card in ahead_of_time(learner, day, deck, LOOKED_AT) if ahead else ():
            if turn := _opened(learner, card, is_early=True):
                return turn
    return None


def answer_card(*, turn: CardTurn, typed: str | list[str], locale: str = "en") -> None:
    """Mark what was typed, by the grader and at once. ``turn`` is brought up to date.

    Blank, unreadable, given before or right but with too few digits: it is said so and costs no try. A right answer,
    or the last try, turns up the back. Raises TurnClosed for a turn that was rated or replaced, CardRefused for a card
    whose back is up or that reads no answer, AnswersRefused for what is no answer.
    """
    with transaction.atomic():
        lock_open_turn(turn)
        made = card_of(turn.source)
        if not made.card.is_read:
            raise CardRefused(NOT_READ)
        if turn.is_shown:
            if turn.tries and turn.tries[-1]["typed"] == _cleaned(made, typed):
                return  # a double click
            raise CardRefused(TURNED_UP)
        _keep_try(turn, made, typed, clean_locale(locale))
        turn.save(update_fields=["tries", "unread", "shown_at"])


def take_card_hint(*, turn: CardTurn) -> None:
    """Show the hint; what is right after it counts as Hard. Raises TurnClosed, and CardRefused where there is none."""
    with transaction.atomic():
        lock_open_turn(turn)
        if not card_hint(card_of(turn.source), turn.parameters):
            raise CardRefused("This card has no hint.")
        if turn.is_shown:
            raise CardRefused("The back is turned up, which says more than a hint.")
        turn.hinted = True
        turn.save(update_fields=["hinted"])


def show_answer(*, turn: CardTurn) -> None:
    """Turn up the back. Of a card that is marked this is giving up. Doing it twice is once. Raises TurnClosed."""
    with transaction.atomic():
        lock_open_turn(turn)
        if turn.shown_at is None:
            turn.shown_at = clock.now()
            turn.save(update_fields=["shown_at"])


def _cleaned(made: TurnCard, typed: str | list[str]) -> str | list[str]:
    """What was typed, as it is kept."""
    if made.problem is None:
        raise CardRefused(NOT_READ)
    return clean_answers(made.problem, {made.step: typed})[made.step]


def _keep_try(turn: CardTurn, made: TurnCard, typed: str | list[str], locale: str) -> None:
    if made.problem is None:
        raise CardRefused(NOT_READ)
    cleaned = _cleaned(made, typed)
    reading = read_answer(made.problem, turn.parameters, made.step, cleaned, locale)
    print_ = fingerprint({made.step: reading}, [made.step])
    turn.unread = None
    if reading.status != "read":
        message = BLANK if reading.status == "blank" else reading.message
        turn.unread = {"typed": cleaned, "message": message}
        return
    if any(earlier["print"] == print_ for earlier in turn.tries):
        turn.unread = {"typed": cleaned, "message": TRIED}
        return
    given = mark(made.problem, turn.parameters, {made.step: cleaned}, locale=locale).marks[0]
    if given.note == "coarse":
        turn.unread = {"typed": cleaned, "message": given.message}
        return
    entry = {"typed": cleaned, "locale": locale, "at": clock.now().isoformat(), "print": print_}
    turn.tries = [*turn.tries, entry | {"mark": given.to_json()}]
    if given.outcome == "right" or len(turn.tries) >= made.most_tries:
        turn.shown_at = clock.now()


def _still_open(learner: User, day: StudyDay, deck: Deck | None, *, ahead: bool) -> CardTurn | None:
    """The learner's open turn, if its card may still be asked; with ``ahead`` also one that was opened early.

    An early turn whose day has come meanwhile has had its time: it is closed unrated, so that the card can come anew.
    """
    turns = list(
        CardTurn.objects.filter(learner=learner, closed_at=None, card__in=live_cards(learner, deck)).select_related(
            "card__deck"
        )
    )
    early = [turn.card_id for turn in turns if turn.is_early]
    come = CardMemory.objects.filter(learner=learner, card__in=early, due_on__lte=day.today)
    has_come = set(come.values_list("card", flat=True)) if early else set()
    for turn in sorted(turns, key=lambda turn: (turn.is_early, -turn.pk)):
        if turn.is_early and turn.card_id in has_come:
            close_open_turns(learner, turn.card)
        elif (ahead or not turn.is_early) and _is_sound(turn):
            turn.learner = learner
            return turn
    return None


def _is_sound(turn: CardTurn) -> bool:
    """Whether it can still be shown; one that cannot is closed, so that it never stands in the way."""
    try:
        card_of(turn.source)
    except ProblemBroken:
        close_open_turns(turn.learner, turn.card)
        return False
    return True


def _opened(learner: User, card: Card, *, is_early: bool) -> CardTurn | None:
    """A fresh turn of a card; None, and a line in the log, for a card that cannot be drawn."""
    close_open_turns(learner, card)
    try:
        made = card_of(card.source)
        parameters = draw(made.problem, secrets.randbits(32)) if made.problem else {}
    except (ProblemBroken, DrawError) as error:
        log.error("Card %s of deck %s cannot be drawn: %s", card.key, card.deck_id, error)
        return None
    return CardTurn.objects.create(
        learner=learner, card=card, source=card.source, parameters=parameters, is_early=is_early, opened_at=clock.now()
    )
