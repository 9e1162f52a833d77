"""The QTI 3 package: of each problem fixed variants, and where QTI can say it one item that draws its own numbers."""

import datetime as dt
from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from exercises.exchange import lost
from exercises.exchange.canvas.items import ident
from exercises.exchange.exercise import Exercise
from exercises.exchange.markup import plain
from exercises.exchange.package import Package, file_stem, packed
from exercises.exchange.qti3.expressions import NotExpressible
from exercises.exchange.qti3.items import fixed_item
from exercises.exchange.qti3.templates import templated_item
from exercises.exchange.qti3.xml import PACKAGING
from exercises.exchange.report import Entry, Report, plural, unique
from exercises.exchange.variants import CannotExport, Chosen, Variants, check_amount, drawn_exercises

NOTES = (
    (
        "Items under templates draw their own numbers by template processing; not every system runs it, so fixed "
        "variants of the same problem stand under items."
    ),
    "Formulas are MathML, figures are SVG files beside the items.",
    "The answers stand in the file: keep it from learners.",
    lost.SKILLS,
)
Files = dict[str, bytes]


def qti3_package(chosen: Sequence[Chosen], wanted: Variants, *, name: str, at: dt.datetime) -> Package:
    """These problems as a QTI 3 package. It says no date: ``at`` is not used.

    A problem that cannot be exported stays out and is told of. Raises CannotExport where none is left.
    """
    del at
    check_amount(len(chosen), wanted)
    items: Files = {}
    pictures: Files = {}
    needs: dict[str, str] = {}
    entries = [_problem(one, wanted, items, pictures, needs) for one in chosen]
    if not items:
        raise CannotExport(f"Nothing can be exported: {entries[0].fault}" if entries else "There is nothing to export.")
    manifest = _manifest(ident("qti3", name, *(one.key for one in chosen)), items, needs)
    report = Report(f"{name} in QTI 3", tuple(entries), NOTES)
    return packed({**items, **pictures, "imsmanifest.xml": manifest}, f"{file_stem(name)}-qti3.zip", report)


def _problem(chosen: Chosen, wanted: Variants, items: Files, pictures: Files, needs: dict[str, str]) -> Entry:
    """The items of one problem, with their figures and which item needs which."""
    try:
        exercises, said = drawn_exercises(chosen, wanted)
    except CannotExport as refused:
        return Entry(chosen.title, fault=str(refused))
    stem, title = file_stem(chosen.key), plain(chosen.title)
    words = [*said, *lost.common(exercises), *lost.hidden(exercises)]
    done = f"{plural(len(exercises), 'fixed item')}."
    try:
        item = templated_item(chosen.problem, identifier=f"T-{stem}", title=title)
        items[f"templates/{stem}.xml"] = item.encode()
        done = f"One item that draws its own numbers, and {plural(len(exercises), 'fixed item')}."
        words.append(
            "In the item that draws its own numbers: tolerances are half a unit of the last digit, widened by what "
            "rounding on the way came to in a sample; mistakes are recognised at their own step only; figures, hints, "
            "checks and the rules of the worked solution are left out."
        )
    except NotExpressible as refused:
        words.append(f"Drawing anew by template processing, which cannot say {refused}: the variants are fixed.")
    for exercise in exercises:
        name, image = f"items/{stem}-{exercise.seed}.xml", f"figures/{stem}-{exercise.seed}.svg"
        document = fixed_item(
            exercise, identifier=f"I-{stem}-{exercise.seed}", title=f"{title} (seed {exercise.seed})",
            image=f"../{image}",
        )  # fmt: skip
        items[name] = document.encode()
        if exercise.picture is not None:
            pictures[image] = exercise.picture.svg
            needs[name] = image
    return Entry(chosen.title, done, _lost(exercises, words))


def _lost(exercises: Sequence[Exercise], words: list[str]) -> tuple[str, ...]:
    parts = lost.parts_of(exercises)
    if any(part.kind == "choices" for part in parts):
        words.append("Named mistakes of questions with several right options are not told.")
    if any(exercise.hints for exercise in exercises):
        words.append("Of the hints only the author’s own come along, below the question.")
    return unique(words)


def _manifest(identifier: str, items: Files, needs: dict[str, str]) -> bytes:
    manifest = Element("manifest", identifier=identifier, xmlns=PACKAGING)
    metadata = SubElement(manifest, "metadata")
    SubElement(metadata, "schema").text = "QTI Package"
    SubElement(metadata, "schemaversion").text = "3.0.0"
    SubElement(manifest, "organizations")
    resources = SubElement(manifest, "resources")
    for name in sorted(items):
        resource = SubElement(resources, "resource", identifier=ident(name), type="imsqti_item_xmlv3p0", href=name)
        SubElement(resource, "file", href=name)
        if name in needs:
            SubElement(resource, "file", href=needs[name])
    indent(manifest, " ")
    return bytes(tostring(manifest, encoding="utf-8", xml_declaration=True))
