"""Skills and levels in templates: their titles, marks and words."""

from django import template

from exercises.catalogue import skills
from exercises.mastery.states import Level
from frontend.levels import WORDS, due_icon, level_icon

register = template.Library()

TITLES = {skill.id: skill.title for skill in skills()}

register.simple_tag(level_icon)
register.simple_tag(due_icon)


@register.filter
def skill_title(skill_id: str) -> str:
    """What a skill is called; one that is on the map no more goes by the name in its file."""
    return TITLES.get(skill_id, skill_id)


@register.filter
def level_word(level: Level) -> str:
    """What a level is called."""
    return WORDS[level]
