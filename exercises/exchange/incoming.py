"""A file that comes in, recognised by what it is, and read as far as it can be."""

from dataclasses import dataclass, field

from exercises.exchange.archive import MOST_BYTES, ArchiveRefused, is_zip, opened
from exercises.exchange.own.bundle import Authored, Bundle
from exercises.exchange.own.reading import problem_of, read_bundle
from exercises.exchange.own.shape import ShapeRefused
from exercises.exchange.report import Entry
from exercises.exchange.starting import Start
from grader.sizes import too_large

OWN_HEADING = "A file of the BERT gym"


@dataclass
class Incoming:
    """What was read. ``refused`` says why nothing could be; then all else is empty.

    bundle     problems and sets of our own
    questions  those of other systems, in order: to go on from, or why not
    faults     entries that cannot be read
    """

    heading: str = ""
    refused: str = ""
    bundle: Bundle = field(default_factory=Bundle)
    questions: list[Start | Entry] = field(default_factory=list)
    faults: list[Entry] = field(default_factory=list)
    notes: tuple[str, ...] = ()

    @property
    def starts(self) -> list[Start]:
        """The questions to go on from."""
        return [one for one in self.questions if isinstance(one, Start)]


def incoming(content: bytes, name: str, skill: str) -> Incoming:
    """What a file holds. Never raises for what is in it."""
    if not content.strip():
        return Incoming(refused="The file is empty.")
    if len(content) > MOST_BYTES:
        return Incoming(refused=f"{too_large(len(content), MOST_BYTES)}. Divide it, and import the parts.")
    if is_zip(content):
        return _zip(content, skill)
    if name.lower().endswith((".yaml", ".yml")):
        return _single(content)
    return Incoming(refused="Choose a zip of the BERT gym or of Moodle questions, Moodle XML, GIFT or a problem file.")


def _zip(content: bytes, skill: str) -> Incoming:
    try:
        archive = opened(content)
    except ArchiveRefused as refused:
        return Incoming(refused=str(refused))
    read = read_bundle(archive)
    if not (read.bundle.problems or read.bundle.sets or read.faults):
        return Incoming(refused="There is nothing in this file: export at least one problem.")
    return Incoming(heading=OWN_HEADING, bundle=read.bundle, faults=read.faults)


def _single(content: bytes) -> Incoming:
    try:
        source, graph = problem_of(content)
    except ShapeRefused as refused:
        return Incoming(heading="A problem file", faults=[Entry("The problem file", fault=str(refused))])
    return Incoming(heading="A problem file", bundle=Bundle((Authored(graph.title, source),)))
