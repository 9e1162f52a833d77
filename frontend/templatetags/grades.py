"""Scores and weights in templates."""

from fractions import Fraction

from django import template

from exercises.courses.scoring import percent
from exercises.courses.shares import share_words
from exercises.models import SetItem

register = template.Library()


@register.filter
def score(share: Fraction | None, pass_mark: Fraction | None = None) -> str:
    """A score in percent, on one line; a dash for none."""
    return "–" if share is None else percent(share, threshold=pass_mark).replace(" ", "\u00a0")


@register.filter
def share(value: Fraction) -> str:
    """A share exactly, as people write it."""
    return share_words(value).replace(" ", "\u00a0")


@register.filter
def weight_words(item: SetItem) -> str:
    """What an item weighs: "0.7". Its pool must be loaded."""
    weight = item.pool.weight if item.pool else item.weight
    return f"{weight.normalize():f}"
