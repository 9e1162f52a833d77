"""What the templates need beyond Django's own: typeset text, figures, icons."""

from typing import Any

from django import template
from django.forms import BoundField, CheckboxInput, CheckboxSelectMultiple
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from exercises.figures import Drawing
from frontend.typeset import formula, spoken, typeset, typeset_inline, with_minus

register = template.Library()

register.filter("typeset", typeset)
register.filter("typeset_inline", typeset_inline)
register.filter("formula", formula)
register.filter("spoken", spoken)
register.filter("with_minus", with_minus)

#: Strokes of a 16 by 16 grid; the words beside an icon carry the meaning, so it is hidden from screen readers.
ICONS = {
    "right": "M3 8.5l3.2 3.2L13 4.8",
    "carried": "M3 5.5h6.5a3 3 0 0 1 0 6H4M6.5 8.5L3.5 11.5l3 3",
    "mistake": "M8 2.2L14.4 13.4H1.6ZM8 6.4v3.4M8 11.6v.3",
    "wrong": "M4 4l8 8M12 4l-8 8",
    "blank": "M3 8h10",
    "unreadable": "M5.4 6a2.7 2.7 0 1 1 4 2.3c-.9.5-1.4 1-1.4 2M8 12.6v.4",
    "pending": "M8 4.2V8l2.6 1.8M8 1.8a6.2 6.2 0 1 1 0 12.4a6.2 6.2 0 0 1 0-12.4",
}
#: Fields of the account forms.
ACCOUNT_WORDS = {"login": "Name or email", "email": "Email"}


@register.simple_tag
def icon(name: str) -> SafeString:
    """The icon of an outcome; nothing for a name without one."""
    if name not in ICONS:
        return SafeString()
    return format_html(
        '<svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">'
        '<path d="{}"/></svg>',
        ICONS[name],
    )


@register.simple_tag(takes_context=True)
def is_here(context: dict[str, Any], *rooms: str) -> SafeString:
    """Marks a way through the service by where somebody is: on its own page, which is the first of these rooms, or
    somewhere below one of them. Rooms are the first words of addresses."""
    request = context.get("request")
    path = request.path.strip("/") if request else ""
    if not any(f"{path}/".startswith(f"{room}/") for room in rooms):
        return SafeString()
    return mark_safe(' aria-current="page"' if path == rooms[0] else ' aria-current="true"')  # noqa: S308


@register.inclusion_tag("frontend/_figure.html")
def figure(drawing: Drawing) -> dict[str, Any]:
    """A drawing with its caption and its table."""
    wide = drawing.svg
    narrow = drawing.narrow_svg
    if narrow:
        wide = wide.replace('class="figure-svg', 'class="figure-svg figure-wide', 1)
        narrow = narrow.replace('class="figure-svg', 'class="figure-svg figure-narrow', 1)
    # Every text in a drawing was escaped where it was drawn (exercises.figures.canvas.element and text).
    return {
        "wide": mark_safe(wide),  # noqa: S308
        "narrow": mark_safe(narrow),  # noqa: S308
        "drawing": drawing,
    }


@register.filter
def called(field: BoundField) -> str:
    """What a form field is called; those of the account forms, which are not ours, in the words of the house."""
    return ACCOUNT_WORDS.get(field.name) or str(field.label)


@register.filter
def is_check_box(field: BoundField) -> bool:
    """Whether a form field is a single box to tick, which has its label behind it."""
    return isinstance(field.field.widget, CheckboxInput)


@register.filter
def is_group(field: BoundField) -> bool:
    """Whether a form field is several boxes to tick, which together have a legend."""
    return isinstance(field.field.widget, CheckboxSelectMultiple)


@register.filter
def text_box(field: BoundField) -> SafeString:
    """The field's own input in the house style, tied to its help and its errors; no placeholder repeats the label."""
    described = [f"{field.auto_id}_helptext"] if field.help_text else []
    attributes: dict[str, Any] = {"class": "text-box", "placeholder": False}
    if field.errors:
        described.append(f"{field.auto_id}_error")
        attributes["aria-invalid"] = "true"
    if described:
        attributes["aria-describedby"] = " ".join(described)
    return field.as_widget(attrs=attributes)


@register.filter
def display_formula(tex: str) -> SafeString:
    """A formula on a line of its own."""
    return formula(tex, display=True)


@register.filter
def large_formula(tex: str) -> SafeString:
    """A formula within a line, its fractions as large as on a line of its own."""
    return formula(rf"\displaystyle {tex}")
