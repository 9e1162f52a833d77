"""One deck: read by who learns from it, changed, filled and taken away by its owner."""

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from exercises import access, actions, queries
from exercises.models import Deck
from exercises.queries.cards import DeckRow
from exercises.scopes import PRACTICE
from server.api import conditional
from server.api.described import DOCUMENT, ETAG, IF_MATCH, IF_NONE_MATCH
from server.api.shapes import cards as shapes
from server.api.views.cards import OfCards

READ, WRITE = "content.read", "content.write"


class ADeck(OfCards):
    scopes = {"GET": None, "PATCH": WRITE, "DELETE": WRITE}

    @extend_schema(operation_id="read_deck", responses={200: shapes.Deck}, parameters=[ETAG, IF_NONE_MATCH])
    def get(self, request: Request, slug: str) -> Response:
        """A deck that you may learn from, and how you are with it: with `practice`, or with `content.read`."""
        if PRACTICE not in self.key.scopes:
            self.require_scope(READ)
        return self.told(access.deck_for(self.user, slug))

    @extend_schema(
        operation_id="change_deck",
        request=shapes.DeckChange(partial=True),
        responses={200: shapes.Deck},
        parameters=[IF_MATCH, ETAG],
    )
    def patch(self, request: Request, slug: str) -> Response:
        """Change what your deck is called, and who may learn from it. Its address stays."""
        found = self.own(slug)
        is_guarded = self.require_match(self.tag(self.row(found)))
        asked = self.read(shapes.DeckChange, partial=True)
        return self.told(actions.edit_deck(author=self.user, deck=found, is_guarded=is_guarded, **asked))

    @extend_schema(operation_id="retire_deck", responses={204: None}, parameters=[IF_MATCH])
    def delete(self, request: Request, slug: str) -> Response:
        """Take your deck away: nobody is asked its cards any more. What was learnt with them stays."""
        found = self.own(slug)
        self.require_match(self.tag(self.row(found)))
        actions.retire_deck(author=self.user, deck=found)
        return Response(status=204)

    def own(self, slug: str) -> Deck:
        """A deck of the user's own. Raises Http404."""
        return access.own_deck(self.user, slug)

    def row(self, deck: Deck) -> DeckRow:
        """The deck, and how the user is with it. Raises Http404."""
        found = next((row for row in queries.decks_for(self.user) if row.deck.pk == deck.pk), None)
        if found is None:  # no longer shared since it was found
            raise Http404("There is no such deck.")
        return found

    def tag(self, row: DeckRow) -> str:
        """What is told of a deck."""
        return conditional.tag(dict(shapes.Deck(row).data))

    def told(self, deck: Deck) -> Response:
        """A deck as it is now, with its tag."""
        row = self.row(deck)
        return self.answer(shapes.Deck(row).data, tag=self.tag(row))


class DeckCards(ADeck):
    scopes = {"GET": READ, "POST": WRITE}
    http_method_names = ("get", "head", "post", "options")

    @extend_schema(
        operation_id="export_cards",
        responses={200: shapes.DeckText},
        parameters=[OpenApiParameter("form", {"type": "string", "enum": shapes.DECK_FORMS, "default": "csv"})],
    )
    def get(self, request: Request, slug: str) -> Response:
        """The cards of a deck as the text of a file, with their answers: for who teaches."""
        found = access.deck_for(access.instructor(self.user), slug)
        form = self.asked(shapes.AskedDeckFile)["form"]
        return self.answer(shapes.DeckText({"form": form, "text": queries.export_cards(found, form)}).data)

    @extend_schema(
        operation_id="import_cards", request=shapes.DeckImport, responses={200: shapes.ImportedCards, 404: DOCUMENT}
    )
    def post(self, request: Request, slug: str) -> Response:
        """Bring cards into your deck, or change those of the same keys; cards that are not in the file stay. With a
        fault in any line nothing is kept."""
        found, asked = self.own(slug), self.read(shapes.DeckImport)
        done = actions.import_cards(
            author=self.user, deck=found, text=asked["text"], format=asked["form"], is_preview=asked["dry_run"]
        )
        told = {**vars(done), "is_applied": not (done.is_preview or done.faults)}
        return self.answer(shapes.ImportedCards(told).data)


class DeckCard(ADeck):
    scopes = {"DELETE": WRITE}
    http_method_names = ("delete", "options")

    @extend_schema(operation_id="retire_card", responses={204: None})
    def delete(self, request: Request, slug: str, key: str) -> Response:  # type: ignore[override]
        """Take a card out of your deck. What was learnt with it stays, and it can be brought in again by its key."""
        actions.retire_card(author=self.user, card=access.own_card(self.own(slug), key))
        return Response(status=204)
