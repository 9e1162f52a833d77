"""What an exported question says around its boxes: statement, figure, rounding, hints and worked solution, as XHTML."""

from collections.abc import Sequence
from html import escape

from exercises.exchange.exercise import Exercise, Part
from exercises.exchange.markup import Maths, formula, html, inline
from exercises.exchange.pictures import Picture

ROUNDING = (
    "Work with at least {working} significant digits and give at least {digits}; round once, at the end. Write a point "
    "for decimals."
)


def opening(exercise: Exercise, *, image: str = "", maths: Maths = "tex") -> str:
    """Statement, figure and the question to guess at first. ``image`` is the address of the figure."""
    parts = [html(exercise.statement, maths)]
    if exercise.picture is not None and image:
        parts.append(figure(exercise.picture, image))
    if exercise.forecast:
        parts.append(f"<p><em>Before you begin:</em> {inline(exercise.forecast, maths)}</p>")
    return "\n".join(parts)


def figure(picture: Picture, image: str) -> str:
    """A figure with its words, for whoever does not see it, and its caption."""
    alt = escape(picture.alt, quote=True)
    return f'<p><img src="{escape(image, quote=True)}" alt="{alt}"/><br/><em>{inline(picture.caption)}</em></p>'


def rounding(exercise: Exercise, parts: Sequence[Part]) -> str:
    """What rounding is expected, once for all parts; empty where all is exact."""
    digits = sorted({part.digits for part in parts if part.kind in ("number", "vector")})
    if not digits:
        return ""
    said = str(digits[0]) if len(digits) == 1 else f"{digits[0]} to {digits[-1]}"
    return f"<p>{ROUNDING.format(working=exercise.working, digits=said)}</p>"


def worked_solution(exercise: Exercise, maths: Maths = "tex") -> str:
    """Every step's rule, its rule with numbers, its value, and the lines that verify it."""
    lines = []
    for step in exercise.solution.steps:
        sides = [side for side in (step.formula, step.numbers, step.value) if side]
        shown = formula(" = ".join(sides), maths) if sides else ""
        # A formula that only names a choice has the chosen words behind it.
        shown = f"{shown} {inline(step.text, maths)}".strip() if step.text else shown
        if shown:
            ask = f"{inline(step.ask, maths)} " if step.ask else ""
            lines.append(f"<li>{ask}{shown}</li>")
    checks = [f"<li>{inline(says, maths)}</li>" for says, holds in exercise.solution.checks if holds]
    proof = f"<p>To check:</p><ul>{''.join(checks)}</ul>" if checks else ""
    return f"<p>Worked solution:</p><ol>{''.join(lines)}</ol>{proof}"


def hints(exercise: Exercise, parts: Sequence[Part], maths: Maths = "tex") -> str:
    """The author's hints to these parts, one a line; empty where there is none."""
    found = [exercise.hints[part.step] for part in parts if part.step in exercise.hints]
    return f"<ul>{''.join(f'<li>{inline(hint, maths)}</li>' for hint in found)}</ul>" if found else ""
