"""Changing single values in a problem file's text and leaving everything else as it stands, comments included.

Each value is found by the marks of its YAML node and only its own characters are exchanged. What comes out is read
again and compared with what was meant: a file written in a way that this cannot change is refused, never spoilt.
"""

import copy
import json
import re
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

import yaml

from grader.errors import Fault, ProblemError
from grader.source import Path, read_nodes

#: In the place of a value: the key is taken out.
GONE = object()

_NOT_WRITABLE = re.compile(r"[^\t\n\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")


class NotRewritable(ProblemError):
    """A file written in a way in which this place cannot be changed by itself: its text has to be edited."""


def rewritten(text: str, edits: Mapping[Path, Any]) -> str:
    """The text with each of these values in its place, ``GONE`` taking a key out; all other characters stay.

    A path leads through keys of mappings, all of which but the last must be there. A value that stands there already
    changes nothing. Raises ProblemError for a text that cannot be read, NotRewritable for one that cannot be changed.
    """
    if not edits:
        return text
    now = _Read(text)
    for path, value in edits.items():
        now = _with(now, path, value)
    return now.text


class _Read:
    """A text as it was read: its data, and the nodes that say where everything stands."""

    def __init__(self, text: str) -> None:
        source, node = read_nodes(text)
        self.text, self.data, self.node = text, source.data, node


def _with(now: _Read, path: Path, value: Any) -> _Read:
    meant = copy.deepcopy(now.data)
    plain = value if value is GONE else plain_data(value)
    if not _put(meant, path, plain):
        return now
    if now.node is None:
        raise _not_rewritable(path)
    try:
        new = _Read(_Place(now.text, now.node, path).changed(plain))
    except (LookupError, ProblemError) as error:
        raise _not_rewritable(path) from error
    if not same(new.data, meant):
        raise _not_rewritable(path)
    return new


def _not_rewritable(path: Path) -> NotRewritable:
    key = ".".join(map(str, path))
    return NotRewritable([Fault(1, key, "this cannot be changed by a form as it is written here: edit the text")])


def _put(data: Any, path: Path, value: Any) -> bool:
    """Change plain data; whether anything had to be changed. Where the last entry goes, its mapping goes with it."""
    holders = [data]
    for part in path[:-1]:
        if not isinstance(holders[-1], dict | list) or (isinstance(holders[-1], dict) and part not in holders[-1]):
            if value is GONE:
                return False
            raise _not_rewritable(path)
        holders.append(holders[-1][part])  # type: ignore[index]
    holder, last = holders[-1], path[-1]
    if value is not GONE:
        if not isinstance(holder, dict | list):
            raise _not_rewritable(path)
        if isinstance(holder, dict) and last in holder and same(holder[last], value):
            return False
        holder[last] = value  # type: ignore[index]
        return True
    if not isinstance(holder, dict) or last not in holder:
        return False
    del holder[last]
    if not holder and len(path) > 1:
        _put(data, path[:-1], GONE)
    return True


def same(one: Any, other: Any) -> bool:
    """Whether two values are the same data; unlike ``==``, true is not 1."""
    if isinstance(one, dict) and isinstance(other, dict):
        return list(one) == list(other) and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return isinstance(one, bool) == isinstance(other, bool) and bool(one == other)


def plain_data(value: Any) -> Any:
    """A value as it is read back: fractions as text, line ends as in the file's own strings."""
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else str(value)
    if isinstance(value, Mapping):
        return {str(key): plain_data(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain_data(item) for item in value]
    if isinstance(value, str):
        return value.replace("\r\n", "\n").replace("\r", "\n")
    return int(value) if isinstance(value, float) and value == int(value) and abs(value) < 1e12 else value


# How a value is written


def flow_text(value: Any, *, is_in_flow: bool = True) -> str:
    """A value on one line. Raises ValueError for text that no YAML file can hold."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return format(Decimal(repr(value)), "f")
    if isinstance(value, list):
        return f"[{', '.join(map(flow_text, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{flow_text(key)}: {flow_text(item)}' for key, item in value.items())}}}"
    if _NOT_WRITABLE.search(str(value)):
        raise ProblemError([Fault(1, "", "there is a character in this text that no file can hold")])
    is_plain = "\n" not in value and _reads(f"{{k: {value}}}" if is_in_flow else f"k: {value}", value)
    return str(value) if is_plain else json.dumps(value, ensure_ascii=False)


def _block_text(value: Any, indent: int) -> str:
    """What stands after the colon of a key that is indented by so much, in a file of one key a line."""
    if isinstance(value, dict) and value:
        pad = "\n" + " " * (indent + 2)
        return "".join(f"{pad}{flow_text(key)}:{_block_text(item, indent + 2)}" for key, item in value.items())
    if isinstance(value, str) and "\n" in value:
        pad = " " * (indent + 2)
        lines = "\n".join(pad + line if line else "" for line in value.removesuffix("\n").split("\n"))
        literal = f" |{'' if value.endswith(chr(10)) else '-'}\n{lines}"
        if not _NOT_WRITABLE.search(value) and _reads(f"{' ' * indent}k:{literal}\n", value):
            return literal
    return " " + flow_text(value, is_in_flow=False)


def _reads(text: str, value: str) -> bool:
    try:
        return same(read_nodes(text)[0].data, {"k": value})
    except ProblemError:
        return False


# Where a value stands


def _end(text: str, node: yaml.Node) -> int:
    """Where a node's own characters end: marks of blocks reach on over blank lines and comments."""
    start, end = node.start_mark.index, node.end_mark.index
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        return _end(text, last[1] if isinstance(last, tuple) else last)
    if isinstance(node, yaml.ScalarNode) and node.style in ("|", ">"):
        return start + len(text[start:end].rstrip())
    return end


def _line_start(text: str, at: int) -> int:
    return text.rfind("\n", 0, at) + 1


def _line_end(text: str, at: int) -> int:
    found = text.find("\n", at)
    return len(text) if found < 0 else found + 1


class _Place:
    """One path in a text: its mapping, and its value if it has one."""

    def __init__(self, text: str, node: yaml.Node, path: Path) -> None:
        self.text = text
        self.root = node
        self.path = path
        self.line_end = "\r\n" if "\r\n" in text else "\n"
        self.is_in_flow = False
        for part in path[:-1]:
            self.is_in_flow |= bool(getattr(node, "flow_style", False))
            node = _value_at(node, part)
        self.is_in_flow |= bool(getattr(node, "flow_style", False))
        self.holder = node

    def changed(self, value: Any) -> str:
        """The text with the value there. Raises LookupError where it cannot be done."""
        keys = self._keys()
        if value is GONE:
            if len(keys) == 1 and len(self.path) > 1:
                return _Place(self.text, self.root, self.path[:-1]).changed(GONE)
            return self.without(keys.index(self.path[-1]))
        if self.path[-1] not in keys:
            return self._with_new(value)
        node = _value_at(self.holder, self.path[-1])
        if isinstance(value, list) and isinstance(node, yaml.SequenceNode) and value:
            kept = self._entry_by_entry(node, value)
            if kept is not None:
                return kept
        return self._with_other(node, value)

    def _keys(self) -> list[str | int]:
        if isinstance(self.holder, yaml.MappingNode):
            return [key.value for key, _ in self.holder.value]
        if isinstance(self.holder, yaml.SequenceNode):
            return list(range(len(self.holder.value)))
        raise LookupError(self.path)

    def _cut(self, start: int, end: int, into: str = "") -> str:
        return self.text[:start] + into.replace("\n", self.line_end) + self.text[end:]

    def _with_other(self, node: yaml.Node, value: Any) -> str:
        start, end = node.start_mark.index, _end(self.text, node)
        if self.is_in_flow or isinstance(self.holder, yaml.SequenceNode):
            return self._cut(start, end, flow_text(value))
        colon = next(k for k, _ in self.holder.value if k.value == self.path[-1])
        after = self.text.index(":", _end(self.text, colon)) + 1
        if not self.text[after:start].strip():
            start = after
        return self._cut(start, end, _block_text(value, colon.start_mark.column))

    def _with_new(self, value: Any) -> str:
        if not isinstance(self.holder, yaml.MappingNode):
            raise LookupError(self.path)
        key = flow_text(self.path[-1])
        if self.is_in_flow:
            if not self.holder.value:
                at = self.holder.end_mark.index - 1
                return self._cut(at, at, f"{key}: {flow_text(value)}")
            at = _end(self.text, self.holder.value[-1][1])
            return self._cut(at, at, f", {key}: {flow_text(value)}")
        column = self.holder.value[0][0].start_mark.column
        at = _line_end(self.text, _end(self.text, self.holder.value[-1][1]))
        before = "" if self.text[:at].endswith("\n") else "\n"
        return self._cut(at, at, f"{before}{' ' * column}{key}:{_block_text(value, column)}\n")

    def without(self, place: int) -> str:
        """The text without one entry of the mapping or sequence. Raises LookupError where it cannot be cut out."""
        spans = [
            ((entry[0] if isinstance(entry, tuple) else entry).start_mark.index,
             _end(self.text, entry[1] if isinstance(entry, tuple) else entry))
            for entry in self.holder.value
        ]  # fmt: skip
        start, end = spans[place]
        if self.is_in_flow:
            if place + 1 < len(spans):
                return self._cut(start, spans[place + 1][0])
            return self._cut(spans[place - 1][1] if place else start, end)
        line = _line_start(self.text, start)
        if self.text[line:start].strip(" -"):
            raise LookupError(self.path)
        return self._cut(line, _line_end(self.text, end))

    def _entry_by_entry(self, node: yaml.SequenceNode, value: list[Any]) -> str | None:
        """A list as long as before, or with entries left out, changed in place; None if it is another one."""
        old = read_nodes(self.text)[0].data
        for part in self.path:
            old = old[part]
        if len(value) == len(old):
            edits = {(*self.path, place): item for place, item in enumerate(value) if not same(item, old[place])}
            return rewritten(self.text, edits)
        kept = _places_kept(old, value)
        if kept is None:
            return None
        text = self.text
        for place in sorted(set(range(len(old))) - kept, reverse=True):
            text = _Place(text, _root(text), (*self.path, place)).without(place)
        return text


def _places_kept(old: list[Any], new: list[Any]) -> set[int] | None:
    """The places of the entries that are left, where a list only lost some; else None."""
    kept: set[int] = set()
    waiting = list(new)
    for place, item in enumerate(old):
        if waiting and same(item, waiting[0]):
            waiting.pop(0)
            kept.add(place)
    return None if waiting else kept


def _root(text: str) -> yaml.Node:
    node = read_nodes(text)[1]
    if node is None:
        raise LookupError(())
    return node


def _value_at(node: yaml.Node, part: str | int) -> yaml.Node:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value == part:
                return value  # type: ignore[no-any-return]
    elif isinstance(node, yaml.SequenceNode) and isinstance(part, int):
        return node.value[part]  # type: ignore[no-any-return]
    raise LookupError(part)
