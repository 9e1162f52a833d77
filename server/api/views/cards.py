"""Flashcards: decks, what is due, one card at a time, and the log of reviews."""

from collections.abc import Callable
from uuid import UUID

from django.http import Http404
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from exercises import access, actions, queries
from exercises.models import CardTurn, Deck
from exercises.queries.cards import own_reviews, queue_of
from exercises.scopes import PRACTICE
from server.api import paging
from server.api.base import View
from server.api.described import DOCUMENT, LOCATION
from server.api.paging import paged
from server.api.shapes import cards as shapes
from server.api.telling.cards import reviews_told, turn_told
from server.api.throttles import KeyThrottle, WorkThrottle


class OfCards(View):
    """What is about one's own learning with cards."""

    throttle_classes = (KeyThrottle, WorkThrottle)

    def deck(self, slug: str) -> Deck | None:
        """A deck to learn from; None for all of them. Raises Http404."""
        return access.deck_for(self.user, slug) if slug else None

    def turn(self, turn_id: UUID) -> CardTurn:
        """One's own turn. Raises Http404."""
        return access.turn_for(self.user, turn_id)


class Decks(OfCards):
    scopes = {"GET": PRACTICE, "POST": "content.write"}

    @extend_schema(operation_id="list_decks", responses={200: shapes.Decks})
    def get(self, request: Request) -> Response:
        """The decks that you may learn from, and how you are with each."""
        return self.answer(shapes.Decks({"results": queries.decks_for(self.user)}).data)

    @extend_schema(operation_id="make_deck", request=shapes.NewDeck, responses={201: shapes.Deck})
    def post(self, request: Request) -> Response:
        """Make a deck of your own, for who teaches."""
        made = actions.create_deck(author=self.user, **self.read(shapes.NewDeck))
        row = next(row for row in queries.decks_for(self.user) if row.deck.pk == made.pk)
        return self.answer(shapes.Deck(row).data, status=201)


class Cards(OfCards):
    scopes = {"GET": PRACTICE}

    @extend_schema(
        operation_id="read_card_queue",
        responses={200: shapes.CardQueue, 404: DOCUMENT},
        parameters=[OpenApiParameter("deck", str, description="Only of this deck, by slug.")],
    )
    def get(self, request: Request) -> Response:
        """Your day with the cards, and which ones come next."""
        deck = self.deck(self.asked(shapes.AskedCards)["deck"])
        told = {"day": queries.card_day(self.user), "queue": queue_of(self.user, deck)}
        return self.answer(shapes.CardQueue(told).data)


class Turns(OfCards):
    scopes = {"POST": PRACTICE}

    @extend_schema(
        operation_id="open_card_turn",
        request=shapes.AskedCards,
        responses={200: shapes.Turn, 204: None, 404: DOCUMENT},
        parameters=[LOCATION],
    )
    def post(self, request: Request) -> Response:
        """The card that you go on with: the one that lies open, else the next. 204 when none is left today."""
        asked = self.read(shapes.AskedCards)
        found = actions.open_turn(learner=self.user, deck=self.deck(asked["deck"]), ahead=asked["ahead"])
        if found is None:
            return Response(status=204)
        address = reverse("api:card-turn", args=[found.public_id])
        return self.answer(turn_told(self.turn(found.public_id)), location=address)


class ATurn(OfCards):
    scopes = {"GET": PRACTICE}

    @extend_schema(operation_id="read_card_turn", responses={200: shapes.Turn})
    def get(self, request: Request, turn_id: UUID) -> Response:
        """A card as it lies before you; its back once it is turned up."""
        return self.answer(turn_told(self.turn(turn_id)))


class Deed(OfCards):
    """Something that is done with a card."""

    scopes = {"POST": PRACTICE}

    def done(self, turn_id: UUID, deed: Callable[[CardTurn], object]) -> Response:
        """The turn after it was done. Raises Http404, TurnClosed, CardRefused."""
        deed(self.turn(turn_id))
        return self.answer(turn_told(self.turn(turn_id)))


class AnswerCard(Deed):
    @extend_schema(operation_id="answer_card", request=shapes.AnswerCard, responses={200: shapes.Turn, 409: DOCUMENT})
    def post(self, request: Request, turn_id: UUID) -> Response:
        """Answer a card: it is marked at once. A right answer, or the last try, turns up the back."""
        asked = self.read(shapes.AnswerCard)
        typed = asked["answer"]
        is_list = isinstance(typed, list) and all(isinstance(one, str) for one in typed)
        if not (isinstance(typed, str) or is_list):
            raise ValidationError({"answer": ["Send a text, or a list of texts."]})
        return self.done(turn_id, lambda turn: actions.answer_card(turn=turn, typed=typed, locale=asked["locale"]))


class ShowCard(Deed):
    @extend_schema(operation_id="show_card", request=None, responses={200: shapes.Turn, 409: DOCUMENT})
    def post(self, request: Request, turn_id: UUID) -> Response:
        """Turn up the back. Of a card that is marked this is giving up."""
        return self.done(turn_id, lambda turn: actions.show_answer(turn=turn))


class HintCard(Deed):
    @extend_schema(operation_id="take_card_hint", request=None, responses={200: shapes.Turn, 409: DOCUMENT})
    def post(self, request: Request, turn_id: UUID) -> Response:
        """Take the hint: what is right after it counts as Hard."""
        return self.done(turn_id, lambda turn: actions.take_card_hint(turn=turn))


class SuspendCard(Deed):
    @extend_schema(operation_id="suspend_card", request=None, responses={200: shapes.Turn})
    def post(self, request: Request, turn_id: UUID) -> Response:
        """Set the card aside: it does not come until you bring it back."""
        return self.done(turn_id, lambda turn: actions.suspend_card(learner=self.user, card=turn.card))


class RateCard(OfCards):
    scopes = {"POST": PRACTICE}

    @extend_schema(operation_id="rate_card", request=shapes.RateCard, responses={201: shapes.Reviewed, 409: DOCUMENT})
    def post(self, request: Request, turn_id: UUID) -> Response:
        """Rate a card whose back is up, which decides when it comes again. The same rating twice is one review."""
        found = self.turn(turn_id)
        review = actions.rate_card(turn=found, rating=self.read(shapes.RateCard)["rating"])
        review.turn, review.card = found, found.card
        return self.answer(reviews_told([review])[0], status=201)


class Reviews(OfCards):
    scopes = {"GET": PRACTICE}

    @extend_schema(operation_id="list_reviews", responses={200: paged(shapes.Reviewed)}, parameters=paging.PARAMETERS)
    def get(self, request: Request) -> Response:
        """Your reviews, the newest first, also those that you took back."""
        return paging.page(request, own_reviews(self.user), reviews_told, order=paging.Order.NEWEST)


class UndoReview(OfCards):
    scopes = {"POST": PRACTICE}

    @extend_schema(operation_id="undo_review", request=None, responses={200: shapes.Turn, 409: DOCUMENT})
    def post(self, request: Request, review_id: int) -> Response:
        """Take back your last review of today: the card lies open again, to be rated anew."""
        if not own_reviews(self.user).filter(pk=review_id).exists():
            raise Http404("There is no such review.")
        turn = actions.undo_review(learner=self.user, review_id=review_id)
        return self.answer(turn_told(self.turn(turn.public_id)))
