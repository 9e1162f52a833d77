"""Finding what is practised: problems, variants, answers, decks and cards; for its learner and who teaches them."""

from typing import TypeVar

from django.db.models import Q, QuerySet
from django.http import Http404

from exercises.access.courses import work_read_by
from exercises.access.found import Id, as_uuid, first_or_404
from exercises.models import Card, CardTurn, Deck, Problem, ProblemSet, Submission, User, Variant

Row = TypeVar("Row", Variant, Submission, CardTurn)
_NO_CARD = "There is no such deck or card."


def problem_for(slug: str) -> Problem:
    """The problem of that slug that everybody may practise, with its current version."""
    rows = Problem.objects.listed().select_related("current").filter(slug=slug)
    return first_or_404(rows, f"There is no problem {slug!r}.")


def variant_for(learner: User, public_id: Id) -> Variant:
    """The learner's own variant, with problem and version: the only kind that may be answered here.

    One of a quiz or an exam is answered there, by the rules of its set, and is nothing that practice knows of.
    """
    return _one(_variants().filter(learner=learner).filter(_practised()), public_id)


def readable_variant(reader: User, public_id: Id) -> Variant:
    """A variant to look at: one's own, or one whose work the reader may read by ``work_read_by``."""
    own = Q(learner=reader) & _practised()
    return _one(_variants().filter(own | work_read_by(reader, "learner", "attempt_item")), public_id)


def submission_for(learner: User, public_id: Id) -> Submission:
    """The learner's own submission, with variant, problem and version; as for ``variant_for`` not of a quiz or exam."""
    return _one(_submissions().filter(author=learner).filter(_practised("variant__")), public_id)


def readable_submission(reader: User, public_id: Id) -> Submission:
    """A submission to look at: one's own, or one whose work the reader may read by ``work_read_by``."""
    own = Q(author=reader) & _practised("variant__")
    return _one(_submissions().filter(own | submissions_read_by(reader)), public_id)


def submissions_read_by(reader: User) -> Q:
    """``work_read_by`` for submissions."""
    return work_read_by(reader, "author", "variant__attempt_item")


def instructor(user: User) -> User:
    """The user, if they teach; for everybody else the page does not exist."""
    if not (user.is_authenticated and user.is_instructor):
        raise Http404("There is no such page.")
    return user


def operator(user: User) -> User:
    """The user, if they run the service; for everybody else the page does not exist."""
    if not user.is_staff:
        raise Http404("There is no such page.")
    return user


def deck_for(user: User, slug: str) -> Deck:
    """A deck to learn from: built in, shared, or one's own."""
    return first_or_404(Deck.objects.visible_to(user).select_related("owner").filter(slug=slug), _NO_CARD)


def own_deck(author: User, slug: str) -> Deck:
    """A teacher's own deck: the only kind that may be changed."""
    return first_or_404(Deck.objects.filter(owner=instructor(author), retired=False, slug=slug), _NO_CARD)


def own_card(deck: Deck, key: str) -> Card:
    """A card of a deck that ``own_deck`` found, with the deck, also one that was taken out."""
    return first_or_404(deck.cards.filter(key=key).select_related("deck"), _NO_CARD)


def card_for(learner: User, slug: str, key: str) -> Card:
    """A card that a learner may be asked, with its deck."""
    return first_or_404(deck_for(learner, slug).cards.filter(key=key, retired=False).select_related("deck"), _NO_CARD)


def turn_for(learner: User, public_id: Id) -> CardTurn:
    """The learner's own turn of a card, with card, deck and learner, open or over."""
    turns = CardTurn.objects.select_related("learner", "card__deck", "review")
    return _one(turns.filter(learner=learner), public_id)


def _practised(path: str = "") -> Q:
    """Variants of free practice, and of problem sets for practice."""
    place = f"{path}attempt_item"
    return Q(**{f"{place}__isnull": True}) | Q(**{f"{place}__attempt__problem_set__mode": ProblemSet.Mode.PRACTICE})


def _variants() -> QuerySet[Variant]:
    return Variant.objects.select_related("problem", "version", "marked_by")


def _submissions() -> QuerySet[Submission]:
    return Submission.objects.select_related("variant__problem", "variant__version", "variant__marked_by")


def _one(rows: QuerySet[Row], public_id: Id) -> Row:
    return first_or_404(rows.filter(public_id=as_uuid(public_id)), "There is nothing of that id.")
