"""One question of a Canvas quiz in QTI 1.2: a number with its bounds, a choice, or a short answer."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from xml.etree.ElementTree import Element, SubElement

from exercises.exchange.exercise import Box, Exercise, Form, Option, Part
from exercises.exchange.markup import html, inline
from exercises.exchange.texts import hints, opening, rounding, worked_solution

#: By how much bounds are widened, so that both neighbours of a tie are right, as in marking.
TIE = 1e-9
UNDEFINED = ("undefined", "undef", "not defined", "0/0")


@dataclass(frozen=True)
class Asked:
    """What one question asks for: a part of a variant, and of a vector one entry."""

    exercise: Exercise
    part: Part
    entry: int | None = None

    @property
    def box(self) -> Box | None:
        """The number that is asked for; None for choices and texts."""
        if not self.part.boxes:
            return None
        return self.part.boxes[self.entry or 0]


def asked_in(exercise: Exercise, part: Part) -> Asked | None:
    """The question of a part in one variant; None where nothing could be right. The entry goes by the seed."""
    if part.options:
        return Asked(exercise, part) if any(option.is_right for option in part.options) else None
    if part.kind == "vector":
        return Asked(exercise, part, exercise.seed % len(part.boxes)) if part.boxes else None
    return Asked(exercise, part)


def ident(*parts: object) -> str:
    """An identifier that follows from what it is of, and begins with a letter."""
    return "g" + hashlib.sha256("/".join(map(str, parts)).encode()).hexdigest()[:31]


def points_text(points: Fraction) -> str:
    """Points as Canvas writes them."""
    return f"{float(points):.4f}".rstrip("0").rstrip(".")


def item_of(asked: Asked, key: str, title: str, points: Fraction, image: str) -> Element:
    """The item of one question."""
    exercise, part = asked.exercise, asked.part
    item = Element("item", ident=ident(key, part.step, exercise.seed), title=f"{title} (seed {exercise.seed})")
    kind = _kind(asked)
    presentation = Element("presentation")
    _material(presentation, _text(asked, image))
    processing = Element("resprocessing")
    SubElement(SubElement(processing, "outcomes"), "decvar", maxvalue="100", minvalue="0", varname="SCORE",
               vartype="Decimal")  # fmt: skip
    _shown(processing, Element("other"), "general_fb")
    feedback = {"general_fb": worked_solution(exercise)}
    answers = _respond(asked, kind, presentation, processing, feedback)
    _metadata(item, kind, points, answers)
    item.append(presentation)
    item.append(processing)
    for name, words in feedback.items():
        _material(SubElement(SubElement(item, "itemfeedback", ident=name), "flow_mat"), words)
    return item


def _kind(asked: Asked) -> str:
    if asked.part.kind == "choices":
        return "multiple_answers_question"
    if asked.part.options:
        return "multiple_choice_question"
    if asked.box is not None and asked.box.key is not None:
        return "numerical_question"
    return "short_answer_question"


def _text(asked: Asked, image: str) -> str:
    exercise, part = asked.exercise, asked.part
    ask = f"<p><strong>{inline(part.ask)}</strong></p>"
    if asked.entry is not None:
        label = part.boxes[asked.entry].label
        named = f"the entry for {inline(label)}" if label else f"entry {asked.entry + 1}, counted from 1"
        ask += f"<p>Of these {len(part.boxes)} numbers give {named}.</p>"
    unit = f"<p>Give it in {part.unit}.</p>" if part.unit else ""
    hint = hints(exercise, [part])
    told = f"<details><summary>Hint</summary>{hint}</details>" if hint else ""
    return "\n".join(
        words for words in (opening(exercise, image=image), rounding(exercise, [part]), ask + unit, told) if words
    )


def _metadata(item: Element, kind: str, points: Fraction, answers: Sequence[str]) -> None:
    data = SubElement(SubElement(item, "itemmetadata"), "qtimetadata")
    fields = {"question_type": kind, "points_possible": points_text(points), "original_answer_ids": ",".join(answers)}
    for label, entry in fields.items():
        field = SubElement(data, "qtimetadatafield")
        SubElement(field, "fieldlabel").text = label
        SubElement(field, "fieldentry").text = entry


def _respond(
    asked: Asked, kind: str, presentation: Element, processing: Element, feedback: dict[str, str]
) -> list[str]:
    if asked.part.options:
        return _choose(asked.part.options, kind, presentation, processing, feedback)
    box = asked.box
    decimal = box is not None and box.key is not None
    response = SubElement(presentation, "response_str", ident="response1", rcardinality="Single")
    blank = SubElement(response, "render_fib", {"fibtype": "Decimal"} if decimal else {})
    SubElement(blank, "response_label", ident="answer1")
    if box is not None and box.key is not None:
        _within(processing, box.key, box.room)
        return ["answer1"]
    forms = asked.part.forms or tuple(Form(text, Fraction(1)) for text in UNDEFINED)
    right = [form.text for form in forms if form.credit == 1]
    conditions = []
    for text in right:
        condition = Element("varequal", respident="response1")
        condition.text = text
        conditions.append(condition)
    _right(processing, conditions)
    return [f"answer{place}" for place in range(1, len(right) + 1)]


def _within(processing: Element, key: float, room: float) -> None:
    """Right is what lies between two bounds; the exact key is said as well, for who looks at it."""
    condition = SubElement(processing, "respcondition")
    condition.set("continue", "No")
    either = SubElement(SubElement(condition, "conditionvar"), "or")
    SubElement(either, "varequal", respident="response1").text = number_text(key)
    both = SubElement(either, "and")
    wide = room * (1 + TIE) + abs(key) * 1e-12
    SubElement(both, "vargte", respident="response1").text = number_text(key - wide if room else key)
    SubElement(both, "varlte", respident="response1").text = number_text(key + wide if room else key)
    SubElement(condition, "setvar", action="Set", varname="SCORE").text = "100"


def number_text(value: float) -> str:
    """A plain decimal: Canvas reads no exponents in answers."""
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    text = f"{value:.17f}" if abs(value) < 1 else f"{value:.12f}"
    return text.rstrip("0").rstrip(".")


def _choose(
    options: Sequence[Option], kind: str, presentation: Element, processing: Element, feedback: dict[str, str]
) -> list[str]:
    several = kind == "multiple_answers_question"
    response = SubElement(
        presentation, "response_lid", ident="response1", rcardinality="Multiple" if several else "Single"
    )
    choice = SubElement(response, "render_choice")
    names = [str(1000 + place) for place in range(len(options))]
    for name, option in zip(names, options, strict=True):
        _material(SubElement(choice, "response_label", ident=name), html(option.text))
        if option.says:
            feedback[f"{name}_fb"] = f"<p>{inline(option.says)}</p>"
            equal = Element("varequal", respident="response1")
            equal.text = name
            _shown(processing, equal, f"{name}_fb")
    if not several:
        right = Element("varequal", respident="response1")
        right.text = next(name for name, option in zip(names, options, strict=True) if option.is_right)
        _right(processing, [right])
        return names
    both = Element("and")
    for name, option in zip(names, options, strict=True):
        holder = both if option.is_right else SubElement(both, "not")
        SubElement(holder, "varequal", respident="response1").text = name
    _right(processing, [both])
    return names


def _right(processing: Element, conditions: Sequence[Element]) -> None:
    condition = SubElement(processing, "respcondition")
    condition.set("continue", "No")
    SubElement(condition, "conditionvar").extend(conditions)
    SubElement(condition, "setvar", action="Set", varname="SCORE").text = "100"


def _shown(processing: Element, when: Element, feedback: str) -> None:
    condition = SubElement(processing, "respcondition")
    condition.set("continue", "Yes")
    SubElement(condition, "conditionvar").append(when)
    SubElement(condition, "displayfeedback", feedbacktype="Response", linkrefid=feedback)


def _material(parent: Element, words: str) -> None:
    SubElement(SubElement(parent, "material"), "mattext", texttype="text/html").text = words
