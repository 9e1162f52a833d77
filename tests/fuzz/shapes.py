"""Strategies that several readers share: texts, JSON, and sentences of a grammar."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

#: What stands where a text belongs: words, and what is none.
TEXTS = st.one_of(
    st.sampled_from(
        ["", " ", "a", "x", "-1", "0", "1e999", "NaN", "\x00", "\u202e", "\ufeff", "=1+1", "'", "é", "2" * 400]
    ),
    st.text(max_size=30),
)
NUMBERS = st.one_of(
    st.integers(-3, 12), st.integers(), st.floats(), st.sampled_from([10**400, 2**63, -(2**63), 1e308, 0.1, -0.0])
)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=10,
)


def encoded(texts: SearchStrategy[str]) -> SearchStrategy[bytes]:
    """Texts as bytes, halves of characters included."""
    return texts.map(lambda text: text.encode("utf-8", "surrogatepass"))


def written_json(values: SearchStrategy[Any]) -> SearchStrategy[bytes]:
    """JSON texts, with the constants that Python writes and JSON does not know."""
    return values.map(lambda value: json.dumps(value, default=str).encode())


@st.composite
def spoilt(draw: st.DrawFn, sound: Mapping[str, Any]) -> Any:
    """A sound document in which a few places hold something else, or nothing."""
    document = json.loads(json.dumps(sound))
    for _ in range(draw(st.integers(0, 3))):
        places = list(_places(document))
        if not places:
            break
        holder, key = places[draw(st.integers(0, len(places) - 1))]
        if isinstance(holder, dict) and draw(st.booleans()):
            del holder[key]
        else:
            holder[key] = draw(JSON)
    return document


def _places(value: Any) -> Any:
    """Every place of a document that can be changed."""
    pairs: Any = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in list(pairs):
        yield value, key
        yield from _places(inner)


def tables(heads: SearchStrategy[list[str]], cell: Callable[[str], SearchStrategy[str]]) -> SearchStrategy[bytes]:
    """Tables with these columns; now and then a row is too long, too short, or broken."""

    def rows(head: list[str]) -> SearchStrategy[list[list[str]]]:
        sound = st.tuples(*map(cell, head)).map(list)
        return st.lists(sound | st.lists(TEXTS, max_size=len(head) + 2), max_size=6).map(lambda found: [head, *found])

    def joined(pair: tuple[list[list[str]], str]) -> bytes:
        table, divider = pair
        lines = (divider.join(f'"{one}"' if "\n" in one or divider in one else one for one in row) for row in table)
        return "\n".join(lines).encode("utf-8", "surrogatepass")

    return st.tuples(heads.flatmap(rows), st.sampled_from([",", ";", "\t"])).map(joined)
