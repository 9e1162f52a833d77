"""Levels in templates: their marks and their words."""

from django import template

from exercises.mastery.states import Level
from frontend.levels import WORDS, due_icon, level_icon

register = template.Library()

register.simple_tag(level_icon)
register.simple_tag(due_icon)


@register.filter
def level_word(level: Level) -> str:
    """What a level is called."""
    return WORDS[level]
