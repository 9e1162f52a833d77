"""The code by which somebody comes into a course."""

import secrets

#: No letter that could be taken for a digit, and none of the digits it could be taken for.
LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
LENGTH = 8


def new_code() -> str:
    """A code that nobody guesses: one of 31 to the power of 8."""
    return "".join(secrets.choice(LETTERS) for _ in range(LENGTH))


def read_code(typed: str) -> str:
    """The code that was meant: in capitals, without blanks and hyphens, whatever else was typed left to be refused."""
    return "".join(letter for letter in typed.upper() if letter.isalnum())[: 2 * LENGTH]


def shown_code(code: str) -> str:
    """A code as it is written on a board: ``ABCD-EFGH``."""
    return f"{code[: LENGTH // 2]}-{code[LENGTH // 2 :]}"
