"""Inputs made from others: bytes changed, pieces moved, doubled or taken out, and pieces of others put in."""

import random
from collections.abc import Callable, Sequence

LONGEST = 20_000
#: What readers of texts have stumbled over before, whatever they read.
SIGNS = tuple(
    sign.encode("utf-8", "surrogatepass")
    for sign in (
        "", "\x00", "\n", "\r\n", "\t", " ", "\u00a0", "\u200e", "\u202e", "\ufeff", "\u2212", "\ud800", "\U0001f600",
        "é", "0", "-1", "1e999", "NaN", "Infinity", "9" * 40, "1_000", "٣", "²", "'", '"', "\\", "{", "}", "[", "]",
        "(", ")", "{{", "}}", "$", "$$", "<", ">", "&", "|", "=", ":", ",", ";", "#", "%", "*", "**", "/", "//", "null",
        "true", "http://[", "%00", "\\u0000", "\\ud800",
    )
)  # fmt: skip


def mutated(data: bytes, others: Sequence[bytes], tokens: Sequence[bytes], source: random.Random) -> bytes:
    """``data`` with a few changes; the same for the same ``source``."""
    for _ in range(source.choice((1, 1, 2, 3, 5, 8))):
        data = source.choice(_CHANGES)(data, others, tokens, source)[:LONGEST]
    return data


_Change = Callable[[bytes, Sequence[bytes], Sequence[bytes], random.Random], bytes]


def _span(data: bytes, source: random.Random, longest: int = 40) -> tuple[int, int]:
    start = source.randrange(len(data) + 1)
    return start, min(len(data), start + source.randrange(1, longest))


def _flip(data: bytes, _others: Sequence[bytes], _tokens: Sequence[bytes], source: random.Random) -> bytes:
    if not data:
        return data
    at = source.randrange(len(data))
    return data[:at] + bytes([data[at] ^ (1 << source.randrange(8))]) + data[at + 1 :]


def _take(data: bytes, _others: Sequence[bytes], _tokens: Sequence[bytes], source: random.Random) -> bytes:
    start, end = _span(data, source)
    return data[:start] + data[end:]


def _put(data: bytes, _others: Sequence[bytes], tokens: Sequence[bytes], source: random.Random) -> bytes:
    start, end = _span(data, source, 8)
    return data[:start] + source.choice((*tokens, *SIGNS)) + data[source.choice((start, end)) :]


def _double(data: bytes, _others: Sequence[bytes], _tokens: Sequence[bytes], source: random.Random) -> bytes:
    start, end = _span(data, source, 80)
    return data[:end] + data[start:end] * source.choice((1, 1, 2, 40)) + data[end:]


def _move(data: bytes, _others: Sequence[bytes], _tokens: Sequence[bytes], source: random.Random) -> bytes:
    start, end = _span(data, source)
    piece, rest = data[start:end], data[:start] + data[end:]
    at = source.randrange(len(rest) + 1)
    return rest[:at] + piece + rest[at:]


def _splice(data: bytes, others: Sequence[bytes], _tokens: Sequence[bytes], source: random.Random) -> bytes:
    other = source.choice(others) if others else b""
    start, end = _span(other, source, 200)
    at = source.randrange(len(data) + 1)
    return data[:at] + other[start:end] + data[at + source.choice((0, end - start)) :]


def _lines(data: bytes, others: Sequence[bytes], _tokens: Sequence[bytes], source: random.Random) -> bytes:
    """A line put in another place, or one of another input put in."""
    lines = data.split(b"\n")
    line = (
        source.choice(source.choice(others).split(b"\n")) if others and source.random() < 0.5 else source.choice(lines)
    )
    if source.random() < 0.3:
        lines.pop(source.randrange(len(lines)))
    lines.insert(source.randrange(len(lines) + 1), line)
    return b"\n".join(lines)


_CHANGES: tuple[_Change, ...] = (_flip, _take, _put, _put, _double, _move, _splice, _lines)
