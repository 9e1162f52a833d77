"""What platforms answer about columns and results, whatever else they put in: read, or left out."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from exercises.lti.reading import is_web_address

#: Of one page.
MOST = 5000


class AnswerUnread(Exception):
    """What came back is not what the service should send; ``message`` says so."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


@dataclass(frozen=True)
class Column:
    """A line item as the platform has it."""

    url: str
    label: str = ""
    maximum: Fraction | None = None
    resource_id: str = ""
    tag: str = ""
    link_id: str = ""


@dataclass(frozen=True)
class Shown:
    """A result: what the platform shows of somebody. ``score`` is None where it shows none."""

    user: str
    score: float | None
    maximum: float | None
    comment: str = ""

    def plain(self) -> dict[str, Any]:
        """As it is kept."""
        return {"score": self.score, "maximum": self.maximum, "comment": self.comment}


def read_json(text: str) -> object:
    """Raises AnswerUnread for what is no JSON."""
    try:
        return json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise AnswerUnread("The platform answered with something that is no JSON.") from None


def column_of(document: object) -> Column:
    """Raises AnswerUnread."""
    if not isinstance(document, dict) or not isinstance(url := document.get("id"), str) or not is_web_address(url):
        raise AnswerUnread("The platform answered with something that is no line item.")
    maximum = _number(document.get("scoreMaximum"))
    return Column(
        url=url,
        label=_text(document, "label"),
        maximum=Fraction(str(maximum)) if maximum is not None and 0 < maximum < 1e7 else None,
        resource_id=_text(document, "resourceId"),
        tag=_text(document, "tag"),
        link_id=_text(document, "resourceLinkId"),
    )


def columns_of(document: object) -> list[Column]:
    """All that can be read of a page. Raises AnswerUnread where it is none."""
    found = []
    for entry in _list(document, "lineItems"):
        try:
            found.append(column_of(entry))
        except AnswerUnread:
            continue
    return found


def results_of(document: object) -> list[Shown]:
    """All that can be read of a page of results. Raises AnswerUnread where it is none."""
    return [
        Shown(
            user=str(entry["userId"]),
            score=_number(entry.get("resultScore")),
            maximum=_number(entry.get("resultMaximum")),
            comment=_text(entry, "comment")[:300],
        )
        for entry in _list(document, "results")
        if isinstance(entry, dict) and isinstance(entry.get("userId"), str | int)
    ]


def is_shown(sent: Mapping[str, Any], shown: Mapping[str, Any] | None) -> bool:
    """Whether what the platform shows is the score that was sent, however it rounds and whatever it counts up to."""
    given = sent.get("scoreGiven") if sent.get("gradingProgress") == "FullyGraded" else None
    score = (shown or {}).get("score")
    if given is None or score is None:
        return given is None and score is None
    most, limit = sent.get("scoreMaximum") or 1, (shown or {}).get("maximum") or sent.get("scoreMaximum") or 1
    # Platforms keep five digits or so, and show results as a share of another maximum.
    return bool(abs(given / most - score / limit) <= 1e-4)


def _list(document: object, name: str) -> Sequence[object]:
    found = document.get(name) if isinstance(document, dict) else document
    if not isinstance(found, list):
        raise AnswerUnread("The platform answered with something that is no list.")
    return found[:MOST]


def _text(entry: Mapping[str, object], name: str) -> str:
    value = entry.get(name)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return "".join(sign for sign in value if sign.isprintable())[:255] if isinstance(value, str) else ""


def _number(value: object) -> float | None:
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        read = float(value)
    except OverflowError:
        return None
    return read if math.isfinite(read) else None


def _refuse(constant: str) -> None:
    raise ValueError(constant)
