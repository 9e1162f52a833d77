"""The common case of authoring as a form: a problem's title, texts, ranges, words, digits and named mistakes.

What a form reads off a file and sends back unchanged leaves the file byte for byte as it was; what it changes is
changed there alone. Unlike ``grader.adapting`` it may go beyond the problem that it began with.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from grader.adapting import AdaptError
from grader.file_model import DigitsFile
from grader.problem import load
from grader.rewriting import GONE, rewritten
from grader.source import Path, read_source

#: What a form changes of a parameter, and of a mistake.
PARAMETER_KEYS = ("choose", "from", "range", "step", "size", "pick", "is", "round", "distinct", "sorted")
MISTAKE_KEYS = ("is", "accept", "says", "credit", "seldom")
_FORMULAS = ("choose", "range", "size", "is")
_LEFT_OUT: Mapping[str, Any] = {"step": 1, "distinct": False, "sorted": False, "seldom": False, "credit": 0}


@dataclass(frozen=True)
class GuidedStep:
    """One step, to hang its mistakes on: its rule is not the form's to change."""

    name: str
    ask: str
    rule: str
    kind: str
    skill: str


@dataclass(frozen=True)
class Guided:
    """What a form shows of a problem, as it stands in the file; ``mistakes`` by step and tag."""

    title: str
    summary: str
    statement: str
    working: int
    answer: int
    parameters: Mapping[str, Mapping[str, Any]]
    mistakes: Mapping[str, Mapping[str, Mapping[str, Any]]]
    steps: tuple[GuidedStep, ...]


def guided(source: str) -> Guided:
    """What a form shows of this problem. Raises ProblemError if it cannot be read."""
    problem = load(source)
    data = read_source(source).data
    digits = data.get("digits") or {}
    return Guided(
        title=data["title"],
        summary=data["summary"],
        statement=data["statement"],
        working=digits.get("working", DigitsFile().working),
        answer=digits.get("answer", DigitsFile().answer),
        parameters={
            name: {key: value for key, value in entry.items() if key in PARAMETER_KEYS}
            for name, entry in (data.get("parameters") or {}).items()
        },
        mistakes={
            name: {
                tag: {key: value for key, value in mistake.items() if key in MISTAKE_KEYS}
                for tag, mistake in (entry.get("mistakes") or {}).items()
            }
            for name, entry in data["steps"].items()
        },
        steps=tuple(
            GuidedStep(
                step.name,
                step.ask.source if step.ask else "",
                step.formula.text if step.formula else ", ".join(step.accept),
                step.kind,
                step.skill or "",
            )
            for step in problem.steps
        ),
    )


def edited(
    source: str,
    *,
    title: str | None = None,
    summary: str | None = None,
    statement: str | None = None,
    working: int | None = None,
    digits: int | None = None,
    parameters: Mapping[str, Mapping[str, Any]] | None = None,
    mistakes: Mapping[str, Mapping[str, Mapping[str, Any] | None]] | None = None,
) -> str:
    """The text with these changes, everything else byte for byte as it was.

    None for an argument leaves it. In ``parameters`` and ``mistakes`` None for a key takes it out, None for a mistake
    takes the mistake out, and a tag that is not there is added. Formulas and numbers may be given as text. Raises
    AdaptError for what a form cannot change, NotRewritable for a file written in a way that it cannot change, and
    ProblemError, with the lines of the new text, if what comes out is no problem.
    """
    load(source)
    data = read_source(source).data
    edits: dict[Path, Any] = {}
    for key, text in (("title", title), ("summary", summary), ("statement", statement)):
        if text is not None and _bare(text) != _bare(data[key]):
            edits[(key,)] = _ended_alike(text, data[key])
    edits |= _digits(data.get("digits"), working, digits)
    for name, values in (parameters or {}).items():
        edits |= _parameter(data, name, values)
    for step, changed in (mistakes or {}).items():
        edits |= _mistakes(data, step, changed)
    text = rewritten(source, edits)
    load(text)
    return text


def _bare(text: str) -> str:
    """A text without what a form's text area does to line ends."""
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()


def _ended_alike(text: str, old: str) -> str:
    return _bare(text) + ("\n" if old.endswith("\n") else "")


def _digits(written: Mapping[str, Any] | None, working: int | None, answer: int | None) -> dict[Path, Any]:
    defaults = DigitsFile()
    now = {"working": defaults.working, "answer": defaults.answer, **(written or {})}
    wanted = {"working": working, "answer": answer}
    new = {key: value for key, value in wanted.items() if value is not None and value != now[key]}
    after = {**now, **new}
    if new and not 2 <= after["answer"] <= after["working"]:
        raise AdaptError("", f"ask for 2 to {after['working']} digits, no more than are worked with")
    if not new:
        return {}
    return {("digits", key): value for key, value in new.items()} if written else {("digits",): new}


def _parameter(data: Mapping[str, Any], name: str, values: Mapping[str, Any]) -> dict[Path, Any]:
    written = (data.get("parameters") or {}).get(name)
    if written is None:
        raise AdaptError(name, "there is no such parameter: add it in the text")
    if unknown := [key for key in values if key not in PARAMETER_KEYS]:
        raise AdaptError(name, f"{unknown[0]} is changed in the text only")
    return {("parameters", name, *path): value for path, value in _changed(written, values).items()}


def _mistakes(data: Mapping[str, Any], step: str, changed: Mapping[str, Mapping[str, Any] | None]) -> dict[Path, Any]:
    if step not in data["steps"]:
        raise AdaptError(step, "there is no such step: add it in the text", within="steps")
    written = data["steps"][step].get("mistakes") or {}
    edits: dict[Path, Any] = {}
    added: dict[str, Any] = {}
    for tag, mistake in changed.items():
        if mistake is None:
            if tag in written:
                edits[("steps", step, "mistakes", tag)] = GONE
            continue
        if unknown := [key for key in mistake if key not in MISTAKE_KEYS]:
            raise AdaptError(f"{step}.mistakes.{tag}", f"{unknown[0]} is changed in the text only", within="steps")
        if tag in written:
            found = _changed(written[tag], mistake)
            edits |= {("steps", step, "mistakes", tag, *path): value for path, value in found.items()}
        else:
            added[tag] = {path[0]: value for path, value in _changed({}, mistake).items() if value is not GONE}
    # New ones first: where all that were there go, their place stays.
    new: dict[Path, Any]
    new = {("steps", step, "mistakes", tag): mistake for tag, mistake in added.items()}
    return (new if written else {("steps", step, "mistakes"): added} if added else {}) | edits


def _changed(written: Mapping[str, Any], values: Mapping[str, Any]) -> dict[Path, Any]:
    """What of these values says something else than what is written; a key that is left out means its default."""
    edits: dict[Path, Any] = {}
    for key, value in values.items():
        if value is None:
            if key in written:
                edits[(key,)] = GONE
        elif _meaning(key, value) != _meaning(key, written.get(key, _LEFT_OUT.get(key))):
            edits[(key,)] = _written_as(key, value, written.get(key))
    return edits


def _meaning(key: str, value: Any) -> Any:
    """A value so that two that mean the same are equal: 2, 2.0 and "2" in a formula, lines however they end."""
    if isinstance(value, bool) or value is None:
        return value
    if key in _FORMULAS or key in ("step", "round"):
        if isinstance(value, Mapping):
            return {inner: _meaning(key, item) for inner, item in value.items()}
        return [_meaning(key, item) for item in value] if isinstance(value, list | tuple) else _number_or_text(value)
    if key == "credit":
        return _fraction_or_text(value)
    if isinstance(value, str):
        return _bare(value)
    return [_meaning(key, item) for item in value] if isinstance(value, list | tuple) else value


def _number_or_text(value: Any) -> Any:
    try:
        return float(value)
    except ValueError:
        return str(value).strip()


def _fraction_or_text(value: Any) -> Any:
    try:
        return Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        return str(value)


def _written_as(key: str, value: Any, old: Any) -> Any:
    """A value as it is written down: a number that came as text is a number again."""
    if isinstance(value, bool):
        return value
    if key in _FORMULAS or key in ("step", "round"):
        if isinstance(value, Mapping):
            return {inner: _written_as(key, item, None) for inner, item in value.items()}
        if isinstance(value, list | tuple):
            return [_written_as(key, item, None) for item in value]
        number = _number_or_text(value)
        return number if isinstance(number, float) and abs(number) < 1e12 else str(value).strip()
    if isinstance(value, str):
        return _ended_alike(value, old if isinstance(old, str) else "")
    return value
