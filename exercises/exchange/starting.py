"""Questions of other systems as problem files to go on from: one fixed variant each, with what could be kept."""

import hashlib
import re
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import yaml

from exercises.exchange.report import unique
from grader.errors import ProblemError
from grader.problem import load

MOST_TEXT = 4_000
MOST_LINE = 500
MOST_STEPS = 40
MOST_OPTIONS = 64
#: Of one question, in characters, and of what it says of answers; and how long a whole file may take, in seconds.
MOST_OF_ONE = 100_000
MOST_ANSWERS = 64
SECONDS = 15.0
TOO_LONG = "reading the file took too long before it was reached: divide the file, and import the parts."
FIXED = "It is one fixed question: replace its numbers by parameters to have it drawn anew for everybody."


class NotTaken(ValueError):
    """A question that cannot be a starting point; the message says why."""


@dataclass(frozen=True)
class Told:
    """A wrong answer that the question says something about, or gives a part for."""

    value: Any
    credit: Fraction
    says: str


@dataclass
class Asked:
    """One answer that a question asks for. ``kind`` as in problem files; texts are Markdown.

    key      a number, a text's accepted forms, the place of an option, or 0 and 1 for each
    wrongs   for numbers and texts by value, for one choice by the place of the option
    """

    kind: str
    ask: str
    key: Any
    options: list[str] = field(default_factory=list)
    wrongs: list[Told] = field(default_factory=list)
    weight: Fraction = Fraction(1)


@dataclass
class Question:
    """One question as it was read, with what of it was lost already."""

    title: str
    text: str
    asked: list[Asked]
    hint: str = ""
    lost: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Start:
    """A problem file to go on from, and what is to be said of it."""

    title: str
    source: str
    lost: tuple[str, ...]
    skills: tuple[str, ...] = ()
    summary: str = ""

    @property
    def digest(self) -> str:
        """What its text is known again by: SHA-256 in hex."""
        return hashlib.sha256(self.source.encode()).hexdigest()


def start_of(question: Question, skill: str) -> Start:
    """The problem file of a question, training that skill. Raises NotTaken where it would be none."""
    title = _line(question.title, 190) or "Imported question"
    if not question.asked:
        raise NotTaken("it asks for nothing that is marked here.")
    if len(question.asked) > MOST_STEPS:
        raise NotTaken(f"it asks for {len(question.asked)} answers; a problem has at most {MOST_STEPS} steps.")
    if any(len(asked.wrongs) > MOST_ANSWERS for asked in question.asked):
        raise NotTaken(f"it has more than {MOST_ANSWERS} answers.")
    lost = [*question.lost, FIXED]
    names = (
        ["answer"] if len(question.asked) == 1 else [f"answer{place}" for place in range(1, len(question.asked) + 1)]
    )
    steps = {name: _step(asked, skill, lost) for name, asked in zip(names, question.asked, strict=True)}
    if question.hint:
        next(iter(steps.values()))["hint"] = _text(question.hint, lost)
    data = {
        "title": title,
        "summary": _line(f"Imported: {title}", MOST_LINE),
        "skills": [skill],
        "statement": _text(question.text, lost) or title,
        "steps": steps,
    }
    source = yaml.dump(data, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=110)
    try:
        graph = load(source)
    except ProblemError as error:
        raise NotTaken(f"it cannot be written as a problem: {error.faults[0].message}") from error
    return Start(title, source, unique(lost), tuple(graph.skills), graph.summary)


def number_text(value: float) -> str:
    """A number as a formula writes it."""
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else f"{value:.15g}"


def _step(asked: Asked, skill: str, lost: list[str]) -> dict[str, Any]:
    step: dict[str, Any] = {"ask": _text(asked.ask, lost) or "Your answer"}
    match asked.kind:
        case "number":
            step["is"] = number_text(asked.key)
        case "text":
            step |= {"kind": "text", "accept": [_line(form, MOST_LINE) for form in asked.key][:MOST_OPTIONS]}
        case "choice" | "choices":
            if len(asked.options) > MOST_OPTIONS:
                raise NotTaken(f"it has more than {MOST_OPTIONS} options.")
            key = str(asked.key) if asked.kind == "choice" else "[" + ", ".join(map(str, asked.key)) + "]"
            options = {f"o{place}": _line(text, MOST_LINE) for place, text in enumerate(asked.options, start=1)}
            step |= {"kind": asked.kind, "is": key, "options": options}
    step["skill"] = skill
    if asked.weight != 1:
        step["weight"] = str(asked.weight)
    if mistakes := _mistakes(asked, lost):
        step["mistakes"] = mistakes
    return step


def _mistakes(asked: Asked, lost: list[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for place, told in enumerate(asked.wrongs, start=1):
        mistake: dict[str, Any] = {}
        if asked.kind == "text":
            mistake["accept"] = [_line(told.value, MOST_LINE)]
        else:
            mistake["is"] = number_text(float(told.value))
        mistake["says"] = _text(told.says, lost) or "This is not it: say here what went wrong."
        if told.credit:
            mistake["credit"] = str(_share(told.credit))
        found[f"wrong-{place}"] = mistake
    return found


def _share(credit: Fraction) -> Fraction:
    return min(Fraction(1), credit).limit_denominator(1000)


def _plain(text: str) -> str:
    """Without what no file holds, and without what would be a slot of ours."""
    text = re.sub(r"[^\t\n\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "", text)
    return text.replace("{{", "{ {").replace("}}", "} }")


def _line(text: str, most: int) -> str:
    return " ".join(_plain(text).split())[:most]


def _text(text: str, lost: list[str]) -> str:
    words = _plain(text).strip()
    if len(words) > MOST_TEXT:
        lost.append(f"A text of more than {MOST_TEXT:,} characters is cut short.")
        words = words[: MOST_TEXT - 2] + " …"
    return words


class _Dumper(yaml.SafeDumper):
    """Writes texts of several lines as blocks, and nothing as an alias."""

    def ignore_aliases(self, data: Any) -> bool:
        """No anchors: problem files refuse them."""
        return True


def _written(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text and not re.search(r"[ \t]\n|\t", text) else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _written)
