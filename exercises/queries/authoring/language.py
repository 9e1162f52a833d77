"""What may be written at a place of a problem file: for the completion in the editor, also while it is half written."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, get_args

from pydantic import BaseModel

from exercises import catalogue
from grader.file_model import (
    CheckLine,
    DigitsFile,
    FigureFile,
    Kind,
    MistakeFile,
    ParameterFile,
    ProblemFile,
    StepFile,
)
from grader.functions import FUNCTIONS
from grader.problem import json_schema
from grader.source import MAX_BYTES
from grader.template import DISPLAYS
from grader.words import WORDS

MOST_COMPLETIONS = 60
CONSTANTS = ("e", "pi")
#: What a function of numpy's own says, which tells more than this language needs.
_NUMPY = {
    "exp": "e to the power of each entry", "ln": "the natural logarithm of each entry",
    "log2": "the logarithm to base 2", "log10": "the logarithm to base 10", "sqrt": "the square root",
    "abs": "without its sign", "floor": "the whole number below", "ceil": "the whole number above",
}  # fmt: skip
_DISPLAYED = {
    "table": "words above, rows of numbers below", "matrix": "a matrix, inside $…$", "vector": "a vector, inside $…$",
    "listing": "words or numbers with commas", "percent": "a share as a percentage",
}  # fmt: skip
_FORMULA_KEYS = frozenset(
    {"is", "holds", "require", "range", "size", "choose", "bars", "curve", "highlight", "mask", "random", "kept",
     "special", "funnel", "labels", "options", "tokens"}
)  # fmt: skip
_TEXT_KEYS = frozenset({"statement", "ask", "says", "hint", "forecast", "title", "summary"})
_KEY_LINE = re.compile(r"^(?P<indent> *)(?:- +)*(?P<key>[A-Za-z][\w-]*)\s*:(?P<rest>.*)$")
_FLOW_KEY = re.compile(r"(?:^|,)\s*([A-Za-z][\w-]*)\s*:")
_LEAD = re.compile(r" *(?:- +)*")
_PARTIAL = re.compile(r"[A-Za-z_][\w-]*$")


@dataclass(frozen=True)
class Completion:
    """One thing that may stand there. ``kind`` is key, parameter, step, function, skill, words or value; ``insert`` is
    what is written in the place of the word begun."""

    label: str
    kind: str
    says: str
    insert: str


def vocabulary() -> dict[str, Any]:
    """Everything that is the same for every text, as plain JSON."""
    return {
        "schema": json_schema(),
        "functions": [{"name": name, "says": _function_says(name)} for name in FUNCTIONS],
        "constants": list(CONSTANTS),
        "words": {name: list(words) for name, words in WORDS.items()},
        "skills": [{"id": skill.id, "title": skill.title} for skill in catalogue.skills()],
        "texts": [{"name": name, "says": _DISPLAYED[name]} for name in DISPLAYS],
    }


def outline(source: str) -> dict[str, list[dict[str, Any]]]:
    """The names of parameters, steps and mistakes with their lines, read off the indentation: also of broken texts."""
    found: dict[str, list[dict[str, Any]]] = {"parameters": [], "steps": [], "mistakes": []}
    for line, path in _paths(source):
        if len(path) == 2 and path[0] in ("parameters", "steps"):
            found[path[0]].append({"name": path[1], "line": line})
        elif len(path) == 4 and path[0] == "steps" and path[2] == "mistakes":
            found["mistakes"].append({"step": path[1], "tag": path[3], "line": line})
    return found


def completions(source: str, line: int, column: int) -> list[Completion]:
    """What may stand at a place, line and column from 1, that begins with the word begun there; at most 60. A key that
    stands at that level already is not offered again."""
    lines = source[:MAX_BYTES].split("\n")
    if not 1 <= line <= len(lines):
        return []
    before = lines[line - 1][: max(0, column - 1)]
    begun = _PARTIAL.search(before)
    partial = begun.group().lower() if begun else ""
    path = _path_above(lines, line - 1, len(before) - len(before.lstrip(" ")))
    there = _keys_beside(lines, line - 1, before)
    found = [
        one
        for one in _possible(source, path, before)
        if one.label.lower().startswith(partial) and not (one.kind == "key" and one.label in there)
    ]
    return found[:MOST_COMPLETIONS]


def _possible(source: str, path: tuple[str, ...], before: str) -> Iterator[Completion]:
    if before.count("{{") > before.count("}}"):
        yield from _names(source, ("parameters",))
        yield from (Completion(name, "function", says, f"{name}(") for name, says in _DISPLAYED.items())
        return
    flow = _in_flow(path, before)
    if flow is not None:
        path, before = flow
    written = _KEY_LINE.match(before)
    if written is None and not re.match(r"^ *- +\S", before):
        yield from _keys(path)
        return
    key = written["key"] if written else path[-1] if path else ""
    yield from _values(source, key)


def _values(source: str, key: str) -> Iterator[Completion]:
    if key in _TEXT_KEYS:
        return
    if key in ("skill", "skills"):
        yield from (Completion(skill.id, "skill", skill.title, skill.id) for skill in catalogue.skills())
    elif key == "from":
        yield from (Completion(name, "words", ", ".join(words[:4]) + " …", name) for name, words in WORDS.items())
    elif key == "index":
        yield from _names(source, ("parameters",))
    elif key == "reveal":
        yield from _names(source, ("steps",))
    elif key in _CHOICES:
        yield from (Completion(value, "value", "", value) for value in _CHOICES[key])
    elif key in _FORMULA_KEYS or key == "also":
        yield from _names(source, ("parameters", "steps"))
        yield from (Completion(name, "function", _function_says(name), f"{name}(") for name in FUNCTIONS)


_CHOICES: dict[str, tuple[str, ...]] = {
    "kind": get_args(Kind),
    "level": ("easy", "medium", "hard"),
    "unit": ("percent",),
    "activation": ("softmax", "sigmoid"),
    **dict.fromkeys(("optional", "carry", "undefined", "shuffle", "distinct", "sorted", "seldom"), ("true", "false")),
}


def _names(source: str, parts: tuple[str, ...]) -> Iterator[Completion]:
    found = outline(source)
    for part in parts:
        kind = part.removesuffix("s")
        yield from (Completion(row["name"], kind, f"line {row['line']}", row["name"]) for row in found[part])


def _keys(path: tuple[str, ...]) -> Iterator[Completion]:
    """The keys of the mapping that stands at a path."""
    model = _model_at(path)
    if model is None:
        return
    for name, info in model.model_fields.items():
        key = info.alias or name
        yield Completion(key, "key", info.description or "", f"{key}: ")


def _model_at(path: tuple[str, ...]) -> type[BaseModel] | None:
    match path:
        case ():
            return ProblemFile
        case ("parameters", _):
            return ParameterFile
        case ("steps", _):
            return StepFile
        case ("steps", _, "mistakes", _):
            return MistakeFile
        case ("digits",):
            return DigitsFile
        case ("figure",):
            return FigureFile
        case ("verify",):
            return CheckLine
    return None


def _in_flow(path: tuple[str, ...], before: str) -> tuple[tuple[str, ...], str] | None:
    """Inside ``name: {…``: the path of what the braces hold, and what was begun there; None outside of braces."""
    opened = before.rfind("{")
    if opened < 0 or before.count("}", opened) or "{{" in before[max(0, opened - 1) : opened + 2]:
        return None
    named = _KEY_LINE.match(before[:opened])
    inside = before[opened + 1 :]
    # A comma inside brackets belongs to a list, not to the mapping.
    flat = re.sub(r"\[[^\]]*(?:\]|$)", lambda found: found.group().replace(",", ";"), inside)
    return (*path, named["key"]) if named else path, flat.rsplit(",", 1)[-1].lstrip()


def _keys_beside(lines: list[str], place: int, before: str) -> set[str]:
    """The keys of the mapping that a place is in, those above it and below, without the one begun there."""
    if _in_flow((), before) is not None:
        behind = lines[place][len(before) :].split("}")[0]
        inside = before[before.rfind("{") + 1 :].rpartition(",")[0]
        # What is begun reaches to the next comma.
        return set(_FLOW_KEY.findall(f"{inside},{behind.partition(',')[2]}"))
    column = _key_column(before)
    return _keys_along(lines[:place][::-1], column, is_upward=True, is_first=before[:column].strip() != "") | (
        _keys_along(lines[place + 1 :], column, is_upward=False, is_first=False)
    )


def _keys_along(lines: Iterable[str], column: int, *, is_upward: bool, is_first: bool) -> set[str]:
    """The keys at a column, line by line away from a place, to the end of the mapping or of the entry of a list.

    ``is_first`` says that the place begins an entry: nothing above belongs to it.
    """
    found: set[str] = set()
    for text in () if is_first else lines:
        if not text.strip() or text.lstrip().startswith("#"):
            continue
        own, is_entry = _key_column(text), text.lstrip().startswith("- ")
        if own < column or (own == column and is_entry and not is_upward):
            break
        if own == column and (key := _KEY_LINE.match(text)):
            found.add(key["key"])
        if own == column and is_entry:
            break
    return found


def _key_column(text: str) -> int:
    """Where the key of a line begins: behind its blanks, and behind the hyphens of a list."""
    return len(text) - len(_LEAD.sub("", text, count=1))


def _path_above(lines: list[str], place: int, indent: int) -> tuple[str, ...]:
    """The keys that a line of this indentation stands under."""
    path: list[str] = []
    for text in reversed(lines[:place]):
        found = _KEY_LINE.match(text)
        if (
            found
            and len(found["indent"]) < indent
            and (not found["rest"].strip() or found["rest"].lstrip()[0] in "#|>")
        ):
            path.insert(0, found["key"])
            indent = len(found["indent"])
        if indent == 0:
            break
    return tuple(path)


def _paths(source: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Every key that stands on a line of its own, with its path."""
    above: list[tuple[int, str]] = []
    text_below: int | None = None
    for number, text in enumerate(source[:MAX_BYTES].split("\n"), start=1):
        indent = len(text) - len(text.lstrip(" "))
        if text_below is not None:
            if not text.strip() or indent > text_below:
                continue
            text_below = None
        found = _KEY_LINE.match(text)
        if found is None:
            continue
        while above and above[-1][0] >= len(found["indent"]):
            above.pop()
        above.append((len(found["indent"]), found["key"]))
        if found["rest"].strip().startswith(("|", ">")):
            text_below = len(found["indent"])
        yield number, tuple(key for _, key in above)


def _function_says(name: str) -> str:
    if name in _NUMPY:
        return _NUMPY[name]
    lines = (FUNCTIONS[name].call.__doc__ or "").strip().split("\n")
    return lines[0].removeprefix(f"{name}: ")
