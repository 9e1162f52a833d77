"""Addresses of the pages about cards, all below /cards/."""

from django.urls import path

from frontend.views import card_editing, cards, decks

urlpatterns = [
    path("", cards.cards, name="cards"),
    path("review/", cards.review, name="card-review"),
    path("finished/", cards.finished, name="card-finished"),
    path("turns/<uuid:turn_id>/", cards.turn, name="card-turn"),
    path("turns/<uuid:turn_id>/reading/", cards.reading, name="card-reading"),
    path("undo/", cards.undo, name="card-undo"),
    path("set-aside/", decks.set_aside, name="cards-set-aside"),
    path("set-aside/<slug:slug>/<slug:key>/", decks.bring_back, name="card-bring-back"),
    path("decks/new/", decks.new_deck, name="deck-new"),
    path("decks/<slug:slug>/", decks.deck, name="deck"),
    path("decks/<slug:slug>/edit/", decks.edit_deck, name="deck-edit"),
    path("decks/<slug:slug>/import/", decks.import_deck, name="deck-import"),
    path("decks/<slug:slug>/export/<slug:style>/", decks.export_deck, name="deck-export"),
    path("decks/<slug:slug>/cards/new/", card_editing.new_card, name="card-new"),
    path("decks/<slug:slug>/cards/<slug:key>/", card_editing.edit_card, name="card-edit"),
]
