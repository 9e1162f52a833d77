"""`manage.py deck check`: the decks of the catalogue tested against themselves. `deck rebuild`: memories made anew."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from exercises.actions import rebuild_cards
from exercises.catalogue.card_check import DRAWN_SEEDS, check_card
from exercises.catalogue.cards import DeckError, deck_source, decks, read_deck
from exercises.models import User


class Command(BaseCommand):
    help = "Check decks of flashcards, from the catalogue or from a file; no database is needed for that."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        checking = actions.add_parser("check", help="test every card of decks against itself")
        checking.add_argument("decks", nargs="*", help="slugs or files; none is every deck of the catalogue")
        checking.add_argument("--seeds", type=int, default=DRAWN_SEEDS, help="variants of each drawn card")
        checking.add_argument("--json", action="store_true")
        rebuilding = actions.add_parser("rebuild", help="make what is remembered of cards anew from the log of reviews")
        rebuilding.add_argument("--check", action="store_true", help="only say which rows differ, and fail if any does")
        rebuilding.add_argument("--learner", help="the user name of one learner; else everybody")

    def handle(self, *_args: Any, **options: Any) -> None:
        getattr(self, f"_{options['action']}")(options)

    def _check(self, options: dict[str, Any]) -> None:
        if options["seeds"] < 1:
            raise CommandError("--seeds must be at least 1")
        failed = []
        for name in options["decks"] or decks():
            cards, failures = _checked(name, options["seeds"])
            if failures:
                failed.append(name)
            if options["json"]:
                self.stdout.write(json.dumps({"deck": name, "cards": cards, "failures": failures}, ensure_ascii=False))
                continue
            self.stdout.write(f"{name:<28} {cards:>4} cards{'  FAILED' if failures else ''}")
            for failure in failures:
                self.stdout.write(f"    {failure}")
        if failed:
            raise CommandError(f"These decks failed: {', '.join(failed)}")

    def _rebuild(self, options: dict[str, Any]) -> None:
        learner = None
        if options["learner"]:
            learner = User.objects.filter(username=options["learner"]).first()
            if learner is None:
                raise CommandError(f"There is nobody called {options['learner']!r}.")
        differing = rebuild_cards(learner=learner, is_check=options["check"])
        for row in differing:
            self.stdout.write(f"learner and card {row} differed from the log")
        self.stdout.write(f"{len(differing)} {'differ' if options['check'] else 'made anew'}.")
        if differing and options["check"]:
            raise CommandError("Run `manage.py deck rebuild` to make them anew.")


def _checked(name: str, seeds: int) -> tuple[int, list[str]]:
    try:
        deck = read_deck(_text(name))
    except DeckError as error:
        return 0, [str(fault) for fault in error.faults]
    return len(deck.cards), [
        f"{card.id}: {failure}" for card in deck.cards for failure in check_card(card, drawn_seeds=seeds)
    ]


def _text(name: str) -> str:
    """A deck of the catalogue by its slug, else a file by its path."""
    if name in decks():
        return deck_source(name)
    try:
        return Path(name).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise CommandError(f"there is no deck {name!r}, and no readable file of that name") from error
