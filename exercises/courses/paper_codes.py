"""Codes of printed copies: written and read as every code here, and a mistyped one is known to be none."""

import secrets

from exercises.courses.codes import LENGTH, LETTERS


def new_paper_code() -> str:
    """A random code, the last sign of which checks the others."""
    drawn = "".join(secrets.choice(LETTERS) for _ in range(LENGTH - 1))
    return drawn + _check(drawn)


def is_paper_code(code: str) -> bool:
    """Whether a code can be one: any one sign mistyped, or two neighbours exchanged before the last, and it cannot."""
    return len(code) == LENGTH and set(code) <= set(LETTERS) and _check(code[:-1]) == code[-1]


def _check(drawn: str) -> str:
    """A sum weighted by place, modulo the number of signs, which is prime: so no single slip goes unnoticed."""
    total = sum(place * LETTERS.index(sign) for place, sign in enumerate(drawn, start=1))
    return LETTERS[total % len(LETTERS)]
