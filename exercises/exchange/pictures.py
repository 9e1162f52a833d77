"""A figure as an SVG file that stands alone: in other systems no style sheet of ours is there to colour it."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from xml.etree import ElementTree as ET

from exercises.exchange.safe_xml import read_xml
from exercises.figures import draw, has_content
from grader.picture import Figure

_SANS = "Arial, Helvetica, sans-serif"
_INK, _SOFT, _RULE, _STRONG = "#201f1c", "#5d5a52", "#e2ddd1", "#8d877a"
_ACCENT, _LINE, _PALE, _WHITE = "#27428f", "#aab8e0", "#e8ecf7", "#ffffff"
SVG = "http://www.w3.org/2000/svg"


def _named(**attributes: str) -> Mapping[str, str]:
    return MappingProxyType({name.replace("_", "-"): value for name, value in attributes.items()})


#: What the classes of ``css/figures.css`` come to on white paper; later ones win.
_LOOKS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "fig-text": _named(font_family=_SANS, font_size="13", fill=_INK),
        "fig-small": _named(font_size="12", fill=_SOFT),
        "fig-muted": _named(fill=_SOFT),
        "fig-slot": _named(font_size="12", fill=_SOFT),
        "fig-name": _named(font_family="Georgia, serif", font_style="italic", font_weight="600", font_size="15"),
        "fig-sign": _named(font_size="15"),
        "fig-value": _named(font_size="13.5"),
        "fig-strong": _named(font_weight="600", fill=_ACCENT),
        "fig-word-mask": _named(fill=_WHITE),
        "fig-rule": _named(stroke=_STRONG, stroke_width="1"),
        "fig-rule-strong": _named(stroke=_INK, stroke_width="1.4"),
        "fig-grid": _named(stroke=_RULE, stroke_width="1"),
        "fig-box": _named(fill=_WHITE, stroke=_STRONG, stroke_width="1"),
        "fig-cell": _named(fill=_WHITE, stroke=_STRONG, stroke_width="1"),
        "fig-token": _named(fill=_WHITE, stroke=_STRONG, stroke_width="1"),
        "fig-token-mask": _named(fill=_ACCENT, stroke=_ACCENT),
        "fig-token-random": _named(fill=_PALE, stroke=_ACCENT, stroke_width="1.6", stroke_dasharray="4 3"),
        "fig-token-kept": _named(fill=_PALE, stroke=_ACCENT, stroke_width="1.6"),
        "fig-token-special": _named(fill=_RULE, stroke=_STRONG),
        "fig-bar": _named(fill=_LINE),
        "fig-bar-chosen": _named(fill=_ACCENT),
        "fig-empty": _named(fill="none", stroke=_STRONG, stroke_width="1", stroke_dasharray="3 3"),
        "fig-bracket": _named(fill="none", stroke=_INK, stroke_width="1.5"),
        "fig-funnel": _named(fill=_PALE, stroke=_LINE, stroke_width="1"),
        "fig-thread": _named(stroke=_LINE, stroke_width="0.7"),
        "fig-dot": _named(fill=_WHITE, stroke=_INK, stroke_width="1.4"),
        "fig-dot-out": _named(fill=_ACCENT, stroke=_ACCENT),
        "fig-dots": _named(fill=_SOFT),
        "fig-curve": _named(fill="none", stroke=_ACCENT, stroke_width="2", stroke_linecap="round"),
        "fig-drop": _named(stroke=_INK, stroke_width="1", stroke_dasharray="3 3"),
        "fig-point": _named(fill=_ACCENT, stroke=_WHITE, stroke_width="2"),
    }
)


@dataclass(frozen=True)
class Picture:
    """An SVG file, what it shows in words, and its caption."""

    svg: bytes
    alt: str
    caption: str


def picture_of(figure: Figure | None) -> Picture | None:
    """The figure as a file; None where there is none, or nothing on it yet."""
    if figure is None or not has_content(figure.kind, figure.data):
        return None
    drawing = draw(figure.kind, figure.data)
    root = read_xml(drawing.svg.encode())
    alt = root.attrib.pop("aria-label", drawing.caption)
    for element in root.iter():
        looks: dict[str, str] = {}
        for name in element.attrib.pop("class", "").split():
            looks |= _LOOKS.get(name, {})
        element.attrib.update(looks)
    root.set("xmlns", SVG)
    return Picture(ET.tostring(root, encoding="utf-8", xml_declaration=True), alt, drawing.caption)
