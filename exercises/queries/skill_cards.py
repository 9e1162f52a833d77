"""Which decks help with a skill."""

from django.db.models import Count, Q

from exercises.models import Deck, User


def decks_about(learner: User, skill: str) -> list[tuple[Deck, int]]:
    """The decks a learner may learn from that hold cards about a skill, in order, each with how many. One query."""
    about = Count("cards", filter=Q(cards__skill=skill, cards__retired=False))
    return [(deck, deck.about) for deck in Deck.objects.visible_to(learner).annotate(about=about).filter(about__gt=0)]
