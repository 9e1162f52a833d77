"""What is different between two texts of a problem: by lines, and by what they mean."""

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import yaml

from grader.errors import ProblemError
from grader.rewriting import same
from grader.source import read_source

#: Lines that are shown around a change, and all that are shown.
AROUND = 3
MOST_LINES = 2000
MOST_SHOWN = 600
#: Texts with more lines than this are shown as exchanged whole: comparing them would take seconds.
MOST_COMPARED = 3000

How = Literal["added", "removed", "changed"]
Part = Literal["text", "parameter", "step", "mistake", "rule"]


@dataclass(frozen=True)
class DiffLine:
    """One line with its number in each text; ``gap`` stands for lines that are the same in both."""

    kind: Literal["same", "old", "new", "gap"]
    old: int | None
    new: int | None
    text: str


@dataclass(frozen=True)
class Change:
    """One thing that says something else. ``before`` and ``after`` are how it is written, empty where it is not."""

    part: Part
    name: str
    how: How
    says: str
    before: str
    after: str


@dataclass(frozen=True)
class Difference:
    """Two texts side by side. ``changes`` is empty where one of them cannot be read."""

    lines: list[DiffLine]
    changes: list[Change]
    is_same: bool


def difference(old: str, new: str) -> Difference:
    """What is different between two texts. No query."""
    return Difference(lines=_lines(old, new), changes=list(_changes(old, new)), is_same=old == new)


def _lines(old: str, new: str) -> list[DiffLine]:
    a, b = old.splitlines(), new.splitlines()
    if max(len(a), len(b)) > MOST_COMPARED:
        groups = [[("replace", 0, min(len(a), MOST_LINES // 2), 0, min(len(b), MOST_LINES // 2))]]
    else:
        groups = list(difflib.SequenceMatcher(None, a, b, autojunk=True).get_grouped_opcodes(AROUND))
    found: list[DiffLine] = []
    for group in groups:
        if group[0][1] or group[0][3]:
            found.append(DiffLine("gap", None, None, ""))
        for kind, a1, a2, b1, b2 in group:
            if kind == "equal":
                found += [DiffLine("same", a1 + k + 1, b1 + k + 1, a[a1 + k]) for k in range(a2 - a1)]
                continue
            found += [DiffLine("old", k + 1, None, a[k]) for k in range(a1, a2)]
            found += [DiffLine("new", None, k + 1, b[k]) for k in range(b1, b2)]
    return found[:MOST_LINES]


def _changes(old: str, new: str) -> Iterator[Change]:
    try:
        a, b = read_source(old).data, read_source(new).data
    except ProblemError:
        return
    if not (isinstance(a, dict) and isinstance(b, dict)):
        return
    for key in dict.fromkeys((*a, *b)):
        if key in ("parameters", "steps"):
            continue
        part: Part = "rule" if key in ("require", "verify", "digits", "skills") else "text"
        yield from _one(part, key, key, a.get(key), b.get(key))
    yield from _named("parameter", _mapping(a, "parameters"), _mapping(b, "parameters"))
    yield from _steps(_mapping(a, "steps"), _mapping(b, "steps"))


def _steps(a: Mapping[str, Any], b: Mapping[str, Any]) -> Iterator[Change]:
    yield from _named("step", {k: _bare(v) for k, v in a.items()}, {k: _bare(v) for k, v in b.items()})
    both = [name for name in a if name in b]
    if both != [name for name in b if name in a]:
        yield Change("step", "", "changed", "The order of the steps", ", ".join(a), ", ".join(b))
    for name in dict.fromkeys((*a, *b)):
        yield from _named("mistake", _mistakes(name, a.get(name)), _mistakes(name, b.get(name)))


def _bare(step: Any) -> Any:
    """A step without its mistakes, which are told of by themselves."""
    return {key: value for key, value in step.items() if key != "mistakes"} if isinstance(step, dict) else step


def _mistakes(name: str, step: Any) -> Mapping[str, Any]:
    found = _mapping(step, "mistakes") if isinstance(step, dict) else {}
    return {f"{name}.{tag}": mistake for tag, mistake in found.items()}


def _named(part: Part, a: Mapping[str, Any], b: Mapping[str, Any]) -> Iterator[Change]:
    for name in dict.fromkeys((*a, *b)):
        before, after = a.get(name), b.get(name)
        if isinstance(before, dict) and isinstance(after, dict):
            for key in dict.fromkeys((*before, *after)):
                what = f"{part} {name}: {key}"
                yield from _one(part, name, what, before.get(key), after.get(key), is_whole=False)
        else:
            yield from _one(part, name, f"{part} {name}", before, after)


def _one(part: Part, name: str, what: str, before: Any, after: Any, *, is_whole: bool = True) -> Iterator[Change]:
    if same(before, after):
        return
    how: How = "changed"
    if is_whole and before is None:
        how = "added"
    elif is_whole and after is None:
        how = "removed"
    says = what[:1].upper() + what[1:]
    yield Change(part, name, how, says, _written(before), _written(after))


def _mapping(data: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = data.get(key)
    return found if isinstance(found, dict) else {}


def _written(value: Any) -> str:
    """A value as an author reads it; long ones are cut."""
    if value is None:
        return ""
    if not isinstance(value, dict | list):
        text = str(value).strip()
    else:
        text = yaml.safe_dump(value, allow_unicode=True, sort_keys=False, default_flow_style=None, width=100).strip()
    return text if len(text) <= MOST_SHOWN else text[: MOST_SHOWN - 1] + "…"
