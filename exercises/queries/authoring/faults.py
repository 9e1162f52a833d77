"""What is wrong with a text, where, and in words for its author."""

from dataclasses import dataclass

from exercises import catalogue
from grader.errors import Fault, ProblemError
from grader.graph import Problem as Graph
from grader.problem import load
from grader.source import Path, Source, read_source

#: As long as the column that holds it.
MOST_TITLE = 200


@dataclass(frozen=True)
class SourceFault:
    """One thing wrong; line and column from 1, the column None where it is the whole line."""

    line: int
    column: int | None
    key: str
    message: str


def faults(source: str) -> list[SourceFault]:
    """Everything wrong with a text, in the order of its lines; empty for a problem that may be checked. No query."""
    try:
        graph = load(source)
    except ProblemError as error:
        return in_file(source, error)
    return _sorted(standing_faults(graph, read_source(source)))


def in_file(source: str, error: ProblemError) -> list[SourceFault]:
    """The faults of an error, each at a line that the text has."""
    last = source.count("\n") + 1
    return [
        SourceFault(min(max(1, fault.line), last), fault.column, fault.key, fault.message)
        for fault in sorted(error.faults, key=lambda fault: fault.line)
    ]


def standing_faults(graph: Graph, source: Source | None = None) -> list[Fault]:
    """What is wrong with a problem beside the catalogue it is to stand in: skills that nobody knows, a long title."""
    known = {skill.id for skill in catalogue.skills()}
    found = source or Source(None)
    faults_found = [
        found.fault(("skills", place), _no_skill(skill))
        for place, skill in enumerate(graph.skills)
        if skill not in known
    ]
    for mistake in graph.mistakes:
        if mistake.skill and mistake.skill not in known:
            path: Path = ("steps", mistake.step, "mistakes", mistake.tag, "skill")
            faults_found.append(found.fault(path, _no_skill(mistake.skill)))
    if len(graph.title) > MOST_TITLE:
        message = f"Keep the title to {MOST_TITLE} characters; this has {len(graph.title)}."
        faults_found.append(found.fault(("title",), message))
    return faults_found


def _no_skill(skill: str) -> str:
    return f"There is no skill {skill}: the skills are those of the map."


def _sorted(found: list[Fault]) -> list[SourceFault]:
    return [SourceFault(one.line, one.column, one.key, one.message) for one in sorted(found, key=lambda one: one.line)]
