"""A problem as a form: what stands in the file, what was typed instead, and the text that comes of it.

Each box knows the place of the file that it stands for, so that a fault is shown beside the box it is about.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import yaml

from frontend.typed_number import typed_number
from grader.errors import Fault, GraderError, ProblemError
from grader.guided import Guided, GuidedStep, edited, guided
from grader.source import read_source
from grader.words import WORDS

#: No box holds more, and a form holds no more boxes than a file can have keys.
LONGEST = 8_000
SEPARATOR = ":"


@dataclass
class Row:
    """One box: its name in the form, its label, what it holds, the place in the file, and what is wrong with it."""

    name: str
    label: str
    value: str
    key: str
    kind: Literal["line", "area", "short", "check"] = "line"
    help: str = ""
    was: str = ""
    errors: list[str] = field(default_factory=list)

    @property
    def is_changed(self) -> bool:
        """Whether it says something else than the file: what is not touched stays as it is written there."""
        return self.value.strip() != self.was.strip()

    @property
    def must_be_filled(self) -> bool:
        """Whether it may not be left empty."""
        return self.kind != "check" and not self.name.endswith(f"{SEPARATOR}credit")

    @property
    def id(self) -> str:
        """What it is called in the page."""
        return f"box-{self.name.replace(SEPARATOR, '-')}"

    @property
    def is_checked(self) -> bool:
        """Of a box to tick."""
        return bool(self.value)


@dataclass
class Group:
    """Boxes that belong together: a parameter, or a named mistake."""

    title: str
    rows: list[Row]
    says: str = ""


@dataclass
class StepGroup:
    """A step with its mistakes, and boxes for one more."""

    step: GuidedStep
    mistakes: list[Group]
    new: Group

    @property
    def is_open(self) -> bool:
        """Whether something in it was touched."""
        return any(row.is_changed or row.errors for group in (*self.mistakes, self.new) for row in group.rows)


@dataclass
class GuidedForm:
    """The whole form. ``errors`` are those that belong to no box. Raises ProblemError where the file cannot be read."""

    source: str
    typed: Mapping[str, str] | None
    main: list[Row] = field(default_factory=list)
    parameters: list[Group] = field(default_factory=list)
    steps: list[StepGroup] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        found = guided(self.source)
        self.main = self._main(found)
        self.parameters = [
            group for name, entry in found.parameters.items() if (group := self._parameter(name, entry)).rows
        ]
        self.steps = [self._step(step, found.mistakes.get(step.name, {})) for step in found.steps]

    def text(self) -> str | None:
        """The file as the form has it; None if something is wrong, which then stands beside its box."""
        if self._has_gaps():
            return None
        try:
            return edited(self.source, **self._changes())
        except ProblemError as error:
            for fault in error.faults:
                self._place(fault.key, fault.message)
        except GraderError as error:
            self.errors.append(_sentence(error))
        return None

    def _has_gaps(self) -> bool:
        """Whether a box is empty that must not be, which is then said there."""
        gaps = [row for row in self.rows() if row.is_changed and not row.value.strip() and row.must_be_filled]
        for each in self.steps:
            if any(row.is_changed for row in each.new.rows):
                gaps += [row for row in each.new.rows if row.must_be_filled and not row.value.strip()]
        for row in gaps:
            row.errors.append("Write something here.")
        return bool(gaps)

    @property
    def is_wrong(self) -> bool:
        """Whether anything is to be mended."""
        return bool(self.errors) or any(row.errors for row in self.rows())

    def rows(self) -> Iterator[Row]:
        """Every box."""
        yield from self.main
        for group in self.parameters:
            yield from group.rows
        for step in self.steps:
            for group in (*step.mistakes, step.new):
                yield from group.rows

    def _row(self, name: str, label: str, value: object, key: str, **more: Any) -> Row:
        was = shown = "" if value is None else str(value)
        if self.typed is not None:
            missing = "" if more.get("kind") == "check" else shown
            shown = self.typed.get(name, missing)[:LONGEST].replace("\r\n", "\n")
        return Row(name, label, shown, key, was=was, **more)

    def _main(self, found: Guided) -> list[Row]:
        return [
            self._row("title", "Title", found.title, "title"),
            self._row("summary", "Summary", found.summary, "summary", help="One line for lists."),
            self._row("statement", "Statement", found.statement.rstrip("\n"), "statement", kind="area",
                      help="Markdown with $TeX$; drawn words and numbers stand in {{ }}."),
            self._row("answer", "Digits to answer with", found.answer, "digits.answer", kind="short"),
            self._row("working", "Digits to work with", found.working, "digits.working", kind="short"),
        ]  # fmt: skip

    def _parameter(self, name: str, entry: Mapping[str, Any]) -> Group:
        rows = []
        place = f"parameters.{name}"
        if "range" in entry:
            low, high = entry["range"]
            rows.append(self._row(f"p:{name}:low", "From", low, f"{place}.range.0", kind="short"))
            rows.append(self._row(f"p:{name}:high", "To", high, f"{place}.range.1", kind="short"))
            rows.append(self._row(f"p:{name}:step", "In steps of", entry.get("step", 1), f"{place}.step", kind="short"))
        if "choose" in entry:
            rows.append(
                self._row(f"p:{name}:choose", "How many words", entry["choose"], f"{place}.choose", kind="short")
            )
            rows.append(
                self._row(f"p:{name}:from", "From these", _listed(entry["from"]), f"{place}.from",
                          help=f"The name of a list ({', '.join(WORDS)}), or words with commas between them.")
            )  # fmt: skip
        if "pick" in entry:
            values = "\n".join(_plain(value) for value in entry["pick"])
            rows.append(self._row(f"p:{name}:pick", "One of these, one a line", values, f"{place}.pick", kind="area",
                                  help="Write one twice to draw it more often."))  # fmt: skip
        if isinstance(entry.get("size"), str | int):
            rows.append(
                self._row(f"p:{name}:size", "Entries", entry["size"], f"{place}.size", kind="short",
                          help="A number, or what it is as long as.")
            )  # fmt: skip
        if "is" in entry:
            rows.append(self._row(f"p:{name}:is", "Computed as", entry["is"], f"{place}.is"))
        return Group(name, rows)

    def _step(self, step: GuidedStep, mistakes: Mapping[str, Mapping[str, Any]]) -> StepGroup:
        groups = [Group(tag, self._mistake(f"m:{step.name}:{tag}", step, tag, each)) for tag, each in mistakes.items()]
        tag = self._row(f"n:{step.name}:tag", "Tag", "", f"steps.{step.name}.mistakes", kind="short",
                        help="Small letters and hyphens; statistics count it by this name.")  # fmt: skip
        new = self._mistake(f"n:{step.name}", step, tag.value.strip() or "…", {})[:-1]
        return StepGroup(step, groups, Group("One more", [tag, *new]))

    def _mistake(self, prefix: str, step: GuidedStep, tag: str, each: Mapping[str, Any]) -> list[Row]:
        place = f"steps.{step.name}.mistakes.{tag}"
        if step.kind == "text":
            forms = "\n".join(each.get("accept", ()))
            rule = self._row(f"{prefix}:accept", "Typed forms, one a line", forms, f"{place}.accept", kind="area")
        else:
            rule = self._row(f"{prefix}:is", "Wrong rule", each.get("is"), f"{place}.is")
        return [
            rule,
            self._row(f"{prefix}:says", "What to say about it", each.get("says"), f"{place}.says", kind="area"),
            self._row(f"{prefix}:credit", "Earns", each.get("credit", 0), f"{place}.credit", kind="short",
                      help="A share such as 1/4."),
            self._row(f"{prefix}:gone", "Take it out", "", place, kind="check"),
        ]  # fmt: skip

    def _changes(self) -> dict[str, Any]:
        """What was typed, as ``grader.guided.edited`` takes it."""
        main = {row.name: row.value for row in self.main if row.is_changed}
        digits = {name: _whole(main[name], f"digits.{name}") for name in ("answer", "working") if name in main}
        return {
            **{name: main.get(name) for name in ("title", "summary", "statement")},
            "digits": digits.get("answer"),
            "working": digits.get("working"),
            "parameters": {group.title: _parameter_values(group.rows) for group in self.parameters},
            "mistakes": {step.step.name: _mistake_values(step) for step in self.steps},
        }

    def _place(self, where: str, message: str) -> None:
        """A sentence at the box it is about: the one whose place is nearest above or within that of the fault."""
        rows = list(self.rows())
        exact = [row for row in rows if where and (where == row.key or where.startswith(f"{row.key}."))]
        within = [row for row in rows if where and row.key.startswith(f"{where}.")]
        nearest = max(exact, key=lambda row: len(row.key), default=None) or next(iter(within), None)
        if nearest is None:
            self.errors.append(f"{where}: {message}" if where else message)
        else:
            nearest.errors.append(message)


def _values(rows: Sequence[Row]) -> dict[str, str]:
    """What was typed into boxes that were touched, by the last part of their names."""
    return {row.name.rpartition(SEPARATOR)[2]: row.value.strip() for row in rows if row.is_changed}


def _parameter_values(rows: Sequence[Row]) -> dict[str, Any]:
    values = _values(rows)
    found: dict[str, Any] = {name: said for name, said in values.items() if name in ("step", "choose", "size", "is")}
    if "low" in values or "high" in values:
        ends = {row.name.rpartition(SEPARATOR)[2]: row.value.strip() for row in rows}
        found["range"] = [ends["low"], ends["high"]]
    if "from" in values:
        words = [word.strip() for word in values["from"].split(",") if word.strip()]
        found["from"] = words[0] if len(words) == 1 else words
    if "pick" in values:
        found["pick"] = [_data(line) for line in values["pick"].splitlines() if line.strip()]
    return found


def _mistake_values(step: StepGroup) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for group in step.mistakes:
        values = _values(group.rows)
        if values.pop("gone", ""):
            found[group.title] = None
        elif values:
            found[group.title] = _said(values)
    if values := _values(step.new.rows):
        tag = values.pop("tag", "")
        found[tag] = _said(values)
    return found


def _said(values: dict[str, str]) -> dict[str, Any]:
    said: dict[str, Any] = dict(values)
    if "accept" in said:
        said["accept"] = [line.strip() for line in values["accept"].splitlines() if line.strip()]
    return said


def _whole(said: str, where: str) -> int:
    number = typed_number(said.strip(), digits=3)
    if number is None:
        raise ProblemError([Fault(1, where, "write a whole number")])
    return number


def _data(line: str) -> Any:
    """One value of a list, as the file would read it."""
    try:
        return read_source(line).data
    except ProblemError:
        return line.strip()


def _plain(value: object) -> str:
    """One value of a list, as it stands in a file."""
    return (
        yaml.safe_dump(value, default_flow_style=True, allow_unicode=True, width=10_000).removesuffix("...\n").strip()
    )


def _listed(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _sentence(error: Exception) -> str:
    words = " ".join(str(error).split())
    return words[:1].upper() + words[1:]
