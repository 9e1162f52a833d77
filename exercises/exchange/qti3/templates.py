"""A whole problem as one item of QTI 3 that draws its own numbers, where template processing can say all of it.

That is so for problems of single numbers: drawn from a grid with fixed ends, or computed from those, with rules of
sums, products, powers and the usual functions. Conditions, and the distance of named mistakes from the key, become
template constraints, so that no variant is drawn in which a mistake could pass for the right answer.
"""

import math
import re
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from exercises.exchange.markup import html, inline
from exercises.exchange.qti3.expressions import (
    NOISE,
    NotExpressible,
    absolute,
    condition,
    expression,
    half_unit,
    rounded,
)
from exercises.exchange.qti3.items import SOLUTION, Pieces, assembled, entry
from exercises.exchange.qti3.xml import (
    add_points,
    base,
    number,
    number_text,
    response,
    tag,
    variable,
)
from grader.errors import DrawError, FormulaError
from grader.formula import Formula
from grader.graph import Mistake, Parameter, Problem, Step
from grader.sampling import draw, read_parameters
from grader.separation import all_lanes
from grader.template import Template

#: Variants by which it is seen how much rounding on the way widens a tolerance.
SAMPLE = 60
#: From here on, numbers stand for template variables while a text is set.
_FIRST = 9_870_001
_SLOT = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)
_AT_END = re.compile(r"(?<!\$)\$((?:(?!\{\{)[^$])*)(\{\{[^{}$]*\}\})\s*\$(?!\$)")
_NAME = re.compile(r"[A-Za-z_]\w*")


def templated_item(problem: Problem, *, identifier: str, title: str) -> str:
    """The item, as a document. Raises NotExpressible with what cannot be said."""
    written = _Written(problem)
    pieces = Pieces()
    for step in problem.asked:
        written.ask(step, pieces)
    body = f"<div>{written.text(problem.statement)}</div>"
    if problem.forecast is not None:
        body += f"<div><p><em>Before you begin:</em> {written.line(problem.forecast)}</p></div>"
    digits = sorted({step.digits for step in problem.asked if step.rounded})
    if digits:
        body += (
            f"<div><p>Work with at least {problem.working} significant digits and give at least {digits[0]}; "
            "round once, at the end.</p></div>"
        )
    pieces.processing.append(pieces.tell_of(written.solution(), SOLUTION))
    most = sum((weight_of(step) for step in problem.asked), Fraction(0))
    return assembled(
        pieces,
        identifier=identifier,
        title=title,
        body=body + "".join(pieces.body),
        most=most,
        total=int(most * written.scale),
        declared=written.declared,
        template=tag("qti-template-processing", *written.processing),
    )


class _Written:
    """The template variables of a problem, by our names, and how they come about."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.names: dict[str, str] = {}
        self.decimals: dict[str, int] = {}
        self.declared: list[str] = []
        self.processing: list[str] = []
        for parameter in problem.parameters:
            self._draw(parameter)
        for formula in problem.require:
            self._constrain(condition(formula.node, self.names))
        self.widening = _widening(problem)
        # Points are whole numbers, in proportion to the weights.
        self.scale = math.lcm(*(weight_of(step).denominator for step in problem.asked))
        for step in problem.steps:
            self._compute(step)

    def _draw(self, parameter: Parameter) -> None:
        if parameter.type not in ("number", "integer") or parameter.source not in ("range", "is", "pick"):
            raise NotExpressible(f"{parameter.name}, which is no single number")
        decimals = max(parameter.decimals, 0)
        scale = 10**decimals
        if parameter.source == "is":
            if parameter.formula is None:
                raise NotExpressible(parameter.name)
            decimals = max(0, round(-float(np.log10(parameter.grid))))
            value = tag("qti-product", expression(parameter.formula.node, self.names), number(10**decimals))
            self._declare(parameter.name, f"P_{parameter.name}", "float")
            self._set(f"P_{parameter.name}", tag("qti-divide", rounded(value), number(10**decimals)))
        elif parameter.source == "pick":
            values = [base("float", number_text(float(one))) for one in parameter.values]
            self._declare(parameter.name, f"P_{parameter.name}", "float")
            self._set(f"P_{parameter.name}", tag("qti-random", tag("qti-multiple", *values)))
        else:
            low, high = _constant(parameter.low), _constant(parameter.high)
            step = round(parameter.grid * scale)
            bottom = round(low * scale)
            top = bottom + step * int((high - low) / parameter.grid + 1e-9)
            drawn = tag("qti-random-integer", min=str(bottom), max=str(top), step=str(step))
            if scale == 1:
                self._declare(parameter.name, f"P_{parameter.name}", "integer")
                self._set(f"P_{parameter.name}", drawn)
            else:
                self._declare("", f"K_{parameter.name}", "integer")
                self._set(f"K_{parameter.name}", drawn)
                self._declare(parameter.name, f"P_{parameter.name}", "float")
                self._set(f"P_{parameter.name}", tag("qti-divide", variable(f"K_{parameter.name}"), number(scale)))
        self.decimals[parameter.name] = decimals

    def _compute(self, step: Step) -> None:
        if step.kind not in ("number", "count") or step.formula is None or step.undefined:
            raise NotExpressible(f"the step {step.name}, whose answer is no single number")
        value = expression(step.formula.node, self.names)
        self._declare(step.name, f"S_{step.name}", "float")
        self._set(f"S_{step.name}", value)

    def ask(self, step: Step, pieces: Pieces) -> None:
        """One asked step: its box, its tolerance, its own mistakes, what they earn."""
        if step.ask is None:
            return
        name, key, room = f"R_{step.name}", f"S_{step.name}", f"T_{step.name}"
        self._declare("", room, "float")
        self._set(room, self._room(variable(key), step))
        correct = tag("qti-set-correct-response", variable(key), identifier=name)
        self.processing.append(correct)
        pieces.responses.append(response(name, "single", "float"))
        points = weight_of(step) * self.scale
        rules = [tag("qti-response-if", _near(name, key, room), add_points(number(float(points))))]
        rules += [self._mistake(step, mistake, points, pieces) for mistake in step.mistakes]
        pieces.processing.append(tag("qti-response-condition", *rules))
        counts = "" if points else " <em>(counts nothing)</em>"
        unit = " %" if step.unit else ""
        pieces.body.append(tag("div", f"<p>{self.line(step.ask)}{counts}<br/>{entry(name)}{unit}</p>"))

    def _mistake(self, step: Step, mistake: Mistake, points: Fraction, pieces: Pieces) -> str:
        """The rule for a named mistake, which is kept apart from the key by a constraint."""
        formula = mistake.formulas.get(step.name)
        if formula is None:
            raise NotExpressible(f"the mistake {mistake.note}")
        name = re.sub(r"\W", "_", f"{step.name}_{mistake.tag}")
        value, room, key = f"M_{name}", f"U_{name}", f"S_{step.name}"
        self._declare("", value, "float")
        self._set(value, expression(formula.node, self.names))
        self._declare("", room, "float")
        self._set(room, self._room(variable(value), step))
        apart = absolute(tag("qti-subtract", variable(value), variable(key)))
        same = tag("qti-lte", apart, tag("qti-product", number(NOISE), absolute(variable(key))))
        clear = tag("qti-gt", apart, tag("qti-sum", variable(room), variable(f"T_{step.name}")))
        self._constrain(tag("qti-or", same, clear))
        says = pieces.tell_of(f"<p>{self.line(mistake.says)}</p>")
        earned = [add_points(number(float(points * mistake.credit)))] if points * mistake.credit else []
        return tag("qti-response-else-if", _near(f"R_{step.name}", value, room), *earned, says)

    def _room(self, of: str, step: Step) -> str:
        """How far a right hand calculation may end from a value. What is exact must be met but for dust."""
        if not step.rounded:
            return number(NOISE)
        return tag("qti-product", number(self.widening[step.name]), half_unit(of, step.digits))

    def text(self, template: Template) -> str:
        """Blocks of a text with template variables in its slots."""
        return self._slotted(template, lambda words: html(words, "mathml"))

    def line(self, template: Template) -> str:
        """One line of it."""
        return self._slotted(template, lambda words: inline(words, "mathml"))

    def _slotted(self, template: Template, setting: Callable[[str], str]) -> str:
        found: list[str] = []

        def placed(slot: re.Match[str]) -> str:
            name = slot[1].strip()
            if not _NAME.fullmatch(name) or name not in self.decimals:
                raise NotExpressible(f"{{{{ {name} }}}} in a text")
            if slot.string.count("$", 0, slot.start()) % 2:
                raise NotExpressible(f"{{{{ {name} }}}} within a formula")
            found.append(name)
            return str(_FIRST + len(found) - 1)

        # Players print variables beside formulas and not all of them within: a value that ends one stands behind it.
        source = _AT_END.sub(lambda end: f"${end[1].rstrip()}$ {end[2]}" if end[1].strip() else end[2], template.source)
        words = setting(_SLOT.sub(placed, source))
        for place, name in enumerate(found):
            shown = tag("qti-printed-variable", identifier=f"P_{name}", format=f"%.{self.decimals[name]}f")
            words = words.replace(str(_FIRST + place), shown)
        return words

    def solution(self) -> str:
        """Each step with its value; the rules stand in words of the problem only."""
        lines = []
        for step in self.problem.steps:
            shown = tag("qti-printed-variable", identifier=f"S_{step.name}", format=f"%.{self.problem.working}g")
            ask = self.line(step.ask) if step.ask is not None else step.name
            lines.append(f"<li>{ask} {shown}</li>")
        return f"<p>Worked solution:</p><ol>{''.join(lines)}</ol>"

    def _declare(self, ours: str, name: str, kind: str) -> None:
        if ours:
            self.names[ours] = name
        self.declared.append(
            tag(
                "qti-template-declaration", identifier=name, cardinality="single", base_type=kind,
                math_variable="false", param_variable="false",
            )
        )  # fmt: skip

    def _set(self, name: str, value: str) -> None:
        self.processing.append(tag("qti-set-template-value", value, identifier=name))

    def _constrain(self, rule: str) -> None:
        self.processing.append(tag("qti-template-constraint", rule))


def weight_of(step: Step) -> Fraction:
    """What a step counts: nothing where it is only there to lean on."""
    return Fraction(0) if step.optional else step.weight


def _near(name: str, key: str, room: str) -> str:
    distance = absolute(tag("qti-subtract", variable(name), variable(key)))
    return tag("qti-lte", distance, tag("qti-product", variable(room), number(1 + NOISE)))


def _constant(formula: Formula | None) -> float:
    if formula is None or formula.names:
        raise NotExpressible("a range whose ends depend on other numbers")
    return float(np.asarray(formula({})).flat[0])


def _widening(problem: Problem) -> dict[str, float]:
    """By how much rounding on the way widens the half unit of each step's last digit, at most, over some variants."""
    found = {step.name: 1.0 for step in problem.rounded}
    for seed in range(SAMPLE):
        try:
            drawn = read_parameters(problem, draw(problem, seed))
            lanes = all_lanes(problem, drawn.env)
        except (DrawError, FormulaError):
            continue
        units = lanes.values.alike(lanes.units)
        for name, widest in found.items():
            with np.errstate(all="ignore"):
                ratio = float(lanes.allowances[name][0, 0, 0] / units[name][0, 0, 0])
            if np.isfinite(ratio):
                found[name] = max(widest, round(ratio + 5e-5, 4))
    return found
