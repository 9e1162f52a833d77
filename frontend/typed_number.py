"""Whole numbers in forms and addresses: whatever is none is as if it were not there."""

from django.http import HttpRequest


def typed_number(said: str, *, digits: int = 18) -> int | None:
    """The number that a text says, of at most so many digits; None for anything else. None is negative."""
    return int(said) if said.isascii() and said.isdecimal() and len(said) <= digits else None


def asked_page(request: HttpRequest) -> int:
    """The page that the address asks for, from 1; the first where it asks for none."""
    return max(1, typed_number(request.GET.get("page", ""), digits=6) or 1)
