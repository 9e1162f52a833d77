"""Flashcards: decks and their cards, what each learner remembers of them, and the log of every review."""

import json
import uuid
from typing import Any

from django.conf import settings
from django.db import models

from exercises import clock
from exercises.courses.rights import Right, roles_with
from exercises.models.course import Enrolment
from exercises.models.plain_json import PlainJSONField


class DeckQuerySet(models.QuerySet["Deck"]):
    """Decks, by who may see them."""

    def visible_to(self, user: Any) -> "DeckQuerySet":
        """What that user may learn from: the built-in decks, their own, and those that somebody shares who teaches a
        course that they are in."""
        built_in = models.Q(owner=None)
        if user is None or not user.is_authenticated:
            return self.filter(built_in, retired=False)
        courses = Enrolment.objects.filter(user=user, dropped_at=None).values("course")
        teachers = Enrolment.objects.filter(
            course__in=courses, dropped_at=None, role__in=roles_with(Right.READ_WORK)
        ).values("user")
        shared = models.Q(is_shared=True, owner__in=teachers)
        return self.filter(built_in | shared | models.Q(owner=user), retired=False)


class Deck(models.Model):
    """A deck of cards. One without an owner is built in and kept in step with its file."""

    slug = models.SlugField(max_length=80, unique=True)
    title = models.CharField(max_length=200)
    summary = models.TextField(blank=True)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE, related_name="decks"
    )
    is_shared = models.BooleanField(default=False, help_text="Whether others than its owner may learn from it.")
    position = models.PositiveIntegerField(default=0)
    retired = models.BooleanField(default=False)
    # Why the file of a built-in deck cannot be used; the cards before it go on serving.
    fault = models.TextField(blank=True)
    created_at = models.DateTimeField(default=clock.now)

    objects = DeckQuerySet.as_manager()

    class Meta:
        ordering = ("position", "slug")

    def __str__(self) -> str:
        return self.slug


class Card(models.Model):
    """One card of a deck, known there by its key."""

    deck = models.ForeignKey(Deck, on_delete=models.CASCADE, related_name="cards")
    key = models.CharField(max_length=60)
    position = models.PositiveIntegerField(default=0)
    # As in a deck file, in JSON text: the database's own JSON would forget the order of options and of parameters.
    source = models.TextField()
    kind = models.CharField(max_length=8)
    skill = models.CharField(max_length=80, blank=True)
    # Taken out of its deck: it never comes again, but what was learnt with it stays.
    retired = models.BooleanField(default=False)

    class Meta:
        ordering = ("deck", "position", "pk")
        constraints = (models.UniqueConstraint(fields=("deck", "key"), name="card_key_once"),)

    def __str__(self) -> str:
        return f"{self.deck_id}: {self.key}"

    @property
    def content(self) -> dict[str, Any]:
        """The card as in a deck file, its keys in their order."""
        return dict(json.loads(self.source))


class CardMemory(models.Model):
    """What one learner remembers of one card: a fold over the reviews that count, which ``deck rebuild`` makes anew.

    Only ``suspended_at`` is no fold: a leech is suspended by its review, but its learner may take it up again.
    """

    learner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="card_memories")
    card = models.ForeignKey(Card, on_delete=models.CASCADE, related_name="memories")
    stability = models.FloatField(null=True)
    difficulty = models.FloatField(null=True)
    reviewed_on = models.DateField(null=True)
    reviews = models.PositiveIntegerField(default=0)
    lapses = models.PositiveIntegerField(default=0)
    # A study day. The same as reviewed_on where it is to come again on that day.
    due_on = models.DateField(null=True)
    last_at = models.DateTimeField(null=True)
    leech_since = models.DateTimeField(null=True)
    suspended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("learner", "card"), name="card_memory_once"),)
        indexes = (models.Index(fields=("learner", "due_on"), name="card_memory_due"),)

    def __str__(self) -> str:
        return f"{self.learner_id} {self.card_id}: due {self.due_on}"


class CardTurn(models.Model):
    """A card as it was put to a learner, until it is rated. The turn is what makes a review happen once."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    learner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="card_turns")
    card = models.ForeignKey(Card, on_delete=models.CASCADE, related_name="turns")
    # The card as it was then, whatever becomes of it.
    source = models.TextField()
    parameters = PlainJSONField(default=dict)
    tries = PlainJSONField(default=list, help_text="What was typed, in order: {typed, locale, at, mark}.")
    # What was typed last and could not be read, with why: {typed, message}. It costs nothing.
    unread = PlainJSONField(null=True)
    hinted = models.BooleanField(default=False)
    shown_at = models.DateTimeField(null=True)
    # Opened before its day: logged when it is rated, and nothing moves.
    is_early = models.BooleanField(default=False)
    opened_at = models.DateTimeField(default=clock.now)
    closed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-pk",)
        constraints = (
            models.UniqueConstraint(
                fields=("learner", "card"), name="card_turn_open_once", condition=models.Q(closed_at=None)
            ),
        )
        indexes = (models.Index(fields=("learner", "-id"), name="card_turn_latest"),)

    def __str__(self) -> str:
        return str(self.public_id)

    @property
    def content(self) -> dict[str, Any]:
        """The card as it was then, as in a deck file."""
        return dict(json.loads(self.source))

    @property
    def is_shown(self) -> bool:
        """Whether the back was turned up."""
        return self.shown_at is not None


class Review(models.Model):
    """One rated turn. Only ``undone_at`` ever changes."""

    learner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="card_reviews")
    card = models.ForeignKey(Card, on_delete=models.CASCADE, related_name="reviews")
    turn = models.OneToOneField(CardTurn, on_delete=models.CASCADE, related_name="review")
    rating = models.PositiveSmallIntegerField(help_text="1 Again, 2 Hard, 3 Good, 4 Easy.")
    at = models.DateTimeField(default=clock.now)
    study_day = models.DateField(help_text="The learner's own day then, which begins at 04:00.")
    is_early = models.BooleanField(help_text="Before its day, or the clock had gone back: it moves nothing.")
    # The memory as it was and as it became: {stability, difficulty, reviewed_on, reviews, lapses, due_on}, or null.
    before = PlainJSONField(null=True)
    after = PlainJSONField(null=True)
    made_leech = models.BooleanField(default=False, help_text="It was forgotten so often that it was set aside.")
    scheduler_version = models.CharField(max_length=20)
    undone_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("pk",)
        indexes = (
            models.Index(fields=("learner", "study_day"), name="card_review_calendar"),
            models.Index(fields=("learner", "card", "id"), name="card_review_fold"),
        )

    def __str__(self) -> str:
        return f"{self.learner_id} {self.card_id}: {self.rating}"
