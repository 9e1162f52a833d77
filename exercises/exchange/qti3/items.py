"""One fixed variant as an item of QTI 3: numbers with bounds, choices and texts with part marks, words on mistakes."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from html import escape

from exercises.exchange.exercise import Box, Exercise, Form, Option, Part
from exercises.exchange.markup import inline
from exercises.exchange.moodle.cloze import weights_of
from exercises.exchange.qti3.xml import (
    DECLARATION,
    NAMESPACE,
    POINTS,
    add_points,
    base,
    feedback,
    number,
    number_text,
    outcome,
    response,
    score_of,
    tag,
    tell,
    told,
    value,
    variable,
)
from exercises.exchange.texts import hints, opening, rounding, worked_solution

#: By how much bounds are widened, so that both neighbours of a tie are right, as in marking.
TIE = 1e-9
UNDEFINED = ("undefined", "undef", "not defined", "0/0")
SOLUTION = "solution"


@dataclass
class Pieces:
    """What an item is made of, in the order of its parts."""

    responses: list[str] = field(default_factory=list)
    body: list[str] = field(default_factory=list)
    processing: list[str] = field(default_factory=list)
    feedback: list[str] = field(default_factory=list)
    outcomes: list[str] = field(default_factory=list)

    def tell_of(self, content: str, name: str = "") -> str:
        """Have this said; the rule that shows it."""
        name = name or f"f{len(self.feedback) + 1}"
        self.outcomes.append(told(name))
        self.feedback.append(feedback(name, content))
        return tell(name)

    def tell_line(self, says: str) -> str:
        """The same for one line of Markdown."""
        return self.tell_of(f"<p>{inline(says, 'mathml')}</p>")


def fixed_item(exercise: Exercise, *, identifier: str, title: str, image: str) -> str:
    """The item of one variant, as a document."""
    pieces = Pieces()
    points = weights_of(exercise.parts)
    for part in exercise.parts:
        _part(part, points[part.step], pieces)
    said = opening(exercise, image=image, maths="mathml")
    body = f"<div>{said}{rounding(exercise, exercise.parts)}</div>{''.join(pieces.body)}"
    told = hints(exercise, exercise.parts, "mathml")
    if told:
        body += f'<div class="hints"><p><em>Hints</em></p>{told}</div>'
    pieces.processing.append(pieces.tell_of(worked_solution(exercise, "mathml"), SOLUTION))
    most = sum((part.weight for part in exercise.parts), Fraction(0))
    total = sum(points[part.step] * max(1, len(part.boxes)) for part in exercise.parts)
    return assembled(pieces, identifier=identifier, title=title, body=body, most=most, total=total)


def assembled(
    pieces: Pieces,
    *,
    identifier: str,
    title: str,
    body: str,
    most: Fraction,
    total: int,
    declared: Sequence[str] = (),
    template: str = "",
) -> str:
    """An item of its pieces; ``total`` are the points that ``most`` is earned with, ``declared`` and ``template`` its
    template variables and how they come about."""
    score = tag("qti-default-value", value("0"))
    outcomes = [
        outcome("SCORE", "single", "float", score, normal_maximum=number_text(float(most)), normal_minimum="0"),
        outcome("MAXSCORE", "single", "float", tag("qti-default-value", value(number_text(float(most))))),
        outcome(POINTS, "single", "float", score),
        *pieces.outcomes,
    ]
    return DECLARATION + tag(
        "qti-assessment-item",
        *pieces.responses,
        *outcomes,
        *declared,
        template,
        tag("qti-item-body", body),
        tag("qti-response-processing", *pieces.processing, score_of(float(most), total)),
        *pieces.feedback,
        xmlns=NAMESPACE,
        identifier=identifier,
        title=title,
        adaptive="false",
        time_dependent="false",
        **{"xml:lang": "en"},
    )


def _part(part: Part, points: int, pieces: Pieces) -> None:
    if part.options:
        _choose(part, points, pieces)
    elif part.boxes:
        _boxes(part, points, pieces)
    else:
        name = f"R_{part.step}"
        _typed(name, part.forms, points, pieces)
        pieces.body.append(tag("div", f"<p>{_ask(part)}<br/>{entry(name)}</p>"))


def _ask(part: Part) -> str:
    return inline(part.ask, "mathml") + ("" if part.weight else " <em>(counts nothing)</em>")


def entry(name: str) -> str:
    """A box to type into."""
    return tag("qti-text-entry-interaction", response_identifier=name, expected_length="12")


def _boxes(part: Part, points: int, pieces: Pieces) -> None:
    lines = []
    for place, box in enumerate(part.boxes, start=1):
        name = f"R_{part.step}" if len(part.boxes) == 1 else f"R_{part.step}_{place}"
        if box.key is None:
            _typed(name, [Form(text, Fraction(1)) for text in UNDEFINED], points, pieces)
        else:
            _number(name, box, points, pieces)
        label = f"{inline(box.label, 'mathml')}: " if box.label else ""
        lines.append(f"{label}{entry(name)}{f' {escape(part.unit)}' if part.unit else ''}")
    if len(lines) == 1:
        pieces.body.append(tag("div", f"<p>{_ask(part)}<br/>{lines[0]}</p>"))
    else:
        pieces.body.append(tag("div", f"<p>{_ask(part)}</p><ol>{''.join(f'<li>{line}</li>' for line in lines)}</ol>"))


def _number(name: str, box: Box, points: int, pieces: Pieces) -> None:
    if box.key is None:
        return
    pieces.responses.append(response(name, "single", "float", tag("qti-correct-response", value(number_text(box.key)))))
    rules = [tag("qti-response-if", _within(name, box.key, box.room), add_points(number(points)))]
    for wrong in box.wrongs:
        earned = [add_points(number(float(points * wrong.credit)))] if wrong.credit * points else []
        rules.append(
            tag("qti-response-else-if", _within(name, wrong.value, wrong.room), *earned, pieces.tell_line(wrong.says))
        )
    pieces.processing.append(tag("qti-response-condition", *rules))


def _within(name: str, key: float, room: float) -> str:
    wide = room * (1 + TIE) + abs(key) * 1e-12
    return tag(
        "qti-and",
        tag("qti-gte", variable(name), number(key - wide)),
        tag("qti-lte", variable(name), number(key + wide)),
    )


def _typed(name: str, forms: Sequence[Form], points: int, pieces: Pieces) -> None:
    first = next((form.text for form in forms if form.credit == 1), "")
    entries = [
        tag("qti-map-entry", map_key=form.text, mapped_value=number_text(float(form.credit)), case_sensitive="false")
        for form in forms
    ]
    pieces.responses.append(
        response(
            name, "single", "string", tag("qti-correct-response", value(first)),
            tag("qti-mapping", *entries, default_value="0"),
        )
    )  # fmt: skip
    _add_mapped(name, points, pieces)
    for says in dict.fromkeys(form.says for form in forms if form.says):
        matches = [
            tag("qti-string-match", variable(name), base("string", form.text), case_sensitive="false")
            for form in forms
            if form.says == says
        ]
        pieces.processing.append(
            tag("qti-response-condition", tag("qti-response-if", tag("qti-or", *matches), pieces.tell_line(says)))
        )


def _choose(part: Part, points: int, pieces: Pieces) -> None:
    name, several = f"R_{part.step}", part.kind == "choices"
    names = [f"O{place}" for place in range(1, len(part.options) + 1)]
    right = [one for one, option in zip(names, part.options, strict=True) if option.is_right]
    shares = _shares(part.options, len(right), several=several)
    entries = [
        tag("qti-map-entry", map_key=one, mapped_value=number_text(float(share)))
        for one, share in zip(names, shares, strict=True)
    ]
    pieces.responses.append(
        response(
            name, "multiple" if several else "single", "identifier",
            tag("qti-correct-response", *map(value, right)),
            tag("qti-mapping", *entries, lower_bound="0", upper_bound="1", default_value="0"),
        )
    )  # fmt: skip
    choices = [
        tag("qti-simple-choice", inline(option.text, "mathml") or "–", identifier=one)
        for one, option in zip(names, part.options, strict=True)
    ]
    prompt = tag("qti-prompt", _ask(part))
    pieces.body.append(
        tag(
            "qti-choice-interaction", prompt, *choices, response_identifier=name, shuffle="false",
            max_choices="0" if several else "1",
        )
    )  # fmt: skip
    _add_mapped(name, points, pieces)
    for one, option in zip(names, part.options, strict=True):
        if option.says and not several:
            chosen = tag("qti-match", variable(name), base("identifier", one))
            pieces.processing.append(
                tag("qti-response-condition", tag("qti-response-if", chosen, pieces.tell_line(option.says)))
            )


def _shares(options: Sequence[Option], right: int, *, several: bool) -> list[Fraction]:
    """What each option earns: all or a part for one choice; hits less false picks where several are chosen."""
    if not several:
        return [Fraction(1) if option.is_right else option.credit for option in options]
    each = Fraction(1, right or 1)
    return [each if option.is_right else -each for option in options]


def _add_mapped(name: str, points: int, pieces: Pieces) -> None:
    if points:
        mapped = tag("qti-map-response", identifier=name)
        pieces.processing.append(add_points(tag("qti-product", mapped, number(points))))
