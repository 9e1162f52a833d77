"""Shares as people write them: 1, 1/2, 50 %, 0.5. Read and written exactly, never through a float."""

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise

_FORM = re.compile(r"(\d{1,6})(?:\s*/\s*(\d{1,6})|[.](\d{1,6}))?\s*(%)?")
_COMMA = re.compile(r"\d{1,6},\d{1,6}\s*%?")
#: Of one list, and characters of one text.
MOST_SHARES = 30
LONGEST = 300


class ShareError(ValueError):
    """A share, or a list of them, that cannot be read; the message says what to write instead."""


def read_share(text: str) -> Fraction:
    """A share between 0 and 1, exactly: ``1/2``, ``50 %``, ``0.5`` or ``0,5``. Raises ShareError.

    In a list a comma stands between shares, so only one share by itself may have a decimal comma."""
    said = " ".join(text.split())
    # One comma between digits can mean nothing else here.
    return _share(said.replace(",", ".") if _COMMA.fullmatch(said) else said)


def _share(text: str) -> Fraction:
    said = " ".join(text.split())
    found = _FORM.fullmatch(said) if len(said) <= LONGEST else None
    if found is None:
        raise ShareError(f"Write a share such as 1, 1/2, 50 % or 0.5; this says {said[:40]!r}.")
    whole, under, decimals, percent = found.groups()
    if under and not int(under):
        raise ShareError(f"{said} divides by 0: write a share such as 1/2.")
    value = Fraction(f"{whole}.{decimals}") if decimals else Fraction(int(whole), int(under or 1))
    share = value / 100 if percent else value
    if share > 1:
        meant = f" Did you mean {said} %?" if not percent and value <= 100 else ""
        raise ShareError(f"A share is at most 1, which is 100 %; this says {said}.{meant}")
    return share


def read_shares(text: str) -> tuple[Fraction, ...]:
    """A list of shares between commas or semicolons, none for an empty text. Raises ShareError naming the one that
    cannot be read."""
    said = text.strip().rstrip(",;")
    if not said:
        return ()
    if len(said) > LONGEST:
        raise ShareError(f"Keep the list under {LONGEST} characters.")
    parts = re.split(r"[,;]", said)
    if len(parts) > MOST_SHARES:
        raise ShareError(f"Write at most {MOST_SHARES} shares; these are {len(parts)}.")
    return tuple(_share(part) for part in parts)


def share_words(share: Fraction) -> str:
    """A share for people, exactly: ``80 %`` where that is a whole number, else ``1/3``."""
    percent = share * 100
    return f"{percent.numerator} %" if percent.denominator == 1 else str(share)


def shares_words(shares: Iterable[Fraction]) -> str:
    """A list of shares as ``read_shares`` reads it: ``100 %, 50 %, 1/3``."""
    return ", ".join(share_words(share) for share in shares)


def is_falling(shares: Sequence[Fraction]) -> bool:
    """Whether none is larger than the one before it."""
    return all(later <= earlier for earlier, later in pairwise(shares))
