"""Rating a card, which is the only thing that moves its memory, and taking that back."""

import datetime as dt

from django.db import transaction

from exercises import clock
from exercises.actions.cards.turn_lock import close_open_turns, lock_learner, lock_turn
from exercises.card_memory import columns_of, due_of, logged, state_of
from exercises.card_turns import best_rating, card_of
from exercises.decks.schedule import RATING_WORDS, CardState, Counted, allowed, folded, makes_leech, turned
from exercises.mastery.retention import SCHEDULER_VERSION, OutOfOrder, Rating
from exercises.models import Card, CardMemory, CardTurn, Review, User
from exercises.queries.card_queue import day_of, undoable_reviews
from exercises.refusals import CardRefused, TurnClosed


def rate_card(*, turn: CardTurn, rating: Rating | int) -> Review:
    """Close the turn with a rating, log the review, and move the memory of its card.

    The turn makes it happen once: the same rating again, as by a double click, gives the same review. A turn opened
    before its day is logged and moves nothing, and so is one on a day before the last review, when a clock or a zone
    went back. A leech is set aside (``made_leech``). Raises TurnClosed for a turn that was rated otherwise, taken back
    or replaced, and CardRefused before the back is up, or for a better rating than marking allows.
    """
    wanted = _rating(rating)
    with transaction.atomic():
        lock_turn(turn)
        if turn.closed_at is not None:
            return _same(turn, wanted)
        _refuse(turn, wanted)
        now = clock.now()
        day = day_of(turn.learner, now)
        memory = CardMemory.objects.filter(learner=turn.learner, card=turn.card).first()
        before = state_of(memory)
        after = None if turn.is_early else _after(before, Counted(wanted, day.today, now))
        review = Review.objects.create(
            learner=turn.learner, card=turn.card, turn=turn, rating=wanted, at=now, study_day=day.today,
            is_early=after is None, before=logged(before, _due(turn, before, day.exam_on)),
            after=logged(after or before, _due(turn, after or before, day.exam_on)),
            made_leech=after is not None and makes_leech(before, after), scheduler_version=SCHEDULER_VERSION,
        )  # fmt: skip
        if after is not None:
            suspended = {"suspended_at": now} if review.made_leech else {}
            keep_state(turn.learner_id, turn.card_id, after, day.exam_on, **suspended)
        turn.closed_at = now
        turn.save(update_fields=["closed_at"])
    return review


def undo_review(*, learner: User, review_id: int) -> CardTurn:
    """Take back the learner's last review of today: its memory is as before it, and its card lies open again at the
    same place, to be rated anew. The review stays in the log, marked as taken back.

    ``review_id`` names it, so that a second tab, a double click or a request sent again never takes back another one.
    Raises TurnClosed, with words, for any but the last of today: then nothing is changed.
    """
    with transaction.atomic():
        lock_learner(learner)
        now = clock.now()
        day = day_of(learner, now)
        review = undoable_reviews(learner, day).select_related("turn", "card__deck").first()
        if review is None or review.pk != review_id:
            raise TurnClosed(_stands(learner, review_id, last=review))
        review.undone_at = now
        review.save(update_fields=["undone_at"])
        state = folded(counting(learner, review.card).get(review.card_id, ()))
        keep_state(learner.pk, review.card_id, state, day.exam_on)
        if review.made_leech:
            CardMemory.objects.filter(learner=learner, card=review.card, suspended_at=review.at).update(
                suspended_at=None
            )
        close_open_turns(learner, review.card)
        old = review.turn
        return CardTurn.objects.create(
            learner=learner, card=review.card, source=old.source, parameters=old.parameters, tries=old.tries,
            hinted=old.hinted, shown_at=old.shown_at, is_early=old.is_early, opened_at=now,
        )  # fmt: skip


def counting(learner: User, card: Card | None = None) -> dict[int, list[Counted]]:
    """The reviews that the learner's memories are made of, by card and in their order. One query."""
    rows = Review.objects.filter(learner=learner, is_early=False, undone_at=None).order_by("pk")
    found: dict[int, list[Counted]] = {}
    for row in rows if card is None else rows.filter(card=card):
        found.setdefault(row.card_id, []).append(Counted(Rating(row.rating), row.study_day, row.at))
    return found


def keep_state(learner_id: int, card_id: int, state: CardState, exam_on: dt.date | None, **more: dt.datetime) -> None:
    """Write a state into its row. The learner must be locked. One query, two for a new row."""
    columns = columns_of(state, due_of(state, learner_id=learner_id, card_id=card_id, exam_on=exam_on)) | more
    if not CardMemory.objects.filter(learner=learner_id, card=card_id).update(**columns):
        CardMemory.objects.create(learner_id=learner_id, card_id=card_id, **columns)


def _after(before: CardState, review: Counted) -> CardState | None:
    try:
        return turned(before, review)
    except OutOfOrder:
        return None


def _due(turn: CardTurn, state: CardState, exam_on: dt.date | None) -> dt.date | None:
    return due_of(state, learner_id=turn.learner_id, card_id=turn.card_id, exam_on=exam_on)


def _rating(rating: Rating | int) -> Rating:
    try:
        return Rating(rating)
    except ValueError:
        raise CardRefused("Rate a card from 1, Again, to 4, Easy.") from None


def _same(turn: CardTurn, wanted: Rating) -> Review:
    review = Review.objects.filter(turn=turn).select_related("card__deck").first()
    if review is None:
        raise TurnClosed("This turn of the card is over without a rating. Go on with the next card.")
    if review.undone_at is not None:
        raise TurnClosed("That rating was taken back, and the card lies open again. Rate it there.")
    if review.rating != wanted:
        given = RATING_WORDS[Rating(review.rating)]
        raise TurnClosed(f"This turn was rated already, as {given}, and that stands. Undo takes it back.")
    return review


def _stands(learner: User, review_id: int, *, last: Review | None) -> str:
    """Why a review is not taken back."""
    if Review.objects.filter(pk=review_id, learner=learner, undone_at__isnull=False).exists():
        return "That rating was taken back already, once. Nothing else was changed."
    if last is None:
        return "There is nothing to take back today."
    return "That is not the last rating of today, so it stands. Undo, as it stands here now, takes back the last one."


def _refuse(turn: CardTurn, wanted: Rating) -> None:
    if not turn.is_shown:
        raise CardRefused("Answer the card or turn up its back before you rate it.")
    best = best_rating(turn, card_of(turn.source))
    if best is not None and wanted not in allowed(best):
        raise CardRefused(f"By how it was marked this card is {RATING_WORDS[best]} at best.")
