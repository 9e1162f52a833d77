"""Setting cards aside and taking them up again, and making memories anew."""

from django.db import transaction

from exercises import clock
from exercises.actions.cards.rating import counting, keep_state
from exercises.actions.cards.turn_lock import close_open_turns, lock_learner
from exercises.card_memory import columns_of, due_of, state_of
from exercises.decks.schedule import folded
from exercises.models import Card, CardMemory, User
from exercises.queries.card_queue import day_of


def suspend_card(*, learner: User, card: Card) -> CardMemory:
    """Set a card aside for this learner: it never comes until it is taken up again. What was learnt with it stays."""
    with transaction.atomic():
        lock_learner(learner)
        close_open_turns(learner, card)
        memory, _ = CardMemory.objects.get_or_create(learner=learner, card=card)
        if memory.suspended_at is None:
            memory.suspended_at = clock.now()
            memory.save(update_fields=["suspended_at"])
    return memory


def unsuspend_card(*, learner: User, card: Card) -> CardMemory:
    """Take a card up again, due when it was due. A leech that is forgotten often again is set aside again."""
    with transaction.atomic():
        lock_learner(learner)
        memory, _ = CardMemory.objects.get_or_create(learner=learner, card=card)
        memory.suspended_at = None
        memory.save(update_fields=["suspended_at"])
    return memory


def reschedule_cards(*, learner: User) -> int:
    """Work out anew when each card is due, after the learner's exam date has changed; how many days moved."""
    with transaction.atomic():
        lock_learner(learner)
        exam_on = day_of(learner).exam_on
        moved = []
        for memory in CardMemory.objects.filter(learner=learner, due_on__isnull=False):
            due = due_of(state_of(memory), learner_id=learner.pk, card_id=memory.card_id, exam_on=exam_on)
            if due != memory.due_on:
                memory.due_on = due
                moved.append(memory)
        CardMemory.objects.bulk_update(moved, ["due_on"], batch_size=500)
    return len(moved)


def rebuild_cards(*, learner: User | None = None, is_check: bool = False) -> list[str]:
    """Make every memory of cards anew from the log of reviews, and say which were otherwise, as ``learner card``.

    ``is_check`` changes nothing. One learner at a time, each in a transaction of its own.
    """
    users = User.objects.filter(pk=learner.pk) if learner else User.objects.filter(card_reviews__isnull=False)
    return [each for user in users.distinct().order_by("pk").iterator() for each in _rebuilt(user, is_check=is_check)]


def _rebuilt(learner: User, *, is_check: bool) -> list[str]:
    """Three queries, and one or two for every memory that was otherwise."""
    differing = []
    with transaction.atomic():
        lock_learner(learner)
        exam_on = day_of(learner).exam_on
        kept = {memory.card_id: memory for memory in CardMemory.objects.filter(learner=learner)}
        reviews = counting(learner)
        for card_id in sorted({*kept, *reviews}):
            state = folded(reviews.get(card_id, ()))
            wanted = columns_of(state, due_of(state, learner_id=learner.pk, card_id=card_id, exam_on=exam_on))
            stored = kept.get(card_id) or CardMemory()
            if any(getattr(stored, name) != value for name, value in wanted.items()):
                differing.append(f"{learner.pk} {card_id}")
                if not is_check:
                    keep_state(learner.pk, card_id, state, exam_on)
    return differing
