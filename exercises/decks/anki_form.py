"""Cards as text that Anki imports, and texts from Anki as cards.

The file begins with Anki's own headers. Front and Back are HTML with mathematics as ``\\(…\\)`` and ``\\[…\\]``; the
column Source holds the card as it is here, so that nothing is lost when the file comes back. What comes from elsewhere
has a front, a back and tags: a card that rates itself, or with one ``{{c1::…}}`` a cloze card.
"""

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from exercises.catalogue.cards import CardError
from exercises.decks.anki_cards import sides_html
from exercises.decks.anki_cloze import CLOZE, deletion
from exercises.decks.markdown import markdown_of, unescaped
from exercises.decks.rows import MOST_CELL, Fault, Row, key_of, sorted_out
from exercises.decks.spans import replaced
from grader.errors import GraderError

#: Before the deck and the key in the guid of a card of ours.
OURS = "bert-gym"
COLUMNS = ("guid", "deck", "Front", "Back", "tags", "Source")
#: Signs within these divide no fields.
_INSIDE = re.compile(r"\{\{c\d{1,3}::|\\\(|\\\[|<|&(?=\w{1,31};)")
_CLOSING = {r"\(": r"\)", r"\[": r"\]", "<": ">", "&": ";"}
#: What Anki's headers call the columns that are no field of a note.
_SPECIAL = ("guid column", "notetype column", "deck column", "tags column")
_MOST_FIELDS = 64
_SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t", "space": " ", "pipe": "|", "colon": ":"}


def written(contents: Iterable[Mapping[str, Any]], *, deck: str, slug: str) -> str:
    """The file of these cards for Anki's import; equal cards give equal files."""
    out = io.StringIO(newline="")
    out.write("#separator:tab\n#html:true\n#notetype:Basic\n#guid column:1\n#deck column:2\n#tags column:5\n")
    out.write("#columns:" + "\t".join(COLUMNS) + "\n")
    writer = csv.writer(out, delimiter="\t", lineterminator="\n")
    name = " ".join(deck.split())
    for content in contents:
        guid = f"{OURS}:{slug}:{content['id']}"
        tags = " ".join(content.get("tags", ()))
        writer.writerow([guid, name, *sides_html(content), tags, _source(content)])
    return out.getvalue()


def rows(text: str) -> tuple[list[Row], list[Fault]]:
    """The rows of a file from Anki, or for it, and what is wrong with it by line. Of a file with too many of either, no
    more than that."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    head = _head(text)
    faults: list[Fault] = []
    return sorted_out((_row(line, cells, head) for line, cells in _cells(text, head, faults)), faults)


def merged(row: Row, known: Mapping[str, Any]) -> dict[str, Any]:
    """The card of a row that only Anki's columns are known of, where the deck has that card already.

    Raises CardError if the card is marked here and its text was changed there: what else belongs to it is not in Anki.
    """
    content = dict(row.content)
    if not row.is_ours:
        kept = {name: known[name] for name in ("skill", "hint") if name in known}
        return kept | content
    try:
        front, back = (_squeezed(markdown_of(side, is_html=True)) for side in sides_html(known))
    except (ValueError, GraderError):
        front = back = ""  # a card that Anki was never shown as it is now
    if (_squeezed(content["front"]), _squeezed(content.get("back", ""))) == (front, back):
        return dict(known)
    if known["kind"] == "self" and content["kind"] == "self":
        return {**known, "front": content["front"], "back": content.get("back", "")}
    raise CardError({"": f"the card {known['id']} is marked here, and its text was changed elsewhere: change it here"})


@dataclass
class _Head:
    """What the lines before the first note say. Columns are counted from 0."""

    lines: int = 0
    separator: str = ""
    is_html: bool | None = None
    tags: list[str] = field(default_factory=list)
    special: dict[str, int] = field(default_factory=dict)


def _head(text: str) -> _Head:
    head = _Head()
    for line in text.split("\n"):
        if not line.startswith("#"):
            break
        head.lines += 1
        name, _, value = line[1:].partition(":")
        name = name.strip().lower()
        if name == "separator":
            head.separator = _SEPARATORS.get(value.strip().lower(), value[:1])
        elif name == "html":
            head.is_html = value.strip().lower() == "true"
        elif name == "tags":
            head.tags = value.split()[:_MOST_FIELDS]
        elif name in _SPECIAL and re.fullmatch(r"\s*[0-9]{1,3}\s*", value):
            head.special[name.removesuffix(" column")] = int(value) - 1
    return head


def _cells(text: str, head: _Head, faults: list[Fault]) -> Iterator[tuple[int, list[str]]]:
    lines = text.split("\n")
    body = "\n".join(lines[head.lines :])
    first = next((line for line in lines[head.lines :] if line.strip()), "")
    # Commas and bars within a deletion or a formula divide nothing.
    told = replaced(first[:MOST_CELL], _INSIDE, lambda sign: _CLOSING.get(sign, "}}"), lambda *_: "")
    delimiter = head.separator or next((sign for sign in "\t|;," if sign in told), "\t")
    reader = csv.reader(io.StringIO(body, newline=""), delimiter=delimiter)
    while True:
        line = head.lines + reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            faults.append(Fault(line, f"from here on this cannot be read: {error}"))
            return
        # Anki passes over lines that begin with #, wherever they stand.
        if any(cell.strip() for cell in cells) and not lines[line - 1].startswith("#"):
            yield line, cells


def _row(line: int, cells: Sequence[str], head: _Head) -> Row | Fault:
    if len(cells) > _MOST_FIELDS:
        return Fault(line, f"a note has at most {_MOST_FIELDS} fields, and here stand {len(cells)}")
    if any(len(cell) > MOST_CELL for cell in cells):
        return Fault(line, f"a field has at most {MOST_CELL} characters")
    special = {name: cells[place].strip() for name, place in head.special.items() if 0 <= place < len(cells)}
    fields = [cell for place, cell in enumerate(cells) if place not in head.special.values()]
    for text in fields:
        if (source := _ours(text)) is not None:
            return Row(line, source)
    try:
        is_ours = special.get("guid", "").startswith(f"{OURS}:")
        return Row(line, _foreign(fields, special, head), is_foreign=True, is_ours=is_ours)
    except ValueError as error:
        return Fault(line, str(error))


def _foreign(fields: Sequence[str], special: Mapping[str, str], head: _Head) -> dict[str, Any]:
    """A note of another program. Raises ValueError in words for one that cannot be a card."""
    texts = [markdown_of(text, is_html=head.is_html) for text in fields]
    front = texts[0] if texts else ""
    back = "\n\n".join(text for text in texts[1:] if text)
    guid = special.get("guid", "")
    content: dict[str, Any] = {"id": key_of(guid or front, "anki"), "kind": "self", "front": front, "back": back}
    if guid.startswith(f"{OURS}:"):
        content["id"] = guid.rpartition(":")[2]
    if CLOZE.search(front):
        content |= {"kind": "cloze"} | deletion(front)
    elif not front or not back:
        raise ValueError("a note needs a front and a back: two fields, each with some text")
    tags = [*special.get("tags", "").split(), *head.tags]
    return content | ({"tags": list(dict.fromkeys(tags))} if tags else {})


def _source(content: Mapping[str, Any]) -> str:
    """The card as JSON in which nothing is left that HTML would read as its own."""
    text = json.dumps(content, ensure_ascii=False, allow_nan=False)
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def _ours(text: str) -> dict[str, Any] | None:
    """The card that a column Source holds, also after Anki has escaped its quotation marks; None for any other text."""
    if not text.lstrip().startswith(("{", "&#123;")):
        return None
    for candidate in (text, unescaped(text)):
        try:
            data = json.loads(candidate)
        except (ValueError, RecursionError):
            continue
        if isinstance(data, dict) and isinstance(data.get("id"), str) and "kind" in data:
            return data
    return None


def _squeezed(text: str) -> str:
    return " ".join(text.split())
