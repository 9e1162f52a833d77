"""The options of a select with a thousand to choose from, put together by hand."""

from collections.abc import Iterable

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe


def options(choices: Iterable[tuple[int, str]], chosen: int | None = None) -> SafeString:
    """An option for each (value, words)."""
    found = (
        f'<option value="{value}"{" selected" if value == chosen else ""}>{escape(words)}</option>'
        for value, words in choices
    )
    return mark_safe("".join(found))  # noqa: S308 - what people are called is escaped
