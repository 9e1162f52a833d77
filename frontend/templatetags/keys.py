"""What the pages of keys say."""

from django import template

from exercises.scopes import SCOPES

register = template.Library()


@register.filter
def scope_words(name: str) -> str:
    """What a scope is good for, in words."""
    return SCOPES.get(name, name)
