"""The tables. Every model is imported from here."""

from exercises.models.user import User

__all__ = ["User"]
