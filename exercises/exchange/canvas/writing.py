"""The Canvas package: one quiz, a group of variants for each part that counts, of which each learner gets one."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from exercises.exchange import lost
from exercises.exchange.canvas.items import asked_in, ident, item_of, points_text
from exercises.exchange.exercise import Exercise
from exercises.exchange.markup import plain
from exercises.exchange.package import Package, file_stem, packed
from exercises.exchange.report import Entry, Report, plural, unique
from exercises.exchange.variants import CannotExport, Chosen, Variants, check_amount, drawn_exercises

QTI = "http://www.imsglobal.org/xsd/ims_qtiasiv1p2"
CANVAS = "http://canvas.instructure.com/xsd/cccv1p0"
PACKAGING = "http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1"
NOTES = (
    "In Canvas choose Settings, Import Course Content, QTI .zip file, and leave the file packed as it is.",
    (
        "It becomes a quiz. Each part that counts is a question group that picks one of its variants: the parts of one "
        "problem may come from different variants, so each says everything that it needs."
    ),
    "The answers stand in the file: keep it from learners.",
    lost.SKILLS,
)


@dataclass
class _Quiz:
    """What is being written."""

    root: Element
    points: Fraction = Fraction(0)
    pictures: dict[str, bytes] = field(default_factory=dict)


def canvas_package(chosen: Sequence[Chosen], wanted: Variants, *, name: str, at: dt.datetime) -> Package:
    """The variants of these problems as one QTI 1.2 package. It says no date: ``at`` is not used.

    A problem that cannot be exported stays out and is told of. Raises CannotExport where none is left.
    """
    del at
    check_amount(len(chosen), wanted)
    assessment = ident(name, *(one.key for one in chosen))
    quiz = _Quiz(Element("section", ident="root_section"))
    entries = [_problem(one, wanted, quiz) for one in chosen]
    if not len(quiz.root):
        raise CannotExport(f"Nothing can be exported: {entries[0].fault}" if entries else "There is nothing to export.")
    files = {
        f"{assessment}/{assessment}.xml": _assessment(assessment, name, quiz.root),
        f"{assessment}/assessment_meta.xml": _meta(assessment, name, quiz.points),
        "imsmanifest.xml": _manifest(assessment, sorted(quiz.pictures)),
        **quiz.pictures,
    }
    report = Report(f"{name} for Canvas (QTI 1.2)", tuple(entries), NOTES)
    return packed(files, f"{file_stem(name)}-canvas.zip", report)


def _problem(chosen: Chosen, wanted: Variants, quiz: _Quiz) -> Entry:
    """The groups of one problem."""
    try:
        exercises, said = drawn_exercises(chosen, wanted)
    except CannotExport as refused:
        return Entry(chosen.title, fault=str(refused))
    groups = 0
    counted = [part for part in exercises[0].parts if part.weight] or list(exercises[0].parts)
    total = sum((part.weight for part in counted), Fraction(0)) or Fraction(1)
    for part in counted:
        points = part.weight if chosen.weight == 1 else chosen.weight * part.weight / total
        groups += _group(chosen, exercises, part.step, points, quiz)
    if not groups:
        return Entry(chosen.title, fault="in none of these variants is any option right.")
    quiz.pictures |= {
        _picture(chosen, exercise): exercise.picture.svg for exercise in exercises if exercise.picture is not None
    }
    done = f"{plural(groups, 'question group')} of up to {plural(len(exercises), 'variant')} each."
    return Entry(chosen.title, done, _lost(exercises, said, has_scaffold=len(counted) < len(exercises[0].parts)))


def _group(chosen: Chosen, exercises: Sequence[Exercise], step: str, points: Fraction, quiz: _Quiz) -> int:
    """The group of one part; how many were written, 0 where it has no question."""
    title = plain(chosen.title)[:200]
    group = Element("section", ident=ident("group", chosen.key, step), title=f"{title}: {step}")
    selection = SubElement(SubElement(group, "selection_ordering"), "selection")
    SubElement(selection, "selection_number").text = "1"
    extension = SubElement(selection, "selection_extension")
    SubElement(extension, "points_per_item").text = points_text(points)
    items = []
    for exercise in exercises:
        part = next(each for each in exercise.parts if each.step == step)
        if asked := asked_in(exercise, part):
            image = f"$IMS-CC-FILEBASE$/{_picture(chosen, exercise)}"
            items.append(item_of(asked, chosen.key, title, points, image))
    if not items:
        return 0
    group.extend(items)
    quiz.root.append(group)
    quiz.points += points
    return 1


def _picture(chosen: Chosen, exercise: Exercise) -> str:
    return f"figures/{file_stem(chosen.key)}-{exercise.seed}.svg"


def _lost(exercises: Sequence[Exercise], said: Sequence[str], *, has_scaffold: bool) -> tuple[str, ...]:
    parts = lost.parts_of(exercises)
    kinds = {part.kind for part in parts}
    words = [*said, *lost.common(exercises)]
    if any(box.wrongs for part in parts for box in part.boxes):
        words.append("Named mistakes in numbers: Canvas has no feedback and no part marks there.")
    if any(form.credit < 1 for part in parts for form in part.forms):
        words.append("Named mistakes in typed texts and shapes.")
    if any(option.credit for part in parts for option in part.options):
        words.append("Part marks for options that show a named mistake; what is said of them comes along.")
    if "vector" in kinds:
        words.append("Of several numbers one is asked for, another one in each variant.")
    if "choices" in kinds:
        words.append("Where several options are to be chosen, Canvas gives part marks by rules of its own.")
    if has_scaffold:
        words.append("Steps that count nothing are left out.")
    if any(exercise.hints for exercise in exercises):
        words.append("Of the hints only the author’s own come along, folded below the question.")
    return unique(words)


def _assessment(identifier: str, name: str, root: Element) -> bytes:
    top = Element("questestinterop", xmlns=QTI)
    assessment = SubElement(top, "assessment", ident=identifier, title=name)
    entry = SubElement(SubElement(assessment, "qtimetadata"), "qtimetadatafield")
    SubElement(entry, "fieldlabel").text = "cc_maxattempts"
    SubElement(entry, "fieldentry").text = "1"
    assessment.append(root)
    return _xml(top)


def _meta(identifier: str, name: str, points: Fraction) -> bytes:
    quiz = Element("quiz", identifier=identifier, xmlns=CANVAS)
    fields = {
        "title": name, "description": "", "shuffle_answers": "false", "scoring_policy": "keep_highest",
        "quiz_type": "assignment", "points_possible": points_text(points), "show_correct_answers": "true",
        "allowed_attempts": "1", "one_question_at_a_time": "false", "available": "false",
    }  # fmt: skip
    for tag, words in fields.items():
        SubElement(quiz, tag).text = words
    return _xml(quiz)


def _manifest(identifier: str, pictures: Sequence[str]) -> bytes:
    manifest = Element("manifest", identifier=ident("manifest", identifier), xmlns=PACKAGING)
    metadata = SubElement(manifest, "metadata")
    SubElement(metadata, "schema").text = "IMS Content"
    SubElement(metadata, "schemaversion").text = "1.1.3"
    SubElement(manifest, "organizations")
    resources = SubElement(manifest, "resources")
    meta = ident("meta", identifier)
    quiz = SubElement(resources, "resource", identifier=identifier, type="imsqti_xmlv1p2")
    SubElement(quiz, "file", href=f"{identifier}/{identifier}.xml")
    SubElement(quiz, "dependency", identifierref=meta)
    about = SubElement(
        resources, "resource", identifier=meta, href=f"{identifier}/assessment_meta.xml",
        type="associatedcontent/imscc_xmlv1p1/learning-application-resource",
    )  # fmt: skip
    SubElement(about, "file", href=f"{identifier}/assessment_meta.xml")
    for picture in pictures:
        image = SubElement(resources, "resource", identifier=ident(picture), type="webcontent", href=picture)
        SubElement(image, "file", href=picture)
    return _xml(manifest)


def _xml(root: Element) -> bytes:
    indent(root, " ")
    return bytes(tostring(root, encoding="utf-8", xml_declaration=True))
