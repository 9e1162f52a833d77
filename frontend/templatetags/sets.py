"""What the templates of problem sets need: weights, states and what somebody else wrote meanwhile."""

from decimal import Decimal
from fractions import Fraction

from django import template
from django.forms import BoundField

from exercises.courses.item_details import weight_text
from exercises.courses.scoring import percent

register = template.Library()

#: The badge of a state: what it is called, and the end of its class.
STATES = {
    "draft": ("draft", "draft"),
    "not-yet": ("not open yet", "draft"),
    "open": ("open", "open"),
    "late": ("late", "late"),
    "closed": ("closed", "closed"),
    "not-begun": ("not begun", "draft"),
    "going-on": ("going on", "open"),
    "handed-in": ("handed in", "done"),
}


@register.simple_tag
def now_of(field: BoundField) -> str | None:
    """What stands in a field by now, where somebody else changed it meanwhile; None where that is the same."""
    found: str | None = getattr(field.form, "now", {}).get(field.name)
    return found


@register.filter
def weight(value: Decimal) -> str:
    """A weight without noughts at its end."""
    return weight_text(value)


@register.filter
def upper_first(text: str) -> str:
    """The text as it begins a sentence."""
    return text[:1].upper() + text[1:]


@register.filter
def share(value: Fraction) -> str:
    """An exact share as a percentage."""
    return percent(value)


@register.filter
def words(name: str) -> str:
    """What a field of a set is called: its column with spaces, without *at*."""
    return name.removesuffix("_at").replace("_", " ")


@register.inclusion_tag("frontend/sets/_state.html")
def state_badge(name: str) -> dict[str, str]:
    """The badge of a phase or of the state of an attempt."""
    called, kind = STATES.get(name, (name, "draft"))
    return {"words": called, "kind": kind}
