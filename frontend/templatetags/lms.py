"""What was told to a learning platform, and what it shows, in words."""

from collections.abc import Mapping
from typing import Any

from django import template

register = template.Library()
_STATES = {
    "NotReady": "no grade yet",
    "Pending": "waits to be marked",
    "PendingManual": "waits for release or for you",
}


@register.filter
def score_sent(sent: Mapping[str, Any]) -> str:
    """A score as it was posted."""
    if sent.get("scoreGiven") is not None:
        return f"{_plain(sent['scoreGiven'])} of {_plain(sent.get('scoreMaximum'))}"
    return _STATES.get(str(sent.get("gradingProgress")), "no grade")


@register.filter
def score_shown(shown: Mapping[str, Any] | None) -> str:
    """A result as it was read."""
    if not shown or shown.get("score") is None:
        return "no grade"
    of = f" of {_plain(shown['maximum'])}" if shown.get("maximum") is not None else ""
    return f"{_plain(shown['score'])}{of}"


def _plain(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, int | float) else "?"
