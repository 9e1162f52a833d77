"""A file that comes in, recognised by what it is, and read as far as it can be."""

from dataclasses import dataclass, field

from exercises.exchange.archive import MOST_BYTES, ArchiveRefused, is_zip, opened
from exercises.exchange.gift import HEADING as GIFT_HEADING
from exercises.exchange.gift import GiftRefused, read_gift
from exercises.exchange.moodle.reading import HEADING as MOODLE_HEADING
from exercises.exchange.moodle.reading import read_moodle
from exercises.exchange.moodle.writing import QUESTIONS
from exercises.exchange.own.bundle import MANIFEST, Authored, Bundle
from exercises.exchange.own.reading import head_of, problem_of, read_bundle
from exercises.exchange.own.shape import ShapeRefused
from exercises.exchange.report import Entry
from exercises.exchange.safe_xml import XmlRefused, is_xml
from exercises.exchange.starting import Start
from grader.sizes import too_large

OWN_HEADING = "A file of the BERT gym"
STARTS = ("Each question becomes a draft of a problem: a starting point, not a finished one.",)
NO_QTI = (
    "This is a QTI package, which is written here and not read: export from there as Moodle XML or GIFT, or take the "
    "file of the BERT gym."
)


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
    if is_xml(content):
        return _moodle(content, skill)
    return _gift(content, skill)


def _zip(content: bytes, skill: str) -> Incoming:
    try:
        archive = opened(content)
    except ArchiveRefused as refused:
        return Incoming(refused=str(refused))
    if MANIFEST not in archive.files and QUESTIONS in archive.files:
        return _moodle(archive.files[QUESTIONS], skill)
    if MANIFEST not in archive.files and "imsmanifest.xml" in archive.files:
        return Incoming(refused=NO_QTI)
    read = read_bundle(archive)
    if not (read.bundle.problems or read.bundle.sets or read.faults):
        return Incoming(refused="There is nothing in this file: export at least one problem.")
    return Incoming(heading=OWN_HEADING, bundle=read.bundle, faults=read.faults)


def _single(content: bytes) -> Incoming:
    try:
        source, graph = problem_of(content)
    except ShapeRefused as refused:
        return Incoming(heading="A problem file", faults=[Entry("The problem file", fault=str(refused))])
    return Incoming(heading="A problem file", bundle=Bundle((Authored(graph.title, source, head=head_of(graph)),)))


def _moodle(content: bytes, skill: str) -> Incoming:
    try:
        questions = read_moodle(content, skill)
    except XmlRefused as refused:
        return Incoming(refused=str(refused))
    if not questions:
        return Incoming(refused="There is no question in this file.")
    return Incoming(heading=MOODLE_HEADING, questions=questions, notes=STARTS)


def _gift(content: bytes, skill: str) -> Incoming:
    try:
        questions = read_gift(content.decode("utf-8-sig"), skill)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        return Incoming(refused=f"Line {line} is not UTF-8: save the file again with this encoding.")
    except GiftRefused as refused:
        return Incoming(refused=str(refused))
    return Incoming(heading=GIFT_HEADING, questions=questions, notes=STARTS)
