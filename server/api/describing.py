"""The OpenAPI description as a page shows it: operations by room, with the fields that they take and give."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from drf_spectacular.generators import SchemaGenerator
from markdown_it import MarkdownIt

_MARKDOWN = MarkdownIt("commonmark", {"html": False})
METHODS = ("get", "post", "put", "patch", "delete")


@dataclass(frozen=True)
class Field:
    """One field of a body or a parameter. ``kind`` is its type in words, ``shape`` names the shape it holds, if any."""

    name: str
    kind: str
    shape: str
    is_required: bool
    words: str
    place: str = ""


@dataclass(frozen=True)
class Answer:
    """One status that an operation may answer with."""

    code: str
    shape: str
    words: str


@dataclass(frozen=True)
class Operation:
    """One method of one address. ``scope`` is what a key must be good for, empty where any or none will do."""

    id: str
    method: str
    path: str
    words: str
    scope: str
    is_open: bool
    parameters: list[Field]
    body: str
    answers: list[Answer]
    refusals: list[str]


@dataclass(frozen=True)
class Described:
    """The whole page."""

    introduction: str
    rooms: dict[str, list[Operation]]
    shapes: dict[str, list[Field]]


@cache
def schema() -> dict[str, Any]:
    """The OpenAPI description, as it is in docs/openapi.yaml; made once a process."""
    found: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    return found


@cache
def described() -> Described:
    """The description as a page shows it."""
    whole = schema()
    rooms: dict[str, list[Operation]] = {}
    for path, methods in whole["paths"].items():
        room = path.removeprefix("/api/v1/").partition("/")[0].replace("-", " ")
        for method in METHODS:
            if method in methods:
                rooms.setdefault(room, []).append(_operation(method, path, methods[method]))
    shapes = {name: _fields(shape) for name, shape in whole["components"]["schemas"].items() if "properties" in shape}
    return Described(_MARKDOWN.render(whole["info"]["description"]), dict(sorted(rooms.items())), shapes)


def _operation(method: str, path: str, said: Mapping[str, Any]) -> Operation:
    ways = said.get("security", [])
    answers = [(code, one) for code, one in said["responses"].items()]
    return Operation(
        id=said["operationId"],
        method=method.upper(),
        path=path,
        words=_MARKDOWN.render(said.get("description", "")),
        scope=next((scopes[0] for way in ways for scopes in way.values() if scopes), ""),
        is_open=not ways or {} in ways,
        parameters=[_parameter(one) for one in said.get("parameters", [])],
        body=_shape_of(said.get("requestBody", {})),
        answers=[Answer(code, _shape_of(one), one.get("description", "")) for code, one in answers if code < "400"],
        refusals=[code for code, _ in answers if code >= "400"],
    )


def _parameter(said: Mapping[str, Any]) -> Field:
    kind, shape = _kind(said["schema"])
    return Field(
        said["name"], kind, shape, said.get("required", False), _words(said.get("description", "")), said["in"]
    )


def _fields(shape: Mapping[str, Any]) -> list[Field]:
    required = shape.get("required", [])
    found = []
    for name, said in shape["properties"].items():
        kind, inner = _kind(said)
        found.append(Field(name, kind, inner, name in required, _words(said.get("description", ""))))
    return found


def _kind(said: Mapping[str, Any]) -> tuple[str, str]:
    """What a value is, in words, and the shape in it, if any."""
    if "$ref" in said:
        name = _name(said["$ref"])
        shape = schema()["components"]["schemas"][name]
        return ("", name) if "properties" in shape else _kind(shape)
    for several in ("allOf", "oneOf", "anyOf"):
        if several in said:
            kinds = [_kind(one) for one in said[several]]
            words = " or ".join(dict.fromkeys(word for word, _ in kinds if word))
            return words, next((shape for _, shape in kinds if shape), "")
    if "enum" in said:
        return "one of " + ", ".join(str(one) for one in said["enum"] if one not in ("", None)), ""
    type_words = said.get("type", "anything")
    kind = " or ".join(type_words) if isinstance(type_words, list) else str(type_words)
    if kind == "array":
        inner, shape = _kind(said.get("items", {}))
        return f"list of {inner}".strip(), shape
    if "additionalProperties" in said and isinstance(said["additionalProperties"], dict):
        inner, shape = _kind(said["additionalProperties"])
        return f"by name: {inner}".strip(), shape
    return {"date-time": "moment", "uuid": "UUID", "date": "day", "uri": "address"}.get(
        said.get("format", ""), kind
    ) + (" or null" if said.get("format") and "null" in kind else ""), ""


def _shape_of(said: Mapping[str, Any]) -> str:
    for content in said.get("content", {}).values():
        shape = content.get("schema", {})
        if "$ref" in shape:
            return _name(shape["$ref"])
        if "$ref" in shape.get("items", {}):
            return _name(shape["items"]["$ref"])
    return ""


def _name(reference: str) -> str:
    return reference.rpartition("/")[2]


def _words(said: str) -> str:
    """Our own words, on one line. A list of what values mean repeats what is said of the type."""
    return _MARKDOWN.renderInline(re.sub(r"\n*^\* `[^`]*`.*$", "", said, flags=re.MULTILINE).strip())
