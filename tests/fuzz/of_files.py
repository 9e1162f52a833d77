"""Files of problems and questions: our own, Moodle's, GIFT."""

import io
import json
import zipfile
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from exercises.exchange.incoming import Incoming, incoming
from exercises.exchange.own.writing import own_package
from exercises.exchange.package import zipped
from grader.problem import load
from tests.fuzz.reader import Reader, ensure
from tests.fuzz.shapes import TEXTS, encoded, spoilt

SKILL = "softmax"
#: Divides the files of a zip in an input, so that what is in them can be changed: a zip hides it from a fuzzer.
FILE = b"--- file "


# --- Problems and questions ------------------------------------------------------------------------------------------


def read_zip(data: bytes) -> object:
    """Our own file: a zip as it is, or the files of one, which is then made of them. Written again it is the same."""
    content = data if data.startswith(b"PK") else zipped(_files(data))
    found = _incoming(content, "x.zip")
    if found.refused or found.faults or not (found.bundle.problems or found.bundle.sets):
        return found
    again = _incoming(own_package(found.bundle, "Again").content, "again.zip")
    ensure(not again.faults, f"what we wrote ourselves has faults: {again.faults}")
    ensure(set(again.bundle.problems) == set(found.bundle.problems), "other problems than were written")
    ensure(len(again.bundle.sets) == len(found.bundle.sets), "other sets than were written")
    return found


def _files(data: bytes) -> dict[str, bytes]:
    found = {}
    for part in (b"\n" + data).split(b"\n" + FILE)[1:]:
        name, _, content = part.partition(b"\n")
        found[name.decode("latin-1")] = content
    return found


def read_moodle(data: bytes) -> object:
    """Moodle XML: each question a start that loads, or an entry that says why not."""
    return _incoming(data if data.lstrip().startswith(b"<") else b"<quiz>" + data + b"</quiz>", "x.xml")


def read_gift(data: bytes) -> object:
    """GIFT, likewise."""
    return _incoming(data, "x.txt")


def _incoming(content: bytes, name: str) -> Incoming:
    found = incoming(content, name, SKILL)
    for start in found.starts[:5]:
        ensure(load(start.source).title, "a start without a title")
    ensure(
        found.refused or found.questions or found.faults or found.bundle.problems or found.bundle.sets, "nothing said"
    )
    json.dumps([str(one) for one in (found.refused, *found.faults)])
    return found


_XML = st.recursive(
    st.sampled_from(
        ["2", "x", "<![CDATA[<p>H</p>]]>", "{1:NUMERICAL:=2:0.1}", "{1:MC:=a~b}", "&amp;", "100", "true", "&#0;"]
    )
    | TEXTS,
    lambda inner: st.builds(
        lambda tag, kind, parts: f"<{tag}{kind}>{''.join(parts)}</{tag}>",
        st.sampled_from(
            [
                "question",
                "name",
                "text",
                "questiontext",
                "answer",
                "feedback",
                "tolerance",
                "subquestion",
                "single",
                "generalfeedback",
                "defaultgrade",
                "file",
                "hint",
                "p",
                "b",
                "table",
                "tr",
                "td",
            ]
        ),
        st.sampled_from(
            [
                "",
                ' type="numerical"',
                ' type="multichoice"',
                ' type="shortanswer"',
                ' type="cloze"',
                ' type="truefalse"',
                ' type="matching"',
                ' fraction="100"',
                ' fraction="-33.3"',
                ' format="html"',
                ' fraction="1e999"',
                ' type="category"',
            ]
        ),
        st.lists(inner, max_size=5),
    ),
    max_leaves=16,
)
_GIFT = st.lists(
    st.sampled_from(
        [
            "::Title::",
            "Text ",
            "{",
            "}",
            "=",
            "~",
            "#",
            "%50%",
            "%-1e9%",
            "->",
            "T",
            "FALSE",
            "2:0.1",
            "1..5",
            "####",
            "[html]",
            "\\",
            "\n",
            "\n\n",
            "// note\n",
            "$CATEGORY: x\n",
            "#1e999",
            "{#=2:0}",
            "{=a =b}",
        ]
    )
    | TEXTS,
    max_size=16,
).map("".join)

_SMALL = """title: Small
summary: One step.
skills: [softmax]
parameters: {z: {range: [1, 9]}}
statement: Half of {{ z }}?
steps: {half: {ask: Half?, is: z / 2, mistakes: {twice: {is: z * 2, says: "That is twice."}}}}
"""
_MANIFEST: dict[str, Any] = {
    "format": "bert-gym",
    "version": 1,
    "sets": ["sets/001-s.json"],
    "problems": [{"file": "problems/small.yaml", "licence": "MIT", "from": []}],
}
_SET: dict[str, Any] = {
    "rules": {
        "title": "S",
        "mode": "quiz",
        "instructions": "",
        "opens_at": None,
        "due_at": None,
        "closes_at": None,
        "time_limit": None,
        "credits": ["1", "1/2"],
        "retry": "same",
        "feedback": "at-once",
        "late": [],
        "hints": False,
        "shuffle": False,
        "pass_mark": None,
    },
    "pools": [{"name": "P", "choose": 1, "weight": "1"}],
    "items": [
        {
            "problem": "problems/small.yaml",
            "pinned": False,
            "weight": "2",
            "variants": 1,
            "asked": ["half"],
            "pool": "P",
            "adaptation": {},
        }
    ],
}


def _joined(manifest: Any, one_set: Any, extra: bytes) -> bytes:
    parts = {
        "bert-gym.json": json.dumps(manifest).encode(),
        "sets/001-s.json": json.dumps(one_set).encode(),
        "problems/small.yaml": _SMALL.encode() + extra,
    }
    return b"\n".join(FILE + name.encode() + b"\n" + content for name, content in parts.items())


def _zips() -> SearchStrategy[bytes]:
    files = st.builds(_joined, spoilt(_MANIFEST), spoilt(_SET), st.just(b"") | encoded(TEXTS))
    return files | st.builds(
        _stored, files, st.sampled_from([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA])
    )


def _stored(data: bytes, way: int) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", way) as archive:
        for name, content in _files(data).items():
            archive.writestr(name, content)
    return buffer.getvalue()


READERS = (
    Reader(
        "own-file",
        read_zip,
        _zips(),
        (FILE.decode(), "bert-gym.json", '"items"', '"rules"', '"1e-99999999"', "PK\x03\x04"),
        6_000_000,
    ),
    Reader(
        "moodle",
        read_moodle,
        encoded(_XML),
        ("<question", "<answer", 'fraction="', "{1:NM:=", "<!DOCTYPE x>", "<![CDATA["),
        4_000_000,
    ),
    Reader("gift", read_gift, encoded(_GIFT), ("::", "{#", "=%50%", "->", "\n\n", "1..2", "{T}"), 4_000_000),
)
