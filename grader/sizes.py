"""How large a text is, in words that people read."""

#: Bytes of a unit, the largest first.
_UNITS = ((1_000_000, "MB"), (1_000, "kB"))


def size_words(size: int) -> str:
    """A size in bytes as kB or MB, with one decimal below 100, and rounded up: more than the most never reads as it."""
    bytes_, unit = next((each for each in _UNITS if size >= each[0]), _UNITS[-1])
    tenths = -(-size * 10 // bytes_)
    if tenths >= 1000:
        tenths = -(-tenths // 10) * 10
    whole, rest = divmod(tenths, 10)
    return f"{whole:,}.{rest} {unit}" if rest else f"{whole:,} {unit}"


def too_large(size: int, most: int, *, what: str = "Your file") -> str:
    """The sentence, without an end, about a text of more bytes than there may be: how large it is, and the most."""
    limit = size_words(most)
    return f"{what} is {size_words(size)}; {limit} {'is' if limit.startswith('1 ') else 'are'} the most"
