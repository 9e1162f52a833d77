"""Decks on their own: when a card comes again, and how cards are written down elsewhere. Pure Python, no database."""
