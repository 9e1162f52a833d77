"""Reading what the environment says, so that a typo never decides anything."""

import math
import os
from pathlib import Path


def flag(name: str, *, default: bool) -> bool:
    """An on/off setting. Raises ValueError for anything but a clear word for either."""
    word = os.environ.get(name, "").strip().lower()
    if word in {"", "1", "true", "yes", "on", "0", "false", "no", "off"}:
        return default if word == "" else word in {"1", "true", "yes", "on"}
    raise ValueError(f"{name}={word!r} is neither on nor off: write 1 or 0.")


def one_of(name: str, choices: tuple[str, ...]) -> str:
    """A setting that is one of some words, the first of them by default. Raises ValueError for any other."""
    word = os.environ.get(name, "").strip().lower() or choices[0]
    if word not in choices:
        raise ValueError(f"{name}={word!r} is none of {', '.join(choices)}.")
    return word


def words(name: str, default: str = "") -> list[str]:
    """A list with commas between."""
    return [word.strip() for word in os.environ.get(name, default).split(",") if word.strip()]


def amount(name: str, default: float) -> float:
    """How much of something. Raises ValueError for what is no number, or below 0: days until something is deleted that
    have a stray minus would delete all of it."""
    said = os.environ.get(name, "").strip()
    try:
        number = float(said or default)
    except ValueError:
        number = math.nan
    if not math.isfinite(number) or number < 0:
        raise ValueError(f"{name}={said!r} is no number from 0 on.")
    return number


def secret(name: str) -> str:
    """A setting that nobody else may see: from the file that NAME_FILE names, so that it stands in no environment, else
    from NAME. Raises ValueError where both are set, OSError for a file that cannot be read."""
    file, given = os.environ.get(f"{name}_FILE") or "", os.environ.get(name) or ""
    if file and given:
        raise ValueError(f"{name} and {name}_FILE are both set: which of them is meant?")
    return Path(file).read_text().strip() if file else given
