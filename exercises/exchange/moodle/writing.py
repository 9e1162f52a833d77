"""Moodle XML: fixed variants of each problem as cloze questions, in a dated category a problem."""

import base64
import datetime as dt
from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from exercises.exchange import lost
from exercises.exchange.exercise import Exercise, Part
from exercises.exchange.markup import inline, plain
from exercises.exchange.moodle.cloze import embedded, outside, weights_of
from exercises.exchange.package import Package, file_stem, packed
from exercises.exchange.report import Entry, Report, plural, unique
from exercises.exchange.texts import hints, opening, rounding, worked_solution
from exercises.exchange.variants import CannotExport, Chosen, Variants, check_amount, drawn_exercises

QUESTIONS = "questions.xml"
MOST_NAME = 250
MOST_ID = 100
NOTES = (
    (
        f"Unpack the file and import {QUESTIONS} under Question bank, Import, Moodle XML format. It is read by Moodle "
        "as it comes: no plug-in is needed."
    ),
    (
        "Each problem is a category of its own under a dated one, so that a second import mixes nothing. Put a random "
        "question of a category into a quiz, and everybody gets one of its variants."
    ),
    "The answers stand in the file: keep it from learners.",
    lost.SKILLS,
)


def moodle_package(chosen: Sequence[Chosen], wanted: Variants, *, name: str, at: dt.datetime) -> Package:
    """The variants of these problems as one Moodle XML file in a zip, with the report. ``at`` dates the category.

    A problem that cannot be exported stays out and is told of. Raises CannotExport where none is left.
    """
    check_amount(len(chosen), wanted)
    root = Element("quiz")
    entries, titles = [], dict[str, int]()
    top = f"BERT gym {at:%Y-%m-%d %H.%M}"
    for one in chosen:
        title = plain(one.title)
        titles[title] = titles.get(title, 0) + 1
        category = title if titles[title] == 1 else f"{title} ({titles[title]})"
        try:
            exercises, said = drawn_exercises(one, wanted)
        except CannotExport as refused:
            entries.append(Entry(one.title, fault=str(refused)))
            continue
        sound = [exercise for exercise in exercises if _is_sound(exercise)]
        if not sound:
            entries.append(Entry(one.title, fault="in none of these variants is any option right."))
            continue
        root.append(_category(top, category, one))
        for exercise in sound:
            root.append(_question(one, exercise))
        entries.append(_entry(one, sound, said))
    if not any(not entry.fault for entry in entries):
        raise CannotExport(f"Nothing can be exported: {entries[0].fault}" if entries else "There is nothing to export.")
    indent(root, " ")
    content = tostring(root, encoding="utf-8", xml_declaration=True)
    report = Report(f"{name} as Moodle XML", tuple(entries), NOTES)
    return packed({QUESTIONS: content}, f"{file_stem(name)}-moodle.zip", report)


def _is_sound(exercise: Exercise) -> bool:
    """Whether the importer takes it: where several are to be chosen, at least one must be right."""
    return all(any(option.is_right for option in part.options) for part in exercise.parts if part.options)


def _entry(chosen: Chosen, exercises: Sequence[Exercise], said: Sequence[str]) -> Entry:
    done = f"{plural(len(exercises), 'cloze question')} in the category “{plain(chosen.title)}”."
    words = [*said, *lost.common(exercises), *lost.hidden(exercises)]
    parts = lost.parts_of(exercises)
    if any(part.kind == "choices" and part.options for part in parts):
        words.append("Named mistakes of questions with several right options are not told.")
    if any(not part.weight for part in parts):
        words.append("Steps that count nothing stay as boxes of weight 0.")
    if any(exercise.hints for exercise in exercises):
        words.append("Of the hints only the author’s own come along, all at once and only where tries are repeated.")
    return Entry(chosen.title, done, unique(words))


def _category(top: str, title: str, chosen: Chosen) -> Element:
    question = Element("question", type="category")
    # A slash within a name is doubled.
    path = "/".join(part.replace("/", "//") for part in (top, title))
    _text(SubElement(question, "category"), f"$course$/top/{path}")
    licence = f" Licence: {chosen.licence}." if chosen.licence else ""
    _text(SubElement(question, "info", format="html"), f"<p>{inline(chosen.problem.summary)}{inline(licence)}</p>")
    return question


def _question(chosen: Chosen, exercise: Exercise) -> Element:
    question = Element("question", type="cloze")
    _text(SubElement(question, "name"), f"{plain(chosen.title)[: MOST_NAME - 20]} (seed {exercise.seed})")
    image = f"figure-{exercise.seed}.svg"
    said = SubElement(question, "questiontext", format="html")
    _text(said, question_text(exercise, f"@@PLUGINFILE@@/{image}"))
    if exercise.picture is not None:
        file = SubElement(said, "file", name=image, path="/", encoding="base64")
        file.text = base64.b64encode(exercise.picture.svg).decode()
    _text(SubElement(question, "generalfeedback", format="html"), worked_solution(exercise))
    SubElement(question, "penalty").text = "0.3333333"
    SubElement(question, "hidden").text = "0"
    version = f"-v{chosen.version}" if chosen.version else ""
    ending = f"{version}-s{exercise.seed}"
    SubElement(question, "idnumber").text = f"{chosen.key[: MOST_ID - len(ending)]}{ending}"
    if words := hints(exercise, exercise.parts):
        _text(SubElement(question, "hint", format="html"), words)
    tags = SubElement(question, "tags")
    for tag in ("BERT gym", *chosen.problem.skills):
        _text(SubElement(tags, "tag"), tag)
    return question


def question_text(exercise: Exercise, image: str) -> str:
    """The text of a cloze question: what is said, with the boxes in it."""
    weights = weights_of(exercise.parts)
    lines = [outside(opening(exercise, image=image)), outside(rounding(exercise, exercise.parts))]
    lines += [_asked(part, embedded(part, weights[part.step])) for part in exercise.parts]
    return "\n".join(line for line in lines if line)


def _asked(part: Part, boxes: Sequence[str]) -> str:
    ask = outside(inline(part.ask)) + ("" if part.weight else " <em>(counts nothing)</em>")
    unit = f" {part.unit}" if part.unit else ""
    if not part.boxes or len(boxes) == 1:
        return f"<p>{ask}<br/>{''.join(boxes)}{unit}</p>"
    rows = [
        f"<li>{outside(inline(box.label)) + ': ' if box.label else ''}{written}{unit}</li>"
        for box, written in zip(part.boxes, boxes, strict=True)
    ]
    return f"<p>{ask}</p><ol>{''.join(rows)}</ol>"


def _text(parent: Element, words: str) -> None:
    SubElement(parent, "text").text = words
