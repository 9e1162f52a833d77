"""The receipt of a hand-in: a short code that only this service can make, over the attempt, the moment and all that
was handed in."""

import base64
import json
from dataclasses import dataclass

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

from exercises.models import Attempt, Submission

SALT = "exercises.receipt"
#: 20 letters, 100 bits: short enough to be read out, and far too long to be guessed.
LETTERS, GROUP = 20, 4


@dataclass(frozen=True)
class Verified:
    """Whether what is stored is what the receipt was made over."""

    attempt: Attempt
    is_genuine: bool


def receipt_of(attempt: Attempt) -> str:
    """The code over an attempt as it is handed in: call it with ``handed_in_at`` set. Two queries."""
    return _code(_said(attempt), settings.SECRET_KEY)


def verify_receipt(*, attempt: Attempt, code: str | None = None) -> Verified:
    """Whether what is stored of an attempt is what was handed in, by the code that it keeps or by the one shown.

    A code made by an earlier signing key is as good, as long as that key is among the fallbacks. Two queries.
    """
    shown = plain_code(attempt.receipt if code is None else code)
    if attempt.handed_in_at is None or not shown:
        return Verified(attempt, is_genuine=False)
    said = _said(attempt)
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return Verified(attempt, any(constant_time_compare(shown, _code(said, key)) for key in keys))


def plain_code(typed: str) -> str:
    """A code as it is kept, from one as somebody may type it."""
    letters = "".join(typed.split()).replace("-", "").upper()
    return "-".join(letters[place : place + GROUP] for place in range(0, len(letters), GROUP))


def _said(attempt: Attempt) -> str:
    """What the code stands for. What staff enter or decide later is no part of it."""
    boxes = attempt.items.order_by("position").values_list("position", "saved")
    # Of its own answers none comes after the hand-in; one that came within the grace is later than its moment.
    sent = Submission.objects.filter(variant__attempt_item__attempt=attempt, entered_by=None)
    rows = sent.order_by("pk").values_list("variant__attempt_item__position", "variant__public_id", "answers")
    said = {
        "attempt": str(attempt.public_id),
        "learner": attempt.learner_id,
        "at": attempt.handed_in_at.isoformat() if attempt.handed_in_at else "",
        "boxes": [[position, (saved or {}).get("answers", {})] for position, saved in boxes],
        "sent": [[position, str(variant), answers] for position, variant, answers in rows],
    }
    return json.dumps(said, sort_keys=True)


def _code(said: str, key: str) -> str:
    digest = salted_hmac(SALT, said, secret=key, algorithm="sha256").digest()
    return plain_code(base64.b32encode(digest).decode()[:LETTERS])
