"""One learner does one thing with cards at a time: tabs, devices and double clicks take turns here."""

from exercises import clock
from exercises.models import Card, CardTurn, User
from exercises.refusals import TurnClosed


def lock_learner(learner: User) -> None:
    """Take the learner's row for the transaction that is open. It is the first lock an action on cards takes, and the
    only one. One query."""
    User.objects.select_for_update(no_key=True).filter(pk=learner.pk).values_list("pk").get()


def lock_turn(turn: CardTurn) -> None:
    """Lock its learner, and bring ``turn`` up to date. Two queries."""
    lock_learner(turn.learner)
    turn.refresh_from_db(fields=["tries", "unread", "hinted", "shown_at", "closed_at", "is_early"])


def lock_open_turn(turn: CardTurn) -> None:
    """The same. Raises TurnClosed, with what to do, if it is no longer open."""
    lock_turn(turn)
    if turn.closed_at is not None:
        raise TurnClosed("This turn of the card is over: it was rated, or went on elsewhere. Go on with the next card.")


def close_open_turns(learner: User, card: Card) -> None:
    """Whatever turn of the card is open ends without a review."""
    CardTurn.objects.filter(learner=learner, card=card, closed_at=None).update(closed_at=clock.now())
