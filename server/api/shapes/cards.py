"""Decks, the day with the cards, turns of them and reviews."""

from rest_framework import serializers

from exercises.decks.rows import MOST_BYTES
from server.api.shapes.practice import Field, Mark

#: The forms in which the cards of a deck come and go.
DECK_FORMS = ["csv", "anki"]

#: As FSRS counts them.
RATINGS = [1, 2, 3, 4]


class Deck(serializers.Serializer):
    slug = serializers.CharField(source="deck.slug")
    title = serializers.CharField(source="deck.title")
    summary = serializers.CharField(source="deck.summary")
    owner = serializers.CharField(source="deck.owner.username", allow_null=True, default=None)
    is_shared = serializers.BooleanField(source="deck.is_shared")
    cards = serializers.IntegerField(help_text="How many it has.")
    new = serializers.IntegerField(help_text="Never reviewed by you.")
    due = serializers.IntegerField()
    suspended = serializers.IntegerField(help_text="Set aside by you, or since you forgot them so often.")


class Decks(serializers.Serializer):
    results = Deck(many=True)


class NewDeck(serializers.Serializer):
    title = serializers.CharField(max_length=200)
    summary = serializers.CharField(required=False, allow_blank=True, default="", max_length=2000)
    is_shared = serializers.BooleanField(required=False, default=False, help_text="With those whom you teach.")


class DeckChange(serializers.Serializer):
    title = serializers.CharField(max_length=200)
    summary = serializers.CharField(allow_blank=True, max_length=2000)
    is_shared = serializers.BooleanField(help_text="With those whom you teach.")


class AskedDeckFile(serializers.Serializer):
    form = serializers.ChoiceField(choices=DECK_FORMS, required=False, default="csv")


class DeckText(serializers.Serializer):
    form = serializers.ChoiceField(choices=DECK_FORMS)
    text = serializers.CharField(help_text="The file, with the backs of its cards.")


class DeckImport(serializers.Serializer):
    form = serializers.ChoiceField(choices=DECK_FORMS, required=False, default="csv")
    text = serializers.CharField(
        trim_whitespace=False,
        max_length=MOST_BYTES,
        help_text="What the file holds. A row goes by the key of its card.",
    )
    dry_run = serializers.BooleanField(required=False, default=False, help_text="Only say what would happen.")


class DeckFault(serializers.Serializer):
    line = serializers.IntegerField()
    message = serializers.CharField(source="words")


class ImportedCards(serializers.Serializer):
    is_applied = serializers.BooleanField(help_text="Whether it was done: no dry run, and no fault.")
    added = serializers.ListField(child=serializers.CharField(), help_text="Keys of cards.")
    changed = serializers.ListField(child=serializers.CharField())
    unchanged = serializers.ListField(child=serializers.CharField())
    faults = DeckFault(many=True, help_text="While there is one, nothing is kept.")


class CardDay(serializers.Serializer):
    today = serializers.DateField(help_text="Your study day, which begins at 04:00.")
    left = serializers.IntegerField(help_text="Still to come today: `due`, `new` and `again`.")
    due = serializers.IntegerField()
    new = serializers.IntegerField()
    again = serializers.IntegerField(help_text="Wrong today, and to come once more.")
    done = serializers.IntegerField()
    next_on = serializers.DateField(allow_null=True, help_text="The next day on which any is due.")
    next_count = serializers.IntegerField()
    last_review = serializers.IntegerField(
        source="undoable", allow_null=True, help_text="The review of today that can be taken back."
    )


class QueuedCard(serializers.Serializer):
    deck = serializers.CharField(source="deck.slug")
    card = serializers.CharField(source="key")
    kind = serializers.CharField()
    skill = serializers.CharField()


class CardQueue(serializers.Serializer):
    day = CardDay()
    queue = QueuedCard(many=True, help_text="The next cards in their order, at most a hundred.")


class AskedCards(serializers.Serializer):
    deck = serializers.CharField(required=False, allow_blank=True, default="", max_length=80, help_text="A slug.")
    ahead = serializers.BooleanField(
        required=False, default=False, help_text="Also before their day, where none is due: that moves nothing."
    )


class RatingChoice(serializers.Serializer):
    rating = serializers.ChoiceField(choices=RATINGS)
    due_on = serializers.DateField(allow_null=True, help_text="When it would come again; null: it moves nothing.")


class Turn(serializers.Serializer):
    id = serializers.UUIDField()
    deck = serializers.CharField()
    card = serializers.CharField()
    kind = serializers.CharField()
    front = serializers.CharField(help_text="Markdown with $TeX$.")
    field = Field(allow_null=True, help_text="What is asked; null where you judge yourself.")
    hint = serializers.CharField(help_text="Empty until it is taken.")
    has_hint = serializers.BooleanField()
    tries_left = serializers.IntegerField()
    mark = Mark(allow_null=True, help_text="Of the last try.")
    unread = serializers.CharField(help_text="Why what was typed last was not marked; it cost nothing.")
    is_shown = serializers.BooleanField(help_text="Whether the back is up.")
    back = serializers.CharField(help_text="Empty before that, as is `expected`.")
    expected = serializers.CharField()
    suggested = serializers.IntegerField(allow_null=True, help_text="The rating that marking suggests.")
    ratings = RatingChoice(many=True, help_text="Those that may be given, once the back is up.")
    is_early = serializers.BooleanField()
    is_over = serializers.BooleanField(help_text="Rated, or gone on with elsewhere.")
    rated = serializers.IntegerField(allow_null=True)
    left = serializers.IntegerField(help_text="Cards of today, this one included.")


class AnswerCard(serializers.Serializer):
    answer = serializers.JSONField(help_text="As typed: a text, or a list of texts.")
    locale = serializers.CharField(max_length=16, required=False, default="en")


class RateCard(serializers.Serializer):
    rating = serializers.ChoiceField(choices=RATINGS, help_text="1 Again, 2 Hard, 3 Good, 4 Easy.")


class Reviewed(serializers.Serializer):
    id = serializers.IntegerField(source="pk")
    turn = serializers.UUIDField(source="turn.public_id")
    deck = serializers.CharField(source="card.deck.slug")
    card = serializers.CharField(source="card.key")
    rating = serializers.IntegerField()
    at = serializers.DateTimeField()
    study_day = serializers.DateField()
    is_early = serializers.BooleanField(help_text="Before its day: it moved nothing.")
    made_leech = serializers.BooleanField(help_text="Forgotten so often that the card was set aside.")
    undone_at = serializers.DateTimeField(allow_null=True)
