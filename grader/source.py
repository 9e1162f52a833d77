"""Reading a problem file's YAML into plain data that remembers its lines, with every size bounded.

Aliases, tags and duplicate keys are refused, and only ``true`` and ``false`` are booleans: a word list may hold "no".
"""

import re
from dataclasses import dataclass, field
from typing import Any

import yaml

from grader.errors import Fault, ProblemError
from grader.sizes import too_large

MAX_BYTES = 64_000
MAX_NODES = 5_000
MAX_DEPTH = 12

Path = tuple[str | int, ...]
#: The one tag that may be written: what stands there is a text, whatever it looks like.
_TEXT = "tag:yaml.org,2002:str"


class _Loader(yaml.SafeLoader):
    """The safe loader, with YAML 1.2's booleans and without dates; what is too much is refused while it is read."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.depth = 0
        self.count = 0

    def get_event(self) -> yaml.Event:
        """The next event. Raises ProblemError for an alias, and for more or deeper nodes than a problem has."""
        event: yaml.Event = super().get_event()  # type: ignore[no-untyped-call]
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise _refusal(event, "anchors and aliases are not allowed")
        if (tag := getattr(event, "tag", None)) and tag != _TEXT:
            raise _refusal(event, f"the tag {tag[:60]} is not allowed")
        self.count += isinstance(event, yaml.NodeEvent)
        # Keys are counted as well, so this only cuts short what is refused for its values anyway.
        if self.count > 2 * MAX_NODES:
            raise _refusal(event, f"the file holds more than {MAX_NODES} values")
        if isinstance(event, yaml.CollectionStartEvent):
            self.depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            self.depth -= 1
        if self.depth > MAX_DEPTH:
            raise _refusal(event, "this is nested too deeply")
        return event


def _refusal(event: yaml.Event, message: str) -> ProblemError:
    return ProblemError([Fault(event.start_mark.line + 1 if event.start_mark else 1, "", message)])


_Loader.yaml_implicit_resolvers = {
    first: [(tag, regexp) for tag, regexp in resolvers if tag not in _DROPPED]
    for _DROPPED in [("tag:yaml.org,2002:bool", "tag:yaml.org,2002:timestamp", "tag:yaml.org,2002:int")]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"^(?:true|false)$"), list("tf"))
_Loader.add_implicit_resolver("tag:yaml.org,2002:int", re.compile(r"^[-+]?[0-9]{1,15}$"), list("-+0123456789"))


@dataclass
class Source:
    """Plain data, and the 1-based line and column of every key."""

    data: Any
    lines: dict[Path, int] = field(default_factory=dict)
    columns: dict[Path, int] = field(default_factory=dict)

    def fault(self, path: Path, message: str) -> Fault:
        """A fault at the line of the nearest key that stands in the file."""
        near = path
        while near and near not in self.lines:
            near = near[:-1]
        key = ".".join(str(part) for part in path)
        return Fault(self.lines.get(near, 1), key, message, self.columns.get(near))


def read_source(text: str) -> Source:
    """The data of one YAML document. Raises ProblemError naming the line."""
    return read_nodes(text)[0]


def read_nodes(text: str) -> tuple[Source, yaml.Node | None]:
    """The same, and the document's own node, whose marks say where everything stands. Raises ProblemError."""
    size = len(text.encode("utf-8", "replace"))
    if size > MAX_BYTES:
        raise ProblemError([Fault(1, "", too_large(size, MAX_BYTES))])
    try:
        loader = _Loader(text)
        try:
            node = loader.get_single_node()
            source = Source(None)
            if node is not None:
                source.data = _Builder(loader, source).build(node, ())
            return source, node
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, None)
        raise ProblemError([Fault(line, "", f"this is not YAML: {error.problem or error.context}", column)]) from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise ProblemError([Fault(1, "", f"this is not YAML: {error}")]) from error


class _Builder:
    def __init__(self, loader: yaml.SafeLoader, source: Source) -> None:
        self.loader = loader
        self.source = source
        self.count = 0

    def build(self, node: yaml.Node, path: Path) -> Any:
        self.count += 1
        line = node.start_mark.line + 1
        if self.count > MAX_NODES:
            raise ProblemError([Fault(line, "", f"the file holds more than {MAX_NODES} values")])
        self.source.lines.setdefault(path, line)
        self.source.columns.setdefault(path, node.start_mark.column + 1)
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, path)
        if isinstance(node, yaml.SequenceNode):
            return [self.build(item, (*path, place)) for place, item in enumerate(node.value)]
        try:
            return self.loader.construct_object(node)
        except (ValueError, ArithmeticError) as error:  # a number with more digits than there are
            raise ProblemError([Fault(line, "", f"this value cannot be read: {error}")]) from error

    def _mapping(self, node: yaml.MappingNode, path: Path) -> dict[str, Any]:
        result: dict[str, Any] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            if not isinstance(key_node, yaml.ScalarNode):
                raise ProblemError([Fault(line, "", "a key must be a word")])
            key = key_node.value
            if key in result:
                raise ProblemError([Fault(line, ".".join(map(str, (*path, key))), "this key stands here twice")])
            self.source.lines[(*path, key)] = line
            self.source.columns[(*path, key)] = key_node.start_mark.column + 1
            result[key] = self.build(value_node, (*path, key))
        return result
