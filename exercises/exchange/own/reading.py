"""Reading our own file: each problem and each set by itself, so that a fault in one hides no other."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from exercises.courses.item_details import ItemError, asked_steps
from exercises.exchange.archive import Opened
from exercises.exchange.own.bundle import (
    MANIFEST,
    Authored,
    Bundle,
    BundledItem,
    BundledPool,
    BundledSet,
    Head,
    Origin,
    digest_of,
)
from exercises.exchange.own.shape import (
    Manifest,
    OriginShape,
    ProblemShape,
    SetShape,
    ShapeRefused,
    of_this_version,
    read_shape,
)
from exercises.exchange.package import REPORT
from exercises.exchange.report import Entry
from grader.errors import ProblemError
from grader.problem import Problem, load

MOST_FAULTS = 3
#: How long the problems of a file may take to read.
SECONDS = 20.0
TOO_LONG = "reading the file took too long before it was reached: divide the file, and import the parts."


@dataclass
class Read:
    """What could be read, and an entry for everything that could not. ``texts`` are those that were read: many problems
    may come from one original, and many items ask steps of one problem."""

    bundle: Bundle = field(default_factory=Bundle)
    faults: list[Entry] = field(default_factory=list)
    texts: dict[bytes, tuple[str, Problem]] = field(default_factory=dict, repr=False)

    def text(self, content: bytes) -> tuple[str, Problem]:
        """A problem file, read once. Raises ShapeRefused as ``problem_of``."""
        if content not in self.texts:
            self.texts[content] = problem_of(content)
        return self.texts[content]


def read_bundle(opened: Opened) -> Read:
    """The problems and sets of an opened file. Never raises for what is in it."""
    found = Read(faults=[Entry(name, fault=words) for name, words in opened.faults.items()])
    if MANIFEST not in opened.files:
        found.faults.insert(0, Entry(MANIFEST, fault="it is missing, so this is no file of the BERT gym."))
        return found
    try:
        manifest = of_this_version(read_shape(Manifest, opened.files[MANIFEST]))
    except ShapeRefused as refused:
        found.faults.insert(0, Entry(MANIFEST, fault=str(refused)))
        return found
    problems: dict[str, Authored] = {}
    ends = time.monotonic() + SECONDS
    for told in manifest.problems:
        if time.monotonic() > ends:
            found.faults.append(Entry(told.file, fault=TOO_LONG))
        else:
            _take_problem(told, opened.files, problems, found)
    sets = [made for file in manifest.sets if (made := _set(file, opened.files, problems, found)) is not None]
    found.faults += _strangers(manifest, opened.files)
    found.bundle = Bundle(tuple(problems.values()), tuple(sets))
    return found


def problem_of(content: bytes) -> tuple[str, Problem]:
    """The text of a problem file and its graph. Raises ShapeRefused with line and key of what is wrong."""
    try:
        source = content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ShapeRefused(f"line {line} is not UTF-8: save it again with this encoding.") from error
    try:
        return source, load(source)
    except ProblemError as error:
        raise ShapeRefused("; ".join(map(str, error.faults[:MOST_FAULTS]))) from error


def head_of(graph: Problem) -> Head:
    """What a text that was read says of itself."""
    return Head(graph.title, tuple(graph.skills), graph.summary)


def _take_problem(told: ProblemShape, files: Mapping[str, bytes], problems: dict[str, Authored], found: Read) -> None:
    try:
        if told.file in problems:
            raise ShapeRefused("the list of problems names it twice.")
        source, graph = found.text(_file(files, told.file))
        origins = tuple(_origin(origin, files, found) for origin in told.from_)
        licence = " ".join(told.licence.split())
        problems[told.file] = Authored(graph.title, source, licence, origins, head_of(graph))
    except ShapeRefused as refused:
        found.faults.append(Entry(told.file, fault=str(refused)))


def _origin(told: OriginShape, files: Mapping[str, bytes], found: Read) -> Origin:
    source, graph = found.text(_file(files, told.file))
    return Origin(source, told.licence, head_of(graph))


def _set(file: str, files: Mapping[str, bytes], problems: Mapping[str, Authored], found: Read) -> BundledSet | None:
    try:
        shape = read_shape(SetShape, _file(files, file))
        details = shape.rules.details()
        pools = tuple(BundledPool(" ".join(one.name.split()), one.choose, one.weight) for one in shape.pools)
        names = [pool.name for pool in pools]
        if len(set(names)) != len(names):
            raise ShapeRefused("pools: two have the same name.")
        items = tuple(_item(shape, place, names, problems, found) for place in range(len(shape.items)))
        return BundledSet(details, pools, items)
    except ShapeRefused as refused:
        found.faults.append(Entry(file, fault=str(refused)))
        return None


def _item(shape: SetShape, place: int, pools: list[str], problems: Mapping[str, Authored], found: Read) -> BundledItem:
    told = shape.items[place]
    problem = problems.get(told.problem)
    if problem is None:
        raise ShapeRefused(f"items.{place}.problem: {told.problem} is not among the problems that could be read.")
    if told.pool is not None and told.pool not in pools:
        raise ShapeRefused(f"items.{place}.pool: there is no pool of this name.")
    asked = None
    if told.asked is not None:
        try:
            asked = asked_steps(found.text(problem.source.encode())[1], told.asked)
        except ItemError as error:
            raise ShapeRefused(f"items.{place}.asked: {error}") from error
    return BundledItem(
        digest=digest_of(problem.source),
        is_pinned=told.pinned,
        weight=told.weight,
        variants=told.variants,
        asked=None if asked is None else tuple(asked),
        pool=told.pool,
        adaptation=told.adaptation,
    )


def _file(files: Mapping[str, bytes], name: str) -> bytes:
    if name not in files:
        raise ShapeRefused(f"{name} is not in the file, or cannot be read.")
    return files[name]


def _strangers(manifest: Manifest, files: Mapping[str, bytes]) -> list[Entry]:
    """Files that nothing names: whoever put them in expects something of them."""
    named = {MANIFEST, REPORT, *manifest.sets}
    for told in manifest.problems:
        named |= {told.file, *(origin.file for origin in told.from_)}
    return [
        Entry(name, fault=f"{MANIFEST} does not name it: add it there, or take it out.")
        for name in sorted(set(files) - named)
    ]
