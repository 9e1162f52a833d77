"""Times as whoever runs the service reads them."""

from django import template

register = template.Library()

_UNITS = ((86_400, "d"), (3600, "h"), (60, "min"))


@register.filter
def for_so_long(seconds: float) -> str:
    """``90`` is "1.5 min", ``0.034`` "0.03 s": one unit, rounded as far as anybody cares."""
    for size, unit in _UNITS:
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds:.2f} s" if seconds < 1 else f"{seconds:.3g} s"
