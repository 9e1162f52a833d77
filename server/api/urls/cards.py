"""Flashcards."""

from django.urls import path

from server.api.views import cards as views
from server.api.views import decks

_TURN = "cards/turns/<uuid:turn_id>"

urlpatterns = [
    path("decks", views.Decks.as_view(), name="decks"),
    path("decks/<slug:slug>", decks.ADeck.as_view(), name="deck"),
    path("decks/<slug:slug>/cards", decks.DeckCards.as_view(), name="deck-cards"),
    path("decks/<slug:slug>/cards/<slug:key>", decks.DeckCard.as_view(), name="deck-card"),
    path("cards", views.Cards.as_view(), name="cards"),
    path("cards/turns", views.Turns.as_view(), name="card-turns"),
    path(_TURN, views.ATurn.as_view(), name="card-turn"),
    path(f"{_TURN}/answer", views.AnswerCard.as_view(), name="card-answer"),
    path(f"{_TURN}/show", views.ShowCard.as_view(), name="card-show"),
    path(f"{_TURN}/hint", views.HintCard.as_view(), name="card-hint"),
    path(f"{_TURN}/rate", views.RateCard.as_view(), name="card-rate"),
    path(f"{_TURN}/suspend", views.SuspendCard.as_view(), name="card-suspend"),
    path("cards/reviews", views.Reviews.as_view(), name="card-reviews"),
    path("cards/reviews/<int:review_id>/undo", views.UndoReview.as_view(), name="card-review-undo"),
]
